"""Runs and judgments as TREC writes them: `query Q0 document rank score tag` and `query 0 document grade`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np

from evidex.errors import ConfigError
from evidex.storage import Folder

Scored: TypeAlias = tuple[tuple[str, float], ...]
"""Documents of one query with their scores, in the order of the file."""
Ties: TypeAlias = Literal["trec", "given"]

_GRADE = re.compile(r"[+-]?[0-9]{1,9}")
_SCORE = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_RUN = "query Q0 document rank score tag"
_QRELS = "query 0 document grade"


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    """The grade of every judged document, by query.

    Raises `ConfigError` with file and line for a line without four fields, a grade that is no whole number, a document
    judged twice for one query, and with the file alone when it cannot be read or is empty.
    """
    qrels: dict[str, dict[str, int]] = {}
    for line, (query, _, document, grade) in _lines(path, _QRELS):
        if not _GRADE.fullmatch(grade):
            raise _wrong(path, line, f"the grade {grade!r} of {document!r} is no whole number of nine digits at most")
        judged = qrels.setdefault(query, {})
        if document in judged:
            raise _wrong(path, line, f"query {query!r} has {document!r} a second time")
        judged[document] = int(grade)
    return qrels


def read_run(path: Path) -> dict[str, Scored]:
    """The scored documents of every query, as written; `ordered` ranks them. Ranks and tags are not read.

    Raises `ConfigError` with file and line for a line without six fields, a score that is no finite number, a document
    twice for one query, and with the file alone when it cannot be read or is empty.
    """
    run: dict[str, dict[str, float]] = {}
    for line, (query, _, document, _, score, _) in _lines(path, _RUN):
        if not _SCORE.fullmatch(score) or not math.isfinite(value := float(score)):
            raise _wrong(path, line, f"the score {score!r} of {document!r} is no finite number")
        scored = run.setdefault(query, {})
        if document in scored:
            raise _wrong(path, line, f"query {query!r} has {document!r} a second time")
        scored[document] = value
    return {query: tuple(scored.items()) for query, scored in run.items()}


def ordered(scored: Scored, *, ties: Ties = "trec") -> tuple[str, ...]:
    """The documents of one query, best score first.

    `trec` compares scores rounded to float32 and puts equal ones in descending order of document id, as trec_eval
    does; `given` compares them as they are and leaves equal ones in the order of the file.
    """
    if ties == "given":
        return tuple(document for document, _ in sorted(scored, key=lambda pair: -pair[1]))
    with np.errstate(over="ignore"):  # beyond float32 is infinite, to trec_eval as well
        rounded = np.array([score for _, score in scored], np.float64).astype(np.float32).tolist()
    pairs = zip(rounded, (document for document, _ in scored), strict=True)
    return tuple(document for _, document in sorted(pairs, reverse=True))


def unjudged_queries(run: Mapping[str, object], qrels: Mapping[str, object]) -> tuple[str, ...]:
    """The queries of a run that have no judgments, sorted: nothing can be measured of them."""
    return tuple(sorted(run.keys() - qrels.keys()))


def write_run(path: Path, rankings: Mapping[str, Sequence[str]], *, tag: str) -> None:
    """Write rankings as a run, whole or not at all, sorted by query.

    Scores count down to 1 by one, so the order survives any reader, one that keeps float32 (up to 2^24 documents)
    included. An empty ranking leaves no line. Raises `ConfigError` for a duplicate, and for a name that TREC cannot
    hold: empty, or with white space.
    """
    lines = []
    for query, ranking in sorted(rankings.items()):
        if len(set(ranking)) < len(ranking):
            twice = next(document for place, document in enumerate(ranking) if document in ranking[:place])
            raise ConfigError(f"The ranking of query {query!r} has {twice!r} twice.", "Keep it at its best rank alone.")
        for place, document in enumerate(ranking):
            lines.append(_line(query, "Q0", document, place + 1, len(ranking) - place, tag))
    _write(path, lines)


def write_qrels(path: Path, qrels: Mapping[str, Mapping[str, int]]) -> None:
    """Write judgments, whole or not at all, sorted by query and document. Raises what `write_run` does for names."""
    judged = [(query, *pair) for query, grades in sorted(qrels.items()) for pair in sorted(grades.items())]
    _write(path, [_line(query, "0", document, grade) for query, document, grade in judged])


def _lines(path: Path, form: str) -> Iterator[tuple[int, list[str]]]:
    """The number and the fields of every line that is not blank."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{str(path)!r} cannot be read: {error.strerror}.") from error
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if not any(map(bytes.strip, lines)):
        raise ConfigError(f"{str(path)!r} is empty.", f"Every line has to be: {form}.")
    for number, line in enumerate(lines, start=1):
        try:
            # White space is that of ASCII, as in C: a name may hold a no-break space.
            fields = [field.decode() for field in line.split()]
        except UnicodeDecodeError as error:
            raise _wrong(path, number, "it is not in UTF-8") from error
        if fields and len(fields) != len(form.split()):
            start = " ".join(fields[:3])
            raise _wrong(path, number, f"{start!r} … has {len(fields)} fields; the form is: {form}")
        if fields:
            yield number, fields


def _line(*fields: object) -> str:
    names = list(map(str, fields))
    for name in names:
        if len(name.encode("utf-8", "surrogatepass").split()) != 1:
            problem = "has white space in it" if name else "is empty"
            raise ConfigError(
                f"A TREC file cannot hold the name {name!r}: it {problem}.", "Give it another name there."
            )
    return " ".join(names)


def _write(path: Path, lines: Sequence[str]) -> None:
    Folder(path.parent).write(path.name, "".join(f"{line}\n" for line in lines).encode())


def _wrong(path: Path, line: int, problem: str) -> ConfigError:
    return ConfigError(f"{path}, line {line}: {problem}.", "Put that line right.")

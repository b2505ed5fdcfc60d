"""Turns judged collections into a corpus and a golden set, so that one command evaluates a workspace on them.

    python -m benchmarks.judged_collections NAME FOLDER      # clapnq_dev, cranfield, scifact or squad2_dev_half

writes FOLDER/corpus/corpus.jsonl, which `evidex ingest FOLDER/corpus` reads, and FOLDER/golden.jsonl. The collections
are BEIR folders below $EVIDEX_SHARED/data/collections (default: ../shared); question sets have qa.jsonl beside them.

Every case is in `dev` or `test`. SQuAD is split by article: of the 16 in alphabetical order every other is dev, and
articles are categories. Elsewhere the SHA-256 of the first relevant document (by id) decides, so that claims about one
abstract stay on one side, or that of the question's id where no document is relevant. Tune on dev alone; figures that
others published are over both.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from evidex.errors import ConfigError
from evidex.evaluation.golden import read_golden, write_golden
from evidex.grounding.locate import places
from evidex.storage import Folder, digest
from evidex.types import Case, DocumentId, Evidence

ROOT = Path(__file__).parent.parent
COLLECTIONS = Path(os.environ.get("EVIDEX_SHARED", ROOT.parent / "shared")) / "data" / "collections"


def beir(folder: Path) -> list[Case]:
    """Judged queries as they are: whole documents, nothing said of answers.

    Judgments of documents without a text are left out (one of Cranfield's): there is nothing to find.
    """
    texts = _texts(folder)
    cases = [replace(case, split=_split_of(case)) for case in read_golden(folder).cases]
    return [replace(c, evidence=tuple(e for e in c.evidence if texts[e.document].strip())) for c in cases]


def clapnq(folder: Path) -> list[Case]:
    """Questions with the sentences of the first annotation as evidence, and as many that their passage cannot answer.

    Whoever judged a question unanswerable saw one passage of Wikipedia; that no other passage here answers it is
    likely, not known. The whole passage is the evidence where an annotation names no sentence.
    """
    texts = _texts(folder)
    return [_clapnq_case(row, texts) for row in _rows(folder / "qa.jsonl")]


def _clapnq_case(row: Mapping[str, Any], texts: Mapping[str, str]) -> Case:
    document = DocumentId(row["passage"])
    annotated: Iterable[list[str]] = row["gold_sentences"]
    sentences = dict.fromkeys(next((found for found in annotated if found), []))
    quoted = tuple(_quoted(document, texts[document], sentence) for sentence in sentences)
    case = Case(
        id=row["_id"],
        question=row["question"],
        evidence=(quoted or (Evidence(document),)) if row["answerable"] else (),
        answerable=row["answerable"],
        answer=next(iter(row["answers"]), ""),
    )
    return replace(case, split=_split_of(case))


def squad(folder: Path) -> list[Case]:
    """Questions with the first annotated answer as evidence, in its place in the paragraph, and unanswerable ones.

    Questions about one paragraph are a group: whether it is found decides all of them.
    """
    texts = _texts(folder)
    titles = {row["_id"]: row["title"] for row in _rows(folder / "corpus.jsonl")}
    splits = {title: ("dev", "test")[number % 2] for number, title in enumerate(sorted(set(titles.values())))}
    return [_squad_case(row, texts, titles[row["gold_passage"]], splits) for row in _rows(folder / "qa.jsonl")]


def _squad_case(row: Mapping[str, Any], texts: Mapping[str, str], title: str, splits: Mapping[str, str]) -> Case:
    document = row["gold_passage"]
    answers = list(zip(row["answers"], row["answer_starts"], strict=True))
    return Case(
        id=row["_id"],
        question=row["question"],
        evidence=tuple(_quoted(document, texts[document], answer, at) for answer, at in answers[:1]),
        answerable=row["answerable"],
        answer=answers[0][0] if answers else "",
        category=title,
        split=splits[title],
        group=document,
    )


def _quoted(document: str, text: str, quote: str, at: int | None = None) -> Evidence:
    """Words of a document: quoted where they occur once, else with their span; a span alone if they cut a word."""
    start = text.index(quote) if at is None else at
    span = (start, start + len(quote))
    found = list(places(quote, text, 0, len(text)))
    if found == [span]:
        return Evidence(DocumentId(document), quote=quote)
    return Evidence(DocumentId(document), quote=quote if span in found else "", span=span)


def _split_of(case: Case) -> str:
    deciding = min((evidence.document for evidence in case.evidence if evidence.grade > 0), default=case.id)
    return "dev" if int(digest(deciding.encode())[0], 16) % 2 == 0 else "test"


def _texts(folder: Path) -> dict[str, str]:
    return {row["_id"]: row["text"] for row in _rows(folder / "corpus.jsonl")}


def _rows(file: Path) -> list[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


MAKERS: Mapping[str, Callable[[Path], Iterable[Case]]] = {
    "clapnq_dev": clapnq,
    "cranfield": beir,
    "scifact": beir,
    "squad2_dev_half": squad,
}


def lay_out(name: str, folder: Path, *, collections: Path = COLLECTIONS) -> None:
    """Write the corpus and the golden set of a collection. Raises `ConfigError` for an unknown or missing one."""
    source = collections / name
    if name not in MAKERS or not source.is_dir():
        raise ConfigError(f"There is no collection {name!r} in {str(collections)!r}.", f"Known: {', '.join(MAKERS)}.")
    cases = sorted(MAKERS[name](source), key=lambda case: case.id)
    Folder(folder / "corpus").write("corpus.jsonl", (source / "corpus.jsonl").read_bytes())
    write_golden(folder / "golden.jsonl", cases)


def main(arguments: list[str]) -> int:
    if len(arguments) != 2:
        print(__doc__)
        return 2
    try:
        lay_out(arguments[0], Path(arguments[1]))
    except ConfigError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

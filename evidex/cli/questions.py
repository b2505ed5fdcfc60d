"""`search`, `ask` and `explain`: what is answered, and why."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

import click

from evidex.cli.output import (
    asker_options,
    json_option,
    opened,
    print_json,
    print_table,
    say,
    short_chunk,
    workspace_option,
)
from evidex.errors import ConfigError
from evidex.trace import Candidate
from evidex.types import Chunk, Citation
from evidex.workspace import AskResult

_SHORT = 12
_LEDGER_ROWS = 20
_NEAREST = 3


def question_options(command: Any) -> Any:
    """The options that every question has."""
    for option in (
        click.option(
            "--filter", "filters", multiple=True, metavar="FIELD=VALUE", help="tag, language, family, document."
        ),
        click.option("--as-of", "as_of", type=click.DateTime(["%Y-%m-%d"]), help="Answer from what was in force then."),
        click.option("--after", "history", multiple=True, help="An earlier question of yours; repeat, oldest first."),
    ):
        command = option(command)
    return json_option(asker_options(workspace_option(command)))


@click.command()
@click.argument("question")
@click.option(
    "-k", "--limit", type=click.IntRange(min=1), help="Most results; as many as reranking keeps unless given."
)
@question_options
def search(question: str, limit: int | None, path: str, as_json_text: bool, **asked: Any) -> None:
    """Find the passages for QUESTION: per-channel ranks beside the fused and the reranked rank."""
    with opened(path) as workspace:
        result = workspace.search(question, limit=limit, **asking_of(asked))
    if as_json_text:
        print_json("search", result)
        return
    if not result.chunks:
        say("Nothing found.")
        return
    ledger = {candidate.chunk: candidate for candidate in result.ledger}
    columns = _rank_columns(result.ledger)
    rows = [
        (n, *_ranks(ledger[chunk.id], columns), f"{chunk.document} v{chunk.version}", _snippet(chunk))
        for n, chunk in enumerate(result.chunks, start=1)
    ]
    print_table(("#", *columns, "document", "passage"), rows, right=("#", *columns), cut=("passage",))
    say(f"trace {result.trace_id}, generation {result.generation[:_SHORT]}")


@click.command()
@click.argument("question")
@question_options
def ask(question: str, path: str, as_json_text: bool, **asked: Any) -> None:
    """Answer QUESTION with citations that were checked, or abstain. Exit code 1 when the answer is withheld."""
    with opened(path) as workspace:
        result = workspace.ask(question, **asking_of(asked))
        if as_json_text:
            print_json("answer", result)
        else:
            _print_answer(result)
            say(f"\ntrace {result.trace_id}, generation {result.generation[:_SHORT]}")
    if result.answer.abstention is not None:
        click.get_current_context().exit(1)


@click.command()
@click.argument("question", required=False)
@click.option("--why-not", "why_not", multiple=True, metavar="DOCUMENT", help="Tell where and why this document fell.")
@click.option("--trace", "trace_id", help="Explain a past question by the id of its trace instead.")
@question_options
def explain(
    question: str | None, why_not: tuple[str, ...], trace_id: str | None, path: str, as_json_text: bool, **asked: Any
) -> None:
    """Ask QUESTION and print the ledger: what each stage kept, and where and why the rest fell."""
    if (question is None) == (trace_id is None):
        raise ConfigError("Give a question or --trace ID, one of the two.")
    with opened(path) as workspace:
        if question is None:
            found = workspace.recall(str(trace_id), why_not=why_not)
        else:
            found = workspace.explain(question, why_not=why_not, **asking_of(asked))
    if as_json_text:
        print_json("explanation", found)
        return
    say(f"Question    {found.trace.question}")
    print_table(
        ("stage", "kept", "fell", "seconds", "notes"),
        [
            (r.name, "" if r.kept is None else len(r.kept), len(r.fallen) or "", f"{r.seconds:.4f}", _notes(r.notes))
            for r in found.trace.stages
        ],
        right=("kept", "fell", "seconds"),
    )
    say()
    answered = found.trace.stages[-1].name == "answer" and found.trace.stages[-1].error is None
    kept = "cited" if answered else "kept"
    _print_ledger(found.ledger, kept)
    for document, reasons in found.why_not:
        say(f"\nWhy not {document}?")
        _print_reasons(reasons, [c for c in found.ledger if c.document == document], kept)
    say(f"\ntrace {found.trace_id}")


def asking_of(options: dict[str, Any]) -> dict[str, Any]:
    """What `question_options` gave, as a workspace is asked."""
    as_of: datetime | None = options["as_of"]
    return options | {
        "as_of": None if as_of is None else date(as_of.year, as_of.month, as_of.day),
        "filters": [_filter(text) for text in options["filters"]],
    }


def _filter(text: str) -> tuple[str, str]:
    field, separator, value = text.partition("=")
    if not separator:
        raise ConfigError(f"The filter {text!r} has no '='.", "Write it as FIELD=VALUE, for example tag=billing.")
    return field.strip(), value.strip()


def _print_answer(result: AskResult) -> None:
    answer = result.answer
    if answer.abstention is not None:
        say(f"No answer: {answer.abstention}")
        nearest = list(dict.fromkeys(passage.chunk.document for passage in result.context.passages))[:_NEAREST]
        if nearest:
            say(f"Nearest passages: {', '.join(nearest)}. Why none was cited: evidex explain --trace {result.trace_id}")
        return
    numbered: dict[Citation, int] = {}
    for claim in answer.claims:
        marks = [numbered.setdefault(citation, len(numbered) + 1) for citation in claim.citations]
        say(f"{' '.join(claim.text.split())} {''.join(f'[{mark}]' for mark in marks)}")
    say()
    for citation, mark in numbered.items():
        where = f"{citation.document} v{citation.version}, {citation.unit} {citation.number}"
        say(f"[{mark}] {where} ({citation.status}): “{' '.join(citation.quote.split())}”")
    if answer.rejected:
        say(f"{len(answer.rejected)} more statements were dropped: none of their quotes could be verified (--json).")


def _print_ledger(ledger: Sequence[Candidate], kept: str) -> None:
    columns = _rank_columns(ledger)
    rows = [
        (c.document, short_chunk(c.chunk), *_ranks(c, columns), c.fell_at or kept, c.reason or "")
        for c in ledger[:_LEDGER_ROWS]
    ]
    print_table(("document", "chunk", *columns, "fell at", "reason"), rows, right=columns, whole=("chunk",))
    if len(ledger) > _LEDGER_ROWS:
        say(f"… and {len(ledger) - _LEDGER_ROWS} more candidates (--json lists all)")


def _print_reasons(reasons: Sequence[tuple[str, str]], candidates: Sequence[Candidate], kept: str) -> None:
    for stage, sentence in reasons:
        say(f"  {stage}: {sentence}")
    for candidate in candidates:
        fate = kept if candidate.fell_at is None else f"fell at {candidate.fell_at}: {candidate.reason}"
        say(f"  chunk {short_chunk(candidate.chunk)} {fate}")


def _rank_columns(ledger: Sequence[Candidate]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for candidate in ledger for name, _ in candidate.ranks))


def _ranks(candidate: Candidate, columns: Sequence[str]) -> list[object]:
    ranks = dict(candidate.ranks)
    return [ranks.get(column, "–") for column in columns]


def _snippet(chunk: Chunk) -> str:
    return " ".join(chunk.text.split())


def _notes(notes: dict[str, str | int | float]) -> str:
    shown = (f"{name} {value:.3g}" if isinstance(value, float) else f"{name} {value}" for name, value in notes.items())
    return "\n".join(note for note in shown if not note.endswith(" "))


COMMANDS = (search, ask, explain)

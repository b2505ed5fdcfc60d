"""`plan`: how small the vectors of a generation may be."""

from __future__ import annotations

from pathlib import Path

import click

from evidex.cli.output import json_option, opened, print_json, print_table, progress, say, workspace_option
from evidex.index.planner import Plan, Trial


@click.command()
@click.argument("generation", required=False)
@click.option(
    "--questions",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="BEIR folder whose questions are asked, and judged, in place of held-out passages.",
)
@click.option("--queries", default=200, show_default=True, type=click.IntRange(1), help="Most queries to measure with.")
@click.option("--k", default=10, show_default=True, type=click.IntRange(1), help="Hits of a query.")
@click.option("--target", default=0.95, show_default=True, help="Least recall against exact search.")
@workspace_option
@json_option
def plan(
    generation: str | None,
    questions: Path | None,
    queries: int,
    k: int,
    target: float,
    path: str,
    as_json_text: bool,
) -> None:
    """Measure how small the vectors of GENERATION (the live one unless given) may be.

    Each code of a vector (its first WIDTH components, as halves, bytes or signs) is searched with longer and longer
    shortlists, until recall against exact search meets the target with its whole 95% interval.
    """
    with opened(path) as workspace, progress() as report_progress:
        found = workspace.plan(
            generation, questions=questions, queries=queries, k=k, target=target, progress=report_progress
        )
    if as_json_text:
        print_json("plan", found)
    else:
        _print(found)


def _print(found: Plan) -> None:
    say(f"{found.vectors} vectors of width {found.width}, asked with {found.queries} {found.source}.")
    judged = found.trials[0].judged is not None
    headings = ("code", "width", "oversampling", "bytes/vector", "ms", f"recall@{found.k} of exact", "95% interval")
    print_table(
        (*headings, *((f"recall@{found.k} judged",) if judged else ())),
        [_cells(trial, judged=judged) for trial in found.trials],
        right=headings[1:],
    )
    say(
        f"Beside its code every vector keeps {found.float_bytes_per_vector} bytes of floats, which score the shortlist."
    )
    for note in found.notes:
        say(note)
    say(_advice(found))


def _cells(trial: Trial, *, judged: bool) -> tuple[str, ...]:
    exact = trial.kind == "exact"
    cells = (
        trial.kind,
        str(trial.width),
        "" if exact else str(trial.oversampling),
        str(trial.bytes_per_vector),
        f"{trial.seconds * 1000:.2f}",
        f"{trial.recall:.3f}",
        "" if exact else f"{trial.low:.3f} – {trial.high:.3f}",
    )
    return (*cells, f"{trial.judged:.3f}") if judged else cells


def _advice(found: Plan) -> str:
    choice = found.choice
    if choice.kind == "exact":
        return f"Stay with exact search: no code was shown to have a recall of {found.target:g} and takes less."
    return (
        f"The smallest that has a recall of {found.target:g} or more: index.dense = {choice.kind!r}, "
        f"index.dense_width = {choice.width}, index.oversampling = {choice.oversampling}."
    )


COMMANDS = (plan,)

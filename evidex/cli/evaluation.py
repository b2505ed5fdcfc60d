"""`eval`: how good the answers are, whether a change is one for the better, and which settings are worth their cost."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from evidex.cli.output import json_option, opened, print_json, print_table, progress, remark, say, workspace_option
from evidex.errors import ConfigError
from evidex.evaluating import Estimate, Point, Sweep
from evidex.evaluation.comparing import RunComparison
from evidex.evaluation.golden import read_golden, select
from evidex.evaluation.measures import ANSWER_MEASURES
from evidex.evaluation.report import Mean, Report
from evidex.evaluation.run import ROUTES
from evidex.evaluation.scoring import score as score_run
from evidex.evaluation.trec import read_run
from evidex.wording import counted, difference, figure, interval, with_interval

_SHORT = 8
_SHOWN = 10
_IN_SLICES = ("source:R@10", "source:nDCG(lin)@10", "cited/fact:R")

golden_argument = click.argument("golden", type=click.Path(exists=True, path_type=Path))
split_option = click.option("--split", default="", help="Keep to the cases of this split.")
measures_option = click.option("--measure", "measures", multiple=True, metavar="ID", help="Measure this; repeatable.")


@click.group("eval")
def evaluation() -> None:
    """Measure every stage on a golden set, compare runs, and sweep over settings."""


@evaluation.command()
@golden_argument
@split_option
@measures_option
@click.option("--route", type=click.Choice(ROUTES), default="answer", show_default=True, help="What is asked for.")
@click.option("--generation", help="Ask this generation in place of the live one.")
@click.option("--dry-run", is_flag=True, help="Tell how many calls and tokens it would take, and ask nothing.")
@click.option(
    "--max-failures", default=0.0, show_default=True, type=click.FloatRange(0, 1), help="Share that may fail."
)
@workspace_option
@json_option
def run(
    golden: Path,
    split: str,
    measures: tuple[str, ...],
    route: Any,
    generation: str | None,
    dry_run: bool,
    max_failures: float,
    path: str,
    as_json_text: bool,
) -> None:
    """Ask the questions of GOLDEN (JSONL, a folder of it, a BEIR folder, CSV) and measure every stage.

    A run that was stopped goes on where it was; one that is done is not repeated. Exit code 1 when more questions
    failed than may.
    """
    asked: dict[str, Any] = {"split": split, "route": route, "measures": measures, "generation": generation}
    with opened(path) as workspace:
        if dry_run:
            _print_estimate(workspace.estimate(golden, **asked), as_json_text)
            return
        with progress() as report_progress:
            report = workspace.evaluate(golden, **asked, progress=report_progress)
        for setting in workspace.unbuilt(generation):
            remark(f"Not measured, for it waits for 'evidex build': {setting}.")
    if as_json_text:
        print_json("report", report)
    else:
        _print_report(report)
    failed = sum(row.error is not None for row in report.rows)
    if failed > max_failures * len(report.rows):
        click.get_current_context().exit(1)


@evaluation.command()
@click.argument("run", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@golden_argument
@split_option
@measures_option
@click.option(
    "--ties",
    type=click.Choice(["trec", "given"]),
    default="trec",
    show_default=True,
    help="trec: as trec_eval breaks them; given: as they stand in the file.",
)
@json_option
def score(run: Path, golden: Path, split: str, measures: tuple[str, ...], ties: Any, as_json_text: bool) -> None:
    """Measure the TREC run RUN, of whatever engine, against GOLDEN. No workspace is needed, and nothing is kept.

    A question of GOLDEN without a line in RUN found nothing and counts as 0.
    """
    cases = select(read_golden(golden), split or None)
    asked = {case.id for case in cases.cases}
    found = read_run(run)
    kept = {query: ranked for query, ranked in found.items() if not split or query in asked}
    report = score_run(cases, kept, split=split, ids=measures, ties=ties)
    if as_json_text:
        print_json("report", report)
    else:
        asked_of = counted(len(report.rows), "question")
        say(f"{run} against {report.name}, split {split or 'all'}: {asked_of}, {len(kept)} answered.")
        _print_means("ranking", report.means)
        _print_slices(report)


@evaluation.command()
@click.argument("baseline")
@click.argument("candidate", default="latest")
@measures_option
@click.option("--margin", default=0.01, show_default=True, help="A difference up to this is as good as none.")
@click.option("--rebaseline", is_flag=True, help="Compare although the documents differ.")
@workspace_option
@json_option
def compare(
    baseline: str,
    candidate: str,
    measures: tuple[str, ...],
    margin: float,
    rebaseline: bool,
    path: str,
    as_json_text: bool,
) -> None:
    """Tell whether the run CANDIDATE is better than the run BASELINE on the same questions.

    Runs are named by the start of their ids; `latest` is the newest. Exit code 1 when a measure is WORSE.
    """
    with opened(path) as workspace:
        found = workspace.compare(baseline, candidate, measures=measures, margin=margin, rebaseline=rebaseline)
    if as_json_text:
        print_json("comparison", found)
    else:
        _print_comparison(found)
    if any(comparison.verdict == "WORSE" for _, comparison in found.comparisons):
        click.get_current_context().exit(1)


@evaluation.command()
@click.argument("run", default="latest")
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), help="Write one self-contained page here.")
@click.option("--against", metavar="RUN", help="Compare with this run, on the page too.")
@click.option("--trec", type=click.Path(dir_okay=False, path_type=Path), help="Write the final ranking as a TREC run.")
@workspace_option
@json_option
def report(run: str, html: Path | None, against: str | None, trec: Path | None, path: str, as_json_text: bool) -> None:
    """Show the report on RUN: its table, a page with pictures, or its ranking for other tools."""
    with opened(path) as workspace:
        found = workspace.report(run)
        if html is not None:
            workspace.write_page(html, run, against=against)
            say(f"Wrote {html}.")
        if trec is not None:
            workspace.write_trec(trec, run)
            say(f"Wrote {trec}.")
    if as_json_text:
        print_json("report", found)
    elif html is None and trec is None:
        _print_report(found)


@evaluation.command()
@workspace_option
@json_option
def runs(path: str, as_json_text: bool) -> None:
    """List the runs that were made."""
    with opened(path) as workspace:
        found = workspace.runs()
    if as_json_text:
        print_json("runs", {"runs": found})
        return
    rows = [
        (
            record.id[:_SHORT],
            record.at,
            record.head["name"],
            record.head["identity"]["split"] or "all",
            record.head["identity"]["route"],
            record.head["cases"],
            record.head["identity"]["generation"][:_SHORT],
        )
        for record in found
    ]
    print_table(("run", "begun", "golden set", "split", "route", "questions", "generation"), rows, right=("questions",))


@evaluation.command()
@golden_argument
@click.option(
    "--vary",
    "varied",
    multiple=True,
    required=True,
    metavar="SETTING=V1,V2,…",
    help="Values of a setting to try; several settings are tried in every combination.",
)
@click.option("--measure", default="source:nDCG(lin)@10", show_default=True, help="What is to be great.")
@click.option("--route", type=click.Choice(ROUTES), default="search", show_default=True, help="What is asked for.")
@workspace_option
@json_option
def sweep(golden: Path, varied: tuple[str, ...], measure: str, route: Any, path: str, as_json_text: bool) -> None:
    """Try combinations of settings on the dev split of GOLDEN and print what each gives and costs.

    Generations are built as needed and removed again. The best choice is tried once on the other split.
    """
    with opened(path) as workspace, progress() as report_progress:
        found = workspace.sweep(golden, _varied(varied), measure=measure, route=route, progress=report_progress)
    if as_json_text:
        print_json("sweep", found)
    else:
        _print_sweep(found)


def _varied(options: Sequence[str]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for option in options:
        name, separator, values = option.partition("=")
        if not separator or not values:
            raise ConfigError(f"{option!r} names no values.", "Write it as chunking.max_words=80,150.")
        found[name.strip()] = [_value(value.strip()) for value in values.split(",")]
    return found


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


# --- printing


def _print_estimate(found: Estimate, as_json_text: bool) -> None:
    if as_json_text:
        print_json("estimate", found)
        return
    say(f"{counted(found.questions, 'question')}, {found.done} of them asked already.")
    say(
        f"Generator {found.generator}: {found.generator_calls} calls of a model, at most {found.prompt_tokens} tokens "
        f"of passages in and {found.reply_tokens} tokens out."
    )
    say(f"Embedder {found.embedder}: at most {found.embedder_calls} calls of an endpoint.")


def _print_report(report: Report) -> None:
    identity = report.identity
    say(
        f"{report.name}, split {identity.split or 'all'}, route {identity.route}: "
        f"{counted(len(report.rows), 'question')} to generation {identity.generation[:_SHORT]} "
        f"of {counted(report.chunks, 'chunk')}."
    )
    blocks = {"ranking": [], "ceilings, stage by stage": [], "delivered and said": []}  # type: dict[str, list[Mean]]
    for mean in report.means:
        stage = mean.measure.partition("/")[0] if "/" in mean.measure else ""
        said = stage in {"context", "cited"} or mean.measure in ANSWER_MEASURES
        blocks["delivered and said" if said else "ceilings, stage by stage" if stage else "ranking"].append(mean)
    for title, means in blocks.items():
        if any(mean.n for mean in means):
            say()
            _print_means(title, means)
    _print_answered(report)
    _print_slices(report)
    errors = [row for row in report.rows if row.error is not None]
    for row in errors[:_SHOWN]:
        say(f"failed: {row.case}: {row.error}")
    if len(errors) > _SHOWN:
        say(f"… and {len(errors) - _SHOWN} more failed (--json lists all)")
    gone = [row for row in report.rows if row.turnover]
    for row in gone[:_SHOWN]:
        say(f"gone: {row.case}: {'; '.join(row.turnover)}")
    say(f"\nrun {report.run}; pictures: evidex eval report {report.run[:_SHORT]} --html report.html")


def _print_means(title: str, means: Sequence[Mean]) -> None:
    rows = [
        (m.measure, figure(m.mean), interval(m.low, m.high), m.n, m.failed or "", m.undefined or "", m.turnover or "")
        for m in means
        if m.n or m.failed
    ]
    headings = (title, "mean", "95% interval", "n", "failed", "undefined", "gone")
    print_table(headings, rows, right=headings[1:], whole=(title,))


def _print_answered(report: Report) -> None:
    table = report.table
    if not table.total:
        return
    say()
    abstained, wrong = f"{table.false_abstentions} (false)", f"{table.false_answers} (false)"
    rows = [
        ("answerable", table.answered_answerable, abstained, figure(table.false_abstention_rate)),
        ("unanswerable", wrong, table.abstained_unanswerable, figure(table.false_answer_rate)),
    ]
    headings = ("", "answered", "abstained", "false")
    print_table(headings, rows, right=headings[1:])


def _print_slices(report: Report) -> None:
    wanted = [name for name in _IN_SLICES if name in report.identity.measures]
    if len(report.slices) < 2 or not wanted:
        return
    say()
    counts = [len([row for row in report.rows if row.category == name]) for name, _ in report.slices]
    rows = []
    for (name, means), count in zip(report.slices, counts, strict=True):
        by_name = {mean.measure: mean for mean in means}
        rows.append((name, count, *(with_interval(m.mean, m.low, m.high) for m in map(by_name.__getitem__, wanted))))
    print_table(("slice", "questions", *wanted), rows, right=("questions", *wanted))


def _print_comparison(found: RunComparison) -> None:
    say(f"{found.golden}, split {found.split or 'all'}: {counted(found.questions, 'question')} in both runs.")
    if found.only_baseline or found.only_candidate:
        say(f"{found.only_baseline} are only in the baseline, {found.only_candidate} only in the candidate.")
    say(f"Changed: {'; '.join(found.moved) or 'nothing'}.")
    say()
    rows = [
        (
            name,
            c.verdict,
            figure(c.baseline_mean),
            figure(c.candidate_mean),
            difference(c.difference),
            interval(c.low, c.high),
            figure(c.adjusted_p),
            f"{c.wins}/{c.ties}/{c.losses}",
            figure(c.detectable),
        )
        for name, c in found.comparisons
    ]
    headings = (
        "measure",
        "verdict",
        "before",
        "after",
        "difference",
        "95% interval",
        "p (Holm)",
        "W/T/L",
        "detectable",
    )
    print_table(headings, rows, right=headings[2:], whole=("measure", "verdict"))
    say()
    for name, comparison in found.comparisons:
        say(f"{name}: {comparison.reason}")


def _print_sweep(found: Sweep) -> None:
    choices = counted(len(found.points), "choice")
    say(f"{found.golden}, split dev: {counted(found.questions, 'question')}, {choices} of settings.")
    say()
    headings = (found.measure, "95% interval", "tokens", "ms", "95% of ms", "front")
    rows = [(_changed(point), *_point_cells(point), "●" if point.on_front else "") for point in found.points]
    print_table(("settings", *headings), rows, right=headings[:-1], whole=headings)
    say()
    say(f"Best on dev: {_changed(found.points[found.best])}.")
    for title, comparison in (("On dev", found.on_dev), ("Held out", found.held_out)):
        if comparison is not None:
            (_, verdict), *_ = comparison.comparisons
            say(f"{title} ({counted(comparison.questions, 'question')}): {verdict.verdict}. {verdict.reason}")


def _changed(point: Point) -> str:
    return ", ".join(f"{name} = {value}" for name, value in point.changed.items()) or "as they are"


def _point_cells(point: Point) -> tuple[str, ...]:
    tokens = "" if point.tokens is None else f"{point.tokens:.0f}"
    if point.seconds is None or point.fastest is None or point.slowest is None:
        return figure(point.quality), interval(point.low, point.high), tokens, "", ""
    between = f"{point.fastest * 1000:.1f} – {point.slowest * 1000:.1f}"
    return figure(point.quality), interval(point.low, point.high), tokens, f"{point.seconds * 1000:.1f}", between


COMMANDS = (evaluation,)

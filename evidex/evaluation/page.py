"""How does one show a run to somebody? One HTML file that needs nothing else: no script, no font, no network."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files

from evidex.evaluation.comparing import RunComparison
from evidex.evaluation.derive import value_of
from evidex.evaluation.measures import ANSWER_MEASURES
from evidex.evaluation.report import Mean, Report, Row

_WORST = 40
_CARDS = ("source:nDCG(lin)@10", "source:R@10", "fact:R@10", "context/fact:R", "cited/fact:R", "Faithfulness")
_PICTURES = {
    "funnel": "What each stage still holds of the evidence",
    "slices": "By slice",
    "rank_heatmap": "Where the evidence stood, question by question",
    "risk_coverage": "What answering more would cost",
    "win_loss": "Question by question against the baseline",
}
_LIMITS = (
    "A mean is over the questions of this golden set and its judgments; others may come out otherwise. Its interval "
    "tells how far chance alone would move it, not whether these questions are the ones that people ask.",
    "What nobody judged counts as not relevant: Judged@10 tells how much of what was found that is.",
    "A question that failed counts as 0 and is counted under “failed”. Where a measure is undefined the question is "
    "left out, and counted under “undefined”.",
    "Faithfulness, TokenF1 and the measures of citations go by words. They catch what was made up, and cannot tell a "
    "wrong conclusion from the right words.",
)


def page(
    report: Report,
    *,
    comparison: RunComparison | None = None,
    baseline: Report | None = None,
    pictures: Mapping[str, str] | None = None,
) -> str:
    """The report as one page; `pictures` are inline SVG by name, as `plots` draws them."""
    drawn = pictures or {}
    body = "\n".join(
        (
            _top(report, comparison),
            _picture(drawn, "funnel"),
            _panel(report),
            _answered(report),
            _picture(drawn, "risk_coverage"),
            _compared(comparison, baseline),
            _picture(drawn, "win_loss"),
            _slices(report),
            _picture(drawn, "slices"),
            _picture(drawn, "rank_heatmap"),
            _worst(report),
            _not_scored(report),
            _run(report),
            _section("What these figures cannot say", "".join(f"<p>{escape(limit)}</p>" for limit in _LIMITS)),
        )
    )
    style = files("evidex.evaluation").joinpath("page.css").read_text("utf-8")
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(report.name)}: run {report.run}</title>\n<style>\n{style}</style></head>\n"
        f"<body>\n{body}\n<footer><p>evidex {escape(report.identity.evidex)}, run {report.run}</p></footer>\n"
        "</body></html>\n"
    )


# --- sections


def _top(report: Report, comparison: RunComparison | None) -> str:
    split = report.identity.split or "all splits"
    by_name = {mean.measure: mean for mean in report.means}
    cards = "".join(
        f'<div class="card"><b>{_number(by_name[name].mean)}</b><span>{escape(name)}</span></div>'
        for name in _CARDS
        if name in by_name and by_name[name].mean is not None
    )
    return (
        f"<h1>{escape(report.name)}, {escape(split)}: {len(report.rows)} questions</h1>\n"
        f'<p class="headline">{_headline(report, comparison)}</p>\n<div class="cards">{cards}</div>'
    )


def _headline(report: Report, comparison: RunComparison | None) -> str:
    if comparison is not None and comparison.comparisons:
        name, found = comparison.comparisons[0]
        return f'<span class="{found.verdict}">{found.verdict}</span> by {escape(name)}. {escape(found.reason)}'
    table = report.table
    said = []
    if table.answerable:
        said.append(f"Of {table.answerable} questions with an answer {table.answered_answerable} were answered")
    if table.unanswerable:
        said.append(f"of {table.unanswerable} without one {table.false_answers} were answered all the same")
    failed = sum(row.error is not None for row in report.rows)
    if failed:
        said.append(f"{failed} failed")
    return escape("; ".join(said) + "." if said else "Only the search was asked, not for answers.")


def _panel(report: Report) -> str:
    parts: dict[str, list[Mean]] = {"Ranking": [], "Ceilings, stage by stage": [], "Delivered and said": []}
    for mean in report.means:
        stage = mean.measure.partition("/")[0] if "/" in mean.measure else ""
        if stage in {"context", "cited"} or mean.measure in ANSWER_MEASURES:
            parts["Delivered and said"].append(mean)
        else:
            parts["Ceilings, stage by stage" if stage else "Ranking"].append(mean)
    tables = "".join(_means(title, means) for title, means in parts.items() if any(m.n for m in means))
    return _section("What was measured", f"{tables}{_what_it_means()}")


def _means(title: str, means: Sequence[Mean]) -> str:
    rows = [
        (m.measure, _number(m.mean), _interval(m.low, m.high), m.n, m.failed or "", m.undefined or "", m.turnover or "")
        for m in means
        if m.n or m.failed
    ]
    return _table(title, ("measure", "mean", "95% interval", "n", "failed", "undefined", "gone"), rows, left=1)


def _what_it_means() -> str:
    return (
        '<p class="quiet">Ids name the stage, the level that is counted (chunk, source, family, fact) and the '
        "convention: nDCG(lin) gains the grade and nDCG(exp) 2^grade − 1; AP(R) divides by all that is relevant, "
        "AP(min) by no more than k. <code>random/</code> is what a blind draw of as many chunks would find.</p>"
    )


def _answered(report: Report) -> str:
    table = report.table
    if not table.total:
        return ""
    rows = [
        ("answerable", table.answered_answerable, table.false_abstentions, _percent(table.false_abstention_rate)),
        ("unanswerable", table.false_answers, table.abstained_unanswerable, _percent(table.false_answer_rate)),
    ]
    return _section("Who was answered", _table("", ("questions", "answered", "abstained", "wrongly so"), rows, left=1))


def _compared(comparison: RunComparison | None, baseline: Report | None) -> str:
    if comparison is None:
        return ""
    rows = [
        (
            name,
            _raw(f'<span class="{c.verdict}">{c.verdict}</span>'),
            _number(c.baseline_mean),
            _number(c.candidate_mean),
            _interval(c.low, c.high),
            _number(c.adjusted_p),
            f"{c.wins}/{c.ties}/{c.losses}",
            _number(c.detectable),
        )
        for name, c in comparison.comparisons
    ]
    headings = ("measure", "verdict", "before", "after", "difference, 95%", "p (Holm)", "won/tied/lost", "detectable")
    reasons = "".join(f"<p>{escape(name)}: {escape(c.reason)}</p>" for name, c in comparison.comparisons)
    moved = escape("; ".join(comparison.moved) or "nothing")
    against = escape(comparison.baseline if baseline is None else f"{baseline.run} ({baseline.name})")
    return _section(f"Against run {against}", f"<p>Changed: {moved}.</p>{_table('', headings, rows, left=2)}{reasons}")


def _slices(report: Report) -> str:
    wanted = [
        name for name in ("source:R@10", "source:nDCG(lin)@10", "cited/fact:R") if name in report.identity.measures
    ]
    if len(report.slices) < 2 or not wanted:
        return ""
    counts = {name: sum(row.category == name for row in report.rows) for name, _ in report.slices}
    rows = []
    for name, means in report.slices:
        by_name = {mean.measure: mean for mean in means}
        cells = [f"{_number(by_name[m].mean)} {_interval(by_name[m].low, by_name[m].high)}" for m in wanted]
        rows.append((name, counts[name], *cells))
    return _section("By slice", _table("", ("slice", "questions", *wanted), rows, left=1))


def _worst(report: Report) -> str:
    measured = [row for row in report.rows if _badness(row, report) is not None]
    worst = sorted(measured, key=lambda row: (_badness(row, report) or 0.0, row.case))[:_WORST]
    stages = list(dict.fromkeys(stage for row in worst for stage, _ in row.ranks if stage not in {"candidates"}))
    rows = [
        (row.case, row.question, *(_ranks(dict(row.ranks).get(stage)) for stage in stages), _said(row)) for row in worst
    ]
    intro = (
        '<p class="quiet">Ranks of the evidence in each stage; a cross where it was not there. To see what lost it: '
        "<code>evidex diagnose</code>.</p>"
    )
    if not rows:
        return ""
    return _section(
        "Questions, the worst first", intro + _table("", ("case", "question", *stages, "answer"), rows, left=2)
    )


def _not_scored(report: Report) -> str:
    failed = [(row.case, row.question, row.error or "") for row in report.rows if row.error is not None]
    gone = [(row.case, row.question, "; ".join(row.turnover)) for row in report.rows if row.turnover]
    tables = _table("Failed", ("case", "question", "reason"), failed, left=3) if failed else ""
    tables += _table("Evidence that is gone", ("case", "question", "what is gone"), gone, left=3) if gone else ""
    return _section("Failed, or gone", tables) if tables else ""


def _run(report: Report) -> str:
    identity = report.identity
    facts = [
        ("generation", f"{identity.generation} ({report.chunks} chunks)"),
        ("route", identity.route),
        ("golden set", identity.golden),
        ("documents", identity.corpus),
        ("rights and versions", identity.catalog),
        ("settings", identity.settings),
        *report.environment.items(),
    ]
    settings = [
        (name, str(value)) for section, leaves in report.settings.items() for name, value in _leaves(section, leaves)
    ]
    more = _table("", ("setting", "value"), settings, left=2)
    return _section(
        "What was run",
        _table("", ("", ""), facts, left=2) + f"<details><summary>All settings</summary>{more}</details>",
    )


# --- pieces


class _Raw(str):
    """Text that is markup already."""

    __slots__ = ()


def _raw(markup: str) -> _Raw:
    return _Raw(markup)


def _section(title: str, inner: str) -> str:
    return f"<section><h2>{escape(title)}</h2>\n{inner}</section>" if inner else ""


def _picture(pictures: Mapping[str, str], name: str) -> str:
    if name not in pictures:
        return ""
    return f'<figure class="picture" role="img" aria-label="{escape(_PICTURES[name])}">{pictures[name]}</figure>'


def _table(title: str, headings: Sequence[str], rows: Iterable[Sequence[object]], *, left: int) -> str:
    """A table whose columns after the first `left` hold numbers."""
    kinds = ["" if column < left else ' class="n"' for column in range(len(headings))]
    head = "".join(f"<th{kind}>{escape(heading)}</th>" for kind, heading in zip(kinds, headings, strict=True))
    body = "".join(
        "<tr>" + "".join(f"<td{kind}>{_cell(cell)}</td>" for kind, cell in zip(kinds, row, strict=True)) + "</tr>\n"
        for row in rows
    )
    caption = f"<caption>{escape(title)}</caption>" if title else ""
    return f'<div class="wide"><table>{caption}<thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table></div>'


def _cell(cell: object) -> str:
    return cell if isinstance(cell, _Raw) else escape(str(cell))


def _badness(row: Row, report: Report) -> float | None:
    """What the worst questions are sorted by: the last stage that was measured, then the ranking."""
    for name in ("cited/fact:R", "source:RR@10", *report.identity.measures):
        if name in report.identity.measures and (value := value_of(row, name)) is not None:
            return value
    return None


def _ranks(ranks: tuple[int | None, ...] | None) -> str:
    return "" if not ranks else " ".join("×" if rank is None else str(rank) for rank in ranks)


def _said(row: Row) -> _Raw:
    if row.answered is None:
        return _raw("failed" if row.error else "–")
    right = row.answerable is None or row.answered == row.answerable
    return _raw(f'<span class="{"" if right else "bad"}">{"answered" if row.answered else "abstained"}</span>')


def _leaves(name: str, value: object) -> list[tuple[str, object]]:
    if not isinstance(value, Mapping):
        return [(name, value)]
    return [leaf for key, inner in value.items() for leaf in _leaves(f"{name}.{key}", inner)]


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}%"


def _interval(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{low:.3f} – {high:.3f}"

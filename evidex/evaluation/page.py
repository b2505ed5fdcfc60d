"""What does a person read of a run? One HTML file that needs nothing else: verdict first, then what it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from statistics import fmean

from evidex.evaluation.comparing import HEADLINE, RunComparison
from evidex.evaluation.derive import value_of
from evidex.evaluation.markup import document, drawing, escaped, section, sortable
from evidex.evaluation.measures import ANSWER_MEASURES
from evidex.evaluation.report import Mean, Report, Row
from evidex.evaluation.standing import Stage, facts_of, lost_after, stages_of, standing
from evidex.evaluation.statistics.verdict import Comparison
from evidex.wording import counted, difference, figure, interval, percent, with_interval

WORST = 100
"""How many questions are listed at most."""
_LONGEST = 240
_OF_A_QUESTION = ("rrf-contributions", "maxsim-grid", "chunk-boundaries")
_OF_AN_INDEX = ("bm25-curves", "embedding-map")

_LOST_IN = {
    "candidates": "retrieval",
    "fused": "fusion",
    "reranked": "reranking",
    "context": "assembly",
    "cited": "answering",
}
_MEANING = {
    "BETTER": "The new run is better.",
    "WORSE": "The new run is worse.",
    "EQUIVALENT": "The two runs are as good as each other.",
    "INCONCLUSIVE": "These questions do not tell the two runs apart.",
}


def page(
    report: Report,
    *,
    comparison: RunComparison | None = None,
    baseline: Report | None = None,
    pictures: Mapping[str, str] | None = None,
) -> str:
    """The page on a run, beside a baseline where there is one.

    `pictures` are SVG elements by the names of `plots.catalogue.PICTURES`: of the run as `for_page` gives them, of its
    index and of its `lost_first` question as `drawing.close_up` does. They are taken as they are; every other text is
    escaped.
    """
    drawn = pictures or {}
    sections = (
        _header(report),
        _verdict(report, comparison),
        _compared(comparison, drawn.get("win-loss")),
        _funnel(report, drawn.get("funnel")),
        _measures(report, baseline),
        _slices(report, drawn.get("slices")),
        _answered(report, drawn.get("risk-coverage")),
        _heat_map(drawn.get("rank-heatmap")),
        _worst(report),
        _closer(report, drawn),
        _failures(report),
        _turnover(report),
        _index(drawn),
        _limits(report, comparison),
        _identity(report),
    )
    title = f"{report.name} · run {report.run[:8]}"
    return document(title, "".join(sections))


# --- what it comes to


def _header(report: Report) -> str:
    identity = report.identity
    about = (
        f"{counted(len(report.rows), 'question')} of split {identity.split or 'all'}, route {identity.route}, asked of "
        f"generation {identity.generation[:12]} of {counted(report.chunks, 'chunk')}"
    )
    return f"<header><h1>{escaped(report.name)}</h1><p class=sub>{escaped(about)}</p></header>\n"


def _verdict(report: Report, comparison: RunComparison | None) -> str:
    sentences = [_evidence_in_words(report), *_answers_in_words(report)]
    failed = sum(row.error is not None for row in report.rows)
    if failed:
        sentences.append(f"{counted(failed, 'question')} failed and count as 0.")
    lead = ""
    if comparison is not None and comparison.comparisons:
        name, first = comparison.comparisons[0]
        lead = (
            f'<p class="verdict {first.verdict.lower()}"><strong>{first.verdict}</strong> '
            f"{escaped(f'{_MEANING[first.verdict]} {name}: {first.reason}')}</p>"
        )
    return f"<section class=lead>{lead}<p>{escaped(' '.join(sentences))}</p></section>\n"


def _evidence_in_words(report: Report) -> str:
    facts = sum(facts_of(row) for row in report.rows)
    line = [stage for stage in stages_of(report) if not stage.is_channel]
    if not facts or not line:
        return "No question of this run has evidence to follow."
    kept = {stage.name: _kept(report, stage) for stage in line}
    first, last = line[0].name, line[-1].name
    losses = [(kept[a.name] - kept[b.name], b.name) for a, b in pairwise(line)]
    lost, where = max([(facts - kept[first], first), *losses], key=lambda pair: pair[0])
    most = f" Most of what is lost is lost in {_LOST_IN.get(where, where)} ({lost:,} of {facts:,})." if lost > 0 else ""
    verb = "are cited" if last == "cited" else f"are there after {_LOST_IN.get(last, last)}"
    return (
        f"The channels find {percent(kept[first] / facts)} of {counted(facts, 'fact')}; "
        f"{percent(kept[last] / facts)} {verb}.{most}"
    )


def _answers_in_words(report: Report) -> Iterable[str]:
    table = report.table
    if table.answerable:
        yield (
            f"Of {counted(table.answerable, 'answerable question')}, {table.answered_answerable:,} "
            f"({percent(table.answered_answerable / table.answerable)}) are answered."
        )
    if table.unanswerable:
        yield (
            f"Of {table.unanswerable:,} that have no answer, {table.answered_unanswerable:,} "
            f"({percent(table.answered_unanswerable / table.unanswerable)}) are answered all the same."
        )


def _compared(comparison: RunComparison | None, picture: str | None) -> str:
    if comparison is None:
        return ""
    rows = [
        (
            name,
            one.verdict,
            figure(one.baseline_mean),
            figure(one.candidate_mean),
            difference(one.difference),
            _between(one),
            figure(one.adjusted_p),
            f"{one.wins}/{one.ties}/{one.losses}",
            figure(one.detectable),
        )
        for name, one in comparison.comparisons
    ]
    head = ("measure", "verdict", "before", "after", "difference", "95% interval", "p (Holm)", "W/T/L", "detectable")
    reasons = "".join(f"<li><b>{escaped(name)}</b>: {escaped(one.reason)}</li>" for name, one in comparison.comparisons)
    moved = "; ".join(comparison.moved) or "nothing"
    about = (
        f"{counted(comparison.questions, 'question')} in both runs; {comparison.only_baseline} only in the baseline "
        f"{comparison.baseline[:8]}, {comparison.only_candidate} only in this run. Differences up to "
        f"{comparison.margin:g} are as good as none. Changed: {moved}."
    )
    return section(
        "Against the baseline", f"<p>{escaped(about)}</p>{drawing(picture)}{sortable(head, rows)}<ul>{reasons}</ul>"
    )


# --- what it rests on


def _funnel(report: Report, picture: str | None) -> str:
    stages, facts = stages_of(report), sum(facts_of(row) for row in report.rows)
    if not facts:
        return ""
    rows = [
        (
            stage.name,
            str(stage.limit or "all"),
            f"{_kept(report, stage):,}",
            percent(_kept(report, stage) / facts),
        )
        for stage in stages
    ]
    table = sortable(("stage", "lets on", "facts still there", "share"), rows)
    shown = drawing(picture) + f"<details><summary>As a table</summary>{table}</details>" if picture else table
    return section("Where the evidence goes", shown)


def _measures(report: Report, baseline: Report | None) -> str:
    before = {mean.measure: mean.mean for mean in baseline.means} if baseline is not None else {}
    blocks: dict[str, list[Mean]] = {"The final ranking": [], "Ceilings, stage by stage": [], "Delivered and said": []}
    for mean in report.means:
        blocks[_block(mean.measure)].append(mean)
    head = ["measure", "mean", "95% interval", "", "n", "failed", "undefined", "gone"]
    if before:
        head.insert(2, "baseline")
    parts = []
    for title, means in blocks.items():
        if not means:
            continue
        rows = []
        for mean in means:
            cells = [escaped(mean.measure), figure(mean.mean), interval(mean.low, mean.high), _strip(mean)]
            cells += [str(mean.n), *(str(count or "") for count in (mean.failed, mean.undefined, mean.turnover))]
            if before:
                cells.insert(2, figure(before.get(mean.measure)))
            rows.append(cells)
        parts.append(f"<h3>{title}</h3>{sortable(head, rows, raw=True)}")
    note = (
        "<p class=note>A question that failed counts as 0 (<i>failed</i>). One for which a measure means nothing "
        "(<i>undefined</i>), or whose evidence the corpus no longer holds (<i>gone</i>), counts nowhere. "
        "Intervals are bootstrapped over independent facts (BCa); where all values are 0, or all 1, they are those of "
        "a count (Clopper and Pearson).</p>"
    )
    return section("Every measure", note + "".join(parts))


def _block(measure: str) -> str:
    stage = measure.partition("/")[0] if "/" in measure else ""
    if stage in {"context", "cited"} or measure in ANSWER_MEASURES:
        return "Delivered and said"
    return "Ceilings, stage by stage" if stage else "The final ranking"


def _strip(mean: Mean) -> str:
    """The interval and the mean on a line from 0 to 1; values outside are drawn at its ends."""
    if mean.mean is None:
        return ""
    at = min(1.0, max(0.0, mean.mean))
    low, high = (at if end is None else min(1.0, max(0.0, end)) for end in (mean.low, mean.high))
    return (
        f'<span class=strip aria-hidden=true><i style="left:{low:.1%};width:{high - low:.1%}"></i>'
        f'<b style="left:{at:.1%}"></b></span>'
    )


def _slices(report: Report, picture: str | None) -> str:
    measures = report.identity.measures
    wanted = [name for name in HEADLINE if name in measures] or list(measures[:1])
    if not report.slices or not wanted:
        return ""
    rows = []
    for name, means in report.slices:
        by_name = {mean.measure: mean for mean in means}
        questions = sum(row.category == name for row in report.rows)
        shown = (by_name[measure] for measure in wanted)
        rows.append((name, str(questions), *(with_interval(mean.mean, mean.low, mean.high) for mean in shown)))
    return section("Slices", drawing(picture) + sortable(("category", "questions", *wanted), rows))


def _answered(report: Report, picture: str | None) -> str:
    table = report.table
    if not table.total:
        return ""
    cells = (
        (
            "answerable",
            table.answered_answerable,
            table.abstained_answerable,
            "good",
            "bad",
            table.false_abstention_rate,
        ),
        (
            "no answer there",
            table.answered_unanswerable,
            table.abstained_unanswerable,
            "bad",
            "good",
            table.false_answer_rate,
        ),
    )
    rows = "".join(
        f"<tr><th scope=row>{name}</th><td class={one}>{answered:,}</td><td class={other}>{abstained:,}</td>"
        f"<td>{percent(rate) if rate is not None else '–'}</td></tr>"
        for name, answered, abstained, one, other, rate in cells
    )
    note = (
        "<p class=note>Of the answers in the upper left, this table does not say which are right; "
        f"{percent(table.accuracy or 0.0)} of {counted(table.total, 'question')} were answered where there is an "
        "answer, or not where there is none.</p>"
    )
    head = "<tr><th></th><th>answered</th><th>abstained</th><th>false</th></tr>"
    return section(
        "Answered, and answerable",
        f"<div class=scroll><table class=four><thead>{head}</thead><tbody>{rows}</tbody></table></div>{note}"
        f"{drawing(picture)}",
    )


def _heat_map(picture: str | None) -> str:
    return section("Ranks, the worst questions first", drawing(picture)) if picture else ""


def lost_first(report: Report) -> Row | None:
    """The question whose evidence is lost earliest, of those that did not fail; None where no evidence is lost."""
    stages = stages_of(report)
    return next((row for row in _worst_first(report) if row.error is None and lost_after(row, stages)), None)


def _worst_first(report: Report) -> list[Row]:
    """The questions that went wrong."""
    stages = stages_of(report)
    found = [(_badness(row, report, stages), row) for row in report.rows]
    wrong = [(bad, row) for bad, row in found if bad > (0, 0.0)]
    return [row for _, row in sorted(wrong, key=lambda pair: (-pair[0][0], -pair[0][1], pair[1].case))]


def _worst(report: Report) -> str:
    stages, ordered = stages_of(report), _worst_first(report)
    if not ordered:
        return section("Questions that went wrong", "<p>None.</p>")
    rows = [_question_cells(row, stages) for row in ordered[:WORST]]
    more = (
        f"<p class=note>{len(ordered) - WORST:,} more are in the JSON of this report.</p>"
        if len(ordered) > WORST
        else ""
    )
    head = ("question", "category", "what went wrong", *(stage.name for stage in stages))
    note = "<p class=note>The rank of each fact in each channel and stage; × where it is not there.</p>"
    return section(f"Questions that went wrong ({len(ordered):,})", note + sortable(head, rows, raw=True) + more)


def _question_cells(row: Row, stages: Sequence[Stage]) -> list[str]:
    question = f"{escaped(row.question)}<br><small>{escaped(row.case)}</small>"
    told = [
        f"<br><small>{name}: {escaped(_short(text))}</small>"
        for name, text in (("expected", row.expected), ("said", row.said))
        if text
    ]
    wrong = f"<div class=told>{escaped(_what_went_wrong(row, stages))}{''.join(told)}</div>"
    cells = [question, escaped(row.category), wrong]
    for stage in stages:
        ranks = standing(row, stage)
        text = " ".join("×" if rank is None else str(rank) for rank in ranks)
        cells.append(f"<span class=lost>{text}</span>" if None in ranks else text)
    return cells


def _closer(report: Report, drawn: Mapping[str, str]) -> str:
    """Where the evidence of one question went, in pictures."""
    row = lost_first(report)
    shown = [name for name in _OF_A_QUESTION if name in drawn]
    if row is None or not shown:
        return ""
    about = (
        f"“{row.question}” ({row.case}), asked again: {_what_went_wrong(row, stages_of(report))}. "
        f"The same for any other: evidex plot {' | '.join(shown)}"
    )
    drawings = "".join(drawing(drawn[name]) for name in shown)
    return section("One of them, looked at", f"<p>{escaped(about)}</p>{drawings}")


def _index(drawn: Mapping[str, str]) -> str:
    shown = [drawn[name] for name in _OF_AN_INDEX if name in drawn]
    return section("The index", "".join(map(drawing, shown))) if shown else ""


def _what_went_wrong(row: Row, stages: Sequence[Stage]) -> str:
    if row.error is not None:
        return "failed"
    if row.answerable is False and row.answered:
        return "answered, though there is no answer"
    if row.answerable and row.answered is False:
        lost = lost_after(row, tuple(stages[:-1]))
        return "abstained" if lost is None else f"abstained; evidence lost in {_LOST_IN.get(lost, lost)}"
    lost = lost_after(row, tuple(stages))
    return f"evidence lost in {_LOST_IN.get(lost, lost)}" if lost else "ranked low"


def _badness(row: Row, report: Report, stages: tuple[Stage, ...]) -> tuple[int, float]:
    """How wrong a question went: failures, then false answers, then the earlier its evidence is lost the worse."""
    measured = next((name for name in HEADLINE if name in report.identity.measures), "")
    value = value_of(row, measured)
    shortfall = 0.0 if value is None else 1.0 - value
    line = [stage.name for stage in stages if not stage.is_channel]
    lost = lost_after(row, stages)
    if row.error is not None:
        return len(line) + 3, shortfall
    if row.answerable is False and row.answered:
        return len(line) + 2, shortfall
    if lost is not None:
        return len(line) - line.index(lost) + 1, shortfall
    if row.answerable and row.answered is False:
        return 1, shortfall
    return 0, shortfall


def _failures(report: Report) -> str:
    failed = [row for row in report.rows if row.error is not None]
    if not failed:
        return ""
    rows = [(row.case, row.question, row.error or "", str(len(row.failed))) for row in failed]
    return section(
        f"Failures ({len(failed):,})", sortable(("case", "question", "reason", "measures that count as 0"), rows)
    )


def _turnover(report: Report) -> str:
    gone = [row for row in report.rows if row.turnover]
    if not gone:
        return ""
    rows = [(row.case, "; ".join(row.turnover)) for row in gone]
    note = "<p class=note>The corpus has moved on from this evidence; it is no one's failure and counts nowhere.</p>"
    return section(f"Evidence that is gone ({len(gone):,})", note + sortable(("case", "why"), rows))


# --- what it cannot say, and what was run


def _limits(report: Report, comparison: RunComparison | None) -> str:
    return section(
        "What these numbers cannot say",
        "<ul>" + "".join(f"<li>{escaped(one)}</li>" for one in _limit_sentences(report, comparison)) + "</ul>",
    )


def _limit_sentences(report: Report, comparison: RunComparison | None) -> Iterable[str]:
    facts = len({row.group or row.case for row in report.rows})
    yield (
        f"They hold for these {counted(len(report.rows), 'question')} about {counted(facts, 'independent fact')}. "
        "Intervals tell how far other questions of the same kind may differ, not how far questions of another kind do."
    )
    if report.identity.split == "dev":
        yield "Settings may have been chosen on the split dev, so these figures flatter them; another split is fairer."
    judged = [value for row in report.rows if (value := dict(row.values).get("source:Judged@10")) is not None]
    if judged and fmean(judged) < 1:
        yield (
            f"{percent(fmean(judged))} of the first ten documents are judged; the rest count as not relevant, "
            "though some may be."
        )
    unknown = sum(row.answerable is None for row in report.rows)
    if unknown:
        yield f"Nobody has said of {counted(unknown, 'question')} whether it has an answer; the table leaves it out."
    if any(name in ANSWER_MEASURES for name in report.identity.measures):
        yield (
            "TokenF1 and Faithfulness compare words: an answer that says the same in others scores less, and one that "
            "turns the same words round scores as much. Nothing here judges meaning."
        )
    drawn = next((m for m in report.means if m.measure.startswith("random/fact:") and m.mean is not None), None)
    if drawn is not None and drawn.mean is not None and drawn.mean > 0.5:
        yield (
            f"A random draw already has {drawn.measure.partition('/')[2]} of {drawn.mean:.2f}: with so few chunks, "
            "a high recall at this depth says little."
        )
    thin = [name for name, _ in report.slices if sum(row.category == name for row in report.rows) < 10]
    if thin:
        yield f"Slices of less than ten questions say hardly anything: {', '.join(thin)}."
    if comparison is not None:
        least = [(name, one.detectable) for name, one in comparison.comparisons if one.detectable is not None]
        yield from (
            f"A difference in {name} of less than {value:.4f} would most likely go unseen." for name, value in least[:1]
        )


def _identity(report: Report) -> str:
    identity = report.identity
    facts = {
        "run": report.run,
        "golden set": f"{report.name} ({identity.golden})",
        "split": identity.split or "all",
        "route": identity.route,
        "generation": identity.generation,
        "documents": identity.corpus,
        "rights and versions": identity.catalog,
        "settings": identity.settings,
        **{name: str(value) for name, value in report.environment.items()},
    }
    settings = [(name, str(value)) for name, value in _leaves(report.settings)]
    listed = "".join(f"<dt>{escaped(name)}</dt><dd>{escaped(value)}</dd>" for name, value in facts.items())
    shown = (
        f"<details><summary>Settings</summary>{sortable(('setting', 'value'), settings)}</details>" if settings else ""
    )
    return section("What was run", f"<dl>{listed}</dl>{shown}")


def _leaves(tree: object, name: str = "") -> Iterable[tuple[str, object]]:
    if not isinstance(tree, Mapping):
        yield name, tree
        return
    for key, value in tree.items():
        yield from _leaves(value, f"{name}.{key}" if name else str(key))


# --- pieces


def _kept(report: Report, stage: Stage) -> int:
    return sum(rank is not None for row in report.rows for rank in standing(row, stage))


def _between(one: Comparison) -> str:
    return "" if one.low is None else f"{difference(one.low)} – {difference(one.high)}"


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _LONGEST else f"{words[:_LONGEST].rsplit(' ', 1)[0]} …"

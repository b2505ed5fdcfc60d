"""What can be measured of a case? Every measure has an id that names its stage, its level and its convention.

    [stage/][level:]NAME[(convention)][@k]        fused/chunk:R@50 · source:nDCG(lin)@10 · context/fact:R · TokenF1

`stage` is a channel, `candidates`, `fused`, `reranked`, `context`, `cited`, or `final`, which needs no saying; `random`
stands for a draw by chance from what the asker may see. `level` is `chunk`, `source`, `family` or `fact`. Names are
those of ir_measures where it has one. `fact:R@k` is the share of facts that the first k chunks hold; as one chunk may
hold several, no other measure is taken of facts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import Any

from evidex.errors import ConfigError
from evidex.evaluation.metrics.average_precision import average_precision
from evidex.evaluation.metrics.bpref import bpref
from evidex.evaluation.metrics.citations import citation_containment, citation_validity
from evidex.evaluation.metrics.containment import containment
from evidex.evaluation.metrics.context_precision import context_precision
from evidex.evaluation.metrics.context_recall import context_recall
from evidex.evaluation.metrics.judged import judged
from evidex.evaluation.metrics.lexical_faithfulness import lexical_faithfulness
from evidex.evaluation.metrics.ndcg import ndcg
from evidex.evaluation.metrics.precision import precision
from evidex.evaluation.metrics.random_draw import expected_success
from evidex.evaluation.metrics.recall import recall
from evidex.evaluation.metrics.reciprocal_rank import reciprocal_rank
from evidex.evaluation.metrics.success import success
from evidex.evaluation.metrics.token_f1 import token_f1
from evidex.evaluation.observed import LEVELS, Level, Observed
from evidex.types import Case

FINAL = "final"
RANDOM = "random"
_LATE_STAGES = frozenset({"context", "cited"})

_ID = re.compile(
    r"(?:(?P<stage>[^/:@]+)/)?(?:(?P<level>[a-z]+):)?"
    r"(?P<name>[A-Za-z][A-Za-z0-9]*)(?:\((?P<convention>[\w-]+)\))?(?:@(?P<k>[1-9]\d*))?"
)


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure of one case.

    `of` gives None where it is undefined. `asked_of` tells of which cases it can be asked at all, so that one whose
    question failed is known to lack it. `of_ranking` is the same over a final ranking of documents and their grades;
    None for a measure that needs more than these. `needs_answer` marks what a search alone cannot tell.
    """

    id: str
    of: Callable[[Observed], float | None]
    asked_of: Callable[[Case], bool]
    of_ranking: Callable[[Sequence[str], Mapping[str, int]], float | None] | None = None
    needs_answer: bool = False


# --- measures of a ranking: by name, what computes each convention, and whether a k has to be named

_RANKING: Mapping[str, tuple[Mapping[str, Callable[..., float | None]], bool]] = {
    "R": ({"": recall}, False),
    "P": ({"": precision}, True),
    "Success": ({"": success}, True),
    "RR": ({"": reciprocal_rank}, False),
    "AP": (
        {"R": partial(average_precision, denominator="R"), "min": partial(average_precision, denominator="min")},
        False,
    ),
    "nDCG": ({"lin": partial(ndcg, gain="lin"), "exp": partial(ndcg, gain="exp")}, False),
    "Bpref": ({"": bpref}, False),
    "Judged": ({"": judged}, True),
}

# --- measures of what was delivered and said


def _language(observed: Observed) -> str:
    return observed.system.settings.analysis.language


def _answer_f1(observed: Observed) -> float | None:
    answer = observed.outcome.answer
    return (
        token_f1(answer.text, observed.case.answer, language=_language(observed))
        if answer is not None and observed.case.answer
        else None
    )


def _faithfulness(observed: Observed) -> float | None:
    answer = observed.outcome.answer
    claims = () if answer is None else tuple(claim.text for claim in answer.claims)
    return lexical_faithfulness(claims, observed.passages, language=_language(observed))


def _containment(observed: Observed) -> float | None:
    return containment(observed.evidence_texts, observed.passages) if observed.outcome.context is not None else None


def _context_precision(observed: Observed) -> float | None:
    context = observed.outcome.context
    relevant = {id for fact in observed.facts for id in fact.chunks}
    if context is None or not relevant:
        return None
    delivered = ((passage.chunk.id, *passage.merged) for passage in context.passages)
    return context_precision([not relevant.isdisjoint(ids) for ids in delivered])


def _context_recall(observed: Observed) -> float | None:
    if observed.outcome.context is None:
        return None
    return context_recall([observed.rank_of(fact, "context") is not None for fact in observed.facts])


def _validity(observed: Observed) -> float | None:
    return None if observed.outcome.answer is None else citation_validity(observed.outcome.answer)


def _citation_containment(observed: Observed) -> float | None:
    return (
        None
        if observed.outcome.answer is None
        else citation_containment(observed.outcome.answer, language=_language(observed))
    )


ANSWER_MEASURES: Mapping[str, Measure] = {
    name: Measure(name, of, asked_of, needs_answer=True)
    for name, of, asked_of in (
        ("Containment", _containment, lambda case: any(e.grade > 0 and (e.quote or e.span) for e in case.evidence)),
        ("ContextPrecision", _context_precision, lambda case: has_evidence(case)),
        ("ContextRecall", _context_recall, lambda case: has_evidence(case)),
        ("TokenF1", _answer_f1, lambda case: bool(case.answer) and case.answerable is not False),
        ("Faithfulness", _faithfulness, lambda case: case.answerable is True),
        ("CitationValidity", _validity, lambda case: case.answerable is True),
        ("CitationContainment", _citation_containment, lambda case: case.answerable is True),
    )
}


def measure(id: str) -> Measure:
    """The measure of that id. Raises `ConfigError` that lists what there is."""
    match = _ID.fullmatch(id)
    if match is None:
        raise _unknown(id)
    name, convention, k = match["name"], match["convention"] or "", match["k"]
    if name in ANSWER_MEASURES and not (match["stage"] or match["level"] or convention or k):
        return ANSWER_MEASURES[name]
    if name not in _RANKING:
        raise _unknown(id)
    conventions, needs_k = _RANKING[name]
    if convention not in conventions or (needs_k and k is None):
        raise _unknown(id)
    level = match["level"] or "source"
    if level not in LEVELS:
        raise _unknown(id)
    stage = match["stage"] or FINAL
    depth = None if k is None else int(k)
    if stage == RANDOM and (name != "R" or depth is None):
        raise _unknown(id)
    found = f"{'' if stage == FINAL else f'{stage}/'}{level}:{name}{f'({convention})' if convention else ''}"
    found += "" if depth is None else f"@{depth}"
    if stage == RANDOM:
        return Measure(found, lambda observed: _drawn(observed, level, depth or 0), has_evidence)
    if level == "fact":
        if name != "R":
            raise _unknown(id)
        return Measure(
            found,
            lambda observed: recall(observed.ranking(stage, "fact", depth), observed.grades("fact")),
            has_evidence,
            needs_answer=stage in _LATE_STAGES,
        )
    options: dict[str, Any] = {} if name == "Bpref" else {"k": depth}
    of_ranking = partial(conventions[convention], **options)
    return Measure(
        found,
        lambda observed: of_ranking(observed.ranking(stage, level), observed.grades(level)),
        has_evidence,
        of_ranking if (stage, level) == (FINAL, "source") else None,
        stage in _LATE_STAGES,
    )


def measures(ids: Sequence[str]) -> tuple[Measure, ...]:
    """The measures of these ids, each once."""
    return tuple({found.id: found for found in map(measure, ids)}.values())


def panel(channels: Sequence[str], *, depth: int, candidates: int, kept: int, answers: bool) -> tuple[str, ...]:
    """What is measured unless one asks for something else: rankings, ceilings stage by stage, and what was said.

    `depth` is what a channel gives, `candidates` what fusion lets on, `kept` what reranking does.
    """
    final = [f"{level}:{name}" for level in ("source", "chunk") for name in FINAL_PANEL]
    ceilings = [f"{RANDOM}/source:R@{depth}", f"{RANDOM}/fact:R@{depth}"]
    ceilings += [f"{channel}/source:R@{depth}" for channel in (*channels, "candidates")]
    ceilings += [f"fused/source:R@{candidates}", f"reranked/source:R@{kept}"]
    ceilings += [f"{stage}/fact:R" for stage in (*channels, "candidates")]
    ceilings += [f"fused/fact:R@{candidates}", f"reranked/fact:R@{kept}"]
    said = ["context/fact:R", "cited/fact:R", *ANSWER_MEASURES] if answers else []
    return (*final, "family:R@10", "fact:R@10", *ceilings, *said)


FINAL_PANEL = (
    "Success@1",
    "Success@5",
    "P@5",
    "R@5",
    "R@10",
    "R@100",
    "RR@10",
    "AP(R)@100",
    "AP(min)@10",
    "nDCG(lin)@10",
    "nDCG(exp)@10",
    "Bpref",
    "Judged@10",
)
"""What is measured of every final ranking."""


def has_evidence(case: Case) -> bool:
    """Whether anything is relevant to a case."""
    return any(evidence.grade > 0 for evidence in case.evidence)


def _facts_held(observed: Observed, stage: str, depth: int | None) -> float | None:
    return recall(observed.ranking(stage, "fact", depth), observed.grades("fact"))


def _drawn(observed: Observed, level: Level, k: int) -> float | None:
    """What a draw of `k` chunks from all that the asker may see would find of the relevant, on average."""
    held = _chunks_of_relevant(observed, level)
    visible = observed.visible_chunks
    return fmean(expected_success(chunks, visible, k) for chunks in held) if held and visible else None


def _chunks_of_relevant(observed: Observed, level: Level) -> list[int]:
    groups: dict[str, set[str]] = {}
    for number, fact in enumerate(observed.facts):
        names = {
            "chunk": fact.chunks,
            "fact": (str(number),),
            "family": (fact.family,),
            "source": (fact.evidence.document,),
        }[level]
        for name in names:
            whole = {name} if level == "chunk" else fact.chunks if level == "fact" else observed.chunks_of(fact)
            groups.setdefault(name, set()).update(whole)
    return [len(chunks) for chunks in groups.values()]


def _unknown(id: str) -> ConfigError:
    forms = [f"{name}({convention})" if convention else name for name, (c, _) in _RANKING.items() for convention in c]
    return ConfigError(
        f"There is no measure {id!r}.",
        f"Write [stage/][level:]NAME[@k], with a level of {', '.join(LEVELS)} and a name of {', '.join(forms)}; "
        f"or one of {', '.join(ANSWER_MEASURES)}.",
    )

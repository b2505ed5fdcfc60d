"""The faults that can be planted, each one switch on a healthy pipeline, with what a diagnosis has to say of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from evidex.testing import at_answer, at_build, at_ingest, at_question
from evidex.testing.pipeline import Bench, Pipeline
from evidex.types import Case

_PLACED = ("plain", "version", "heading", "identifier", "table", "restricted", "tenant")
_ANSWERED = (*_PLACED, "two-facts")

_ASIDE = tuple(category for category in _ANSWERED if category not in ("heading", "table"))
"""Answered from the second passage as well as from the first: nothing beside the evidence looks like it."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One way to lose evidence, planted where it happens in life, for some questions of a pipeline.

    `boundary` and `type` are what a diagnosis has to name. The fault shows on the cases of some `categories`, on a
    `bench` on which nothing makes up for it.
    """

    name: str
    boundary: str
    type: str
    plant: Callable[[Pipeline, Sequence[Case]], Pipeline]
    categories: tuple[str, ...] = _ANSWERED
    bench: Bench = "hybrid"

    def suits(self, case: Case) -> bool:
        """Whether the fault can show on a case."""
        return case.category in self.categories


FAULTS: tuple[Fault, ...] = (
    Fault("source never ingested", "B0", "SOURCE_MISSING", at_ingest.never_ingested),
    Fault("source retired by mistake", "B0", "SOURCE_RETIRED", at_ingest.retired_by_mistake),
    Fault("source dated too late", "B0", "NOT_IN_FORCE", at_ingest.begins_too_late),
    Fault("old version left active", "B0", "WRONG_VERSION", at_ingest.old_version_left_active, ("version",)),
    Fault("access narrowed", "B0", "ACCESS_NARROWED", at_ingest.access_narrowed),
    Fault("access widened", "B0", "ACCESS_WIDENED", at_ingest.access_widened, ("withheld",)),
    Fault("table dropped", "B1", "PARSER_LOSS", at_build.tables_dropped, ("table",)),
    Fault("span split", "B2", "SPAN_SPLIT", at_build.spans_split),
    Fault("heading lost", "B2", "HEADING_LOST", at_build.headings_lost, ("heading",)),
    Fault("chunk left out", "B3", "OMITTED", at_build.chunks_left_out),
    Fault("chunk in no index", "B3", "OMITTED", at_question.omitted),
    Fault("prefix forgotten", "B3", "EMBED_CONTRACT", at_build.prefix_forgotten, bench="dense"),
    Fault("identifiers dissolved", "B3", "TERMS_LOST", at_build.identifiers_dissolved, ("identifier",), "sparse"),
    Fault("query drifted", "B4", "QUERY_DRIFT", at_question.drifted),
    Fault("query outvoted", "B4", "QUERY_DRIFT", at_question.outvoted),
    Fault("entity dropped", "B4", "ENTITY_DROPPED", at_question.entities_dropped, ("identifier",)),
    Fault("ellipsis unresolved", "B4", "ELLIPSIS_UNRESOLVED", at_question.ellipsis_unresolved, ("follow-up",)),
    Fault("filtered too much", "B5", "OVER_FILTER", at_question.over_filtered),
    Fault("filtered too little", "B5", "UNDER_FILTER", at_question.under_filtered, ("withheld",)),
    Fault("found too late", "B6", "CANDIDATE_MISS", at_question.found_too_late),
    Fault("skipped by approximation", "B6", "ANN_MISS", at_question.graph_skips, bench="dense"),
    Fault("dropped by fusion", "B7", "FUSION_DROP", at_question.outnumbered),
    Fault("dropped by reranker", "B8", "RERANKER_DROP", at_question.dropped_by_reranker),
    Fault(
        "truncated by reranker",
        "B8",
        "RERANKER_TRUNCATION",
        at_question.truncated_by_reranker,
        ("plain",),
        "sparse",
    ),
    Fault("evicted from context", "B9", "BUDGET_EVICTION", at_question.evicted, _ASIDE),
    Fault("cut short in context", "B9", "CONTEXT_TRUNCATION", at_question.cut_short, ("plain", "tenant", "follow-up")),
    Fault("false abstention", "B10", "FALSE_ABSTENTION", at_answer.abstains),
    Fault("false answer", "B10", "FALSE_ANSWER", at_answer.answers_anyway, ("unanswerable", "withheld")),
    Fault("unsupported answer", "B11", "UNSUPPORTED", at_answer.invents),
    Fault("incomplete answer", "B11", "INCOMPLETE", at_answer.stops_early, ("two-facts",)),
    Fault("answer from elsewhere", "B11", "NOT_EXTRACTED", at_answer.answers_from_elsewhere),
    Fault("old answer", "B11", "CONTRADICTED", at_answer.says_the_old, ("version",)),
    Fault("quote not verbatim", "B12", "NOT_VERBATIM", at_answer.paraphrases),
    Fault("citation of nothing", "B12", "INVALID_ID", at_answer.cites_nothing_there_is),
    Fault("citation not delivered", "B12", "NOT_IN_CONTEXT", at_answer.cites_another_passage),
    Fault("citation out of force", "B12", "STALE_VERSION", at_answer.revoked_meanwhile),
    Fault("wrong judgment", "B13", "WRONG_JUDGMENT", at_answer.judged_wrongly),
)
"""Every fault there is, in the order of the boundaries."""

BY_NAME: Mapping[str, Fault] = {fault.name: fault for fault in FAULTS}

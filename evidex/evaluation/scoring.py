"""How good is a ranking that some other engine made? A TREC run against a golden set; nothing is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Literal

from evidex.encoding import as_json
from evidex.errors import ConfigError
from evidex.evaluation.derive import report_of
from evidex.evaluation.golden import GoldenSet
from evidex.evaluation.measures import FINAL_PANEL, Measure, measures
from evidex.evaluation.report import Identity, Report, Row
from evidex.evaluation.trec import ordered
from evidex.storage import digest_of
from evidex.types import Case, DocumentId, GenerationId

_DOCUMENTS_KEPT = 100


def score(
    golden: GoldenSet,
    run: Mapping[str, tuple[tuple[str, float], ...]],
    *,
    split: str = "",
    ids: Sequence[str] = (),
    ties: Literal["trec", "given"] = "trec",
) -> Report:
    """Measure a run, scored documents by the id of a case (`trec.read_run`); a case without a ranking found nothing.

    Raises `ConfigError` for a query that is no case, and for a measure of more than final rankings of documents.
    """
    wanted = measures(ids or FINAL_PANEL)
    _require_rankings(wanted)
    unknown = sorted(run.keys() - {case.id for case in golden.cases})
    if unknown:
        more = f", nor {len(unknown) - 1} more" if len(unknown) > 1 else ""
        raise ConfigError(
            f"The run answers {unknown[0]!r}, which is no case of {golden.name!r}{more}.",
            "Score it against the questions that it was asked.",
        )
    _require_known_documents(golden, run)
    identity = Identity(
        generation=GenerationId(""),
        corpus="",
        catalog="",
        settings=digest_of(as_json(run)),
        golden=golden.digest,
        split=split,
        route=f"ties {ties}",
        measures=tuple(measure.id for measure in wanted),
        evidex=version("evidex"),
    )
    rows = [_row(case, ordered(run.get(case.id, ()), ties=ties), wanted) for case in golden.cases]
    return report_of(digest_of(as_json(identity))[:16], identity, golden.name, {}, {}, rows, 0)


def _require_rankings(wanted: Sequence[Measure]) -> None:
    for measure in wanted:
        if measure.of_ranking is None:
            raise ConfigError(
                f"{measure.id!r} cannot be measured of a run alone.",
                f"A run holds a final ranking of documents: {', '.join(FINAL_PANEL)}.",
            )


def _require_known_documents(golden: GoldenSet, run: Mapping[str, Sequence[tuple[str, float]]]) -> None:
    """Two spellings of the same documents would score 0 in silence."""
    judged = {evidence.document for case in golden.cases for evidence in case.evidence}
    ranked = {document for scored in run.values() for document, _ in scored}
    if judged and ranked and judged.isdisjoint(ranked):
        raise ConfigError(
            f"No document of the run is one that {golden.name!r} judges: {min(ranked)!r} there, {min(judged)!r} here.",
            "Name documents alike in both.",
        )


def _row(case: Case, ranking: Sequence[str], wanted: Sequence[Measure]) -> Row:
    grades: dict[str, int] = {}
    for evidence in case.evidence:
        grades[evidence.document] = max(evidence.grade, grades.get(evidence.document, evidence.grade))
    values = tuple((m.id, None if m.of_ranking is None else m.of_ranking(ranking, grades)) for m in wanted)
    ranks = tuple(
        ranking.index(e.document) + 1 if e.document in ranking else None for e in case.evidence if e.grade > 0
    )
    return Row(
        case=case.id,
        question=case.question,
        split=case.split,
        category=case.category,
        group=case.group,
        answerable=case.answerable,
        answered=None,
        values=values,
        ranks=(("final", ranks),),
        documents=tuple(map(DocumentId, ranking[:_DOCUMENTS_KEPT])),
        tokens=None,
        support=None,
    )

"""From what of a workspace is each picture drawn? A run, a question, a document, or the live generation itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from evidex.assembly import OpenedGeneration
from evidex.catalog.catalog import Catalog
from evidex.embedding.contrastive import Pairs
from evidex.errors import ConfigError
from evidex.evaluating import DEV
from evidex.evaluation.golden import GoldenSet
from evidex.evaluation.report import Report
from evidex.evaluation.resolve import resolve
from evidex.grounding.locate import places
from evidex.index.vectors import SealedVectors
from evidex.judging import System
from evidex.plots import catalogue
from evidex.plots.embedding_map import folders
from evidex.ports import Embedder
from evidex.types import Case, DocumentId, DocumentKey, Evidence

if TYPE_CHECKING:
    from matplotlib.figure import Figure


_MOST_PAIRS = 1_000


@dataclass(frozen=True, slots=True)
class Subject:
    """What a picture is to be of; each needs some of it (`plots.catalogue.PICTURES`).

    `golden` holds questions to learn from, `case` the one that is asked and who asks it. `evidence` is words of
    `document` that are marked in its cuts. `page` turns the pages of a heat map.
    """

    report: Report | None = None
    baseline: Report | None = None
    golden: GoldenSet | None = None
    case: Case | None = None
    document: str = ""
    evidence: str = ""
    measure: str = ""
    page: int = 1


def draw(name: str, subject: Subject, system: System, opened: OpenedGeneration, catalog: Catalog) -> Figure:
    """Draw a picture. Raises `ConfigError` for a name that there is not, and for what it needs and was not given."""
    if name not in catalogue.PICTURES:
        raise ConfigError(f"There is no picture {name!r}.", f"Pictures: {', '.join(catalogue.PICTURES)}.")
    if catalogue.PICTURES[name].needs in {"run", "two runs"}:
        return _of_a_run(name, subject)
    match name:
        case "rrf-contributions":
            return catalogue.draw_rrf_contributions(system.search(_case(subject)), system.settings.fusion)
        case "maxsim-grid":
            return _maxsim_grid(_case(subject), subject, system, opened)
        case "chunk-boundaries":
            return _chunk_boundaries(subject, system)
        case "contrastive-training":
            return _contrastive_training(subject, system, opened)
        case "bm25-curves":
            return catalogue.draw_bm25_curves(opened.generation.sparse.postings)
        case _:
            return _embedding_map(opened, catalog)


def close_up(case: Case | None, system: System, opened: OpenedGeneration, catalog: Catalog) -> dict[str, str]:
    """The pictures of an index, and of one question that it was asked, for a page; those that can be drawn."""
    judged = [evidence for evidence in case.evidence if evidence.grade > 0] if case else []
    about = judged[0] if judged else Evidence(DocumentId(""))
    subject = Subject(case=case, document=about.document, evidence=about.quote)
    needed = {"question", "document", "generation"}
    closer = [name for name, picture in catalogue.PICTURES.items() if picture.needs in needed]
    return catalogue.inlined({name: partial(draw, name, subject, system, opened, catalog) for name in closer})


def _of_a_run(name: str, subject: Subject) -> Figure:
    report = _run(subject)
    match name:
        case "funnel":
            return catalogue.draw_funnel(report)
        case "rank-heatmap":
            return catalogue.draw_rank_heatmap(report, page=subject.page)
        case "slices":
            return catalogue.draw_slices(report, measure=subject.measure)
        case "risk-coverage":
            return catalogue.draw_risk_coverage(report)
        case _:
            return catalogue.draw_win_loss(_baseline(subject), report, measure=subject.measure)


def _maxsim_grid(case: Case, subject: Subject, system: System, opened: OpenedGeneration) -> Figure:
    """The grid of a question and the first chunk that it finds (of a document, where one is named)."""
    if opened.embedder is None or not opened.embedder.has_token_vectors:
        raise ConfigError("There are no vectors of single tokens.", "Set embedding.provider to 'minilm'.")
    outcome = system.search(case)
    wanted = [id for id in outcome.order if not subject.document or outcome.trace.documents[id] == subject.document]
    if not wanted:
        what = f"document {subject.document!r}" if subject.document else "nothing"
        raise ConfigError(f"The question {case.question!r} finds {what} not.", "Ask something else.")
    return catalogue.draw_maxsim_grid(case.question, system.chunks(wanted[:1])[0], opened.embedder)


def _chunk_boundaries(subject: Subject, system: System) -> Figure:
    if not subject.document:
        raise ConfigError("This picture is of a document.", "Name it with --document.")
    case = subject.case or Case("picture", "")
    held = [revision for revision in system.revisions(DocumentId(subject.document), case) if revision.text is not None]
    if not held:
        raise ConfigError(f"The generation holds no document {subject.document!r}.", "List them: evidex documents")
    revision = max(held, key=lambda revision: revision.in_force)
    text = revision.text or ""
    spans = list(places(subject.evidence, text, 0, len(text))) if subject.evidence else []
    if subject.evidence and not spans:
        raise ConfigError(f"{subject.document!r} does not hold {subject.evidence!r}.", "Quote it word for word.")
    return catalogue.draw_chunk_boundaries(revision, spans)


def _contrastive_training(subject: Subject, system: System, opened: OpenedGeneration) -> Figure:
    """The questions of the split dev beside the chunks that hold their evidence, and those of all other splits."""
    if subject.golden is None:
        raise ConfigError("This picture is of a golden set.", "Name it with --golden.")
    store, embedder = opened.generation.vectors, opened.embedder
    if embedder is None or not store.width:
        raise ConfigError("The generation was built without an embedder.", "Set embedding.provider, then build.")

    cases = [case for case in subject.golden.cases if not case.history]
    dev, others = ([case for case in cases if (case.split == DEV) == wanted] for wanted in (True, False))
    pairs = [_pairs(some, system, store, embedder) for some in (dev, others)]
    return catalogue.draw_contrastive_training(subject.golden.name, *pairs)


def _pairs(cases: Sequence[Case], system: System, store: SealedVectors, embedder: Embedder) -> Pairs:
    """The first questions with the first chunk that holds each fact, where the embedder knows a word of both."""
    facts = ((case, fact) for case in cases for fact in resolve(case, system).facts if fact.whole and fact.located)
    held = list(islice(facts, _MOST_PAIRS))
    questions = embedder.embed([case.question for case, _ in held], role="query").vectors
    passages = store.vectors([fact.chunks[0] for _, fact in held])
    known = np.flatnonzero(questions.any(axis=1) & passages.any(axis=1))
    return Pairs(questions[known], passages[known], [held[at][1].chunks[0] for at in known.tolist()])


def _embedding_map(opened: OpenedGeneration, catalog: Catalog) -> Figure:
    """Points by the folder of their document's source."""
    chunks, store = opened.generation.chunks, opened.generation.vectors
    if not store.width:
        raise ConfigError("The generation was built without an embedder.", "Set embedding.provider, then build.")
    folder_of = folders({record.key: record.locator for record in catalog.records()})
    keys = [DocumentKey(chunks.keys[row]) for row in chunks.document_rows.tolist()]
    return catalogue.draw_embedding_map(store.matrix, [folder_of.get(key, ".") for key in keys])


def _run(subject: Subject) -> Report:
    if subject.report is None:
        raise ConfigError("This picture is of a run.", "Make one: evidex eval run GOLDEN")
    return subject.report


def _baseline(subject: Subject) -> Report:
    if subject.baseline is None:
        raise ConfigError("This picture is of two runs.", "Name the other one with --against.")
    return subject.baseline


def _case(subject: Subject) -> Case:
    if subject.case is None or not subject.case.question:
        raise ConfigError("This picture is of a question.", "Ask it with --question.")
    return subject.case

"""Which pictures are there, what does each need, and which belong on the page of a run?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal

from evidex.config import FusionSettings
from evidex.embedding.contrastive import Pairs
from evidex.errors import ConfigError, MissingExtra
from evidex.evaluation.report import Report
from evidex.index.postings import Postings
from evidex.judging import Outcome, Revision
from evidex.plots import (
    bm25_curves,
    chunk_boundaries,
    contrastive_training,
    embedding_map,
    funnel,
    maxsim_grid,
    rank_heatmap,
    risk_coverage,
    rrf_contributions,
    slices,
    win_loss,
)
from evidex.plots.saving import inline, svg_of
from evidex.ports import Embedder
from evidex.types import Chunk, Vectors

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Need = Literal["run", "two runs", "question", "document", "golden set", "generation"]
_ON_A_PAGE = 40


@dataclass(frozen=True, slots=True)
class Picture:
    """What a picture shows, and what it is drawn from."""

    shows: str
    needs: Need


PICTURES: Mapping[str, Picture] = {
    "funnel": Picture("how much of the evidence is still there after each stage", "run"),
    "rank-heatmap": Picture("where the evidence of each question stood in each channel and stage", "run"),
    "slices": Picture("one measure by category, with intervals", "run"),
    "risk-coverage": Picture("how often answers are wrong, the best supported first", "run"),
    "win-loss": Picture("the questions on which a run is better or worse than another", "two runs"),
    "rrf-contributions": Picture("what each channel adds to the first candidates of a question", "question"),
    "maxsim-grid": Picture("which token of a passage each token of a question finds", "question"),
    "chunk-boundaries": Picture("where a document is cut, and whether a cut goes through evidence", "document"),
    "contrastive-training": Picture("what a linear map of the vectors would learn from questions", "golden set"),
    "bm25-curves": Picture("what k1 and b do, and how long the chunks of the index are", "generation"),
    "embedding-map": Picture("the vectors of the index on two principal components", "generation"),
}
"""Every picture by its name, those of a run first."""


def draw_funnel(report: Report) -> Figure:
    """The funnel of a run."""
    return funnel.draw(funnel.of(report))


def draw_rank_heatmap(report: Report, *, page: int = 1) -> Figure:
    """A page of the ranks of a run, 60 questions each, worst first."""
    return rank_heatmap.draw(rank_heatmap.of(report, page=page))


def draw_slices(report: Report, *, measure: str = "") -> Figure:
    """A measure of a run by category."""
    return slices.draw(slices.of(report, measure=measure))


def draw_risk_coverage(report: Report) -> Figure:
    """The risk of a run's answers against how many are given."""
    return risk_coverage.draw(risk_coverage.of(report))


def draw_win_loss(baseline: Report, candidate: Report, *, measure: str = "") -> Figure:
    """The differences between two runs, question by question."""
    return win_loss.draw(win_loss.of(baseline, candidate, measure=measure))


def draw_rrf_contributions(outcome: Outcome, settings: FusionSettings) -> Figure:
    """What each channel adds to the candidates of one question; an outcome of a search will do."""
    return rrf_contributions.draw(rrf_contributions.of(outcome, settings))


def draw_maxsim_grid(question: str, chunk: Chunk, embedder: Embedder) -> Figure:
    """The cosines of a question's tokens and a chunk's."""
    return maxsim_grid.draw(maxsim_grid.of(question, chunk, embedder))


def draw_chunk_boundaries(revision: Revision, evidence: Sequence[tuple[int, int]] = ()) -> Figure:
    """The cuts of one revision, and these spans of its text."""
    return chunk_boundaries.draw(chunk_boundaries.of(revision, evidence))


def draw_contrastive_training(name: str, pairs: Pairs, others: Pairs) -> Figure:
    """What pairs of questions and passages would teach, and whether it holds for others."""
    return contrastive_training.draw(contrastive_training.of(name, pairs, others))


def draw_bm25_curves(postings: Postings) -> Figure:
    """The curves of an index's keyword search."""
    return bm25_curves.draw(bm25_curves.of(postings))


def draw_embedding_map(vectors: Vectors, groups: Sequence[str]) -> Figure:
    """The map of an index's vectors, each of the group named beside it (`embedding_map.folders`, or families)."""
    return embedding_map.draw(embedding_map.of(vectors, groups))


def for_page(report: Report, *, baseline: Report | None = None, measure: str = "") -> dict[str, str]:
    """The pictures that belong on the page of a run, by name, as SVG elements; {} where matplotlib is not installed.

    One that cannot be drawn, because nothing in the run is of its kind, is left out. `measure` is for those that show
    one measure.
    """
    drawn: dict[str, Callable[[], Figure]] = {
        "funnel": partial(draw_funnel, report),
        "slices": partial(draw_slices, report, measure=measure),
        "risk-coverage": partial(draw_risk_coverage, report),
        "rank-heatmap": lambda: rank_heatmap.draw(rank_heatmap.of(report, rows=_ON_A_PAGE)),
    }
    if baseline is not None:
        drawn["win-loss"] = partial(draw_win_loss, baseline, report, measure=measure)
    return inlined(drawn)


def inlined(drawn: Mapping[str, Callable[[], Figure]]) -> dict[str, str]:
    """Pictures by name as SVG elements, those that can be drawn; {} where matplotlib is not installed."""
    found = {}
    for name, draw in drawn.items():
        try:
            found[name] = inline(svg_of(draw()), name)
        except MissingExtra:
            return {}
        except ConfigError:
            continue
    return found

from collections.abc import Callable
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.figure import Figure

from evidex.errors import ConfigError
from evidex.judging import Revision
from evidex.plots import catalogue
from evidex.plots.saving import svg_of
from evidex.types import Chunk, ChunkId, DocumentId, DocumentKey, Metadata
from evidex.workspace import Workspace
from tests.plots.reports import HOSTILE, ranks, report, row, three
from tests.plots.words import Words


def _chunk() -> Chunk:
    return Chunk(ChunkId("c" * 40), DocumentId(HOSTILE), "1", DocumentKey("k"), 0, len(HOSTILE), HOSTILE)


def _scored() -> object:
    return report(
        row("a", support=0.9, values=(("cited/fact:R", 1.0),)),
        row("b", support=0.5, values=(("cited/fact:R", 0.0),), question=HOSTILE),
        measures=("cited/fact:R",),
    )


def _revision() -> Revision:
    return Revision(DocumentKey("k"), Metadata(DocumentId(HOSTILE)), "current", True, True, True, HOSTILE, (_chunk(),))


DRAWN: dict[str, Callable[[], Figure]] = {
    "funnel": lambda: catalogue.draw_funnel(three()),
    "rank-heatmap": lambda: catalogue.draw_rank_heatmap(three()),
    "slices": lambda: catalogue.draw_slices(three()),
    "risk-coverage": lambda: catalogue.draw_risk_coverage(_scored()),  # type: ignore[arg-type]
    "win-loss": lambda: catalogue.draw_win_loss(three(), three()),
    "maxsim-grid": lambda: catalogue.draw_maxsim_grid("blue <b> moon", _chunk(), Words()),
    "chunk-boundaries": lambda: catalogue.draw_chunk_boundaries(_revision(), [(0, 5), (3, 30)]),
    "embedding-map": lambda: catalogue.draw_embedding_map(np.eye(9, dtype=np.float32), [HOSTILE, *"abcdefgh"]),
}


@pytest.mark.parametrize("name", sorted(DRAWN))
def test_every_picture_is_xml_whatever_is_written_in_it(name: str) -> None:
    ElementTree.fromstring(svg_of(DRAWN[name]()))


def test_pictures_are_drawn_from_a_user_s_own_index(sample: Workspace) -> None:
    from evidex.types import Case

    system, generation = sample.system(), sample._live().generation
    outcome = system.search(Case("q", "What is the refund window in the United States?"))
    chunks = generation.chunks.get([ChunkId(id) for id in generation.chunks.ids])
    figures = (
        catalogue.draw_rrf_contributions(outcome, system.settings.fusion),
        catalogue.draw_bm25_curves(generation.sparse.postings),
        catalogue.draw_embedding_map(generation.vectors.matrix, system.families([chunk.id for chunk in chunks])),
    )

    for figure in figures:
        ElementTree.fromstring(svg_of(figure))


def test_every_picture_of_the_catalogue_has_a_function_of_its_name() -> None:
    functions = {name.removeprefix("draw_").replace("_", "-") for name in vars(catalogue) if name.startswith("draw_")}

    assert functions == set(catalogue.PICTURES)


def test_a_page_has_the_pictures_that_its_run_has_something_for() -> None:
    bare = report(row("a", ranks=ranks(sparse=(1,)), values=(("source:R@10", 1.0),)))

    assert list(catalogue.for_page(bare)) == ["funnel", "rank-heatmap"]
    assert list(catalogue.for_page(three(), baseline=three())) == ["funnel", "slices", "rank-heatmap", "win-loss"]


def test_a_ranking_of_others_has_no_stages_to_draw_and_its_page_goes_without() -> None:
    scored = report(row("a", category="dates", ranks=ranks(final=(1,)), values=(("source:R@10", 1.0),)))

    for draw in (catalogue.draw_funnel, catalogue.draw_rank_heatmap):
        with pytest.raises(ConfigError, match="a final ranking and no stages"):
            draw(scored)
    assert list(catalogue.for_page(scored)) == ["slices"]

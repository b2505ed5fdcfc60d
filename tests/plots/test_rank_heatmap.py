import pytest

from evidex.errors import ConfigError
from evidex.plots import rank_heatmap
from tests.plots.reports import ranks, report, row, three


def test_a_cell_is_the_rank_of_the_worst_placed_fact_and_the_worst_question_comes_first() -> None:
    data = rank_heatmap.of(three())

    assert data.columns == ("sparse", "dense", "fused", "reranked", "context", "cited")
    assert [(line.case, line.ranks) for line in data.lines] == [
        ("half", (None,) * 6),
        ("reranked-away", (40, None, 50, None, None, None)),
        ("through", (1, 2, 1, 1, 1, 1)),
    ]
    assert (data.total, data.nowhere, data.complete) == (3, 1, 1)


def test_facts_that_different_channels_find_are_not_called_found_by_none() -> None:
    apart = report(row("a", ranks=ranks(sparse=(1, None), dense=(None, 1), fused=(1, 2))))
    one_lost = report(row("a", ranks=ranks(sparse=(1, None), dense=(2, 101), fused=(1, None))))

    assert (rank_heatmap.of(apart).nowhere, rank_heatmap.of(one_lost).nowhere) == (0, 1)


def test_beyond_the_depth_evidence_is_not_found() -> None:
    run = report(row("a", ranks=ranks(sparse=(100,))), row("b", ranks=ranks(sparse=(101,))))

    assert [line.ranks for line in rank_heatmap.of(run).lines] == [(None,), (100,)]
    assert [line.ranks for line in rank_heatmap.of(run, depth=10).lines] == [(None,), (None,)]


def test_pages_go_through_all_questions_that_have_evidence() -> None:
    run = report(*(row(f"q{at:03}", ranks=ranks(sparse=(at + 1,))) for at in range(7)), row("none"))

    pages = [rank_heatmap.of(run, page=page, rows=3) for page in (1, 2, 3)]

    assert [[line.case for line in page.lines] for page in pages] == [
        ["q006", "q005", "q004"],
        ["q003", "q002", "q001"],
        ["q000"],
    ]
    assert [page.first for page in pages] == [1, 4, 7]


def test_a_page_that_there_is_not_is_refused() -> None:
    with pytest.raises(ConfigError, match="Ask for 1 to 1"):
        rank_heatmap.of(three(), page=2)

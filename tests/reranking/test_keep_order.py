from __future__ import annotations

from evidex.reranking.keep_order import make
from tests.reranking.world import chunk, query, resources

CHUNKS = (chunk("c", "one"), chunk("a", "two"), chunk("b", "three"))


def test_the_order_stays_and_no_score_says_anything() -> None:
    ranking = make(resources(CHUNKS, None)).rerank(query("two"), CHUNKS, 3)
    assert [(hit.chunk, hit.score) for hit in ranking.hits] == [("c", 0), ("a", 0), ("b", 0)]


def test_the_limit_and_duplicates_are_respected() -> None:
    ranking = make(resources(CHUNKS, None)).rerank(query("two"), (*CHUNKS, *CHUNKS), 2)
    assert ranking.ids == ("c", "a")


def test_nothing_comes_of_nothing() -> None:
    assert make(resources((), None)).rerank(query(""), (), 5).hits == ()

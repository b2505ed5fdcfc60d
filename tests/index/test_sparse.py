from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, log
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evidex.analysis.numbering import TermNumbering
from evidex.errors import ConfigError, GenerationError
from evidex.index.postings import write_postings
from evidex.index.sparse import SparseIndex
from evidex.index.strings import Strings
from evidex.storage import Folder, checksums
from evidex.types import Ranking, Scope

WORKED = (("cat", "cat", "dog"), ("dog", "bird"), ("fish",))


class Words:
    """Terms are what white space separates."""

    def __init__(self, name: str = "words/1") -> None:
        self.name = name

    def terms(self, text: str) -> list[str]:
        return text.split()


def numbered(count: int) -> Strings:
    return Strings.of(f"{row:04}" for row in range(count))


def write(path: Path, chunks: Sequence[Sequence[str]], *, k1: float = 1.2, b: float = 0.75, batch: int = 5) -> None:
    numbering = TermNumbering(Words())
    texts = [" ".join(chunk) for chunk in chunks]
    batches = (numbering.number(texts[start : start + batch]) for start in range(0, len(texts), batch))
    write_postings(Folder(path), batches, lambda: numbering.terms, analyzer="words/1", k1=k1, b=b)


def index(path: Path, chunks: Sequence[Sequence[str]], *, k1: float = 1.2, b: float = 0.75) -> SparseIndex:
    write(path, chunks, k1=k1, b=b)
    return SparseIndex.open(path, Words(), ids=numbered(len(chunks)))


def everything(count: int) -> Scope:
    return Scope(np.ones(count, np.bool_))


def scored(ranking: Ranking) -> dict[str, float]:
    return {hit.chunk: hit.score for hit in ranking.hits}


@pytest.mark.parametrize(("k1", "score"), [(1.5, 1.207), (1.2, 1.182)])
def test_the_worked_example_of_two_cats(tmp_path: Path, k1: float, score: float) -> None:
    cats = index(tmp_path, WORKED, k1=k1)
    (ranking,) = cats.search(["cat"], everything(3), 10)
    assert scored(ranking) == {"0000": pytest.approx(score, abs=5e-4)}


def test_the_worked_example_of_two_dogs(tmp_path: Path) -> None:
    dogs = index(tmp_path, WORKED, k1=1.5)
    (ranking,) = dogs.search(["dog"], everything(3), 10)
    assert scored(ranking) == {"0000": pytest.approx(0.384, abs=5e-4), "0001": pytest.approx(0.470, abs=5e-4)}
    assert ranking.ids == ("0001", "0000")


def test_idf_is_that_of_the_scope_and_0_for_terms_that_are_not_in_it(tmp_path: Path) -> None:
    words = index(tmp_path, WORKED)
    cat, dog, cow = words.idf(["cat", "dog", "cow"], everything(3))
    assert (cat.text, dog.text, cow.text) == ("cat", "dog", "cow")
    assert cat.idf == pytest.approx(log(1 + 2.5 / 1.5))
    assert dog.idf == pytest.approx(log(1 + 1.5 / 2.5))
    assert cow.idf == 0
    hidden = Scope(np.array([False, True, True]))
    assert [term.idf for term in words.idf(["cat", "dog"], hidden)] == [0.0, pytest.approx(log(1 + 1.5 / 1.5))]


def bm25(
    chunks: Sequence[Sequence[str]], visible: Sequence[bool], query: Sequence[str], k1: float, b: float
) -> dict[int, float]:
    """The formula, read off the paper."""
    seen = [row for row, shown in enumerate(visible) if shown]
    average = sum(len(chunks[row]) for row in seen) / max(1, len(seen))
    scores: dict[int, float] = {}
    for row in seen:
        for term in query:
            f = chunks[row].count(term)
            if f:
                n = sum(term in chunks[other] for other in seen)
                idf = log(1 + (len(seen) - n + 0.5) / (n + 0.5))
                credit = f * (k1 + 1) / (f + k1 * (1 - b + b * len(chunks[row]) / average))
                scores[row] = scores.get(row, 0.0) + idf * credit
    return scores


terms = st.sampled_from(["a", "b", "c", "d", "é", "東"])
corpora = st.lists(st.lists(terms, max_size=6), max_size=12)


@settings(deadline=None, max_examples=100)
@given(corpora, st.lists(terms | st.just("unknown"), max_size=5), st.data())
def test_scores_are_those_of_the_formula_and_ties_are_ordered_by_id(
    tmp_path_factory: pytest.TempPathFactory, chunks: list[list[str]], query: list[str], data: st.DataObject
) -> None:
    k1, b = data.draw(st.floats(0, 3)), data.draw(st.floats(0, 1))
    visible = data.draw(st.lists(st.booleans(), min_size=len(chunks), max_size=len(chunks)))
    limit = data.draw(st.integers(1, 15))
    words = index(tmp_path_factory.mktemp("sparse"), chunks, k1=k1, b=b)
    scope = Scope(np.array(visible, np.bool_))
    (whole,) = words.search([" ".join(query)], scope, len(chunks) + 1)
    expected = bm25(chunks, visible, query, k1, b)
    assert scored(whole) == {f"{row:04}": pytest.approx(score, rel=1e-12) for row, score in expected.items()}
    assert list(whole.hits) == sorted(whole.hits, key=lambda hit: (-hit.score, hit.chunk))
    assert [hit.rank for hit in whole.hits] == list(range(1, len(whole.hits) + 1))
    assert all(hit.score > 0 and isfinite(hit.score) for hit in whole.hits)
    assert words.search([" ".join(query)], scope, limit)[0].hits == whole.hits[:limit]


@settings(deadline=None, max_examples=100)
@given(corpora, st.lists(terms, max_size=4), st.data())
def test_what_is_not_visible_changes_no_bit_of_what_is(
    tmp_path_factory: pytest.TempPathFactory, chunks: list[list[str]], query: list[str], data: st.DataObject
) -> None:
    visible = data.draw(st.lists(st.booleans(), min_size=len(chunks), max_size=len(chunks)))
    rows = [row for row, shown in enumerate(visible) if shown]
    folder = tmp_path_factory.mktemp("sparse")
    among_others = index(folder / "all", chunks)
    write(folder / "own", [chunks[row] for row in rows])
    alone = SparseIndex.open(folder / "own", Words(), ids=Strings.of(f"{row:04}" for row in rows))
    text, scope = " ".join(query), Scope(np.array(visible, np.bool_))
    assert among_others.search([text], scope, 5) == alone.search([text], everything(len(rows)), 5)
    assert among_others.idf(query, scope) == alone.idf(query, everything(len(rows)))


def test_a_term_asked_twice_counts_twice(tmp_path: Path) -> None:
    words = index(tmp_path, WORKED)
    once, twice = words.search(["cat", "cat cat"], everything(3), 10)
    assert twice.hits[0].score == 2 * once.hits[0].score


def test_many_queries_are_answered_as_each_alone(tmp_path: Path) -> None:
    words, queries = index(tmp_path, WORKED), ["dog cat", "", "cow", "fish bird fish", "dog"]
    alone = tuple(words.search([query], everything(3), 2)[0] for query in queries)

    assert words.search(queries, everything(3), 2) == alone
    found = words.best_of_each([query.split() for query in queries], everything(3), 2)
    assert [one.scores.tolist() for one in found] == [[hit.score for hit in ranking.hits] for ranking in alone]


def test_notes_tell_what_of_the_query_the_scope_knows(tmp_path: Path) -> None:
    words = index(tmp_path, WORKED)
    known, hidden, empty = (
        words.search(["cat cat dog cow"], everything(3), 10)
        + words.search(["cat cat dog cow"], Scope(np.array([False, True, False])), 10)
        + words.search([""], everything(3), 10)
    )
    assert known.notes == (("terms", 3), ("known_terms", 2), ("oov_rate", 1 / 3))
    assert hidden.notes == (("terms", 3), ("known_terms", 1), ("oov_rate", 2 / 3))
    assert empty.notes == (("terms", 0), ("known_terms", 0), ("oov_rate", 0.0))


@pytest.mark.parametrize("query", ["", "   ", "zzz qqq", "???"])
def test_a_query_without_a_known_term_finds_nothing(tmp_path: Path, query: str) -> None:
    assert index(tmp_path, WORKED).search([query], everything(3), 10)[0].hits == ()


def test_a_query_of_100000_characters_is_answered(tmp_path: Path) -> None:
    query = " ".join(f"w{number}" for number in range(20_000))[:100_000] + " cat"
    (ranking,) = index(tmp_path, WORKED).search([query], everything(3), 10)
    assert ranking.ids == ("0000",)


def test_a_term_in_every_chunk_still_matches_and_shorter_chunks_come_first(tmp_path: Path) -> None:
    words = index(tmp_path, [["a", "b", "c"], ["a"], ["a", "b"]])
    (ranking,) = words.search(["a"], everything(3), 10)
    assert ranking.ids == ("0001", "0002", "0000")
    assert all(hit.score > 0 for hit in ranking.hits)


def test_equal_scores_are_cut_by_id(tmp_path: Path) -> None:
    words = index(tmp_path, [["a"]] * 9)
    assert words.search(["a"], everything(9), 3)[0].ids == ("0000", "0001", "0002")


@settings(deadline=None, max_examples=100)
@given(st.floats(0.1, 3))
def test_credit_grows_with_frequency_and_stays_below_k1_plus_1(
    tmp_path_factory: pytest.TempPathFactory, k1: float
) -> None:
    words = index(tmp_path_factory.mktemp("sparse"), [["a"] * count for count in (1, 2, 4, 8, 64)], k1=k1, b=0)
    (ranking,) = words.search(["a"], everything(5), 10)
    (term,) = words.idf(["a"], everything(5))
    assert ranking.ids == ("0004", "0003", "0002", "0001", "0000")
    assert all(hit.score < (k1 + 1) * term.idf for hit in ranking.hits)


@pytest.mark.parametrize("chunks", [[], [[]], [[], []]])
def test_an_index_without_terms_finds_nothing(tmp_path: Path, chunks: list[list[str]]) -> None:
    (ranking,) = index(tmp_path, chunks).search(["cat"], everything(len(chunks)), 10)
    assert ranking.hits == ()


def test_no_query_has_no_ranking_and_no_visible_chunk_has_no_hit(tmp_path: Path) -> None:
    words = index(tmp_path, WORKED)
    assert words.search([], everything(3), 10) == ()
    assert words.search(["cat"], Scope(np.zeros(3, np.bool_)), 10)[0].hits == ()


def test_writing_counts_terms_and_repeats_its_bytes(tmp_path: Path) -> None:
    for batch in (1, 2, 3):
        write(tmp_path / str(batch), WORKED, batch=batch)
    assert checksums(tmp_path / "1") == checksums(tmp_path / "2") == checksums(tmp_path / "3")


def test_another_analyzer_is_refused_and_both_are_named(tmp_path: Path) -> None:
    index(tmp_path, WORKED)
    with pytest.raises(GenerationError, match="'words/1'; the settings give 'words/2'"):
        SparseIndex.open(tmp_path, Words("words/2"), ids=numbered(3))


def test_the_scope_of_another_generation_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GenerationError, match="over 4 chunks, the generation holds 3"):
        index(tmp_path, WORKED).search(["cat"], everything(4), 10)


@pytest.mark.parametrize(("k1", "b"), [(-0.1, 0.5), (float("nan"), 0.5), (float("inf"), 0.5), (1.2, -0.1), (1.2, 1.1)])
def test_parameters_that_bm25_cannot_use_are_refused(tmp_path: Path, k1: float, b: float) -> None:
    with pytest.raises(ConfigError, match="k1"):
        index(tmp_path, WORKED, k1=k1, b=b)

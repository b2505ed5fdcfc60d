"""Kernels of keyword search against their plain twins."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from evidex.index.kernels.bitmaps import fill_bitmap, fill_bitmap_in_numpy
from evidex.index.kernels.ceilings import LEVELS, all_ceilings, term_ceilings, term_ceilings_in_numpy
from evidex.index.kernels.contribution import contribution, contribution_in_numpy, grid_above, grid_above_in_numpy
from evidex.index.kernels.counting import count_terms, count_terms_in_numpy
from evidex.index.kernels.inversion import invert, invert_in_numpy
from evidex.index.kernels.pairs import mark_pairs, mark_pairs_in_numpy
from evidex.index.kernels.selection import keep_best, sort_best, sort_best_in_numpy
from evidex.index.kernels.terms import weigh, weigh_in_numpy

quick = settings(deadline=None, max_examples=60)
corpora = st.lists(st.lists(st.integers(0, 9), max_size=15), max_size=12)


def counted(corpus: list[list[int]]) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint32]]:
    numbers = np.array([term for text in corpus for term in text], np.int32)
    lengths = np.array([len(text) for text in corpus], np.int64)
    return count_terms_in_numpy(numbers, lengths)


@quick
@given(corpora)
def test_counting_terms(corpus: list[list[int]]) -> None:
    numbers = np.array([term for text in corpus for term in text], np.int32)
    lengths = np.array([len(text) for text in corpus], np.int64)
    terms, frequencies = np.empty(len(numbers), np.uint32), np.empty(len(numbers), np.uint32)
    distinct = np.empty(len(corpus), np.uint32)

    written = count_terms(numbers, lengths, np.full(10, -1, np.int64), terms, frequencies, distinct)

    found = terms[:written], frequencies[:written], distinct
    assert [array.tolist() for array in found] == [array.tolist() for array in counted(corpus)]


@quick
@given(corpora.filter(bool), st.integers(0, 3))
def test_marking_pairs_and_inverting(corpus: list[list[int]], first_row: int) -> None:
    terms, frequencies, distinct = counted(corpus)
    lengths = np.array([0] * first_row + [len(text) for text in corpus], np.uint32)
    ranks, of_length = np.unique(lengths, return_inverse=True)
    length_ranks, frequency_ranks = of_length.astype(np.uint32), np.arange(20, dtype=np.uint32)
    marked, expected = np.zeros((20, len(ranks)), np.bool_), np.zeros((20, len(ranks)), np.bool_)
    mark_pairs(frequencies, distinct, first_row, frequency_ranks, length_ranks, marked)
    mark_pairs_in_numpy(frequencies, distinct, first_row, frequency_ranks, length_ranks, expected)
    assert (marked == expected).all()

    code_of = np.arange(20 * len(ranks), dtype=np.uint16).reshape(20, -1)
    cursors = np.concatenate([[0], np.cumsum(np.bincount(terms, minlength=10))[:-1]]).astype(np.uint64)
    rows, codes = np.empty(len(terms), np.uint32), np.empty(len(terms), np.uint16)
    invert(terms, frequencies, distinct, first_row, frequency_ranks, length_ranks, code_of, cursors, rows, codes)
    own = code_of[frequencies, length_ranks[np.repeat(np.arange(first_row, len(lengths)), distinct)]]
    expected_rows, expected_codes = invert_in_numpy(terms, distinct, own, first_row)
    assert rows.tolist() == expected_rows.tolist()
    assert codes.tolist() == expected_codes.tolist()


@quick
@given(st.sets(st.integers(0, 200)))
def test_bitmaps(held: set[int]) -> None:
    rows, bitmap = np.array(sorted(held), np.uint32), np.zeros((4, 2), np.uint64)

    fill_bitmap(rows, bitmap)

    assert bitmap.tolist() == fill_bitmap_in_numpy(rows, 4).tolist()


@quick
@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), max_size=150))
def test_ceilings_of_a_term(postings: list[tuple[int, bool]]) -> None:
    rows = np.arange(len(postings), dtype=np.uint32)
    codes = np.array([code for code, _ in postings], np.uint16)
    visible = np.array([seen for _, seen in postings], np.bool_)
    places = np.array([3, 1, 4, 0, 5, 2], np.uint32)
    found, expected = np.zeros(len(LEVELS), np.uint32), np.zeros(len(LEVELS), np.uint32)

    seen = term_ceilings(rows, codes, visible, places, np.zeros(6, np.uint32), found)

    assert seen == term_ceilings_in_numpy(rows, codes, visible, places, expected)
    assert found.tolist() == expected.tolist()


@quick
@given(st.lists(st.lists(st.integers(0, 5), max_size=150), max_size=5))
def test_ceilings_of_all_terms_short_and_long(terms: list[list[int]]) -> None:
    offsets = np.cumsum([0, *map(len, terms)])
    rows = np.array([row for term in terms for row in range(len(term))], np.uint32)
    codes = np.array([code for term in terms for code in term], np.uint16)
    visible, places = np.ones(150, np.bool_), np.array([3, 1, 4, 0, 5, 2], np.uint32)
    found, expected = np.zeros((len(terms), len(LEVELS)), np.uint32), np.zeros((len(terms), len(LEVELS)), np.uint32)

    all_ceilings(offsets, rows, codes, visible, places, found)

    for term, (begin, end) in enumerate(pairwise(offsets)):
        term_ceilings_in_numpy(rows[begin:end], codes[begin:end], visible, places, expected[term])
    assert found.tolist() == expected.tolist()


@quick
@given(st.lists(st.integers(0, 9), min_size=2, max_size=300), st.data())
def test_selecting_and_sorting(values: list[int], data: st.DataObject) -> None:
    rows, scores = np.arange(len(values), dtype=np.uint32)[::-1].copy(), np.array(values, np.float64)
    best_rows, best_scores = sort_best_in_numpy(rows, scores)
    kept = data.draw(st.integers(1, len(values) - 1))

    keep_best(rows, scores, len(values), kept)
    assert sorted(rows[:kept].tolist()) == sorted(best_rows[:kept].tolist())
    assert rows[kept - 1] == best_rows[kept - 1]

    sort_best(rows, scores, len(values))
    assert rows.tolist() == best_rows.tolist()
    assert scores.tolist() == best_scores.tolist()


@quick
@given(
    st.lists(
        st.tuples(st.floats(1e-7, 20), st.integers(1, 5), st.floats(0.1, 2.2), st.floats(0, 0.1)),
        min_size=1,
        max_size=50,
    )
)
def test_weighing_terms(asked: list[tuple[float, int, float, float]]) -> None:
    table = np.array([[0, 4, 0, -1, idf, best, tenth, 0, 0] for idf, _, best, tenth in asked])
    query = np.array([(place, count) for place, (_, count, _, _) in enumerate(asked)], np.int64)

    terms, expected = weigh(table, query, 1.2), weigh_in_numpy(table, query, 1.2)

    assert (terms.high, terms.low) == (expected.high, expected.low)
    assert sorted(terms.weights.tolist()) == sorted(expected.weights.tolist())
    assert terms.ceilings[:, 0].tolist() == expected.ceilings[:, 0].tolist()


@quick
@given(st.lists(st.tuples(st.floats(1e-7, 20), st.floats(0, 2.2)), min_size=1, max_size=40), st.randoms())
def test_contributions_add_up_to_the_same_bits_in_any_order(
    parts: list[tuple[float, float]], draw: random.Random
) -> None:
    total = sum(weight for weight, _ in parts) * 2.2
    high, low = grid_above(total)
    assert (high, low) == grid_above_in_numpy(total)
    added = [contribution(weight, saturation, high, low) for weight, saturation in parts]
    twins = [float(contribution_in_numpy(weight, np.array([saturation]), high, low)[0]) for weight, saturation in parts]
    shuffled = draw.sample(added, len(added))

    assert added == twins
    assert sum(added) == sum(shuffled) == sum(added[::-1])
    assert all(value > 0 for value in added)

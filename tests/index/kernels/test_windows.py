"""Steps of a pruned search, each against the sum or the list that it stands for."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from evidex.index.kernels.bitmaps import fill_bitmap, holds, rank
from evidex.index.kernels.completing import (
    complete_by_bitmap,
    complete_by_galloping,
    complete_by_reading,
    gallop,
)
from evidex.index.kernels.terms import Term
from evidex.index.kernels.windows import (
    STRIDE,
    Window,
    add,
    add_listing,
    add_listing_visible,
    keep_above,
    keep_visible,
    list_above,
)

ROWS = 200
SATURATION = np.array([0.5, 1.0, 1.5, 2.0])
HIGH, LOW = 2.0**10, 2.0**10  # whole halves below 2^10 are on this grid, so contributions are what they look like
BASE = 37
WINDOW = Window(np.uint64(BASE), np.uint64(BASE + 5 * STRIDE - 3))


class Posted(NamedTuple):
    """The postings of one term, ahead of which are those from `cursor` on."""

    rows: NDArray[np.uint32]
    codes: NDArray[np.uint16]
    cursor: int

    @property
    def term(self) -> Term:
        return Term(np.uint64(self.cursor), np.uint64(len(self.rows)), np.uint64(0), np.int64(0), 2.0, HIGH, LOW)

    def dense(self, start: int = 0) -> NDArray[np.float64]:
        """What every row of the window gains from postings from `start` on."""
        gains = np.zeros(ROWS)
        gains[self.rows[start:]] = 2.0 * SATURATION[self.codes[start:]]
        return gains[int(WINDOW.base) : int(WINDOW.stop)]

    @property
    def beyond(self) -> int:
        return int(np.searchsorted(self.rows, WINDOW.stop))


@st.composite
def posted(draw: st.DrawFn, *, ahead: bool) -> Posted:
    """A term of which every posting from the window on is ahead; `ahead`: and none before it."""
    rows = np.array(sorted(draw(st.sets(st.integers(0, ROWS - 1), max_size=120))), np.uint32)
    codes = np.array(draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows))), np.uint16)
    first = int(np.searchsorted(rows, BASE))
    return Posted(rows, codes, first if ahead else draw(st.integers(0, first)))


visible_rows = st.lists(st.booleans(), min_size=ROWS, max_size=ROWS).map(lambda shown: np.array(shown, np.bool_))
width = int(WINDOW.stop - WINDOW.base)


def room() -> tuple[NDArray[np.float64], NDArray[np.uint16], NDArray[np.float64]]:
    return np.zeros(5 * STRIDE), np.empty(5 * STRIDE + 1, np.uint16), np.empty(5 * STRIDE + 1)


@given(posted(ahead=True), posted(ahead=True), visible_rows)
def test_terms_are_added_up_and_each_row_is_listed_once(one: Posted, other: Posted, visible: NDArray[np.bool_]) -> None:
    expected = one.dense() + other.dense()
    sums, _, _ = room()
    listed_sums, places, _ = room()
    seen_sums, seen_places, _ = room()
    count, seen = np.uint64(0), np.uint64(0)
    for term in (one, other):
        lists = term.rows, term.codes, SATURATION
        assert add(*lists, term.term, WINDOW, sums) == term.beyond
        cursor, count = add_listing(*lists, term.term, WINDOW, listed_sums, places, count)
        assert cursor == term.beyond
        cursor, seen = add_listing_visible(*lists, term.term, WINDOW, seen_sums, seen_places, seen, visible)
        assert cursor == term.beyond

    shown = visible[int(WINDOW.base) : int(WINDOW.stop)]
    assert sums[:width].tolist() == listed_sums[:width].tolist() == expected.tolist()
    assert sorted(places[:count].tolist()) == np.flatnonzero(expected).tolist()
    assert seen_sums[:width].tolist() == np.where(shown, expected, 0.0).tolist()
    assert sorted(seen_places[:seen].tolist()) == np.flatnonzero((expected > 0) & shown).tolist()


@given(posted(ahead=True), st.sampled_from([0.0, 1.0, 2.0, 3.5, 9.0]), visible_rows)
def test_rows_above_a_cut_and_visible_ones_are_left_and_all_other_sums_are_cleared(
    term: Posted, cut: float, visible: NDArray[np.bool_]
) -> None:
    dense = term.dense()
    above = np.flatnonzero(dense > cut)
    sums, places, kept = room()
    add(term.rows, term.codes, SATURATION, term.term, WINDOW, sums)
    assert list_above(WINDOW, cut, sums, places, kept) == len(above)
    assert places[: len(above)].tolist() == above.tolist()

    other_sums, other_places, _ = room()
    _, count = add_listing(term.rows, term.codes, SATURATION, term.term, WINDOW, other_sums, other_places, np.uint64(0))
    assert keep_above(cut, other_sums, other_places, kept, count) == len(above)
    assert other_places[: len(above)].tolist() == above.tolist()
    assert sums.tolist() == other_sums.tolist()
    assert sums[:width].tolist() == np.where(dense > cut, dense, 0.0).tolist()

    shown = above[visible[int(WINDOW.base) + above]]
    assert keep_visible(visible, WINDOW, sums, places, np.uint64(len(above))) == len(shown)
    assert places[: len(shown)].tolist() == shown.tolist()
    assert np.flatnonzero(sums).tolist() == shown.tolist()


@given(posted(ahead=True), posted(ahead=False))
def test_candidates_gain_the_same_by_reading_by_galloping_and_by_bitmap(first: Posted, term: Posted) -> None:
    base = first.dense()
    expected = np.where(base > 0, base + term.dense(), 0.0)
    bitmaps = np.zeros((1, -(-ROWS // 64), 2), np.uint64)
    fill_bitmap(term.rows, bitmaps[0])
    within = int(np.searchsorted(term.rows, WINDOW.base))

    def candidates() -> tuple[NDArray[np.float64], NDArray[np.uint16], np.uint64]:
        sums, places, _ = room()
        lists = first.rows, first.codes, SATURATION
        _, count = add_listing(*lists, first.term, WINDOW, sums, places, np.uint64(0))
        return sums, places, count

    sums, _, _ = candidates()
    assert complete_by_reading(term.rows, term.codes, SATURATION, term.term, WINDOW, sums) == term.beyond
    assert sums[:width].tolist() == expected.tolist()

    sums, places, count = candidates()
    cursor = complete_by_galloping(term.rows, term.codes, SATURATION, term.term, WINDOW, sums, places, count)
    assert term.cursor <= cursor <= term.beyond
    assert sums[:width].tolist() == expected.tolist()

    sums, places, count = candidates()
    cursor = complete_by_bitmap(bitmaps, term.codes, SATURATION, term.term, WINDOW, sums, places, count)
    assert cursor == max(term.cursor, within)
    assert sums[:width].tolist() == expected.tolist()


@given(posted(ahead=False), st.integers(0, ROWS))
def test_galloping_finds_what_a_binary_search_finds(term: Posted, row: int) -> None:
    rows = term.rows[term.cursor :]
    expected = term.cursor + int(np.searchsorted(rows, row))

    assert gallop(term.rows, np.uint64(term.cursor), np.uint64(len(term.rows)), np.uint64(row)) == expected


@given(posted(ahead=False))
def test_a_bitmap_tells_which_rows_it_holds_and_how_many_before(term: Posted) -> None:
    bitmaps = np.zeros((1, -(-ROWS // 64), 2), np.uint64)
    fill_bitmap(term.rows, bitmaps[0])

    held = set(term.rows.tolist())
    for row in range(ROWS):
        assert holds(bitmaps, 0, np.uint64(row)) == (row in held)
        assert rank(bitmaps, 0, np.uint64(row)) == sum(other < row for other in held)

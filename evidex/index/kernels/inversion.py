"""From terms by text to texts by term: one step of a counting sort.

Texts come in the order of their rows, so each term's rows come out ascending without any comparison.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidex.compiled import kernel


@kernel
def invert(
    terms: NDArray[np.uint32],
    frequencies: NDArray[Any],
    distinct: NDArray[np.uint32],
    first_row: int,
    frequency_ranks: NDArray[np.uint32],
    length_ranks: NDArray[np.uint32],
    code_of: NDArray[Any],
    cursors: NDArray[np.uint64],
    rows: NDArray[np.uint32],
    codes: NDArray[Any],
) -> None:
    """Put the postings of a batch of texts, of which the first is `first_row`, where `cursors` of their terms point.

    A posting is a row and the code of its (frequency, length) pair, `code_of[frequency rank, length rank]`;
    `length_ranks` has an entry per row, `frequency_ranks` one per frequency.
    """
    one = np.uint64(1)
    posting = np.uint64(0)
    for text in range(len(distinct)):
        row = np.uint64(first_row + text)
        length_rank = length_ranks[row]
        end = posting + np.uint64(distinct[text])
        while posting < end:
            term = terms[posting]
            place = cursors[term]
            rows[place] = np.uint32(row)
            codes[place] = code_of[frequency_ranks[frequencies[posting]], length_rank]
            cursors[term] = place + one
            posting += one


def invert_in_numpy(
    terms: NDArray[np.uint32],
    distinct: NDArray[np.uint32],
    codes: NDArray[Any],
    first_row: int,
) -> tuple[NDArray[np.uint32], NDArray[Any]]:
    """Rows and codes of a batch's postings, by term and within a term by row."""
    rows = np.repeat(np.arange(first_row, first_row + len(distinct), dtype=np.uint32), distinct)
    order = np.argsort(terms, kind="stable")
    return rows[order], codes[order]

"""How often does each term stand in each text? One pass over the tokens, no sorting.

`places[term]` remembers where the posting of the term lies that was written last. If that is behind the first posting
of the text at hand, the term has been seen in this text, and its frequency grows; else a posting begins.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evidex.compiled import Whole, kernel


@kernel
def count_terms(
    numbers: NDArray[np.int32],
    lengths: NDArray[np.int64],
    places: NDArray[np.int64],
    terms: NDArray[np.uint32],
    frequencies: NDArray[np.uint32],
    distinct: NDArray[np.uint32],
) -> Whole:
    """Write the distinct terms of each text, in order of appearance, with their frequencies; returns how many.

    `numbers` holds the terms of all texts, one after another, `lengths` how many each text has. `places` has an entry
    per term, all -1. `terms` and `frequencies` have room for every token; `distinct[i]` becomes the number of distinct
    terms of text i.
    """
    one = np.uint64(1)
    token, written = np.uint64(0), np.uint64(0)
    for text in range(len(lengths)):
        first = np.int64(written)
        end = token + np.uint64(lengths[text])
        while token < end:
            term = np.uint32(numbers[token])
            place = places[term]
            if place >= first:
                frequencies[np.uint64(place)] += np.uint32(1)
            else:
                places[term] = np.int64(written)
                terms[written] = term
                frequencies[written] = np.uint32(1)
                written += one
            token += one
        distinct[text] = np.uint32(np.int64(written) - first)
    return np.int64(written)


def count_terms_in_numpy(
    numbers: NDArray[np.int32], lengths: NDArray[np.int64]
) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint32]]:
    """Terms, frequencies and the number of distinct terms of each text."""
    terms, frequencies, distinct = [], [], []
    for text in np.split(numbers, np.cumsum(lengths)[:-1]) if len(lengths) else []:
        found, first, counts = np.unique(text, return_index=True, return_counts=True)
        order = np.argsort(first)
        terms.append(found[order])
        frequencies.append(counts[order])
        distinct.append(len(found))
    nothing = np.zeros(0, np.uint32)
    return (
        np.concatenate([nothing, *terms]).astype(np.uint32),
        np.concatenate([nothing, *frequencies]).astype(np.uint32),
        np.array(distinct, np.uint32),
    )

"""Which chunks hold a term, and how often? Postings by term, as they are written and opened.

A posting is a row and a code, 6 bytes. The code stands for a pair (frequency of the term, length of the chunk), of
which even millions of chunks have few thousand; pairs are numbered by frequency, then length, so the common ones lie
together. They are built by counting alone: the terms of each batch of texts, then one counting sort.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidex.errors import ConfigError
from evidex.index.kernels.bitmaps import fill_bitmap
from evidex.index.kernels.ceilings import LEVELS, all_ceilings
from evidex.index.kernels.counting import count_terms
from evidex.index.kernels.inversion import invert
from evidex.index.kernels.pairs import mark_pairs
from evidex.index.kernels.saturation import descending, places, saturations
from evidex.index.part import open_part, write_part
from evidex.index.strings import Strings
from evidex.storage import Folder

PART = "sparse"
FREQUENT = 16
"""A term in more than one of so many chunks has a bitmap of its rows beside its postings."""


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """The sealed postings of a generation.

    Those of term i, in the order of `vocabulary`, are `rows` (ascending) and `codes` from `offsets[i]` to
    `offsets[i + 1]`; code c stands for `frequencies[c]` and `lengths[c]`. `chunk_lengths` counts the terms of each row.
    `ceilings[i]` holds the codes of the best, 10th, 100th and 1000th best posting of term i as far as it has them, when
    average length is that of all chunks that can be found; those are `chunks`, with `tokens` terms together.
    """

    vocabulary: Strings
    offsets: NDArray[np.int64]
    rows: NDArray[np.uint32]
    codes: NDArray[Any]
    frequencies: NDArray[np.uint32]
    lengths: NDArray[np.uint32]
    chunk_lengths: NDArray[np.uint32]
    ceilings: NDArray[Any]
    frequent: NDArray[np.int64]
    bitmaps: NDArray[np.uint64]
    analyzer: str
    k1: float
    b: float
    chunks: int
    tokens: int

    @classmethod
    def open(cls, path: Path) -> Postings:
        """Open the postings of the generation in `path`. Raises `GenerationError` naming a damaged file."""
        part = open_part(path / PART)
        return cls(
            vocabulary=part.strings("vocabulary"),
            offsets=part.arrays["offsets"],
            rows=part.arrays["rows"],
            codes=part.arrays["codes"],
            frequencies=part.arrays["frequencies"],
            lengths=part.arrays["lengths"],
            chunk_lengths=part.arrays["chunk-lengths"],
            ceilings=part.arrays["ceilings"],
            frequent=part.arrays["frequent"],
            bitmaps=part.arrays["bitmaps"],
            analyzer=part.facts["analyzer"],
            k1=part.facts["k1"],
            b=part.facts["b"],
            chunks=part.facts["chunks"],
            tokens=part.facts["tokens"],
        )

    def saturations(self, average_length: float) -> NDArray[np.float64]:
        """The saturation of every code among chunks of this average length."""
        return saturations(self.frequencies, self.lengths, k1=self.k1, b=self.b, average_length=average_length)


def write_postings(
    folder: Folder,
    batches: Iterable[tuple[NDArray[np.int32], NDArray[np.int64]]],
    terms: Callable[[], Sequence[str]],
    *,
    analyzer: str,
    k1: float,
    b: float,
    hidden: int = 0,
) -> tuple[int, int]:
    """Write the postings of chunks given in row order, as batches of term numbers, one after another, and how many
    each chunk has; `terms`, called once after the last batch, gives the term of each number.

    `hidden` of the chunks have no terms and are in no scope. Returns the number of distinct terms and of all their
    occurrences. The same chunks give the same bytes however they are batched. Raises `ConfigError` for k1 < 0 or b
    outside [0, 1].
    """
    if not (0 <= k1 < inf and 0 <= b <= 1):
        raise ConfigError(f"BM25 cannot use k1 = {k1} and b = {b}.", "Take k1 >= 0 and b from 0 to 1.")
    counted = deque(_Counted.of(numbers, lengths) for numbers, lengths in batches)
    words = terms()
    order = np.array(sorted(range(len(words)), key=words.__getitem__), np.int64)
    nothing = np.zeros(0, np.uint32)
    chunk_lengths = np.concatenate([nothing, *(batch.lengths for batch in counted)])
    chunks, tokens = len(chunk_lengths) - hidden, int(chunk_lengths.sum(dtype=np.int64))
    pairs = _Pairs.of(counted, chunk_lengths)
    offsets, rows, codes = _by_term(counted, order, pairs)
    saturation = saturations(pairs.frequencies, pairs.lengths, k1=k1, b=b, average_length=tokens / max(1, chunks))
    arrays = {
        **Strings.of(words[number] for number in order).arrays("vocabulary"),
        "offsets": offsets,
        "rows": rows,
        "codes": codes,
        "frequencies": pairs.frequencies,
        "lengths": pairs.lengths,
        "chunk-lengths": chunk_lengths,
        "ceilings": _ceilings(offsets, rows, codes, saturation, len(chunk_lengths)),
        **_bitmaps(offsets, rows, len(chunk_lengths)),
    }
    facts = {"analyzer": analyzer, "k1": k1, "b": b, "chunks": chunks, "tokens": tokens}
    write_part(folder.child(PART), arrays, facts)
    return len(words), tokens


@dataclass(frozen=True, slots=True, eq=False)
class _Counted:
    """The postings of a batch of texts: distinct terms and frequencies, one text after another."""

    terms: NDArray[np.uint32]
    frequencies: NDArray[Any]
    distinct: NDArray[np.uint32]
    lengths: NDArray[np.uint32]

    @classmethod
    def of(cls, numbers: NDArray[np.int32], lengths: NDArray[np.int64]) -> _Counted:
        places = np.full(int(numbers.max(initial=-1)) + 1, -1, np.int64)
        terms, frequencies = np.empty(len(numbers), np.uint32), np.empty(len(numbers), np.uint32)
        distinct = np.empty(len(lengths), np.uint32)
        written = count_terms(numbers, lengths, places, terms, frequencies, distinct)
        narrow = np.uint16 if frequencies[:written].max(initial=0) < 2**16 else np.uint32
        return cls(terms[:written].copy(), frequencies[:written].astype(narrow), distinct, lengths.astype(np.uint32))


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """The pairs of a corpus: `code_of[frequency_ranks[f], length_ranks[row]]` is the code of a posting."""

    frequencies: NDArray[np.uint32]
    lengths: NDArray[np.uint32]
    frequency_ranks: NDArray[np.uint32]
    length_ranks: NDArray[np.uint32]
    code_of: NDArray[Any]

    @classmethod
    def of(cls, counted: Collection[_Counted], chunk_lengths: NDArray[np.uint32]) -> _Pairs:
        lengths, ranks = np.unique(chunk_lengths, return_inverse=True)
        length_ranks = ranks.astype(np.uint32)
        seen = np.zeros(max((int(batch.frequencies.max(initial=0)) for batch in counted), default=0) + 1, np.bool_)
        for batch in counted:
            seen[batch.frequencies] = True
        frequencies = np.flatnonzero(seen).astype(np.uint32)
        frequency_ranks = np.zeros(len(seen), np.uint32)
        frequency_ranks[frequencies] = np.arange(len(frequencies), dtype=np.uint32)
        occurs = np.zeros((len(frequencies), len(lengths)), np.bool_)
        row = 0
        for batch in counted:
            mark_pairs(batch.frequencies, batch.distinct, row, frequency_ranks, length_ranks, occurs)
            row += len(batch.distinct)
        of_frequency, of_length = np.nonzero(occurs)
        code_of = np.zeros(occurs.shape, np.uint16 if len(of_length) <= 2**16 else np.uint32)
        code_of[of_frequency, of_length] = np.arange(len(of_length))
        return cls(frequencies[of_frequency], lengths[of_length], frequency_ranks, length_ranks, code_of)


def _by_term(
    counted: deque[_Counted], order: NDArray[np.int64], pairs: _Pairs
) -> tuple[NDArray[np.int64], NDArray[np.uint32], NDArray[Any]]:
    """Offsets, rows and codes by term, in this order of term numbers; uses `counted` up, so that memory is freed."""
    containing = sum(
        (np.bincount(batch.terms, minlength=len(order)) for batch in counted), np.zeros(len(order), np.int64)
    )
    offsets = np.zeros(len(order) + 1, np.int64)
    np.cumsum(containing[order], out=offsets[1:])
    cursors = np.empty(len(order), np.uint64)
    cursors[order] = offsets[:-1]
    rows, codes = np.empty(offsets[-1], np.uint32), np.empty(offsets[-1], pairs.code_of.dtype)
    row = 0
    while counted:
        batch = counted.popleft()
        ranks = pairs.frequency_ranks, pairs.length_ranks
        invert(batch.terms, batch.frequencies, batch.distinct, row, *ranks, pairs.code_of, cursors, rows, codes)
        row += len(batch.distinct)
    return offsets, rows, codes


def _ceilings(
    offsets: NDArray[np.int64],
    rows: NDArray[np.uint32],
    codes: NDArray[Any],
    saturation: NDArray[np.float64],
    chunks: int,
) -> NDArray[Any]:
    found = np.zeros((len(offsets) - 1, len(LEVELS)), np.uint32)
    order = descending(saturation)
    all_ceilings(offsets, rows, codes, np.ones(chunks, np.bool_), places(order), found)
    return order.astype(codes.dtype)[found]


def _bitmaps(offsets: NDArray[np.int64], rows: NDArray[np.uint32], chunks: int) -> dict[str, NDArray[Any]]:
    frequent = np.flatnonzero(np.diff(offsets) * FREQUENT > chunks)
    bitmaps = np.zeros((len(frequent), -(-chunks // 64), 2), np.uint64)
    for bitmap, term in zip(bitmaps, frequent, strict=True):
        fill_bitmap(rows[offsets[term] : offsets[term + 1]], bitmap)
    return {"frequent": frequent, "bitmaps": bitmaps}

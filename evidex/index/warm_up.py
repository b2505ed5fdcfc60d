"""What is compiled before a first question is asked? Every kernel of a build and of a search, at the first build.

A small generation is written, opened and searched with the real writers and channels, so kernels are compiled for
exactly the arrays that they will meet: in memory while building, memory-mapped while searching. Where all of them were
compiled before, that takes a moment.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from evidex.analysis.numbering import TermNumbering
from evidex.config import IndexSettings
from evidex.index.approximate import open_approximation, write_approximation
from evidex.index.exact import nearest
from evidex.index.multivector import SealedTokenVectors, write_token_vectors
from evidex.index.postings import write_postings
from evidex.index.ranges import RowRanges
from evidex.index.sparse import SparseIndex
from evidex.index.strings import Strings
from evidex.index.token_pools import write_token_pools
from evidex.index.vectors import SealedVectors, write_vectors
from evidex.ports import Analyzer, EmbedderContract
from evidex.storage import Folder
from evidex.types import ChunkId, Scope

ROWS = 512
"""More than are scored without ruling any out."""
_WIDTH = 16
_MANY = 16
"""Questions at once, of which a product of matrices rules rows out."""


def warm_up(analyzer: Analyzer, settings: IndexSettings, progress: Callable[[str, int, int], object]) -> None:
    """Compile what a generation with these settings is built and searched by; reports each step of `compile`."""
    with tempfile.TemporaryDirectory() as path:
        folder, ids = Folder(Path(path)), Strings.of(f"{row:04}" for row in range(ROWS))
        steps: tuple[Callable[[], None], ...] = (
            partial(_keywords, folder, ids, analyzer),
            partial(_vectors, folder, ids, settings),
            partial(_token_vectors, folder, ids),
        )
        progress("compile", 0, len(steps))
        for number, step in enumerate(steps, start=1):
            step()
            progress("compile", number, len(steps))


def _keywords(folder: Folder, ids: Strings, analyzer: Analyzer) -> None:
    numbering = TermNumbering(analyzer)
    batch = numbering.number([f"refund window {row % 7} days" for row in range(ROWS)])
    write_postings(folder, [batch], lambda: numbering.terms, analyzer=analyzer.name, k1=1.2, b=0.75)
    index = SparseIndex.open(folder.path, analyzer, ids=ids)
    everything, some = (Scope(np.arange(ROWS) % step == 0) for step in (1, 2))
    for scope in (everything, some):
        for questions in (1, 2):
            index.search(["refund window 3"] * questions, scope, 10)
    index.search(["refund window 3"], everything, 10, among=[ChunkId(ids[0])])


def _vectors(folder: Folder, ids: Strings, settings: IndexSettings) -> None:
    contract = EmbedderContract("warm-up", "", "", "", "", "mean", False, _WIDTH, 0, "dot")
    vectors = np.random.default_rng(0).standard_normal((ROWS, _WIDTH)).astype(np.float32)
    write_approximation(folder, write_vectors(folder, vectors, contract=contract), settings)
    store, everything = SealedVectors.open(folder.path, ids=ids), RowRanges.of(np.ones(ROWS, np.bool_))
    for questions in (1, _MANY):
        nearest(store, vectors[:questions], everything, 10)
    approximation = open_approximation(folder.path, settings)
    if approximation is not None:
        approximation.nearest(store, vectors[:1], everything, 10)


def _token_vectors(folder: Folder, ids: Strings) -> None:
    tokens = np.eye(_WIDTH, dtype=np.float32)
    write_token_vectors(folder, [tokens] * ROWS, width=_WIDTH)
    store = SealedTokenVectors.open(folder.path, ids=ids)
    write_token_pools(folder, store)
    store.maxsim(tokens, [ChunkId(ids[0])])

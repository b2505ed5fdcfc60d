"""On which vectors are dense engines compared? Synthetic clusters that are hard for graphs, and real embeddings.

Generated vectors lie around 2,000 centres whose sizes follow a Zipf law. Around its centre a vector spreads over one of
16 random subspaces of 48 dimensions, with a little noise in all 384: the intrinsic dimension is that of good text
embeddings or above. Everything has unit length. Queries are further vectors of the same kind.

Real vectors are MiniLM's of BEIR passages, asked with MiniLM's of their questions; `windows` are those of all English
collections, cut small enough for about 100,000.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.corpus import BUILD, COLLECTIONS, ENGLISH, SEED, raw_texts, window_texts

WINDOWS = "windows"
WIDTH = 384
CENTRES = 2000
BASES, RANK = 16, 48
SPREAD, NOISE = 1.0, 0.25
"""Lengths that the offset inside the subspace and the noise have on average, beside a centre of length 1."""
QUERIES = 256

_BLOCK = 10_000
_VERSION = 1

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Cloud:
    """Unit vectors, float32 of shape (vectors, width), and queries of the same width."""

    name: str
    vectors: Vectors
    queries: Vectors


def generated(size: int) -> Cloud:
    """Synthetic vectors, made at their first use and memory-mapped; a smaller size is a prefix of a larger one."""
    path = BUILD / "vectors" / f"clusters-{_VERSION}-{size}.npy"
    if not path.exists():
        _write(path, size)
    return Cloud(f"clusters, {size:,} × {WIDTH}", np.load(path, "r"), _block(_shape(), -1)[:QUERIES])


def real(collection: str, passages: int | None = None) -> Cloud:
    """MiniLM vectors of a BEIR folder (or of `WINDOWS`), or of its first passages, embedded at their first use."""
    path = BUILD / "vectors" / f"minilm-{collection}-{passages or 'all'}.npz"
    if not path.exists():
        _embed(path, collection, passages)
    with np.load(path) as kept:
        vectors, queries = kept["vectors"], kept["queries"]
    return Cloud(f"MiniLM, {collection}, {len(vectors):,} × {vectors.shape[1]}", vectors, queries[:QUERIES])


@dataclass(frozen=True, slots=True)
class _Shape:
    centres: Vectors
    bases: Vectors
    shares: NDArray[np.float64]


def _shape() -> _Shape:
    random = np.random.default_rng(SEED)
    bases = np.linalg.qr(random.normal(size=(BASES, WIDTH, RANK)))[0]
    shares = 1 / np.arange(1, CENTRES + 1)
    return _Shape(_unit(random.normal(size=(CENTRES, WIDTH))), bases.astype(np.float32), shares / shares.sum())


def _block(shape: _Shape, number: int) -> Vectors:
    random = np.random.default_rng([SEED, number + 1])
    centre = random.choice(CENTRES, _BLOCK, p=shape.shares)
    vectors = shape.centres[centre] + _noise(random, WIDTH, NOISE)
    offsets = _noise(random, RANK, SPREAD)
    for base in range(BASES):
        rows = centre % BASES == base
        vectors[rows] += offsets[rows] @ shape.bases[base].T
    return _unit(vectors)


def _noise(random: np.random.Generator, width: int, length: float) -> Vectors:
    return random.standard_normal((_BLOCK, width), np.float32) * np.float32(length / np.sqrt(width))


def _unit(rows: NDArray[np.floating]) -> Vectors:
    unit: Vectors = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return unit


def _write(path: Path, size: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part")
    written = np.lib.format.open_memmap(unfinished, "w+", np.float32, (size, WIDTH))
    shape = _shape()
    for number, start in enumerate(range(0, size, _BLOCK)):
        written[start : start + _BLOCK] = _block(shape, number)[: size - start]
    written.flush()
    unfinished.replace(path)


def _embed(path: Path, collection: str, passages: int | None) -> None:
    from evidex.config import EmbeddingSettings
    from evidex.embedding.minilm import make
    from evidex.sources.beir import read_queries

    embedder = make(EmbeddingSettings(provider="minilm"), path.parent)
    asked = ENGLISH if collection == WINDOWS else (collection,)
    texts = list(islice(window_texts() if collection == WINDOWS else raw_texts(collection), passages))
    questions = [
        question
        for name in asked
        for question in islice(read_queries(COLLECTIONS / name).values(), -(-QUERIES // len(asked)))
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(
        path,
        vectors=np.concatenate([embedder.embed(part, role="passage").vectors for part in _parts(texts, 32)]),
        queries=embedder.embed(questions, role="query").vectors,
    )


def _parts(texts: list[str], size: int) -> Iterator[list[str]]:
    return (texts[at : at + size] for at in range(0, len(texts), size))

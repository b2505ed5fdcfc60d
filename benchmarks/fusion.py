"""Which fusion of keyword, meaning and late-interaction scores should be the default? Chosen on dev, tested once.

    python benchmarks/fusion.py

Prints every method on the dev splits of four collections, what `choice` makes of them, and the chosen method on test
splits that decided nothing. Collections are BEIR folders below $EVIDEX_SHARED/data/collections (default: ../shared),
each document is one chunk, and workspaces are those of quality.py in build/quality. The scores of all candidates in
all channels are kept in build/fusion, so that a second run takes seconds; remove them when a channel has changed.

Sources: RRF, Cormack, Clarke and Büttcher (2009); convex combination with window and theoretical minima, Bruch, Gai and
Ingber (2023), "An Analysis of Fusion Functions for Hybrid Retrieval"; MaxSim, Khattab and Zaharia (2020); the paired
randomisation test, Smucker, Allan and Carterette (2007).
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import ir_measures
import numpy as np
from ir_measures import R, nDCG
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from rich.table import Table

import evidex
from evidex.analysis.analyzer import make_analyzer
from evidex.config import AnalysisSettings, EmbeddingSettings
from evidex.embedding.cached import CachedEmbedder
from evidex.embedding.minilm import make as make_minilm
from evidex.index.generation import Generation
from evidex.ports import Embedder
from evidex.sources.beir import read_qrels, read_queries
from evidex.threads import one_blas_thread
from evidex.types import ChunkId, Scope, Vectors

ROOT = Path(__file__).parent.parent
COLLECTIONS = Path(os.environ.get("EVIDEX_SHARED", ROOT.parent / "shared")) / "data" / "collections"
SETTINGS = """\
[chunking]
strategy = "windows"
max_words = 100000

[embedding]
provider = "minilm"
"""
CHANNELS = ("sparse", "dense", "late")
MEASURES = (nDCG @ 10, R @ 100)
DEPTH = 100  # candidates that a channel brings, and results that are measured
SAMPLE = 500  # queries of a split that has more
SEED = 20240229
PERMUTATIONS = 10_000

Floats = NDArray[np.float64]
Positions = NDArray[np.int64]
Mask = NDArray[np.bool_]
Qrels = Mapping[str, Mapping[str, int]]


# --- splits: which queries choose, and which only test ---------------------------------------------------------------

DEV = ("squad2_dev_half", "mtrag_un", "xquad/en", "clapnq_dev")
TEST = ("scifact", "cranfield", "squad2_dev_half", "clapnq_dev")
DEV_ARTICLES = (
    "1973_oil_crisis",
    "Computational_complexity_theory",
    "European_Union_law",
    "Force",
    "French_and_Indian_War",
    "Harvard_University",
    "Huguenot",
    "Immune_system",
)
"""Half of the articles of SQuAD's half-dev; the others are its test split."""


@dataclass(frozen=True, slots=True)
class Split:
    """Some queries of a collection, in their order, with judgments and the pools that methods put in order."""

    collection: str
    queries: tuple[str, ...]
    qrels: Qrels
    pools: tuple[Pool, ...]


def split(collection: str, *, dev: bool) -> Split:
    """The dev or the test part of a collection, at most `SAMPLE` of its queries."""
    qrels = read_qrels(COLLECTIONS / collection)
    queries = [id for id in read_queries(COLLECTIONS / collection) if id in qrels]
    if collection == "squad2_dev_half":
        queries = [id for id in queries if (_article(qrels[id]) in DEV_ARTICLES) == dev]
    elif collection == "clapnq_dev":
        half = len(queries) // 2
        queries = queries[:half] if dev else queries[half:]
    chosen = tuple(sorted(random.Random(SEED).sample(sorted(queries), min(SAMPLE, len(queries)))))
    name = f"{collection.replace('/', '-')}-{'dev' if dev else 'test'}"
    return Split(collection, chosen, {id: qrels[id] for id in chosen}, pools(name, collection, chosen))


def _article(judged: Mapping[str, int]) -> str:
    return min(judged).rpartition("_")[0]


# --- pools: every candidate of a query with its score in every channel -----------------------------------------------


@dataclass(frozen=True, slots=True)
class Pool:
    """The candidates of one query, the best `DEPTH` of BM25 and of dense search, in the order of their ids.

    `scores` are complete: every channel was asked for every candidate. BM25 is 0 where no term is shared.
    """

    documents: NDArray[np.str_]
    scores: Mapping[str, Floats]

    def part(self, positions: Positions) -> Pool:
        return Pool(self.documents[positions], {name: scores[positions] for name, scores in self.scores.items()})


def pools(name: str, collection: str, queries: Sequence[str]) -> tuple[Pool, ...]:
    """The pools of queries, read from build/fusion where they are there already."""
    path = ROOT / "build" / "fusion" / f"{name}.npz"
    if not path.exists():
        texts = read_queries(COLLECTIONS / collection)
        channels = _channels(collection)
        with one_blas_thread():
            asked = track(queries, f"scoring {name}", console=Console(stderr=True), transient=True)
            found = [channels.pool(texts[id]) for id in asked]
        path.parent.mkdir(parents=True, exist_ok=True)
        arrays: dict[str, NDArray[Any]] = {
            "queries": np.array(queries),
            "sizes": np.array([len(pool.documents) for pool in found]),
            "documents": np.concatenate([pool.documents for pool in found]),
        }
        arrays |= {name: np.concatenate([pool.scores[name] for pool in found]) for name in CHANNELS}
        np.savez(path, allow_pickle=False, **arrays)
    with np.load(path) as kept:
        arrays = dict(kept)
    if arrays["queries"].tolist() != list(queries):
        raise SystemExit(f"{path} holds other queries. Remove it, and run this again.")
    return tuple(_pools(arrays))


def _pools(arrays: Mapping[str, NDArray[Any]]) -> Iterator[Pool]:
    ends = np.cumsum(arrays["sizes"].astype(int)).tolist()
    for start, end in zip([0, *ends], ends, strict=False):
        scores = {channel: arrays[channel][start:end].astype(float) for channel in CHANNELS}
        yield Pool(arrays["documents"][start:end].astype(str), scores)


@dataclass(frozen=True, slots=True)
class Channels:
    """What a collection can be asked: BM25 and dense search of a sealed generation, and token vectors by chunk."""

    generation: Generation
    embedder: Embedder
    tokens: Mapping[ChunkId, Vectors]

    def pool(self, query: str) -> Pool:
        """Ask both channels for their best, and every channel for the scores of them all."""
        dense = self.generation.dense
        assert dense is not None
        everything = Scope(np.ones(len(self.generation.chunks), np.bool_))
        matching = self.generation.sparse.search([query], everything, len(self.tokens))[0].hits
        nearest = dense.search([query], everything, DEPTH)[0].hits
        bm25 = {hit.chunk: hit.score for hit in matching}
        ids = sorted({hit.chunk for hit in (*matching[:DEPTH], *nearest)})
        embedding = self.embedder.embed([query], role="query", token_vectors=True)
        scores = {
            "sparse": np.array([bm25.get(id, 0.0) for id in ids]),
            "dense": self.generation.vectors.vectors(ids).astype(float) @ embedding.vectors[0],
            "late": mean_maxsim(embedding.token_vectors[0], [self.tokens[id] for id in ids]),
        }
        return Pool(np.array(self.generation.chunks.documents(ids)), scores)


def mean_maxsim(query: Vectors, passages: Sequence[Vectors]) -> Floats:
    """The mean over the query's tokens of the greatest cosine with any token of each passage."""
    starts = np.cumsum([0, *map(len, passages[:-1])])
    cosines = np.concatenate(passages).astype(np.float32) @ query.T
    means: Floats = np.maximum.reduceat(cosines, starts, axis=0).mean(axis=1, dtype=float)
    return means


@cache
def _channels(collection: str) -> Channels:
    folder = ROOT / "build" / "quality" / collection
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "evidex.toml").exists():
        (folder / "evidex.toml").write_text(SETTINGS, "utf-8")
    with evidex.open(folder) as workspace:
        workspace.ingest(COLLECTIONS / collection, sync=True)
        built = workspace.build()
    print(f"{collection}: {built.chunks} chunks, {built.embedded} embedded now", file=sys.stderr)
    embedder = make_minilm(EmbeddingSettings(provider="minilm"), folder)
    path = folder / ".evidex" / "generations" / built.id
    generation = Generation.open(path, make_analyzer(AnalysisSettings()), embedder=embedder)
    ids = [ChunkId(id) for id in generation.chunks.ids]
    cached = CachedEmbedder(embedder, folder / ".evidex" / "vectors.db")
    tokens: dict[ChunkId, Vectors] = {}
    for start in range(0, len(ids), 64):
        some = ids[start : start + 64]
        texts = [chunk.indexed_text for chunk in generation.chunks.get(some)]
        vectors = cached.embed(texts, role="passage", token_vectors=True).token_vectors
        tokens |= zip(some, (one.astype(np.float16) for one in vectors), strict=True)
    return Channels(generation, embedder, tokens)


# --- methods: a pool into an order, as positions in the pool ---------------------------------------------------------


class Method(Protocol):
    """Positions of a pool's candidates, best first."""

    def __call__(self, pool: Pool, /) -> Positions: ...


Normalisation = Callable[[Floats, str], Floats]
Weights = tuple[tuple[str, float], ...]
TWO: Weights = (("sparse", 1.0), ("dense", 1.0))
THREE: Weights = (*TWO, ("late", 1.0))
LEAST = {"sparse": 0.0, "dense": -1.0, "late": -1.0}
"""What a channel can give at least."""


def best_first(scores: Floats) -> Positions:
    """Positions by score, descending; ties by position, which is by id."""
    return np.argsort(-scores, kind="stable")


def ranks(pool: Pool, channel: str) -> Floats:
    """The rank of each candidate in a channel; infinite for those that the channel did not bring."""
    scores = pool.scores[channel]
    order = best_first(scores)
    places = np.full(len(scores), np.inf)
    places[order[:DEPTH]] = np.arange(1, len(order) + 1)[:DEPTH]
    return np.where((scores > 0) | (channel != "sparse"), places, np.inf)


def window_minima(scores: Floats, channel: str) -> Floats:  # noqa: ARG001
    """From 0 for the least of the window to 1 for the greatest; a channel that gives all the same says nothing."""
    spread = float(np.ptp(scores))
    return (scores - scores.min()) / spread if spread > 0 else np.zeros(len(scores))


def theoretical_minima(scores: Floats, channel: str) -> Floats:
    """From 0 for the least that the channel can give to 1 for the greatest of the window."""
    spread = float(scores.max() - LEAST[channel])
    return (scores - LEAST[channel]) / spread if spread > 0 else np.zeros(len(scores))


def z_scores(scores: Floats, channel: str) -> Floats:  # noqa: ARG001
    """Mean 0 and standard deviation 1 over the window."""
    deviation = float(scores.std())
    return (scores - scores.mean()) / deviation if deviation > 0 else np.zeros(len(scores))


@dataclass(frozen=True, slots=True)
class Single:
    """What one channel brought, in its order."""

    channel: str

    def __call__(self, pool: Pool) -> Positions:
        places = ranks(pool, self.channel)
        return np.argsort(places, kind="stable")[: int(np.isfinite(places).sum())]


@dataclass(frozen=True, slots=True)
class Rrf:
    """The sum of weight / (k + rank) over the channels that brought a candidate."""

    weights: Weights = TWO
    k: float = 60.0

    def __call__(self, pool: Pool) -> Positions:
        return best_first(self.total(pool))

    def total(self, pool: Pool) -> Floats:
        parts = [weight / (self.k + ranks(pool, channel)) for channel, weight in self.weights]
        total: Floats = np.sum(parts, axis=0, dtype=float)
        return total


@dataclass(frozen=True, slots=True)
class RrfAgain:
    """RRF of the channels, whose first `window` are ordered anew by its sum and MaxSim's vote among them."""

    window: int = 50
    k: float = 60.0

    def __call__(self, pool: Pool) -> Positions:
        total = Rrf(k=self.k).total(pool)
        order = best_first(total)
        inside = np.sort(order[: self.window])
        late = 1.0 / (self.k + ranks(pool.part(inside), "late"))
        return np.concatenate([inside[best_first(total[inside] + late)], order[self.window :]])


@dataclass(frozen=True, slots=True)
class Convex:
    """The weighted sum of normalised scores over the first `window` of another order; the rest stays as it was.

    A score that a channel did not bring itself is asked for (`complete`), or is the least that it brought.
    """

    weights: Weights
    normalisation: Normalisation = window_minima
    window: int = 50
    complete: bool = True
    first: Method = Rrf()

    def __call__(self, pool: Pool) -> Positions:
        order = self.first(pool)
        inside = np.sort(order[: self.window])
        parts = [weight * self.normalisation(self._scores(pool, name)[inside], name) for name, weight in self.weights]
        total = np.sum(parts, axis=0, dtype=float)
        return np.concatenate([inside[best_first(total)], order[self.window :]])

    def _scores(self, pool: Pool, channel: str) -> Floats:
        scores = pool.scores[channel]
        brought = np.isfinite(ranks(pool, channel))
        if self.complete or channel == "late" or not brought.any():
            return scores
        return np.where(brought, scores, scores[brought].min())


def methods() -> dict[str, Method]:
    """Every method of the study by name, simple ones first."""
    listed: dict[str, Method] = {"BM25": Single("sparse"), "dense": Single("dense")}
    listed |= {f"RRF, k = {k}": Rrf(k=k) for k in (60, 1, 5, 10, 20, 30, 100)}
    listed |= {f"RRF, dense x {w}": Rrf((("sparse", 1.0), ("dense", w))) for w in (0.5, 2.0)}
    for window in (50, 100):
        listed[f"late, {window} of RRF"] = Convex((("late", 1.0),), window=window)
        listed |= {f"RRF of 3, k = {k}, {window}": RrfAgain(window, k) for k in (60, 10)}
    for channels, weights in (("2", TWO), ("3", THREE)):
        for rule in (window_minima, theoretical_minima, z_scores):
            for window in (50, 100):
                name = f"convex {channels}, {rule.__name__.replace('_', ' ')}, {window}"
                listed[name] = Convex(weights, rule, window)
                listed[f"{name}, not completed"] = Convex(weights, rule, window, complete=False)
    first = Convex(TWO, window=2 * DEPTH)
    listed["convex 2, window minima, all"] = first
    listed |= {f"convex 3, window minima, {n} of convex 2": Convex(THREE, window=n, first=first) for n in (50, 100)}
    listed |= {f"convex 3, window minima, 50, late x {w}": Convex((*TWO, ("late", w))) for w in (0.5, 1.5, 2.0, 3.0)}
    return listed


# --- measuring: by query, so that methods can be compared in pairs ---------------------------------------------------


@dataclass(frozen=True, slots=True)
class Measured:
    """nDCG@10 by query, in the order of the split, and the mean of R@100."""

    ndcg: Floats
    recall: float

    @property
    def mean(self) -> float:
        return float(self.ndcg.mean())


def measure(method: Method, split: Split) -> Measured:
    run = {id: _run(method, pool) for id, pool in zip(split.queries, split.pools, strict=True)}
    values: dict[object, dict[str, float]] = {measure: {} for measure in MEASURES}
    for found in ir_measures.iter_calc(MEASURES, split.qrels, run):
        values[found.measure][found.query_id] = found.value
    ndcg, recall = (np.array([values[measure].get(id, 0.0) for id in split.queries]) for measure in MEASURES)
    return Measured(ndcg, float(recall.mean()))


def _run(method: Method, pool: Pool) -> dict[str, float]:
    return {str(document): 1.0 / rank for rank, document in enumerate(pool.documents[method(pool)[:DEPTH]], start=1)}


@dataclass(frozen=True, slots=True)
class Difference:
    """Of two methods on one split: mean gain in nDCG@10, queries won and lost, and how likely chance does as much."""

    gain: float
    wins: int
    losses: int
    p: float

    def __str__(self) -> str:
        return f"{self.gain:+.4f} ({self.wins}:{self.losses}, p {self.p:.4f})"


def difference(one: Measured, other: Measured) -> Difference:
    """Paired, two-sided randomisation test: the sign of each query's gain is drawn anew `PERMUTATIONS` times."""
    gains = one.ndcg - other.ndcg
    moved = gains[np.abs(gains) > 1e-9]
    signs = np.random.default_rng(SEED).integers(0, 2, (PERMUTATIONS, len(moved))) * 2 - 1
    extreme = int((np.abs(signs @ moved) >= abs(moved.sum()) - 1e-9).sum())
    p = (1 + extreme) / (1 + PERMUTATIONS)
    return Difference(float(gains.mean()), int((moved > 0).sum()), int((moved < 0).sum()), p)


# --- the study --------------------------------------------------------------------------------------------------------

Results = dict[str, dict[str, Measured]]


def measured(splits: Sequence[Split], chosen: Mapping[str, Method]) -> Results:
    """By method and collection."""
    asked = track(chosen.items(), "measuring", console=Console(stderr=True), transient=True)
    return {name: {split.collection: measure(method, split) for split in splits} for name, method in asked}


def mean(of: Mapping[str, Measured]) -> float:
    """The mean of nDCG@10 over collections, each counting the same."""
    return float(np.mean([one.mean for one in of.values()]))


def best_of(results: Results) -> str:
    """The method with the highest mean that weighs all its channels alike.

    A weight is for those who know their collection; the default would need every collection to ask for the same.
    """
    return max((name for name in results if " x " not in name), key=lambda name: mean(results[name]))


def choice(results: Results) -> str:
    """The simplest method that the best one beats on no collection (p < .05); `results` have simple ones first."""
    best = results[best_of(results)]
    return next(name for name in results if not _beaten(results[name], best))


def _beaten(one: Mapping[str, Measured], best: Mapping[str, Measured]) -> bool:
    differences = [difference(one[collection], best[collection]) for collection in one]
    return any(found.gain < 0 and found.p < 0.05 for found in differences)


def print_results(results: Results, title: str, *, baseline: str) -> None:
    """nDCG@10 / R@100 by method and collection; a star marks a difference from the baseline with p < .05."""
    collections = list(next(iter(results.values())))
    table = Table("nDCG@10 / R@100", *collections, "mean nDCG@10", title=title)
    for name, row in results.items():
        cells = []
        for collection, one in row.items():
            star = "*" if name != baseline and difference(one, results[baseline][collection]).p < 0.05 else " "
            cells.append(f"{one.mean:.4f}{star}/ {one.recall:.3f}")
        table.add_row(name, *cells, f"{mean(row):.4f}")
    Console(width=200).print(table)


def print_differences(results: Results, name: str, others: Sequence[str]) -> None:
    """The chosen method against others, collection by collection."""
    collections = list(results[name])
    table = Table("nDCG@10, gain (won:lost, p)", *collections, title=name)
    for other in others:
        found = [difference(results[name][collection], results[other][collection]) for collection in collections]
        table.add_row(f"against {other}", *map(str, found))
    Console(width=200).print(table)


def main() -> None:
    listed = methods()
    dev = measured([split(collection, dev=True) for collection in DEV], listed)
    print_results(dev, "dev", baseline=RRF)
    chosen, best = choice(dev), best_of(dev)
    print(f"\nBest on dev: {best}\nThe choice: {chosen}\n")
    others = [name for name in dict.fromkeys((*OTHERS, best)) if name != chosen]
    print_differences(dev, chosen, others)
    shown = {name: listed[name] for name in (*others, chosen)}
    test = measured([split(collection, dev=False) for collection in TEST], shown)
    print_results(test, "test", baseline=RRF)
    print_differences(test, chosen, others)


RRF = "RRF, k = 60"
OTHERS = ("BM25", "dense", "late, 50 of RRF", RRF, "convex 2, window minima, 50")
"""What the choice is shown beside."""


if __name__ == "__main__":
    main()

"""On what is a generation measured when its vectors are to become smaller? On its own, or on judged questions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evidex.assembly import query_embedder
from evidex.config import Settings
from evidex.embedding.contract import require_same
from evidex.errors import ConfigError, GenerationError
from evidex.index.build import Progress
from evidex.index.chunks import SealedChunks
from evidex.index.layout import whole_manifest
from evidex.index.planner import SEED, Plan, Sample, held_out, plan
from evidex.index.ranges import RowRanges
from evidex.index.vectors import SealedVectors
from evidex.sources.beir import read_qrels, read_queries
from evidex.types import ChunkId, DocumentId


def plan_generation(
    path: Path,
    settings: Settings,
    *,
    questions: Path | None,
    queries: int,
    k: int,
    target: float,
    progress: Progress,
) -> Plan:
    """Measure the vectors of the generation in `path`; `questions` is a BEIR folder with queries and judgments.

    Raises `GenerationError` for a generation without vectors, `SourceError` for a folder that cannot be read,
    `ConfigError` where none of its questions can be asked, and `ContractError` for another embedder.
    """
    manifest = whole_manifest(path)
    if manifest.contract is None:
        raise GenerationError(
            f"Generation {manifest.id[:12]} was built without an embedder: it has no vectors.",
            "Set embedding.provider, then run 'evidex build'.",
        )
    chunks = SealedChunks.open(path)
    store = SealedVectors.open(path, ids=chunks.ids)
    if questions is None:
        return plan(store, held_out(store, queries=queries), k=k, target=target, progress=progress)
    sample, documents = _judged(path, settings, chunks, store, questions, queries)
    return plan(store, sample, k=k, target=target, documents=documents, progress=progress)


def _judged(
    path: Path, settings: Settings, chunks: SealedChunks, store: SealedVectors, folder: Path, queries: int
) -> tuple[Sample, NDArray[np.int32]]:
    """The judged questions of a folder, embedded (drawn with a fixed seed where they are more), and the document of
    each row, by number."""
    asked, judgments = read_queries(folder), read_qrels(folder)
    names: dict[DocumentId, int] = {}
    documents = [names.setdefault(name, len(names)) for name in chunks.documents([ChunkId(id) for id in chunks.ids])]
    relevant = {
        query: frozenset(names.setdefault(DocumentId(document), len(names)) for document, score in row.items() if score)
        for query, row in judgments.items()
        if query in asked and any(row.values())
    }
    known = [query for query in asked if query in relevant]
    drawn = np.random.default_rng(SEED).choice(len(known), min(queries, len(known)), replace=False)
    known = [known[number] for number in sorted(drawn.tolist())]
    embedder = query_embedder(settings.embedding, path)
    manifest = whole_manifest(path)
    if embedder is None or manifest.contract is None or not known:
        raise ConfigError(f"{str(folder)!r} has no question with a relevant document.", "Check its qrels.")
    require_same(manifest.contract, embedder.contract)
    vectors = embedder.embed([asked[query] for query in known], role="query").vectors
    usable = np.flatnonzero(np.any(vectors != 0, axis=1))
    if not len(usable):
        raise ConfigError(f"The embedder knows no word of the questions in {str(folder)!r}.", "Use another embedder.")
    everything = RowRanges.of(store.lengths > 0)
    found = tuple(relevant[known[number]] for number in usable.tolist())
    source = f"questions of {folder.name}"
    return Sample(source, vectors[usable], (everything,) * len(usable), found), np.array(documents, np.int32)

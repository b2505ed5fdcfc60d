"""An opened generation: one frozen view of everything that was sealed together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evidex.config import IndexSettings
from evidex.index import multivector, token_pools
from evidex.index.approximate import open_approximation
from evidex.index.chunks import SealedChunks
from evidex.index.dense import DenseIndex
from evidex.index.documents import SealedDocuments
from evidex.index.late import LateIndex
from evidex.index.layout import Manifest, whole_manifest
from evidex.index.multivector import SealedTokenVectors
from evidex.index.part import PART
from evidex.index.sparse import SparseIndex
from evidex.index.vectors import PART as VECTORS
from evidex.index.vectors import SealedVectors
from evidex.ports import Analyzer, Embedder, Index
from evidex.types import DocumentKey, GenerationId, Scope


@dataclass(frozen=True, slots=True, eq=False)
class Generation:
    """A sealed snapshot, opened by memory map. `dense` is None without an embedder or without sealed vectors, `late`
    without an embedder or without sealed token vectors.

    The stores `vectors` and `token_vectors` are always there; they are empty where nothing was sealed.
    """

    manifest: Manifest
    chunks: SealedChunks
    documents: SealedDocuments
    sparse: SparseIndex
    dense: DenseIndex | None
    late: LateIndex | None
    vectors: SealedVectors
    token_vectors: SealedTokenVectors

    @classmethod
    def open(
        cls, path: Path, analyzer: Analyzer, *, embedder: Embedder | None, manifest: Manifest | None = None
    ) -> Generation:
        """Open the generation in `path`; it is for the caller to check that `embedder` keeps `manifest.contract`.

        `manifest` is what `whole_manifest` gave, where the caller has read it before; else it is read here.
        Raises `GenerationError` if there is no generation, a file is missing or not as long as it was, the format is
        newer than this evidex, or the analyzer is not the one that the generation was built with.
        """
        manifest = manifest or whole_manifest(path)
        files = {file.path for file in manifest.files}
        chunks = SealedChunks.open(path)
        has_vectors = f"{VECTORS}/{PART}" in files
        has_tokens = f"{multivector.PART}/{PART}" in files
        vectors = SealedVectors.open(path, ids=chunks.ids) if has_vectors else SealedVectors.none(chunks.ids)
        tokens = SealedTokenVectors.open(path, ids=chunks.ids) if has_tokens else SealedTokenVectors.none(chunks.ids)
        dense = None
        if has_vectors and embedder is not None:
            settings = IndexSettings.model_validate(manifest.inputs.settings)
            dense = DenseIndex(vectors, embedder, open_approximation(path, settings))
        late = None
        if f"{token_pools.PART}/{PART}" in files and embedder is not None:
            pools = SealedTokenVectors.open(path, ids=chunks.ids, part=token_pools.PART)
            late = LateIndex(tokens, pools, embedder)
        return cls(
            manifest=manifest,
            chunks=chunks,
            documents=SealedDocuments.open(path),
            sparse=SparseIndex.open(path, analyzer, ids=chunks.ids),
            dense=dense,
            late=late,
            vectors=vectors,
            token_vectors=tokens,
        )

    @property
    def id(self) -> GenerationId:
        return self.manifest.id

    @property
    def channels(self) -> tuple[Index, ...]:
        """The ways of finding evidence that this generation offers."""
        return tuple(index for index in (self.sparse, self.dense, self.late) if index is not None)

    def document_rows(self, keys: Sequence[DocumentKey]) -> NDArray[np.int64]:
        """The rows of document revisions in a scope, -1 for those of which this generation has no chunk."""
        return self.chunks.keys.find_all(keys)

    def scope(self, visible: NDArray[np.bool_]) -> Scope:
        """The chunks to search of the documents whose rows are `visible`.

        Parents are not among them: they are delivered in the place of their children, not found.
        """
        return Scope(visible[self.chunks.document_rows] & ~self.chunks.is_parent, visible)

    def text_within(self, scope: Scope, key: DocumentKey) -> str | None:
        """The pinned text of a document revision, or None when it is not in the scope."""
        row = self.chunks.keys.find(key)
        return self.documents.text(key) if row >= 0 and scope.documents[row] else None

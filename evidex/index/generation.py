"""An opened generation: one frozen view of everything that was sealed together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evidex.index import dense, multivector
from evidex.index.chunks import SealedChunks
from evidex.index.dense import DenseIndex, SealedVectors
from evidex.index.documents import SealedDocuments
from evidex.index.layout import Manifest, whole_manifest
from evidex.index.multivector import SealedTokenVectors
from evidex.index.part import PART
from evidex.index.sparse import SparseIndex
from evidex.ports import Analyzer, Embedder, Index
from evidex.types import DocumentKey, GenerationId, Scope


@dataclass(frozen=True, slots=True, eq=False)
class Generation:
    """A sealed snapshot, opened by memory map. `dense` is None without an embedder or without sealed vectors.

    The stores `vectors` and `token_vectors` are always there; they are empty where nothing was sealed.
    """

    manifest: Manifest
    chunks: SealedChunks
    documents: SealedDocuments
    sparse: SparseIndex
    dense: DenseIndex | None
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
        has_vectors = f"{dense.PART}/{PART}" in files
        has_tokens = f"{multivector.PART}/{PART}" in files
        vectors = SealedVectors.open(path, ids=chunks.ids) if has_vectors else SealedVectors.none(chunks.ids)
        tokens = SealedTokenVectors.open(path, ids=chunks.ids) if has_tokens else SealedTokenVectors.none(chunks.ids)
        return cls(
            manifest=manifest,
            chunks=chunks,
            documents=SealedDocuments.open(path),
            sparse=SparseIndex.open(path, analyzer, ids=chunks.ids),
            dense=DenseIndex(vectors, embedder) if has_vectors and embedder is not None else None,
            vectors=vectors,
            token_vectors=tokens,
        )

    @property
    def id(self) -> GenerationId:
        return self.manifest.id

    @property
    def channels(self) -> tuple[Index, ...]:
        """The ways of finding evidence that this generation offers."""
        return (self.sparse,) if self.dense is None else (self.sparse, self.dense)

    def scope(self, visible: Callable[[DocumentKey], bool]) -> Scope:
        """The chunks to search of the documents that are `visible`; it is asked once per document.

        Parents are not among them: they are delivered in the place of their children, not found.
        """
        allowed = np.fromiter((visible(DocumentKey(key)) for key in self.chunks.keys), np.bool_)
        return Scope(allowed[self.chunks.document_rows] & ~self.chunks.is_parent)

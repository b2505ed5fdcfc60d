from __future__ import annotations

import random
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evidex.analysis.numbering import TermNumbering
from evidex.errors import GenerationError
from evidex.index.chunks import parent_ids, write_chunks
from evidex.index.documents import document_digest, write_documents
from evidex.index.generation import Generation
from evidex.index.layout import Counts, Inputs, Manifest, seal, verify, whole_manifest
from evidex.index.multivector import write_token_vectors
from evidex.index.postings import write_postings
from evidex.index.vectors import write_vectors
from evidex.ports import EmbedderContract, Embedding
from evidex.storage import Folder, checksums
from evidex.testing.full_disk import FailingFolder
from evidex.types import Chunk, ChunkId, Document, DocumentId, DocumentKey, Metadata, OriginMap, Parsed, Vectors

TEXTS = {
    "k1": ("Refunds take fourteen days.", "Keep the receipt of the refund."),
    "k2": ("Error E1492 means a timeout.", "Restart the gateway after error E1492."),
    "k3": ("Refunds for hotels take days.", "The gateway is open."),
}


class Words:
    name = "words/1"

    def terms(self, text: str) -> list[str]:
        return text.lower().replace(".", " ").split()


class WordVectors:
    """Every word has a fixed direction; a text's vector is that of the sum of its words."""

    contract = EmbedderContract("word-vectors", "1", "", "", "", "sum", True, 16, 0, "cosine")
    has_token_vectors = True

    def embed(
        self, texts: Sequence[str], *, role: Literal["query", "passage"], token_vectors: bool = False
    ) -> Embedding:
        tokens = [self._tokens(text) for text in texts]
        sums = np.array([rows.sum(axis=0) for rows in tokens]).reshape(-1, 16)
        lengths = np.sqrt((sums * sums).sum(axis=1, keepdims=True))
        vectors = (sums / np.where(lengths > 0, lengths, 1)).astype(np.float32)
        known = tuple(len(rows) for rows in tokens)
        return Embedding(vectors, known, (0,) * len(texts), (0,) * len(texts), tuple(tokens) if token_vectors else ())

    def _tokens(self, text: str) -> Vectors:
        raw = [np.frombuffer(sha256(word.encode()).digest()[:16], np.int8) for word in Words().terms(text)]
        rows = np.array(raw, np.float64).reshape(-1, 16)
        unit: Vectors = (rows / np.sqrt((rows * rows).sum(axis=1, keepdims=True))).astype(np.float32)
        return unit


def document(key: str) -> Document:
    text = " ".join(TEXTS[key])
    parsed = Parsed(text, (), OriginMap("line", (0,), (1,)))
    return Document(DocumentKey(key), Metadata(DocumentId(f"id-{key}"), title=key.upper()), "text/1", parsed)


def chunks_of(document: Document) -> list[Chunk]:
    """The whole document as parent, and one child a sentence."""
    spans = [(f"{document.key}-whole", 0, len(document.text))]
    for number, sentence in enumerate(TEXTS[document.key]):
        start = document.text.index(sentence)
        spans.append((f"{number}-{document.key}", start, start + len(sentence)))
    return [
        Chunk(
            id=ChunkId(id),
            document=document.id,
            version=document.metadata.version,
            key=document.key,
            start=start,
            end=end,
            text=document.text[start:end],
            parent=None if id.endswith("whole") else ChunkId(f"{document.key}-whole"),
        )
        for id, start, end in spans
    ]


def build(folder: Folder, documents: Sequence[Document], *, shuffle: int = 0, embedder: WordVectors | None) -> Manifest:
    """A generation of these documents, written as a build writes it."""
    chunks = [chunk for document in documents for chunk in chunks_of(document)]
    random.Random(shuffle).shuffle(chunks)
    write_documents(folder, documents)
    rows = write_chunks(folder, chunks)
    parents = parent_ids(rows)
    texts = ["" if chunk.id in parents else chunk.text for chunk in rows]
    numbering = TermNumbering(Words())
    numbers = [numbering.number(texts)]
    hidden = len(parents)
    terms, tokens = write_postings(
        folder, numbers, lambda: numbering.terms, analyzer=Words.name, k1=1.2, b=0.75, hidden=hidden
    )
    if embedder is not None:
        embedding = embedder.embed(texts, role="passage", token_vectors=True)
        write_vectors(folder, embedding.vectors, contract=embedder.contract)
        write_token_vectors(folder, embedding.token_vectors, width=embedder.contract.width)
    inputs = Inputs(
        documents=tuple((document.key, document_digest(document)) for document in documents),
        parsers=("text/1",),
        chunker="whole/1",
        analyzer=Words.name,
        embedding={},
        settings={},
    )
    counts = Counts(len(documents), len(rows), terms, tokens)
    return seal(folder, inputs, counts, embedder.contract if embedder else None)


def opened(path: Path, keys: Sequence[str] = tuple(TEXTS), *, embedder: WordVectors | None = None) -> Generation:
    build(Folder(path), [document(key) for key in keys], embedder=embedder)
    return Generation.open(path, Words(), embedder=embedder)


def test_a_generation_is_one_view_of_everything_that_was_sealed_together(tmp_path: Path) -> None:
    generation = opened(tmp_path, embedder=WordVectors())
    assert verify(tmp_path) == ()
    assert generation.id == generation.manifest.id
    words = Words().terms(" ".join(sentence for sentences in TEXTS.values() for sentence in sentences))
    assert generation.manifest.counts == Counts(
        documents=3, chunks=3 * (1 + 2), terms=len(set(words)), tokens=len(words)
    )
    assert [channel.channel for channel in generation.channels] == ["sparse", "dense"]
    scope = generation.scope(np.ones(3, np.bool_))
    (sparse,), (dense,) = (channel.search(["restart gateway"], scope, 3) for channel in generation.channels)
    assert sparse.ids[0] == dense.ids[0] == "1-k2"
    (chunk,) = generation.chunks.get(sparse.ids[:1])
    assert generation.documents.text(chunk.key)[chunk.start : chunk.end] == chunk.text
    assert generation.documents.record(chunk.key).title == "K2"
    (tokens,) = WordVectors().embed([chunk.text], role="query", token_vectors=True).token_vectors
    assert generation.token_vectors.maxsim(tokens, [chunk.id]).tolist() == pytest.approx([1.0], abs=1e-3)


def test_a_scope_holds_the_children_of_visible_documents(tmp_path: Path) -> None:
    generation = opened(tmp_path)
    visible = np.ones(3, np.bool_)
    visible[generation.document_rows([DocumentKey("k2")])] = False

    scope = generation.scope(visible)

    shown = [id for id, row in zip(generation.chunks.ids, scope.rows, strict=True) if row]
    assert shown == ["0-k1", "0-k3", "1-k1", "1-k3"]


def test_the_text_of_a_document_is_given_within_a_scope_that_holds_it(tmp_path: Path) -> None:
    generation = opened(tmp_path)
    scope = generation.scope(np.array([True, False, True]))

    assert generation.text_within(scope, DocumentKey("k1")) == generation.documents.text(DocumentKey("k1"))
    assert generation.text_within(scope, DocumentKey("k2")) is None
    assert generation.text_within(scope, DocumentKey("unknown")) is None


def test_parents_are_delivered_but_never_found(tmp_path: Path) -> None:
    generation = opened(tmp_path, embedder=WordVectors())
    scope = generation.scope(np.ones(3, np.bool_))
    for channel in generation.channels:
        (ranking,) = channel.search(["refunds take fourteen days error"], scope, 100)
        assert not [id for id in ranking.ids if id.endswith("whole")]
    assert generation.chunks.get([ChunkId("k1-whole")])[0].text == " ".join(TEXTS["k1"])


@settings(deadline=None, max_examples=20)
@given(visible=st.sets(st.sampled_from(sorted(TEXTS))), query=st.sampled_from(["refund days", "gateway", "E1492 the"]))
def test_documents_that_are_not_visible_change_nothing(
    tmp_path_factory: pytest.TempPathFactory, visible: set[str], query: str
) -> None:
    folder = tmp_path_factory.mktemp("generations")
    among_others = opened(folder / "all", embedder=WordVectors())
    alone = opened(folder / "own", sorted(visible), embedder=WordVectors())
    whole = alone.scope(np.ones(len(visible), np.bool_))
    part = among_others.scope(np.array([key in visible for key in sorted(TEXTS)], np.bool_))
    for one, other in zip(among_others.channels, alone.channels, strict=True):
        assert one.search([query], part, 10) == other.search([query], whole, 10)


def test_without_an_embedder_there_is_no_dense_channel(tmp_path: Path) -> None:
    generation = opened(tmp_path)
    assert generation.dense is None
    assert [channel.channel for channel in generation.channels] == ["sparse"]
    assert generation.vectors.vectors([ChunkId("0-k1")]).shape == (1, 0)
    assert generation.token_vectors.maxsim(np.ones((1, 16), np.float32), [ChunkId("0-k1")]).tolist() == [-1.0]


def test_sealed_vectors_without_an_embedder_to_ask_are_no_channel(tmp_path: Path) -> None:
    opened(tmp_path, embedder=WordVectors())
    assert Generation.open(tmp_path, Words(), embedder=None).dense is None


def test_a_manifest_that_was_read_before_opens_the_same_generation(tmp_path: Path) -> None:
    generation = opened(tmp_path)
    again = Generation.open(tmp_path, Words(), embedder=None, manifest=whole_manifest(tmp_path))
    assert again.manifest == generation.manifest


@pytest.mark.parametrize("embedder", [None, WordVectors()])
def test_an_empty_generation_answers_with_nothing(tmp_path: Path, embedder: WordVectors | None) -> None:
    generation = opened(tmp_path, (), embedder=embedder)
    scope = generation.scope(np.ones(3, np.bool_))
    assert scope.size == 0
    assert verify(tmp_path) == ()
    for channel in generation.channels:
        assert channel.search(["refund"], scope, 10)[0].hits == ()


def test_the_order_of_documents_and_chunks_changes_no_byte(tmp_path: Path) -> None:
    documents = [document(key) for key in TEXTS]
    build(Folder(tmp_path / "one"), documents, embedder=WordVectors())
    build(Folder(tmp_path / "two"), documents[::-1], shuffle=1, embedder=WordVectors())
    assert checksums(tmp_path / "one") == checksums(tmp_path / "two")


def test_every_truncated_file_is_found_by_opening(tmp_path: Path) -> None:
    opened(tmp_path, embedder=WordVectors())
    for file in sorted(path for path in tmp_path.rglob("*") if path.is_file()):
        good = file.read_bytes()
        if good:
            file.write_bytes(good[:-1])
            with pytest.raises(GenerationError, match=file.name):
                Generation.open(tmp_path, Words(), embedder=None)
            file.write_bytes(good)
    Generation.open(tmp_path, Words(), embedder=None)


def test_searching_writes_nothing(tmp_path: Path) -> None:
    generation = opened(tmp_path, embedder=WordVectors())
    before = checksums(tmp_path)
    for channel in generation.channels:
        channel.search(["refund"], generation.scope(np.ones(3, np.bool_)), 10)
    assert checksums(tmp_path) == before


def test_a_disk_that_is_full_at_any_write_leaves_no_generation(tmp_path: Path) -> None:
    documents = [document(key) for key in TEXTS]
    build(Folder(tmp_path / "whole"), documents, embedder=WordVectors())
    writes = len(checksums(tmp_path / "whole"))
    for number in range(1, writes + 1):
        path = tmp_path / str(number)
        with pytest.raises(OSError, match="No space left"):
            build(FailingFolder(path, fail_at=number), documents, embedder=WordVectors())
        with pytest.raises(GenerationError, match="is not a generation"):
            Generation.open(path, Words(), embedder=None)
    build(FailingFolder(tmp_path / "enough", fail_at=writes + 1), documents, embedder=WordVectors())
    assert checksums(tmp_path / "enough") == checksums(tmp_path / "whole")

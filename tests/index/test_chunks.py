from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evidex.errors import GenerationError
from evidex.index.chunks import SealedChunks, parent_ids, write_chunks
from evidex.storage import Folder, checksums
from evidex.types import Chunk, ChunkId, DocumentId, DocumentKey


def chunk(id: str, key: str = "k1", *, text: str = "text", parent: str | None = None) -> Chunk:
    return Chunk(
        id=ChunkId(id),
        document=DocumentId(f"document of {key}"),
        version=f"version of {key}",
        key=DocumentKey(key),
        start=3,
        end=3 + len(text),
        text=text,
        parent=None if parent is None else ChunkId(parent),
    )


CHUNKS = (
    replace(chunk("b", "k2", text="naïve 東京"), section=("Title", "One > two", ""), table_header="| a |"),
    chunk("c", "k1", parent="a"),
    chunk("a", "k1", text="the whole"),
    replace(chunk("d", "k2", text=""), section=("Title",)),
    chunk("e", "k1", text="\ud800", parent="a"),
)


def opened(path: Path, chunks: tuple[Chunk, ...]) -> SealedChunks:
    write_chunks(Folder(path), chunks)
    return SealedChunks.open(path)


def test_rows_are_in_the_order_of_ids(tmp_path: Path) -> None:
    rows = write_chunks(Folder(tmp_path), CHUNKS)
    assert [chunk.id for chunk in rows] == ["a", "b", "c", "d", "e"]
    assert list(SealedChunks.open(tmp_path).ids) == ["a", "b", "c", "d", "e"]


def test_chunks_come_back_as_they_went_in_and_in_the_order_asked_for(tmp_path: Path) -> None:
    store = opened(tmp_path, CHUNKS)
    assert store.get([chunk.id for chunk in CHUNKS]) == CHUNKS
    assert store.get([ChunkId("c"), ChunkId("a"), ChunkId("c")]) == (CHUNKS[1], CHUNKS[2], CHUNKS[1])
    assert store.get([]) == ()
    assert len(store) == len(CHUNKS)


texts = st.text(st.characters(), max_size=6)


@settings(deadline=None, max_examples=25)
@given(
    st.lists(
        st.tuples(texts, st.sampled_from(["k1", "k2"]), texts, st.lists(texts, max_size=3), texts),
        unique_by=lambda fields: fields[0],
        max_size=8,
    )
)
def test_any_text_survives(
    tmp_path_factory: pytest.TempPathFactory, fields: list[tuple[str, str, str, list[str], str]]
) -> None:
    chunks = tuple(
        replace(chunk(id, key, text=text), section=tuple(section), table_header=header)
        for id, key, text, section, header in fields
    )
    assert opened(tmp_path_factory.mktemp("chunks"), chunks).get([one.id for one in chunks]) == chunks


def test_each_chunk_knows_its_document(tmp_path: Path) -> None:
    store = opened(tmp_path, CHUNKS)
    assert list(store.keys) == ["k1", "k2"]
    assert store.document_rows.tolist() == [0, 1, 0, 1, 0]
    assert store.documents([ChunkId("d"), ChunkId("a")]) == ("document of k2", "document of k1")


def test_parents_are_known_as_such(tmp_path: Path) -> None:
    assert parent_ids(CHUNKS) == {"a"}
    assert opened(tmp_path, CHUNKS).is_parent.tolist() == [True, False, False, False, False]


def test_an_unknown_id_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(GenerationError, match="'zz'"):
        opened(tmp_path, CHUNKS).get([ChunkId("a"), ChunkId("zz")])


@pytest.mark.parametrize(
    ("name", "byte", "says"),
    [("texts", b"\xff", "is not UTF-8"), ("sections", b"\xff", "is not UTF-8"), ("sections", b"{", "is not JSON")],
)
def test_a_damaged_byte_is_an_error_that_names_the_file(tmp_path: Path, name: str, byte: bytes, says: str) -> None:
    store = opened(tmp_path, CHUNKS[:1])
    file = tmp_path / "chunks" / f"{name}.bin"
    file.write_bytes(byte + file.read_bytes()[1:])
    with pytest.raises(GenerationError, match=rf"{name}\.bin' {says}"):
        store.get([CHUNKS[0].id])


def test_the_order_of_input_changes_no_byte(tmp_path: Path) -> None:
    for seed in range(5):
        write_chunks(Folder(tmp_path / str(seed)), random.Random(seed).sample(CHUNKS, len(CHUNKS)))
    assert len({tuple(checksums(tmp_path / str(seed)).items()) for seed in range(5)}) == 1


def test_no_chunks_are_a_store_too(tmp_path: Path) -> None:
    store = opened(tmp_path, ())
    assert len(store) == 0
    assert store.is_parent.shape == store.document_rows.shape == (0,)


@pytest.mark.parametrize(
    ("chunks", "says"),
    [
        ((chunk("a"), chunk("b"), chunk("a", "k2")), "'a' occurs twice"),
        ((chunk("a"), chunk("b", parent="p")), "'b' names the parent 'p', which is missing"),
        ((chunk("a"), replace(chunk("b"), version="2")), "key 'k1' stands for"),
    ],
)
def test_chunks_that_contradict_each_other_are_refused(tmp_path: Path, chunks: tuple[Chunk, ...], says: str) -> None:
    with pytest.raises(GenerationError, match=says):
        write_chunks(Folder(tmp_path), chunks)

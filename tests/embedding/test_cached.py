from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evidex.embedding.cached import CachedEmbedder
from evidex.embedding.prefixes import Role
from evidex.embedding.unit import unit_rows
from evidex.ports import EmbedderContract, Embedding
from evidex.types import Vectors

CONTRACT = EmbedderContract("letters", "1", "", "", "", "mean", True, 8, 0, "cosine")


def letters(text: str) -> Vectors:
    """A vector for every character, so that each text has token vectors of its own."""
    return unit_rows(np.array([[(ord(char) >> bit) % 7 + bit for bit in range(8)] for char in text]).reshape(-1, 8) / 3)


class Letters:
    """A whole embedder in a few lines, which says what it was given."""

    has_token_vectors = True

    def __init__(self, contract: EmbedderContract = CONTRACT) -> None:
        self.contract = contract
        self.calls: list[tuple[str, ...]] = []

    def embed(self, texts: Sequence[str], *, role: Role, token_vectors: bool = False) -> Embedding:
        self.calls.append(tuple(texts))
        tokens = tuple(letters(text) for text in texts)
        sign = 1 if role == "query" else -1
        return Embedding(
            unit_rows(np.stack([sign * each.sum(axis=0) for each in tokens])),
            known=tuple(len(text) for text in texts),
            unknown=tuple(text.count("?") for text in texts),
            truncated=tuple(max(0, len(text) - 5) for text in texts),
            token_vectors=tokens if token_vectors else (),
        )


def same(one: Embedding, other: Embedding) -> bool:
    return (
        one.vectors.tobytes() == other.vectors.tobytes()
        and (one.known, one.unknown, one.truncated) == (other.known, other.unknown, other.truncated)
        and [each.tobytes() for each in one.token_vectors] == [each.tobytes() for each in other.token_vectors]
    )


def test_unchanged_texts_are_never_embedded_again(tmp_path: Path) -> None:
    texts = [f"text {number}" for number in range(100)]
    first, second = Letters(), Letters()
    CachedEmbedder(first, tmp_path / "cache").embed(texts, role="passage")
    again = CachedEmbedder(second, tmp_path / "cache")
    texts[41] = "changed"
    again.embed(texts, role="passage")
    assert second.calls == [("changed",)]
    assert (again.embedded, again.problem) == (1, "")


def test_a_text_that_occurs_twice_is_embedded_once(tmp_path: Path) -> None:
    inner = Letters()
    cached = CachedEmbedder(inner, tmp_path / "cache")
    found = cached.embed(["a", "b", "a"], role="passage")
    assert inner.calls == [("a", "b")]
    assert cached.embedded == 2
    assert found.vectors[0].tobytes() == found.vectors[2].tobytes()


TEXTS = st.lists(st.text(max_size=6), max_size=6)


@settings(deadline=None, max_examples=50)
@given(before=TEXTS, now=TEXTS, tokens_before=st.booleans(), tokens_now=st.booleans())
def test_what_was_kept_changes_no_byte(
    tmp_path_factory: pytest.TempPathFactory,
    before: list[str],
    now: list[str],
    tokens_before: bool,
    tokens_now: bool,
) -> None:
    folder = tmp_path_factory.mktemp("cache")
    warm = CachedEmbedder(Letters(), folder / "warm")
    warm.embed(before, role="passage", token_vectors=tokens_before)
    cold = CachedEmbedder(Letters(), folder / "cold")
    ask = [embedder.embed(now, role="passage", token_vectors=tokens_now) for embedder in (warm, cold)]
    assert same(*ask)
    assert ask[0].vectors.shape == (len(now), 8)
    assert len(ask[0].token_vectors) == (len(now) if tokens_now else 0)


def test_vectors_are_those_of_the_embedder_and_token_vectors_are_rounded_to_float16(tmp_path: Path) -> None:
    cached = CachedEmbedder(Letters(), tmp_path / "cache").embed(["ab", ""], role="query", token_vectors=True)
    plain = Letters().embed(["ab", ""], role="query", token_vectors=True)
    assert cached.vectors.tobytes() == plain.vectors.tobytes()
    assert cached.vectors.dtype == cached.token_vectors[0].dtype == np.float32
    assert cached.token_vectors[0].tobytes() == plain.token_vectors[0].astype(np.float16).astype(np.float32).tobytes()
    assert cached.token_vectors[1].shape == (0, 8)


def test_queries_and_passages_do_not_share_vectors(tmp_path: Path) -> None:
    cached = CachedEmbedder(Letters(), tmp_path / "cache")
    query, passage = (cached.embed(["a"], role=role).vectors for role in ("query", "passage"))
    assert query.tolist() == (-passage).tolist()


@pytest.mark.parametrize("field", ["model", "revision", "weights", "query_prefix"])
def test_another_contract_finds_nothing(tmp_path: Path, field: str) -> None:
    CachedEmbedder(Letters(), tmp_path / "cache").embed(["a"], role="passage")
    other = CachedEmbedder(Letters(replace(CONTRACT, **{field: "other"})), tmp_path / "cache")  # type: ignore[arg-type]
    other.embed(["a"], role="passage")
    assert other.embedded == 1


def test_what_was_embedded_before_a_failure_is_kept(tmp_path: Path) -> None:
    class Breaking(Letters):
        def embed(self, texts: Sequence[str], *, role: Role, token_vectors: bool = False) -> Embedding:
            if "c" in texts:
                raise ConnectionError("gone")
            return super().embed(texts, role=role, token_vectors=token_vectors)

    breaking = CachedEmbedder(Breaking(), tmp_path / "cache")
    breaking.embed(["a", "b"], role="passage")
    with pytest.raises(ConnectionError):
        breaking.embed(["c", "d"], role="passage")
    again = Letters()
    CachedEmbedder(again, tmp_path / "cache").embed(["a", "b", "c"], role="passage")
    assert again.calls == [("c",)]


@pytest.mark.parametrize("damage", [b"", b"not a database, by any means" * 200])
def test_a_damaged_file_is_begun_again(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "cache"
    CachedEmbedder(Letters(), path).embed(["a"], role="passage")
    path.write_bytes(damage)
    cached = CachedEmbedder(Letters(), path)
    assert same(cached.embed(["a"], role="passage"), Letters().embed(["a"], role="passage"))
    cached.embed(["a"], role="passage")
    assert cached.embedded == 1


def test_a_file_damaged_in_its_middle_costs_time_only(tmp_path: Path) -> None:
    path = tmp_path / "cache"
    texts = [f"text {number}" for number in range(300)]
    CachedEmbedder(Letters(), path).embed(texts, role="passage")
    content = bytearray(path.read_bytes())
    content[4096 : len(content) // 2] = bytes(len(content) // 2 - 4096)
    path.write_bytes(content)
    found = CachedEmbedder(Letters(), path).embed(texts, role="passage")
    assert same(found, Letters().embed(texts, role="passage"))


def test_a_flipped_bit_is_a_miss_and_never_another_vector(tmp_path: Path) -> None:
    path = tmp_path / "cache"
    CachedEmbedder(Letters(), path).embed(["a"], role="passage")
    database = sqlite3.connect(path)
    with database:
        (vector,) = database.execute("SELECT vector FROM embeddings_1").fetchone()
        database.execute("UPDATE embeddings_1 SET vector = ?", [bytes([vector[0] ^ 1]) + vector[1:]])
    database.close()
    cached = CachedEmbedder(Letters(), path)
    assert same(cached.embed(["a"], role="passage"), Letters().embed(["a"], role="passage"))
    assert cached.embedded == 1


def test_a_file_that_cannot_be_opened_costs_time_only_and_is_said(tmp_path: Path) -> None:
    cached = CachedEmbedder(Letters(), tmp_path / "absent" / "cache")
    assert same(cached.embed(["a"], role="passage"), Letters().embed(["a"], role="passage"))
    assert "absent" in cached.problem


def test_a_full_disk_costs_time_only_and_is_said(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource", reason="needs limits on the size of files")
    cached = CachedEmbedder(Letters(), tmp_path / "cache")
    calls = [[f"text {start + number}" for number in range(100)] for start in range(0, 3000, 100)]
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    try:
        found = [cached.embed(texts, role="passage") for texts in calls]
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    for texts, embedding in zip(calls, found, strict=True):
        assert same(embedding, Letters().embed(texts, role="passage"))
    assert cached.problem
    for texts in calls:
        cached.embed(texts, role="passage")
    assert 3000 < cached.embedded < 6000


def test_a_folder_in_the_place_of_the_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "cache"
    path.mkdir()
    cached = CachedEmbedder(Letters(), path)
    cached.embed(["a"], role="passage")
    assert cached.problem
    assert path.is_dir()


def test_threads_share_one_embedder_and_its_file(tmp_path: Path) -> None:
    cached = CachedEmbedder(Letters(), tmp_path / "cache")
    texts = [f"text {number}" for number in range(30)]
    found: list[Embedding] = []

    def ask() -> None:
        found.append(cached.embed(texts, role="passage"))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = Letters().embed(texts, role="passage")
    assert [same(each, expected) for each in found] == [True] * 4
    assert cached.problem == ""


_WRITE = """
import sys
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from test_cached import CachedEmbedder, Letters
cached = CachedEmbedder(Letters(), Path(sys.argv[1]))
for start in range(0, 60, 2):
    cached.embed([f"text {number}" for number in range(start, start + 2)], role="passage")
print(cached.problem)
"""


def test_processes_share_one_file(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _WRITE, str(tmp_path / "cache"), str(Path(__file__).parent)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert [process.communicate()[0].strip() for process in running] == ["", ""]
    assert [process.returncode for process in running] == [0, 0]
    after = CachedEmbedder(Letters(), tmp_path / "cache")
    after.embed([f"text {number}" for number in range(60)], role="passage")
    assert after.embedded == 0

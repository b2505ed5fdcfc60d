from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidex.index.kernels.bitmaps import fill_bitmap_in_numpy
from evidex.index.kernels.ceilings import LEVELS
from evidex.index.postings import FREQUENT, Postings, write_postings
from evidex.storage import Folder, checksums

Texts = Sequence[Sequence[str]]


def write(path: Path, texts: Texts, *, batch: int = 100, hidden: int = 0) -> tuple[int, int]:
    number_of: dict[str, int] = {}
    batches = []
    for start in range(0, len(texts), batch):
        part = texts[start : start + batch]
        numbers = [number_of.setdefault(term, len(number_of)) for text in part for term in text]
        batches.append((np.array(numbers, np.int32), np.array([len(text) for text in part], np.int64)))
    return write_postings(
        Folder(path), batches, lambda: list(number_of), analyzer="words/1", k1=1.2, b=0.75, hidden=hidden
    )


def built(path: Path, texts: Texts, *, hidden: int = 0) -> Postings:
    write(path, texts, hidden=hidden)
    return Postings.open(path)


def read(postings: Postings) -> dict[str, list[tuple[int, int, int]]]:
    """Of each term, in order: row, frequency and length of its postings."""
    found = {}
    for term in range(len(postings.vocabulary)):
        begin, end = postings.offsets[term : term + 2].tolist()
        codes = postings.codes[begin:end]
        frequencies, lengths = postings.frequencies[codes].tolist(), postings.lengths[codes].tolist()
        found[postings.vocabulary[term]] = list(
            zip(postings.rows[begin:end].tolist(), frequencies, lengths, strict=True)
        )
    return found


def counted(texts: Texts) -> dict[str, list[tuple[int, int, int]]]:
    return {
        word: [(row, text.count(word), len(text)) for row, text in enumerate(texts) if word in text]
        for word in sorted({word for text in texts for word in text})
    }


corpora = st.lists(st.lists(st.sampled_from(["a", "b", "c", "d", "é", "東京", "𝔘"]), max_size=9), max_size=30)


@given(corpora)
def test_what_is_read_back_is_what_the_texts_hold_in_the_order_of_words(
    tmp_path_factory: pytest.TempPathFactory, texts: list[list[str]]
) -> None:
    postings = built(tmp_path_factory.mktemp("postings"), texts)

    assert list(read(postings).items()) == list(counted(texts).items())
    assert postings.chunk_lengths.tolist() == [len(text) for text in texts]
    assert (postings.chunks, postings.tokens) == (len(texts), sum(map(len, texts)))


@given(corpora, st.integers(1, 30))
def test_however_texts_are_batched_the_bytes_are_the_same(
    tmp_path_factory: pytest.TempPathFactory, texts: list[list[str]], batch: int
) -> None:
    folder = tmp_path_factory.mktemp("postings")
    assert write(folder / "one", texts, batch=1) == write(folder / "some", texts, batch=batch)
    write(folder / "all", texts, batch=100)

    assert checksums(folder / "one") == checksums(folder / "some") == checksums(folder / "all")


def test_it_returns_how_many_words_and_tokens_there_are(tmp_path: Path) -> None:
    assert write(tmp_path, [["cat", "cat", "dog"], [], ["dog"]]) == (2, 4)


def test_a_word_that_fills_a_giant_chunk_keeps_its_frequency(tmp_path: Path) -> None:
    texts = [["a"] * (2**16 + 5), ["a", "b"], ["b"]]

    assert read(built(tmp_path, texts)) == counted(texts)


def test_more_pairs_than_16_bits_number_keep_apart(tmp_path: Path) -> None:
    triangle = np.concatenate([np.repeat(np.arange(row), np.arange(1, row + 1)) for row in range(370)])
    lengths = np.array([row * (row + 1) // 2 for row in range(370)])
    words = [f"{word:03}" for word in range(1, 370)]  # word w stands w times in every text from row w on
    batch = triangle.astype(np.int32), lengths
    write_postings(Folder(tmp_path), [batch], lambda: words, analyzer="words/1", k1=1.2, b=0.75)
    postings = Postings.open(tmp_path)

    assert len(postings.frequencies) == 369 * 370 // 2 > 2**16
    assert postings.codes.dtype == np.uint32
    expected = {f"{word:03}": [(row, word, row * (row + 1) // 2) for row in range(word, 370)] for word in range(1, 370)}
    assert read(postings) == expected


def test_ceilings_stand_for_the_best_postings_among_chunks_of_average_length(tmp_path: Path) -> None:
    texts = [["a"] * (1 + row % 7) + ["b"] * (row % 5) + [f"c{row % 300}"] for row in range(1_200)]
    postings = built(tmp_path, texts)
    saturation = postings.saturations(postings.tokens / postings.chunks)

    for term in range(len(postings.vocabulary)):
        begin, end = postings.offsets[term : term + 2].tolist()
        best = np.sort(saturation[postings.codes[begin:end]])[::-1].tolist()
        reached = [rank for rank in LEVELS if rank <= len(best)]
        found = saturation[postings.ceilings[term]].tolist()[: len(reached)]
        assert found == [best[rank - 1] for rank in reached]


def test_terms_of_more_than_one_chunk_in_16_have_bitmaps_and_no_others(tmp_path: Path) -> None:
    texts = [["every", *["just"] * (row < 11), *["more"] * (row < 10)] for row in range(160)]
    postings = built(tmp_path, texts)

    assert FREQUENT == 16
    assert [postings.vocabulary[term] for term in postings.frequent] == ["every", "just"]
    for number, term in enumerate(postings.frequent):
        rows = postings.rows[postings.offsets[term] : postings.offsets[term + 1]]
        assert postings.bitmaps[number].tolist() == fill_bitmap_in_numpy(rows, 3).tolist()


def test_hidden_chunks_are_not_counted(tmp_path: Path) -> None:
    shown, among = [["a", "b"], ["b"]], [["a", "b"], [], ["b"], []]
    own, with_hidden = built(tmp_path / "own", shown), built(tmp_path / "with", among, hidden=2)

    assert (with_hidden.chunks, with_hidden.tokens) == (own.chunks, own.tokens) == (2, 3)
    saturations = [postings.saturations(postings.tokens / postings.chunks) for postings in (own, with_hidden)]
    assert saturations[0][own.ceilings].tolist() == saturations[1][with_hidden.ceilings].tolist()

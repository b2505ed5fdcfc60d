from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("safetensors", reason="needs the extra 'static'")
pytest.importorskip("tokenizers", reason="needs the extra 'static'")

from safetensors.numpy import save_file
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from evidex.config import EmbeddingSettings
from evidex.embedding.packaged import packaged_file
from evidex.embedding.static import TABLE, StaticEmbedder, make
from evidex.errors import ConfigError

PACKAGED = packaged_file("wordllama", TABLE.ending) is not None
needs_package = pytest.mark.skipif(not PACKAGED, reason="needs the extra 'static'")
WORDS = {"[UNK]": 0, "red": 1, "green": 2, "blue": 3}
ROWS = [[9.0, 9.0, 9.0, 9.0], [3.0, 4.0, 0.0, 0.0], [0.0, 0.0, 5.0, 0.0], [1.0, 0.0, 0.0, 1.0]]


def folder_of(path: Path, rows: list[list[float]] = ROWS) -> Path:
    tokenizer = Tokenizer(WordLevel(WORDS, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.enable_padding(length=128)
    tokenizer.enable_truncation(2)
    path.mkdir(exist_ok=True)
    tokenizer.save(str(path / "tokenizer.json"))
    save_file({"embeddings": np.array(rows, np.float16)}, path / "embeddings.safetensors")
    return path


def embedder_of(path: Path, **values: object) -> StaticEmbedder:
    return make(EmbeddingSettings.model_validate({"width": 4} | values | {"model": str(folder_of(path))}), path)


def test_a_text_is_the_mean_of_its_token_vectors_by_its_length(tmp_path: Path) -> None:
    # (3, 4, 0, 0) and (0, 0, 5, 0) have the mean (3, 4, 5, 0) / 2, of length √50 / 2.
    found = embedder_of(tmp_path).embed(["red green"], role="passage")
    assert found.vectors[0] == pytest.approx(np.array([3, 4, 5, 0]) / np.sqrt(50), abs=1e-6)


def test_a_width_is_the_prefix_of_the_table_normalised_again(tmp_path: Path) -> None:
    found = embedder_of(tmp_path, width=2).embed(["red green", "red", "green"], role="passage")
    assert found.vectors == pytest.approx(np.array([[3 / 5, 4 / 5], [3 / 5, 4 / 5], [0, 0]]), abs=1e-6)


def test_unknown_tokens_are_counted_and_take_no_part_in_the_mean(tmp_path: Path) -> None:
    found = embedder_of(tmp_path).embed(["red zebra", "zebra", "", "red"], role="query")
    assert (found.known, found.unknown, found.truncated) == ((1, 0, 0, 1), (1, 1, 0, 0), (0, 0, 0, 0))
    assert found.vectors[0].tobytes() == found.vectors[3].tobytes()
    assert not found.vectors[1:3].any()


def test_truncation_and_padding_saved_in_the_tokenizer_are_undone(tmp_path: Path) -> None:
    assert embedder_of(tmp_path).embed(["red green blue red"], role="passage").known == (4,)


def test_a_prefix_moves_the_vector_but_counts_as_no_token_of_the_text(tmp_path: Path) -> None:
    found = embedder_of(tmp_path, query_prefix="blue ").embed(["red", "zebra", ""], role="query")
    assert (found.known, found.unknown) == ((1, 0, 0), (0, 1, 0))
    assert found.vectors[0] == pytest.approx(np.array([4, 4, 0, 1]) / np.sqrt(33), abs=1e-6)
    assert not found.vectors[1:].any()


def test_another_table_is_another_contract(tmp_path: Path) -> None:
    one = embedder_of(tmp_path / "a").contract
    rows = [*ROWS[:3], [1.0, 0.0, 0.0, 2.0]]
    other = make(EmbeddingSettings(model=str(folder_of(tmp_path / "b", rows)), width=4), tmp_path).contract
    assert [name for name, _, _ in one.differences(other)] == ["model", "weights"]


def test_a_width_above_the_table_is_an_error_that_names_both(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"256.*width 4"):
        embedder_of(tmp_path, width=256)


def test_a_folder_without_a_table_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="nowhere"):
        make(EmbeddingSettings(model=str(tmp_path / "nowhere")), tmp_path)


@pytest.mark.parametrize("name", ["embeddings.safetensors", "tokenizer.json"])
def test_a_damaged_file_is_an_error_that_names_it(tmp_path: Path, name: str) -> None:
    (folder_of(tmp_path) / name).write_bytes(b"{}")
    with pytest.raises(ConfigError, match=name):
        make(EmbeddingSettings(model=str(tmp_path), width=4), tmp_path)


def test_a_table_with_fewer_rows_than_the_tokenizer_has_tokens_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="4 tokens, the table 3 rows"):
        make(EmbeddingSettings(model=str(folder_of(tmp_path, ROWS[:3])), width=4), tmp_path)


@needs_package
@pytest.mark.parametrize("width", [64, 128, 256])
def test_the_packaged_table_gives_unit_vectors_that_follow_meaning(tmp_path: Path, width: int) -> None:
    embedder = make(EmbeddingSettings(width=width), tmp_path)
    texts = ["How do I get my money back?", "refund of a payment", "volcanoes of Iceland"]
    found = embedder.embed(texts, role="passage")
    assert found.vectors.shape == (3, width)
    assert np.linalg.norm(found.vectors.astype(np.float64), axis=1) == pytest.approx(1, abs=1e-6)
    assert found.vectors[0] @ found.vectors[1] > found.vectors[0] @ found.vectors[2]
    assert embedder.embed(texts[::-1], role="passage").vectors.tobytes() == found.vectors[::-1].tobytes()


@needs_package
def test_the_packaged_table_has_three_widths(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="100"):
        make(EmbeddingSettings(width=100), tmp_path)

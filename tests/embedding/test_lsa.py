from __future__ import annotations

import hashlib
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evidex.config import EmbeddingSettings
from evidex.embedding.lsa import COMPONENTS, DESCRIPTION, IDF, LsaEmbedder, make, make_trainer
from evidex.errors import ContractError, GenerationError
from evidex.storage import Folder, checksums
from evidex.types import Vectors

CORPUS = (
    "Refunds arrive within fourteen days of the request.",
    "A refund request needs the invoice number.",
    "The payment gateway reports error E1492 after a timeout.",
    "Timeouts of the gateway are retried three times.",
    "Invoices list every payment of the subscription.",
    "Cancel the subscription before the renewal date.",
)


def trained(folder: Path, texts: tuple[str, ...] = CORPUS, **values: object) -> LsaEmbedder:
    chosen = EmbeddingSettings.model_validate(values)
    make_trainer(chosen)(texts, folder)
    return make(chosen, folder)


def passages(embedder: LsaEmbedder, *texts: str) -> Vectors:
    return embedder.embed(texts, role="passage").vectors


def test_full_rank_vectors_keep_the_cosines_of_the_weighted_rows(tmp_path: Path) -> None:
    # Two documents, three terms: idf(apple) = idf(cherry) = ln(3/2) + 1 = a, idf(banana) = ln(3/3) + 1 = 1.
    a = math.log(3 / 2) + 1
    embedder = trained(tmp_path, ("apple banana", "banana cherry"))
    first, second = passages(embedder, "apple banana", "banana cherry").astype(float)
    assert embedder.contract.width == 2
    assert first @ second == pytest.approx(1 / (a**2 + 1), abs=1e-6)
    # apple projects to (a / √(2a² + 4), 1 / √2); its cosine with the first document is a / √(a² + 1), over its length.
    apple = embedder.embed(["apple"], role="query").vectors[0].astype(float)
    length = math.sqrt(a**2 / (2 * a**2 + 4) + 1 / 2)
    assert apple @ first == pytest.approx(a / math.sqrt(a**2 + 1) / length, abs=1e-6)


def test_one_dimension_is_the_direction_that_both_documents_share(tmp_path: Path) -> None:
    embedder = trained(tmp_path, ("apple banana", "banana cherry"), width=1)
    assert passages(embedder, "apple", "banana", "apple cherry").tolist() == [[1], [1], [1]]


def test_repeated_terms_weigh_one_plus_their_logarithm(tmp_path: Path) -> None:
    # One document: every idf is ln(2/2) + 1 = 1, so the row of "apple apple banana" is (1 + ln 2, 1) by its length.
    weight = 1 + math.log(2)
    trained(tmp_path, ("apple apple banana",))
    components = np.fromfile(tmp_path / COMPONENTS, "<f4")
    assert components == pytest.approx(np.array([weight, 1]) / math.sqrt(weight**2 + 1), abs=1e-6)
    assert np.fromfile(tmp_path / IDF, "<f8") == pytest.approx([1, 1])


def test_the_width_is_clipped_to_the_rank_and_the_contract_says_so(tmp_path: Path) -> None:
    assert trained(tmp_path / "six").contract.width == 6
    assert trained(tmp_path / "same", ("refund policy",) * 5).contract.width == 1
    assert trained(tmp_path / "narrow", width=2).contract.width == 2


def test_a_corpus_of_one_document_works(tmp_path: Path) -> None:
    embedder = trained(tmp_path, ("refund policy",))
    assert passages(embedder, "the refund", "invoice").tolist() == [[1], [0]]


@pytest.mark.parametrize("texts", [(), ("",), ("", "the of and", "?!")])
def test_a_corpus_without_terms_gives_zero_vectors_and_no_crash(tmp_path: Path, texts: tuple[str, ...]) -> None:
    embedder = trained(tmp_path, texts)
    found = embedder.embed(["refund policy", ""], role="query")
    assert found.vectors.tolist() == [[0], [0]]
    assert (found.known, found.unknown) == ((0, 0), (2, 0))


def test_known_and_unknown_tokens_are_counted_with_repetition(tmp_path: Path) -> None:
    embedder = trained(tmp_path)
    found = embedder.embed(["refund refund zebra", "zebra quagga zebra", "", "the of"], role="query")
    assert found.known == (2, 0, 0, 0)
    assert found.unknown == (1, 3, 0, 0)
    assert found.truncated == (0, 0, 0, 0)
    assert [bool(row.any()) for row in found.vectors] == [True, False, False, False]


def test_a_term_of_which_the_latent_space_holds_nothing_gives_the_zero_vector(tmp_path: Path) -> None:
    embedder = trained(tmp_path, ("apple banana", "apple banana", "zebra"), width=1)
    found = embedder.embed(["zebra", "apple"], role="query")
    assert found.known == (1, 1)
    assert found.vectors.tolist() == [[0], [1]]


def test_related_wording_is_nearer_than_unrelated(tmp_path: Path) -> None:
    embedder = trained(tmp_path, width=3)
    question, near, far = passages(embedder, "when do refunds arrive", CORPUS[1], CORPUS[3])
    assert question @ near > question @ far


def test_no_text_at_all_gives_no_vectors(tmp_path: Path) -> None:
    assert trained(tmp_path).embed([], role="passage").vectors.shape == (0, 6)


TEXTS = st.lists(st.sampled_from([*CORPUS, "zebra", "", "refund invoice refund", "E1492"]), max_size=8)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> LsaEmbedder:
    return trained(tmp_path_factory.mktemp("lsa"))


@settings(deadline=None)
@given(texts=TEXTS)
def test_a_vector_is_the_same_bytes_whatever_texts_are_beside_it(shared: LsaEmbedder, texts: list[str]) -> None:
    together = shared.embed(texts, role="passage").vectors
    lengths = np.linalg.norm(together.astype(np.float64), axis=1)
    assert all(abs(length - 1) < 1e-6 or length == 0 for length in lengths)
    for row, text in enumerate(texts):
        assert passages(shared, text).tobytes() == together[row].tobytes()


_TRAIN = """
import random, sys
from pathlib import Path
from evidex.config import EmbeddingSettings
from evidex.embedding.lsa import make_trainer
draw = random.Random(7)
texts = [" ".join(f"w{int(draw.paretovariate(0.4)) % 3000:04d}" for _ in range(30)) for _ in range(600)]
make_trainer(EmbeddingSettings(width=64))(texts, Path(sys.argv[1]))
"""


def test_two_processes_with_different_thread_counts_write_the_same_bytes(tmp_path: Path) -> None:
    for threads in ("1", "2"):
        limits = {"OMP_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": threads, "PYTHONHASHSEED": threads}
        target = str(tmp_path / threads)
        subprocess.run([sys.executable, "-c", _TRAIN, target], check=True, env={**os.environ, **limits})
    assert checksums(tmp_path / "1") == checksums(tmp_path / "2")
    assert set(checksums(tmp_path / "1")) == {DESCRIPTION, IDF, COMPONENTS}


def test_another_corpus_is_another_contract(tmp_path: Path) -> None:
    one, other = trained(tmp_path / "one").contract, trained(tmp_path / "other", CORPUS[:5]).contract
    assert "weights" in [name for name, _, _ in one.differences(other)]


def test_prefixes_of_the_settings_are_part_of_the_contract(tmp_path: Path) -> None:
    contract = trained(tmp_path, query_prefix="ask: ", passage_prefix="told: ").contract
    assert (contract.query_prefix, contract.passage_prefix) == ("ask: ", "told: ")


def test_a_folder_without_weights_is_an_error_that_says_to_rebuild(tmp_path: Path) -> None:
    with pytest.raises(GenerationError, match="evidex build"):
        make(EmbeddingSettings(), tmp_path)


@pytest.mark.parametrize("name", [DESCRIPTION, IDF, COMPONENTS])
def test_truncated_weights_are_an_error_and_never_other_vectors(tmp_path: Path, name: str) -> None:
    trained(tmp_path)
    data = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(data[:-4])
    with pytest.raises(GenerationError, match="evidex build"):
        make(EmbeddingSettings(), tmp_path)


def test_weights_of_another_analyzer_are_a_contract_error(tmp_path: Path) -> None:
    embedder = trained(tmp_path)
    description = (tmp_path / DESCRIPTION).read_bytes()
    name = embedder.contract.revision.split(" ", 1)[1].encode()
    Folder(tmp_path).write(DESCRIPTION, description.replace(name, b"older/0"))
    with pytest.raises(ContractError, match="analyzer"):
        make(EmbeddingSettings(), tmp_path)


def test_the_files_hold_what_the_digest_in_the_contract_says(tmp_path: Path) -> None:
    before = trained(tmp_path / "a").contract.weights
    assert before == trained(tmp_path / "b").contract.weights
    assert len(before) == hashlib.sha256().digest_size * 2

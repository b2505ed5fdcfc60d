from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evidex.config import EmbeddingSettings
from evidex.embedding.lsa import LsaEmbedder, make, make_trainer
from evidex.embedding.probes import PROBES, probe_vectors, require_unmoved
from evidex.errors import ContractError


def trained(folder: Path, texts: tuple[str, ...], **values: object) -> LsaEmbedder:
    chosen = EmbeddingSettings.model_validate(values)
    make_trainer(chosen)(texts, folder)
    return make(chosen, folder)


def test_the_embedder_that_sealed_the_probes_passes(tmp_path: Path) -> None:
    embedder = trained(tmp_path, PROBES)
    sealed = probe_vectors(embedder)
    assert sealed.shape == (2 * len(PROBES), embedder.contract.width)
    require_unmoved(sealed, embedder)


def test_an_embedder_of_the_same_width_that_speaks_otherwise_is_an_error(tmp_path: Path) -> None:
    sealed = probe_vectors(trained(tmp_path / "a", PROBES, width=3))
    other = trained(tmp_path / "b", (*PROBES[:3], "An invoice list of administrators."), width=3)
    with pytest.raises(ContractError, match=r"probe vectors.*embedding\.revision.*build and publish"):
        require_unmoved(sealed, other)


def test_a_lost_prefix_moves_the_probes(tmp_path: Path) -> None:
    corpus = (*PROBES, "warranty")
    embedder = trained(tmp_path, corpus, query_prefix="warranty ")
    with pytest.raises(ContractError, match="probe vectors"):
        require_unmoved(probe_vectors(embedder), make(EmbeddingSettings(), tmp_path))


def test_another_width_is_an_error(tmp_path: Path) -> None:
    embedder = trained(tmp_path, PROBES)
    with pytest.raises(ContractError, match="shape"):
        require_unmoved(probe_vectors(embedder)[:, :1], embedder)


def test_vectors_that_are_not_finite_never_pass(tmp_path: Path) -> None:
    embedder = trained(tmp_path, PROBES)
    with pytest.raises(ContractError):
        require_unmoved(np.full_like(probe_vectors(embedder), np.nan), embedder)

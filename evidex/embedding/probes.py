"""Does the embedder still say what it said when the generation was built? Vectors of fixed sentences, compared.

A contract names a model; only its vectors show that an endpoint serves another one under that name, or that a file
of weights has changed.
"""

from __future__ import annotations

import numpy as np

from evidex.errors import ContractError
from evidex.ports import Embedder
from evidex.types import Vectors

PROBES = (
    "How long does a refund take to arrive?",
    "Error E1492 means that the payment gateway timed out.",
    "The warranty ends two years after the day of delivery.",
    "Only administrators may export the list of invoices.",
)
"""Sentences whose vectors are sealed into a generation; a change of any makes older seals incomparable."""

LEAST_COSINE = 0.999
"""Another processor or library version moves a vector by rounding alone; another model moves it by far more."""


class MovedProbes(ContractError):
    """The embedder answers to the name of the one a generation was built with, and gives other vectors."""

    def __init__(self, built_with: object, found: object) -> None:
        super().__init__("probe vectors", built_with, found)
        # The contract does not show what has changed, so without another revision nothing would be built anew.
        self.remedy = "Bring the model back, or set embedding.revision to a new value, then build and publish."


def probe_vectors(embedder: Embedder) -> Vectors:
    """The vectors of the probes, shape (2 · probes, width): as queries, then as passages, so a lost prefix shows."""
    queries = embedder.embed(PROBES, role="query").vectors
    passages = embedder.embed(PROBES, role="passage").vectors
    return np.concatenate([queries, passages])


def require_unmoved(sealed: Vectors, embedder: Embedder) -> None:
    """Raise `MovedProbes` when a probe's vector is no longer the one that was sealed."""
    found = probe_vectors(embedder)
    if sealed.shape != found.shape:
        raise MovedProbes(f"shape {sealed.shape}", f"shape {found.shape}")
    distances = np.linalg.norm(sealed.astype(np.float64) - found, axis=1)
    for row, distance in enumerate(distances):
        # Of unit vectors |a - b|² = 2 - 2 cos; of two zero vectors the distance is 0, as it should be.
        cosine = 1 - float(distance) ** 2 / 2
        if not cosine >= LEAST_COSINE:
            raise MovedProbes(f"{PROBES[row % len(PROBES)]!r} at cosine 1", f"cosine {cosine:.4f}")

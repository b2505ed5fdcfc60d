"""Do the index and the query use one embedder? What a contract's fingerprint is, and which field differs."""

from __future__ import annotations

from dataclasses import asdict

from evidex.errors import ContractError
from evidex.ports import EmbedderContract
from evidex.storage import digest_of


def fingerprint(contract: EmbedderContract) -> str:
    """A digest of every field: two embedders may share vectors exactly when their fingerprints are equal."""
    return digest_of(asdict(contract))


def require_same(built_with: EmbedderContract, found: EmbedderContract) -> None:
    """Raise `ContractError` for the first field in which the embedder at hand differs from that of the index."""
    for field, built, at_hand in built_with.differences(found):
        raise ContractError(field, built, at_hand)

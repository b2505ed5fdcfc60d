"""Do the index and the query use one embedder? What a contract's fingerprint is, and which field differs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields

from evidex.errors import ContractError, GenerationError
from evidex.ports import EmbedderContract
from evidex.storage import digest_of

_JSON_TYPES: Mapping[str, type] = {"str": str, "int": int, "bool": bool}


def fingerprint(contract: EmbedderContract) -> str:
    """A digest of every field: two embedders may share vectors exactly when their fingerprints are equal."""
    return digest_of(asdict(contract))


def require_same(built_with: EmbedderContract, found: EmbedderContract) -> None:
    """Raise `ContractError` for the first field in which the embedder at hand differs from that of the index."""
    for field, built, at_hand in built_with.differences(found):
        raise ContractError(field, built, at_hand)


def contract_as_json(contract: EmbedderContract) -> dict[str, object]:
    """The contract as a JSON object, as a manifest holds it."""
    return asdict(contract)


def contract_from_json(values: Mapping[str, object]) -> EmbedderContract:
    """The contract that a manifest holds. Raises `GenerationError` naming the first field that is wrong."""
    known = {field.name: str(field.type) for field in fields(EmbedderContract)}
    if unlike := sorted(known.keys() ^ values.keys()):
        raise GenerationError(f"An embedder contract lacks or does not know the field {unlike[0]!r}.", _REBUILD)
    for name, declared in known.items():
        # Literal fields are strings; bool is asked for by its exact type because it is an int to isinstance.
        if type(values[name]) is not _JSON_TYPES.get(declared, str):
            raise GenerationError(f"An embedder contract has {name} {values[name]!r}.", _REBUILD)
    return EmbedderContract(**values)  # type: ignore[arg-type]  # checked field by field above


_REBUILD = "The generation is damaged or of another version of evidex: rebuild it with 'evidex build'."

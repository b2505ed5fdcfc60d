from __future__ import annotations

from dataclasses import asdict, fields, replace

import pytest

from evidex.embedding.contract import fingerprint, require_same
from evidex.errors import ContractError
from evidex.ports import EmbedderContract

BUILT = EmbedderContract(
    model="e5-small-v2",
    revision="1",
    weights="aa",
    query_prefix="query: ",
    passage_prefix="passage: ",
    pooling="mean",
    normalized=True,
    width=384,
    max_tokens=512,
    metric="cosine",
)
OTHER = {
    "model": "e5-base-v2",
    "revision": "2",
    "weights": "bb",
    "query_prefix": "",
    "passage_prefix": "",
    "pooling": "cls",
    "normalized": False,
    "width": 768,
    "max_tokens": 256,
    "metric": "dot",
}


def test_every_field_of_the_contract_has_a_case_here() -> None:
    assert set(OTHER) == {field.name for field in fields(EmbedderContract)}


@pytest.mark.parametrize("field", sorted(OTHER))
def test_a_mismatch_is_an_error_that_names_the_field_and_both_values(field: str) -> None:
    found = replace(BUILT, **{field: OTHER[field]})  # type: ignore[arg-type]
    with pytest.raises(ContractError) as raised:
        require_same(BUILT, found)
    assert (raised.value.field, raised.value.built_with, raised.value.found) == (
        field,
        asdict(BUILT)[field],
        OTHER[field],
    )
    assert field in str(raised.value)


@pytest.mark.parametrize("field", sorted(OTHER))
def test_contracts_that_differ_in_one_field_have_different_fingerprints(field: str) -> None:
    found = replace(BUILT, **{field: OTHER[field]})  # type: ignore[arg-type]
    assert fingerprint(BUILT) != fingerprint(found)


def test_equal_contracts_pass_and_have_one_fingerprint() -> None:
    require_same(BUILT, replace(BUILT))
    assert fingerprint(BUILT) == fingerprint(replace(BUILT))

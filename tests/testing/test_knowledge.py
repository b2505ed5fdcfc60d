from __future__ import annotations

from collections import Counter

import pytest

from evidex.grounding.locate import places
from evidex.testing.knowledge import OTHER_TENANT, TENANT, TODAY, knowledge

SEEDS = (0, 1, 2)


def test_a_seed_gives_the_same_knowledge_always_and_another_seed_another() -> None:
    assert knowledge(3) == knowledge(3)
    assert knowledge(3) != knowledge(4)


@pytest.mark.parametrize("seed", SEEDS)
def test_it_has_documents_and_questions_enough(seed: int) -> None:
    base = knowledge(seed)

    assert len(base.items) >= 40
    assert min(Counter(case.category for case in base.cases).values()) >= 8
    assert len({case.id for case in base.cases}) == len(base.cases)
    assert [case.id for case in base.cases] == sorted(case.id for case in base.cases)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_quote_stands_once_in_the_revision_that_is_in_force(seed: int) -> None:
    base = knowledge(seed)
    for case in base.cases:
        for evidence in case.evidence:
            texts = [
                item.content.decode()
                for item in base.items
                if item.metadata.id == evidence.document
                and item.metadata.tenant == (case.tenant or TENANT)
                and item.metadata.in_force(TODAY)
            ]
            assert len(texts) == 1
            assert len(list(places(evidence.quote, texts[0], 0, len(texts[0])))) == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_every_nugget_stands_in_the_evidence_of_its_case(seed: int) -> None:
    for case in knowledge(seed).cases:
        words = " ".join(evidence.quote for evidence in case.evidence)
        assert all(nugget in words for nugget in case.nuggets)
        assert bool(case.nuggets) == bool(case.answerable)


def test_both_tenants_and_withheld_documents_are_asked_about() -> None:
    cases = knowledge().cases

    assert {case.tenant for case in cases} == {None, OTHER_TENANT}
    assert all(case.answerable is False for case in cases if case.withheld)
    assert any(case.withheld for case in cases)

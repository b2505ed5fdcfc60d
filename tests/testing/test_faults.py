from __future__ import annotations

from dataclasses import fields

import pytest

from evidex.diagnosis.taxonomy import TYPES
from evidex.testing.faults import BY_NAME, FAULTS, Fault
from evidex.testing.knowledge import Knowledge, knowledge
from evidex.testing.pipeline import Pipeline, healthy
from evidex.testing.repairs import mended


@pytest.fixture(scope="module")
def base() -> Knowledge:
    return knowledge()


def test_faults_have_names_of_their_own_and_come_in_the_order_of_boundaries() -> None:
    assert len(BY_NAME) == len(FAULTS)
    boundaries = [int(fault.boundary[1:]) for fault in FAULTS]
    assert boundaries == sorted(boundaries)
    assert set(boundaries) == set(range(14))


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_belongs_to_a_type_of_loss_at_its_boundary(fault: Fault) -> None:
    assert TYPES[fault.type].boundary == fault.boundary


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_suits_cases_enough_and_leaves_the_others_alone(fault: Fault, base: Knowledge) -> None:
    suited = [case for case in base.cases if fault.suits(case)]

    assert len(suited) >= 8
    assert fault.plant(healthy(base, fault.bench), ()).items == base.items


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_planting_twice_gives_equal_pipelines(fault: Fault, base: Knowledge) -> None:
    cases = [case for case in base.cases if fault.suits(case)][:3]
    whole = healthy(base, fault.bench)

    assert fault.plant(whole, cases) == fault.plant(whole, cases) != whole


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_mending_its_boundary_leaves_nothing_of_a_fault_that_does_harm(fault: Fault, base: Knowledge) -> None:
    whole = healthy(base, fault.bench)
    faulty = fault.plant(whole, [case for case in base.cases if fault.suits(case)][:3])

    assert harm(mended(faulty, whole, fault.boundary), whole) == set()
    others = {f"B{number}" for number in range(14)} - {fault.boundary}
    for other in others:
        assert harm(mended(faulty, whole, other), whole) == {fault.boundary}


def harm(pipeline: Pipeline, whole: Pipeline) -> set[str]:
    """The boundaries at which a pipeline differs from one that is whole, but for what does no harm."""
    wraps = [
        wrap
        for each in fields(pipeline)
        if each.name in ("parsers", "chunkers", "analyzers", "models", "sealers", "line")
        for wrap in getattr(pipeline, each.name)
    ]
    found = {wrap.boundary for wrap in wraps if wrap.boundary}
    found |= {"B0"} if pipeline.items != whole.items else set()
    found |= {"B13"} if pipeline.cases != whole.cases else set()
    sections = {"retrieval": "B6", "context": "B9"}
    return found | {sections[section] for section, _, _ in pipeline.changed}

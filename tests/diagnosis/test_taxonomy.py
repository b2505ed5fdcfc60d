"""Every boundary and type, with its owner and experiment."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from evidex.diagnosis import taxonomy
from evidex.diagnosis.judge import CHECKS
from evidex.diagnosis.taxonomy import BOUNDARIES, TYPES, boundary_of

FOLDER = Path(taxonomy.__file__).parent


def test_boundaries_are_b0_to_b13_and_each_has_one_check_and_a_type() -> None:
    assert [boundary.id for boundary in BOUNDARIES] == [f"B{n}" for n in range(14)]
    assert len(CHECKS) == len(BOUNDARIES)
    assert {kind.boundary for kind in TYPES.values()} == {boundary.id for boundary in BOUNDARIES}


def test_types_are_in_the_order_of_the_boundaries() -> None:
    order = [BOUNDARIES.index(boundary_of(type)) for type in TYPES]

    assert order == sorted(order)


def test_every_type_that_a_boundary_names_is_in_the_table_at_that_boundary() -> None:
    for check, boundary in zip(CHECKS, BOUNDARIES, strict=True):
        file = FOLDER / f"{check.__module__.rpartition('.')[2]}.py"
        named = {
            node.value
            for node in ast.walk(ast.parse(file.read_text("utf-8")))
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in TYPES
        }

        assert named == {kind.id for kind in TYPES.values() if kind.boundary == boundary.id}, file


def test_every_type_has_an_owner_an_experiment_and_known_placeholders() -> None:
    for kind in TYPES.values():
        assert kind.owner
        assert kind.experiment
        assert set(re.findall(r"{(\w*)}", kind.experiment)) <= {"case", "question", "document", "again"}
        assert kind.barnett in {"", *(f"FP{n}" for n in range(1, 8))}


def test_the_documentation_lists_every_type_with_its_meaning_and_owner() -> None:
    page = FOLDER.parents[1] / "docs" / "diagnosis.md"
    if not page.is_file():
        pytest.skip("the documentation is not beside the package")
    rows = page.read_text("utf-8").partition("<!-- faults:begin -->")[0].splitlines()
    expected = [
        f"| {boundary_of(kind.id)} | `{kind.id}` | {kind.meaning} | {kind.owner} | {kind.barnett or '–'} |"
        for kind in TYPES.values()
    ]

    assert [row for row in rows if row.startswith("| B")] == expected

"""How many questions a difference needs, and which one so many can show."""

from __future__ import annotations

import pytest

from evidex.evaluation.statistics.power import detectable, needed


def test_questions_needed_for_reciprocal_ranks_that_vary_by_a_quarter() -> None:
    assert needed(0.25, 0.05) == 197
    assert needed(0.25, 0.02) == 1227


@pytest.mark.parametrize("n", [2, 50, 1000])
def test_what_n_questions_can_detect_needs_n_questions(n: int) -> None:
    assert needed(0.3, detectable(0.3, n)) in {n, n + 1}  # rounded up

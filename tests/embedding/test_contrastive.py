"""InfoNCE by its definition, its gradient by differences, and training that goes down it."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidex.embedding.contrastive import Pairs, fit, gradient, trained

T = 0.12
AXES = np.eye(3, dtype=np.float32)


def pairs(questions: object, passages: object, *answers: str) -> Pairs:
    return Pairs(np.array(questions, np.float32), np.array(passages, np.float32), answers)


def some(seed: int, count: int = 5, width: int = 4, same: int = 0) -> Pairs:
    random = np.random.default_rng(seed)
    names = [f"{max(0, at - same)}" for at in range(count)]
    return pairs(random.normal(size=(count, width)), random.normal(size=(count, width)), *names)


def test_the_loss_is_what_the_own_passage_gives_up_to_those_of_others() -> None:
    right = pairs(AXES[:2], AXES[:2], "a", "b")
    found = fit(np.eye(3), right, T)

    assert found.loss == pytest.approx(-log(exp(1 / T) / (exp(1 / T) + exp(0))))
    assert (found.positive, found.negative) == (1, 0)


def test_a_question_whose_passages_are_exchanged_loses_as_much_more_as_the_cosines_differ() -> None:
    wrong = pairs(AXES[:2], AXES[1::-1], "a", "b")

    assert fit(np.eye(3), wrong, T).loss == pytest.approx(-log(exp(0) / (exp(0) + exp(1 / T))))


def test_a_passage_that_answers_as_well_is_no_negative() -> None:
    twice = pairs(AXES[:2], AXES[[0, 0]], "a", "a")

    assert fit(np.eye(3), twice, T).loss == 0
    assert np.allclose(gradient(np.eye(3), twice, T), 0)


def test_only_directions_count() -> None:
    one, longer = some(1), some(1)
    longer.questions[:] *= 7

    assert fit(np.eye(4), one, T).loss == pytest.approx(fit(3 * np.eye(4), longer, T).loss)


@given(st.integers(0, 1000), st.integers(0, 2))
def test_the_gradient_is_that_of_the_loss(seed: int, same: int) -> None:
    of = some(seed, same=same)
    weights = np.random.default_rng(seed + 1).normal(size=(3, 4))
    found, step = gradient(weights, of, T), 1e-6

    for row, column in np.ndindex(weights.shape):
        moved = np.zeros_like(weights)
        moved[row, column] = step
        slope = (fit(weights + moved, of, T).loss - fit(weights - moved, of, T).loss) / (2 * step)
        assert found[row, column] == pytest.approx(slope, abs=1e-4 * max(1, np.abs(found).max()))


def test_training_begins_with_the_identity_and_lowers_the_loss() -> None:
    of = some(3, count=12, width=8)
    maps = list(trained(of, steps=50, temperature=T, rate=0.01))

    assert len(maps) == 51
    assert np.array_equal(maps[0], np.eye(8))
    assert fit(maps[-1], of, T).loss < fit(maps[0], of, T).loss / 2

"""MaxSim, by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from evidex.reranking.maxsim import maxsim
from evidex.types import Vectors


def rows(*values: tuple[float, ...]) -> Vectors:
    return np.array(values, dtype=np.float32)


def at_cosine(cosine: float, axis: int) -> tuple[float, ...]:
    """A unit vector whose cosine with the axis is `cosine`, the rest of it on a fourth axis."""
    vector = [0.0, 0.0, 0.0, math.sqrt(1 - cosine**2)]
    vector[axis] = cosine
    return tuple(vector)


THREE_TOKENS = rows((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0))


def test_each_query_token_counts_its_best_passage_token() -> None:
    assert maxsim(rows((1, 0), (0, 1)), rows((1, 0), (0.6, 0.8))) == pytest.approx(1 + 0.8)


def test_a_passage_with_every_query_token_scores_their_number() -> None:
    assert maxsim(THREE_TOKENS, THREE_TOKENS[::-1].copy()) == 3.0


def test_a_passage_of_distant_tokens_scores_the_sum_of_the_best_cosines() -> None:
    passage = rows(at_cosine(0.3, 0), at_cosine(0.282, 1), at_cosine(0.2, 2))
    assert maxsim(THREE_TOKENS, passage) == pytest.approx(0.3 + 0.282 + 0.2)


def test_the_sum_grows_with_the_query_and_not_with_the_passage() -> None:
    passage = rows((1, 0), (0.6, 0.8))
    longer_query = maxsim(rows((1, 0), (0, 1), (1, 0)), passage)
    longer_passage = maxsim(rows((1, 0), (0, 1)), rows((1, 0), (0.6, 0.8), (1, 0)))
    assert longer_query == pytest.approx(1 + 0.8 + 1)
    assert longer_passage == pytest.approx(1 + 0.8)


@pytest.mark.parametrize(("query", "passage"), [(0, 2), (2, 0), (0, 0)])
def test_without_tokens_on_one_side_the_score_is_zero(query: int, passage: int) -> None:
    assert maxsim(np.zeros((query, 3), np.float32), np.zeros((passage, 3), np.float32)) == 0.0


def test_tokens_of_different_widths_are_refused_with_both_widths() -> None:
    with pytest.raises(ValueError, match="2 wide and passage tokens 3"):
        maxsim(rows((1, 0)), rows((1, 0, 0)))

"""MaxSim by hand: of its definition, and of codes, whose mean times the number of query tokens it is."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from evidex.index.multivector import SealedTokenVectors
from evidex.index.strings import Strings
from evidex.index.token_codes import passage_codes
from evidex.types import ChunkId, Vectors
from tests.reranking.maxsim import maxsim

STEP = 1 / 127
"""To which codes of a passage are rounded."""


def of_codes(query_tokens: Vectors, passage_tokens: Vectors) -> float:
    codes = passage_codes(passage_tokens, 0, passage_tokens.shape[1])
    offsets, first_row = np.array([0, len(codes)]), np.zeros(1, np.int64)
    store = SealedTokenVectors(Strings.of("a"), codes.shape[1], offsets, first_row, (codes,))
    return float(store.maxsim(query_tokens, [ChunkId("a")])[0]) * len(query_tokens)


both = pytest.mark.parametrize("score", [maxsim, of_codes])
Score = Callable[[Vectors, Vectors], float]


def rows(*values: tuple[float, ...]) -> Vectors:
    return np.array(values, dtype=np.float32)


def at_cosine(cosine: float, axis: int) -> tuple[float, ...]:
    """A unit vector whose cosine with the axis is `cosine`, the rest of it on a fourth axis."""
    vector = [0.0, 0.0, 0.0, math.sqrt(1 - cosine**2)]
    vector[axis] = cosine
    return tuple(vector)


THREE_TOKENS = rows((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0))


@both
def test_each_query_token_counts_its_best_passage_token(score: Score) -> None:
    assert score(rows((1, 0), (0, 1)), rows((1, 0), (0.6, 0.8))) == pytest.approx(1 + 0.8, abs=STEP)


@both
def test_a_passage_with_every_query_token_scores_their_number(score: Score) -> None:
    assert score(THREE_TOKENS, THREE_TOKENS[::-1].copy()) == pytest.approx(3.0, abs=1e-6)


@both
def test_a_passage_of_distant_tokens_scores_the_sum_of_the_best_cosines(score: Score) -> None:
    passage = rows(at_cosine(0.3, 0), at_cosine(0.282, 1), at_cosine(0.2, 2))
    assert score(THREE_TOKENS, passage) == pytest.approx(0.3 + 0.282 + 0.2, abs=STEP)


@both
def test_the_sum_grows_with_the_query_and_not_with_the_passage(score: Score) -> None:
    passage = rows((1, 0), (0.6, 0.8))
    longer_query = score(rows((1, 0), (0, 1), (1, 0)), passage)
    longer_passage = score(rows((1, 0), (0, 1)), rows((1, 0), (0.6, 0.8), (1, 0)))
    assert longer_query == pytest.approx(1 + 0.8 + 1, abs=STEP)
    assert longer_passage == pytest.approx(1 + 0.8, abs=STEP)

"""What would a linear map of the vectors learn from questions and the passages that answer them?

InfoNCE (van den Oord, Li and Vinyals 2018) with in-batch negatives (Karpukhin and others, DPR, EMNLP 2020), at a
temperature t, over pairs of unit vectors q and p that went through one map W and were made unit again:

    loss = mean over i of  -log( exp(q_i p_i / t) / sum over j of exp(q_i p_j / t) )

A j whose passage answers i as well is no negative, and is left out of the sum. The gradient is exact, through the
normalisation too; steps are those of Adam (Kingma and Ba 2015), over all pairs at once, from the identity.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from evidex.types import Vectors

TEMPERATURE = 0.12
RATE = 0.001
_MOMENTUM, _SCALE, _TINY = 0.9, 0.999, 1e-8

Matrix: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Questions and passages, each of shape (pairs, width); `answers[i]` names what answers i, equal names the same."""

    questions: Vectors
    passages: Vectors
    answers: Sequence[str]

    @property
    def negative(self) -> NDArray[np.bool_]:
        """For each question, which passages do not answer it."""
        names = np.array(self.answers)
        return np.asarray(names[:, None] != names[None, :], np.bool_)


@dataclass(frozen=True, slots=True)
class Fit:
    """How well pairs fit: the loss, and the mean cosines of a question with its passage and with those of others."""

    loss: float
    positive: float
    negative: float


def trained(pairs: Pairs, *, steps: int, temperature: float = TEMPERATURE, rate: float = RATE) -> Iterator[Matrix]:
    """The map before the first step, the identity, and after each; its rows are the new components."""
    width = pairs.questions.shape[1]
    weights, momentum, scale = np.eye(width), np.zeros((width, width)), np.zeros((width, width))
    yield weights
    for step in range(1, steps + 1):
        slope = gradient(weights, pairs, temperature)
        momentum = _MOMENTUM * momentum + (1 - _MOMENTUM) * slope
        scale = _SCALE * scale + (1 - _SCALE) * slope**2
        steady, size = momentum / (1 - _MOMENTUM**step), np.sqrt(scale / (1 - _SCALE**step))
        weights = weights - rate * steady / (size + _TINY)
        yield weights


def fit(weights: Matrix, pairs: Pairs, temperature: float = TEMPERATURE) -> Fit:
    """How well pairs fit under a map."""
    questions, passages = _mapped(pairs.questions, weights)[0], _mapped(pairs.passages, weights)[0]
    cosines, negative = questions @ passages.T, pairs.negative
    chances = _chances(cosines, negative, temperature)
    return Fit(
        loss=float(-np.log(np.diag(chances)).mean()),
        positive=float(np.diag(cosines).mean()),
        negative=float(cosines[negative].mean()) if negative.any() else 0.0,
    )


def gradient(weights: Matrix, pairs: Pairs, temperature: float = TEMPERATURE) -> Matrix:
    """The derivative of the loss by the map, of the map's shape."""
    questions, question_lengths = _mapped(pairs.questions, weights)
    passages, passage_lengths = _mapped(pairs.passages, weights)
    chances = _chances(questions @ passages.T, pairs.negative, temperature)
    pull = (chances - np.eye(len(chances))) / (temperature * len(chances))
    return _through(pull @ passages, questions, question_lengths).T @ pairs.questions + (
        _through(pull.T @ questions, passages, passage_lengths).T @ pairs.passages
    )


def _mapped(vectors: Vectors, weights: Matrix) -> tuple[Matrix, Matrix]:
    """Unit vectors after the map, and the lengths that they had."""
    mapped = vectors @ weights.T
    lengths = np.linalg.norm(mapped, axis=1, keepdims=True)
    return mapped / lengths, lengths


def _chances(cosines: Matrix, negative: NDArray[np.bool_], temperature: float) -> Matrix:
    """For each question, the share of its own passage and of each negative; 0 for what answers it as well."""
    counted = negative | np.eye(len(cosines), dtype=np.bool_)
    logits = np.where(counted, cosines / temperature, -np.inf)
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), np.float64)


def _through(slopes: Matrix, units: Matrix, lengths: Matrix) -> Matrix:
    """Slopes by unit vectors as slopes by the vectors before they were made unit."""
    return np.asarray((slopes - units * (slopes * units).sum(axis=1, keepdims=True)) / lengths, np.float64)

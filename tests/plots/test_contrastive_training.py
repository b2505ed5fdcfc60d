from __future__ import annotations

import numpy as np
import pytest

from evidex.embedding.contrastive import Fit, Pairs
from evidex.errors import ConfigError
from evidex.plots import contrastive_training
from evidex.plots.contrastive_training import ContrastiveTraining
from evidex.plots.saving import svg_of


def pairs(seed: int, *answers: str) -> Pairs:
    random = np.random.default_rng(seed)
    questions, passages = random.normal(size=(2, len(answers), 6)).astype(np.float32)
    return Pairs(questions, passages, answers)


def curves(*held_out: float) -> ContrastiveTraining:
    fits = tuple(Fit(loss, 0.5, 0.1) for loss in held_out)
    return ContrastiveTraining("golden", 3, 2, fits, fits)


def test_pairs_are_trained_on_and_others_only_looked_at() -> None:
    data = contrastive_training.of("golden", pairs(1, "a", "b", "c"), pairs(2, "d", "e"), steps=20)

    assert (data.pairs, data.others, len(data.steps), len(data.held_out)) == (3, 2, 21, 21)
    assert data.steps[-1].loss < data.steps[0].loss


def test_the_best_step_is_the_first_after_which_the_others_fit_best() -> None:
    assert curves(2.0, 1.0, 1.0, 1.5).best == 1
    assert "help others most after step 1: 50% less loss" in svg_of(contrastive_training.draw(curves(2.0, 1.0, 1.0)))
    assert "would help no others" in svg_of(contrastive_training.draw(curves(1.0, 2.0)))


@pytest.mark.parametrize("answers", [(), ("a",), ("a", "a")])
def test_one_answer_has_no_negatives_to_learn_from(answers: tuple[str, ...]) -> None:
    with pytest.raises(ConfigError, match="no two questions with different answers"):
        contrastive_training.of("golden", pairs(1, "a", "b"), pairs(2, *answers))

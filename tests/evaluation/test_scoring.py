"""A run of any engine is measured as trec_eval would, with every question of the golden set in the mean."""

from __future__ import annotations

import pytest

from evidex.errors import ConfigError
from evidex.evaluation.golden import GoldenSet
from evidex.evaluation.scoring import score
from evidex.types import Case, DocumentId, Evidence


def case(id: str, *documents: str) -> Case:
    return Case(id, "?", tuple(Evidence(DocumentId(document)) for document in documents))


GOLDEN = GoldenSet("five", tuple(case(f"q{n}", "right") for n in range(5)))


def test_a_question_without_a_ranking_counts_as_0() -> None:
    run = {f"q{n}": (("right", 2.0), ("wrong", 1.0)) for n in range(4)}

    (mean,) = score(GOLDEN, run, ids=["RR"]).means

    assert (mean.mean, mean.n) == (4 / 5, 5)


def test_ties_fall_as_trec_eval_lets_them_or_as_given() -> None:
    golden = GoldenSet("one", (case("q", "a"),))
    run = {"q": (("a", 1.0), ("b", 1.0))}

    assert score(golden, run, ids=["RR"]).means[0].mean == 1 / 2  # by name, descending
    assert score(golden, run, ids=["RR"], ties="given").means[0].mean == 1


def test_a_query_that_is_no_case_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"answers 'q7', which is no case of 'five', nor 1 more"):
        score(GOLDEN, {"q7": (), "q8": (), "q1": ()})


def test_documents_that_are_called_otherwise_in_the_run_are_refused_and_not_scored_as_0() -> None:
    with pytest.raises(ConfigError, match=r"No document of the run .* 'RIGHT' there, 'right' here"):
        score(GOLDEN, {"q1": (("RIGHT", 1.0),)})


@pytest.mark.parametrize("id", ["fused/source:R@5", "chunk:R@5", "TokenF1", "fact:R"])
def test_what_a_ranking_of_documents_cannot_tell_is_refused(id: str) -> None:
    with pytest.raises(ConfigError, match="cannot be measured of a run alone"):
        score(GOLDEN, {}, ids=[id])


def test_a_question_about_nothing_is_undefined() -> None:
    (mean,) = score(GoldenSet("none", (case("q"),)), {"q": (("a", 1.0),)}, ids=["R@5"]).means

    assert (mean.mean, mean.undefined) == (None, 1)

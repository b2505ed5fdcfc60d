"""Where a measure says that it is trec_eval's, it is, to 1e-9, over thousands of random judgments and runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import ir_measures
import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from evidex.evaluation.metrics.average_precision import average_precision
from evidex.evaluation.metrics.bpref import bpref
from evidex.evaluation.metrics.judged import judged
from evidex.evaluation.metrics.ndcg import ndcg
from evidex.evaluation.metrics.precision import precision
from evidex.evaluation.metrics.recall import recall
from evidex.evaluation.metrics.reciprocal_rank import reciprocal_rank
from evidex.evaluation.metrics.success import success
from evidex.evaluation.trec import Scored, ordered

Qrels = dict[str, dict[str, int]]
Run = dict[str, dict[str, float]]
Measure = Callable[[Sequence[str], Mapping[str, int]], float | None]

CUTS = (1, 3, 10, 100)
OURS: dict[str, Measure] = {
    "recip_rank": reciprocal_rank,
    "bpref": bpref,
    "map": partial(average_precision, denominator="R"),
    "ndcg": partial(ndcg, gain="lin"),
    **{f"recall_{k}": partial(recall, k=k) for k in CUTS},
    **{f"P_{k}": partial(precision, k=k) for k in CUTS},
    **{f"success_{k}": partial(success, k=k) for k in CUTS},
    **{f"map_cut_{k}": partial(average_precision, denominator="R", k=k) for k in CUTS},
    **{f"ndcg_cut_{k}": partial(ndcg, gain="lin", k=k) for k in CUTS},
}
PAIRS = 200
NAMES = [f"{letter}{number}" for letter in ("d", "D", "é", "文", "x-") for number in (*range(6), 10)]


def pairs(seed: int, *, distinct: bool) -> tuple[Qrels, Run]:
    """Queries with grades from -2 to 4, unjudged documents, nothing relevant, nothing ranked, or no judgments at all."""
    random = np.random.default_rng(seed)
    qrels: Qrels = {}
    run: Run = {}
    for query in map(str, range(PAIRS)):
        names = random.permutation(NAMES).tolist()
        grades = random.integers(*((-2, 1), (-2, 5), (0, 2), (1, 4))[random.integers(4)], len(names)).tolist()
        ranked = random.permutation(NAMES).tolist()[: random.integers(len(NAMES) + 1)]
        scores = (
            np.cumsum(random.integers(1, 1000, len(ranked))) / 8
            if distinct
            else random.integers(4, size=len(ranked)) / 3
        )
        if random.random() < 0.98:
            qrels[query] = dict(zip(names[: random.integers(1, len(names) + 1)], grades, strict=False))
        if random.random() < 0.98:
            run[query] = dict(zip(ranked, random.permutation(scores).tolist(), strict=True))
    return qrels, run


def as_read(scores: Mapping[str, float]) -> Scored:
    return tuple(scores.items())


def survivable(qrels: Qrels, run: Run) -> tuple[Qrels, Run]:
    """Without what ends the process in pytrec_eval 0.5.11: empty rankings, and queries with negative grades alone."""
    return (
        {query: grades for query, grades in qrels.items() if max(grades.values()) >= 0},
        {query: scores for query, scores in run.items() if scores},
    )


def agree(qrels: Qrels, run: Run) -> int:
    """Hold every measure against pytrec_eval's; the number of pairs of judgments and ranking that this compared."""
    asked, ranked = survivable(qrels, run)
    parameters = ",".join(map(str, CUTS))
    measures = {f"{name}.{parameters}" for name in ("recall", "P", "success", "map_cut", "ndcg_cut")}
    evaluator = pytrec_eval.RelevanceEvaluator(asked, measures | {"recip_rank", "bpref", "map", "ndcg", "num_rel"})
    theirs = evaluator.evaluate(ranked)
    assert theirs.keys() == asked.keys() & ranked.keys()
    for query, expected in theirs.items():
        ranking = ordered(as_read(run[query]), ties="trec")
        for name, measure in OURS.items():
            value = measure(ranking, qrels[query])
            if expected["num_rel"] == 0:
                assert value is None, (name, query)
            else:
                assert value is not None and abs(value - expected[name]) <= 1e-9, (name, query)
    return len(theirs)


@settings(max_examples=35)
@given(st.integers(0, 2**32 - 1))
def test_every_measure_equals_trec_eval_where_scores_differ(seed: int) -> None:
    assert agree(*pairs(seed, distinct=True)) > 150  # of 200: 35 times this is more than 5,000


@settings(max_examples=35)
@given(st.integers(0, 2**32 - 1))
def test_every_measure_equals_trec_eval_where_scores_are_tied(seed: int) -> None:
    assert agree(*pairs(seed, distinct=False)) > 150  # of 200: 35 times this is more than 5,000


IDS = st.sampled_from(["a", "b", "B", "c10", "c9", "ü"])
NEAR_ONE = [1.0, 1.0 + 1e-9, 1.0 - 1e-9, 1.0 + 1e-6, -1.0, 0.0, -0.0, 3e38, 1e39, 1e300]


@settings(max_examples=300)
@given(
    st.dictionaries(IDS, st.integers(-3, 5), min_size=1),
    st.dictionaries(IDS, st.sampled_from(NEAR_ONE) | st.floats(-10, 10)),
)
def test_scores_that_only_float64_tells_apart_are_ties_to_trec_eval(
    grades: dict[str, int], scores: dict[str, float]
) -> None:
    agree({"1": grades}, {"1": scores})


@pytest.mark.parametrize("name", OURS)
def test_what_pytrec_eval_does_not_survive_is_0_without_a_ranking_and_undefined_without_a_relevant_item(
    name: str,
) -> None:
    assert OURS[name]((), {"a": 1, "b": 0}) == 0
    assert OURS[name](("a", "b"), {"a": -1, "b": -2}) is None
    assert OURS[name]((), {}) is None


@settings(max_examples=10)
@given(st.integers(0, 2**32 - 1))
def test_exponential_gain_is_linear_gain_of_two_to_the_grade_less_one(seed: int) -> None:
    qrels, run = pairs(seed, distinct=False)
    gains = {query: {id: 2 ** max(grade, 0) - 1 for id, grade in grades.items()} for query, grades in qrels.items()}
    gains, run = survivable(gains, run)
    theirs = pytrec_eval.RelevanceEvaluator(gains, {"ndcg_cut.1,3,10,100", "num_rel"}).evaluate(run)

    for query, expected in theirs.items():
        for k in CUTS:
            value = ndcg(ordered(as_read(run[query])), qrels[query], gain="exp", k=k)
            assert value == (pytest.approx(expected[f"ndcg_cut_{k}"], abs=1e-9) if expected["num_rel"] else None)


def test_exponential_gain_is_that_of_gdeval() -> None:
    measure = ir_measures.nDCG(dcg="exp-log2") @ 10
    gdeval = ir_measures.providers.registry["gdeval"]
    if not gdeval.is_available():
        pytest.skip("gdeval needs perl")
    qrels, run = pairs(1, distinct=True)
    found = {metric.query_id: metric.value for metric in gdeval.iter_calc([measure], qrels, run)}

    compared = 0
    for query in qrels.keys() & run.keys():
        value = ndcg(ordered(as_read(run[query])), qrels[query], gain="exp", k=10)
        if value is not None and query in found:
            assert value == pytest.approx(found[query], abs=5.1e-6)  # it prints five digits
            compared += 1
    assert compared > 100


def test_judged_is_that_of_ir_measures() -> None:
    qrels, run = pairs(2, distinct=True)
    _, run = survivable(qrels, run)
    for k in CUTS:
        found = list(ir_measures.iter_calc([ir_measures.Judged @ k], qrels, run))
        compared = {metric.query_id: metric.value for metric in found if metric.query_id in run}
        assert len(compared) > 150
        for query, expected in compared.items():
            assert judged(ordered(as_read(run[query])), qrels[query], k=k) == pytest.approx(expected, abs=1e-9)

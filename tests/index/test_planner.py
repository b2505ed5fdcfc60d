from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidex.errors import ConfigError, GenerationError
from evidex.index.approximate import Approximation
from evidex.index.compression import Codes, Compression
from evidex.index.planner import OVERSAMPLINGS, Plan, Sample, Trial, held_out, interval, plan
from evidex.index.ranges import RowRanges
from evidex.types import Vectors
from tests.index.test_exact import brute_force, normal, store_of


def clustered(rows: int, width: int) -> Vectors:
    centres, random = normal(1, 30, width), np.random.default_rng(2)
    matrix = centres[random.integers(0, 30, rows)] + random.normal(scale=0.5 / sqrt(width), size=(rows, width))
    unit: Vectors = (matrix / np.linalg.norm(matrix, axis=1, keepdims=True)).astype(np.float32)
    return unit


def planned(matrix: Vectors, *, queries: int = 60, k: int = 10, target: float = 0.9) -> Plan:
    store = store_of(matrix)
    return plan(store, held_out(store, queries=queries), k=k, target=target)


def by_code(found: Plan, kind: str, width: int) -> list[Trial]:
    return [trial for trial in found.trials if (trial.kind, trial.width) == (kind, width)]


def test_recall_is_the_share_of_the_true_neighbours_that_was_found() -> None:
    matrix = clustered(1500, 64)
    store, sample = store_of(matrix), held_out(store_of(matrix), queries=40)
    shares = []
    for query, ranges in zip(sample.vectors, sample.ranges, strict=True):
        best = {row for row, _ in brute_force(matrix, ranges.rows().astype(np.int64), query, 10)}
        by = Approximation(Codes.of(matrix, Compression("binary", 64)), 1)
        shares.append(len(best.intersection(by.nearest(store, query[None], ranges, 10)[0][0].tolist())) / 10)
    (trial, *_) = by_code(plan(store, sample, k=10, target=0.9), "binary", 64)
    assert trial.oversampling == 1
    assert trial.recall == pytest.approx(np.mean(shares))
    assert 0 < trial.recall < 1


def test_the_choice_is_the_smallest_that_was_shown_to_meet_the_target() -> None:
    found = planned(clustered(3000, 64), queries=120)
    assert found.trials[0].kind == "exact"
    assert found.choice.low >= 0.9
    meeting = [trial for trial in found.trials if trial.low >= 0.9]
    assert found.choice.bytes_per_vector == min(trial.bytes_per_vector for trial in meeting)
    assert found.choice.bytes_per_vector < found.trials[0].bytes_per_vector
    for trial in found.trials:
        assert trial.low <= trial.recall <= trial.high


def test_longer_shortlists_are_tried_until_one_meets_the_target() -> None:
    trials = by_code(planned(clustered(3000, 64)), "binary", 32)
    assert [trial.oversampling for trial in trials] == list(OVERSAMPLINGS[: len(trials)])
    assert all(trial.low < 0.9 for trial in trials[:-1])
    assert [trial.recall for trial in trials] == sorted(trial.recall for trial in trials)


def test_at_any_length_of_shortlist_a_wider_code_finds_as_much_or_more() -> None:
    found = planned(clustered(2000, 128), target=0.999)
    for kind in ("float16", "int8", "binary"):
        for oversampling in (1, 2, 4):
            recalls = [
                trial.recall
                for width in (32, 64, 128)
                for trial in by_code(found, kind, width)
                if trial.oversampling == oversampling
            ]
            assert recalls == sorted(recalls)


def test_the_same_vectors_give_the_same_figures_but_for_time() -> None:
    matrix = clustered(800, 48)
    figures = [
        [(t.kind, t.width, t.oversampling, t.bytes_per_vector, t.recall, t.low, t.high) for t in planned(matrix).trials]
        for _ in range(2)
    ]
    assert figures[0] == figures[1]


def test_a_held_out_passage_does_not_find_itself() -> None:
    matrix = normal(1, 50, 16)
    sample = held_out(store_of(matrix), queries=50)
    for number, (query, ranges) in enumerate(zip(sample.vectors, sample.ranges, strict=True)):
        assert np.array_equal(query, matrix[number])
        assert ranges.rows().tolist() == [row for row in range(50) if row != number]


def test_more_hits_than_passages_are_said_to_be_fewer() -> None:
    found = planned(normal(1, 6, 16), k=10)
    assert found.k == 5
    assert "There are 5 passages to find, so recall is at 5 and not at 10." in found.notes
    assert found.choice.kind == "exact"  # every shortlist would hold all that there is
    assert found.trials == (found.choice,)


def test_too_few_queries_are_said_to_prove_nothing() -> None:
    found = planned(clustered(2000, 64), queries=20, target=0.95)
    assert "20 queries are too few to show a recall of 0.95, even where nothing is missed." in found.notes
    assert found.choice.kind == "exact"


def test_where_all_vectors_are_equal_nothing_can_be_missed() -> None:
    found = planned(np.repeat(normal(1, 1, 32), 600, axis=0), queries=100)
    assert "The vectors are all equal: everything ties, and nothing can be missed." in found.notes
    assert {trial.recall for trial in found.trials} == {1.0}


@pytest.mark.parametrize("rows", [0, 1])
def test_without_two_passages_there_is_nothing_to_compare(rows: int) -> None:
    with pytest.raises(GenerationError, match=f"has {rows} passages with a vector"):
        held_out(store_of(normal(1, rows, 8) if rows else np.zeros((3, 8), np.float32)), queries=5)


@pytest.mark.parametrize(("target", "k"), [(0.0, 10), (1.0, 10), (float("nan"), 10), (0.9, 0)])
def test_a_target_that_cannot_be_met_or_missed_is_refused(target: float, k: int) -> None:
    with pytest.raises(ConfigError, match=f"k = {k}"):
        planned(normal(1, 9, 8), target=target, k=k)


def test_recall_against_judgments_is_another_figure() -> None:
    matrix = clustered(300, 32)
    store = store_of(matrix)
    queries = matrix[:2]
    ranges = (RowRanges.of(np.ones(300, np.bool_)),) * 2
    documents = np.arange(300, dtype=np.int32)
    # The first question is answered by its own passage alone, the second by one that is nowhere.
    sample = Sample("questions", queries, ranges, (frozenset({0}), frozenset({10**6})))
    found = plan(store, sample, k=5, documents=documents)
    assert found.trials[0].recall == 1
    assert found.trials[0].judged == 1 / 2
    assert planned(matrix).trials[0].judged is None


@given(st.lists(st.integers(0, 10), min_size=1, max_size=60))
def test_the_interval_holds_the_mean_and_narrows_with_more_queries(hits: list[int]) -> None:
    shares = [count / 10 for count in hits]
    low, high = interval(shares)
    assert 0 <= low <= np.mean(shares) + 1e-12
    assert np.mean(shares) - 1e-12 <= high <= 1
    more_low, more_high = interval(shares * 4)
    assert more_high - more_low <= high - low + 1e-12


def test_for_shares_of_0_and_1_it_is_wilsons() -> None:
    # 8 of 10, z = 1.96: (0.8 + z²/20 ± z sqrt(0.8 · 0.2 / 10 + z² / 400)) / (1 + z²/10)
    z2 = 1.959963984540054**2
    middle, half = 0.8 + z2 / 20, sqrt(z2) * sqrt(0.016 + z2 / 400)
    assert interval([1.0] * 8 + [0.0] * 2) == pytest.approx(
        ((middle - half) / (1 + z2 / 10), (middle + half) / (1 + z2 / 10))
    )

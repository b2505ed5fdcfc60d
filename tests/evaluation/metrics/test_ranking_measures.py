"""What the measures of a ranking have in common: worked values side by side, and what may not change them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import log2

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evidex.evaluation.metrics.average_precision import average_precision
from evidex.evaluation.metrics.bpref import bpref
from evidex.evaluation.metrics.judged import judged
from evidex.evaluation.metrics.ndcg import ndcg
from evidex.evaluation.metrics.precision import precision
from evidex.evaluation.metrics.recall import recall
from evidex.evaluation.metrics.reciprocal_rank import reciprocal_rank
from evidex.evaluation.metrics.success import success

Measure = Callable[[Sequence[str], Mapping[str, int]], float | None]


def measures(k: int) -> dict[str, Measure]:
    return {
        "R": partial(recall, k=k),
        "Success": partial(success, k=k),
        "P": partial(precision, k=k),
        "RR": partial(reciprocal_rank, k=k),
        "AP(R)": partial(average_precision, denominator="R", k=k),
        "AP(min)": partial(average_precision, denominator="min", k=k),
        "nDCG(lin)": partial(ndcg, gain="lin", k=k),
        "nDCG(exp)": partial(ndcg, gain="exp", k=k),
        "Bpref": bpref,
        "Judged": partial(judged, k=k),
    }


def panel(ranking: Sequence[str], grades: Mapping[str, int], k: int) -> dict[str, float | None]:
    return {name: measure(ranking, grades) for name, measure in measures(k).items()}


def test_four_chunks_of_which_the_first_and_the_third_are_relevant() -> None:
    found = panel(["c1", "c2", "c3", "c4"], {"c1": 2, "c3": 1}, 4)

    assert recall(["c1", "c2", "c3", "c4"], {"c1": 2, "c3": 1}, k=2) == 1 / 2
    assert found == pytest.approx(
        {
            "R": 1,
            "Success": 1,
            "P": 2 / 4,
            "RR": 1,
            "AP(R)": (1 / 1 + 2 / 3) / 2,
            "AP(min)": (1 / 1 + 2 / 3) / 2,
            "nDCG(lin)": (2 + 1 / log2(4)) / (2 + 1 / log2(3)),
            "nDCG(exp)": (3 + 1 / log2(4)) / (3 + 1 / log2(3)),
            "Bpref": 1,
            "Judged": 2 / 4,
        }
    )
    assert found["nDCG(exp)"] == pytest.approx(0.9639, abs=5e-5)
    assert found["nDCG(lin)"] == pytest.approx(0.9502, abs=5e-5)


def test_equal_reciprocal_rank_hides_what_recall_and_gain_show() -> None:
    grades = {"A": 2, "B": 1}
    both, one = panel(["A", "x", "B"], grades, 3), panel(["A", "x", "y"], grades, 3)

    assert both["RR"] == one["RR"] == 1
    assert (both["R"], one["R"]) == (1, 1 / 2)
    assert both["nDCG(exp)"] == pytest.approx((3 + 1 / 2) / (3 + 1 / log2(3)))
    assert one["nDCG(exp)"] == pytest.approx(3 / (3 + 1 / log2(3)))


@pytest.mark.parametrize("name", measures(3))
def test_a_duplicate_is_refused_by_name_wherever_it_stands(name: str) -> None:
    with pytest.raises(ValueError, match="'c1' twice"):
        measures(3)[name](["c1", "c1"], {"c1": 1})
    with pytest.raises(ValueError, match="'c9' twice"):
        measures(1)[name](["c1", "c2", "c9", "c9"], {"c1": 1})


@pytest.mark.parametrize("name", measures(3))
def test_without_a_relevant_item_a_measure_is_undefined_and_not_0_or_1(name: str) -> None:
    measure = measures(3)[name]

    assert measure(["a"], {}) is None
    assert measure([], {"a": 0}) is None
    if name != "Judged":
        assert measure(["a", "b"], {"a": 0, "b": -1}) is None


@pytest.mark.parametrize("name", sorted(measures(3).keys() - {"Bpref"}))
def test_a_cut_below_1_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="k is 0"):
        measures(0)[name](["a"], {"a": 1})


ITEMS = [*"abcdefgh"]
GRADES = st.dictionaries(st.sampled_from(ITEMS), st.integers(-1, 3), min_size=1)
RANKINGS = st.lists(st.sampled_from(ITEMS), unique=True)
CUTS = st.integers(1, 10)


@given(RANKINGS, GRADES, CUTS)
def test_every_measure_is_undefined_or_within_0_and_1(ranking: list[str], grades: dict[str, int], k: int) -> None:
    for name, value in panel(ranking, grades, k).items():
        assert value is None or 0 <= value <= 1 + 1e-12, name


@given(GRADES)
def test_the_best_order_is_worth_1(grades: dict[str, int]) -> None:
    relevant = sorted((id for id in grades if grades[id] > 0), key=lambda id: -grades[id])
    assume(relevant)
    found = panel(relevant, grades, len(relevant))

    assert {name: value for name, value in found.items() if value != pytest.approx(1)} == {}


@given(RANKINGS, GRADES, CUTS)
def test_items_that_are_not_relevant_change_nothing_behind_the_last_relevant_one(
    ranking: list[str], grades: dict[str, int], k: int
) -> None:
    longer = [*ranking, "unjudged", "bad"]
    judged_too = {**grades, "bad": 0}
    for name in ("R", "RR", "Success", "P", "AP(R)", "AP(min)", "nDCG(lin)", "nDCG(exp)"):
        assert measures(k)[name](longer, judged_too) == measures(k)[name](ranking, grades), name


@given(RANKINGS, GRADES, CUTS, st.data())
def test_a_relevant_item_that_moves_up_past_another_never_costs_anything(
    ranking: list[str], grades: dict[str, int], k: int, data: st.DataObject
) -> None:
    rising = [
        at for at in range(1, len(ranking)) if grades.get(ranking[at], 0) > max(0, grades.get(ranking[at - 1], 0))
    ]
    assume(rising)
    at = data.draw(st.sampled_from(rising))
    better = [*ranking[: at - 1], ranking[at], ranking[at - 1], *ranking[at + 1 :]]

    before, after = panel(ranking, grades, k), panel(better, grades, k)
    for name in before.keys() - {"Judged"}:
        old, new = before[name], after[name]
        assert old is not None and new is not None and new >= old - 1e-12, name


@given(RANKINGS, GRADES, CUTS)
def test_an_unjudged_item_at_the_top_is_known_to_judged_and_not_to_bpref(
    ranking: list[str], grades: dict[str, int], k: int
) -> None:
    longer = ["unjudged", *ranking]
    count = sum(id in grades for id in longer[:k])

    assert judged(longer, grades, k=k) == count / min(k, len(longer))
    assert bpref(longer, grades) == bpref(ranking, grades)


@given(RANKINGS, GRADES, CUTS)
def test_the_order_in_which_judgments_were_made_changes_no_bit(
    ranking: list[str], grades: dict[str, int], k: int
) -> None:
    assert panel(ranking, dict(reversed(grades.items())), k) == panel(ranking, grades, k)

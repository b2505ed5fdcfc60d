from evidex.plots import funnel
from evidex.plots.saving import svg_of
from tests.plots.reports import report, row, three


def test_every_step_counts_the_facts_that_are_still_there() -> None:
    data = funnel.of(three())

    assert data.facts == 1 + 1 + 2
    assert [(step.name, step.kept) for step in data.steps] == [
        ("sparse", 2),
        ("dense", 2),
        ("candidates", 3),
        ("fused", 2),  # 51 is beyond the 50 that fusion lets on
        ("reranked", 1),
        ("context", 1),
        ("cited", 1),
    ]


def test_the_greatest_loss_is_the_earliest_of_equals_and_channels_do_not_count() -> None:
    step, lost = funnel.of(three()).greatest_loss or (None, 0)

    assert step is not None
    assert (step.name, lost) == ("candidates", 1)


def test_the_random_draw_is_the_one_the_run_measured() -> None:
    measured = report(row("a", values=(("random/fact:R@20", 0.25),)), measures=("random/fact:R@20",))

    assert (funnel.of(measured).chance, funnel.of(measured).drawn) == (0.25, 20)
    assert funnel.of(three()).chance is None


def test_a_run_without_evidence_has_a_picture_that_says_so() -> None:
    assert "No question of this run has evidence" in svg_of(funnel.draw(funnel.of(report(row("a")))))


def test_the_title_says_how_much_is_left_and_where_most_is_lost() -> None:
    assert "25% of the evidence is cited; most is lost in retrieval" in svg_of(funnel.draw(funnel.of(three())))

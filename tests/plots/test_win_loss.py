from dataclasses import replace

import pytest

from evidex.errors import ConfigError
from evidex.plots import win_loss
from evidex.plots.saving import svg_of
from tests.plots.reports import report, row


def test_differences_are_sorted_from_wins_to_losses_and_counted() -> None:
    before = report(
        *(row(case, values=(("source:R@10", value),)) for case, value in zip("abcd", (0.0, 0.5, 1, 1), strict=True))
    )
    after = report(
        *(row(case, values=(("source:R@10", value),)) for case, value in zip("abcd", (1, 0.5, 0.5, 0), strict=True))
    )

    data = win_loss.of(before, after)

    assert [(one.case, one.gain) for one in data.differences] == [("a", 1.0), ("b", 0.0), ("c", -0.5), ("d", -1.0)]
    assert (data.wins, data.ties, data.losses) == (1, 1, 2)


def test_a_question_that_failed_counts_as_0_and_an_undefined_one_not_at_all() -> None:
    before = report(row("a", values=(("source:R@10", 1.0),)), row("b", values=(("source:R@10", 1.0),)))
    after = report(
        row("a", values=(("source:R@10", None),), error="no model", failed=("source:R@10",)),
        row("b", values=(("source:R@10", None),)),
    )

    assert [(one.case, one.gain) for one in win_loss.of(before, after).differences] == [("a", -1.0)]


def test_a_difference_that_is_rounding_is_a_tie_as_it_is_in_a_comparison() -> None:
    before, after = (report(row("a", values=(("source:R@10", value),))) for value in (0.3, 0.1 + 0.2))

    assert win_loss.of(before, after).ties == 1
    assert "No difference in 1 question" in svg_of(win_loss.draw(win_loss.of(before, after)))


def test_runs_over_other_questions_are_refused() -> None:
    one = report(row("a", values=(("source:R@10", 1.0),)))
    other = replace(one, identity=replace(one.identity, golden="another"))

    with pytest.raises(ConfigError, match="different golden sets"):
        win_loss.of(one, other)

import pytest

from evidex.errors import ConfigError
from evidex.plots import slices
from tests.plots.reports import report, row, three


def test_the_worst_slice_comes_first_beside_the_mean_of_all_questions() -> None:
    data = slices.of(three())

    assert [(one.name, one.mean, one.n) for one in data.slices] == [("hard", 0.25, 2), ("easy", 1.0, 1)]
    assert data.whole == 0.5


def test_a_slice_in_which_nothing_is_defined_is_named_and_not_drawn_as_zero() -> None:
    run = report(row("a", category="asked", values=(("source:R@10", 1.0),)), row("b", category="silent"))

    data = slices.of(run)

    assert [one.name for one in data.slices] == ["asked"]
    assert data.undefined == ("silent",)


@pytest.mark.parametrize("measure", ["", "source:nDCG(lin)@10"])
def test_what_the_run_does_not_hold_is_refused(measure: str) -> None:
    with pytest.raises(ConfigError, match=r"has a category|has no measure"):
        slices.of(report(row("a", values=(("source:R@10", 1.0),))), measure=measure)

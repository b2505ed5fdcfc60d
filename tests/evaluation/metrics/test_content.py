from __future__ import annotations

import pytest

from evidex.errors import ConfigError
from evidex.evaluation.metrics.content import content


def test_stop_words_fall_and_an_identifier_is_one_term() -> None:
    found = content("What does ERR-4012 mean, and what is os.path.join for?")

    assert found.terms == ("err-4012", "mean", "os.path.join")
    assert found.exact == {"err-4012", "os.path.join"}


def test_figures_are_exact_and_written_one_way() -> None:
    assert (
        content("1,000 requests in 60 seconds").exact == content("60 seconds for 1000 requests").exact == {"1000", "60"}
    )


def test_a_camel_case_name_is_the_same_in_small_letters() -> None:
    assert content("PowerPoint and iPhone").terms == content("powerpoint and iphone").terms


@pytest.mark.parametrize("text", ["do not", "don't", "cannot", "never", "nothing", "without", "Nobody"])
def test_negations_are_counted_and_are_no_substance(text: str) -> None:
    assert content(text).negations == 1
    assert content(f"{text} refund").substance - {"can"} == {"refund"}


def test_negations_are_those_of_the_language() -> None:
    assert content("Das ist nicht erlaubt, nie.", language="de").negations == 2
    assert content("Das ist nicht erlaubt.", language="en").negations == 0


def test_a_language_without_stemming_is_refused() -> None:
    with pytest.raises(ConfigError, match="'xx'"):
        content("text", language="xx")

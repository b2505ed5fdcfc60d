import re
import subprocess
import sys
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidex.errors import MissingExtra
from evidex.plots.style import canvas, label, spread
from evidex.wording import percent


@given(st.text(), st.integers(1, 40))
def test_a_label_is_one_line_of_what_can_be_seen_and_not_longer_than_asked(text: str, longest: int) -> None:
    found = label(text, longest)

    assert len(found) <= longest
    assert not re.search(r"[\x00-\x1f\x7f\ud800-\udfff\u202a-\u202e\u2066-\u2069]", found)
    assert found == found.strip()


def test_what_was_cut_ends_in_an_ellipsis() -> None:
    assert label("one two three", 8) == "one two…"
    assert label("one\n\ttwo", 8) == "one two"


@given(st.lists(st.floats(0, 1), max_size=12))
def test_spread_places_keep_their_order_and_their_distance(wanted: list[float]) -> None:
    placed = spread(wanted, gap=0.05, low=0.0, high=1.0)

    ordered = [placed[at] for at in sorted(range(len(wanted)), key=lambda at: (wanted[at], at))]
    assert all(b - a >= 0.05 - 1e-9 for a, b in pairwise(ordered))
    assert all(-1e-9 <= place <= 1 + 1e-9 for place in placed)


def test_shares_near_none_and_all_are_not_called_so() -> None:
    assert [percent(share) for share in (0, 0.001, 0.5, 0.999, 1)] == ["0%", "<1%", "50%", ">99%", "100%"]


def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)

    with pytest.raises(MissingExtra, match=re.escape("pip install 'evidex[plots]'")), canvas(1, 1):
        pass


def test_the_catalogue_is_read_without_loading_matplotlib() -> None:
    code = "import sys, evidex.plots.catalogue, evidex.plots.saving; sys.exit('matplotlib' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

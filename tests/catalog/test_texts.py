from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from evidex.catalog.texts import decode, encode
from evidex.types import Block, OriginMap, Parsed


@given(text=st.text(), title=st.text(), starts=st.lists(st.integers(0, 99), unique=True).map(sorted))
def test_a_parsed_text_comes_back_as_it_was_kept(text: str, title: str, starts: list[int]) -> None:
    parsed = Parsed(
        text=text,
        blocks=(Block("heading", 0, 1, level=2, title=title), Block("table", 2, 9, header_end=4)),
        origins=OriginMap("page", tuple(starts), tuple(range(len(starts)))),
        title=title,
    )

    assert decode(encode(parsed)) == parsed

"""Where front matter ends, and what it may be."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidex.errors import SourceError
from evidex.sources.front_matter import FrontMatter, split


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_front_matter_is_parted_from_the_body_and_its_lines_are_counted(end: str) -> None:
    parted = split(end.join(["---", "id: a", "tags: [x, 'y']", "---", "", "Body", ""]).encode())
    assert parted.values == {"id": "a", "tags": ["x", "y"]}
    assert parted.body == f"{end}Body{end}".encode()
    assert parted.first_line == 5


def test_values_stay_as_they_were_written() -> None:
    text = b"---\nversion: 1.10\nlanguage: no\nid: 007\nday: 2024-01-01\n---\n"
    assert split(text).values == {"version": "1.10", "language": "no", "id": "007", "day": "2024-01-01"}


def test_front_matter_is_seen_behind_a_byte_order_mark_and_in_utf_16() -> None:
    text = "---\nreaders: [hr]\n---\nBody"
    for data in (codecs.BOM_UTF8 + text.encode(), text.encode("utf-16")):
        parted = split(data)
        assert (parted.values, parted.body, parted.first_line) == ({"readers": ["hr"]}, b"Body", 4)


@pytest.mark.parametrize(
    "text", [b"", b"Body", b"---", b"---\n", b"---\n\nA rule above.\n\n---\n", b"----\nid: a\n----\n", b"- a\n---\n"]
)
def test_a_file_that_begins_otherwise_has_none(text: bytes) -> None:
    parted = split(text)
    assert (parted.body, parted.values, parted.first_line) == (text, {}, 1)


def test_empty_front_matter_is_removed() -> None:
    assert split(b"---\n---\nBody") == FrontMatter(b"Body", {}, 3)
    assert split(b"---\n# nothing yet\n---\nBody") == FrontMatter(b"Body", {}, 4)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"---\nreaders: [hr]\n\nBody", "does not end within 65536 bytes"),
        (b"---\nid: a\n" + b"x: y\n" * 20_000 + b"---\n", "does not end within 65536 bytes"),
        (b"---\nid: [a\n---\n", "line 3"),
        (b"---\nid: a\nreaders: [hr]\nreaders: [all]\n---\n", "line 4: key 'readers' is given twice"),
        (b"---\na: &x [1]\nb: *x\n---\n", "line 2: anchors and aliases are not allowed"),
        (b"---\nb: *x\n---\n", "anchors and aliases are not allowed"),
        (b"---\n? [a]\n: b\n---\n", "a key is not a word"),
        (b"---\na: " + b"[" * 30_000 + b"\n---\n", "plain YAML"),
        (b"---\nid: caf\xe9\n---\n", "not UTF-8: byte 0xe9"),
    ],
)
def test_front_matter_that_cannot_be_read_is_an_error_and_never_body_text(text: bytes, reason: str) -> None:
    with pytest.raises(SourceError, match=reason):
        split(text)


def test_a_tag_is_not_obeyed() -> None:
    parted = split(b"---\nid: !!python/object/apply:os.system ['true']\n---\n")
    assert parted.values == {"id": ["true"]}


@given(st.binary(max_size=60).map(lambda data: b"---\n" + data))
def test_whatever_follows_the_dashes_body_and_front_matter_are_all_of_it(data: bytes) -> None:
    try:
        parted = split(data)
    except SourceError:
        return
    assert data.endswith(parted.body)

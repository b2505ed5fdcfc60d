from __future__ import annotations

from collections.abc import Callable

from evidex.chunking.outline import path_at, sections
from evidex.types import Document

Markdown = Callable[..., Document]


def test_a_breadcrumb_holds_the_headings_above_and_drops_those_beside(markdown: Markdown) -> None:
    document = markdown("# A\n\nx\n\n### B\n\nx\n\n## C\n\nx\n\n### D\n\nx")
    assert [section.path for section in sections(document)] == [("A",), ("A", "B"), ("A", "C"), ("A", "C", "D")]


def test_a_title_that_is_the_first_heading_stands_in_the_breadcrumb_once(markdown: Markdown) -> None:
    (section,) = sections(markdown("# Leave policy\n\nx", title="Leave Policy"))
    assert section.path == ("Leave policy",)


def test_a_heading_without_text_shares_a_section_with_its_first_child_only(markdown: Markdown) -> None:
    first, second = sections(markdown("# A\n\n## B\n\nx\n\n## C\n\nx"))

    assert [heading.title for heading in first.headings] == ["A", "B"]
    assert [heading.title for heading in second.headings] == ["C"]


def test_the_breadcrumb_at_an_offset_is_that_of_the_section_it_lies_in(markdown: Markdown) -> None:
    document = markdown("\nintro\n\n# A\n\nx\n\n# B\n\ny")
    outline = sections(document)

    assert path_at(outline, 0) == path_at(outline, document.text.index("intro")) == ("A",)
    assert path_at(outline, document.text.index("y")) == ("A", "B")
    assert path_at((), 0) == ()

"""The page needs nothing but itself, and says nothing that it was not told to, whatever the questions hold."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

from evidex.evaluation.comparing import compare_reports
from evidex.evaluation.page import page
from tests.evaluation.test_comparing import report, row

HOSTILE = '</title></style></script><img src=x onerror="alert(1)">'


class Tags(HTMLParser):
    """Every tag and attribute of a page, and whether tags are closed in the order in which they were opened."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(tag)
        self.attributes += attrs
        if tag not in {"meta", "img"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def tags(text: str) -> Tags:
    parser = Tags()
    parser.feed(text)
    assert parser.open == []
    return parser


def test_a_page_is_one_well_formed_file_that_fetches_nothing() -> None:
    text = page(report(row("a", 1, 1), row("b", 0, 0.5)))

    found = tags(text)
    assert {"script", "link", "img", "iframe"}.isdisjoint(found.found)
    assert {"src", "href"}.isdisjoint(name for name, _ in found.attributes)
    assert "http" not in text
    assert "@import" not in text and "url(" not in text


def test_what_a_question_or_an_error_holds_is_text_and_never_markup() -> None:
    rows = (
        replace(row("a", 1, 1), question=HOSTILE, category=HOSTILE, turnover=(HOSTILE,)),
        replace(row(HOSTILE, None, None, failed=("source:R@10",)), error=HOSTILE, category="other"),
    )
    hostile = replace(report(*rows), name=HOSTILE, environment={HOSTILE: HOSTILE}, settings={HOSTILE: HOSTILE})

    found = tags(page(hostile, comparison=compare_reports(hostile, hostile), baseline=hostile))

    assert "img" not in found.found
    assert "onerror" not in {name for name, _ in found.attributes}


def test_every_mean_is_on_the_page_with_its_counts() -> None:
    text = page(report(row("a", 1, 1), row("b", None, 0.5), row("c", None, 1, failed=("source:R@10",))))

    assert re.search(
        r"source:R@10</td>\s*<td class=\"n\">0.5000</td>.*?<td class=\"n\">2</td><td class=\"n\">1</td>", text
    )
    assert "it broke" in text


def test_the_worst_questions_come_first() -> None:
    text = page(report(row("fine", 1, 1), row("lost", 0, 0), row("late", 1, 0.2)))

    assert text.index(">lost<") < text.index(">late<") < text.index(">fine<")


def test_a_comparison_is_the_headline() -> None:
    before = report(*(row(f"q{n}", 0, 0) for n in range(20)), run="before")
    after = report(*(row(f"q{n}", 1, 1) for n in range(20)), run="after")

    text = page(after, comparison=compare_reports(before, after), baseline=before)

    assert '<span class="BETTER">BETTER</span>' in text.partition("</p>")[0]
    assert "Against run before" in text


def test_pictures_stand_where_they_belong() -> None:
    text = page(report(row("a", 1, 1)), pictures={"funnel": "<svg><title>the funnel</title></svg>"})

    assert "<svg><title>the funnel</title></svg>" in text
    tags(text)


def test_a_run_without_any_question_that_counts_is_a_page_all_the_same() -> None:
    tags(page(report(row("a", None, None))))
    tags(page(report()))

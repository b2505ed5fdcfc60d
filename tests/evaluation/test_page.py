import re
from html.parser import HTMLParser

import pytest

from evidex.evaluation.comparing import compare_reports
from evidex.evaluation.page import page
from evidex.plots.catalogue import for_page
from tests.plots.reports import HOSTILE, report, row, three

VOID = {"meta", "br"}


class Reader(HTMLParser):
    """Reads a page, checks that its elements close, and keeps its texts and elements."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] not in (["style"], ["script"]):
            self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())


def test_the_page_needs_nothing_but_itself() -> None:
    html = page(three(), baseline=three(), comparison=compare_reports(three(), three()), pictures=for_page(three()))

    read = Reader(html)
    assert "http:" not in html
    assert "https:" not in html
    assert not re.search(r"@import|url\((?!#)", html)
    assert {tag for tag, _ in read.elements}.isdisjoint({"link", "iframe", "object", "img", "image"})
    assert not [attributes for _, attributes in read.elements if "src" in attributes]
    assert all((attributes.get("href") or "#").startswith("#") for _, attributes in read.elements)


def test_whatever_documents_and_questions_hold_is_text() -> None:
    hostile = report(
        row(HOSTILE, question=HOSTILE, category=HOSTILE, error=HOSTILE, failed=("source:R@10",)),
        row("gone", turnover=(HOSTILE,)),
        name=HOSTILE,
        settings={HOSTILE: HOSTILE},
    )

    html = page(hostile, pictures=for_page(hostile))

    read = Reader(html)
    assert "img" not in {tag for tag, _ in read.elements}
    assert not [name for _, attributes in read.elements for name in attributes if name.startswith("on")]
    assert html.count("</script>") == 1
    assert "</script><img onerror=alert(1) src=x>" in read.text
    html.encode()  # a file can hold it
    assert "\x00" not in html


def test_the_verdict_says_in_words_what_is_found_and_what_is_lost() -> None:
    text = Reader(page(three())).text

    assert "The channels find 75% of 4 facts; 25% are cited." in text
    assert "Of 3 answerable questions, 2 (67%) are answered." in text
    assert "Most of what is lost is lost in retrieval (1 of 4)." in text


def test_questions_that_went_wrong_are_listed_by_the_earliest_stage_that_lost_their_evidence() -> None:
    html = page(three())

    listed = html[html.index("Questions that went wrong (2)") :]
    assert listed.index("Where is reranked-away?") > listed.index("half")
    assert "evidence lost in reranking" in listed
    assert "abstained; evidence lost in retrieval" in listed
    assert "Where is through?" not in html[: html.index("What these numbers cannot say")]


def test_a_failed_question_comes_first_and_an_answer_to_what_has_none_second() -> None:
    run = report(
        row("z-failed", error="no model", failed=("source:R@10",)),
        row("a-false", answerable=False, said="It opens at nine.", expected="no answer"),
        row("b-fine", values=(("source:R@10", 1.0),)),
    )

    html = page(run)

    listed = html[html.index("Questions that went wrong (2)") :]
    assert listed.index("z-failed") < listed.index("a-false")
    assert "answered, though there is no answer" in listed
    assert "said: It opens at nine." in listed
    assert "no model" in html[html.index("Failures (1)") :]


def test_every_measure_is_shown_with_what_it_counts_and_what_it_leaves_out() -> None:
    run = report(
        row("a", values=(("source:R@10", 1.0),)),
        row("b", values=(("source:R@10", None),), error="no model", failed=("source:R@10",)),
        row("c", values=(("source:R@10", None),)),
        row("d", values=(("source:R@10", None),), turnover=("moved on",)),
    )

    cells = re.search(r"<tr><td>source:R@10</td>(.*?)</tr>", page(run))

    assert cells is not None
    values = re.findall(r"<td>([^<]*)</td>", cells[1])
    assert values[0] == "0.5000"
    assert values[-4:] == ["2", "1", "1", "1"]


@pytest.mark.parametrize(("gain", "words"), [(1.0, "BETTER"), (0.0, "INCONCLUSIVE"), (-1.0, "WORSE")])
def test_a_comparison_leads_with_its_verdict(gain: float, words: str) -> None:
    sides = [
        report(*(row(f"q{at:02}", values=(("source:R@10", value),)) for at in range(20)))
        for value in ((1 - gain) / 2, (1 + gain) / 2)
    ]

    text = Reader(page(sides[1], comparison=compare_reports(*sides), baseline=sides[0])).text

    assert f"{words} The" in text
    assert "W/T/L" in text


def test_what_the_numbers_cannot_say_is_said_of_this_run() -> None:
    dev = report(
        row("a", category="rare", values=(("source:Judged@10", 0.1),)), measures=("source:Judged@10",), split="dev"
    )

    text = Reader(page(dev)).text

    assert "10% of the first ten documents are judged" in text
    assert "chosen on the split dev" in text
    assert "Slices of less than ten questions say hardly anything: rare." in text
    assert "TokenF1" not in text


def test_a_run_without_pictures_has_a_whole_page_all_the_same() -> None:
    read = Reader(page(report(row("a"))))

    assert "svg" not in {tag for tag, _ in read.elements}
    assert "No question of this run has evidence to follow." in read.text

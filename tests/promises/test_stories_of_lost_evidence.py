"""Stories that every team with a knowledge base knows, each with its end: the place where the evidence was lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

import pytest

from evidex.diagnosis.diagnose import diagnose
from evidex.diagnosis.verdict import Verdict
from evidex.testing.faults import BY_NAME
from evidex.testing.knowledge import Knowledge, page
from evidex.testing.laboratory import Laboratory
from evidex.testing.pipeline import Bench, Pipeline, healthy
from evidex.types import Case, DocumentId, Evidence, Metadata, SourceItem

YEAR = date(2026, 1, 1)


@pytest.fixture(scope="module")
def laboratory() -> Iterator[Laboratory]:
    with Laboratory() as made:
        yield made


def document(id: str, text: str, *, family: str = "", until: date | None = None) -> SourceItem:
    began = YEAR if family and until is None else None
    return page(text, Metadata(DocumentId(id), family=family, effective_from=began, effective_to=until))


def asked(question: str, document: str, quote: str, *history: str) -> Case:
    evidence = (Evidence(DocumentId(document), quote=quote),)
    return Case("story", question, evidence, answerable=True, answer=quote, history=history)


def told(
    laboratory: Laboratory, fault: str, items: Sequence[SourceItem], case: Case, bench: Bench = "hybrid"
) -> Verdict:
    """The verdict on a case that passes, once the fault is planted."""
    whole = healthy(Knowledge(tuple(items), (case,)), bench)
    assert diagnose([case], laboratory.system(whole)).counts == {"passed": 1}
    return verdict(laboratory, BY_NAME[fault].plant(whole, [case]), case)


def verdict(laboratory: Laboratory, pipeline: Pipeline, case: Case) -> Verdict:
    (row,) = diagnose([case], laboratory.system(pipeline)).rows
    assert row.verdict is not None, row.sentence
    return row.verdict


def test_the_refund_window_of_last_year_is_told_for_the_new_one_was_retired_in_its_place(
    laboratory: Laboratory,
) -> None:
    now = "Customers in the United States may return a purchase within 45 calendar days."
    items = [
        document("refund-us-v2", f"# Refunds\n\n{now.replace('45', '30')}\n", family="refund-us", until=YEAR),
        document("refund-us-v3", f"# Refunds\n\n{now}\n", family="refund-us"),
        document("refund-eu", "# Refunds in Europe\n\nWithin the European Union 14 days are the law.\n"),
    ]
    case = asked("Within how many days may customers in the United States return a purchase?", "refund-us-v3", now)

    found = told(laboratory, "old version left active", items, case)

    assert (found.boundary.id, found.type) == ("B0", "WRONG_VERSION")
    assert "refund-us-v2" in found.sentence


def test_one_error_code_is_as_good_as_another_to_a_tokeniser_that_is_blind_to_them(laboratory: Laboratory) -> None:
    causes = ("valve was open", "lens was dirty", "card was declined by its bank", "lease had ended", "queue was full")
    codes = [f"{letter}{number}" for letter in "ABCDEFGHKMTX" for number in range(1490, 1495)]
    sentences = {code: f"The code {code} says that a {causes[place % 5]}." for place, code in enumerate(codes)}
    items = [document(f"code-{code}", f"# Codes\n\n{sentence}\n") for code, sentence in sentences.items()]
    case = asked("What does the code E1492 say?", "code-E1492", sentences["E1492"])

    found = told(laboratory, "identifiers dissolved", items, case, "sparse")

    assert found.boundary.id in {"B3", "B6"}
    assert "e1492" in found.sentence.casefold()


def test_what_about_annual_plans_means_nothing_without_the_question_before(laboratory: Laboratory) -> None:
    cancel = "Annual plans are cancelled by telling us 30 days before they are renewed."
    items = [
        document("cancel-annual", f"# Cancelling\n\n{cancel}\n"),
        document(
            "cancel-subscription", "# Cancelling\n\nA subscription is cancelled on the last page of the settings.\n"
        ),
        *(
            document(f"annual-{topic}", f"# {topic.title()} of annual plans\n\nAnnual plans come with {topic}.\n")
            for topic in ("discounts", "invoices", "training", "migration", "storage", "sandboxes", "audits", "seats")
        ),
    ]
    case = asked("What about annual plans?", "cancel-annual", cancel, "How is a subscription cancelled?")

    found = told(laboratory, "ellipsis unresolved", items, case)

    assert (found.boundary.id, found.type) == ("B4", "ELLIPSIS_UNRESOLVED")


def test_windows_of_forty_words_cut_the_stipend_from_its_amount(laboratory: Laboratory) -> None:
    before = (
        "Whoever works from home most of the week gets a desk, a chair and a lamp from us, chosen from a list that is "
        "looked through every spring, and brought to the door by a firm that also takes away what was there before."
    )
    stipend = (
        "For everything else there is a stipend for remote work, paid together with the salary of January, whose "
        "amount was settled with the works council last year at 840 euro for every full year."
    )
    items = [
        document("remote", f"# Remote work\n\n{before} {stipend}\n"),
        document("travel", "# Travel\n\nA stipend for travel is paid after each journey. It is 60 euro a day.\n"),
        document("council", "# Works council\n\nThe works council settled the amount of the bonus last year.\n"),
    ]
    case = asked("What amount is the stipend for remote work settled at?", "remote", stipend)
    whole = healthy(Knowledge(tuple(items), (case,)))
    assert diagnose([case], laboratory.system(whole)).counts == {"passed": 1}
    windows = whole.with_settings(
        ("chunking", "strategy", "windows"), ("chunking", "max_words", 40), ("chunking", "overlap_words", 5)
    )
    abstaining = windows.with_settings(("answering", "min_support", 0.8))

    found = verdict(laboratory, abstaining, case)

    assert (found.boundary.id, found.type) == ("B2", "SPAN_SPLIT")


def test_passages_without_their_prefix_are_not_where_the_question_looks(laboratory: Laboratory) -> None:
    stones = ("amber", "basalt", "chalk", "flint", "gneiss", "jasper", "marl", "onyx", "slate", "tuff")
    names = [f"{stone} from the {side}" for stone in stones for side in ("north", "east", "south", "west")]
    sentences = [f"The {name} weighs {grams} grams and has its own drawer." for grams, name in enumerate(names, 11)]
    items = [document(f"stone-{n}", f"# Stones\n\n{sentence}\n") for n, sentence in enumerate(sentences)]
    case = asked("How many grams does the onyx from the south weigh?", "stone-30", sentences[30])

    found = told(laboratory, "prefix forgotten", items, case, "dense")

    assert (found.boundary.id, found.type) == ("B3", "EMBED_CONTRACT")


def test_a_page_that_sounds_right_is_preferred_to_the_page_that_is(laboratory: Laboratory) -> None:
    right = "If a journey is called off, the price of the hotel is paid back through the expense form."
    items = [
        document("travel-expenses", f"# Travel expenses\n\n{right}\n"),
        *(
            document(
                f"refund-{what}", f"# Refund for the {what}\n\nThe refund for the {what} is made in {days} days.\n"
            )
            for days, what in enumerate(("hotel guide book", "hotel key", "hotel app", "hotel voucher", "hotel mug"), 3)
        ),
    ]
    case = asked("How is the price of the hotel paid back if a journey is called off?", "travel-expenses", right)

    found = told(laboratory, "dropped by reranker", items, case)

    assert (found.boundary.id, found.type) == ("B8", "RERANKER_DROP")

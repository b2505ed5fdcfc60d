"""Many cases: rows, groups, what to mend first, and the same verdicts in any order."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from evidex.diagnosis.diagnose import diagnose, diagnose_case
from evidex.diagnosis.verdict import Boundary
from evidex.encoding import as_json
from evidex.errors import AccessError
from evidex.judging import System
from evidex.types import Case, Context, DocumentId, Draft, Evidence
from tests.diagnosis.told import Line, Page, case, first_sentence, quoting, system

PAGES = (
    Page("refunds", "Refunds are paid within 45 days."),
    Page("travel", "Trains are booked in second class."),
    Page("office", "The office opens at noon."),
    Page("lost", "Parcels are traced for 20 days.", left_out=(0,)),
)
CASES = (
    replace(case("When are refunds paid?", PAGES[0].text, document="refunds"), id="a", category="money"),
    replace(case("Which class are trains booked in?", PAGES[1].text, document="travel"), id="b", category="money"),
    replace(case("When does the office open?", PAGES[2].text, document="office"), id="c", category="house"),
    replace(case("How long are parcels traced?", PAGES[3].text, document="lost"), id="d", category="house"),
    replace(case("Do dogs bark?", answerable=False), id="e"),
    replace(case("Where is the moon?", "far away", document="gone"), id="f", category="money"),
)


def says_little(context: Context) -> Draft:
    """Abstains about trains and offices."""
    draft = first_sentence(context)
    about = draft.claims[0].text if draft.claims else ""
    return Draft(abstention="unsure") if "Trains" in about or "office" in about else draft


SYSTEM = system(PAGES, Line(say=says_little))


def test_there_is_a_row_for_each_case_in_the_order_of_ids() -> None:
    found = diagnose(reversed(CASES), SYSTEM)

    assert [(row.case, row.status, row.verdict.type if row.verdict else None) for row in found.rows] == [
        ("a", "passed", None),
        ("b", "failed", "FALSE_ABSTENTION"),
        ("c", "failed", "FALSE_ABSTENTION"),
        ("d", "failed", "OMITTED"),
        ("e", "withheld", None),
        ("f", "failed", "SOURCE_MISSING"),
    ]
    assert found.counts == {"passed": 1, "withheld": 1, "failed": 4}


def test_failures_are_grouped_by_boundary_and_by_category() -> None:
    found = diagnose(CASES, SYSTEM)

    assert found.boundaries == {"B0": 1, "B3": 1, "B10": 2}
    assert found.slices == {"house": {"B3": 1, "B10": 1}, "money": {"B0": 1, "B10": 1}}


def test_what_recovers_most_cases_is_mended_first_and_the_earlier_boundary_among_equals() -> None:
    found = diagnose(CASES, SYSTEM)

    assert [(fix.type, fix.cases) for fix in found.fixes] == [
        ("FALSE_ABSTENTION", ("b", "c")),
        ("SOURCE_MISSING", ("f",)),
        ("OMITTED", ("d",)),
    ]
    assert found.fix_first == found.fixes[0]


def test_verdicts_do_not_depend_on_order_thread_or_repetition() -> None:
    once = diagnose(CASES, SYSTEM, confirm=True)
    with ThreadPoolExecutor(2) as threads:
        rows = tuple(threads.map(lambda one: diagnose_case(one, SYSTEM, confirm=True), reversed(CASES)))

    assert diagnose(CASES, SYSTEM, confirm=True) == once
    assert tuple(reversed(rows)) == once.rows


def test_progress_counts_the_cases() -> None:
    told: list[tuple[int, int]] = []
    diagnose(CASES[:2], SYSTEM, progress=lambda done, whole: told.append((done, whole)))

    assert told == [(1, 2), (2, 2)]


def test_a_question_that_raises_is_a_row_with_its_sentence() -> None:
    broken = system(PAGES, Line(error="The model did not answer."))
    (row,) = diagnose(CASES[:1], broken).rows

    assert (row.status, row.sentence, row.verdict) == ("error", "The model did not answer.", None)


def test_so_is_a_case_whose_asker_is_not_known_and_one_whose_evidence_is_said_twice() -> None:
    def unknown(*_: object) -> tuple[()]:
        raise AccessError("There is no user 'mia'.")

    twice = system([Page("refunds", "Paid in 45 days. Paid in 45 days.")])

    assert diagnose(CASES[:1], replace(SYSTEM, revisions=unknown)).rows[0].sentence == "There is no user 'mia'."
    assert "occurs 2 times" in diagnose([case("When?", "Paid in 45 days.", document="refunds")], twice).rows[0].sentence


def test_every_verdict_names_boundary_owner_experiment_and_its_evidence() -> None:
    verdict = diagnose_case(CASES[1], SYSTEM).verdict

    assert verdict is not None
    assert verdict.boundary == Boundary("B10", "DECIDE")
    assert verdict.owner == "prompt and model"
    assert "--case b" in verdict.experiment
    assert verdict.evidence == ("answer", "travel@1#0")


def test_the_story_of_a_case_ends_at_the_boundary_that_lost_it() -> None:
    steps = diagnose_case(CASES[3], SYSTEM).steps

    assert [step.boundary.id for step in steps] == ["B0", "B1", "B2", "B3"]
    assert [step.finding.type for step in steps] == [None, None, None, "OMITTED"]


def test_where_nobody_says_that_there_is_an_answer_any_of_the_best_evidence_in_the_context_will_do() -> None:
    evidence = (
        Evidence(DocumentId("gone"), 2),
        Evidence(DocumentId("office"), 2),
        Evidence(DocumentId("travel"), 1),
    )
    judged = Case("r", "When does the office open?", evidence)
    asked = diagnose_case(judged, SYSTEM)

    assert (asked.status, asked.said) == ("passed", "")


def test_and_nothing_is_drafted_for_it() -> None:
    def never(_: Context) -> Draft:
        raise AssertionError("asked for an answer")

    judged = Case("r", "When does the office open?", (Evidence(DocumentId("office")),))

    assert diagnose_case(judged, system(PAGES, Line(say=never))).status == "passed"


def test_a_system_that_only_searches_is_judged_by_what_it_would_keep() -> None:
    searching = system(PAGES, Line(answering=False))

    assert diagnose_case(CASES[0], searching).status == "passed"


def test_evidence_of_a_lower_grade_is_not_required() -> None:
    extra = (Evidence(DocumentId("refunds"), 3, quote=PAGES[0].text), Evidence(DocumentId("gone"), 1, quote="nowhere"))

    assert diagnose_case(replace(CASES[0], evidence=extra), SYSTEM).status == "passed"


def test_the_earlier_of_two_losses_is_named_and_after_its_repair_the_later() -> None:
    both = system((replace(PAGES[1], left_out=(0,)), PAGES[0]), Line(say=says_little))
    mended = system((PAGES[1], PAGES[0]), Line(say=says_little))

    assert _type(CASES[1], both) == "OMITTED"
    assert _type(CASES[1], mended) == "FALSE_ABSTENTION"
    assert _type(CASES[1], system((PAGES[1], PAGES[0]))) is None


def test_a_diagnosis_has_a_json_form() -> None:
    assert as_json(diagnose(CASES, SYSTEM))["rows"][1]["verdict"]["boundary"] == {"id": "B10", "name": "DECIDE"}


def test_what_an_answer_cites_beside_the_evidence_does_not_fail_it() -> None:
    both = Line(
        say=lambda _: Draft(
            (*quoting("refunds@1#0", PAGES[0].text).claims, *quoting("office@1#0", PAGES[2].text).claims)
        )
    )

    assert diagnose_case(CASES[0], system(PAGES, both)).status == "passed"


def _type(one: Case, of: System) -> str | None:
    verdict = diagnose_case(one, of).verdict
    return verdict.type if verdict else None

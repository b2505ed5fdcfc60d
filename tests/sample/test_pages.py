from __future__ import annotations

import itertools
import math
import re
from datetime import date
from typing import Any

import pytest

from evidex.types import Principal, SourceItem

WORDS = {
    "refund-us-v3": 58,
    "refund-us-v2": 38,
    "refund-intl-v2": 48,
    "cancel-annual-v4": 47,
    "cancel-monthly-v2": 43,
    "error-e1492-v5": 49,
    "asset-a1492-v1": 32,
    "error-e7710-v2": 40,
    "error-e204-v3": 42,
    "api-rate-v6": 41,
    "webhook-signatures-v3": 41,
    "sso-domain-v2": 43,
    "invoice-export-v4": 42,
    "privacy-delete-v3": 42,
    "audit-log-v5": 41,
    "chat-retention-v2": 40,
    "residency-eu-v3": 48,
    "shipping-missing-v4": 45,
    "shipping-damaged-v2": 44,
    "support-sla-v3": 42,
    "billing-proration-v3": 44,
    "password-reset-v2": 39,
    "mobile-offline-v1": 40,
    "notifications-v2": 37,
    "model-rollback-v4": 47,
    "backup-restore-v3": 40,
}
KEYS = ["id", "family", "version", "title", "language", "tenant", "readers", "tags", "effective_from"]
NEWCOMER = Principal()


def body(page: SourceItem) -> str:
    return page.content.decode()


def support(pages: tuple[SourceItem, ...]) -> list[SourceItem]:
    return [page for page in pages if page.locator.startswith("support/")]


def named(pages: tuple[SourceItem, ...], id: str) -> SourceItem:
    return next(page for page in pages if page.metadata.id == id)


def test_every_page_says_in_its_front_matter_who_may_read_what_and_since_when(
    front_matter: dict[str, dict[str, Any]],
) -> None:
    for front in front_matter.values():
        assert [key for key in front if key != "effective_to"] == [*KEYS, "status"]
        assert front["status"] == "active"
        assert isinstance(front["version"], str)
        assert isinstance(front["effective_from"], date)


def test_a_page_is_called_after_its_id_and_its_id_after_family_and_version(pages: tuple[SourceItem, ...]) -> None:
    for page in pages:
        assert page.locator.endswith(f"/{page.metadata.id}.md")
        assert page.metadata.id == f"{page.metadata.family}-v{page.metadata.version}"


def test_no_two_pages_share_an_id(pages: tuple[SourceItem, ...]) -> None:
    ids = [page.metadata.id for page in pages]
    assert len(ids) == len(set(ids))


def test_the_support_pages_are_26_of_which_25_are_in_force(pages: tuple[SourceItem, ...], latest: date) -> None:
    ended = [page.metadata.id for page in support(pages) if not page.metadata.in_force(latest)]
    assert len(support(pages)) == 26
    assert ended == ["refund-us-v2"]


def test_a_support_page_has_the_length_that_the_chunk_table_rests_on(pages: tuple[SourceItem, ...]) -> None:
    assert {page.metadata.id: len(body(page).split()) for page in support(pages)} == WORDS


def test_a_support_page_has_no_heading_for_its_title_is_in_the_front_matter(pages: tuple[SourceItem, ...]) -> None:
    assert not any(line.startswith("#") for page in support(pages) for line in body(page).splitlines())


@pytest.mark.parametrize(("size", "overlap", "chunks"), [(18, 4, 80), (32, 6, 49), (48, 9, 27), (80, 16, 25)])
def test_windows_over_the_support_pages_in_force_give_80_49_27_and_25_chunks(
    pages: tuple[SourceItem, ...], latest: date, size: int, overlap: int, chunks: int
) -> None:
    lengths = [len(body(page).split()) for page in support(pages) if page.metadata.in_force(latest)]
    windows = [1 if n <= size else math.ceil((n - overlap) / (size - overlap)) for n in lengths]
    assert sum(windows) == chunks


def test_the_refund_window_was_30_days_and_is_45_without_a_day_between(pages: tuple[SourceItem, ...]) -> None:
    before, now = named(pages, "refund-us-v2"), named(pages, "refund-us-v3")
    assert "30 calendar days" in body(before)
    assert "45 calendar days" in body(now)
    assert before.metadata.effective_to == now.metadata.effective_from == date(2025, 3, 1)


def test_two_versions_of_one_family_are_never_in_force_on_one_day(pages: tuple[SourceItem, ...], latest: date) -> None:
    days = {page.metadata.effective_from for page in pages} | {latest}
    for one, other in itertools.combinations(pages, 2):
        if (one.metadata.tenant, one.metadata.family) == (other.metadata.tenant, other.metadata.family):
            assert not any(day and one.metadata.in_force(day) and other.metadata.in_force(day) for day in days)


def test_other_families_are_superseded_by_date_too(pages: tuple[SourceItem, ...], latest: date) -> None:
    ended = {page.metadata.id for page in pages if not page.metadata.in_force(latest)}
    assert ended == {"refund-us-v2", "finance-travel-meals-v1", "finance-mileage-v1"}
    assert "60 dollars a day" in body(named(pages, "finance-travel-meals-v1"))
    assert "75 dollars a day" in body(named(pages, "finance-travel-meals-v2"))


def test_an_inventory_tag_shares_its_digits_with_an_error_code(pages: tuple[SourceItem, ...]) -> None:
    assert "E1492" in body(named(pages, "error-e1492-v5"))
    decoy = body(named(pages, "asset-a1492-v1"))
    assert "A1492" in decoy
    assert not re.search(r"\bE1492\b", decoy)


@pytest.mark.parametrize("code", ["E1492", "E7710", "E204", "ERR-4012", "ERR-4013"])
def test_an_error_code_is_explained_on_the_page_named_after_it(pages: tuple[SourceItem, ...], code: str) -> None:
    explaining = [page for page in pages if page.metadata.family == f"error-{code.lower()}"]
    assert [code in body(page) for page in explaining] == [True]


def test_two_policies_differ_in_what_the_days_are_counted_from(pages: tuple[SourceItem, ...]) -> None:
    home, abroad = body(named(pages, "refund-us-v3")), body(named(pages, "refund-intl-v2"))
    assert "counted from the day of purchase" in home
    assert "counted from the day of delivery" in abroad


def test_whoever_is_not_named_reads_every_support_page(pages: tuple[SourceItem, ...]) -> None:
    assert all(NEWCOMER.may_read(page.metadata) for page in support(pages))


def test_some_pages_are_for_some_groups_only(pages: tuple[SourceItem, ...]) -> None:
    closed = {
        page.metadata.id: page.metadata.readers
        for page in pages
        if page.metadata.tenant == NEWCOMER.tenant and not NEWCOMER.may_read(page.metadata)
    }
    assert closed == {
        "finance-forecast-q3-v1": {"exec", "finance"},
        "finance-vendor-match-v1": {"finance"},
        "hr-salary-bands-v2": {"exec", "hr"},
    }


def test_the_pages_of_the_partner_are_in_a_tenant_of_their_own(pages: tuple[SourceItem, ...]) -> None:
    tenants = {(page.locator.split("/")[0], page.metadata.tenant) for page in pages}
    assert tenants == {
        ("company", "default"),
        ("handbook", "default"),
        ("partner", "partner"),
        ("support", "default"),
    }


def test_the_handbook_has_tables_headings_code_and_four_languages(pages: tuple[SourceItem, ...]) -> None:
    handbook = [page for page in pages if page.locator.startswith("handbook/")]
    assert sum("|---|" in body(page) for page in handbook) == 3
    assert sum(body(page).count("\n## ") >= 4 for page in handbook) >= 2
    assert "```python" in body(named(pages, "api-quickstart-v2"))
    assert {page.metadata.language for page in handbook} == {"de", "en", "es", "ja"}


def test_two_pages_in_force_contradict_each_other(pages: tuple[SourceItem, ...], latest: date) -> None:
    one, other = named(pages, "office-visitors-v1"), named(pages, "office-parking-v2")
    assert one.metadata.in_force(latest)
    assert other.metadata.in_force(latest)
    assert "for two hours free of charge" in body(one)
    assert "for four hours free of charge" in body(other)

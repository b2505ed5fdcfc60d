from __future__ import annotations

from pathlib import Path

import pytest

from evidex.query.understand import Synonyms, read_synonyms
from evidex.types import Case, SourceItem


@pytest.fixture(scope="session")
def synonyms(sample: Path) -> Synonyms:
    return read_synonyms(sample / "synonyms.toml")


def test_the_synonym_file_has_a_version(synonyms: Synonyms) -> None:
    assert synonyms.version == "1"


def test_every_phrase_is_used_by_an_answerable_question_of_dev_whose_document_uses_the_replacement(
    synonyms: Synonyms, dev: tuple[Case, ...], pages: tuple[SourceItem, ...]
) -> None:
    texts = {page.metadata.id: f"{page.metadata.title}\n{page.content.decode()}".casefold() for page in pages}
    for phrase, replacement in synonyms.replacements.items():
        alone = Synonyms.of("1", {phrase: replacement})
        cases = [case for case in dev if case.answerable and alone.apply(case.question) != case.question]
        assert cases, phrase
        for case in cases:
            assert any(replacement.casefold() in texts[evidence.document] for evidence in case.evidence), phrase


def test_no_phrase_stands_in_a_page_for_then_it_would_need_no_replacement(
    synonyms: Synonyms, pages: tuple[SourceItem, ...]
) -> None:
    for page in pages:
        text = page.content.decode()
        assert synonyms.apply(text) == text, page.locator

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from benchmarks.judged_collections import MAKERS, lay_out
from evidex.config import AccessSettings, SourcesSettings
from evidex.errors import ConfigError
from evidex.evaluation.golden import GoldenSet, read_golden
from evidex.grounding.locate import places
from evidex.sources.open import open_source
from evidex.types import SourceItem


@pytest.fixture(scope="module")
def laid_out(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("collections")
    for name in MAKERS:
        lay_out(name, folder / name, collections=shared / "data" / "collections")
    return folder


def documents(folder: Path) -> dict[str, str]:
    source = open_source(folder / "corpus", workspace=folder, sources=SourcesSettings(), access=AccessSettings())
    items = [item for item in source.documents() if isinstance(item, SourceItem)]
    return {item.metadata.id: item.content.decode() for item in items}


def golden(folder: Path) -> GoldenSet:
    return read_golden(folder / "golden.jsonl")


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_evidence_stands_in_a_document_of_the_corpus_in_one_place(laid_out: Path, name: str) -> None:
    texts = documents(laid_out / name)
    for case in golden(laid_out / name).cases:
        for evidence in case.evidence:
            text = texts[evidence.document]
            if evidence.quote:
                found = list(places(evidence.quote, text, 0, len(text)))
                assert (
                    found == [evidence.span] if len(found) == 1 and evidence.span else evidence.span in (None, *found)
                )
                assert len(found) == 1 or evidence.span is not None, case.id
            elif evidence.span is not None:
                assert text[slice(*evidence.span)] == case.answer


@pytest.mark.parametrize(
    ("name", "answerable", "unanswerable", "unsaid"),
    [("clapnq_dev", 300, 300, 0), ("cranfield", 0, 0, 225), ("scifact", 0, 0, 300), ("squad2_dev_half", 2910, 3168, 0)],
)
def test_every_question_of_a_collection_is_a_case(
    laid_out: Path, name: str, answerable: int, unanswerable: int, unsaid: int
) -> None:
    said = Counter(case.answerable for case in golden(laid_out / name).cases)
    assert (said[True], said[False], said[None]) == (answerable, unanswerable, unsaid)


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_dev_and_test_have_two_fifths_of_the_cases_at_least_and_share_no_group(laid_out: Path, name: str) -> None:
    cases = golden(laid_out / name).cases
    split = Counter(case.split for case in cases)
    assert set(split) == {"dev", "test"}
    assert min(split.values()) >= 2 / 5 * len(cases)
    groups = [{case.group or case.id for case in cases if case.split == name} for name in split]
    assert groups[0].isdisjoint(groups[1])


def test_articles_of_squad_are_categories_and_in_one_split(laid_out: Path) -> None:
    cases = golden(laid_out / "squad2_dev_half").cases
    pairs = {(case.category, case.split) for case in cases}
    assert len(pairs) == len({case.category for case in cases}) == 16


def test_the_judgments_of_a_beir_collection_are_as_they_were(laid_out: Path, shared: Path) -> None:
    lines = (shared / "data/collections/scifact/qrels.tsv").read_text("utf-8").splitlines()[1:]
    cases = golden(laid_out / "scifact").cases
    assert sorted(f"{c.id}\t{e.document}\t{e.grade}" for c in cases for e in c.evidence) == sorted(lines)


def test_an_unknown_collection_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no collection 'trec'"):
        lay_out("trec", tmp_path / "out", collections=tmp_path)

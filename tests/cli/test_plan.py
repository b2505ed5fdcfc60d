from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from evidex.index.part import open_part
from evidex.sources.beir import CORPUS
from tests.commands import Done, evidex

ROWS = "".join(
    f'{{"_id": "d{number}", "title": "", "text": "The {animal} eats {food} in the {place}."}}\n'
    for number, (animal, food, place) in enumerate(
        (animal, food, place)
        for animal in ("wolf", "horse", "whale", "eagle", "ant")
        for food in ("grass", "meat", "fish", "seeds", "honey")
        for place in ("forest", "sea", "desert", "city")
    )
)
QUERIES = '{"_id": "q1", "text": "Who eats honey in the forest?"}\n{"_id": "q2", "text": "the whale and fish"}\n'
QRELS = "query-id\tcorpus-id\tscore\nq1\td16\t1\nq1\td4\t0\nq2\td999\t1\n"


@pytest.fixture(scope="module")
def animals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("animals")
    (folder / "zoo").mkdir()
    (folder / "evidex.toml").write_text(
        '[embedding]\nprovider = "lsa"\nwidth = 64\n[index]\ndense = "binary"\n', "utf-8"
    )
    for name, text in ((CORPUS, ROWS), ("queries.jsonl", QUERIES), ("qrels.tsv", QRELS)):
        (folder / "zoo" / name).write_text(text, "utf-8")
    for words in (("ingest", "zoo"), ("build",), ("publish",)):
        assert evidex(*words, at=folder).code == 0
    return folder


def test_each_code_is_measured_and_one_is_advised(animals: Path) -> None:
    done = evidex("plan", "--k", "2", "--target", "0.5", at=animals)
    assert done.code == 0
    assert "100 vectors" in done.out
    assert "held-out passages" in done.out
    assert "recall@2 of exact" in done.out
    assert "judged" not in done.out
    assert "index.dense = " in done.out
    assert done.err == ""


def test_judged_questions_have_a_column_of_their_own(animals: Path) -> None:
    done = evidex("plan", "--questions", "zoo", "--k", "5", "--json", at=animals)
    assert done.json["source"] == "questions of zoo"
    assert done.json["queries"] == 2
    assert done.json["trials"][0]["recall"] == 1
    assert done.json["trials"][0]["judged"] in (0, 0.5)  # what q2 needs is in no document
    assert "recall@5 judged" in evidex("plan", "--questions", "zoo", "--k", "5", at=animals).out


def test_the_setting_that_is_advised_builds_a_generation_of_these_bytes(animals: Path) -> None:
    (generation,) = (animals / ".evidex" / "generations").iterdir()
    codes = open_part(generation / "codes")
    assert codes.facts["kind"] == "binary"
    trials = evidex("plan", "--k", "1", "--json", at=animals).json["trials"]
    (size,) = {
        row["bytes_per_vector"] for row in trials if (row["kind"], row["width"]) == ("binary", codes.facts["width"])
    }
    assert codes.arrays["codes"].nbytes == 104 * size  # rows stand in groups of 8
    found = evidex("search", "Who eats honey in the forest?", "--json", at=animals)
    assert found.json["chunks"][0]["document"] == "d16"


def test_a_handful_of_passages_is_told_what_cannot_be_said(run_in: Callable[..., Done]) -> None:
    done = run_in("plan")
    assert done.code == 0
    assert "passages to find, so recall is at" in done.out
    assert "Stay with exact search" in done.out


def test_a_generation_without_vectors_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("A page of words.\n", "utf-8")
    (tmp_path / "evidex.toml").write_text('[embedding]\nprovider = "none"\n', "utf-8")
    for words in (("ingest", "docs"), ("build",)):
        assert evidex(*words, at=tmp_path).code == 0
    done = evidex("plan", at=tmp_path)
    assert done.code == 3
    assert "was built without an embedder" in done.err


@pytest.mark.parametrize(
    ("words", "said"),
    [(("--target", "1.5"), "The target is 1.5"), (("--questions", "docs"), "queries.jsonl"), (("zzz",), "'zzz'")],
)
def test_what_cannot_be_measured_is_refused_in_words(
    run_in: Callable[..., Done], words: tuple[str, ...], said: str
) -> None:
    done = run_in("plan", *words)
    assert done.code in (2, 3)
    assert said in done.err

"""A small knowledge base of which every command can make something, copied for each test."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands import Done, evidex

TOML = """\
[embedding]
provider = "lsa"
[index]
history = true
[access.users.ann]
groups = ["hr"]
"""

PAGES = {
    "refund-2.md": "---\nid: refund-2\nfamily: refund\nversion: '2'\ntags: [billing]\neffective_to: 2025-01-01\n---\n"
    "# Refunds\n\nA customer may ask for a refund within 30 days of purchase.\n",
    "refund-3.md": "---\nid: refund-3\nfamily: refund\nversion: '3'\ntags: [billing]\neffective_from: 2025-01-01\n---\n"
    "# Refunds\n\nA customer may ask for a refund within 45 days of purchase.\n",
    "gateway.md": "# Gateway\n\nThe gateway error E1492 means a timeout. Wait 60 seconds, then check once.\n",
    "salaries.md": "---\nid: salaries\nreaders: [hr]\n---\n# Salaries\n\nA salary band is reviewed every March.\n",
}

QUESTION = "Within how many days of purchase may a customer ask for a refund?"
GOLDEN = f"""\
{{"id": "refund", "split": "dev", "question": "{QUESTION}", "answerable": true, "answer": "45 days.", \
"evidence": [{{"document": "refund-3", "quote": "within 45 days of purchase"}}]}}
{{"id": "chess", "split": "test", "question": "Who won the chess tournament?", "answerable": false}}
"""
PROPOSED = '{"id": "asked", "question": "Who won at chess?", "answerable": false, "adjudication": "proposed"}\n'
RANKING = "refund Q0 refund-3 1 2.0 other\nrefund Q0 gateway.md 2 1.0 other\n"


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The knowledge base, ingested, built twice (the second time with all its pages), published twice, measured once."""
    folder = tmp_path_factory.mktemp("published") / "kb"
    (folder / "docs").mkdir(parents=True)
    (folder / "evidex.toml").write_text(TOML, "utf-8")
    for number, (name, text) in enumerate(PAGES.items()):
        (folder / "docs" / name).write_text(text, "utf-8")
        if number in (1, len(PAGES) - 1):
            for words in (("ingest", "docs"), ("build",), ("publish",)):
                assert evidex(*words, at=folder).code == 0
    (folder / "golden.jsonl").write_text(GOLDEN, "utf-8")
    (folder / "golden.proposed.jsonl").write_text(PROPOSED, "utf-8")
    (folder / "run.txt").write_text(RANKING, "utf-8")
    for route in ("search", "answer"):
        assert evidex("eval", "run", "golden.jsonl", "--route", route, at=folder).code == 0
    return folder


@pytest.fixture
def kb(published: Path, tmp_path: Path) -> Path:
    """A copy of the knowledge base, to do anything with."""
    return shutil.copytree(published, tmp_path / "kb")


@pytest.fixture
def run_in(kb: Path) -> Callable[..., Done]:
    """Runs a command in the copy."""
    return lambda *words: evidex(*words, at=kb)

"""What makes a generation another one, and what a build leaves out and says."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import evidex
from evidex.assembly import build_parts
from evidex.catalog.catalog import Catalog
from evidex.index.build import BuildParts, BuildReport, build, silent
from evidex.index.layout import read_manifest
from evidex.storage import Folder
from evidex.workspace import Workspace
from tests.conftest import NOON
from tests.endpoints import Embeddings, serving

Make = Callable[[str], Workspace]
LSA = '[embedding]\nprovider = "lsa"\n'


def filled(workspace: Workspace, number: int = 3) -> Workspace:
    docs = workspace.root / "docs"
    docs.mkdir(exist_ok=True)
    for at in range(number):
        (docs / f"{at}.md").write_text(f"Page {at} tells of item{at}.\n", "utf-8")
    assert workspace.ingest(docs).failures == ()
    return workspace


def built_as(workspace: Workspace, toml: str) -> BuildReport:
    """What a build makes of the same documents under other settings."""
    (workspace.root / "evidex.toml").write_text(toml, "utf-8")
    with evidex.open(workspace.root, now=lambda: NOON) as reopened:
        return reopened.build()


def embedding_of(workspace: Workspace, id: str) -> dict[str, Any]:
    """What the manifest of a generation says of how its vectors came about."""
    return dict(read_manifest(workspace.root / ".evidex" / "generations" / id).inputs.embedding)


@pytest.fixture
def open_catalog(tmp_path: Path) -> Iterator[Callable[[Workspace], Catalog]]:
    opened: list[Catalog] = []

    def open_one(workspace: Workspace) -> Catalog:
        opened.append(Catalog(f"sqlite:///{workspace.root / '.evidex' / 'catalog.db'}"))
        return opened[-1]

    yield open_one
    for catalog in opened:
        catalog.close()


def parts_of(workspace: Workspace, **changes: Any) -> BuildParts:
    return replace(build_parts(workspace.settings, workspace.root / ".evidex"), **changes)


# --- what decides the id


def static_model(folder: Path, first: float) -> Path:
    """A table of three tokens and its tokenizer."""
    tokenizers = pytest.importorskip("tokenizers", reason="needs the extra 'static'")
    safetensors = pytest.importorskip("safetensors.numpy", reason="needs the extra 'static'")
    folder.mkdir(parents=True, exist_ok=True)
    words = {"[UNK]": 0, "Page": 1, "item": 2}
    tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="[UNK]")).save(str(folder / "tokenizer.json"))
    table = np.array([[0, 1], [first, 1], [1, 0]], np.float32)
    safetensors.save_file({"embeddings": table}, folder / "embeddings.safetensors")
    return folder


def static(folder: Path) -> str:
    return f'[embedding]\nprovider = "static"\nwidth = 2\nmodel = "{folder.as_posix()}"\n'


def test_replacing_the_files_of_a_model_makes_another_generation(workspace: Make, tmp_path: Path) -> None:
    folder = static_model(tmp_path / "model", first=1)
    kb = filled(workspace(static(folder)))
    before = kb.build()
    static_model(folder, first=2)

    after = kb.build()

    assert after.written and after.id != before.id
    kb.publish(after.id)
    kb.search("item1")


def test_where_a_model_lies_is_no_part_of_a_generation(workspace: Make, tmp_path: Path) -> None:
    folder = static_model(tmp_path / "here" / "model", first=1)
    kb = filled(workspace(static(folder)))
    before = kb.build()
    shutil.move(tmp_path / "here", tmp_path / "there")

    after = built_as(kb, static(tmp_path / "there" / "model"))

    assert (after.id, after.written) == (before.id, False)
    assert "/" not in "".join(map(str, embedding_of(kb, after.id).values()))


def test_how_an_endpoint_is_asked_is_no_part_of_a_generation(workspace: Make) -> None:
    toml = '[embedding]\nprovider = "openai"\nmodel = "words"\nwidth = 8\n'
    with serving(Embeddings()) as one, serving(Embeddings()) as other:
        kb = filled(workspace(f'{toml}base_url = "{one}"\n'))
        before = kb.build()
        after = built_as(kb, f'{toml}base_url = "{other}"\nbatch = 1\nretries = 7\ntimeout_seconds = 9\n')
    assert (after.id, after.written) == (before.id, False)


@pytest.mark.parametrize("setting", ['query_prefix = "q: "', 'passage_prefix = "p: "', "width = 2", 'revision = "2"'])
def test_whatever_decides_the_vectors_of_trained_weights_makes_another_generation(
    workspace: Make, setting: str
) -> None:
    kb = filled(workspace(LSA))
    before = kb.build()

    after = built_as(kb, LSA + setting)

    assert after.written and after.id != before.id
    assert "lsa" in embedding_of(kb, after.id)["trainer"]


def test_a_generation_without_vectors_depends_on_no_other_setting_of_the_embedder(workspace: Make) -> None:
    kb = filled(workspace('[embedding]\nprovider = "none"\n'))
    before = kb.build()
    assert not built_as(kb, '[embedding]\nprovider = "none"\nwidth = 7\nrevision = "2"\n').written
    assert embedding_of(kb, before.id) == {"provider": "none"}


def test_a_new_revision_is_the_way_out_when_an_endpoint_serves_another_model_under_the_same_name(
    workspace: Make,
) -> None:
    embeddings, sign = Embeddings(), 1.0

    def reply(body: dict[str, Any]) -> tuple[int, object]:
        status, value = embeddings(body)
        assert isinstance(value, dict)
        for item in value["data"]:
            item["embedding"] = [sign * component for component in item["embedding"]]
        return status, value

    with serving(reply) as url:
        toml = f'[embedding]\nprovider = "openai"\nmodel = "words"\nwidth = 8\nbase_url = "{url}"\n'
        kb = filled(workspace(toml))
        kb.publish(kb.build().id)
        sign = -1.0
        (moved,) = (finding for finding in kb.doctor() if finding.severity == "error")
        assert "embedding.revision" in moved.sentence and "build and publish" in moved.sentence
        assert not kb.build().written

        after = built_as(kb, f'{toml}revision = "2"\n')

        assert after.written and after.embedded == 3
        with evidex.open(kb.root, now=lambda: NOON) as reopened:
            reopened.publish(after.id)
            assert not [finding for finding in reopened.doctor() if finding.severity == "error"]


# --- what is left out, and what is said


def test_a_document_that_no_parser_reads_any_more_is_a_failure_and_the_rest_is_built(
    workspace: Make, open_catalog: Callable[[Workspace], Catalog], tmp_path: Path
) -> None:
    kb = workspace(LSA)
    (kb.root / "docs").mkdir()
    (kb.root / "docs" / "note.txt").write_text("A note.", "utf-8")
    filled(kb)
    parts = parts_of(kb)
    markdown = {"markdown": parts.parsers["markdown"]}

    report = build(
        open_catalog(kb), Folder(tmp_path / "out"), replace(parts, parsers=markdown), today=NOON.date(), progress=silent
    )

    assert report.written and report.documents == 3
    (failure,) = report.failures
    assert failure.locator == "docs/note.txt" and "'text'" in failure.reason


def test_a_cache_of_vectors_that_cannot_be_used_is_said_and_changes_no_byte(
    workspace: Make, open_catalog: Callable[[Workspace], Catalog], tmp_path: Path
) -> None:
    kb = filled(workspace(LSA))
    expected = kb.build()
    parts = parts_of(kb, vector_cache=tmp_path / "absent" / "vectors.db")

    report = build(open_catalog(kb), Folder(tmp_path / "out"), parts, today=NOON.date(), progress=silent)

    assert (expected.problem, report.id) == ("", expected.id)
    assert "absent" in report.problem


def test_texts_are_embedded_as_many_at_a_time_as_the_settings_say(workspace: Make) -> None:
    embeddings, calls = Embeddings(), []

    def reply(body: dict[str, Any]) -> tuple[int, object]:
        calls.append(len(body["input"]))
        return embeddings(body)

    with serving(reply) as url:
        toml = f'[embedding]\nprovider = "openai"\nmodel = "words"\nwidth = 8\nbatch = 70\nbase_url = "{url}"\n'
        filled(workspace(toml), 100).build()

    assert calls[:2] == [70, 30]

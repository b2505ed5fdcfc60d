from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

import evidex.analysis.kernels
import evidex.index.kernels
from evidex.analysis.analyzer import make_analyzer
from evidex.analysis.numbering import TermNumbering
from evidex.config import AnalysisSettings, IndexSettings
from evidex.index.build import silent
from evidex.index.postings import write_postings
from evidex.index.sparse import SparseIndex
from evidex.index.strings import Strings
from evidex.index.warm_up import warm_up
from evidex.storage import Folder
from evidex.types import ChunkId, Scope
from evidex.workspace import Workspace

ANALYZER = make_analyzer(AnalysisSettings())


def kernels() -> Iterator[tuple[str, Any]]:
    """Every compiled function of evidex, by module and name."""
    for package in (evidex.index.kernels, evidex.analysis.kernels):
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            for name, value in vars(importlib.import_module(module.name)).items():
                if isinstance(value, Dispatcher):
                    yield f"{module.name}.{name}", value


def compiled() -> dict[str, set[Any]]:
    return {name: set(dispatcher.signatures) for name, dispatcher in kernels()}


@pytest.mark.parametrize("provider", ["lsa", "minilm"])
def test_after_it_no_build_and_no_question_compiles_anything(
    workspace: Callable[[str], Workspace], provider: str
) -> None:
    kb = workspace(f"[embedding]\nprovider = '{provider}'\n[reranking]\nmethod = 'features'\n")
    for number in range(3):
        page = kb.root / "docs" / f"{number}.md"
        page.parent.mkdir(exist_ok=True)
        page.write_text(f"# Page {number}\n\nThe refund window is {number} days. Keep the receipt.\n", "utf-8")
    kb.ingest(kb.root / "docs")
    warm_up(ANALYZER, IndexSettings(), silent)
    before = compiled()

    kb.publish(kb.build().id)
    kb.search("refund window", limit=2)

    assert compiled() == before


@pytest.mark.parametrize(
    "texts",
    [
        [f"refund window {row % 7} days" if row % 3 else "" for row in range(300)],
        [f"word{row} other{row}" for row in range(40)],
        [""] * 5,
        [],
    ],
    ids=["usual", "no frequent term", "no term", "no chunk"],
)
def test_after_it_no_kind_of_scope_limit_or_index_compiles_anything(tmp_path: Path, texts: list[str]) -> None:
    warm_up(ANALYZER, IndexSettings(), silent)
    before, count = compiled(), len(texts)

    numbering = TermNumbering(ANALYZER)
    batch = numbering.number(texts)
    write_postings(Folder(tmp_path), [batch], lambda: numbering.terms, analyzer=ANALYZER.name, k1=1.2, b=0.75)
    ids = Strings.of(f"{row:04}" for row in range(count))
    index = SparseIndex.open(tmp_path, ANALYZER, ids=ids)
    few, sealed, strided = np.arange(count) % 20 == 0, np.ones(count, np.bool_), np.ones(2 * count, np.bool_)[::2]
    sealed.flags.writeable = False
    questions = ["refund window 3 word7", " ".join(f"word{row}" for row in range(40))]
    for visible in (np.ones(count, np.bool_), ~few, few, np.zeros(count, np.bool_), sealed, strided):
        for limit in (1, 10, 5_000):
            index.search(questions, Scope(visible), limit)
            index.search(questions[:1], Scope(visible), limit)
        for among in ([], [ChunkId(ids[row]) for row in range(min(3, count))]):
            index.search(["refund window 3 word7"], Scope(visible), 10, among=among)

    assert compiled() == before


def test_it_reports_each_step() -> None:
    reported: list[tuple[str, int, int]] = []

    warm_up(ANALYZER, IndexSettings(dense="binary"), lambda *step: reported.append(step))

    assert reported == [("compile", done, 3) for done in range(4)]

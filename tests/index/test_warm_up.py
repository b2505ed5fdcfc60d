from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from numba.core.dispatcher import Dispatcher

import evidex.analysis.kernels
import evidex.index.kernels
from evidex.analysis.analyzer import make_analyzer
from evidex.config import AnalysisSettings, IndexSettings
from evidex.index.build import silent
from evidex.index.warm_up import warm_up
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


def test_it_reports_each_step() -> None:
    reported: list[tuple[str, int, int]] = []

    warm_up(ANALYZER, IndexSettings(dense="binary"), lambda *step: reported.append(step))

    assert reported == [("compile", done, 3) for done in range(4)]

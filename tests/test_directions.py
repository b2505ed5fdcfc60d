"""Imports point down: vocabulary, contracts, text, rooms, flows, assembly, doors."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import evidex

PACKAGE = Path(evidex.__file__).parent
MODULES = sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))

LAYERS = (
    ("vocabulary", ("types", "errors")),
    (
        "contracts",
        (
            *("ports", "trace", "storage", "config", "encoding", "plugins", "threads", "cosine", "http", "compiled"),
            *("judging", "wording"),
        ),
    ),
    ("text", ("analysis",)),
    (
        "rooms",
        (
            *("catalog", "chunking", "embedding", "generating", "grounding", "index", "parsing"),
            *("query", "reranking", "sample", "sources"),
        ),
    ),
    ("flows", ("catalog.ingest", "index.build", "query.ask", "query.scope", "query.substitute")),
    ("measuring", ("evaluation",)),
    ("judges", ("diagnosis", "plots")),
    ("assembly", ("assembly",)),
    (
        "doors",
        (
            *("doctor", "planning", "new_workspace", "system", "evaluating", "drawing"),
            *("workspace", "cli", "testing", "__init__"),
        ),
    ),
)
"""From the bottom up. A dotted name is one file of a room that stands above the room itself."""


def place(module: str) -> tuple[int, str]:
    """The height of a module and the room it is in."""
    names = [(height, name) for height, (_, names) in enumerate(LAYERS) for name in names]
    inside = [(height, name) for height, name in names if module == name or module.startswith(f"{name}.")]
    assert inside, f"{module} has no place in the house"
    return max(inside, key=lambda found: len(found[1]))


def imports(path: Path) -> list[str]:
    """The modules of ours that a file imports, inside functions too, without the leading package name."""
    tree = ast.parse((PACKAGE / path).read_text("utf-8"))
    found: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module == "evidex":
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("evidex."):
            found.append(node.module.removeprefix("evidex."))
        elif isinstance(node, ast.Import):
            found += [alias.name.removeprefix("evidex.") for alias in node.names if alias.name.startswith("evidex.")]
    return found


def name_of(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


@pytest.mark.parametrize("path", MODULES, ids=str)
def test_imports_point_down_and_rooms_do_not_import_each_other(path: Path) -> None:
    height, room = place(name_of(path))
    own = room.split(".")[0]
    for target in imports(path):
        below, other = place(target)
        same_room = other.split(".")[0] == own
        assert below < height or same_room or LAYERS[height][0] in {"doors", "vocabulary", "contracts"}, (
            f"{name_of(path)} imports {target}"
        )
        if LAYERS[height][0] in {"vocabulary", "contracts"}:
            assert below <= height, f"{name_of(path)} imports {target}"


def test_only_doors_know_the_assembly() -> None:
    knowing = {place(name_of(path))[0] for path in MODULES if "assembly" in imports(path)}

    assert {LAYERS[height][0] for height in knowing} == {"doors"}


@pytest.mark.parametrize("path", [path for path in MODULES if path.parts[0] in {"evaluation", "diagnosis"}], ids=str)
def test_judges_know_nothing_of_how_a_question_is_answered(path: Path) -> None:
    assert {target.split(".")[0] for target in imports(path)}.isdisjoint({"query", "index", "catalog", "assembly"})


def test_the_vocabulary_imports_nothing_of_ours() -> None:
    assert imports(Path("types.py")) == []
    assert imports(Path("errors.py")) == []


def test_no_two_modules_import_each_other() -> None:
    graph = {name_of(path): set(imports(path)) for path in MODULES}

    def reaches(start: str) -> set[str]:
        seen: set[str] = set()
        ahead = [start]
        while ahead:
            for target in graph.get(ahead.pop(), ()):
                if target not in seen:
                    seen.add(target)
                    ahead.append(target)
        return seen

    assert [module for module in graph if module in reaches(module)] == []

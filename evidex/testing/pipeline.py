"""What is a line made of? A value with a place for every part, so that one of them can be replaced and no other."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from evidex.config import Settings, parse_settings
from evidex.query.understand import complete
from evidex.testing.knowledge import CLERK, CLERKS, Knowledge
from evidex.testing.prefixes import Prefixed
from evidex.types import Case, ChunkId, SourceItem

Bench: TypeAlias = Literal["hybrid", "sparse", "dense"]
"""How the evidence is found: by keywords and vectors, by keywords alone, or by vectors alone, approximately."""

Gold: TypeAlias = Callable[[str], frozenset[ChunkId]]
"""The chunks that hold the evidence of a question, or what is withheld from its asker, by its `wording`."""

_FINDING: Mapping[Bench, Mapping[str, Mapping[str, object]]] = {
    "hybrid": {"embedding": {"provider": "lsa", "width": 160}},
    "sparse": {"embedding": {"provider": "none"}},
    "dense": {
        "embedding": {"provider": "lsa", "width": 160},
        "retrieval": {"channels": ["dense"]},
        "index": {"dense": "int8", "oversampling": 4},
    },
}

_BUILT_BY = frozenset({"chunking", "analysis", "embedding", "index"})

_THROUGHOUT: Mapping[str, Mapping[str, object]] = {
    "access": {"users": {CLERK: {"groups": [CLERKS]}}},
    "retrieval": {"limit": 20},
    "fusion": {"method": "rrf"},
    "reranking": {"candidates": 12, "limit": 4, "blend": False},
    "context": {"budget_tokens": 600},
    "answering": {"min_support": 0.36},
}


@dataclass(frozen=True, slots=True)
class Wrap:
    """What puts a part into another: `make(part, *given)`. Two that are made alike are equal.

    `boundary` is where it does harm, "" for one that alone does none.
    """

    boundary: str
    make: Callable[..., Any]
    given: tuple[Hashable, ...] = ()

    def __call__(self, *parts: Any) -> Any:
        return self.make(*parts, *self.given)


@dataclass(frozen=True, slots=True)
class Pipeline:
    """All that decides what becomes of questions: documents, settings, and what was done to the parts of the line.

    `changed` holds section, name and value of the settings that differ from those of the bench. Every wrap is given a
    part and gives one of the same port; they are applied in order, and compare by value. `models` wrap the embedder
    for build and questions alike, `sealers` for the build alone; `line` wraps an `OpenedGeneration`, and is told where
    the evidence stands (`Gold`).
    """

    items: tuple[SourceItem, ...]
    cases: tuple[Case, ...]
    bench: Bench = "hybrid"
    changed: tuple[tuple[str, str, object], ...] = ()
    parsers: tuple[Wrap, ...] = ()
    chunkers: tuple[Wrap, ...] = ()
    analyzers: tuple[Wrap, ...] = ()
    models: tuple[Wrap, ...] = ()
    sealers: tuple[Wrap, ...] = ()
    line: tuple[Wrap, ...] = ()

    @property
    def settings(self) -> Settings:
        """The settings of the bench with what was changed of them."""
        values: dict[str, dict[str, object]] = {}
        for section, named in (*_THROUGHOUT.items(), *_FINDING[self.bench].items()):
            values.setdefault(section, {}).update(named)
        for section, name, value in self.changed:
            values.setdefault(section, {})[name] = value
        return parse_settings(values)

    @property
    def sealed(self) -> Pipeline:
        """What of it decides the catalog and the generation: pipelines that are equal in this share both."""
        built = tuple(change for change in self.changed if change[0] in _BUILT_BY)
        return replace(self, cases=(), changed=built, line=())

    def with_settings(self, *changed: tuple[str, str, object]) -> Pipeline:
        """The pipeline with these settings, each a section, a name and a value."""
        return replace(self, changed=(*self.changed, *changed))


def healthy(base: Knowledge, bench: Bench = "hybrid") -> Pipeline:
    """The line with nothing wrong in it."""
    models = (Wrap("", Prefixed),) if bench == "dense" else ()
    return Pipeline(base.items, base.cases, bench, models=models)


def wording(question: str, history: tuple[str, ...]) -> str:
    """What a question is called by here: itself, with the turn before it where it leans on that."""
    return complete(" ".join(question.split()), history)

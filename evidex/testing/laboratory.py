"""Where faults are tried: pipelines are built in a temporary folder and opened as systems that can be judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from functools import cache, cached_property, reduce
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from evidex.analysis.analyzer import make_analyzer
from evidex.assembly import InstalledParsers, OpenedGeneration, build_parts, opened_with, query_embedder
from evidex.catalog.catalog import Catalog, Record
from evidex.catalog.ingest import ingest
from evidex.config import Settings
from evidex.evaluation.resolve import resolve
from evidex.index.build import BuildParts, build, silent
from evidex.judging import System
from evidex.ports import Embedder, Parser
from evidex.storage import Folder
from evidex.system import system_of
from evidex.testing.knowledge import TODAY
from evidex.testing.pipeline import Gold, Pipeline, Wrap, wording
from evidex.types import Case, ChunkId, DocumentId, GenerationId, Principal, Question, SourceItem

Part = TypeVar("Part")


class Laboratory:
    """Builds pipelines and opens them as systems; pipelines that differ in their line alone share what was built.

    Use it as a context manager: what was built is removed at its end.
    """

    def __init__(self) -> None:
        self._temporary = TemporaryDirectory(prefix="evidex-")
        self.folder = Path(self._temporary.name)
        self._built: dict[Pipeline, tuple[Path, Catalog, GenerationId]] = {}
        self._opened: dict[Pipeline, tuple[OpenedGeneration, Catalog, System]] = {}

    def __enter__(self) -> Laboratory:
        return self

    def __exit__(self, *_: object) -> None:
        for built in self._built.values():
            built[1].close()
        self._opened.clear()
        self._temporary.cleanup()

    def system(self, pipeline: Pipeline) -> System:
        """The system that a pipeline makes."""
        opened, catalog, bare = self._open(replace(pipeline, cases=(), line=()))
        if not pipeline.line:
            return bare
        gold = gold_of(pipeline.cases, bare)
        wrapped = reduce(lambda line, wrap: wrap(line, gold), pipeline.line, opened)
        return _system(wrapped, catalog)

    def _open(self, pipeline: Pipeline) -> tuple[OpenedGeneration, Catalog, System]:
        """What stands before a line is wrapped: the generation, open, its catalog, and the system of the two."""
        if pipeline not in self._opened:
            settings = pipeline.settings
            path, catalog, id = self._build(pipeline)
            embedder = query_embedder(settings.embedding, path / id)
            opened = opened_with(
                path / id,
                settings,
                catalog,
                path,
                _today,
                analyzer=_wrapped(make_analyzer(settings.analysis), pipeline.analyzers),
                embedder=None if embedder is None else _wrapped(embedder, pipeline.models),
            )
            self._opened[pipeline] = opened, catalog, _system(opened, catalog)
        return self._opened[pipeline]

    def _build(self, pipeline: Pipeline) -> tuple[Path, Catalog, GenerationId]:
        sealed = pipeline.sealed
        if sealed not in self._built:
            path = self.folder / f"{len(self._built)}"
            path.mkdir()
            catalog = Catalog(f"sqlite:///{path / 'catalog.db'}")
            parts = _build_parts(pipeline, path)
            ingest([_Items(pipeline.items)], catalog, parts.parsers, home=path, today=TODAY)
            report = build(catalog, Folder(path), parts, today=TODAY, progress=silent)
            catalog.close()
            self._built[sealed] = path, _Settled(f"sqlite:///{path / 'catalog.db'}"), report.id
        return self._built[sealed]


def _system(opened: OpenedGeneration, catalog: Catalog) -> System:
    settings = opened.parts.settings
    return system_of(opened, catalog, question_of=lambda case: _question(case, settings), today=_today)


def gold_of(cases: Iterable[Case], system: System) -> Gold:
    """Where the evidence of each question stands; of one that has none, what is withheld from its asker."""
    asked: dict[str, list[Case]] = {}
    for case in cases:
        asked.setdefault(wording(case.question, case.history), []).append(case)

    @cache
    def gold(name: str) -> frozenset[ChunkId]:
        return frozenset(id for case in asked.get(name, ()) for id in _gold(case, system))

    return gold


def _gold(case: Case, system: System) -> Iterator[ChunkId]:
    for fact in resolve(case, system).facts:
        yield from fact.chunks
    for document in case.withheld:
        for revision in system.revisions(document, case):
            yield from (chunk.id for chunk in revision.chunks)


class _Settled(Catalog):
    """A catalog that nobody changes any more, so it is read once."""

    @cached_property
    def _last(self) -> tuple[int, tuple[Record, ...]]:
        return super().revision(), super().records()

    def revision(self) -> int:
        return self._last[0]

    def records(self, document: DocumentId | None = None) -> tuple[Record, ...]:
        return tuple(record for record in self._last[1] if document in (None, record.id))


class _Items:
    """A source that holds these items."""

    def __init__(self, items: tuple[SourceItem, ...]) -> None:
        self._items = items

    def documents(self) -> tuple[SourceItem, ...]:
        return self._items


class _Parsers(Mapping[str, Parser]):
    """The installed parsers, each wrapped."""

    def __init__(self, wraps: tuple[Wrap, ...]) -> None:
        self._installed = InstalledParsers()
        self._wraps = wraps

    def __getitem__(self, format: str) -> Parser:
        return _wrapped(self._installed[format], self._wraps)

    def __iter__(self) -> Iterator[str]:
        return iter(self._installed)

    def __len__(self) -> int:
        return len(self._installed)


def _build_parts(pipeline: Pipeline, state: Path) -> BuildParts:
    real = build_parts(pipeline.settings, state)
    open_real = real.open_embedder

    def open_embedder(weights: Path) -> Embedder:
        assert open_real is not None
        return _wrapped(_wrapped(open_real(weights), pipeline.models), pipeline.sealers)

    return replace(
        real,
        parsers=_Parsers(pipeline.parsers),
        chunker=_wrapped(real.chunker, pipeline.chunkers),
        analyzer=_wrapped(real.analyzer, pipeline.analyzers),
        open_embedder=None if open_real is None else open_embedder,
    )


def _wrapped(part: Part, wraps: tuple[Wrap, ...]) -> Part:
    return reduce(lambda inner, wrap: wrap(inner), wraps, part)


def _question(case: Case, settings: Settings) -> Question:
    known = settings.access.users.get(case.user or "")
    tenant = case.tenant or (known.tenant if known else settings.access.default_tenant)
    principal = Principal(tenant, case.user or "", frozenset(known.groups if known else ()))
    return Question(case.question, principal, case.history, case.as_of, case.filters)


def _today() -> date:
    return TODAY

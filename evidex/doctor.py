"""Is this workspace in order? Everything that would make answers worse without anyone noticing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Literal

import numpy as np

from evidex.assembly import open_generation, unbuilt
from evidex.catalog.catalog import LIVE, Catalog
from evidex.config import Settings
from evidex.embedding.prefixes import warnings_for
from evidex.embedding.probes import require_unmoved
from evidex.errors import EvidexError
from evidex.index.build import COVERAGE, PROBED, changes
from evidex.index.generation import Generation
from evidex.index.layout import verify
from evidex.index.part import open_part
from evidex.types import ChunkId, GenerationId

_NAMED = 5


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not in order, and what to do about it. An `error` makes answers wrong or impossible."""

    severity: Literal["error", "warning"]
    check: str
    sentence: str


def examine(catalog: Catalog, generations: Path, settings: Settings, *, root: Path, today: date) -> tuple[Finding, ...]:
    """Everything that is wrong, errors first."""
    findings = [*_failed_documents(catalog)]
    live = catalog.alias(LIVE)
    if live is None:
        findings.append(Finding("error", "generation", "No generation is published. Run 'evidex publish'."))
    else:
        findings += _generation(generations / live, live, catalog, settings, root, today)
    return tuple(sorted(findings, key=lambda finding: finding.severity))


def _failed_documents(catalog: Catalog) -> Iterator[Finding]:
    by_reason: dict[str, list[str]] = {}
    for failure in catalog.failures():
        by_reason.setdefault(failure.reason, []).append(failure.locator)
    for reason, locators in by_reason.items():
        more = f" and {len(locators) - _NAMED} more" if len(locators) > _NAMED else ""
        yield Finding("warning", "documents", f"Not taken in: {', '.join(locators[:_NAMED])}{more}. {reason}")


def _generation(
    path: Path, id: GenerationId, catalog: Catalog, settings: Settings, root: Path, today: date
) -> list[Finding]:
    damage = [Finding("error", "files", f"Generation {id[:12]}: {problem}") for problem in verify(path)]
    if damage:
        return damage
    try:
        opened = open_generation(path, settings, catalog, root, lambda: today)
        if opened.embedder is not None:
            require_unmoved(open_part(path / PROBED).arrays["vectors"], opened.embedder)
    except EvidexError as error:
        return [Finding("error", "opening", str(error))]
    generation, embedder = opened.generation, opened.embedder
    findings = [*_behind(generation, catalog, settings, today), *_channels(generation), *_coverage(generation, path)]
    if embedder is not None:
        findings += [Finding("warning", "contract", warning) for warning in warnings_for(embedder.contract)]
    return findings


def _behind(generation: Generation, catalog: Catalog, settings: Settings, today: date) -> Iterator[Finding]:
    newest = catalog.generations()[-1].id
    if newest != generation.id:
        yield Finding(
            "warning", "generation", f"Generation {newest[:12]} was built and is not live. Run 'evidex publish'."
        )
        return
    wanted = {record.key for record in changes(catalog, today, history=settings.index.history)}
    if missing := len(wanted - set(generation.documents.keys)):
        yield Finding(
            "warning",
            "generation",
            f"{missing} {'document is' if missing == 1 else 'documents are'} in no generation yet. "
            "Run 'evidex build' and 'evidex publish'.",
        )
    if waiting := unbuilt(settings, generation.manifest.inputs):
        yield Finding(
            "warning",
            "settings",
            f"The live generation was not built with the settings as they are now: {'; '.join(waiting)}. "
            "Run 'evidex build' and 'evidex publish'.",
        )


def _channels(generation: Generation) -> Iterator[Finding]:
    findable = int((~generation.chunks.is_parent).sum())
    found = {"sparse": int((generation.sparse.lengths > 0).sum())}
    if generation.dense is not None:
        found["dense"] = int((generation.vectors.lengths > 0).sum())
    if generation.late is not None:
        found["late"] = int((np.diff(generation.token_vectors.offsets) > 0).sum())
    for channel, count in found.items():
        empty = findable - count
        if findable == 0 or empty == findable:
            yield Finding(
                "error", "channels", f"The channel {channel!r} is empty: ingest documents, then build and publish."
            )
        elif empty:
            yield Finding("warning", "channels", f"The channel {channel!r} cannot find {empty} of {findable} chunks.")


def _coverage(generation: Generation, path: Path) -> Iterator[Finding]:
    if generation.manifest.contract is None:
        return
    truncated = open_part(path / COVERAGE).arrays["known-unknown-truncated"][:, 2]
    rows = truncated.nonzero()[0]
    if len(rows):
        chunks = generation.chunks.get([ChunkId(generation.chunks.ids[int(row)]) for row in rows[:_NAMED]])
        names = ", ".join(f"{chunk.document} ({chunk.id[-8:]})" for chunk in chunks)
        yield Finding(
            "warning",
            "truncation",
            f"The embedder reads {generation.manifest.contract.max_tokens} tokens; {len(rows)} chunks are longer and "
            f"their ends are not searched by meaning: {names}{' …' if len(rows) > _NAMED else ''}. "
            "Lower chunking.max_words, then build.",
        )

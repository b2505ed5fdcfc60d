"""The door for extensions: entry points, one group per port. What evidex ships comes in by the same door.

    [project.entry-points."evidex.chunkers"]
    mine = "my_package:make"

| group                | factory                                                        |
|----------------------|----------------------------------------------------------------|
| evidex.parsers       | `make() -> Parser`, named after a format                       |
| evidex.chunkers      | `make(settings: ChunkingSettings) -> Chunker`                  |
| evidex.embedders     | `make(settings: EmbeddingSettings, weights: Path) -> Embedder` |
| evidex.trainers      | `make(settings: EmbeddingSettings) -> Trainer`, same name as its embedder |
| evidex.rerankers     | `make(resources: RerankingResources) -> Reranker`              |
| evidex.generators    | `make(resources: GeneratingResources) -> Generator`            |
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from evidex.config import AnsweringSettings, RerankingSettings
from evidex.errors import ConfigError
from evidex.ports import Analyzer, Embedder, TokenVectorStore, VectorStore


@dataclass(frozen=True, slots=True)
class RerankingResources:
    """What a reranker may use; `embedder` is None in a workspace without one."""

    settings: RerankingSettings
    analyzer: Analyzer
    embedder: Embedder | None
    vectors: VectorStore
    token_vectors: TokenVectorStore


@dataclass(frozen=True, slots=True)
class GeneratingResources:
    """What a generator may use; `embedder` is None in a workspace without one."""

    settings: AnsweringSettings
    analyzer: Analyzer
    embedder: Embedder | None


@cache
def offers(group: str) -> dict[str, EntryPoint]:
    """The parts installed for a group, by name."""
    return {point.name: point for point in sorted(entry_points(group=f"evidex.{group}"), key=lambda point: point.name)}


def load(group: str, name: str) -> Callable[..., Any]:
    """The factory of a part. Raises `ConfigError` that lists what is installed when `name` is not."""
    points = offers(group)
    if name not in points:
        raise ConfigError(
            f"No {group.removesuffix('s')} is called {name!r}.", f"Installed: {', '.join(points) or 'none'}."
        )
    try:
        factory: Callable[..., Any] = points[name].load()
    except (ImportError, AttributeError) as error:
        raise ConfigError(
            f"The {group.removesuffix('s')} {name!r} ({points[name].value}) cannot be loaded: {error}.",
            "Mend or remove the package that offers it.",
        ) from error
    return factory

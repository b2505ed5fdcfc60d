"""The one file that knows everybody: settings into the parts that the two lines run on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

from evidex import plugins
from evidex.analysis.analyzer import make_analyzer
from evidex.catalog.catalog import Catalog
from evidex.config import EmbeddingSettings, Settings
from evidex.embedding.contract import require_same
from evidex.embedding.remembered import RememberedTexts
from evidex.errors import ConfigError, ContractError
from evidex.index.build import WEIGHTS, BuildParts
from evidex.index.generation import Generation
from evidex.index.layout import Inputs, check_sizes, read_manifest
from evidex.ports import Analyzer, Embedder, Index, Parser, Source
from evidex.query.ask import Parts
from evidex.query.scope import View
from evidex.query.understand import NO_SYNONYMS, read_synonyms
from evidex.sources.open import open_source
from evidex.types import GenerationId, Scope, Term

VECTOR_CACHE = "vectors.db"


class InstalledParsers(Mapping[str, Parser]):
    """Every parser that is installed, by the format it reads; made when first used, so only then must its extra be."""

    def __getitem__(self, format: str) -> Parser:
        if format not in plugins.offers("parsers"):
            raise KeyError(format)
        return _parser(format)

    def __iter__(self) -> Iterator[str]:
        return iter(plugins.offers("parsers"))

    def __len__(self) -> int:
        return len(plugins.offers("parsers"))


@cache
def _parser(format: str) -> Parser:
    parser: Parser = plugins.load("parsers", format)()
    return parser


def sources(path: Path, workspace: Path, settings: Settings) -> Source:
    """The source that reads `path`. Raises `SourceError` when there is nothing to read."""
    return open_source(path, workspace=workspace, sources=settings.sources, access=settings.access)


def build_parts(settings: Settings, state: Path) -> BuildParts:
    """What a build runs on; the vectors of texts seen before come from the cache in `state`."""
    provider = settings.embedding.provider
    trained = provider in plugins.offers("trainers")
    return BuildParts(
        parsers=InstalledParsers(),
        chunker=plugins.load("chunkers", settings.chunking.strategy)(settings.chunking),
        analyzer=make_analyzer(settings.analysis),
        trainer=plugins.load("trainers", provider)(settings.embedding) if trained else None,
        open_embedder=None if provider == "none" else lambda weights: _embedder(settings.embedding, weights),
        embedding=settings.embedding.model_dump(mode="json", include=set(_IN_TRAINED_VECTORS)),
        batch=settings.embedding.batch,
        vector_cache=state / VECTOR_CACHE,
        settings=settings.index,
    )


def unbuilt(settings: Settings, inputs: Inputs) -> tuple[str, ...]:
    """What the settings would build otherwise than it is in the generation with these inputs, each with what it has.

    An analyzer or embedder other than the generation's is no matter of waiting: no question can be asked with it.
    """
    chunker = plugins.load("chunkers", settings.chunking.strategy)(settings.chunking).name
    trained = settings.embedding.model_dump(mode="json", include=set(_IN_TRAINED_VECTORS) & inputs.embedding.keys())
    wanted = {"chunker": chunker, **settings.index.model_dump(mode="json")}
    built = {"chunker": inputs.chunker, **inputs.settings}
    if "trainer" in inputs.embedding:
        wanted, built = {**wanted, **trained}, {**built, **inputs.embedding}
    return tuple(
        f"{name} {wanted[name]} (built with {built.get(name)})" for name in wanted if wanted[name] != built.get(name)
    )


_IN_TRAINED_VECTORS = ("provider", "revision", "width", "query_prefix", "passage_prefix")


@dataclass(frozen=True, slots=True)
class OpenedGeneration:
    """A generation that can be asked, with the folder it is in and what the line runs on."""

    path: Path
    generation: Generation
    embedder: Embedder | None
    parts: Parts

    @property
    def id(self) -> GenerationId:
        return self.generation.id

    @property
    def history(self) -> bool:
        """Whether it holds superseded revisions, so that it can answer as of an earlier day."""
        return bool(self.generation.manifest.inputs.settings["history"])


def open_generation(
    path: Path, settings: Settings, catalog: Catalog, root: Path, today: Callable[[], date]
) -> OpenedGeneration:
    """Open the generation in `path` for questions.

    Raises `ContractError` when the settings give another embedder than it was built with, `GenerationError` when it
    is damaged or was built with another analyzer.
    """
    analyzer = make_analyzer(settings.analysis)
    embedder = query_embedder(settings.embedding, path)
    return opened_with(path, settings, catalog, root, today, analyzer=analyzer, embedder=embedder)


def opened_with(
    path: Path,
    settings: Settings,
    catalog: Catalog,
    root: Path,
    today: Callable[[], date],
    *,
    analyzer: Analyzer,
    embedder: Embedder | None,
) -> OpenedGeneration:
    """The generation in `path` with this analyzer and embedder, which need not be those of the settings."""
    generation = Generation.open(path, analyzer, embedder=embedder)
    check_contract(generation, embedder)
    view = View(generation, catalog, today)
    reranking = plugins.RerankingResources(
        settings.reranking, analyzer, embedder, generation.vectors, generation.token_vectors
    )
    answering = plugins.GeneratingResources(settings.answering, analyzer, embedder)
    synonyms = settings.understanding.synonyms
    parts = Parts(
        settings=settings,
        synonyms=read_synonyms(root / synonyms) if synonyms else NO_SYNONYMS,
        scope=view.scope,
        why_outside=view.why_outside,
        term_weights=lambda text, scope: _term_weights(text, scope, generation),
        indexes=_channels(settings.retrieval.channels, generation),
        chunks=generation.chunks,
        documents_of=generation.chunks.documents,
        title_of=lambda chunk: generation.documents.record(chunk.key).title,
        text_within=generation.text_within,
        origin_of=view.origin_of,
        reranker=plugins.load("rerankers", settings.reranking.method)(reranking),
        generator=plugins.load("generators", settings.answering.method)(answering),
    )
    return OpenedGeneration(path, generation, embedder, parts)


def query_embedder(settings: EmbeddingSettings, generation: Path) -> Embedder | None:
    """The embedder for questions to the generation in that folder; None in a workspace without one.

    Raises `ContractError` when the generation was built with another provider, `GenerationError` when it is damaged.
    """
    manifest = read_manifest(generation)
    check_sizes(generation, manifest)
    built_with = manifest.inputs.embedding["provider"]
    if built_with != settings.provider:
        raise ContractError("provider", built_with, settings.provider)
    return None if settings.provider == "none" else RememberedTexts(_embedder(settings, generation / WEIGHTS))


def check_contract(generation: Generation, embedder: Embedder | None) -> None:
    """Raises `ContractError` naming the first field in which index and query would differ."""
    sealed = generation.manifest.contract
    if sealed is not None and embedder is not None:
        require_same(sealed, embedder.contract)


def _embedder(settings: EmbeddingSettings, weights: Path) -> Embedder:
    embedder: Embedder = plugins.load("embedders", settings.provider)(settings, weights)
    return embedder


def _channels(wanted: Sequence[str], generation: Generation) -> tuple[Index, ...]:
    """The channels that are asked; a workspace without an embedder has no `dense` one, and nobody misses it."""
    offered = {index.channel: index for index in generation.channels}
    if "late" in wanted and "late" not in offered:
        raise ConfigError(
            f"retrieval.channels holds 'late', and generation {generation.id[:12]!r} has no vectors of single tokens.",
            "Set embedding.provider to 'minilm' and index.token_vectors to true, build and publish; or leave it out.",
        )
    return tuple(offered[name] for name in dict.fromkeys(wanted) if name in offered)


def _term_weights(text: str, scope: Scope, generation: Generation) -> tuple[Term, ...]:
    terms = tuple(dict.fromkeys(generation.sparse.analyzer.terms(text)))
    return generation.sparse.idf(terms, scope)

"""Promise 2: removing every document that a principal may not read changes nothing that it can observe."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from evidex.analysis.analyzer import make_analyzer
from evidex.analysis.numbering import TermNumbering
from evidex.chunking.windows import WindowChunker
from evidex.config import (
    AnalysisSettings,
    EmbeddingSettings,
    FusionSettings,
    RerankingSettings,
    RetrievalSettings,
    Settings,
)
from evidex.embedding.minilm import make as make_minilm
from evidex.embedding.remembered import RememberedTexts
from evidex.generating.extractive import make as make_extractive
from evidex.index.chunks import write_chunks
from evidex.index.documents import document_digest, write_documents
from evidex.index.generation import Generation
from evidex.index.layout import Counts, Inputs, seal
from evidex.index.multivector import SealedTokenVectors, write_token_vectors
from evidex.index.postings import write_postings
from evidex.index.strings import Strings
from evidex.index.token_pools import write_token_pools
from evidex.index.vectors import write_vectors
from evidex.plugins import GeneratingResources, RerankingResources
from evidex.ports import Analyzer, Embedder, Embedding
from evidex.query.ask import Parts, search
from evidex.query.understand import NO_SYNONYMS
from evidex.reranking.late import make as make_late
from evidex.storage import Folder
from evidex.trace import StageRecord, Trace
from evidex.types import Document, DocumentId, DocumentKey, Metadata, OriginMap, Parsed, Principal, Question, Scope

CORPORA = 25
WORDS = (
    *("refund", "window", "days", "purchase", "invoice", "salary", "band", "travel", "report", "error", "E1492"),
    *("plan", "cancel", "annual", "money", "the", "of", "gateway", "receipt", "hotel", "manager", "approves"),
)
PRINCIPALS = (
    Principal(tenant="north", name="ann", groups=frozenset({"hr"})),
    Principal(tenant="north", name="bob"),
    Principal(tenant="south", name="cleo", groups=frozenset({"hr", "finance"})),
    Principal(tenant="nowhere"),
)
QUESTIONS = (
    "refund window days",
    "what does error E1492 of the gateway mean",
    "who approves the travel report",
    "annual plan cancel money",
    "the of",
    "salary band zebra",
)
ANALYZER = make_analyzer(AnalysisSettings())
FUSIONS = (FusionSettings(method="rrf"), FusionSettings(method="convex"))


class Remembering:
    """MiniLM, asked once for each passage of this module."""

    def __init__(self, embedder: Embedder, passages: Sequence[str]) -> None:
        self._queries = RememberedTexts(embedder)
        self.contract = embedder.contract
        self.has_token_vectors = True
        embedding = embedder.embed(passages, role="passage", token_vectors=True)
        self._rows = {text: row for row, text in enumerate(passages)}
        self._embedding = embedding

    def embed(self, texts: Sequence[str], *, role: str, token_vectors: bool = False) -> Embedding:
        if role == "query":
            return self._queries.embed(texts, role="query", token_vectors=token_vectors)
        rows, known = [self._rows[text] for text in texts], self._embedding
        return Embedding(
            known.vectors[rows],
            tuple(known.known[row] for row in rows),
            tuple(known.unknown[row] for row in rows),
            tuple(known.truncated[row] for row in rows),
            tuple(known.token_vectors[row] for row in rows),
        )


def passages(draw: random.Random, count: int) -> list[str]:
    texts = [" ".join(draw.choices(WORDS, k=draw.randint(1, 14))) for _ in range(count)]
    return list(dict.fromkeys(texts))


POOL = passages(random.Random(1), 60)


@pytest.fixture(scope="module")
def embedder() -> Remembering:
    settings = EmbeddingSettings(provider="minilm", threads=1)
    return Remembering(make_minilm(settings, Path()), POOL)


def documents(draw: random.Random) -> list[Document]:
    made = []
    for number in range(draw.randint(4, 24)):
        metadata = Metadata(
            DocumentId(f"d{number}"),
            tenant=draw.choice(("north", "south")),
            readers=frozenset(draw.sample(("everyone", "hr", "finance", "user:bob"), draw.randint(1, 2))),
        )
        text = draw.choice(POOL)
        parsed = Parsed(text, (), OriginMap("line", (0,), (1,)))
        made.append(Document(DocumentKey(f"{number:032x}"), metadata, "text/1", parsed))
    return made


class UnsyncedFolder(Folder):
    """Writes without flushing to the disk: hundreds of generations are written here, and none has to survive."""

    def write(self, name: str, data: bytes) -> Path:
        target = self.path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        return target


def generation_of(path: Path, held: Sequence[Document], embedder: Remembering) -> Generation:
    folder = UnsyncedFolder(path)
    chunker = WindowChunker(150)
    write_documents(folder, held)
    rows = write_chunks(folder, [chunk for document in held for chunk in chunker.chunk(document)])
    texts = [chunk.text for chunk in rows]
    numbering = TermNumbering(ANALYZER)
    terms, tokens = write_postings(
        folder, [numbering.number(texts)], lambda: numbering.terms, analyzer=ANALYZER.name, k1=1.2, b=0.75
    )
    embedding = embedder.embed(texts, role="passage", token_vectors=True)
    write_vectors(folder, embedding.vectors.reshape(-1, embedder.contract.width), contract=embedder.contract)
    write_token_vectors(folder, embedding.token_vectors, width=embedder.contract.width)
    write_token_pools(folder, SealedTokenVectors.open(path, ids=Strings.of(chunk.id for chunk in rows)))
    digests = tuple((document.key, document_digest(document)) for document in held)
    inputs = Inputs(digests, ("text/1",), chunker.name, ANALYZER.name, {}, Settings().index.model_dump(mode="json"))
    seal(folder, inputs, Counts(len(held), len(rows), terms, tokens), embedder.contract)
    return Generation.open(path, ANALYZER, embedder=embedder)


def scope_of(generation: Generation, held: Sequence[Document], principal: Principal) -> Scope:
    readable = {document.key for document in held if principal.may_read(document.metadata)}
    return generation.scope(np.array([key in readable for key in generation.chunks.keys], np.bool_))


@dataclass(frozen=True)
class Observed:
    """Everything that a search lets its asker see."""

    stages: tuple[tuple[object, ...], ...]
    order: tuple[object, ...]


def observed(
    generation: Generation, scope: Scope, text: str, fusion: FusionSettings, embedder: Embedder, analyzer: Analyzer
) -> Observed:
    settings = Settings(
        fusion=fusion,
        retrieval=RetrievalSettings(channels=("sparse", "dense", "late"), limit=5),
        reranking=RerankingSettings(method="late", candidates=4, limit=3),
    )
    reranking = RerankingResources(settings.reranking, analyzer, embedder, generation.vectors, generation.token_vectors)
    parts = Parts(
        settings=settings,
        synonyms=NO_SYNONYMS,
        scope=lambda question: scope,
        why_outside=lambda document, question: None,
        term_weights=lambda words, within: generation.sparse.idf(analyzer.terms(words), within),
        indexes=generation.channels,
        chunks=generation.chunks,
        documents_of=generation.chunks.documents,
        title_of=lambda chunk: "",
        text_within=generation.text_within,
        origin_of=lambda key, offset: ("line", 1),
        reranker=make_late(reranking),
        generator=make_extractive(GeneratingResources(settings.answering, analyzer, embedder)),
    )
    trace = Trace(generation.id, text)
    found = search(Question(text, Principal()), parts, trace)
    return Observed(tuple(map(_seen, trace.stages)), (found.order, found.chunks, found.query.terms))


def _seen(record: StageRecord) -> tuple[object, ...]:
    return record.name, record.rankings, record.kept, record.fallen, tuple(record.notes.items())


@dataclass(frozen=True)
class Case:
    """One corpus as one principal sees it, among documents that it may not read and without them."""

    among: Generation
    scope: Scope
    alone: Generation
    everything: Scope


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory, embedder: Remembering) -> list[Case]:
    folder = tmp_path_factory.mktemp("corpora")
    return list(_cases(folder, embedder))


def _cases(folder: Path, embedder: Remembering) -> Iterator[Case]:
    draw = random.Random(2)
    for number in range(CORPORA):
        held = documents(draw)
        among = generation_of(folder / f"{number}", held, embedder)
        for place, principal in enumerate(PRINCIPALS):
            readable = [document for document in held if principal.may_read(document.metadata)]
            alone = generation_of(folder / f"{number}-{place}", readable, embedder)
            everything = alone.scope(np.ones(len(alone.chunks.keys), np.bool_))
            yield Case(among, scope_of(among, held, principal), alone, everything)


def test_there_are_at_least_five_hundred_corpora_principals_and_questions() -> None:
    assert CORPORA * len(PRINCIPALS) * len(QUESTIONS) >= 500


@pytest.mark.parametrize("text", QUESTIONS)
def test_no_channel_tells_whether_unreadable_documents_are_there(cases: list[Case], text: str) -> None:
    for case in cases:
        for among, alone in zip(case.among.channels, case.alone.channels, strict=True):
            assert among.search([text], case.scope, 5) == alone.search([text], case.everything, 5)


@pytest.mark.parametrize("fusion", FUSIONS, ids=lambda fusion: fusion.method)
@pytest.mark.parametrize("text", QUESTIONS)
def test_no_search_tells_whether_unreadable_documents_are_there(
    cases: list[Case], text: str, fusion: FusionSettings, embedder: Remembering
) -> None:
    for case in cases:
        among = observed(case.among, case.scope, text, fusion, embedder, ANALYZER)
        alone = observed(case.alone, case.everything, text, fusion, embedder, ANALYZER)

        assert among == alone


def test_statistics_of_everything_would_tell(cases: list[Case]) -> None:
    told = 0
    for case in cases:
        everything = case.among.scope(np.ones(len(case.among.chunks.keys), np.bool_))
        (leaking,) = case.among.sparse.search(["refund window days"], everything, 1000)
        own = set(np.array(list(case.among.chunks.ids))[case.scope.rows].tolist())
        filtered = tuple(hit.score for hit in leaking.hits if hit.chunk in own)
        (honest,) = case.alone.sparse.search(["refund window days"], case.everything, 1000)
        told += filtered != tuple(hit.score for hit in honest.hits)

    assert told > CORPORA

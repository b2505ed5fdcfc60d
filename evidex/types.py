"""The nouns: what every room of evidex speaks of. Frozen values, no I/O, no imports of ours.

Offsets are Unicode code points into `Document.text`, half open: `document.text[start:end]`.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from datetime import date
from typing import Literal, NewType, TypeAlias

import numpy as np
from numpy.typing import NDArray

DocumentId = NewType("DocumentId", str)
"""What an owner calls one source item, for example `refund-us-v3`; unique within a tenant."""
DocumentKey = NewType("DocumentKey", str)
"""One revision of one document: a digest over tenant, id, version and text."""
ChunkId = NewType("ChunkId", str)
"""40 hexadecimal digits (160 bits): the tenant, the document, and what the chunk is; see `chunking.identity`."""
GenerationId = NewType("GenerationId", str)
"""The digest of everything that went into a generation."""
Channel: TypeAlias = str
"""The name of one way of finding evidence: `sparse`, `dense` or that of a plug-in."""

Vectors: TypeAlias = NDArray[np.float32]
"""A matrix of float32, one row a text (or a token), L2-normalised unless its contract says otherwise."""

EVERYONE = "everyone"
"""The group to which every principal of a tenant belongs."""


# --- what comes in -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Metadata:
    """What an owner says of one document: who may read it, and when it is in force.

    The effective interval is half open, `[effective_from, effective_to)`; None leaves that side open.
    """

    id: DocumentId
    version: str = "1"
    family: str = ""
    title: str = ""
    language: str = ""
    tenant: str = "default"
    readers: frozenset[str] = frozenset({EVERYONE})
    tags: frozenset[str] = frozenset()
    effective_from: date | None = None
    effective_to: date | None = None
    retired: bool = False

    def in_force(self, day: date) -> bool:
        """Whether this version answers questions as of `day`; a retired version never does."""
        began = self.effective_from is None or self.effective_from <= day
        ended = self.effective_to is not None and self.effective_to <= day
        return began and not ended and not self.retired


@dataclass(frozen=True, slots=True)
class SourceItem:
    """The bytes of one document as its source holds them, front matter removed.

    `first_line` is the line of the source at which `content` starts (1 without front matter); with `one_line`, all of
    it stands on that line, as in JSON Lines.
    """

    locator: str
    format: str
    content: bytes
    metadata: Metadata
    first_line: int = 1
    one_line: bool = False


@dataclass(frozen=True, slots=True)
class Failure:
    """One item of a batch that could not be used, and why. The rest of the batch goes on."""

    locator: str
    reason: str


BlockKind: TypeAlias = Literal["heading", "paragraph", "list", "table", "code"]


@dataclass(frozen=True, slots=True)
class Block:
    """A structural span of a text. `level` (1–6) and `title` (plain text) are set for headings;
    `header_end` is the offset at which a table's header rows end (`start` when it has none)."""

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    title: str = ""
    header_end: int = 0


@dataclass(frozen=True, slots=True)
class OriginMap:
    """Where in the source a text came from: `numbers[i]` is the line or page of offsets from `starts[i]` on."""

    unit: Literal["line", "page"]
    starts: tuple[int, ...]
    numbers: tuple[int, ...]

    def at(self, offset: int) -> int:
        """The 1-based line or page of the source that holds `offset`."""
        return self.numbers[max(0, bisect_right(self.starts, offset) - 1)]


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a parser makes of bytes: a text, its blocks in order (not overlapping), and the way back.

    Every character outside the blocks is white space. `title` is the document's own, "" when it names none.
    """

    text: str
    blocks: tuple[Block, ...]
    origins: OriginMap
    title: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """One revision of one document: what its owner says of it, and its parsed text."""

    key: DocumentKey
    metadata: Metadata
    parser: str
    parsed: Parsed
    superseded: bool = False

    @property
    def id(self) -> DocumentId:
        return self.metadata.id

    @property
    def text(self) -> str:
        return self.parsed.text

    @property
    def title(self) -> str:
        return self.metadata.title or self.parsed.title


@dataclass(frozen=True, slots=True)
class Chunk:
    """A contiguous span of one document revision: `text == document.text[start:end]`, always.

    It has no readers of its own: who may read it is asked of its document, so it can never be wider.
    `section` is the breadcrumb of headings from the title down; `table_header` repeats the header rows of the
    table that the span continues; `parent` names the wider chunk that is delivered in this one's place.
    """

    id: ChunkId
    document: DocumentId
    version: str
    key: DocumentKey
    start: int
    end: int
    text: str
    section: tuple[str, ...] = ()
    table_header: str = ""
    parent: ChunkId | None = None

    @property
    def indexed_text(self) -> str:
        """What the channels index: breadcrumb, repeated table header, and the span itself."""
        parts = (" > ".join(self.section), self.table_header, self.text)
        return "\n".join(part for part in parts if part)


# --- what is asked -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Principal:
    """Who is asking. `everything` is set only by a workspace whose access mode is `open`."""

    tenant: str = "default"
    name: str = ""
    groups: frozenset[str] = frozenset()
    everything: bool = False

    @property
    def identities(self) -> frozenset[str]:
        """The reader entries that admit this principal: everyone, its groups, and `user:<name>`."""
        own = {f"user:{self.name}"} if self.name else set()
        return self.groups | own | {EVERYONE}

    def may_read(self, metadata: Metadata) -> bool:
        """Whether a document's tenant and readers admit this principal."""
        return self.everything or (metadata.tenant == self.tenant and not self.identities.isdisjoint(metadata.readers))


@dataclass(frozen=True, slots=True)
class Question:
    """What a user asks, of whom, as of when. `history` holds the user's earlier turns, oldest first.

    `filters` pairs a field (`tag`, `language`, `family`, `document`) with the value it must have.
    """

    text: str
    principal: Principal
    history: tuple[str, ...] = ()
    as_of: date | None = None
    filters: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Scope:
    """What one principal may see of one generation at one time.

    `rows[i]` tells whether chunk row i is visible, and `documents[i]` whether document row i is. A scope is equal to
    itself alone, so an index may keep what it has worked out for one as long as the scope lives.
    """

    rows: NDArray[np.bool_]
    documents: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, np.bool_))

    @property
    def size(self) -> int:
        return int(self.rows.sum())


@dataclass(frozen=True, slots=True)
class Variant:
    """One wording of a question. `weight` is its share of a channel's vote; the weights of a query sum to 1."""

    text: str
    origin: Literal["original", "history", "synonyms"]
    weight: float


@dataclass(frozen=True, slots=True)
class Term:
    """An analysed term of the question and its inverse document frequency within the asker's scope; 0 if unknown."""

    text: str
    idf: float


@dataclass(frozen=True, slots=True)
class Query:
    """A question after understanding. The original wording is always the first of the variants."""

    question: Question
    variants: tuple[Variant, ...]
    terms: tuple[Term, ...] = ()

    @property
    def text(self) -> str:
        """The wording to rank and answer by: with history resolved where there was any to resolve."""
        resolved = [variant.text for variant in self.variants if variant.origin == "history"]
        return resolved[0] if resolved else self.variants[0].text


# --- what is found -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Hit:
    """One chunk at one rank. Rank 1 is best; a score compares only within its ranking."""

    chunk: ChunkId
    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """Hits in order, from one channel or stage; `notes` says what the channel knew of the query."""

    channel: Channel
    hits: tuple[Hit, ...]
    notes: tuple[tuple[str, str | int | float], ...] = ()

    @property
    def ids(self) -> tuple[ChunkId, ...]:
        return tuple(hit.chunk for hit in self.hits)


def ranked(channel: Channel, scored: list[tuple[ChunkId, float]], limit: int | None = None) -> Ranking:
    """Order scored chunks by score, descending; equal scores by id, so that two runs of one build agree."""
    ordered = sorted(scored, key=lambda pair: (-pair[1], pair[0]))[:limit]
    return Ranking(channel, tuple(Hit(id, rank, score) for rank, (id, score) in enumerate(ordered, start=1)))


# --- what is delivered and said ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk as delivered to the generator; `merged` names chunks that said the same and stand behind it."""

    chunk: Chunk
    title: str
    tokens: int
    merged: tuple[ChunkId, ...] = ()


@dataclass(frozen=True, slots=True)
class Fall:
    """A chunk that a stage did not let through, and why."""

    chunk: ChunkId
    reason: str


@dataclass(frozen=True, slots=True)
class Context:
    """The passages a generator may use, in order, within a budget of tokens."""

    passages: tuple[Passage, ...]
    tokens: int
    budget: int
    evicted: tuple[Fall, ...] = ()

    @property
    def ids(self) -> tuple[ChunkId, ...]:
        return tuple(passage.chunk.id for passage in self.passages)


@dataclass(frozen=True, slots=True)
class Quote:
    """Words that a generator says stand in a passage."""

    chunk: ChunkId
    text: str


@dataclass(frozen=True, slots=True)
class DraftClaim:
    """One statement of a generator, with the quotes it rests on; nothing is verified yet."""

    text: str
    quotes: tuple[Quote, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """What a generator replies: claims, or the reason for which it abstains.

    `support` is how well it found its answer supported, in [0, 1], whether it gave it or not; None if it cannot tell.
    """

    claims: tuple[DraftClaim, ...] = ()
    abstention: str | None = None
    support: float | None = None


CitationStatus: TypeAlias = Literal["verified", "not_verbatim", "not_in_context", "not_in_force"]


@dataclass(frozen=True, slots=True)
class Citation:
    """An address in a pinned document revision. When `verified`, `quote` is that revision's `text[start:end]`."""

    chunk: ChunkId
    document: DocumentId
    version: str
    key: DocumentKey
    start: int
    end: int
    quote: str
    status: CitationStatus
    unit: str = "line"
    number: int = 0


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of an answer with its citations."""

    text: str
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """Claims with citations, or an abstention with its reason; never both.

    `rejected` holds claims that were drafted but not one of whose citations could be verified.
    """

    claims: tuple[Claim, ...] = ()
    abstention: str | None = None
    rejected: tuple[Claim, ...] = field(default=())

    def __post_init__(self) -> None:
        if bool(self.claims) == (self.abstention is not None):
            raise ValueError("an answer has claims or an abstention, one of the two")

    @property
    def text(self) -> str:
        return " ".join(claim.text for claim in self.claims)


# --- what is measured --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where the answer to a case stands: words of one document, a span of it, or (with neither) all of it.

    It names no chunk, so it outlives every way of cutting. `version` pins a version; without one, the words are
    sought in whichever is in force. `grade` is the judgment: 0 not relevant, the greater the more.
    """

    document: DocumentId
    grade: int = 1
    version: str = ""
    quote: str = ""
    span: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """One question of a golden set and what people say of it.

    `answerable` is None where nobody has said, as in a collection that judges retrieval alone. `withheld` names
    documents that this asker must not be shown. `group` is shared by wordings of one fact: they are not independent.
    `line` is where the case stands in its file.
    """

    id: str
    question: str
    evidence: tuple[Evidence, ...] = ()
    answerable: bool | None = None
    answer: str = ""
    nuggets: tuple[str, ...] = ()
    withheld: tuple[DocumentId, ...] = ()
    history: tuple[str, ...] = ()
    user: str | None = None
    tenant: str | None = None
    as_of: date | None = None
    filters: tuple[tuple[str, str], ...] = ()
    category: str = ""
    split: str = ""
    group: str = ""
    annotator: str = ""
    adjudication: str = ""
    line: int = 0

    @property
    def expected(self) -> str:
        """What is to be said: the answer that people wrote, else the words of the evidence; "" for neither."""
        if self.answerable is False:
            return "no answer"
        return self.answer or " … ".join(
            evidence.quote for evidence in self.evidence if evidence.grade > 0 and evidence.quote
        )

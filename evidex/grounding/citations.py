"""Which statements of a draft may be shown? Those with a quote that stands, verbatim, in the pinned revision."""

from __future__ import annotations

from collections.abc import Callable

from evidex.grounding.locate import places
from evidex.grounding.substance import has_substance
from evidex.types import (
    Answer,
    Chunk,
    ChunkId,
    Citation,
    CitationStatus,
    Claim,
    Context,
    DocumentId,
    DocumentKey,
    Draft,
    Quote,
)

NOTHING_VERIFIED = "No statement could be verified: none of the quotes given for them stands in the passages found."
NOTHING_DRAFTED = "No statement was drafted from the passages found."


def verify(
    draft: Draft,
    context: Context,
    text_of: Callable[[DocumentKey], str | None],
    origin_of: Callable[[DocumentKey, int], tuple[str, int]],
) -> Answer:
    """Check every quote of a draft and keep the claims with at least one verified citation.

    `text_of` gives the text of a revision, or None if it is gone or no longer in force; `origin_of` the unit and
    number ("line" 12, "page" 3) at which an offset of a revision stands in its source. A quote is sought within the
    chunk that it names, in the revision's text. The citation's status says how that went:

    - `verified`: `text[start:end] == quote` in the pinned revision. White space and invisible characters may differ
      from what the generator wrote; the citation then has the revision's own characters. The first place at which the
      words may carry a claim (`substance`) counts.
    - `not_in_context`: the chunk is none of the context's, nor merged into one; document, version and key are "".
    - `not_in_force`: the revision is gone or no longer in force.
    - `not_verbatim`: the words do not stand there, or are too few to carry a claim.

    A citation that is not verified has the generator's own words, and the span of the chunk in which they were sought.
    A claim keeps all its citations as marked; without a verified one it is rejected. If none is left, or the draft
    abstains, the answer abstains with a reason.
    """
    if draft.abstention is not None:
        return Answer(abstention=draft.abstention)
    chunks = _chunks(context)
    kept: list[Claim] = []
    rejected: list[Claim] = []
    for claim in draft.claims:
        citations = dict.fromkeys(_citation(quote, chunks, text_of, origin_of) for quote in claim.quotes)
        verified = claim.text.strip() and any(citation.status == "verified" for citation in citations)
        (kept if verified else rejected).append(Claim(claim.text, tuple(citations)))
    if kept:
        return Answer(claims=tuple(kept), rejected=tuple(rejected))
    return Answer(abstention=NOTHING_VERIFIED if rejected else NOTHING_DRAFTED, rejected=tuple(rejected))


def _chunks(context: Context) -> dict[ChunkId, Chunk]:
    """The chunks that may be cited, by id; a merged id stands for the passage it was merged into."""
    merged = {id: passage.chunk for passage in reversed(context.passages) for id in passage.merged}
    return merged | {passage.chunk.id: passage.chunk for passage in context.passages}


def _citation(
    quote: Quote,
    chunks: dict[ChunkId, Chunk],
    text_of: Callable[[DocumentKey], str | None],
    origin_of: Callable[[DocumentKey, int], tuple[str, int]],
) -> Citation:
    chunk = chunks.get(quote.chunk)
    if chunk is None:
        return Citation(quote.chunk, DocumentId(""), "", DocumentKey(""), 0, 0, quote.text, "not_in_context")
    text = text_of(chunk.key)
    if text is None:
        return _unverified(quote, chunk, "not_in_force")
    found = places(quote.text, text, chunk.start, min(chunk.end, len(text)))
    span = next((place for place in found if has_substance(text, *place)), None)
    if span is None:
        return _unverified(quote, chunk, "not_verbatim")
    start, end = span
    unit, number = origin_of(chunk.key, start)
    return Citation(
        chunk=chunk.id,
        document=chunk.document,
        version=chunk.version,
        key=chunk.key,
        start=start,
        end=end,
        quote=text[start:end],
        status="verified",
        unit=unit,
        number=number,
    )


def _unverified(quote: Quote, chunk: Chunk, status: CitationStatus) -> Citation:
    address = (chunk.document, chunk.version, chunk.key, chunk.start, chunk.end)
    return Citation(chunk.id, *address, quote.text, status)

"""What did the model say? Its reply into a draft.

The reply is a JSON object, the first of that shape in the text: `{"answer": [{"claim": str, "quotes": [{"source":
"s1", "text": str}]}], "insufficient_evidence": str | null}`.
"""

from __future__ import annotations

import json
from html import unescape
from typing import Any

from pydantic import BaseModel, ValidationError

from evidex.generating.sources import source_ids
from evidex.types import ChunkId, Context, Draft, DraftClaim, Quote

INSUFFICIENT = "The model found that the passages do not answer this question."


_QUOTE = {
    "type": "object",
    "properties": {"source": {"type": "string"}, "text": {"type": "string"}},
    "required": ["source", "text"],
    "additionalProperties": False,
}
_CLAIM = {
    "type": "object",
    "properties": {"claim": {"type": "string"}, "quotes": {"type": "array", "items": _QUOTE}},
    "required": ["claim", "quotes"],
    "additionalProperties": False,
}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "answer": {"type": "array", "items": _CLAIM},
        "insufficient_evidence": {"type": ["string", "null"]},
    },
    "required": ["answer", "insufficient_evidence"],
    "additionalProperties": False,
}
"""The JSON schema that is asked of the endpoint. Reading is more lenient, for endpoints that take no schema."""


class _Quote(BaseModel):
    source: str
    text: str


class _Claim(BaseModel):
    claim: str
    quotes: list[_Quote] = []


class Reply(BaseModel):
    """A reply as read; fields that nobody asked for are ignored."""

    answer: list[_Claim]
    insufficient_evidence: str | None = None


def read_reply(text: str) -> Reply:
    """The first JSON object in `text` that is a reply. Raises `ValueError` that says why there is none."""
    problem = "it has no JSON object"
    decoder = json.JSONDecoder()
    start = text.find("{")
    while start >= 0:
        try:
            value, end = decoder.raw_decode(text, start)
            return Reply.model_validate(value)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(str(part) for part in first["loc"])
            problem = f"its field {where!r} is wrong: {first['msg']}"
        except (json.JSONDecodeError, RecursionError):
            end = start + 1
        start = text.find("{", end)
    raise ValueError(problem)


def to_draft(reply: Reply, context: Context) -> Draft:
    """The draft that a reply means: source ids become chunk ids, unknown ones stay for grounding to mark.

    If the model reports insufficient evidence, the draft abstains whatever else was said. The reason is ours: the
    model's own wording is unverified text and could carry what a passage told it to say.
    """
    if (reply.insufficient_evidence or "").strip() or not reply.answer:
        return Draft(abstention=INSUFFICIENT)
    texts = {passage.chunk.id: passage.chunk.text for passage in context.passages}
    ids = source_ids(context)
    return Draft(claims=tuple(_claim(claim, ids, texts) for claim in reply.answer))


def _claim(claim: _Claim, ids: dict[str, ChunkId], texts: dict[ChunkId, str]) -> DraftClaim:
    quotes = []
    for quote in claim.quotes:
        id = ids.get(quote.source.strip(" []").casefold(), ChunkId(quote.source))
        # A model may copy a passage with its escapes (`&lt;`) or without.
        text = quote.text if quote.text in texts.get(id, "") else unescape(quote.text)
        quotes.append(Quote(id, text))
    return DraftClaim(" ".join(claim.claim.split()), tuple(quotes))

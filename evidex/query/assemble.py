"""What is delivered to the generator? Whole passages within a budget of tokens, and a reason for each that is not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from evidex.analysis.budget import count_tokens
from evidex.analysis.sentences import sentence_spans
from evidex.config import ContextSettings
from evidex.types import Chunk, ChunkId, Context, Fall, Passage


def assemble(
    chunks: Sequence[Chunk],
    settings: ContextSettings,
    *,
    title_of: Callable[[Chunk], str],
    parent_of: Callable[[ChunkId], Chunk],
) -> Context:
    """Fill the budget with chunks in the order given.

    A child is delivered as its parent; a chunk that says what an earlier one says is merged into it; a chunk that no
    longer fits is evicted, and smaller ones after it may still enter. When not even the first fits, its leading
    sentences do.
    """
    passages: list[Passage] = []
    evicted: list[Fall] = []
    spent = 0
    for found in chunks:
        chunk = found if found.parent is None else _widened(found, parent_of(found.parent))
        twin = _twin(chunk, passages, settings.near_duplicate)
        if twin is not None:
            passages[twin] = replace(passages[twin], merged=(*passages[twin].merged, chunk.id))
            evicted.append(Fall(chunk.id, f"says what {passages[twin].chunk.id} says, and is merged into it"))
            continue
        tokens = count_tokens(chunk.indexed_text)
        if tokens > settings.budget_tokens and not passages:
            chunk = _leading_sentences(chunk, settings.budget_tokens)
            tokens = count_tokens(chunk.indexed_text)
        if spent + tokens > settings.budget_tokens or not chunk.text:
            evicted.append(Fall(chunk.id, f"{tokens} tokens do not fit the {settings.budget_tokens - spent} left"))
            continue
        spent += tokens
        passages.append(Passage(chunk, title_of(chunk), tokens))
    return Context(tuple(passages), spent, settings.budget_tokens, tuple(evicted))


def _widened(child: Chunk, parent: Chunk) -> Chunk:
    """The span of the parent under the identity of the child that was found, so that the ledger can follow it."""
    return replace(child, start=parent.start, end=parent.end, text=parent.text, section=parent.section)


def _twin(chunk: Chunk, passages: Sequence[Passage], threshold: float) -> int | None:
    """The passage that is this chunk, or shares at least `threshold` of its words (Jaccard) and all of its figures."""
    words = _words(chunk)
    for position, passage in enumerate(passages):
        if (passage.chunk.key, passage.chunk.start, passage.chunk.end) == (chunk.key, chunk.start, chunk.end):
            return position
        others = _words(passage.chunk)
        shared = len(words & others) / max(1, len(words | others))
        if shared >= threshold and _figures(words) == _figures(others):
            return position
    return None


def _words(chunk: Chunk) -> frozenset[str]:
    return frozenset(chunk.text.casefold().split())


def _figures(words: frozenset[str]) -> frozenset[str]:
    # Two policies that differ in a number alone are near-duplicates to the eye and opposites to the reader.
    return frozenset(word for word in words if any(character.isdigit() for character in word))


def _leading_sentences(chunk: Chunk, budget: int) -> Chunk:
    """The longest run of leading sentences that fits, or as many leading words as do."""
    header = count_tokens(replace(chunk, text="").indexed_text)
    ends = [end for _, end in sentence_spans(chunk.text)] or [len(chunk.text)]
    fitting = [end for end in ends if header + count_tokens(chunk.text[:end]) <= budget]
    end = fitting[-1] if fitting else _leading_words(chunk.text[: ends[0]], budget - header)
    return replace(chunk, text=chunk.text[:end], end=chunk.start + end)


def _leading_words(text: str, budget: int) -> int:
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count_tokens(text[:middle]) <= budget else (low, middle - 1)
    space = text.rfind(" ", 0, low)
    return space if space > 0 and low < len(text) else low

"""Lexical faithfulness: how much of what was said do the passages say, word for word?"""

from __future__ import annotations

from collections.abc import Sequence

from evidex.analysis.sentences import sentence_spans
from evidex.evaluation.metrics.content import Content, content
from evidex.evaluation.metrics.support import clauses, supports

OVERLAP = 0.6
"""The share of a statement's terms that one sentence of the context has to hold, for wordings differ."""


def lexical_faithfulness(claims: Sequence[str], context: Sequence[str], *, language: str = "en") -> float | None:
    """The share of statements that one sentence of one passage supports by its words; in [0, 1].

    Every sentence of `claims` that has content terms is a statement. A sentence of `context` supports it when some run
    of its clauses has 60% of those terms, every figure and identifier, and as many negations (`support`). What rests
    on two sentences together, or on other words, counts as unsupported; what differs in one name, where the rest
    agrees, as supported. None when nothing was stated.
    """
    stated = _statements(claims, language)
    if not stated:
        return None
    given = [clauses(text[start:end], language=language) for text in context for start, end in sentence_spans(text)]
    supported = sum(any(supports(sentence, statement, share=OVERLAP) for sentence in given) for statement in stated)
    return supported / len(stated)


def _statements(claims: Sequence[str], language: str) -> list[Content]:
    sentences = (claim[start:end] for claim in claims for start, end in sentence_spans(claim))
    found = [content(sentence, language=language) for sentence in sentences]
    return [sentence for sentence in found if sentence.substance]

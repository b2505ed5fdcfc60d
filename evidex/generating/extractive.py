"""Answers without a model: the best supported sentences of the context, quoted word for word, or an abstention."""

from __future__ import annotations

from collections.abc import Sequence

from evidex.analysis.identifiers import identifiers
from evidex.config import AnsweringSettings
from evidex.generating.abstention import NO_PASSAGE, NO_SENTENCE, NOTHING_KNOWN, NOTHING_TO_LOOK_FOR
from evidex.generating.candidates import Sentence, candidates
from evidex.generating.follow_up import own_terms
from evidex.generating.support import mentions, supports
from evidex.plugins import GeneratingResources
from evidex.ports import Analyzer, Embedder
from evidex.types import Context, Draft, DraftClaim, Query, Quote

NEAR = 0.95
"""Share of the best support that a further sentence needs to be said too."""

SAME = 0.6
"""Share of common terms (Jaccard) from which two sentences say the same."""


class Extractive:
    """Quotes up to `settings.max_claims` sentences whose support (`support`) reaches `settings.min_support`.

    Claims are in the order of their support, equals in that of the context. A further sentence is said only if it is
    nearly as well supported as the best and says something else.
    """

    def __init__(self, settings: AnsweringSettings, analyzer: Analyzer, embedder: Embedder | None) -> None:
        self._settings = settings
        self._analyzer = analyzer
        self._embedder = embedder

    @property
    def name(self) -> str:
        return "extractive/1"

    def answer(self, query: Query, context: Context) -> Draft:
        reason = unanswerable(query, context)
        if reason is not None:
            return Draft(abstention=reason)
        ranked = self.ranked(query, context)
        if not ranked:
            return Draft(abstention=NO_SENTENCE)
        best = ranked[0][1]
        if best < self._settings.min_support:
            needed = self._settings.min_support
            reason = f"The best sentence found has support {best:.2f}; an answer needs {needed:.2f}."
            return Draft(abstention=reason, support=best)
        chosen = self._chosen([sentence for sentence, score in ranked if score >= NEAR * best])
        return Draft(claims=tuple(_claim(sentence, context) for sentence in chosen), support=best)

    def ranked(self, query: Query, context: Context) -> list[tuple[Sentence, float]]:
        """Every sentence that may answer with its support, best first."""
        sentences = self._to_the_point(query, context)
        found = supports(query, context, sentences, analyzer=self._analyzer, embedder=self._embedder)
        scored = [(sentence, support.score) for sentence, support in zip(sentences, found, strict=True)]
        return sorted(scored, key=lambda pair: -pair[1])

    def _to_the_point(self, query: Query, context: Context) -> tuple[Sentence, ...]:
        """The sentences that may answer; of a follow-up, those that say something of what it names itself."""
        own = own_terms(query, self._analyzer)
        sentences = candidates(context)
        if not own:
            return sentences
        return tuple(s for s in sentences if own & set(self._analyzer.terms(_surroundings(s, context))))

    def _chosen(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        chosen: list[tuple[Sentence, frozenset[str]]] = []
        for sentence in sentences:
            terms = frozenset(self._analyzer.terms(sentence.quote))
            if not any(_overlap(terms, others) >= SAME for _, others in chosen):
                chosen.append((sentence, terms))
        return [sentence for sentence, _ in chosen[: self._settings.max_claims]]


def unanswerable(query: Query, context: Context) -> str | None:
    """Why no sentence of the context can answer, told from question and passages alone; None if one might."""
    if not context.passages:
        return NO_PASSAGE
    if not query.terms:
        return NOTHING_TO_LOOK_FOR
    if all(term.idf <= 0 for term in query.terms):
        return NOTHING_KNOWN
    texts = [f"{passage.title}\n{passage.chunk.indexed_text}" for passage in context.passages]
    for identifier in identifiers(query.text):
        if not any(mentions(text, identifier) for text in texts):
            return f"No passage found mentions {identifier!r}."
    return None


def _surroundings(sentence: Sentence, context: Context) -> str:
    passage = context.passages[sentence.passage]
    return "\n".join((passage.title, *passage.chunk.section, sentence.nearby, sentence.quote))


def _claim(sentence: Sentence, context: Context) -> DraftClaim:
    return DraftClaim(sentence.claim, (Quote(context.passages[sentence.passage].chunk.id, sentence.quote),))


def _overlap(terms: frozenset[str], others: frozenset[str]) -> float:
    union = terms | others
    return len(terms & others) / len(union) if union else 1.0


def make(resources: GeneratingResources) -> Extractive:
    """The offline generator; without an embedder it goes by words alone."""
    return Extractive(resources.settings, resources.analyzer, resources.embedder)

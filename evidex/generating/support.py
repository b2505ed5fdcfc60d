"""How well does a sentence support an answer to the question? A number in [0, 1], made of parts that can be named.

    support = reach * kind * identifiers * rank
    reach   = 1 - (1 - COVERAGE_SHARE * coverage) * (1 - cosine)

- coverage: share of the question's terms that the sentence has, each weighted by its idf. A term that only the
  passage's headings, a neighbouring sentence or the rest of the passage has counts in part (`PLACES`). A term that the
  collection does not know weighs as much as the rarest that it does, and nothing has it.
- cosine: of the question's and the sentence's vectors, 0 when negative. Either of coverage and cosine may speak for
  a sentence alone, as in a noisy-or (Pearl 1988, section 4.3). Without an embedder reach is coverage. Embedding takes
  most of the time of an answer, so only the `SHORTLIST` sentences are embedded that the other parts support best.
- kind: `OTHER_KIND` for a sentence that does not look like the kind of answer that the question wants, else 1.
- identifiers: mean over the identifiers of the question of where the sentence finds them (`IDENTIFIER_PLACES`).
- rank: from 1 for the first passage down to `LAST_RANK`, as 1 / rank falls.

Support orders the sentences of one question and is held against answering.min_support. It is no probability until it
is calibrated against labelled questions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from evidex.analysis.identifiers import identifiers
from evidex.analysis.words import folded, normalized
from evidex.cosine import cosines
from evidex.generating.asks import gives, wanted
from evidex.generating.candidates import Sentence
from evidex.ports import Analyzer, Embedder
from evidex.types import Context, Passage, Query

COVERAGE_SHARE = 0.3
"""What full coverage counts in reach when there is a cosine beside it."""

PLACES = (1.0, 0.6, 0.4, 0.2)
"""What a term counts that stands in the sentence, in the headings, in a neighbouring sentence, in the passage."""

IDENTIFIER_PLACES = (1.0, 1.0, 0.9, 0.8, 0.4)
"""The same for an identifier, and last for one that the passage does not mention."""

OTHER_KIND = 0.7
LAST_RANK = 0.8

SHORTLIST = 32
"""How many sentences of a question are embedded; the cosine of the others counts as 0.

On the sample's dev questions 24 were enough for the best sentence to be the same as with all embedded.
"""


@dataclass(frozen=True, slots=True)
class Support:
    """What speaks for one sentence; every part is in [0, 1]. `cosine` is None without an embedder."""

    coverage: float
    cosine: float | None
    kind: float
    identifiers: float
    rank: float

    @property
    def score(self) -> float:
        """The support, rounded to 6 decimals, below which platforms differ."""
        reach = self.coverage
        if self.cosine is not None:
            reach = 1 - (1 - COVERAGE_SHARE * self.coverage) * (1 - self.cosine)
        return round(reach * self.kind * self.identifiers * self.rank, 6)


def supports(
    query: Query, context: Context, sentences: Sequence[Sentence], *, analyzer: Analyzer, embedder: Embedder | None
) -> tuple[Support, ...]:
    """The support of every sentence, in their order. The shortlist is embedded in one call."""
    found = _without_cosine(query, context, sentences, analyzer)
    if embedder is None or not found:
        return found
    best_first = sorted(range(len(found)), key=lambda place: (-found[place].score, place))
    shortlist = sorted(best_first[:SHORTLIST])
    texts = [sentences[place].claim for place in shortlist]
    cosine_at = dict(zip(shortlist, _cosines(query.text, texts, embedder), strict=True))
    return tuple(replace(support, cosine=cosine_at.get(place, 0.0)) for place, support in enumerate(found))


def _without_cosine(
    query: Query, context: Context, sentences: Sequence[Sentence], analyzer: Analyzer
) -> tuple[Support, ...]:
    weights = term_weights(query)
    asked = identifiers(query.text)
    kind = wanted(query.text)
    found = []
    for sentence in sentences:
        places = _places(sentence, context.passages[sentence.passage])
        found.append(
            Support(
                coverage=_coverage(weights, [frozenset(analyzer.terms(place)) for place in places]),
                cosine=None,
                kind=OTHER_KIND if gives(kind, sentence.quote) is False else 1.0,
                identifiers=_identifier_share(asked, places),
                rank=LAST_RANK + (1 - LAST_RANK) / (1 + sentence.passage),
            )
        )
    return tuple(found)


def term_weights(query: Query) -> Mapping[str, float]:
    """The weight of every term of the question: its idf, and the greatest of them all for an unknown term."""
    greatest = max((term.idf for term in query.terms), default=0.0)
    return {term.text: term.idf if term.idf > 0 else greatest for term in query.terms}


def mentions(text: str, identifier: str) -> bool:
    """Whether `text` has a folded identifier as a word of its own: `e204` is not in `E2041`."""
    words = rf"(?<![\w]){re.escape(identifier)}(?![\w])"
    return re.search(words, folded(normalized(text))) is not None


def _places(sentence: Sentence, passage: Passage) -> tuple[str, str, str, str]:
    headings = (passage.title, *passage.chunk.section, passage.chunk.table_header)
    return sentence.quote, "\n".join(headings), sentence.nearby, passage.chunk.text


def _coverage(weights: Mapping[str, float], places: Sequence[frozenset[str]]) -> float:
    total = sum(weights.values())
    if total <= 0:
        return 0.0
    parts = (weight * _first(term, places) for term, weight in weights.items())
    return min(1.0, sum(parts) / total)


def _first(term: str, places: Sequence[frozenset[str]]) -> float:
    return next((share for share, terms in zip(PLACES, places, strict=True) if term in terms), 0.0)


def _identifier_share(asked: Sequence[str], places: Sequence[str]) -> float:
    if not asked:
        return 1.0
    *shares, missing = IDENTIFIER_PLACES
    best = (
        next((share for share, text in zip(shares, places, strict=True) if mentions(text, id)), missing) for id in asked
    )
    return sum(best) / len(asked)


def _cosines(question: str, texts: Sequence[str], embedder: Embedder) -> list[float]:
    """Cosines of the question with texts, each counting for the share of the question that the embedder knows."""
    asked = embedder.embed([question], role="query")
    known, unknown = asked.known[0], asked.unknown[0]
    given = embedder.embed(texts, role="passage").vectors
    share = known / max(1, known + unknown)
    return [share * float(cosine) for cosine in cosines(asked.vectors[0], given)]

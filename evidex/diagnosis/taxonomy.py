"""Which ways are there to lose evidence? Every boundary and type, who mends it, and what to try next.

The failure points FP1 to FP7 are those of Barnett, Kurniawan, Thudumu, Brannelly and Abdelrazek, "Seven Failure Points
When Engineering a Retrieval Augmented Generation System" (CAIN 2024): FP1 missing content, FP2 missed the top ranked
documents, FP3 not in context, FP4 not extracted, FP5 wrong format, FP6 incorrect specificity, FP7 incomplete.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evidex.diagnosis.verdict import Boundary

BOUNDARIES: tuple[Boundary, ...] = tuple(
    Boundary(f"B{number}", name)
    for number, name in enumerate(
        (
            *("AUTHORITY", "PARSE", "CHUNK", "INDEX", "UNDERSTAND", "FILTER", "CHANNELS", "FUSE", "RERANK"),
            *("ASSEMBLE", "DECIDE", "ANSWER", "CITE", "EVALUATOR"),
        )
    )
)
"""In the order in which evidence passes them."""


@dataclass(frozen=True, slots=True)
class LossType:
    """One way to lose evidence. `experiment` may name the {case}, its {question}, the {document} that was
    lost, and how to ask {again}."""

    id: str
    boundary: str
    meaning: str
    owner: str
    experiment: str
    barnett: str = ""


_CONTENT, _INGESTION, _ACCESS = "content owner", "ingestion", "access owner"
_SEARCH, _MODEL, _EVALUATION = "search", "prompt and model", "evaluation"
_AGAIN = "{again}"
_REBUILD = "evidex build && evidex publish"

TYPES: Mapping[str, LossType] = {
    kind.id: kind
    for kind in (
        LossType(
            "SOURCE_MISSING",
            "B0",
            "no document with the evidence was ever ingested, or it was deleted",
            _CONTENT,
            f"evidex ingest FOLDER && {_REBUILD}",
            "FP1",
        ),
        LossType(
            "SOURCE_RETIRED",
            "B0",
            "the document is marked retired, and nothing newer took its place",
            _CONTENT,
            "take 'retired' from {document}, or publish the version that replaces it",
            "FP1",
        ),
        LossType(
            "NOT_IN_FORCE",
            "B0",
            "the document is not in force on the day that is asked about",
            _CONTENT,
            "mend effective_from and effective_to of {document}, or give the case its --as-of",
            "FP1",
        ),
        LossType(
            "WRONG_VERSION",
            "B0",
            "another version of the document is in force beside the right one, or instead of it",
            _CONTENT,
            "retire the other version of {document} in its source, then evidex ingest FOLDER",
            "FP1",
        ),
        LossType(
            "ACCESS_NARROWED",
            "B0",
            "the asker may not read a document from which the case says they can be answered",
            _ACCESS,
            "add the asker to the readers of {document} in its source, then evidex ingest FOLDER",
            "FP1",
        ),
        LossType(
            "ACCESS_WIDENED",
            "B0",
            "the catalog lets the asker read a document that the case says they must not be shown",
            _ACCESS,
            "narrow the readers of {document} in its source, then evidex ingest FOLDER",
        ),
        LossType(
            "PARSER_LOSS",
            "B1",
            "the source holds the words, the parsed text does not",
            _INGESTION,
            "evidex show {document}; compare it with the source, choose another parser (sources.formats), ingest again",
            "FP1",
        ),
        LossType(
            "SPAN_SPLIT",
            "B2",
            "no chunk holds the evidence whole",
            _INGESTION,
            f"raise chunking.max_words or chunking.overlap_words, or set strategy = 'headings'; {_REBUILD}",
            "FP3",
        ),
        LossType(
            "HEADING_LOST",
            "B2",
            "the chunk lacks a heading above it, and the question asks by a word that only the heading has",
            _INGESTION,
            f"set chunking.strategy = 'headings' (breadcrumbs are indexed); {_REBUILD}",
            "FP2",
        ),
        LossType(
            "OMITTED",
            "B3",
            "the generation lacks the chunk that holds the evidence, or no channel can return it",
            _SEARCH,
            f"evidex doctor; {_REBUILD}",
            "FP1",
        ),
        LossType(
            "EMBED_CONTRACT",
            "B3",
            "the chunk's sealed vector is not what the embedder makes of it now",
            _SEARCH,
            f"mend embedding.passage_prefix, model and revision; {_REBUILD}",
            "FP2",
        ),
        LossType(
            "TERMS_LOST",
            "B3",
            "keyword search cannot match an identifier that question and evidence share",
            _SEARCH,
            f"use an analyzer that keeps identifiers whole; {_REBUILD}",
            "FP2",
        ),
        LossType(
            "QUERY_DRIFT",
            "B4",
            "other wordings took the place or the vote of the question as it was asked",
            _SEARCH,
            f"lower understanding.variant_weight, or set it to 0; {_AGAIN}",
            "FP2",
        ),
        LossType(
            "ENTITY_DROPPED",
            "B4",
            "an identifier, number or date of the question is in no wording that was searched for",
            _SEARCH,
            f"keep identifiers, numbers and dates in every rewrite; {_AGAIN}",
            "FP6",
        ),
        LossType(
            "ELLIPSIS_UNRESOLVED",
            "B4",
            "a follow-up was searched for without the turn before it, on which it leans",
            _SEARCH,
            "evidex ask {question} --after 'the turn before', worded out",
            "FP6",
        ),
        LossType(
            "OVER_FILTER",
            "B5",
            "the document may be read and is in force, and was not searched all the same",
            _SEARCH,
            "evidex explain {question} --why-not {document}",
            "FP2",
        ),
        LossType(
            "UNDER_FILTER",
            "B5",
            "the search saw a document that the asker may not read, or that is not in force: a leak",
            _ACCESS,
            "stop serving; evidex doctor; compare scope and catalog for {document}",
        ),
        LossType(
            "CANDIDATE_MISS",
            "B6",
            "no channel brought the chunk among its candidates",
            _SEARCH,
            f"raise retrieval.limit above the rank given, add a channel or synonyms; {_AGAIN}",
            "FP2",
        ),
        LossType(
            "ANN_MISS",
            "B6",
            "exact search has the chunk within the limit, the approximate one missed it",
            _SEARCH,
            f"raise index.oversampling, or set index.dense = 'exact'; {_REBUILD}",
            "FP2",
        ),
        LossType(
            "FUSION_DROP",
            "B7",
            "a channel found the chunk, the fused candidates lack it",
            _SEARCH,
            f"raise reranking.candidates, or mend fusion.weights and fusion.method; {_AGAIN}",
            "FP2",
        ),
        LossType(
            "RERANKER_DROP",
            "B8",
            "the reranker put the chunk below those that are kept",
            _SEARCH,
            f"raise reranking.limit above the rank given, or set another reranking.method; {_AGAIN}",
            "FP2",
        ),
        LossType(
            "RERANKER_TRUNCATION",
            "B8",
            "the reranker stopped reading the passage before the evidence, and put it below those that are kept",
            _SEARCH,
            f"lower chunking.max_words below what the reranker reads, or take one that reads more; {_REBUILD}",
            "FP2",
        ),
        LossType(
            "BUDGET_EVICTION",
            "B9",
            "the passage did not fit the context's budget",
            _SEARCH,
            f"raise context.budget_tokens, or lower chunking.max_words; {_AGAIN}",
            "FP3",
        ),
        LossType(
            "CONTEXT_TRUNCATION",
            "B9",
            "the passage was shortened, and the evidence stands in what was cut off",
            _SEARCH,
            f"raise context.budget_tokens, or lower chunking.max_words; {_AGAIN}",
            "FP3",
        ),
        LossType(
            "MERGED_AWAY",
            "B9",
            "the passage was merged into one that does not say the same",
            _SEARCH,
            f"raise context.near_duplicate; {_AGAIN}",
            "FP3",
        ),
        LossType(
            "FALSE_ABSTENTION",
            "B10",
            "the evidence was delivered, and no answer was given",
            _MODEL,
            f"lower answering.min_support (extractive), or mend the prompt or the model (chat); {_AGAIN}",
            "FP4",
        ),
        LossType(
            "FALSE_ANSWER",
            "B10",
            "an answer was given where there is none to give",
            _MODEL,
            f"raise answering.min_support; {_AGAIN}",
        ),
        LossType(
            "UNSUPPORTED",
            "B11",
            "what was said rests on no citation that stands, or says what its citations do not",
            _MODEL,
            f"have the model quote word for word and say nothing else; {_AGAIN}",
            "FP4",
        ),
        LossType(
            "INCOMPLETE",
            "B11",
            "some of the evidence is in the answer, and some is not",
            _MODEL,
            f"raise answering.max_claims; {_AGAIN}",
            "FP7",
        ),
        LossType(
            "NOT_EXTRACTED",
            "B11",
            "the evidence was delivered, and the answer was made from something else",
            _MODEL,
            f"deliver fewer passages (reranking.limit), or change the prompt or model; {_AGAIN}",
            "FP4",
        ),
        LossType(
            "CONTRADICTED",
            "B11",
            "the answer says what another version of the document says",
            _MODEL,
            f"have the model answer from the passages alone; {_AGAIN}",
            "FP6",
        ),
        LossType(
            "INVALID_ID",
            "B12",
            "the answer says what the evidence says, and cites a passage that does not exist",
            _MODEL,
            f"have the model copy the ids it is given; {_AGAIN}",
            "FP5",
        ),
        LossType(
            "NOT_IN_CONTEXT",
            "B12",
            "the answer says what the evidence says, and cites a passage that was not delivered",
            _MODEL,
            f"have the model cite what it is given alone; {_AGAIN}",
            "FP5",
        ),
        LossType(
            "NOT_VERBATIM",
            "B12",
            "the answer says what the evidence says, and its quote does not stand there word for word",
            _MODEL,
            f"have the model quote word for word; {_AGAIN}",
            "FP5",
        ),
        LossType(
            "STALE_VERSION",
            "B12",
            "the answer cites a revision that was no longer in force when the answer was checked",
            _CONTENT,
            f"{_REBUILD}; {_AGAIN}",
            "FP5",
        ),
        LossType(
            "WRONG_JUDGMENT",
            "B13",
            "the answer is the reference answer, from citations that stand; the judged evidence is another",
            _EVALUATION,
            "add the cited place to the evidence of case {case}, or mend the case",
        ),
    )
}
"""In the order of the boundaries, and within one in the order in which its types are looked for or lie near."""


def boundary_of(type: str) -> Boundary:
    """The boundary to which a type of loss belongs."""
    return BOUNDARIES[int(TYPES[type].boundary[1:])]

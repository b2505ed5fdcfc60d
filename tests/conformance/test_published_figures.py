"""Does evidex's engine give the figures that were published for two small knowledge bases?

Their texts may not be copied, so these tests read them from the shared collections and are skipped without them.
Expected values are the published ones, to the digits that were printed. Two deliberate differences move none of them:
a channel never returns a chunk that did not match, where the published BM25 fills up to its limit with scores of 0;
and fusion weighs a rewritten wording within its query, which is a common factor where all wordings weigh the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from evidex.analysis.stopwords import STOP_WORDS
from evidex.evaluation.golden import write_golden
from evidex.evaluation.metrics.average_precision import average_precision
from evidex.evaluation.metrics.ndcg import ndcg
from evidex.evaluation.metrics.recall import recall
from evidex.evaluation.metrics.reciprocal_rank import reciprocal_rank
from evidex.evaluation.trec import write_run
from evidex.types import Case, DocumentId, Evidence, Ranking
from tests.commands import evidex
from tests.conformance.published import EXPANSIONS, KnowledgeBase, documents, knowledge_base, rows, worded

Labelled: TypeAlias = dict[str, Any]
Support: TypeAlias = Callable[..., KnowledgeBase]

# The published 30 function words are not known. evidex's own give the published row, and so do the least that do.
# The published average precision divides by min(R, k), and the published gain is 2^grade - 1.
MEASURES = (recall, reciprocal_rank, partial(average_precision, denominator="min"), partial(ndcg, gain="exp"))

FUNCTION_WORDS = [pytest.param(STOP_WORDS["en"], id="own"), pytest.param(frozenset({"in", "is", "when"}), id="three")]


@pytest.fixture(scope="module")
def published(shared: Path) -> Path:
    folder = shared / "data" / "published-fixtures"
    if not folder.is_dir():
        pytest.skip("the shared collections lack published-fixtures")
    return folder


@pytest.fixture(scope="module")
def support(published: Path, tmp_path_factory: pytest.TempPathFactory) -> Support:
    """Indexes the support knowledge base, each way once."""
    corpus = documents(published / "support-kb" / "corpus.jsonl")
    return cache(lambda **how: knowledge_base(tmp_path_factory.mktemp("support"), corpus, **how))


@pytest.fixture(scope="module")
def questions(published: Path) -> dict[str, Labelled]:
    """The labelled questions about the support knowledge base, by id."""
    return {row["id"]: row for row in rows(published / "support-kb" / "gold.jsonl")}


@pytest.fixture(scope="module")
def answerable(questions: dict[str, Labelled]) -> list[Labelled]:
    return [row for row in questions.values() if row["answerable"]]


def mean(
    measure: Callable[..., float | None], rankings: Iterable[Sequence[str]], labelled: Sequence[Labelled], k: int = 5
) -> float:
    pairs = zip(rankings, labelled, strict=True)
    values = [measure(ranking, dict.fromkeys(row["relevant_sources"], 1), k=k) or 0.0 for ranking, row in pairs]
    return round(sum(values) / len(values), 3)


def scores(ranking: Ranking, count: int) -> list[tuple[str, float]]:
    return [(hit.chunk.split(":")[0], round(hit.score, 2)) for hit in ranking.hits[:count]]


def test_27_chunks_come_from_the_25_of_26_sources_in_force(support: Support, published: Path) -> None:
    assert len(documents(published / "support-kb" / "corpus.jsonl")) == 26
    chunks = Counter(chunk.document for chunk in support().chunks.values())
    assert (chunks.total(), len(chunks)) == (27, 25)
    assert {source for source, count in chunks.items() if count == 2} == {"refund-us-v3", "error-e1492-v5"}
    assert "refund-us-v2" not in chunks


@pytest.mark.parametrize(
    ("size", "overlap", "chunks", "sparse", "dense"),
    [(18, 4, 80, 0.952, 0.952), (32, 6, 49, 0.952, 0.952), (48, 9, 27, 0.952, 0.952), (80, 16, 25, 0.952, 1.0)],
)
def test_recall_at_5_by_chunk_size(
    support: Support, answerable: list[Labelled], size: int, overlap: int, chunks: int, sparse: float, dense: float
) -> None:
    # All four dense figures are met with at most one dimension fewer than there are chunks; see the next test.
    kb = support(size=size, overlap=overlap, width=min(32, chunks - 1))
    assert len(kb.chunks) == chunks
    assert mean(recall, [kb.sources(kb.search(kb.sparse, row["query"])) for row in answerable], answerable) == sparse
    assert mean(recall, [kb.sources(kb.search(kb.dense, row["query"])) for row in answerable], answerable) == dense


def test_with_all_25_dimensions_dense_recall_at_80_words_is_that_of_every_other_size(
    support: Support, answerable: list[Labelled]
) -> None:
    kb = support(size=80, overlap=16)
    assert kb.dense.embedder.contract.width == 25
    assert mean(recall, [kb.sources(kb.search(kb.dense, row["query"])) for row in answerable], answerable) == 0.952


@pytest.mark.parametrize(("asked", "kept", "figure"), [(32, 27, 0.952), (16, 16, 0.952), (8, 8, 0.905), (4, 4, 0.714)])
def test_dense_recall_at_5_by_dimensions_of_which_there_are_never_more_than_chunks(
    support: Support, answerable: list[Labelled], asked: int, kept: int, figure: float
) -> None:
    kb = support(width=asked)
    assert kb.dense.embedder.contract.width == kept
    assert mean(recall, [kb.sources(kb.search(kb.dense, row["query"])) for row in answerable], answerable) == figure


def test_an_error_code_outweighs_common_words(support: Support, questions: dict[str, Labelled]) -> None:
    kb, query = support(), questions["q05"]["query"]
    found = scores(kb.search(kb.sparse, query), 3)
    assert found == [("error-e1492-v5", 6.71), ("error-e1492-v5", 6.07), ("error-e7710-v2", 4.17)]
    assert [round(term.idf, 2) for term in kb.sparse.idf(["e1492", "the"], kb.scope)] == [2.42, 0.09]
    assert [score for _, score in scores(kb.search(kb.dense, query), 3)] == [0.92, 0.61, 0.34]


def test_a_paraphrase_is_found_by_the_two_words_of_it_that_the_corpus_knows(support: Support) -> None:
    kb = support()
    sparse, dense = (kb.search(channel, "stop from") for channel in (kb.sparse, kb.dense))
    assert scores(sparse, 2) == [("cancel-annual-v4", 4.27), ("notifications-v2", 1.69)]
    assert scores(dense, 3) == [("cancel-annual-v4", 0.81), ("privacy-delete-v3", 0.3), ("notifications-v2", 0.29)]


def test_4_of_the_12_published_hits_match_a_question_without_an_answer(
    support: Support, questions: dict[str, Labelled]
) -> None:
    kb = support()
    assert len(kb.search(kb.sparse, questions["q25"]["query"]).hits) == 4


@pytest.mark.parametrize(
    ("route", "figures"),
    [
        ("sparse", (0.952, 0.917, 0.917, 0.925)),
        ("dense", (0.952, 0.921, 0.921, 0.929)),
        ("hybrid", (1.0, 0.933, 0.933, 0.949)),
    ],
)
def test_recall_rr_ap_and_ndcg_at_5_by_route(
    support: Support, answerable: list[Labelled], route: str, figures: tuple[float, ...]
) -> None:
    kb = support()
    rankings = {
        "sparse": [kb.search(kb.sparse, row["query"]) for row in answerable],
        "dense": [kb.search(kb.dense, row["query"]) for row in answerable],
        "hybrid": [kb.fused(worded(row, EXPANSIONS)) for row in answerable],
    }[route]
    sources = [kb.sources(ranking) for ranking in rankings]
    assert tuple(mean(measure, sources, answerable) for measure in MEASURES) == figures


@pytest.mark.parametrize("stop_words", FUNCTION_WORDS)
def test_every_relevant_source_is_a_candidate_and_is_reranked_to_the_top(
    support: Support, questions: dict[str, Labelled], answerable: list[Labelled], stop_words: frozenset[str]
) -> None:
    kb = support()
    queries = [worded(row, EXPANSIONS) for row in answerable]
    fused = [[kb.chunks[id].document for id in kb.fused(query).ids[:12]] for query in queries]
    candidates = [list(dict.fromkeys(documents)) for documents in fused]
    assert mean(recall, candidates, answerable, k=12) == 1.0
    sources = [kb.sources(kb.reranked(query, stop_words)) for query in queries]
    for measure in MEASURES:
        assert mean(measure, sources, answerable) == 1.0
    best = kb.reranked(worded(questions["q05"], EXPANSIONS), stop_words)
    assert scores(best, 1) == [("error-e1492-v5", 11.33)]


@pytest.mark.parametrize(
    ("removed", "hybrid", "reranked"),
    [
        pytest.param({"money back"}, (1.0, 0.933), (1.0, 0.976), id="one"),
        pytest.param({"money back", "money"}, (0.952, 0.917), (0.952, 0.952), id="both"),
        pytest.param(EXPANSIONS.keys(), (0.952, 0.917), (0.952, 0.952), id="all"),
    ],
)
def test_recall_and_rr_at_5_without_expansions(
    support: Support,
    answerable: list[Labelled],
    removed: frozenset[str],
    hybrid: tuple[float, float],
    reranked: tuple[float, float],
) -> None:
    kb = support()
    kept = {phrase: new for phrase, new in EXPANSIONS.items() if phrase not in removed}
    queries = [worded(row, kept) for row in answerable]
    fused = [kb.sources(kb.fused(query)) for query in queries]
    assert (mean(recall, fused, answerable), mean(reciprocal_rank, fused, answerable)) == hybrid
    final = [kb.sources(kb.reranked(query, STOP_WORDS["en"])) for query in queries]
    assert (mean(recall, final, answerable), mean(reciprocal_rank, final, answerable)) == reranked


def test_keyword_search_of_the_company_knowledge_base_finds_all_but_the_paraphrases(
    published: Path, tmp_path: Path
) -> None:
    # Stop words are evidex's own English ones, in place of 47 published ones.
    folder = published / "company-kb"
    kb = knowledge_base(tmp_path, documents(folder / "corpus.jsonl"), k1=1.5, stop_words=STOP_WORDS["en"])
    labelled = rows(folder / "queries.jsonl")
    sources = [kb.sources(kb.search(kb.sparse, row["query"])) for row in labelled]
    first = [
        recall(found, dict.fromkeys(row["relevant_sources"], 1), k=1)
        for found, row in zip(sources, labelled, strict=True)
    ]
    assert len(kb.chunks) == 20
    assert first == [row["category"] != "paraphrase" for row in labelled]
    assert (mean(recall, sources, labelled, k=3), mean(reciprocal_rank, sources, labelled, k=3)) == (0.75, 0.75)


def judged(labelled: Sequence[Labelled]) -> list[Case]:
    return [
        Case(
            row["id"],
            row["query"],
            tuple(Evidence(DocumentId(source)) for source in row["relevant_sources"]),
            row.get("answerable", True),
            row.get("reference_answer", ""),
            category=row.get("category", ""),
        )
        for row in labelled
    ]


def measured(
    folder: Path, cases: Sequence[Case], sources: dict[str, list[str]], measures: Sequence[str]
) -> list[float]:
    """What `evidex eval score` says of a ranking, to three digits."""
    write_golden(folder / "golden.jsonl", cases)
    write_run(folder / "run.txt", sources, tag="published")
    options = [option for measure in measures for option in ("--measure", measure)]
    report = evidex("eval", "score", "run.txt", "golden.jsonl", *options, "--json", at=folder).json
    assert [mean["measure"] for mean in report["means"]] == list(measures)
    return [round(mean["mean"], 3) for mean in report["means"]]


def test_the_published_tables_are_what_the_command_measures(
    support: Support, questions: dict[str, Labelled], published: Path, tmp_path: Path
) -> None:
    kb, cases = support(), judged(list(questions.values()))
    asked = {row["id"]: row for row in questions.values()}
    table = {
        "sparse": {id: kb.sources(kb.search(kb.sparse, row["query"])) for id, row in asked.items()},
        "dense": {id: kb.sources(kb.search(kb.dense, row["query"])) for id, row in asked.items()},
        "hybrid": {id: kb.sources(kb.fused(worded(row, EXPANSIONS))) for id, row in asked.items()},
        "reranked": {
            id: kb.sources(kb.reranked(worded(row, EXPANSIONS), STOP_WORDS["en"])) for id, row in asked.items()
        },
    }
    measures = ("source:R@5", "source:RR@5", "source:AP(min)@5", "source:nDCG(exp)@5")

    assert {route: measured(tmp_path, cases, sources, measures) for route, sources in table.items()} == {
        "sparse": [0.952, 0.917, 0.917, 0.925],
        "dense": [0.952, 0.921, 0.921, 0.929],
        "hybrid": [1.0, 0.933, 0.933, 0.949],
        "reranked": [1.0, 1.0, 1.0, 1.0],
    }

    folder = published / "company-kb"
    company = knowledge_base(tmp_path, documents(folder / "corpus.jsonl"), k1=1.5, stop_words=STOP_WORDS["en"])
    labelled = rows(folder / "queries.jsonl")
    found = {row["id"]: company.sources(company.search(company.sparse, row["query"])) for row in labelled}
    assert measured(tmp_path, judged(labelled), found, ("source:Success@3", "source:RR@3")) == [0.75, 0.75]

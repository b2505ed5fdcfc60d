from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from evidex.errors import ConfigError
from evidex.evaluation.resolve import Fact, resolve
from evidex.judging import Revision, System
from evidex.types import Case, Chunk, ChunkId, DocumentId, DocumentKey, Evidence, Metadata
from tests.evaluation.systems import system_with

ID = DocumentId("d")
TEXT = "The fee is five dollars. Members pay no fee."


def revision(
    text: str | None, *cuts: int, version: str = "1", in_force: bool = True, state: str = "current"
) -> Revision:
    """A revision whose text is cut at the given offsets; its chunks are called c0, c1, …"""
    key = DocumentKey(f"key-{version}")
    edges = [0, *cuts, len(text or "")]
    chunks = tuple(
        Chunk(ChunkId(f"c{number}"), ID, version, key, start, end, (text or "")[start:end])
        for number, (start, end) in enumerate(pairwise(edges))
        if text is not None
    )
    metadata = Metadata(ID, version=version, family="fees")
    return Revision(key, metadata, state, in_force, True, True, text, chunks)  # type: ignore[arg-type]


def system(*revisions: Revision) -> System:
    return system_with(revisions=lambda document, case: revisions if document == ID else ())


def case(*evidence: Evidence, line: int = 0) -> Case:
    return Case("a", "What?", evidence, line=line)


def fact(evidence: Evidence, *revisions: Revision) -> Fact:
    (found,) = resolve(case(evidence), system(*revisions)).facts
    return found


def reason(evidence: Evidence, *revisions: Revision) -> str:
    (gone,) = resolve(case(evidence), system(*revisions)).turnover
    return gone.reason


def test_a_quote_is_where_its_words_stand_and_in_the_chunk_that_holds_them() -> None:
    found = fact(Evidence(ID, 3, quote="Members  pay"), revision(TEXT, 25))
    assert TEXT[found.start : found.end] == "Members pay"
    assert (found.chunks, found.whole, found.located) == (("c1",), True, True)
    assert (found.key, found.family, found.evidence.grade) == ("key-1", "fees", 3)


def test_evidence_that_a_cut_runs_through_names_the_chunks_that_share_it_and_is_not_whole() -> None:
    found = fact(Evidence(ID, quote="five dollars"), revision(TEXT, 15, 25))
    assert (found.chunks, found.whole) == (("c0", "c1"), False)


def test_a_whole_document_is_all_its_chunks_and_located_nowhere() -> None:
    found = fact(Evidence(ID), revision(TEXT, 25))
    assert (found.start, found.end) == (0, len(TEXT))
    assert (found.chunks, found.whole, found.located) == (("c0", "c1"), True, False)


def test_a_span_tells_apart_words_that_occur_twice() -> None:
    twice = "Bring a badge. Bring a badge."
    assert fact(Evidence(ID, quote="Bring a badge", span=(15, 28)), revision(twice, 15)).chunks == ("c1",)
    with pytest.raises(ConfigError, match=r"^Case 'a' \(line 4\): 'Bring a badge' occurs 2 times in 'd'"):
        resolve(case(Evidence(ID, quote="Bring a badge"), line=4), system(revision(twice)))
    with pytest.raises(ConfigError, match=r"^Case 'a': 'Bring a badge' occurs 2 times"):
        resolve(case(Evidence(ID, quote="Bring a badge")), system(revision(twice)))


def test_words_are_found_after_text_before_them_was_added() -> None:
    assert fact(Evidence(ID, quote="no fee", span=(37, 43)), revision("News. " + TEXT)).start == 43


def test_of_several_versions_the_one_in_force_counts_unless_the_evidence_pins_one() -> None:
    old, new = revision(TEXT, version="1", in_force=False), revision(TEXT, version="2")
    assert fact(Evidence(ID, quote="five dollars"), old, new).key == "key-2"
    assert reason(Evidence(ID, quote="five dollars", version="1"), old, new).startswith("the generation does not hold")
    both = (revision(TEXT, version="1"), revision(TEXT, version="2"))
    assert fact(Evidence(ID, quote="five dollars", version="2"), *both).key == "key-2"


def test_what_is_no_longer_there_is_turnover_and_says_why() -> None:
    quote = Evidence(ID, quote="four dollars")
    assert reason(quote) == "there is no document 'd' any more"
    assert reason(quote, revision(None, state="deleted", in_force=False)) == "there is no document 'd' any more"
    assert reason(quote, revision(TEXT, in_force=False)) == "no revision of 'd' is in force"
    assert reason(quote, revision(None)) == "the generation does not hold what is in force of 'd'"
    assert reason(quote, revision(TEXT)) == "'four dollars' is not in version 1 of 'd'"
    assert reason(Evidence(ID, span=(0, 99)), revision(TEXT)) == "the span (0, 99) is not in version 1 of 'd'"


def test_evidence_keeps_the_order_of_its_case() -> None:
    wanted = (Evidence(ID, quote="no fee"), Evidence(ID, quote="gone"), Evidence(ID, quote="five"))
    resolved = resolve(case(*wanted), system(revision(TEXT)))
    assert [found.evidence for found in resolved.facts] == [wanted[0], wanted[2]]
    assert [gone.evidence for gone in resolved.turnover] == [wanted[1]]


@given(st.data(), st.sets(st.integers(1, len(TEXT) - 1)))
@hypothesis_settings(max_examples=60)
def test_however_a_text_is_cut_a_span_is_in_the_chunks_that_share_it(data: st.DataObject, cuts: set[int]) -> None:
    start = data.draw(st.integers(0, len(TEXT) - 1))
    end = data.draw(st.integers(start + 1, len(TEXT)))
    cut = revision(TEXT, *sorted(cuts))
    found = fact(Evidence(ID, span=(start, end)), cut)
    assert found.chunks == tuple(chunk.id for chunk in cut.chunks if max(start, chunk.start) < min(end, chunk.end))
    assert found.whole == cuts.isdisjoint(range(start + 1, end))

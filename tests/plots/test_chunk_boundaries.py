import pytest

from evidex.errors import ConfigError
from evidex.judging import Revision
from evidex.plots import chunk_boundaries
from evidex.types import Chunk, ChunkId, DocumentId, DocumentKey, Metadata

TEXT = "One day. Two days. Three days."
KEY, ID = DocumentKey("k"), DocumentId("days")


def _revision(*spans: tuple[int, int], text: str | None = TEXT) -> Revision:
    chunks = tuple(
        Chunk(ChunkId(f"{at:040}"), ID, "1", KEY, start, end, TEXT[start:end]) for at, (start, end) in enumerate(spans)
    )
    return Revision(KEY, Metadata(ID), "current", True, True, True, text, chunks)


def test_evidence_is_split_when_no_chunk_holds_it_whole() -> None:
    data = chunk_boundaries.of(_revision((0, 8), (9, 18), (19, 30)), [(9, 12), (5, 12)])

    assert [(mark.words, mark.split) for mark in data.marks] == [("ay. Two", True), ("Two", False)]


def test_overlapping_chunks_lie_in_lanes_of_their_own() -> None:
    data = chunk_boundaries.of(_revision((0, 18), (9, 30), (18, 30)))

    assert [piece.lane for piece in data.pieces] == [0, 1, 0]
    assert data.lanes == 2


def test_a_span_outside_the_text_is_refused() -> None:
    with pytest.raises(ConfigError, match="20:31 is no span"):
        chunk_boundaries.of(_revision((0, 30)), [(20, 31)])


def test_a_revision_that_the_generation_does_not_hold_is_refused() -> None:
    with pytest.raises(ConfigError, match="does not hold 'days v1'"):
        chunk_boundaries.of(_revision(text=None))

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from evidex.analysis.budget import count_tokens
from evidex.config import ContextSettings
from evidex.query.assemble import assemble
from evidex.types import Chunk, ChunkId, Context, DocumentId, DocumentKey


def chunk(id: str, text: str, *, parent: str | None = None, start: int = 0) -> Chunk:
    return Chunk(
        id=ChunkId(id),
        document=DocumentId(f"doc-{id}"),
        version="1",
        key=DocumentKey(f"key-{parent or id}"),
        start=start,
        end=start + len(text),
        text=text,
        parent=ChunkId(parent) if parent else None,
    )


def fill(*chunks: Chunk, budget: int = 1000, near_duplicate: float = 0.9, parents: tuple[Chunk, ...] = ()) -> Context:
    by_id = {parent.id: parent for parent in parents}
    return assemble(
        chunks,
        ContextSettings(budget_tokens=budget, near_duplicate=near_duplicate),
        title_of=lambda chunk: chunk.document,
        parent_of=by_id.__getitem__,
    )


def test_passages_keep_the_order_they_come_in() -> None:
    assert fill(chunk("b", "Beta says this."), chunk("a", "Alpha says that.")).ids == ("b", "a")


texts = st.lists(
    st.lists(st.sampled_from(["one", "two", "three", "four.", "five"]), min_size=1, max_size=30).map(" ".join),
    max_size=6,
)


@given(texts, st.integers(1, 60))
def test_the_budget_is_never_exceeded_and_every_chunk_is_accounted_for(parts: list[str], budget: int) -> None:
    chunks = [chunk(f"{n}", text) for n, text in enumerate(parts)]

    context = fill(*chunks, budget=budget)

    assert context.tokens == sum(passage.tokens for passage in context.passages) <= budget
    assert sorted([*context.ids, *(fall.chunk for fall in context.evicted)]) == [c.id for c in chunks]


def test_a_chunk_that_does_not_fit_is_evicted_and_a_smaller_one_still_enters() -> None:
    large, small = "word " * 50, "A word."
    budget = count_tokens("Start here.") + count_tokens(small) + 1

    context = fill(chunk("a", "Start here."), chunk("b", large), chunk("c", small), budget=budget)

    assert context.ids == ("a", "c")
    assert [fall.chunk for fall in context.evicted] == ["b"]
    assert "do not fit" in context.evicted[0].reason


def test_a_first_chunk_over_the_budget_is_cut_after_a_sentence() -> None:
    text = "The first sentence is here. The second one is longer and does not fit any more."

    (passage,) = fill(chunk("a", text, start=100), budget=count_tokens("The first sentence is here.")).passages

    assert passage.chunk.text == "The first sentence is here."
    assert (passage.chunk.start, passage.chunk.end) == (100, 100 + len("The first sentence is here."))


def test_near_duplicates_are_merged_and_keep_their_provenance() -> None:
    same = "Refunds are paid to the original payment method within ten business days of approval."

    context = fill(chunk("a", same), chunk("b", f"{same} Thanks."))

    assert context.ids == ("a",)
    assert context.passages[0].merged == ("b",)
    assert [(fall.chunk, "a" in fall.reason) for fall in context.evicted] == [("b", True)]


def test_passages_that_differ_in_a_number_are_not_duplicates() -> None:
    text = "A customer must ask for a refund within {} calendar days of the purchase, in writing, once."

    assert fill(chunk("a", text.format(30)), chunk("b", text.format(45)), near_duplicate=0.5).ids == ("a", "b")


def test_children_of_one_parent_are_delivered_once_as_the_parent() -> None:
    parent = chunk("p", "Refunds take ten days. They go to the card.")
    first = chunk("a", "Refunds take ten days.", parent="p")
    second = chunk("b", "They go to the card.", parent="p", start=23)

    context = fill(second, first, parents=(parent,))

    (passage,) = context.passages
    assert passage.chunk.id == "b"
    assert passage.chunk.text == parent.text
    assert passage.merged == ("a",)

"""What those who judge a workspace see of it: all that is there, and what each question came to."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evidex.judging import AS_IT_IS, Substitution
from evidex.types import Case, DocumentId, Draft, DraftClaim, Quote
from evidex.workspace import Workspace

REFUND = Case("refund", "How long do I have to ask for a refund in the United States?")


def test_revisions_tell_what_is_in_force_and_what_is_not(sample: Workspace) -> None:
    system = sample.system()

    (current,) = system.revisions(DocumentId("refund-us-v3"), REFUND)
    (retired,) = system.revisions(DocumentId("refund-us-v2"), REFUND)

    assert (current.in_force, current.readable, current.in_scope) == (True, True, True)
    assert (retired.in_force, retired.readable, retired.in_scope) == (False, True, False)
    assert {revision.metadata.id for revision in system.relatives(current.family, REFUND)} == {
        "refund-us-v2",
        "refund-us-v3",
    }


def test_a_document_that_the_asker_may_not_read_is_seen_as_just_that(sample: Workspace) -> None:
    (revision,) = sample.system().revisions(
        DocumentId("hr-salary-bands-v2"), Case("pay", "What is paid?", user="alice")
    )

    assert (revision.in_force, revision.readable, revision.in_scope) == (True, False, False)
    assert revision.text


def test_chunks_of_a_revision_are_its_text_in_order(sample: Workspace) -> None:
    system = sample.system()
    for document in system.documents():
        for revision in system.revisions(document, REFUND):
            text = revision.text or ""
            assert [text[chunk.start : chunk.end] for chunk in revision.chunks] == [c.text for c in revision.chunks]
            assert [chunk.start for chunk in revision.chunks] == sorted(chunk.start for chunk in revision.chunks)


def test_a_question_that_cannot_be_asked_is_an_outcome_with_its_sentence(sample: Workspace) -> None:
    outcome = sample.system().outcome(Case("nobody", "Who?", user="nobody"), AS_IT_IS)

    assert outcome.answer is None
    assert outcome.error is not None and "'nobody'" in outcome.error


def test_an_outcome_as_it_is_is_what_the_workspace_answers(sample: Workspace) -> None:
    outcome = sample.system().outcome(REFUND, AS_IT_IS)
    asked = sample.ask(REFUND.question)

    assert outcome.answer == asked.answer
    assert outcome.context == asked.context


def test_ranks_with_nothing_cut_off_begin_with_what_the_channels_gave(sample: Workspace) -> None:
    system = sample.system()
    outcome = system.search(REFUND)
    (retrieved,) = [record for record in outcome.trace.stages if record.name == "retrieve"]

    ranks = system.ranks(REFUND, outcome.order)

    for ranking in retrieved.rankings:
        assert {hit.chunk: hit.rank for hit in ranking.hits}.items() <= ranks[ranking.channel].items()


def test_sealed_vectors_are_those_that_the_embedder_gives_now(sample: Workspace) -> None:
    system = sample.system()
    (revision,) = system.revisions(DocumentId("refund-us-v3"), REFUND)

    assert [system.fidelity(chunk.id) for chunk in revision.chunks] == pytest.approx([1.0] * len(revision.chunks))
    assert {system.unread_tokens(chunk.id) for chunk in revision.chunks} == {0}


def test_the_source_of_a_revision_holds_its_words(sample: Workspace) -> None:
    system = sample.system()
    (revision,) = system.revisions(DocumentId("refund-us-v3"), REFUND)

    assert "45 calendar days" in (system.source_text(revision.key) or "")


@pytest.mark.parametrize(
    "put",
    [
        lambda chunk: Substitution(first=(chunk,)),
        lambda chunk: Substitution(only=(chunk,)),
    ],
)
def test_a_chunk_put_first_is_delivered_first(sample: Workspace, put: Callable[..., Substitution]) -> None:
    system = sample.system()
    (revision,) = system.revisions(DocumentId("api-rate-v6"), REFUND)
    wanted = revision.chunks[0].id

    outcome = system.outcome(REFUND, put(wanted))

    assert outcome.context is not None
    assert outcome.context.ids[0] == wanted


def test_only_what_was_named_is_delivered(sample: Workspace) -> None:
    system = sample.system()
    (revision,) = system.revisions(DocumentId("api-rate-v6"), REFUND)
    wanted = tuple(chunk.id for chunk in revision.chunks)

    outcome = system.outcome(REFUND, Substitution(only=wanted))

    assert outcome.context is not None
    assert set(outcome.order) == set(wanted)
    assert {revision.key} == {passage.chunk.key for passage in outcome.context.passages}


def test_a_candidate_put_among_the_channels_reaches_the_fusion(sample: Workspace) -> None:
    system = sample.system()
    (revision,) = system.revisions(DocumentId("api-rate-v6"), REFUND)
    wanted = revision.chunks[0].id

    outcome = system.outcome(REFUND, Substitution(candidates=(wanted,)))

    (fused,) = [record for record in outcome.trace.stages if record.name == "fuse"]
    assert wanted in fused.rankings[0].ids


def test_a_budget_put_in_place_of_the_own_is_kept(sample: Workspace) -> None:
    outcome = sample.system().outcome(REFUND, Substitution(budget=60))

    assert outcome.context is not None
    assert (outcome.context.budget, outcome.context.tokens <= 60) == (60, True)


def test_a_draft_put_into_the_generators_mouth_is_verified_like_any_other(sample: Workspace) -> None:
    system = sample.system()
    context = system.outcome(REFUND, AS_IT_IS).context
    assert context is not None
    chunk = context.passages[0].chunk
    draft = Draft((DraftClaim("Made up.", (Quote(chunk.id, "nobody ever wrote this here"),)),))

    outcome = system.outcome(REFUND, Substitution(draft=draft))

    assert outcome.answer is not None
    assert outcome.answer.claims == ()
    assert [citation.status for claim in outcome.answer.rejected for citation in claim.citations] == ["not_verbatim"]


def test_everything_is_what_the_asker_may_see_in_the_order_of_documents(sample: Workspace) -> None:
    system = sample.system()
    everything = system.everything(REFUND)

    assert len(everything) == system.visible_chunks(REFUND) <= system.chunk_count
    assert len(set(everything)) == len(everything)
    documents = [chunk.document for chunk in system.chunks(everything)]
    assert documents == sorted(documents, key=documents.index)

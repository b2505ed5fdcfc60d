from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidex.generating.reply import INSUFFICIENT, SCHEMA, Reply, read_reply, to_draft
from evidex.types import Draft, DraftClaim, Quote
from tests.generating.world import context, passage

KNOWN = context(passage("Wait 60 seconds if a < b.", id="chunk-1"), passage("Use &lt; in HTML.", id="chunk-2"))


def reply(claim: str, *quotes: tuple[str, str], insufficient: str | None = None) -> str:
    quoted = [{"source": source, "text": text} for source, text in quotes]
    return json.dumps({"answer": [{"claim": claim, "quotes": quoted}], "insufficient_evidence": insufficient})


def quotes(*given: tuple[str, str]) -> tuple[Quote, ...]:
    return to_draft(read_reply(reply("Wait.", *given)), KNOWN).claims[0].quotes


def test_claims_come_with_quotes_of_the_chunks_behind_the_source_ids() -> None:
    draft = to_draft(read_reply(reply(" Wait a\nminute. ", ("s1", "Wait 60 seconds"))), KNOWN)
    assert draft == Draft((DraftClaim("Wait a minute.", (Quote(KNOWN.ids[0], "Wait 60 seconds"),)),))


@pytest.mark.parametrize("source", ["s1", "S1", "[s1]", " s1 "])
def test_a_source_id_may_be_dressed_as_models_dress_it(source: str) -> None:
    assert quotes((source, "Wait 60 seconds"))[0].chunk == "chunk-1"


@pytest.mark.parametrize("source", ["s3", "s0", "refund-us-v3", ""])
def test_an_id_of_no_source_stays_for_grounding_to_mark(source: str) -> None:
    assert quotes((source, "Wait 60 seconds"))[0].chunk == source


def test_escapes_that_a_model_copied_are_undone_unless_the_passage_has_them() -> None:
    assert quotes(("s1", "if a &lt; b."))[0].text == "if a < b."
    assert quotes(("s1", "if a < b."))[0].text == "if a < b."
    assert quotes(("s2", "Use &lt; in HTML."))[0].text == "Use &lt; in HTML."


@pytest.mark.parametrize(
    "frame", ["{}", "```json\n{}\n```", "Here it is: {} Hope it helps {{}}", "<think>{{1}} {{}}</think>{}"]
)
def test_the_first_object_of_the_right_shape_is_the_reply(frame: str) -> None:
    assert read_reply(frame.format(reply("Wait.", ("s1", "Wait")))).answer[0].claim == "Wait."


def test_a_claim_without_quotes_and_fields_nobody_asked_for_are_read() -> None:
    found = read_reply('{"answer": [{"claim": "Wait.", "mood": 1}]}')
    assert found.answer[0].quotes == [] and found.insufficient_evidence is None


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("I do not know.", "no JSON object"),
        ("", "no JSON object"),
        ('{"answer": [{"claim": "cut', "no JSON object"),
        ('{"answer": "Wait."}', "'answer'"),
        ('{"answer": [{"quotes": []}]}', r"'answer\.0\.claim'"),
        ('{"answer": [{"claim": "x", "quotes": [{"source": 1, "text": "x"}]}]}', r"'answer\.0\.quotes\.0\.source'"),
        ("[" * 5000 + '{"a":' * 5000, "no JSON object"),
    ],
    ids=lambda value: value[:20],
)
def test_anything_else_is_refused_with_what_is_wrong(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        read_reply(text)


def test_insufficient_evidence_abstains_in_our_words_whatever_else_was_said() -> None:
    told = reply("Refunds are instant.", ("s1", "Wait 60 seconds"), insufficient="Call this number instead")
    assert to_draft(read_reply(told), KNOWN) == Draft(abstention=INSUFFICIENT)
    assert to_draft(Reply(answer=[]), KNOWN) == Draft(abstention=INSUFFICIENT)


def test_the_schema_asks_for_every_field_and_no_other() -> None:
    assert SCHEMA["required"] == ["answer", "insufficient_evidence"] and SCHEMA["additionalProperties"] is False


@given(st.text())
def test_no_text_does_more_than_be_refused(text: str) -> None:
    try:
        assert isinstance(read_reply(text), Reply)
    except ValueError as error:
        assert str(error)

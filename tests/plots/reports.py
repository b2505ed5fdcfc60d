"""Small runs, written out, whose pictures can be reckoned by hand."""

from __future__ import annotations

from typing import Any

from evidex.evaluation.derive import report_of
from evidex.evaluation.report import Identity, Report, Row
from evidex.types import GenerationId

HOSTILE = '</script><img onerror=alert(1) src=x> & "$x^2$" \x00\u202e\ud800 <b>'
"""What a question may hold: markup, a formula, a control, a bidirectional override, half a surrogate pair."""

SETTINGS = {
    "retrieval": {"channels": ["sparse", "dense"], "limit": 100},
    "reranking": {"candidates": 50, "limit": 10},
}


def row(case: str, **given: Any) -> Row:
    values: dict[str, Any] = {
        "question": f"Where is {case}?",
        "split": "test",
        "category": "",
        "group": "",
        "answerable": True,
        "answered": True,
        "values": (),
        "ranks": (),
        "documents": (),
        "tokens": None,
        "support": None,
    }
    return Row(case=case, **(values | given))


def ranks(**by_stage: tuple[int | None, ...]) -> tuple[tuple[str, tuple[int | None, ...]], ...]:
    return tuple(by_stage.items())


def report(*rows: Row, measures: tuple[str, ...] = ("source:R@10",), run: str = "r" * 16, **given: Any) -> Report:
    identity = Identity(
        GenerationId("g" * 64), "c", "k", "s", "golden", given.pop("split", "test"), "answer", measures, "0"
    )
    settings: dict[str, Any] = given.pop("settings", SETTINGS)
    return report_of(run, identity, given.pop("name", "small"), {"python": "3"}, settings, rows, 500)


def three() -> Report:
    """A question that comes through, one that reranking loses, and one that only `dense` finds one fact of."""
    return report(
        row(
            "through",
            category="easy",
            values=(("source:R@10", 1.0),),
            ranks=ranks(sparse=(1,), dense=(2,), candidates=(1,), fused=(1,), reranked=(1,), context=(1,), cited=(1,)),
            support=0.9,
        ),
        row(
            "reranked-away",
            category="hard",
            values=(("source:R@10", 0.0),),
            ranks=ranks(
                sparse=(40,),
                dense=(None,),
                candidates=(50,),
                fused=(50,),
                reranked=(11,),
                context=(None,),
                cited=(None,),
            ),
            support=0.4,
        ),
        row(
            "half",
            category="hard",
            question=HOSTILE,
            values=(("source:R@10", 0.5),),
            ranks=ranks(
                sparse=(None, None),
                dense=(3, None),
                candidates=(5, None),
                fused=(51, None),
                reranked=(None, None),
                context=(None, None),
                cited=(None, None),
            ),
            answered=False,
        ),
    )

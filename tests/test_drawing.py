"""Each picture is drawn from what it needs, and what is missing is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evidex.errors import ConfigError
from evidex.evaluation.golden import write_golden
from evidex.types import Case, DocumentId, Evidence
from evidex.workspace import Workspace

REFUND = Case(
    "refund",
    "How long is the refund window in the United States?",
    (Evidence(DocumentId("refund-us-v3"), quote="45 calendar days"),),
    split="dev",
)
VPN = Case(
    "vpn",
    "What has to run first?",
    (
        Evidence(
            DocumentId("it-vpn-v3"),
            quote="Away from the office, internal systems can be reached through the VPN alone.",
        ),
    ),
    split="dev",
)


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    others = [Case(f"held-{case.id}", case.question, case.evidence, split="test") for case in (REFUND, VPN)]
    write_golden(tmp_path / "golden.jsonl", [REFUND, VPN, *others])
    return tmp_path / "golden.jsonl"


def test_pictures_of_the_index_need_nothing_and_those_of_a_question_the_question(
    sample: Workspace, tmp_path: Path
) -> None:
    asked: dict[str, dict[str, Any]] = {
        "bm25-curves": {},
        "embedding-map": {},
        "rrf-contributions": {"question": REFUND.question},
        "maxsim-grid": {"question": REFUND.question, "document": "refund-us-v3"},
        "chunk-boundaries": {"document": "refund-us-v3", "evidence": "45 calendar days"},
    }
    for name, given in asked.items():
        sample.draw(name, tmp_path / f"{name}.svg", **given)
        assert (tmp_path / f"{name}.svg").read_text("utf-8").startswith("<?xml")


def test_what_training_would_bring_is_drawn_from_a_golden_set(sample: Workspace, golden: Path, tmp_path: Path) -> None:
    sample.draw("contrastive-training", tmp_path / "training.svg", golden=golden)

    assert "trained on 2 pairs of the split dev, dashed for 2 of" in " ".join(
        (tmp_path / "training.svg").read_text("utf-8").split()
    )


@pytest.mark.parametrize(
    ("name", "given", "sentence"),
    [
        ("nothing", {}, "no picture 'nothing'"),
        ("rrf-contributions", {}, "of a question"),
        ("chunk-boundaries", {}, "of a document"),
        ("chunk-boundaries", {"document": "none"}, "holds no document 'none'"),
        ("chunk-boundaries", {"document": "refund-us-v3", "evidence": "99 days"}, "does not hold '99 days'"),
        ("contrastive-training", {}, "of a golden set"),
    ],
)
def test_what_a_picture_lacks_is_named(
    sample: Workspace, tmp_path: Path, name: str, given: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ConfigError, match=sentence):
        sample.draw(name, tmp_path / "picture.svg", **given)
    assert not (tmp_path / "picture.svg").exists()

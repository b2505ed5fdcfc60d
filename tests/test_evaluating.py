"""Settings are chosen on the dev split, by what they give and what they cost, and judged on the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from evidex.config import Settings
from evidex.errors import ConfigError
from evidex.evaluating import plan_of, sweep, variants
from evidex.evaluation.derive import report_of
from evidex.evaluation.golden import GoldenSet, write_golden
from evidex.evaluation.report import Report
from evidex.types import Case, DocumentId, Evidence
from evidex.workspace import Workspace
from tests.evaluation.test_comparing import IDENTITY, row

DEV = tuple(Case(f"dev-{n}", "?", split="dev") for n in range(8))
TEST = tuple(Case(f"test-{n}", "?", split="test") for n in range(8))
GOLDEN = GoldenSet("golden", DEV + TEST)
MEASURE = "source:R@10"


def quiet(step: str, done: int, whole: int) -> None:
    pass


def evaluated(quality: Callable[[float, str], float], tokens: Callable[[float], int]) -> Callable[..., Report]:
    """Reports in which quality and tokens follow from the RRF constant."""

    def evaluate(settings: Settings, split: str) -> Report:
        k = settings.fusion.k
        rows = [
            replace(row(f"{split}-{n}", quality(k, split), 1), tokens=tokens(k), seconds=(("retrieve", 0.5),))
            for n in range(8)
        ]
        identity = replace(IDENTITY, split=split, golden=split)
        return report_of(f"{split}-{k}", identity, "golden", {}, {}, rows, 10)

    return evaluate


def test_the_best_on_dev_is_tried_once_on_the_other_split() -> None:
    run = evaluated(lambda k, split: 1.0 if k == 10 and split == "dev" else 0.5, lambda k: 100)

    found = sweep(Settings(), {"fusion.k": [1, 10]}, run, golden=GOLDEN, measure=MEASURE, progress=quiet)

    assert [point.changed for point in found.points] == [{}, {"fusion.k": 1}, {"fusion.k": 10}]
    assert found.best == 2
    assert found.on_dev is not None and found.held_out is not None
    assert dict(found.on_dev.comparisons)[MEASURE].difference == 0.5
    assert dict(found.held_out.comparisons)[MEASURE].difference == 0
    assert found.held_out.split == "test"


def test_points_that_another_beats_are_not_on_the_front() -> None:
    run = evaluated(
        lambda k, split: {60: 0.5, 1: 0.75, 10: 0.75, 20: 0.25}[int(k)],
        lambda k: {60: 100, 1: 200, 10: 300, 20: 50}[int(k)],
    )

    found = sweep(Settings(), {"fusion.k": [1, 10, 20]}, run, golden=GOLDEN, measure=MEASURE, progress=quiet)

    # 10 costs more than 1 and gives the same; the others give less for less.
    assert [point.on_front for point in found.points] == [True, True, False, True]
    assert found.best == 1


def test_times_tell_points_apart_only_where_their_intervals_do_not_meet() -> None:
    def run(settings: Settings, split: str) -> Report:
        k = settings.fusion.k
        # Medians .0045, .0046 and .0145 of eight questions; their intervals span all eight.
        spent = [0.001 * n + {60: 0.001, 1: 0.0011, 10: 0.011}[int(k)] for n in range(8)]
        rows = [replace(row(f"{split}-{n}", 0.5, 1), tokens=9, seconds=(("ask", spent[n]),)) for n in range(8)]
        return report_of(f"{split}-{k}", replace(IDENTITY, split=split), "golden", {}, {}, rows, 10)

    found = sweep(Settings(), {"fusion.k": [1, 10]}, run, golden=GOLDEN, measure=MEASURE, progress=quiet)

    assert [point.on_front for point in found.points] == [True, True, False]
    assert [found.points[0].fastest, found.points[0].slowest] == pytest.approx([0.001, 0.008])


def test_settings_as_they_are_need_no_second_look_where_nothing_is_better() -> None:
    run = evaluated(lambda k, split: 0.5, lambda k: 100)

    found = sweep(Settings(), {"fusion.k": [60, 10]}, run, golden=GOLDEN, measure=MEASURE, progress=quiet)

    assert len(found.points) == 2  # those that are the same settings are one
    assert (found.best, found.on_dev, found.held_out) == (0, None, None)


def test_nothing_is_chosen_on_a_golden_set_without_a_dev_split() -> None:
    run = evaluated(lambda k, split: 0.5, lambda k: 100)

    with pytest.raises(ConfigError, match="no case of the split 'dev'"):
        sweep(Settings(), {"fusion.k": [1]}, run, golden=GoldenSet("t", TEST), measure=MEASURE, progress=quiet)


@pytest.mark.parametrize("id", ["TokenF1", "context/fact:R", "cited/fact:R"])
def test_what_only_an_answer_tells_cannot_be_measured_of_a_search(sample: Workspace, id: str) -> None:
    with pytest.raises(ConfigError, match=f"'{id}' cannot be measured of a search alone"):
        plan_of(GOLDEN, sample.system(), split="dev", catalog="", route="search", ids=[id])


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("fusion.kk", 1, "no setting 'fusion.kk'"),
        ("nothing", 1, "no setting 'nothing'"),
        ("fusion.k", -1, "fusion.k"),
        ("fusion.k.x", 1, "no setting 'fusion.k.x'"),
    ],
)
def test_a_setting_or_value_that_there_is_not_is_refused(name: str, value: object, sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        list(variants(Settings(), {name: [value]}))


def test_several_settings_are_tried_in_every_combination() -> None:
    found = [changed for changed, _ in variants(Settings(), {"fusion.k": [1, 2], "fusion.weights.dense": [0.5, 2.0]})]

    assert found == [
        {"fusion.k": 1, "fusion.weights.dense": 0.5},
        {"fusion.k": 1, "fusion.weights.dense": 2.0},
        {"fusion.k": 2, "fusion.weights.dense": 0.5},
        {"fusion.k": 2, "fusion.weights.dense": 2.0},
    ]


def test_a_sweep_builds_what_it_needs_and_leaves_nothing_behind(
    workspace: Callable[[str], Workspace], tmp_path: Path
) -> None:
    kb = workspace('[embedding]\nprovider = "none"\n')
    docs = kb.root / "docs"
    docs.mkdir()
    for name in ("apples", "pears", "plums"):
        (docs / f"{name}.md").write_text(f"---\nid: {name}\n---\n# {name}\n\nWe sell {name} by the box.\n", "utf-8")
    kb.ingest(docs)
    kb.publish(kb.build().id)
    golden = tmp_path / "golden.jsonl"
    golden.write_text(
        "".join(
            f'{{"id": "{name}-{split}", "question": "Who sells {name}?", "split": "{split}", "answerable": true,'
            f' "evidence": [{{"document": "{name}"}}]}}\n'
            for name in ("apples", "pears", "plums")
            for split in ("dev", "test")
        ),
        "utf-8",
    )
    kb.evaluate(golden, split="dev", route="search")
    before = sorted(path.name for path in (kb.root / ".evidex").rglob("*"))

    found = kb.sweep(golden, {"chunking.max_words": [8, 50], "index.k1": [0.0]})

    assert [point.quality for point in found.points] == [1, 1, 1]
    assert len(kb.generations()) == 1
    assert not (kb.root / ".evidex" / "sweep").exists()
    assert sorted(path.name for path in (kb.root / ".evidex").rglob("*")) == before
    assert kb.search("plums").chunks[0].document == "plums"


def test_a_run_is_written_for_other_tools(sample: Workspace, tmp_path: Path) -> None:
    cases = (Case("refund", "How long is the refund window?"), Case("e", "What is E1492?"))
    report = sample.evaluate(GoldenSet("two", cases), route="search", measures=["R@10"])
    sample.write_trec(tmp_path / "run.txt", report.run)

    lines = [line.split() for line in (tmp_path / "run.txt").read_text("utf-8").splitlines()]

    assert [line[0] for line in lines if line[3] == "1"] == ["e", "refund"]
    assert [line[2] for line in lines if line[0] == "refund"] == list(report.rows[1].documents)


LOST = Case(
    "vpn",
    "From my kitchen table the wiki does not load. What has to run first?",
    (
        Evidence(
            DocumentId("it-vpn-v3"),
            quote="Away from the office, internal systems can be reached through the VPN alone.",
        ),
    ),
    answerable=True,
)


def test_a_page_looks_closer_at_a_question_that_was_lost_and_at_the_index(sample: Workspace, tmp_path: Path) -> None:
    write_golden(tmp_path / "golden.jsonl", [LOST])
    sample.evaluate(tmp_path / "golden.jsonl")
    sample.write_page(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")

    assert "One of them, looked at" in page
    for name in ("rrf-contributions", "maxsim-grid", "chunk-boundaries", "bm25-curves", "embedding-map"):
        assert f'aria-label="{name.replace("-", " ")}"' in page


def test_a_page_looks_at_no_question_of_a_golden_set_that_has_changed(sample: Workspace, tmp_path: Path) -> None:
    write_golden(tmp_path / "golden.jsonl", [LOST])
    sample.evaluate(tmp_path / "golden.jsonl")
    write_golden(tmp_path / "golden.jsonl", [replace(LOST, question="How do I start the VPN?")])
    sample.write_page(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")

    assert "One of them, looked at" not in page
    assert 'aria-label="bm25 curves"' in page

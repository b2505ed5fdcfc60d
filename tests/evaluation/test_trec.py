from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidex.errors import ConfigError
from evidex.evaluation.trec import ordered, read_qrels, read_run, unjudged_queries, write_qrels, write_run

QRELS = "q1 0 d1 2\nq1 0 d2 -1\n\nq2\t0\td1\t0\r\n"
RUN = "q1 Q0 d2 1 7.5 bm25\nq1 Q0 d1 2 -1e-3 bm25\nq2 Q0 d9 1 3 bm25\n"


def file(tmp_path: Path, content: str | bytes) -> Path:
    path = tmp_path / "file.txt"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_qrels_are_read_by_query(tmp_path: Path) -> None:
    assert read_qrels(file(tmp_path, QRELS)) == {"q1": {"d1": 2, "d2": -1}, "q2": {"d1": 0}}


def test_a_run_is_read_as_written(tmp_path: Path) -> None:
    assert read_run(file(tmp_path, RUN)) == {"q1": (("d2", 7.5), ("d1", -0.001)), "q2": (("d9", 3.0),)}


def test_a_byte_order_mark_and_a_no_break_space_are_no_white_space(tmp_path: Path) -> None:
    assert read_qrels(file(tmp_path, b"\xef\xbb\xbfq1 0 d\xc2\xa01 1\n")) == {"q1": {"d\u00a01": 1}}


@pytest.mark.parametrize(
    ("read", "content", "sentence"),
    [
        (read_qrels, "q1 0 d1 1\nq1 0 d2\n", "line 2: 'q1 0 d2' … has 3 fields"),
        (read_qrels, "q1 0 my document 1\n", "line 1: 'q1 0 my' … has 5 fields"),
        (read_qrels, "q1 0 d1 1\n\nq1 0 d2 high\n", "line 3: the grade 'high' of 'd2' is no whole number"),
        (read_qrels, "q1 0 d1 1.0\n", "the grade '1.0' of 'd1' is no whole number"),
        (read_qrels, "q1 0 d1 1_0\n", "the grade '1_0' of 'd1'"),
        (read_qrels, "q1 0 d1 1\nq2 0 d1 1\nq1 0 d1 1\n", "line 3: query 'q1' has 'd1' a second time"),
        (read_qrels, b"q1 0 d1 1\nq1 0 \xff 1\n", "line 2: it is not in UTF-8"),
        (read_qrels, "", "is empty"),
        (read_qrels, " \n\n", "is empty"),
        (read_run, "q1 Q0 d1 1 2.5\n", "line 1: 'q1 Q0 d1' … has 5 fields"),
        (read_run, "q1 Q0 d1 1 2 t\nq1 Q0 d2 2 NaN t\n", "line 2: the score 'NaN' of 'd2' is no finite number"),
        (read_run, "q1 Q0 d1 1 -inf t\n", "the score '-inf' of 'd1' is no finite number"),
        (read_run, "q1 Q0 d1 1 1e999 t\n", "the score '1e999' of 'd1' is no finite number"),
        (read_run, "q1 Q0 d1 1 0x1p3 t\n", "the score '0x1p3' of 'd1' is no finite number"),
        (read_run, "q1 Q0 d1 1 2 t\nq1 Q0 d1 2 1 t\n", "line 2: query 'q1' has 'd1' a second time"),
        (read_run, "", "is empty"),
    ],
)
def test_what_is_wrong_is_said_with_file_line_and_id(
    tmp_path: Path, read: Callable[[Path], object], content: str | bytes, sentence: str
) -> None:
    path = file(tmp_path, content)

    with pytest.raises(ConfigError) as caught:
        read(path)

    assert sentence in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"absent\.txt' cannot be read"):
        read_run(tmp_path / "absent.txt")


def test_trec_breaks_ties_of_float32_by_document_descending() -> None:
    scored = (("a", 1.0), ("c", 1.0 + 1e-9), ("b", 1.0), ("d", 0.5), ("e", 1e300), ("f", 1e301))

    assert ordered(scored, ties="trec") == ("f", "e", "c", "b", "a", "d")


def test_given_breaks_ties_of_float64_by_the_order_of_the_file() -> None:
    scored = (("a", 1.0), ("c", 1.0 + 1e-9), ("b", 1.0), ("d", 0.5), ("e", 1e300), ("f", 1e301))

    assert ordered(scored, ties="given") == ("f", "e", "c", "a", "b", "d")


def test_queries_without_judgments_are_named() -> None:
    assert unjudged_queries({"q10": (), "q2": (), "q1": ()}, {"q1": {"d": 1}, "q3": {"d": 1}}) == ("q10", "q2")


NAMES = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]), min_size=1, max_size=5)
RANKINGS = st.dictionaries(NAMES, st.lists(NAMES, min_size=1, unique=True), min_size=1, max_size=4)


@given(RANKINGS)
def test_a_run_comes_back_in_its_order_under_either_policy(
    tmp_path_factory: pytest.TempPathFactory, rankings: dict[str, list[str]]
) -> None:
    path = tmp_path_factory.getbasetemp() / "round.run"

    write_run(path, rankings, tag="evidex")
    run = read_run(path)

    for ties in ("trec", "given"):
        back = {query: list(ordered(scored, ties=ties)) for query, scored in run.items()}
        assert back == rankings


@given(st.dictionaries(NAMES, st.dictionaries(NAMES, st.integers(-5, 5), min_size=1), min_size=1, max_size=4))
def test_qrels_come_back_as_they_were(
    tmp_path_factory: pytest.TempPathFactory, qrels: dict[str, dict[str, int]]
) -> None:
    path = tmp_path_factory.getbasetemp() / "round.qrels"

    write_qrels(path, qrels)

    assert read_qrels(path) == qrels


def test_scores_of_a_long_ranking_decrease_strictly_as_float32(tmp_path: Path) -> None:
    write_run(tmp_path / "long.run", {"q": [f"d{number}" for number in range(20_000)]}, tag="t")

    scores = np.array([score for _, score in read_run(tmp_path / "long.run")["q"]], np.float32)

    assert (np.diff(scores) < 0).all()


def test_files_have_the_form_of_trec_and_the_same_bytes_whatever_the_order_of_queries(tmp_path: Path) -> None:
    write_run(tmp_path / "a.run", {"q2": ["d1"], "q1": ["d2", "d1"], "q3": []}, tag="t")
    write_run(tmp_path / "b.run", {"q3": [], "q1": ["d2", "d1"], "q2": ["d1"]}, tag="t")
    write_qrels(tmp_path / "a.qrels", {"q1": {"d2": 0, "d1": 3}})

    assert (tmp_path / "a.run").read_text("utf-8") == "q1 Q0 d2 1 2 t\nq1 Q0 d1 2 1 t\nq2 Q0 d1 1 1 t\n"
    assert (tmp_path / "a.run").read_bytes() == (tmp_path / "b.run").read_bytes()
    assert (tmp_path / "a.qrels").read_text("utf-8") == "q1 0 d1 3\nq1 0 d2 0\n"


@pytest.mark.parametrize(
    ("rankings", "sentence"),
    [
        ({"q1": ["refund policy"]}, "cannot hold the name 'refund policy': it has white space in it"),
        ({"q1": ["d1", ""]}, "cannot hold the name '': it is empty"),
        ({"q 1": ["d1"]}, "cannot hold the name 'q 1'"),
        ({"q1": ["d1", "d2", "d1"]}, "The ranking of query 'q1' has 'd1' twice"),
    ],
)
def test_what_a_run_cannot_hold_is_refused_and_leaves_the_file_as_it_was(
    tmp_path: Path, rankings: dict[str, list[str]], sentence: str
) -> None:
    path = file(tmp_path, RUN)

    with pytest.raises(ConfigError) as caught:
        write_run(path, rankings, tag="t")

    assert sentence in str(caught.value)
    assert path.read_text("utf-8") == RUN
    assert [found.name for found in tmp_path.iterdir()] == [path.name]

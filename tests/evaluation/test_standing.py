from evidex.evaluation.standing import Stage, facts_of, lost_after, stages_of, standing
from tests.plots.reports import ranks, report, row, three


def test_stages_are_the_channels_as_asked_and_then_the_line_with_what_each_lets_on() -> None:
    found = [(stage.name, stage.limit, stage.is_channel) for stage in stages_of(three())]

    assert found == [
        ("sparse", None, True),
        ("dense", None, True),
        ("candidates", None, False),
        ("fused", 50, False),
        ("reranked", 10, False),
        ("context", None, False),
        ("cited", None, False),
    ]


def test_a_plug_ins_channel_comes_after_those_of_the_settings_and_the_pure_reranker_is_no_stage() -> None:
    run = report(row("a", ranks=ranks(graph=(1,), sparse=(2,), reranker=(1,), final=(1,), fused=(1,))))

    assert [stage.name for stage in stages_of(run)] == ["sparse", "graph", "fused"]


def test_a_rank_beyond_what_a_stage_lets_on_is_not_there() -> None:
    one = row("a", ranks=ranks(reranked=(10, 11, None)))

    assert standing(one, Stage("reranked", 10)) == (10, None, None)
    assert standing(one, Stage("reranked")) == (10, 11, None)


def test_a_question_that_failed_lacks_all_its_facts_in_the_stages_it_never_came_to() -> None:
    one = row("a", ranks=ranks(sparse=(1, 2)), error="no model")

    assert facts_of(one) == 2
    assert standing(one, Stage("cited")) == (None, None)


def test_evidence_is_lost_after_the_first_stage_that_lacks_a_fact_of_it() -> None:
    run = three()
    stages = stages_of(run)

    assert {one.case: lost_after(one, stages) for one in run.rows} == {
        "through": None,
        "reranked-away": "reranked",
        "half": "candidates",
    }

"""Where did the evidence of a question stand, stage by stage, and after which stage was it no longer there?"""

from __future__ import annotations

from dataclasses import dataclass

from evidex.evaluation.report import Report, Row

LINE = ("candidates", "fused", "reranked", "context", "cited")
"""What each stage lets on to the next, in order; `candidates` is what the channels give together."""
_NO_CHANNEL = frozenset({*LINE, "reranker", "final"})


@dataclass(frozen=True, slots=True)
class Stage:
    """A channel, or a stage that lets at most `limit` chunks on (None: all that it has)."""

    name: str
    limit: int | None = None

    @property
    def is_channel(self) -> bool:
        return self.name not in _NO_CHANNEL


def stages_of(report: Report) -> tuple[Stage, ...]:
    """The channels of a run as they are asked, and then its stages, as far as any of its questions came to them."""
    seen = {name for row in report.rows for name, _ in row.ranks}
    asked = [name for name in report.settings.get("retrieval", {}).get("channels", ()) if name in seen]
    others = sorted(seen - _NO_CHANNEL - set(asked))
    reranking = report.settings.get("reranking", {})
    limits = {"fused": reranking.get("candidates"), "reranked": reranking.get("limit")}
    return tuple(Stage(name, limits.get(name)) for name in (*asked, *others, *(n for n in LINE if n in seen)))


def facts_of(row: Row) -> int:
    """How many facts a question has whose ranks are known; 0 where it failed before any stage."""
    return max((len(ranks) for _, ranks in row.ranks), default=0)


def standing(row: Row, stage: Stage) -> tuple[int | None, ...]:
    """The rank of each fact in what a stage let on; None where it is not among that."""
    ranks = dict(row.ranks).get(stage.name, (None,) * facts_of(row))
    return tuple(rank if rank is not None and rank <= (stage.limit or rank) else None for rank in ranks)


def lost_after(row: Row, stages: tuple[Stage, ...]) -> str | None:
    """The first stage that let on less than all facts of a question; None where all came through, or there are none."""
    line = (stage for stage in stages if not stage.is_channel)
    return next((stage.name for stage in line if None in standing(row, stage)), None)

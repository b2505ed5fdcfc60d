"""What follows from the rows of a run? Means with intervals, slices, and who was answered: derived, never stored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from evidex.evaluation.metrics.answered_table import AnsweredTable, answered_table
from evidex.evaluation.report import Identity, Mean, Report, Row
from evidex.evaluation.statistics.bootstrap import mean_interval
from evidex.evaluation.statistics.proportions import count_interval

RESAMPLES = 2_000


def report_of(
    run: str,
    identity: Identity,
    name: str,
    environment: Mapping[str, str],
    settings: Mapping[str, Any],
    rows: Iterable[Row],
    chunks: int,
) -> Report:
    """The report on rows, which are put into the order of their cases."""
    ordered = tuple(sorted(rows, key=lambda row: row.case))
    categories = sorted({row.category for row in ordered if row.category})
    slices = [(name, tuple(row for row in ordered if row.category == name)) for name in categories]
    return Report(
        run=run,
        identity=identity,
        name=name,
        environment=environment,
        settings=settings,
        rows=ordered,
        means=means_of(ordered, identity.measures),
        slices=tuple((name, means_of(part, identity.measures)) for name, part in slices),
        table=table_of(ordered),
        chunks=chunks,
    )


def means_of(rows: Sequence[Row], measures: Sequence[str]) -> tuple[Mean, ...]:
    """The mean of each measure over the rows."""
    return tuple(_mean(measure, rows) for measure in measures)


def table_of(rows: Iterable[Row]) -> AnsweredTable:
    """Answerable against answered, over the rows of which both are known."""
    return answered_table(
        [(row.answerable, row.answered) for row in rows if row.answerable is not None and row.answered is not None]
    )


def value_of(row: Row, measure: str) -> float | None:
    """What a row counts for in a mean: its value, 0 where the question failed before there was one, else None."""
    value = dict(row.values).get(measure)
    return 0.0 if value is None and measure in row.failed else value


def _mean(measure: str, rows: Sequence[Row]) -> Mean:
    counted = [(value, row) for row in rows if (value := value_of(row, measure)) is not None]
    values = np.array([value for value, _ in counted], np.float64)
    groups = [row.group or row.case for _, row in counted]
    interval = mean_interval(values, groups=groups, resamples=RESAMPLES)
    if len(values) and values.min() == values.max() and values[0] in (0.0, 1.0):
        # Values without spread leave a bootstrap nothing to draw: how many questions may be otherwise, a count tells.
        apart = len(set(groups))
        interval = count_interval(apart if values[0] else 0, apart)
    failed = sum(measure in row.failed for row in rows)
    left_out = [row for row in rows if value_of(row, measure) is None]
    moved = sum(bool(row.turnover) for row in left_out)
    return Mean(
        measure=measure,
        mean=float(values.mean()) if len(values) else None,
        low=None if interval is None else interval.low,
        high=None if interval is None else interval.high,
        n=len(values),
        failed=failed,
        undefined=len(left_out) - moved,
        turnover=moved,
    )

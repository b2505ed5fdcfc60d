"""What an evaluation says: a row per question first, and means that are derived from the rows and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evidex.evaluation.metrics.answered_table import AnsweredTable
from evidex.types import DocumentId, GenerationId


@dataclass(frozen=True, slots=True)
class Row:
    """What one question came to.

    `values` pairs measures and values, None where a measure is undefined for this question. `ranks` pairs each channel
    and stage with the rank of every fact in it, None where it is not there. `documents` are the first 100 of the final
    result, best first. `tokens` are those of the delivered context. `support` is what the generator found for its
    answer, None where it does not say; `said` is the answer or why there is none, "" where none was asked for, and
    `expected` what people wrote should be said. `error` is the sentence of a question that failed; its values are
    those of the stages before. `seconds` pairs stages and times; it alone may differ between two runs. `failed` names
    the measures that the error kept from being taken.
    """

    case: str
    question: str
    split: str
    category: str
    group: str
    answerable: bool | None
    answered: bool | None
    values: tuple[tuple[str, float | None], ...]
    ranks: tuple[tuple[str, tuple[int | None, ...]], ...]
    documents: tuple[DocumentId, ...]
    tokens: int | None
    support: float | None
    said: str = ""
    expected: str = ""
    turnover: tuple[str, ...] = ()
    error: str | None = None
    failed: tuple[str, ...] = ()
    seconds: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of a measure over the questions for which it is defined, with its 95% interval.

    The interval is the bootstrap's (BCa), over independent facts; where all values are 0, or all 1, that of Clopper and
    Pearson for the share of facts that are otherwise.

    A question that failed before the measure could be taken counts as 0 and is counted in `failed`; one for which it
    is undefined counts nowhere but in `undefined`, and one whose evidence is gone in `turnover`. `mean` is None when
    `n` is 0.
    """

    measure: str
    mean: float | None
    low: float | None
    high: float | None
    n: int
    failed: int
    undefined: int
    turnover: int


@dataclass(frozen=True, slots=True)
class Identity:
    """What a run was a run of. Two runs of equal identity have equal rows, times apart.

    `catalog` is the state of rights and versions asked under, `corpus` the digest of the documents in the generation.
    """

    generation: GenerationId
    corpus: str
    catalog: str
    settings: str
    golden: str
    split: str
    route: str
    measures: tuple[str, ...]
    evidex: str


@dataclass(frozen=True, slots=True)
class Report:
    """One run over one golden set: its identity, where it ran, the rows in the order of case ids, and what follows."""

    run: str
    identity: Identity
    name: str
    environment: Mapping[str, str]
    settings: Mapping[str, Any]
    rows: tuple[Row, ...]
    means: tuple[Mean, ...]
    slices: tuple[tuple[str, tuple[Mean, ...]], ...]
    table: AnsweredTable
    chunks: int

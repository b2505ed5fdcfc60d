"""Who was answered, and who should have been? Four counts, and what follows from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AnsweredTable:
    """Answerable against answered, in questions. Whether an answer is right is not asked here.

    A rate is None where its margin is empty: with no unanswerable question there is no rate of false answers.
    """

    answered_answerable: int
    abstained_answerable: int
    answered_unanswerable: int
    abstained_unanswerable: int

    @property
    def answerable(self) -> int:
        return self.answered_answerable + self.abstained_answerable

    @property
    def unanswerable(self) -> int:
        return self.answered_unanswerable + self.abstained_unanswerable

    @property
    def answered(self) -> int:
        return self.answered_answerable + self.answered_unanswerable

    @property
    def total(self) -> int:
        return self.answerable + self.unanswerable

    @property
    def false_answers(self) -> int:
        return self.answered_unanswerable

    @property
    def false_abstentions(self) -> int:
        return self.abstained_answerable

    @property
    def false_answer_rate(self) -> float | None:
        """False answers over unanswerable questions."""
        return _share(self.false_answers, self.unanswerable)

    @property
    def false_abstention_rate(self) -> float | None:
        """False abstentions over answerable questions."""
        return _share(self.false_abstentions, self.answerable)

    @property
    def accuracy(self) -> float | None:
        """Questions rightly answered or rightly not, over all."""
        return _share(self.answered_answerable + self.abstained_unanswerable, self.total)

    @property
    def coverage(self) -> float | None:
        """Answered questions over all, as in selective prediction (El-Yaniv and Wiener 2010)."""
        return _share(self.answered, self.total)

    @property
    def selective_risk(self) -> float | None:
        """False answers over answered questions: the risk of answering what has no answer, and of nothing else."""
        return _share(self.false_answers, self.answered)


def answered_table(cases: Iterable[tuple[bool, bool]]) -> AnsweredTable:
    """The table of pairs: whether a question is answerable, and whether it was answered."""
    counts = Counter((bool(answerable), bool(answered)) for answerable, answered in cases)
    return AnsweredTable(
        answered_answerable=counts[True, True],
        abstained_answerable=counts[True, False],
        answered_unanswerable=counts[False, True],
        abstained_unanswerable=counts[False, False],
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None

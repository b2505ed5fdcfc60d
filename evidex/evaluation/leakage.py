"""Has the test been seen before? What ties questions kept for the test to those that settings were chosen on.

A figure on a test split says how well a system does on questions that nobody had in mind when it was set up. It says
less where a synonym was written for a test question, or where a test question is one of the others in new words.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from evidex.evaluation.golden import GoldenSet
from evidex.types import Case

TUNING_SPLITS = frozenset({"dev", "train"})
"""The splits on which settings may be chosen; every other that a case names is kept for the test."""
NEAR = Fraction(8, 10)
"""The Jaccard similarity of two questions' terms from which they are near-duplicates."""

Kind: TypeAlias = Literal["synonym", "question", "group", "near-duplicate"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that ties a test to what was known before it: the cases, and a sentence."""

    kind: Kind
    ids: tuple[str, ...]
    sentence: str


def leakage(
    golden: GoldenSet,
    synonyms: Mapping[str, str],
    *,
    exercises: Callable[[str], frozenset[str]],
    terms: Callable[[str], Sequence[str]],
) -> tuple[Finding, ...]:
    """What leaks between the splits of a golden set: synonyms, then questions, groups and near-duplicates, by id.

    `exercises` names the phrases of `synonyms` that a text makes the search replace; `terms` gives the content terms
    of a text. A follow-up is taken with the turns before it. Cases without a split are compared with none.
    """
    cases = [case for case in golden.cases if case.split]
    return (
        *_synonyms(cases, synonyms, exercises),
        *_same_questions(cases),
        *_shared_groups(cases),
        *_near_duplicates(cases, terms),
    )


def _synonyms(
    cases: Sequence[Case], synonyms: Mapping[str, str], exercises: Callable[[str], frozenset[str]]
) -> Iterator[Finding]:
    fired: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        for phrase in exercises(_whole(case)):
            fired[phrase].append(case)
    for phrase in sorted(fired.keys() & synonyms.keys()):
        if not any(case.split in TUNING_SPLITS for case in fired[phrase]):
            yield Finding(
                "synonym",
                tuple(case.id for case in fired[phrase]),
                f"The synonym {phrase!r} for {synonyms[phrase]!r} occurs in questions of the test alone.",
            )


def _same_questions(cases: Sequence[Case]) -> Iterator[Finding]:
    for sharing, splits in _across_splits(cases, _normalised):
        sentence = f"The question {sharing[0].question!r} is asked in the splits {splits}."
        yield Finding("question", tuple(case.id for case in sharing), sentence)


def _shared_groups(cases: Sequence[Case]) -> Iterator[Finding]:
    for sharing, splits in _across_splits(cases, lambda case: case.group):
        sentence = f"The group {sharing[0].group!r} is in the splits {splits}."
        yield Finding("group", tuple(case.id for case in sharing), sentence)


def _across_splits(cases: Sequence[Case], key_of: Callable[[Case], str]) -> Iterator[tuple[list[Case], str]]:
    """The cases of several splits that share a key, and the names of the splits; an empty key is none."""
    sharing: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        sharing[key_of(case)].append(case)
    for key in sorted(sharing.keys() - {""}):
        splits = sorted({case.split for case in sharing[key]})
        if len(splits) > 1:
            yield sharing[key], f"{', '.join(splits[:-1])} and {splits[-1]}"


def _near_duplicates(cases: Sequence[Case], terms: Callable[[str], Sequence[str]]) -> Iterator[Finding]:
    """Pairs across splits that share most of their terms, but for those that are the same question.

    Two sets that are that much alike share one of their rarest few terms, so only pairs that do are compared: the
    prefix filter of Bayardo, Ma & Srikant, "Scaling up all pairs similarity search" (2007).
    """
    sets = [frozenset(terms(_whole(case))) for case in cases]
    frequency = Counter(term for found in sets for term in found)
    holders: dict[str, list[int]] = defaultdict(list)
    for at, (case, found) in enumerate(zip(cases, sets, strict=True)):
        rarest = sorted(found, key=lambda term: (frequency[term], term))
        prefix = rarest[: len(found) - math.ceil(NEAR * len(found)) + 1] if found else []
        for before in sorted({other for term in prefix for other in holders[term]}):
            other = cases[before]
            alike = len(found & sets[before]) >= NEAR * len(found | sets[before])
            if alike and case.split != other.split and _normalised(case) != _normalised(other):
                yield Finding(
                    "near-duplicate",
                    (other.id, case.id),
                    f"Cases {other.id!r} of {other.split!r} and {case.id!r} of {case.split!r} ask almost the same.",
                )
        for term in prefix:
            holders[term].append(at)


def _whole(case: Case) -> str:
    return "\n".join((*case.history, case.question))


def _normalised(case: Case) -> str:
    return " ".join(re.findall(r"\w+", unicodedata.normalize("NFKC", _whole(case)).casefold()))

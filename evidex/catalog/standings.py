"""Who may read which revision, and when is it in force? Told once for all revisions of which the same holds.

A million documents have few distinct readers and dates, so a question decides about those and not about documents.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Row, Text, cast, select

from evidex.catalog.schema import documents
from evidex.types import DocumentKey

R = TypeVar("R")
_DECIDING = ("tenant", "readers", "readers_now", "retired", "state")
_DECIDING_DATES = ("effective_from", "effective_to", "superseded_on", "began_on")
_KEYS_AT_ONCE = 500


@dataclass(frozen=True, slots=True, eq=False)
class Standings(Generic[R]):
    """Revision `keys[i]` is readable and in force as the record `examples[classes[i]]` is, which may be another's."""

    keys: tuple[DocumentKey, ...]
    classes: NDArray[np.int32]
    examples: tuple[R, ...]


def read_standings(connection: Connection, record: Callable[[Row[Any]], R]) -> Standings[R]:
    """The standings of every revision; `record` makes a record of a row."""
    # As text, so that rows are compared without being decoded.
    deciding = [cast(documents.c[name], Text) for name in (*_DECIDING, *_DECIDING_DATES)]
    rows = connection.execute(select(documents.c.key, *deciding)).all()
    numbers: defaultdict[tuple[Any, ...], int] = defaultdict()
    numbers.default_factory = numbers.__len__
    classes = np.fromiter((numbers[tuple(row[1:])] for row in rows), np.int32, len(rows))
    keys = tuple(DocumentKey(row[0]) for row in rows)
    firsts = [keys[first] for first in np.unique(classes, return_index=True)[1].tolist()]
    found = {
        row.key: record(row)
        for some in _batches(firsts)
        for row in connection.execute(select(documents).where(documents.c.key.in_(some)))
    }
    return Standings(keys, classes, tuple(found[key] for key in firsts))


def _batches(keys: Sequence[DocumentKey]) -> Iterator[Sequence[DocumentKey]]:
    return (keys[start : start + _KEYS_AT_ONCE] for start in range(0, len(keys), _KEYS_AT_ONCE))

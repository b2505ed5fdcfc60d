"""A parsing library that fails on hostile bytes costs one document, not the batch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from evidex.errors import EvidexError, ParseError


@contextmanager
def crashes_are_parse_errors(format: str) -> Iterator[None]:
    """Turn whatever a library raises inside, `RecursionError` included, into a `ParseError` that names it."""
    try:
        yield
    except EvidexError:
        raise
    except Exception as error:
        raise ParseError(
            f"The content broke the {format} parser: {type(error).__name__}: {error}.",
            "Check that the file is whole; if it is, read it as text by mapping its ending under sources.formats.",
        ) from error

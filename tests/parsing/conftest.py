"""What the tests of the parsers share."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evidex.types import Parsed
from tests.parsing.reading import read_with, span


@pytest.fixture
def read(request: pytest.FixtureRequest) -> Callable[..., Parsed]:
    """Reads with the parser that the test file is named after."""
    format = request.module.__name__.rpartition("test_")[2]
    return lambda content, first_line=1: read_with(format, content, first_line)


@pytest.fixture
def shown() -> Callable[[Parsed], list[tuple[str, str]]]:
    """Kinds and texts of the blocks."""

    def of(parsed: Parsed) -> list[tuple[str, str]]:
        return [(block.kind, span(parsed, block)) for block in parsed.blocks]

    return of

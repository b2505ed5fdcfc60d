"""Systems of which only some things may be asked: whatever else is asked of one fails the test."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from evidex.config import Settings
from evidex.judging import System


def system_with(**given: Any) -> System:
    def unexpected(*_: object) -> Any:
        raise AssertionError("this system was not expected to be asked that")

    facts: dict[str, Any] = {
        "generation": "g",
        "corpus": "c",
        "built_with": {},
        "settings": Settings(),
        "chunk_count": 5,
    }
    return System(**{field.name: given.get(field.name, facts.get(field.name, unexpected)) for field in fields(System)})

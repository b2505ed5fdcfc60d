"""Values as JSON: how every result, trace and report of evidex is written for other programs."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import fields, is_dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel


def as_json(value: Any) -> Any:
    """A value made of dataclasses, tuples, sets, mappings, dates and numbers as JSON types.

    Fields keep their names and order; sets are sorted; dates are ISO 8601.
    """
    match value:
        case None | bool() | int() | float() | str():
            return value
        case date():
            return value.isoformat()
        case Path():
            return value.as_posix()
        case BaseModel():
            return value.model_dump(mode="json")
        case Mapping():
            return {str(key): as_json(entry) for key, entry in value.items()}
        case Set():
            return sorted(as_json(entry) for entry in value)
        case list() | tuple():
            return [as_json(entry) for entry in value]
        case np.generic():
            return value.item()
    if is_dataclass(value):
        return {field.name: as_json(getattr(value, field.name)) for field in fields(value)}
    raise TypeError(f"{type(value).__name__} has no JSON form")

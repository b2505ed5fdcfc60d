"""One part of a generation: a folder of raw arrays, and `part.json` that tells their dtypes, shapes and some facts.

Arrays are little-endian in C order, one file each, and are opened by memory map: read-only and without a copy.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidex.index.damage import damaged
from evidex.index.strings import Strings
from evidex.storage import Folder, canonical_json

PART = "part.json"


class PartWriter:
    """Writes arrays one after another, so that only one has to be in memory; `finish` makes them a part."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._arrays: dict[str, dict[str, Any]] = {}

    def write(self, name: str, array: NDArray[Any]) -> None:
        """Write one array to `<name>.bin`."""
        self._folder.write_array(_file_name(name), array)
        self._arrays[name] = {"dtype": array.dtype.newbyteorder("<").str, "shape": list(array.shape)}

    def finish(self, facts: Mapping[str, Any]) -> None:
        """Write `part.json`, the last file of a part; `facts` are JSON values."""
        self._folder.write(PART, canonical_json({"arrays": self._arrays, "facts": dict(facts)}))


def write_part(folder: Folder, arrays: Mapping[str, NDArray[Any]], facts: Mapping[str, Any]) -> None:
    """Write a part whose arrays are all at hand."""
    writer = PartWriter(folder)
    for name in sorted(arrays):
        writer.write(name, arrays[name])
    writer.finish(facts)


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """The arrays of one part, by name, and its facts; `path` is its folder."""

    path: Path
    arrays: Mapping[str, NDArray[Any]]
    facts: Mapping[str, Any]

    def strings(self, name: str, *, width: int = 0) -> Strings:
        """The strings that were written with `Strings.arrays(name)`; `width` as `Strings.width` gave it then."""
        return Strings(self.arrays[name], self.arrays[f"{name}-offsets"], width, self.path / _file_name(name))


def open_part(path: Path) -> Part:
    """Open the part in `path`. Raises `GenerationError` naming the file that is missing or damaged."""
    try:
        described = json.loads((path / PART).read_bytes())
        arrays = {
            name: _open_array(path / _file_name(name), np.dtype(entry["dtype"]), tuple(entry["shape"]))
            for name, entry in described["arrays"].items()
        }
        return Part(path, arrays, described["facts"])
    except FileNotFoundError as error:
        raise damaged(Path(error.filename), "is missing") from None
    except (ValueError, KeyError, TypeError) as error:
        raise damaged(path / PART, f"cannot be read ({error})") from error


def _file_name(array: str) -> str:
    return f"{array}.bin"


def _open_array(path: Path, dtype: np.dtype[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    expected, found = prod(shape) * dtype.itemsize, path.stat().st_size
    if found != expected:
        raise damaged(path, f"has {found} bytes instead of {expected}")
    if not expected:  # an empty file cannot be mapped
        empty: NDArray[Any] = np.empty(shape, dtype)
        empty.flags.writeable = False
        return empty
    return np.asarray(np.memmap(path, dtype, "r", shape=shape))

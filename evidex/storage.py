"""How bytes reach the disk: written once, checksummed, and replaced only as a whole.

A `Folder` is the one way in which evidex writes files, so a test can make the n-th write fail
(`testing.full_disk.FailingFolder`) and see what survives.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


def digest(data: bytes) -> str:
    """The SHA-256 of `data`, 64 hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def digest_of(value: Any) -> str:
    """The SHA-256 of a JSON value, independent of the order of its keys."""
    return digest(canonical_json(value))


def canonical_json(value: Any) -> bytes:
    """JSON with sorted keys and no spare white space: equal values give equal bytes."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "surrogatepass")


def file_digest(path: Path) -> str:
    """The SHA-256 of a file's content, read in blocks."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


class Folder:
    """A directory whose files are written whole or not at all."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)

    def write(self, name: str, data: bytes) -> Path:
        """Write `data` to `name` through a temporary file, flush it to the disk, then move it into place."""
        target = self.path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = target.parent / f".writing-{secrets.token_hex(8)}"
        # The file is as private as the umask or the file in its place has it; one of `tempfile` would be 0600.
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o666
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            temporary.replace(target)
            _flush_directory(target.parent)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        return target

    def write_array(self, name: str, array: NDArray[Any]) -> Path:
        """Write an array as raw little-endian bytes in C order; its dtype and shape belong in the manifest."""
        contiguous = np.ascontiguousarray(array)
        return self.write(name, contiguous.astype(contiguous.dtype.newbyteorder("<"), copy=False).tobytes())

    def child(self, name: str) -> Folder:
        """The folder below this one, of the same kind."""
        return type(self)(self.path / name)

    def rename(self, name: str, to: str) -> Path:
        """Move a finished child into its final place in one step."""
        target = self.path / to
        (self.path / name).replace(target)
        _flush_directory(self.path)
        return target

    def remove(self, name: str) -> None:
        """Remove a child folder with everything in it; a missing one is no error."""
        shutil.rmtree(self.path / name, ignore_errors=True)


def _flush_directory(path: Path) -> None:
    """Make a move into `path` survive a loss of power, where the system lets directories be flushed."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def checksums(folder: Path) -> Mapping[str, str]:
    """The SHA-256 of every file below `folder`, by its path relative to it, sorted."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): file_digest(path) for path in files}

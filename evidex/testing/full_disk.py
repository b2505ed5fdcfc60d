"""Fault injection: a disk that is full at the n-th write, to see what survives."""

from __future__ import annotations

import errno
import os
from itertools import count
from pathlib import Path
from typing import Self

from evidex.storage import Folder


class FailingFolder(Folder):
    """A folder whose `fail_at`-th write (1 is the first) raises `OSError(ENOSPC)`; its children count along."""

    def __init__(self, path: Path, *, fail_at: int) -> None:
        super().__init__(path)
        self._fail_at = fail_at
        self._numbers = count(1)

    def write(self, name: str, data: bytes) -> Path:
        if next(self._numbers) == self._fail_at:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.path / name))
        return super().write(name, data)

    def child(self, name: str) -> Self:
        """The folder below this one; the writes to both are counted together."""
        folder = type(self)(self.path / name, fail_at=self._fail_at)
        folder._numbers = self._numbers
        return folder

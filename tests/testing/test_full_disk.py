from __future__ import annotations

import errno
from pathlib import Path

import numpy as np
import pytest

from evidex.testing.full_disk import FailingFolder


def test_the_nth_write_fails_as_on_a_full_disk_and_leaves_no_file(tmp_path: Path) -> None:
    folder = FailingFolder(tmp_path, fail_at=2)
    folder.write("one", b"1")
    with pytest.raises(OSError, match="No space left") as caught:
        folder.write_array("two", np.zeros(3))
    assert caught.value.errno == errno.ENOSPC
    folder.write("three", b"3")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "three"]


def test_children_count_along(tmp_path: Path) -> None:
    folder = FailingFolder(tmp_path, fail_at=3)
    folder.child("a").write("one", b"1")
    folder.write("two", b"2")
    with pytest.raises(OSError, match="No space left"):
        folder.child("b").child("c").write("three", b"3")
    folder.child("a").write("four", b"4")

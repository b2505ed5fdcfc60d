from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evidex.errors import GenerationError
from evidex.index.part import open_part, write_part
from evidex.index.strings import Strings
from evidex.storage import Folder


def test_arrays_come_back_with_their_dtype_and_shape_and_cannot_be_written(tmp_path: Path) -> None:
    numbers = np.arange(6, dtype=np.float32).reshape(3, 2)
    empty = np.empty((0, 4), np.int64)
    write_part(Folder(tmp_path), {"numbers": numbers, "empty": empty}, {"k": 1})
    part = open_part(tmp_path)
    assert part.facts == {"k": 1}
    assert part.arrays["numbers"].dtype == np.float32
    assert part.arrays["numbers"].tolist() == [[0, 1], [2, 3], [4, 5]]
    assert part.arrays["empty"].dtype == np.int64
    assert part.arrays["empty"].shape == (0, 4)
    assert not any(array.flags.writeable for array in part.arrays.values())


def test_arrays_of_the_other_byte_order_are_written_little_endian(tmp_path: Path) -> None:
    write_part(Folder(tmp_path), {"numbers": np.array([1, 258], ">i4")}, {})
    assert (tmp_path / "numbers.bin").read_bytes() == bytes([1, 0, 0, 0, 2, 1, 0, 0])
    assert open_part(tmp_path).arrays["numbers"].tolist() == [1, 258]


def test_strings_are_found_under_the_name_they_were_written_with(tmp_path: Path) -> None:
    write_part(Folder(tmp_path), Strings.of(["a", "", "ß"]).arrays("words"), {})
    assert list(open_part(tmp_path).strings("words")) == ["a", "", "ß"]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    write_part(Folder(tmp_path), {"numbers": np.arange(3)}, {})
    (tmp_path / "numbers.bin").unlink()
    with pytest.raises(GenerationError, match=r"numbers\.bin' is missing"):
        open_part(tmp_path)


def test_a_truncated_file_is_named(tmp_path: Path) -> None:
    write_part(Folder(tmp_path), {"numbers": np.arange(3, dtype=np.int64)}, {})
    (tmp_path / "numbers.bin").write_bytes(b"1234567")
    with pytest.raises(GenerationError, match=r"numbers\.bin' has 7 bytes instead of 24"):
        open_part(tmp_path)


@pytest.mark.parametrize("content", [b"{", b"[]", b"{}", b'{"arrays":{"a":{"dtype":"?!","shape":[1]}},"facts":{}}'])
def test_a_damaged_description_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "part.json").write_bytes(content)
    with pytest.raises(GenerationError, match=r"part\.json' cannot be read"):
        open_part(tmp_path)

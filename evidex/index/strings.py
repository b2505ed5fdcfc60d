"""Many strings in two arrays: one UTF-8 blob and the byte offsets at which they begin. Nothing is decoded unasked."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidex.index.damage import damaged


@dataclass(frozen=True, slots=True, eq=False)
class Strings:
    """Strings by position. `blob` is uint8; string i is `blob[offsets[i]:offsets[i + 1]]`."""

    blob: NDArray[np.uint8]
    offsets: NDArray[np.int64]
    width: int = 0
    """The length in bytes of every string, where all have the same one and none holds a zero byte; else 0."""
    file: Path = Path()
    """Where they were read from, for the error that names it."""

    @classmethod
    def of(cls, strings: Iterable[str]) -> Strings:
        """Encode strings. Lone surrogates, which broken sources do hold, survive the round trip."""
        encoded = [string.encode("utf-8", "surrogatepass") for string in strings]
        offsets = np.zeros(len(encoded) + 1, np.int64)
        np.cumsum([len(one) for one in encoded], dtype=np.int64, out=offsets[1:])
        widths = {len(one) for one in encoded}
        uniform = len(widths) == 1 and not any(b"\0" in one for one in encoded)
        return cls(np.frombuffer(b"".join(encoded), np.uint8), offsets, widths.pop() if uniform else 0)

    def arrays(self, name: str) -> dict[str, NDArray[Any]]:
        """The two arrays under the names by which `Part.strings(name)` finds them."""
        return {name: self.blob, f"{name}-offsets": self.offsets}

    def find(self, string: str) -> int:
        """The position of `string` in sorted strings, -1 if it is not among them."""
        return int(self.find_all([string])[0])

    def find_all(self, strings: Sequence[str]) -> NDArray[np.int64]:
        """The positions of `strings` in sorted strings, -1 for those that are not among them.

        UTF-8 keeps the order of code points, so sorted strings have sorted bytes and none has to be decoded.
        """
        wanted = [string.encode("utf-8", "surrogatepass") for string in strings]
        if self.width:
            return self._find_all_of_one_width(wanted)
        places = [bisect_left(range(len(self)), one, key=self._bytes) for one in wanted]
        found = (
            place if place < len(self) and self._bytes(place) == one else -1
            for place, one in zip(places, wanted, strict=True)
        )
        return np.fromiter(found, np.int64, len(wanted))

    def _find_all_of_one_width(self, wanted: Sequence[bytes]) -> NDArray[np.int64]:
        own = self.blob.view(f"S{self.width}")
        # One byte more than the own ones have, so that a longer string is not cut to the length of one that is here.
        asked = np.array([one if b"\0" not in one else b"" for one in wanted], f"S{self.width + 1}")
        places = np.searchsorted(own, asked)
        there = own[np.minimum(places, len(own) - 1)] == asked
        return np.where(there, places, -1).astype(np.int64)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, position: int) -> str:
        """One string. Raises `GenerationError` naming the file when its bytes are not as they were sealed."""
        try:
            return self._bytes(position).decode("utf-8", "surrogatepass")
        except UnicodeDecodeError as error:
            raise damaged(self.file, f"is not UTF-8 ({error})") from error

    def __iter__(self) -> Iterator[str]:
        return (self[position] for position in range(len(self)))

    def _bytes(self, position: int) -> bytes:
        return self.blob[self.offsets[position] : self.offsets[position + 1]].tobytes()

"""What do some of the stretches of a text say? Their bytes one after another, a newline between two."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evidex.analysis.kernels.cutting import PLAIN
from evidex.compiled import kernel

_NEWLINE = ord("\n")
_SMALL = 0x20  # set in small letters and digits, and not in capitals


@kernel
def gather(
    texts: NDArray[np.uint8],
    spans: NDArray[np.int64],
    kinds: NDArray[np.uint8],
    wanted: NDArray[np.int64],
    gathered: NDArray[np.uint8],
) -> None:
    """Write the stretches `wanted`, plain ones in small letters, to `gathered`, which has room for exactly these.

    Stretch n lies in `texts` at `spans[n]` and is of kind `kinds[n]`.
    """
    one, at = np.uint64(1), np.uint64(0)
    for place in range(wanted.size):
        if place > 0:
            gathered[at] = _NEWLINE
            at += one
        stretch = np.uint64(wanted[place])
        small = np.uint8(_SMALL if kinds[stretch] == PLAIN else 0)
        for source in range(np.uint64(spans[stretch, 0]), np.uint64(spans[stretch, 1])):
            gathered[at] = texts[source] | small
            at += one


def gather_in_numpy(
    texts: NDArray[np.uint8], spans: NDArray[np.int64], kinds: NDArray[np.uint8], wanted: NDArray[np.int64]
) -> NDArray[np.uint8]:
    """What `gather` writes."""
    stretches = [texts[start:stop].tobytes() for start, stop in spans[wanted].tolist()]
    plain = (kinds[wanted] == PLAIN).tolist()
    said = [stretch.lower() if small else stretch for stretch, small in zip(stretches, plain, strict=True)]
    return np.frombuffer(b"\n".join(said), np.uint8)

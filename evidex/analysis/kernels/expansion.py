"""Which terms does each text have, given the terms of each of its stretches?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evidex.analysis.kernels.lookup import END
from evidex.compiled import kernel


@kernel
def expand(
    found: NDArray[np.int32],
    starts: NDArray[np.int64],
    terms: NDArray[np.int32],
    numbers: NDArray[np.int32],
    lengths: NDArray[np.int64],
) -> None:
    """Write the terms of all stretches to `numbers`, one after another, and add how many each text has to `lengths`.

    `found` holds numbers of stretches, with `END` behind those of each text but perhaps the last; the terms of stretch
    n are `terms[starts[n] : starts[n + 1]]`. `numbers` has room for all terms.
    """
    one, written, text = np.uint64(1), np.uint64(0), np.uint64(0)
    for place in range(np.uint64(found.size)):
        if found[place] == END:
            text += one
            continue
        stretch = np.uint64(found[place])
        term, end = np.uint64(starts[stretch]), np.uint64(starts[stretch + one])
        lengths[text] += np.int64(end - term)
        while term < end:
            numbers[written] = terms[term]
            written += one
            term += one


def expand_in_numpy(
    found: NDArray[np.int32],
    starts: NDArray[np.int64],
    terms: NDArray[np.int32],
    numbers: NDArray[np.int32],
    lengths: NDArray[np.int64],
) -> None:
    """`expand`."""
    text = np.cumsum(found == END)[found != END]
    stretches = found[found != END]
    np.add.at(lengths, text, starts[stretches + 1] - starts[stretches])
    of_each = [terms[starts[stretch] : starts[stretch + 1]] for stretch in stretches]
    numbers[:] = np.concatenate([terms[:0], *of_each])

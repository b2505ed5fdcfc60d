"""Which terms does each text have, given the terms of each of its stretches?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evidex.compiled import kernel


@kernel
def expand(
    found: NDArray[np.int32],
    counts: NDArray[np.int64],
    starts: NDArray[np.int64],
    terms: NDArray[np.int32],
    numbers: NDArray[np.int32],
    lengths: NDArray[np.int64],
) -> None:
    """Write the terms of all stretches to `numbers`, one after another, and add how many each text has to `lengths`.

    `found` holds the stretches of all texts, `counts` how many each text has; the terms of stretch n are
    `terms[starts[n] : starts[n + 1]]`. `numbers` has room for all terms and one more, and `terms` holds one more than
    belongs to a stretch.
    """
    one, written, place = np.uint64(1), np.uint64(0), np.uint64(0)
    for text in range(np.uint64(counts.size)):
        before, end = written, place + np.uint64(counts[text])
        while place < end:
            stretch = np.uint64(found[place])
            term, last = np.uint64(starts[stretch]), np.uint64(starts[stretch + one])
            if last > term + one:
                while term < last:
                    numbers[written] = terms[term]
                    written += one
                    term += one
            else:  # none or one, which is close to random: a wrong guess costs more than a term too many
                numbers[written] = terms[term]
                written += last - term
            place += one
        lengths[text] += np.int64(written - before)


def expand_in_numpy(
    found: NDArray[np.int32],
    counts: NDArray[np.int64],
    starts: NDArray[np.int64],
    terms: NDArray[np.int32],
    numbers: NDArray[np.int32],
    lengths: NDArray[np.int64],
) -> None:
    """`expand`."""
    np.add.at(lengths, np.repeat(np.arange(len(counts)), counts), np.diff(starts)[found])
    numbers[:-1] = np.concatenate([terms[:0], *(terms[starts[stretch] : starts[stretch + 1]] for stretch in found)])

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evidex.analysis.kernels.cutting import MIXED, PLAIN, WORD
from evidex.analysis.kernels.gathering import gather, gather_in_numpy

STRETCHES = st.one_of(
    st.tuples(st.from_regex(r"[A-Za-z0-9]{1,12}", fullmatch=True), st.just(PLAIN)),
    st.tuples(st.from_regex(r"[A-Za-z0-9,.'_-]{1,12}", fullmatch=True), st.just(WORD)),
    st.tuples(st.text("Aé中+Z", min_size=1, max_size=9), st.just(MIXED)),
)


@given(st.lists(STRETCHES, min_size=1, max_size=8), st.data())
def test_it_says_the_wanted_stretches_with_plain_ones_in_small_letters(
    stretches: list[tuple[str, int]], data: st.DataObject
) -> None:
    encoded = [text.encode() for text, _ in stretches]
    stops = np.cumsum([len(text) + 1 for text in encoded]) - 1
    spans = np.stack([stops - [len(text) for text in encoded], stops], axis=1).astype(np.int64)
    texts, kinds = np.frombuffer(b" ".join(encoded), np.uint8), np.array([kind for _, kind in stretches], np.uint8)
    wanted = data.draw(st.lists(st.integers(0, len(stretches) - 1), min_size=1, max_size=9, unique=True))
    said = [stretches[one][0].lower() if stretches[one][1] == PLAIN else stretches[one][0] for one in wanted]
    expected = "\n".join(said).encode()

    gathered = np.zeros(len(expected), np.uint8)
    gather(texts, spans, kinds, np.array(wanted), gathered)

    assert gathered.tobytes() == expected
    assert gather_in_numpy(texts, spans, kinds, np.array(wanted)).tobytes() == expected

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evidex.analysis.kernels.expansion import expand, expand_in_numpy


@given(st.lists(st.lists(st.integers(0, 99), max_size=3), min_size=1, max_size=9), st.data())
def test_texts_have_the_terms_of_their_stretches(terms: list[list[int]], data: st.DataObject) -> None:
    texts = data.draw(st.lists(st.lists(st.integers(0, len(terms) - 1), max_size=9), max_size=5))
    found = np.array([stretch for text in texts for stretch in text], np.int32)
    counts = np.array([len(text) for text in texts], np.int64)
    starts = np.cumsum([0, *map(len, terms)])
    numbers = [term for text in texts for stretch in text for term in terms[stretch]]

    for way in (expand, expand_in_numpy):
        written, lengths = np.empty(len(numbers) + 1, np.int32), np.ones(len(texts), np.int64)
        way(
            found,
            counts,
            starts,
            np.array([*(number for own in terms for number in own), 7], np.int32),
            written,
            lengths,
        )

        assert written[:-1].tolist() == numbers
        assert lengths.tolist() == [1 + sum(len(terms[stretch]) for stretch in text) for text in texts]

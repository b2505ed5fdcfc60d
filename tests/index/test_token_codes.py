from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from evidex.errors import GenerationError, ProviderError
from evidex.index.token_codes import PASSAGE_STEPS, passage_codes, query_codes
from evidex.types import Vectors

vectors = arrays(np.float32, st.tuples(st.integers(1, 4), st.integers(1, 5)), elements=st.floats(-2, 2, width=32))


def test_a_code_is_the_share_of_the_greatest_component_in_steps() -> None:
    assert passage_codes(np.array([[1, -1 / 2, 0], [0.25, 0.25, 0.125]], np.float32), 0, 3).tolist() == [
        [127, -64, 0],  # 63.5 is rounded to the even neighbour
        [127, 127, 64],
    ]


@given(vectors, st.integers(-20, 20))
def test_a_power_of_two_of_a_vector_has_the_same_codes(rows: Vectors, power: int) -> None:
    rows = np.where(np.abs(rows) < 2**-20, np.float32(0), rows)
    scaled = np.ldexp(rows, power)
    assert passage_codes(rows, 0, rows.shape[1]).tolist() == passage_codes(scaled, 0, rows.shape[1]).tolist()
    assert query_codes(rows).tolist() == query_codes(scaled).tolist()


@pytest.mark.parametrize("width", [1, 384, 516, 517, 1024, 4096, 16909])
def test_no_dot_product_of_codes_leaves_int32(width: int) -> None:
    greatest = int(query_codes(np.ones((1, width), np.float32)).max())
    assert 1 <= greatest <= 2**15 - 1
    assert greatest * PASSAGE_STEPS * width < 2**31


def test_a_zero_vector_has_zero_codes() -> None:
    zero = np.zeros((2, 3), np.float32)
    assert passage_codes(zero, 0, 3).tolist() == query_codes(zero).tolist() == [[0, 0, 0]] * 2


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_a_value_that_is_not_finite_is_refused(value: float) -> None:
    rows = np.array([[1, value]], np.float32)
    with pytest.raises(GenerationError, match="row 7 hold a value that is not finite"):
        passage_codes(rows, 7, 2)
    with pytest.raises(ProviderError, match="query that holds a value that is not finite"):
        query_codes(rows)

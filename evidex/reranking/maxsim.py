"""How well does a passage answer a query, token by token? MaxSim (Khattab and Zaharia 2020, equation 3)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evidex.types import Vectors


def maxsim(query_tokens: Vectors, passage_tokens: Vectors) -> float:
    """Sum over the query's tokens of the greatest dot product with any token of the passage.

    Both are matrices of one row a token, of the same width; with unit rows each query token adds at most 1, so the
    sum grows with the length of the query and compares only within one query. 0 if either side has no token.
    Raises `ValueError` if the widths differ.
    """
    if not len(query_tokens) or not len(passage_tokens):
        return 0.0
    if query_tokens.shape[1] != passage_tokens.shape[1]:
        raise ValueError(
            f"query tokens are {query_tokens.shape[1]} wide and passage tokens {passage_tokens.shape[1]}; "
            "embed both with one model"
        )
    similarities: NDArray[np.float64] = query_tokens.astype(np.float64) @ passage_tokens.astype(np.float64).T
    return float(similarities.max(axis=1).sum())

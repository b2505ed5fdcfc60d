"""MaxSim as Khattab and Zaharia (2020) define it, equation 3: what sealed token vectors are held against."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evidex.types import Vectors


def maxsim(query_tokens: Vectors, passage_tokens: Vectors) -> float:
    """Sum over the query's tokens of the greatest dot product with any token of the passage.

    Both are matrices of one row a token, of the same width; 0 if either side has no token.
    """
    if not len(query_tokens) or not len(passage_tokens):
        return 0.0
    similarities: NDArray[np.float64] = query_tokens.astype(np.float64) @ passage_tokens.astype(np.float64).T
    return float(similarities.max(axis=1).sum())

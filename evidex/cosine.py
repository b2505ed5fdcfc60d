"""How alike are vectors? Cosines that do not depend on what else is compared."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evidex.types import Vectors


def cosines(one: Vectors, rows: Vectors) -> NDArray[np.float64]:
    """The cosine of one vector, shape (width,), with every row, shape (rows, width): in [0, 1], negative ones as 0.

    The zero vector is like nothing.
    """
    asked, given = one.astype(np.float64), rows.astype(np.float64)
    # Summed row by row: a product through a matrix library may round differently beside other rows.
    dots = np.einsum("ij,j->i", given, asked)
    norms = np.sqrt(np.einsum("ij,ij->i", given, given) * (asked**2).sum())
    found: NDArray[np.float64] = np.divide(dots, norms, out=np.zeros_like(dots), where=norms > 0)
    return found.clip(0, 1)

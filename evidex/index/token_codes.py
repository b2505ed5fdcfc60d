"""How is the vector of a token kept? As small integers that point the same way.

    code = round(steps * v / max |v|)

MaxSim takes the cosine of codes, so only directions matter: a vector fills the whole range whatever its length, and no
scale has to be kept beside it. Passages have `PASSAGE_STEPS`, one byte a component; a query, of which there is one, as
many as leave every dot product within int32.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evidex.errors import GenerationError, ProviderError
from evidex.types import Vectors

PASSAGE_STEPS = np.iinfo(np.int8).max


def passage_codes(vectors: Vectors, row: int, width: int) -> NDArray[np.int8]:
    """Codes of a chunk's token vectors, int8 of shape (tokens, width).

    Raises `GenerationError` naming the chunk's row for another width and for a value that is not finite.
    """
    if not len(vectors):
        return np.zeros((0, width), np.int8)
    if vectors.shape[1] != width:
        raise GenerationError(
            f"Token vectors of row {row} are {vectors.shape[1]} wide, not {width}.", "Use one embedder for all chunks."
        )
    if not np.isfinite(vectors).all():
        raise GenerationError(
            f"Token vectors of row {row} hold a value that is not finite.", "Check the embedder's token vectors."
        )
    codes: NDArray[np.int8] = _rounded(vectors, PASSAGE_STEPS).astype(np.int8)
    return codes


def query_codes(vectors: Vectors) -> NDArray[np.int16]:
    """Codes of a query's token vectors, int16 of the same shape. Raises `ProviderError` for a value not finite."""
    if not np.isfinite(vectors).all():
        raise ProviderError(
            "The embedder gave a token vector of the query that holds a value that is not finite.", "Check the model."
        )
    steps = min(np.iinfo(np.int16).max, np.iinfo(np.int32).max // (PASSAGE_STEPS * max(1, vectors.shape[1])))
    codes: NDArray[np.int16] = _rounded(vectors, steps).astype(np.int16)
    return codes


def _rounded(vectors: Vectors, steps: int) -> Vectors:
    greatest = np.abs(vectors).max(axis=1, initial=0, keepdims=True)
    relative = np.divide(vectors, greatest, out=np.zeros_like(vectors), where=greatest > 0)
    rounded: Vectors = np.rint(relative * np.float32(steps))
    return rounded

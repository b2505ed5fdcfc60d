"""maxsim-cpu: MaxSim in Rust over small matrix products, float32."""

from __future__ import annotations

import maxsim_cpu
import numpy as np
from numpy.typing import NDArray

from benchmarks.peers import Vectors


class Late:
    settings = "maxsim_scores on documents of equal length, float32, one thread (RAYON_NUM_THREADS)"

    def __init__(self, documents: Vectors) -> None:
        self._documents = np.ascontiguousarray(documents)

    def scores(self, query: Vectors) -> NDArray[np.float32]:
        scores: NDArray[np.float32] = maxsim_cpu.maxsim_scores(query, self._documents)
        return scores

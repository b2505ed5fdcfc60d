"""How are kernels compiled? Once a machine, and kept on its disk for every process that comes after.

The cache lies beside the source where that can be written, else in the user's cache folder (or where NUMBA_CACHE_DIR
says); where neither can be, each process compiles for itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeAlias, TypeVar

import numba

P = ParamSpec("P")
R = TypeVar("R")

Whole: TypeAlias = Any
"""A whole number inside a kernel. Of which type it is, Numba infers, and mypy cannot follow."""


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function of arrays and numbers. It lets other threads run, and checks no bounds.

    Results are those of the IEEE operations as written: nothing is reordered or contracted.
    """
    options: dict[str, Any] = {"nogil": True, "boundscheck": False, "error_model": "numpy"}
    try:
        compiled: Callable[P, R] = numba.njit(cache=True, **options)(function)
    except RuntimeError:  # no folder for the cache can be written
        compiled = numba.njit(**options)(function)
    return compiled

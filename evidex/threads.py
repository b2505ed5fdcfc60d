"""How many threads the matrix library may use: one for a question, whose products are too small to be shared out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import numpy  # noqa: F401  # the libraries that are loaded when the controller is made are the ones it knows
from threadpoolctl import ThreadpoolController


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Within it, or within a function that it decorates, BLAS runs on the caller's thread alone."""
    with _controller().limit(limits=1, user_api="blas"):
        yield

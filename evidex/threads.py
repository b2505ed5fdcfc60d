"""How many threads the matrix library may use: one for a question, whose products are too small to be shared out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import Lock

import numpy  # noqa: F401  # the libraries that are loaded when the controller is made are the ones it knows
from threadpoolctl import ThreadpoolController


class _Limit:
    """A limit on the whole process: the first in sets it, the last out lifts it, whoever leaves in between."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._inside = 0
        self._set = ExitStack()
        self._controller: ThreadpoolController | None = None

    @contextmanager
    def held(self) -> Iterator[None]:
        self._enter()
        try:
            yield
        finally:
            self._leave()

    def _enter(self) -> None:
        with self._lock:
            if not self._inside:
                self._controller = self._controller or ThreadpoolController()
                self._set.enter_context(self._controller.limit(limits=1, user_api="blas"))
            self._inside += 1

    def _leave(self) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                self._set.close()


one_blas_thread = _Limit().held
"""Within it, or within a function that it decorates, BLAS runs on the caller's thread alone, in every thread."""

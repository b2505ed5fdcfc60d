"""How many threads the matrix library may use: one for a question, whose products are too small to be shared out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Event, Lock, Thread

import numpy  # noqa: F401  # the libraries that are loaded when the controller is made are the ones it knows
from threadpoolctl import ThreadpoolController


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Within it, BLAS runs on the caller's thread alone.

    That holds for the whole process until everyone who is within has left; then BLAS has as many threads as before
    the first came. It does not hold for a BLAS on OpenMP, which counts threads for each thread by itself; the wheels
    of NumPy have none.
    """
    _LIMIT.enter()
    try:
        yield
    finally:
        _LIMIT.leave()


class _Limit:
    """Set by the first who enters, lifted by the last who leaves."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._inside = 0
        self._empty = Event()
        self._keeper = Thread()

    def enter(self) -> None:
        with self._lock:
            if not self._inside:
                is_set, self._empty = Event(), Event()
                self._keeper = Thread(target=_keep, args=(is_set, self._empty), daemon=True)
                self._keeper.start()
                is_set.wait()
            self._inside += 1

    def leave(self) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                self._empty.set()
                self._keeper.join()


def _keep(is_set: Event, let_go: Event) -> None:
    # The last to leave may be another thread than the first to enter, and only the thread that set a limit may lift it.
    try:
        with _controller().limit(limits=1, user_api="blas"):
            is_set.set()
            let_go.wait()
    finally:
        is_set.set()  # a limit that could not be set costs time and nothing else


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


_LIMIT = _Limit()

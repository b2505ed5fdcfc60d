"""One BLAS thread while anyone asks, and as many as before when nobody does."""

from __future__ import annotations

from threading import Event, Thread

import pytest
from threadpoolctl import ThreadpoolController, threadpool_info

from evidex.threads import one_blas_thread


def blas_threads() -> set[int]:
    """Of NumPy's and SciPy's BLAS; one on OpenMP, as faiss brings along, counts for each thread by itself."""
    blas = [library for library in threadpool_info() if library["user_api"] == "blas"]
    return {library["num_threads"] for library in blas if library.get("threading_layer") != "openmp"}


@pytest.fixture(autouse=True)
def before() -> set[int]:
    """What BLAS has outside; with one thread there is nothing to tell apart."""
    found = blas_threads()
    if max(found) == 1:
        pytest.skip("BLAS has one thread here")
    return found


def test_within_it_blas_has_one_thread_and_after_it_as_many_as_before(before: set[int]) -> None:
    with one_blas_thread():
        assert blas_threads() == {1}
    assert blas_threads() == before


def test_two_threads_that_overlap_leave_as_many_as_before(before: set[int]) -> None:
    """Enter one, enter the other, leave one, leave the other."""
    other_is_in, one_is_out = Event(), Event()
    seen: list[set[int]] = []

    @one_blas_thread()
    def other() -> None:
        other_is_in.set()
        assert one_is_out.wait(timeout=60)
        seen.append(blas_threads())

    thread = Thread(target=other)
    with one_blas_thread():
        thread.start()
        assert other_is_in.wait(timeout=60)
    seen.append(blas_threads())
    one_is_out.set()
    thread.join()

    assert seen == [{1}, {1}]
    assert blas_threads() == before


def test_it_may_be_entered_within_itself(before: set[int]) -> None:
    with one_blas_thread():
        with one_blas_thread():
            pass
        assert blas_threads() == {1}
    assert blas_threads() == before


def test_an_error_within_it_lifts_it(before: set[int]) -> None:
    with pytest.raises(LookupError), one_blas_thread():
        raise LookupError
    assert blas_threads() == before


def test_limits_that_others_set_afterwards_hold(before: set[int]) -> None:
    with one_blas_thread():
        pass
    with ThreadpoolController().limit(limits=1, user_api="blas"):
        assert blas_threads() == {1}
    assert blas_threads() == before

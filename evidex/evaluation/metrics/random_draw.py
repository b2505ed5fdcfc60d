"""What would be found by chance? A ceiling of recall says little where a random draw comes near it."""

from __future__ import annotations

from math import prod


def expected_recall(n: int, k: int) -> float | None:
    """The mean R@k of `k` items drawn from `n` without replacement: k/n, however many are relevant.

    1 when k ≥ n; None when there are none to draw from. Raises `ValueError` for a negative number.
    """
    _check(n=n, k=k)
    return min(k, n) / n if n else None


def expected_success(relevant: int, n: int, k: int) -> float:
    """The chance that `k` of `n` items drawn without replacement hold one of the `relevant` ones.

    1 - C(n - relevant, k) / C(n, k), of the hypergeometric distribution; 0 when nothing is relevant, for then there is
    nothing to find. Raises `ValueError` for a negative number, and for more relevant items than there are.
    """
    _check(relevant=relevant, n=n, k=k)
    if relevant > n:
        raise ValueError(f"{relevant} items are relevant and there are only {n}")
    # C(n - r, k) / C(n, k) is symmetric in r and k, so the shorter product serves.
    fewer, more = sorted((relevant, min(k, n)))
    return 1 - prod(max(0, n - more - drawn) / (n - drawn) for drawn in range(fewer))


def _check(**counts: int) -> None:
    for name, count in counts.items():
        if count < 0:
            raise ValueError(f"{name} is {count}; it cannot be negative")

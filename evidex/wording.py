"""How is a number written for a person? Once, so that terminal, page and picture say it alike."""

from __future__ import annotations


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun: `1 question`, `1,204 questions`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def percent(share: float) -> str:
    """A share in words: whole per cent, but never 0% or 100% of what is not none or all."""
    if 0 < share < 0.01:
        return "<1%"
    if 0.99 < share < 1:
        return ">99%"
    return f"{share:.0%}"


def figure(value: float | None) -> str:
    """A measure to four digits; a dash for what is not defined."""
    return "–" if value is None else f"{value:.4f}"


def difference(value: float | None) -> str:
    """A difference of measures, with its sign."""
    return "–" if value is None else f"{value:+.4f}".replace("-", "−")


def interval(low: float | None, high: float | None) -> str:
    """An interval of a measure; nothing where there is none."""
    return "" if low is None or high is None else f"{low:.3f} – {high:.3f}"


def with_interval(value: float | None, low: float | None, high: float | None) -> str:
    """A measure with its interval, where it has one."""
    return f"{figure(value)} ({interval(low, high)})" if low is not None else figure(value)

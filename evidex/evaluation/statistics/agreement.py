"""How far do assessors agree beyond what chance would make them?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence


def cohen_kappa(one: Sequence[Hashable], other: Sequence[Hashable]) -> float | None:
    """Cohen's kappa (1960) of two assessors over the same items: (observed − expected) / (1 − expected) agreement.

    None without items, and where both give one and the same label throughout, so that chance alone explains it.
    """
    pairs = list(zip(one, other, strict=True))
    if not pairs:
        return None
    ours, theirs = Counter(one), Counter(other)
    observed = sum(a == b for a, b in pairs) / len(pairs)
    expected = sum(ours[label] * theirs[label] for label in ours) / len(pairs) ** 2
    return (observed - expected) / (1 - expected) if expected < 1 else None


def krippendorff_alpha(items: Sequence[Sequence[Hashable]]) -> float | None:
    """Krippendorff's alpha for nominal labels: 1 − observed / expected disagreement; any number of labels an item.

    Items with fewer than two labels say nothing and are left out. None where no two labels of all could differ.
    """
    counted = [Counter(labels) for labels in items if len(labels) > 1]
    whole = sum(counted, Counter())
    n = whole.total()
    expected = n * n - sum(count * count for count in whole.values())
    if not expected:
        return None
    observed = sum(
        (labels.total() ** 2 - sum(count * count for count in labels.values())) / (labels.total() - 1)
        for labels in counted
    )
    return 1 - (n - 1) * observed / expected

"""Do the tests and intervals of evaluation keep their promises? Simulated where the truth is known.

    python -m benchmarks significance

Type I error: how often two systems that do not differ are told apart at the level of .05, for differences as metrics
have them. Coverage: how often the 95% interval holds the true mean. Both over 2,000 trials of 50 questions; a count
that far from the truth has a standard error of .005.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from evidex.evaluation.statistics.bootstrap import mean_interval
from evidex.evaluation.statistics.randomisation import randomisation_p

Draw = Callable[[np.random.Generator, int], NDArray[np.float64]]

DIFFERENCES: Mapping[str, Draw] = {
    "normal": lambda generator, n: generator.normal(size=n),
    "reciprocal ranks": lambda generator, n: 1 / generator.integers(1, 11, n) - 1 / generator.integers(1, 11, n),
    "nDCG, half of them tied": lambda generator, n: (
        (generator.beta(5, 2, n) - generator.beta(5, 2, n)) * generator.integers(0, 2, n)
    ),
    "success, a third differ": lambda generator, n: generator.choice([-1.0, 0, 0, 0, 0, 1], n),
}
VALUES: Mapping[str, tuple[Draw, float]] = {
    "normal": (lambda generator, n: generator.normal(size=n), 0.0),
    "nDCG": (lambda generator, n: generator.beta(5, 2, n), 5 / 7),
    "precision": (lambda generator, n: generator.beta(2, 5, n), 2 / 7),
    "reciprocal ranks": (lambda generator, n: 1 / generator.integers(1, 11, n), float(np.mean(1 / np.arange(1, 11)))),
    "differences of nDCG": (DIFFERENCES["nDCG, half of them tied"], 0.0),
}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--trials", type=int, default=2_000)
    options.add_argument("--questions", type=int, default=50)
    options.add_argument("--draws", type=int, default=10_000, help="of signs, and of resamples")
    asked = options.parse_args()
    console = Console(width=100)
    table = Table("differences", "p ≤ .05", title="type I error of the paired randomisation test; right: .04 – .06")
    for name, draw in DIFFERENCES.items():
        table.add_row(name, f"{_type_one(draw, asked):.4f}")
    console.print(table)
    table = Table("values", "coverage", title="coverage of the 95% BCa interval of a mean; right: .93 – .97")
    for name, (draw, mean) in VALUES.items():
        table.add_row(name, f"{_coverage(draw, mean, asked):.4f}")
    console.print(table)


def _type_one(draw: Draw, asked: argparse.Namespace) -> float:
    generator = np.random.default_rng(1)
    rejected = sum(
        randomisation_p(draw(generator, asked.questions), draws=asked.draws, seed=trial) <= 0.05
        for trial in range(asked.trials)
    )
    return float(rejected / asked.trials)


def _coverage(draw: Draw, mean: float, asked: argparse.Namespace) -> float:
    generator = np.random.default_rng(2)
    held = 0
    for trial in range(asked.trials):
        interval = mean_interval(draw(generator, asked.questions), resamples=asked.draws, seed=trial)
        held += interval is not None and interval.holds(mean)
    return float(held / asked.trials)


if __name__ == "__main__":
    main()

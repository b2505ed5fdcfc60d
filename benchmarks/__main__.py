"""Run a benchmark under the conditions that its figures are meant for.

    python -m benchmarks bm25 --size 100000

Starts `python -m benchmarks.<name>` with one thread for every library that asks the environment how many to take,
and without OPENBLAS_CORETYPE and OPENBLAS_L2_SIZE: where they are set to help older versions of OpenBLAS, they make
today's take kernels that do not fit the processor. Nothing else is changed, and no other command is affected.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

UNSET = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
ONE_THREAD = (
    *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "RAYON_NUM_THREADS"),
    *("TOKIO_WORKER_THREADS", "LANCE_CPU_THREADS"),
)


def main() -> None:
    folder = Path(__file__).parent
    names = sorted(path.stem for path in folder.glob("*.py") if '__name__ == "__main__"' in path.read_text("utf-8"))
    if len(sys.argv) < 2 or sys.argv[1] not in names:
        sys.exit(f"Which benchmark? One of: {', '.join(name for name in names if name != '__main__')}.")
    kept = {name: value for name, value in os.environ.items() if name not in UNSET}
    environment = {**kept, **dict.fromkeys(ONE_THREAD, "1")}
    os.chdir(folder.parent)
    os.execve(sys.executable, [sys.executable, "-m", f"benchmarks.{sys.argv[1]}", *sys.argv[2:]], environment)


if __name__ == "__main__":
    main()

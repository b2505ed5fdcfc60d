"""What does it cost to build an index? Every build has a process of its own, so that its peak of memory is its own.

Counted is the processor time of all threads from the first text read to the last file written, the peak of resident
memory of the process, and the bytes of its files. Before, the process builds from a hundred passages: starting a Java
runtime, loading libraries and compiling are not counted. An engine that takes a stream of texts is given one.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

from benchmarks.corpus import read_texts
from benchmarks.peers import keyword_engine

WARM_UP = 100


@dataclass(frozen=True, slots=True)
class Built:
    """The cost of one build."""

    seconds: float
    peak_bytes: int
    disk_bytes: int


def build_keyword(engine: str, texts: Path, folder: Path) -> Built:
    """Build in a new process, into an empty folder; what engines print goes to a file beside it.

    Raises what the build raises, and `BrokenProcessPool` for one that crashes.
    """
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(_build, engine, texts, folder).result()


def _build(engine: str, texts: Path, folder: Path) -> Built:
    made, rehearsal = keyword_engine(engine), folder.with_suffix(".rehearsal")
    _empty(folder)
    _empty(rehearsal)
    _print_into(folder.with_suffix(".log"))
    made.build(rehearsal, islice(read_texts(texts), WARM_UP))
    shutil.rmtree(rehearsal)
    started = time.process_time()
    made.build(folder, read_texts(texts))
    seconds = time.process_time() - started
    return Built(seconds, _peak_bytes(), disk_bytes(folder))


def disk_bytes(folder: Path) -> int:
    """The sizes of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _empty(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)


def _print_into(path: Path) -> None:
    with path.open("wb") as stream:
        for standard in (sys.stdout, sys.stderr):
            standard.flush()
            os.dup2(stream.fileno(), standard.fileno())


def _peak_bytes() -> int:
    # Not getrusage's: that one remembers how large the process was before it became this program.
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))

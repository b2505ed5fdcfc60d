"""What does a build cost when one document in a hundred has changed? Time and texts embedded, against a full build.

    python -m benchmarks incremental --documents 1000

The first documents of SciFact are ingested and built with MiniLM in a fresh workspace; then every hundredth gets
another first sentence and is ingested and built again. Last, the changed documents are built from nothing in a second
workspace, whose generation has to have the same id and the same bytes.
"""

from __future__ import annotations

import argparse
import json
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import evidex
from benchmarks.corpus import BUILD, COLLECTIONS
from benchmarks.rotation import Report
from evidex.storage import checksums
from evidex.workspace import Workspace

SETTINGS = '[embedding]\nprovider = "{provider}"\nthreads = 1\n[reranking]\nmethod = "features"\n'


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--provider", default="minilm", choices=("minilm", "lsa", "none"))
    asked = parser.parse_args()
    report = Report(f"incremental-{asked.provider}-{asked.documents}", "A build after 1% of the documents changed")
    folder = BUILD / "incremental"
    shutil.rmtree(folder, ignore_errors=True)
    before, after = folder / "before.jsonl", folder / "after.jsonl"
    folder.mkdir(parents=True)
    _write(before, asked.documents, changed=False)
    _write(after, asked.documents, changed=True)

    first, second = (_workspace(folder / name, asked.provider) for name in ("first", "second"))
    full, embedded = _built(first, before)
    again, embedded_again = _built(first, after)
    scratch, _ = _built(second, after)
    same = _bytes(first) == _bytes(second)
    for what, seconds, texts in (("full build", full, embedded), ("1% changed", again, embedded_again)):
        report.figures.append({"build": what, "CPU-seconds": seconds, "texts embedded": texts})
    report.figures.append(
        {
            "share of a full build": "1% changed",
            "time": again / full,
            "texts embedded": embedded_again / max(1, embedded),
            "same bytes as from nothing": same,
            "from nothing, CPU-seconds": scratch,
        }
    )
    report.finish()


def _workspace(folder: Path, provider: str) -> Workspace:
    folder.mkdir()
    (folder / "evidex.toml").write_text(SETTINGS.format(provider=provider), "utf-8")
    return evidex.open(folder)


def _write(file: Path, count: int, *, changed: bool) -> None:
    lines = (COLLECTIONS / "scifact" / "corpus.jsonl").read_text("utf-8").splitlines()[:count]
    file.write_text("".join(f"{line}\n" for line in map(_changer(changed), _numbered(lines))), "utf-8")


def _numbered(lines: list[str]) -> Iterator[tuple[int, dict[str, str]]]:
    return enumerate(json.loads(line) for line in lines)


def _changer(changed: bool) -> Callable[[tuple[int, dict[str, str]]], str]:
    def written(numbered: tuple[int, dict[str, str]]) -> str:
        number, document = numbered
        opening = "This abstract was corrected. " if changed and number % 100 == 0 else ""
        return json.dumps({"id": document["_id"], "title": document["title"], "text": opening + document["text"]})

    return written


def _built(workspace: Workspace, file: Path) -> tuple[float, int]:
    """Processor seconds of taking the file in and building, and how many texts were embedded."""
    started = time.process_time()
    source = file.with_name(f"{workspace.root.name}.jsonl")
    shutil.copyfile(file, source)
    workspace.ingest(source, sync=True)
    built = workspace.build()
    workspace.publish(built.id)
    return time.process_time() - started, built.embedded


def _bytes(workspace: Workspace) -> dict[str, str]:
    live = next(row.id for row in workspace.generations() if "live" in row.aliases)
    return dict(checksums(workspace.root / ".evidex" / "generations" / live))


if __name__ == "__main__":
    main()

"""Where should long documents be cut? How many answers one chunk holds whole, and what a prompt's tokens buy.

    python -m benchmarks.cutting

SQuAD's articles, each as one long text, and 2,910 questions whose answer is a span of it; keyword search alone, so that
nothing but the cuts differs. `whole` is the share of answers that some chunk holds whole. `R@5 per 100 tokens` is, for
each question, whether the first five chunks hold the answer, divided by their tokens in hundreds; it is compared with
fixed windows, question by question, paragraphs drawn together. Collections lie in $EVIDEX_SHARED (default: ../shared).
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

from rich.console import Console
from rich.table import Table

import evidex
from benchmarks.judged_collections import COLLECTIONS
from evidex.analysis.budget import count_tokens
from evidex.evaluation.golden import GoldenSet
from evidex.evaluation.observed import Observed
from evidex.evaluation.resolve import resolve
from evidex.evaluation.statistics.verdict import compare
from evidex.judging import System
from evidex.types import Case, DocumentId, Evidence

K = 5
WORDS = 120
CUTS = ("windows, no overlap", "windows, overlap 24", "sentences", "headings")
SETTINGS = """\
[access]
mode = "open"
[chunking]
strategy = "{strategy}"
max_words = {words}
overlap_words = {overlap}
[embedding]
provider = "none"
[understanding]
max_variants = 1
[reranking]
method = "keep_order"
"""


def main() -> None:
    articles, golden = _articles()
    console = Console(width=110)
    table = Table("cut at 120 words", "chunks", "whole", "R@5", "tokens of 5", "R@5 per 100 tokens", "against windows")
    bought: dict[str, list[float]] = {}
    groups = [case.group for case in golden.cases]
    for cut in CUTS:
        strategy, _, how = cut.partition(", ")
        overlap = 24 if how == "overlap 24" else 0
        with tempfile.TemporaryDirectory() as folder:
            kb = Path(folder)
            (kb / "evidex.toml").write_text(SETTINGS.format(strategy=strategy, words=WORDS, overlap=overlap), "utf-8")
            (kb / "docs").mkdir()
            rows = (json.dumps({"id": name, "text": text}) + "\n" for name, text in articles.items())
            (kb / "docs" / "articles.jsonl").write_text("".join(rows), "utf-8")
            with evidex.open(kb) as workspace:
                workspace.ingest(kb / "docs")
                workspace.publish(workspace.build().id)
                system = workspace.system()
                whole, found, tokens = zip(*(_measured(case, system) for case in golden.cases), strict=True)
        bought[cut] = [one / (spent / 100) if spent else 0.0 for one, spent in zip(found, tokens, strict=True)]
        verdict = compare(bought[CUTS[0]], bought[cut], margin=0.01, groups=groups)
        told = "" if cut == CUTS[0] else f"{verdict.verdict} ({verdict.difference or 0:+.4f})"
        console.print(f"{cut}: done")
        table.add_row(
            cut,
            str(system.chunk_count),
            f"{fmean(whole):.4f}",
            f"{fmean(found):.4f}",
            f"{fmean(tokens):.0f}",
            f"{fmean(bought[cut]):.4f}",
            told,
        )
    console.print(table)


def _measured(case: Case, system: System) -> tuple[float, float, int]:
    """Whether a chunk holds the answer whole, whether one of the first five does, and their tokens."""
    resolved = resolve(case, system)
    observed = Observed(resolved, system.search(case), system)
    first = observed.ranking("final", "chunk", K)
    tokens = sum(count_tokens(chunk.indexed_text) for chunk in system.chunks(observed.stages["final"][:K]))
    (fact,) = resolved.facts
    return float(fact.whole), float(fact.whole and not set(fact.chunks).isdisjoint(first)), tokens


def _articles() -> tuple[dict[str, str], GoldenSet]:
    """Each article as one text, its paragraphs in order, and the questions with their answers' places in it."""
    folder = COLLECTIONS / "squad2_dev_half"
    texts: dict[str, str] = {}
    starts: dict[str, tuple[str, int]] = {}
    for row in _rows(folder / "corpus.jsonl"):
        before = texts.get(row["title"], "")
        starts[row["_id"]] = (row["title"], len(before))
        texts[row["title"]] = f"{before}{row['text'].strip()}\n\n"
    cases = []
    for row in _rows(folder / "qa.jsonl"):
        if row["answerable"]:
            title, start = starts[row["gold_passage"]]
            at = start + row["answer_starts"][0]
            end = at + len(row["answers"][0])
            case = Case(row["_id"], row["question"], (Evidence(DocumentId(_id(title)), span=(at, end)),), True)
            cases.append(replace(case, group=row["gold_passage"]))
    return {_id(title): text for title, text in texts.items()}, GoldenSet("squad", tuple(cases))


def _id(title: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in title)


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines)


if __name__ == "__main__":
    main()

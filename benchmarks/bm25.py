"""BM25 against its peers: speed of single queries, and what a build costs from text to searchable.

    python -m benchmarks bm25 --size 1000000

All engines index the same passages, each with its own tokeniser, which makes the same tokens of them; every one is
built in a process of its own and opened from its files in this one. Then they take turns at 500 keyword and 500 natural
queries for k = 10, 100 and 1000. The last column says how many of evidex's ten best a peer returns too: tantivy and
Lucene keep lengths in one byte, and ties may fall otherwise.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from itertools import product
from pathlib import Path
from statistics import fmean, median
from typing import Any

from benchmarks.building import Built, build_keyword
from benchmarks.corpus import BUILD, REAL, Corpus, generated, real
from benchmarks.peers import KEYWORD, KeywordEngine, KeywordSearch, keyword_engine
from benchmarks.rotation import OURS, ROUNDS, Report, Round

OURS_FROM_TEXT = "evidex, text to hits"
DEPTHS = (10, 100, 1000)
MEGABYTE = 1e6


def main() -> None:
    asked = _arguments()
    corpus = real(asked.collection) if asked.collection else generated(asked.size)
    name = asked.collection or asked.size
    report = Report(f"bm25-{name}", f"BM25, {corpus.name}, single calls")
    builds = _build(report, corpus, BUILD / "indexes" / str(name), asked.engines, asked.builds)
    searches = _open(report, BUILD / "indexes" / str(name), list(builds))
    _search(report, corpus, searches, asked.rounds)
    report.finish()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="BM25 against its peers.")
    parser.add_argument("--size", type=int, default=100_000, help="generated passages")
    parser.add_argument("--collection", choices=REAL, help="real passages in place of generated ones")
    parser.add_argument("--engines", nargs="+", default=KEYWORD, choices=KEYWORD, help="which ones; evidex comes along")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="rounds of queries")
    parser.add_argument("--builds", type=int, default=ROUNDS, help="builds of each engine; the median is shown")
    asked = parser.parse_args()
    asked.engines = [OURS, *(engine for engine in asked.engines if engine != OURS)]
    return asked


def _build(report: Report, corpus: Corpus, folder: Path, engines: Sequence[str], rounds: int) -> dict[str, list[Built]]:
    builds: dict[str, list[Built]] = {}
    for _, engine in product(range(rounds), engines):
        if engine not in report.missing:
            built = report.attempt(engine, partial(build_keyword, engine, corpus.path, folder / engine))
            builds.setdefault(engine, []).append(built)
    done = {engine: costs for engine, costs in builds.items() if engine not in report.missing}
    for engine, costs in done.items():
        seconds = median(cost.seconds for cost in costs)
        figure = {"build": "text to searchable", "engine": engine, "CPU-seconds": seconds}
        if OURS in done:
            figure["× evidex is faster"] = median(
                theirs.seconds / ours.seconds for theirs, ours in zip(costs, done[OURS], strict=True)
            )
        figure["peak MB"] = max(cost.peak_bytes for cost in costs) / MEGABYTE
        figure["MB on disk"] = costs[-1].disk_bytes / MEGABYTE
        report.figures.append(figure)
    return done


def _open(report: Report, folder: Path, engines: Sequence[str]) -> dict[str, KeywordSearch]:
    searches: dict[str, KeywordSearch] = {}
    for name in engines:
        opened = report.attempt(name, partial(_opened, name, folder / name))
        if opened is None:
            continue
        engine, searches[name] = opened
        report.settings[name] = engine.settings
        if name == OURS:
            from benchmarks.peers.evidex import TextSearch

            searches[OURS_FROM_TEXT] = TextSearch(opened[1])
            report.settings[OURS_FROM_TEXT] = TextSearch.settings
    return searches


def _opened(name: str, folder: Path) -> tuple[KeywordEngine, KeywordSearch]:
    engine = keyword_engine(name)
    return engine, engine.open(folder)


def _search(report: Report, corpus: Corpus, searches: dict[str, KeywordSearch], rounds: int) -> None:
    for kind, texts in corpus.queries.items():
        queries = {name: [search.prepared(text) for text in texts] for name, search in searches.items()}
        for k in DEPTHS:
            runners = {name: _runner(search, queries[name], k) for name, search in searches.items()}
            report.race(f"{kind} k={k}", len(texts), runners, rounds)
        best = {name: _best(searches[name], queries[name]) for name in searches if name not in report.missing}
        for name, rows in best.items():
            if OURS in best and name != OURS:
                figure = {"agreement": "share of evidex's best ten", "engine": name, "queries": kind}
                report.figures.append({**figure, "share": _shared(best[OURS], rows)})


def _runner(search: KeywordSearch, queries: Sequence[Any], k: int) -> Round:
    def run() -> None:
        for query in queries:
            search.search(query, k)

    return run


def _best(search: KeywordSearch, queries: Sequence[Any]) -> list[set[int]]:
    return [set(search.rows(search.search(query, 10))) for query in queries]


def _shared(ours: list[set[int]], theirs: list[set[int]]) -> float:
    return fmean(len(mine & others) / len(mine) if mine else 1.0 for mine, others in zip(ours, theirs, strict=True))


if __name__ == "__main__":
    main()

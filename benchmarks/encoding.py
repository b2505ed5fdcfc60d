"""How fast do passages become MiniLM vectors beside onnxruntime as it is mostly called, and what does int8 cost?

    python -m benchmarks encoding

All engines run the same file of weights on the same passages of SQuAD and ClapNQ: whole, and cut to 16 … 200 tokens
(a uniform draw), as chunks of pages under headings are. The peer does what tutorials do: batches of 32 in the order of
the passages, padded to the longest of each batch, on one thread and with onnxruntime's default of one a core.

Rounding is judged by retrieval, exact and by cosine, on all judged dev queries: nDCG@10 of both precisions, the
difference with a 95% interval (1.96 standard errors over queries), and the share of float32's ten best that int8 finds.
The gate for int8 is that the interval stays above -0.01 on every collection.

Passages and queries come from BEIR folders below $EVIDEX_SHARED/data/collections (default: ../shared). Vectors for the
retrieval part are kept in build/bench/encoding.db, so a second run takes a few minutes less.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import ir_measures
import numpy as np
import onnxruntime
from ir_measures import nDCG
from tokenizers import Tokenizer

from benchmarks.corpus import BUILD, COLLECTIONS
from benchmarks.rotation import OURS, Report
from evidex.config import EmbeddingSettings
from evidex.embedding.cached import CachedEmbedder
from evidex.embedding.minilm import MAX_TOKENS, PINNED, REVISION, make
from evidex.embedding.packaged import pinned_file
from evidex.embedding.unit import unit_rows
from evidex.ports import Embedder
from evidex.sources.beir import CORPUS, read_qrels, read_queries
from evidex.types import Vectors

INT8 = "evidex, int8"
NAIVE = "onnxruntime, padded"
NAIVE_THREADS = "onnxruntime, padded, default threads"
BATCH = 32
SHORTEST, LONGEST = 16, 200
SEED = 384
DEV = ("squad2_dev_half", "clapnq_dev")
TOLERANCE = 0.01


def main() -> None:
    parser = argparse.ArgumentParser(description="Speed and faithfulness of MiniLM.")
    parser.add_argument("--passages", type=int, default=2 * BATCH, help="passages of each length distribution")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--collections", nargs="*", default=DEV, help="where retrieval is compared")
    asked = parser.parse_args()
    report = Report("encoding", "MiniLM", unit="passages per CPU-second")
    plain, rounded = (make(_settings(precision), Path()) for precision in ("float32", "int8"))
    naive = {NAIVE: NaiveEncoder(threads=1), NAIVE_THREADS: NaiveEncoder(threads=0)}
    for task, texts in _passages(asked.passages).items():
        runners: dict[str, Callable[[], Any]] = {
            OURS: partial(plain.embed, texts, role="passage"),
            INT8: partial(rounded.embed, texts, role="passage"),
            **{name: partial(peer.embed, texts) for name, peer in naive.items()},
        }
        report.race(task, len(texts), runners, rounds=asked.rounds)
        report.figures.append(_ratios(report, task))
        reference = plain.embed(texts, role="passage").vectors
        for name, found in (
            (NAIVE, naive[NAIVE].embed(texts)),
            (INT8, rounded.embed(texts, role="passage").vectors),
        ):
            cosines = np.einsum("ij,ij->i", reference.astype(np.float64), found)
            report.figures.append(
                {"figure": "cosine to evidex", "of": name, "task": task, "least": cosines.min(), "mean": cosines.mean()}
            )
    for collection in asked.collections:
        report.figures.append(_retrieval(collection, plain, rounded))
    report.settings = {NAIVE: f"batches of {BATCH}, padded to the longest of each, in the order of the passages"}
    report.finish()


def _settings(precision: str) -> EmbeddingSettings:
    return EmbeddingSettings.model_validate({"precision": precision, "threads": 1})


class NaiveEncoder:
    """Batches padded to their longest text, mean pooling over the mask: the usual recipe."""

    def __init__(self, *, threads: int) -> None:
        files = {name: pinned_file(REVISION, file, part="peer", extra="local") for name, file in PINNED.items()}
        self._tokenizer = Tokenizer.from_file(str(files["tokenizer.json"]))
        self._tokenizer.enable_truncation(MAX_TOKENS)
        self._tokenizer.enable_padding()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self._session = onnxruntime.InferenceSession(str(files["model.onnx"]), options)

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.concatenate([self._batch(texts[start : start + BATCH]) for start in range(0, len(texts), BATCH)])

    def _batch(self, texts: Sequence[str]) -> Vectors:
        encodings = self._tokenizer.encode_batch(list(texts))
        ids = np.array([encoding.ids for encoding in encodings], np.int64)
        mask = np.array([encoding.attention_mask for encoding in encodings], np.int64)
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        states = self._session.run(None, given)[0]
        weights = mask[:, :, None].astype(np.float32)
        return unit_rows((states * weights).sum(axis=1) / weights.sum(axis=1))


def _passages(count: int) -> Mapping[str, list[str]]:
    """The same passages twice: cut at a random number of tokens, and whole."""
    draw = random.Random(SEED)
    texts = draw.sample([text for name in DEV for text in _corpus(name).values()], count)
    file = PINNED["tokenizer.json"]
    tokenizer = Tokenizer.from_file(str(pinned_file(REVISION, file, part="passages", extra="local")))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    cut = []
    for text in texts:
        ends = [end for _, end in tokenizer.encode(text, add_special_tokens=False).offsets]
        cut.append(text[: ends[: draw.randint(SHORTEST, LONGEST) - 2][-1]])
    return {f"{SHORTEST}–{LONGEST} tokens": cut, "whole passages": texts}


def _corpus(collection: str) -> Mapping[str, str]:
    lines = (COLLECTIONS / collection / CORPUS).read_text("utf-8").splitlines()
    return {row["_id"]: f"{row.get('title') or ''} {row['text']}".strip() for row in map(json.loads, lines)}


def _ratios(report: Report, task: str) -> dict[str, Any]:
    speeds = {speed.engine: speed for speed in report.speeds if speed.task == task}
    int8 = speeds[INT8]
    return {
        "figure": "int8 is faster by",
        "task": task,
        **{engine: int8.ratio_to(speed) for engine, speed in speeds.items() if engine != INT8},
    }


# --- what rounding does to rankings ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Ranked:
    """The ten best documents of every query, best first, and nDCG@10 of each."""

    best: Mapping[str, tuple[str, ...]]
    ndcg: Mapping[str, float]


def _retrieval(collection: str, plain: Embedder, rounded: Embedder) -> dict[str, Any]:
    before, after = (_ranked(collection, embedder) for embedder in (plain, rounded))
    differences = [after.ndcg[id] - before.ndcg[id] for id in before.ndcg]
    margin = 1.96 * stdev(differences) / len(differences) ** 0.5
    kept = fmean(len({*before.best[id]} & {*after.best[id]}) / len(before.best[id]) for id in before.best)
    return {
        "figure": "retrieval with int8",
        "collection": collection,
        "queries": len(differences),
        "nDCG@10 float32": f"{fmean(before.ndcg.values()):.4f}",
        "nDCG@10 int8": f"{fmean(after.ndcg.values()):.4f}",
        "difference": f"{fmean(differences):+.4f} ± {margin:.4f}",
        "ten best kept": f"{kept:.1%}",
        "gate": "passed" if fmean(differences) - margin > -TOLERANCE else "failed",
    }


def _ranked(collection: str, embedder: Embedder) -> _Ranked:
    folder = COLLECTIONS / collection
    qrels, texts, passages = read_qrels(folder), read_queries(folder), _corpus(collection)
    queries = sorted(id for id in texts if id in qrels)
    cached = CachedEmbedder(embedder, BUILD / "encoding.db")
    documents = sorted(passages)
    matrix = cached.embed([passages[id] for id in documents], role="passage").vectors
    asked = cached.embed([texts[id] for id in queries], role="query").vectors
    scores = asked.astype(np.float64) @ matrix.astype(np.float64).T
    order = np.argsort(-scores, axis=1, kind="stable")[:, :10]
    best = {id: tuple(documents[row] for row in rows) for id, rows in zip(queries, order, strict=True)}
    run = {id: {document: 1.0 / rank for rank, document in enumerate(found, 1)} for id, found in best.items()}
    measured = ir_measures.iter_calc([nDCG @ 10], {id: dict(qrels[id]) for id in queries}, run)
    return _Ranked(best, {metric.query_id: metric.value for metric in measured})


if __name__ == "__main__":
    main()

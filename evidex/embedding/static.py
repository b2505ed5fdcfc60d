"""The mean of static token vectors: a table and a tokenizer, no model to run.

Its widths are prefixes of one table (Matryoshka representations: Kusupati et al. 2022).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidex.config import EmbeddingSettings
from evidex.embedding.packaged import PinnedFile, pinned_file
from evidex.embedding.prefixes import Role, prefix_for, prefixed
from evidex.embedding.tokenizer import load_tokenizer
from evidex.embedding.unit import unit_rows
from evidex.errors import ConfigError, MissingExtra
from evidex.ports import EmbedderContract, Embedding
from evidex.storage import digest_of, file_digest

PART = "embedding provider 'static'"
EXTRA = "static"
MODEL = "wordllama-l2-supercat"
REVISION = "wordllama 0.4.0.post1"
WIDTHS = (64, 128, 256)

TABLE = PinnedFile(
    "weights/l2_supercat_256.safetensors", "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5"
)
TOKENIZER = PinnedFile(
    "tokenizers/l2_supercat_tokenizer_config.json", "93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68"
)


def make(settings: EmbeddingSettings, weights: Path) -> StaticEmbedder:  # noqa: ARG001  # nothing is trained
    """The embedder of the folder `settings.model`, or of the installed package when the setting names none.

    Raises `MissingExtra` without the extra `static`, `ConfigError` for a folder without such files or a width that
    the table does not have, and `ProviderError` when the package's files are not the pinned ones.
    """
    files = _packaged(settings) if settings.model in ("", MODEL) else _in_folder(settings)
    table = _read_table(files.table)
    if settings.width > table.shape[1]:
        raise ConfigError(
            f"Setting 'embedding.width' is {settings.width}; {files.name!r} has vectors of width {table.shape[1]}.",
            f"Set it to {table.shape[1]} or less.",
        )
    contract = EmbedderContract(
        model=files.name,
        revision=settings.revision or files.revision,
        weights=files.weights,
        query_prefix=settings.query_prefix,
        passage_prefix=settings.passage_prefix,
        pooling="mean",
        normalized=True,
        width=settings.width,
        max_tokens=0,
        metric="cosine",
    )
    return StaticEmbedder(table[:, : settings.width], files.tokenizer, contract)


@dataclass(frozen=True, slots=True)
class _Files:
    name: str
    revision: str
    weights: str
    table: Path
    tokenizer: Path


class StaticEmbedder:
    """The mean of a text's token vectors over the first `width` dimensions, L2-normalised; order plays no part."""

    has_token_vectors = False

    def __init__(self, table: NDArray[np.floating[Any]], tokenizer: Path, contract: EmbedderContract) -> None:
        self._table = table
        self._tokenizer, self._unknown_id = load_tokenizer(tokenizer, part=PART, extra=EXTRA)
        if self._tokenizer.get_vocab_size() > len(table):
            raise ConfigError(
                f"{str(tokenizer)!r} has {self._tokenizer.get_vocab_size()} tokens, the table {len(table)} rows.",
                "Name a folder whose tokenizer.json and embeddings.safetensors belong together.",
            )
        self.contract = contract

    def embed(self, texts: Sequence[str], *, role: Role, token_vectors: bool = False) -> Embedding:  # noqa: ARG002
        prefix = prefix_for(self.contract, role)
        means = np.zeros((len(texts), self.contract.width))
        known: list[int] = []
        unknown: list[int] = []
        for row, text in enumerate(prefixed(texts, prefix)):
            encoding = self._tokenizer.encode(text, add_special_tokens=False)
            ids = [id for id in encoding.ids if id != self._unknown_id]
            own = [id for id, (_, end) in zip(encoding.ids, encoding.offsets, strict=True) if end > len(prefix)]
            known.append(sum(1 for id in own if id != self._unknown_id))
            unknown.append(len(own) - known[-1])
            if known[-1]:
                means[row] = self._table[ids].mean(axis=0, dtype=np.float64)
        return Embedding(unit_rows(means), tuple(known), tuple(unknown), (0,) * len(texts))


def _packaged(settings: EmbeddingSettings) -> _Files:
    if settings.width not in WIDTHS:
        raise ConfigError(
            f"Setting 'embedding.width' is {settings.width}; {MODEL!r} was trained for the widths 64, 128 and 256.",
            "Set it to one of these.",
        )
    table, tokenizer = (pinned_file(REVISION, file, part=PART, extra=EXTRA) for file in (TABLE, TOKENIZER))
    weights = digest_of({"table": TABLE.sha256, "tokenizer": TOKENIZER.sha256})
    return _Files(MODEL, REVISION, weights, table, tokenizer)


def _in_folder(settings: EmbeddingSettings) -> _Files:
    folder = Path(settings.model)
    table, tokenizer = folder / "embeddings.safetensors", folder / "tokenizer.json"
    if not table.is_file() or not tokenizer.is_file():
        raise ConfigError(
            f"Setting 'embedding.model' is {settings.model!r}: no folder with {table.name} and {tokenizer.name}.",
            f"Name such a folder, or leave it empty for {MODEL}; evidex downloads nothing.",
        )
    weights = digest_of({"table": file_digest(table), "tokenizer": file_digest(tokenizer)})
    return _Files(folder.resolve().name, "", weights, table, tokenizer)


def _read_table(path: Path) -> NDArray[np.floating[Any]]:
    try:
        from safetensors.numpy import load_file
    except ImportError:
        raise MissingExtra(PART, EXTRA) from None
    try:
        tensors = list(load_file(path).values())
    except Exception as error:  # noqa: BLE001  # the library's own exception shares no public base
        raise ConfigError(f"{str(path)!r} cannot be read: {error}.", "Name a folder with a whole table.") from None
    if len(tensors) != 1 or tensors[0].ndim != 2 or not np.isfinite(tensors[0]).all():
        shapes = ", ".join(str(tensor.shape) for tensor in tensors)
        raise ConfigError(
            f"{str(path)!r} holds tensors of shape {shapes}.", "It has to hold one finite table (tokens, width)."
        )
    table: NDArray[np.floating[Any]] = tensors[0]
    return table

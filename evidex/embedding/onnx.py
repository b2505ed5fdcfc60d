"""A transformer encoder in ONNX: hidden states of tokens, pooled into the vector of a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from evidex.embedding.int8 import int8_model
from evidex.embedding.prefixes import Role, prefix_for, prefixed
from evidex.embedding.tokenizer import load_tokenizer
from evidex.embedding.unit import unit_rows
from evidex.errors import ConfigError, MissingExtra, ProviderError
from evidex.ports import EmbedderContract, Embedding
from evidex.types import Vectors

Precision = Literal["float32", "int8"]

_SLOWER_FUSED = ("SkipLayerNormFusion",)
"""In onnxruntime 1.32 a sum fused with its normalisation is slower than both apart, by an eighth of a passage."""


@dataclass(frozen=True, slots=True)
class TokenStates:
    """What an encoder made of one text.

    `states` has a row for every position, special tokens and prefix included; `own` marks those of the text itself.
    Without a known token the model is not run and there are no rows.
    """

    states: Vectors
    own: NDArray[np.bool_]
    known: int
    unknown: int
    truncated: int


class OnnxEncoder:
    """Runs one text at a time: its states never depend on the texts beside it, and no padding is computed.

    Texts of unequal length would have to be padded, which changes the last bits of their states; with matrices in
    int8, texts run together would share the scale of what is multiplied. Batches of equal length kept every bit of
    float32 with onnxruntime 1.32, but nothing promises that of another version or processor, and for passages they
    gain little: one text of MiniLM alone takes 25 ms of one core at 100 tokens (24 in a batch of 8), 17 at 64 (15),
    10 at 32 (8); only texts as short as questions gain more, 6 at 12 tokens (3).
    """

    def __init__(
        self,
        graph: Path,
        tokenizer: Path,
        *,
        part: str,
        extra: str,
        max_tokens: int,
        threads: int,
        precision: Precision = "float32",
    ) -> None:
        try:
            import onnxruntime
        except ImportError:
            raise MissingExtra(part, extra) from None
        self._tokenizer, self._unknown_id = load_tokenizer(tokenizer, part=part, extra=extra)
        self._tokenizer.enable_truncation(max_tokens)
        onnxruntime.disable_telemetry_events()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        # A thread that spins while it waits for its next piece costs as much processor time as one that works.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        model = int8_model(graph) if precision == "int8" else str(graph)
        try:
            self._session: Any = onnxruntime.InferenceSession(
                model, options, providers=["CPUExecutionProvider"], disabled_optimizers=_SLOWER_FUSED
            )
        except Exception as error:  # noqa: BLE001  # the library's own exceptions share no public base
            raise ConfigError(
                f"{str(graph)!r} cannot be opened: {error}.", "Name a folder with a whole model."
            ) from None
        self._inputs = frozenset(node.name for node in self._session.get_inputs())
        self.width = self._width(graph)

    def _width(self, graph: Path) -> int:
        output = self._session.get_outputs()[0]
        if len(output.shape) != 3 or not isinstance(output.shape[2], int):
            raise ConfigError(
                f"{str(graph)!r} gives {output.name!r} of shape {output.shape} first.",
                "Export the model so that its first output is the last hidden state (batch, tokens, width).",
            )
        return output.shape[2]

    def read(self, text: str, *, start: int = 0) -> TokenStates:
        """The states of `text`, whose first `start` characters are a prefix that counts as no part of it."""
        encoding = self._tokenizer.encode(text)
        special = np.array(encoding.special_tokens_mask, dtype=bool)
        begins = np.array([offsets[0] for offsets in encoding.offsets])
        own = ~special & (begins >= start)
        unknown = sum(1 for id, mine in zip(encoding.ids, own, strict=True) if mine and id == self._unknown_id)
        known = int(own.sum()) - unknown
        truncated = sum(mask.count(0) for mask in (piece.special_tokens_mask for piece in encoding.overflowing))
        if not known:
            return TokenStates(np.zeros((0, self.width), np.float32), own[:0], 0, unknown, truncated)
        return TokenStates(self._run(encoding.ids), own, known, unknown, truncated)

    def _run(self, ids: Sequence[int]) -> Vectors:
        row = np.array([ids], dtype=np.int64)
        offered = {"input_ids": row, "attention_mask": np.ones_like(row), "token_type_ids": np.zeros_like(row)}
        given = {name: value for name, value in offered.items() if name in self._inputs}
        states: Vectors = self._session.run(None, given)[0][0]
        if not np.isfinite(states).all():
            raise ProviderError("The embedding model gave a value that is not finite.", "Check its files.")
        return states


class OnnxEmbedder:
    """The pooled states of a text, and the states of its tokens, each L2-normalised."""

    has_token_vectors = True

    def __init__(self, encoder: OnnxEncoder, contract: EmbedderContract) -> None:
        self._encoder = encoder
        self.contract = contract

    def embed(self, texts: Sequence[str], *, role: Role, token_vectors: bool = False) -> Embedding:
        prefix = prefix_for(self.contract, role)
        pooled = np.zeros((len(texts), self.contract.width))
        counts: list[tuple[int, int, int]] = []
        tokens: list[Vectors] = []
        for row, text in enumerate(prefixed(texts, prefix)):
            read = self._encoder.read(text, start=len(prefix))
            if read.known:
                pooled[row] = read.states[0] if self.contract.pooling == "cls" else read.states.mean(0, np.float64)
            counts.append((read.known, read.unknown, read.truncated))
            if token_vectors:
                tokens.append(unit_rows(read.states[read.own]))
        known, unknown, truncated = zip(*counts, strict=True) if counts else ((), (), ())
        return Embedding(unit_rows(pooled), known, unknown, truncated, tuple(tokens))

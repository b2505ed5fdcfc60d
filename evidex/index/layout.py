"""What makes a folder a generation: its manifest, written last, which names every file and everything that went in.

A folder without a manifest is not a generation, so a build that dies half way leaves nothing that could be opened.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evidex.errors import GenerationError
from evidex.index.damage import damaged
from evidex.ports import EmbedderContract
from evidex.storage import Folder, canonical_json, checksums, digest_of, file_digest
from evidex.types import DocumentKey, GenerationId

FORMAT = 2
MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class Inputs:
    """Everything that a generation's bytes depend on.

    `documents` pairs the key of each document revision with its digest (`documents.document_digest`). `embedding`
    is what decides the vectors, known before anything is trained; `settings` are the others that the build reads.
    Both hold JSON values.
    """

    documents: tuple[tuple[DocumentKey, str], ...]
    parsers: tuple[str, ...]
    chunker: str
    analyzer: str
    embedding: Mapping[str, Any]
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Counts:
    """How much a generation holds; `terms` are the distinct ones, `tokens` all their occurrences."""

    documents: int
    chunks: int
    terms: int
    tokens: int


@dataclass(frozen=True, slots=True)
class SealedFile:
    """One file of a generation, by its path below the generation's folder, with its size in bytes."""

    path: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a generation is, what went in, and what it holds.

    `contract` is that of the embedder its vectors are from, None without vectors; `files` is sorted by path.
    """

    format: int
    id: GenerationId
    inputs: Inputs
    contract: EmbedderContract | None
    counts: Counts
    files: tuple[SealedFile, ...]


def generation_id(inputs: Inputs) -> GenerationId:
    """32 hexadecimal digits (128 bits) over the inputs and the format; the order of documents does not matter."""
    return GenerationId(digest_of({"format": FORMAT, "inputs": _inputs_json(inputs)})[:32])


def seal(folder: Folder, inputs: Inputs, counts: Counts, contract: EmbedderContract | None) -> Manifest:
    """Write the manifest over the files that `folder` holds now, which makes it a generation; returns it as written."""
    files = [SealedFile(name, (folder.path / name).stat().st_size, sha) for name, sha in checksums(folder.path).items()]
    content = {
        "format": FORMAT,
        "id": generation_id(inputs),
        "inputs": _inputs_json(inputs),
        "contract": asdict(contract) if contract else None,
        "counts": asdict(counts),
        "files": [asdict(file) for file in files],
    }
    folder.write(MANIFEST, canonical_json(content | {"checksum": digest_of(content)}))
    return read_manifest(folder.path)


def read_manifest(path: Path) -> Manifest:
    """The manifest of the generation in `path`. Raises `GenerationError` if there is none that can be used."""
    file = path / MANIFEST
    try:
        content = json.loads(file.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        raise GenerationError(f"{str(path)!r} is not a generation: it has no {MANIFEST}.", "Build one.") from None
    except ValueError as error:
        raise damaged(file, f"is not JSON ({error})") from error
    try:
        return _checked(content, file)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise damaged(file, f"is not a manifest ({error!r})") from error


def whole_manifest(path: Path) -> Manifest:
    """The manifest of a generation that can be opened, its files all there in their full length.

    Raises `GenerationError` if there is none, or naming the file that is missing or truncated.
    """
    manifest = read_manifest(path)
    check_sizes(path, manifest)
    return manifest


def check_sizes(path: Path, manifest: Manifest) -> None:
    """Raises `GenerationError` unless every file is there in its full length: what opening can afford to check."""
    for sealed in manifest.files:
        if problem := _size_problem(path, sealed):
            raise damaged(path / sealed.path, problem)


def verify(path: Path) -> tuple[str, ...]:
    """Everything that is wrong with the generation in `path`, one sentence each; reads every byte."""
    try:
        manifest = read_manifest(path)
    except GenerationError as error:
        return (str(error),)
    problems = [
        f"{sealed.path} {problem}."
        for sealed in manifest.files
        if (problem := _size_problem(path, sealed) or _checksum_problem(path, sealed))
    ]
    known = {MANIFEST} | {sealed.path for sealed in manifest.files}
    found = (file.relative_to(path).as_posix() for file in sorted(path.rglob("*")) if file.is_file())
    return (*problems, *(f"{name} does not belong to the generation." for name in found if name not in known))


def _size_problem(path: Path, sealed: SealedFile) -> str:
    try:
        size = (path / sealed.path).stat().st_size
    except (FileNotFoundError, NotADirectoryError):
        return "is missing"
    return "" if size == sealed.size else f"has {size} bytes instead of {sealed.size}"


def _checksum_problem(path: Path, sealed: SealedFile) -> str:
    return "" if file_digest(path / sealed.path) == sealed.sha256 else "does not have the checksum it was sealed with"


def _checked(content: dict[str, Any], file: Path) -> Manifest:
    if content["format"] > FORMAT:
        raise GenerationError(
            f"{str(file.parent)!r} has generation format {content['format']}; this evidex reads up to {FORMAT}.",
            "Upgrade evidex, or build the generation again with this one.",
        )
    if content["format"] < FORMAT:
        raise GenerationError(
            f"{str(file.parent)!r} has generation format {content['format']}, and this evidex writes {FORMAT}.",
            "Run 'evidex build' and 'evidex publish'; what was embedded is not embedded again.",
        )
    checksum = content.pop("checksum")
    if digest_of(content) != checksum:
        raise damaged(file, "does not have the checksum it was sealed with")
    return Manifest(
        format=content["format"],
        id=GenerationId(content["id"]),
        inputs=_inputs(content["inputs"]),
        contract=EmbedderContract(**content["contract"]) if content["contract"] else None,
        counts=Counts(**content["counts"]),
        files=tuple(SealedFile(**sealed) for sealed in content["files"]),
    )


def _inputs_json(inputs: Inputs) -> dict[str, Any]:
    return {
        "documents": sorted(inputs.documents),
        "parsers": sorted(inputs.parsers),
        "chunker": inputs.chunker,
        "analyzer": inputs.analyzer,
        "embedding": dict(inputs.embedding),
        "settings": dict(inputs.settings),
    }


def _inputs(content: Mapping[str, Any]) -> Inputs:
    return Inputs(
        documents=tuple((DocumentKey(key), digest) for key, digest in content["documents"]),
        parsers=tuple(content["parsers"]),
        chunker=content["chunker"],
        analyzer=content["analyzer"],
        embedding=content["embedding"],
        settings=content["settings"],
    )

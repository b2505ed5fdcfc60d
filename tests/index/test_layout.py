from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from evidex.errors import GenerationError
from evidex.index.layout import (
    FORMAT,
    Counts,
    Inputs,
    Manifest,
    check_sizes,
    generation_id,
    read_manifest,
    seal,
    verify,
    whole_manifest,
)
from evidex.ports import EmbedderContract
from evidex.storage import Folder, canonical_json, digest, digest_of
from evidex.types import DocumentKey

INPUTS = Inputs(
    documents=((DocumentKey("a"), "1" * 64), (DocumentKey("b"), "2" * 64)),
    parsers=("html/1", "text/1"),
    chunker="headings/1",
    analyzer="words/1",
    embedding={"provider": "lsa", "width": 8},
    settings={"k1": 1.2, "b": 0.75, "history": False},
)
COUNTS = Counts(documents=2, chunks=3, terms=5, tokens=8)
CONTRACT = EmbedderContract("lsa", "1", "f" * 64, "", "", "sum", True, 8, 0, "cosine")


def sealed(path: Path) -> Manifest:
    folder = Folder(path)
    folder.write("sparse/rows.bin", b"12345678")
    folder.write("chunks/texts.bin", b"text")
    folder.write("chunks/empty.bin", b"")
    return seal(folder, INPUTS, COUNTS, CONTRACT)


def test_a_manifest_comes_back_as_it_was_sealed(tmp_path: Path) -> None:
    manifest = sealed(tmp_path)
    assert read_manifest(tmp_path) == manifest
    assert manifest.inputs == INPUTS
    assert manifest.contract == CONTRACT
    assert manifest.counts == COUNTS
    assert manifest.id == generation_id(INPUTS)
    assert manifest.format == FORMAT


def test_every_file_is_sealed_with_its_size_and_checksum_in_order_of_path(tmp_path: Path) -> None:
    files = sealed(tmp_path).files
    assert [file.path for file in files] == ["chunks/empty.bin", "chunks/texts.bin", "sparse/rows.bin"]
    assert [file.size for file in files] == [0, 4, 8]
    assert [file.sha256 for file in files] == [digest(b""), digest(b"text"), digest(b"12345678")]


def test_a_generation_without_embedder_has_no_contract(tmp_path: Path) -> None:
    assert seal(Folder(tmp_path), INPUTS, COUNTS, None).contract is None


def test_the_id_has_128_bits_and_does_not_depend_on_the_order_of_documents() -> None:
    turned = replace(INPUTS, documents=INPUTS.documents[::-1], parsers=INPUTS.parsers[::-1])
    assert generation_id(turned) == generation_id(INPUTS)
    assert len(generation_id(INPUTS)) == 128 // 4


def test_every_input_changes_the_id() -> None:
    others = [
        replace(INPUTS, documents=INPUTS.documents[:1]),
        replace(INPUTS, documents=((DocumentKey("a"), "3" * 64), INPUTS.documents[1])),
        replace(INPUTS, parsers=("html/2", "text/1")),
        replace(INPUTS, chunker="headings/2"),
        replace(INPUTS, analyzer="words/2"),
        replace(INPUTS, embedding={"provider": "lsa", "width": 9}),
        replace(INPUTS, settings={**INPUTS.settings, "k1": 1.5}),
    ]
    assert len({generation_id(inputs) for inputs in [INPUTS, *others]}) == 1 + len(others)


def test_the_same_files_and_inputs_give_the_same_manifest_bytes(tmp_path: Path) -> None:
    sealed(tmp_path / "one")
    sealed(tmp_path / "two")
    assert (tmp_path / "one/manifest.json").read_bytes() == (tmp_path / "two/manifest.json").read_bytes()


def test_a_sealed_generation_has_no_problems(tmp_path: Path) -> None:
    manifest = sealed(tmp_path)
    check_sizes(tmp_path, manifest)
    assert whole_manifest(tmp_path) == manifest
    assert verify(tmp_path) == ()


def test_a_folder_without_a_manifest_is_not_a_generation(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(GenerationError, match="is not a generation"):
            read_manifest(path)
        assert "is not a generation" in verify(path)[0]


def test_a_newer_format_says_to_upgrade(tmp_path: Path) -> None:
    sealed(tmp_path)
    content = json.loads((tmp_path / "manifest.json").read_bytes()) | {"format": FORMAT + 1}
    (tmp_path / "manifest.json").write_bytes(canonical_json(content))
    with pytest.raises(GenerationError, match=f"format {FORMAT + 1}.*Upgrade evidex"):
        read_manifest(tmp_path)


def test_an_older_format_says_to_build_again(tmp_path: Path) -> None:
    sealed(tmp_path)
    content = json.loads((tmp_path / "manifest.json").read_bytes()) | {"format": FORMAT - 1}
    (tmp_path / "manifest.json").write_bytes(canonical_json(content))
    with pytest.raises(GenerationError, match=f"format {FORMAT - 1}.*evidex build"):
        read_manifest(tmp_path)


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"null", b"{}", b'{"format":"x"}', b'{"format":2}', b"\xff"])
def test_a_damaged_manifest_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "manifest.json").write_bytes(content)
    with pytest.raises(GenerationError, match=r"manifest\.json"):
        read_manifest(tmp_path)


def test_a_manifest_with_a_valid_checksum_but_without_its_fields_is_damaged(tmp_path: Path) -> None:
    content = {"format": FORMAT, "id": "x"}
    (tmp_path / "manifest.json").write_bytes(canonical_json(content | {"checksum": digest_of(content)}))
    with pytest.raises(GenerationError, match=r"manifest\.json' is not a manifest"):
        read_manifest(tmp_path)


def test_every_flipped_bit_of_a_generation_is_found(tmp_path: Path) -> None:
    sealed(tmp_path)
    for file in sorted(path for path in tmp_path.rglob("*") if path.is_file()):
        good = file.read_bytes()
        for position in range(len(good)):
            file.write_bytes(good[:position] + bytes([good[position] ^ 1]) + good[position + 1 :])
            assert verify(tmp_path), f"{file.name} at byte {position}"
        file.write_bytes(good)
    assert verify(tmp_path) == ()


def test_missing_truncated_altered_and_unknown_files_are_told_apart(tmp_path: Path) -> None:
    manifest = sealed(tmp_path)
    (tmp_path / "chunks/empty.bin").unlink()
    (tmp_path / "chunks/texts.bin").write_bytes(b"tex")
    (tmp_path / "sparse/rows.bin").write_bytes(b"87654321")
    (tmp_path / "sparse/stranger.bin").write_bytes(b"?")
    assert verify(tmp_path) == (
        "chunks/empty.bin is missing.",
        "chunks/texts.bin has 3 bytes instead of 4.",
        "sparse/rows.bin does not have the checksum it was sealed with.",
        "sparse/stranger.bin does not belong to the generation.",
    )
    for check in (lambda: check_sizes(tmp_path, manifest), lambda: whole_manifest(tmp_path)):
        with pytest.raises(GenerationError, match=r"empty\.bin' is missing"):
            check()

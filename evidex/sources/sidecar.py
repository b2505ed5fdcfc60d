"""Sidecar files: what an owner says of a file that cannot say it itself, in `<file name>.meta.yaml` beside it."""

from __future__ import annotations

from pathlib import Path

from evidex.errors import SourceError
from evidex.sources.metadata import KEYS, Declared, declared
from evidex.sources.plain_yaml import MAX_BYTES, read_yaml

ENDING = ".meta.yaml"


def sidecar_of(file: Path) -> Path:
    """Where the sidecar of a file lies, if it has one."""
    return file.with_name(file.name + ENDING)


def read_sidecar(file: Path) -> Declared:
    """What the sidecar of `file` (resolved) says; nothing where there is none.

    Raises `SourceError` for a sidecar that cannot be read, is a link, or has a key that means nothing.
    """
    path = sidecar_of(file)
    where = f"The sidecar {path.name!r}"
    if path.is_symlink():
        raise SourceError(f"{where} is a link.", "Put the file itself there.")
    if not path.exists():
        return Declared()
    values = _values(path, where)
    unknown = sorted(set(values) - KEYS)
    if unknown:
        raise SourceError(f"{where} has the unknown key {unknown[0]!r}.", f"Keys: {', '.join(sorted(KEYS))}.")
    return declared(values, where=where)


def _values(path: Path, where: str) -> dict[str, object]:
    try:
        with path.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
        text = content.decode("utf-8-sig")
    except OSError as error:
        raise SourceError(f"{where} cannot be read: {error.strerror}.", "Check its permissions.") from None
    except UnicodeDecodeError:
        raise SourceError(f"{where} is not UTF-8.", "Save it as UTF-8.") from None
    if len(content) > MAX_BYTES:
        raise SourceError(f"{where} is longer than {MAX_BYTES} bytes.", "Keep to the keys that evidex reads.")
    values = read_yaml(text, where=where)
    if not isinstance(values, dict):
        raise SourceError(f"{where} holds no `key: value` lines.", "Write some, or remove it.")
    return values

"""How a `tokenizer.json` is opened."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from evidex.errors import ConfigError, MissingExtra

if TYPE_CHECKING:
    from tokenizers import Tokenizer


def load_tokenizer(path: Path, *, part: str, extra: str) -> tuple[Tokenizer, int | None]:
    """The tokenizer without padding or truncation, and the id of its unknown token (None when it has none).

    Such files carry the padding and truncation of whoever saved them last, often to 128 tokens: both are undone.
    Raises `MissingExtra` without the library and `ConfigError` for a file that is no tokenizer.
    """
    try:
        from tokenizers import Tokenizer
    except ImportError:
        raise MissingExtra(part, extra) from None
    try:
        text = path.read_text("utf-8")
        tokenizer: Tokenizer = Tokenizer.from_str(text)
    except Exception as error:  # noqa: BLE001  # the library raises bare Exception for files it cannot read
        raise ConfigError(f"{str(path)!r} is not a tokenizer: {error}.", "Name a folder with a whole model.") from None
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer, _unknown_id(json.loads(text)["model"], tokenizer)


def _unknown_id(model: dict[str, object], tokenizer: Tokenizer) -> int | None:
    token, number = model.get("unk_token"), model.get("unk_id")
    if isinstance(token, str):
        return tokenizer.token_to_id(token)
    return number if isinstance(number, int) else None

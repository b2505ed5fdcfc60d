"""What the settings say of the files below a folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evidex.config import MappingSettings
from evidex.errors import ConfigError
from evidex.sources.metadata import Declared


class Mappings:
    """The mappings of a workspace by the absolute path that each names.

    Raises `ConfigError` when two name the same path, since neither could win.
    """

    def __init__(self, settings: Sequence[MappingSettings], *, workspace: Path) -> None:
        self._by_path: dict[Path, Declared] = {}
        for mapping in settings:
            path = (workspace / mapping.path).resolve()
            if path in self._by_path:
                raise ConfigError(f"Two of sources.mappings are for {mapping.path!r}.", "Make them one.")
            self._by_path[path] = _declared(mapping)

    def of(self, file: Path) -> Declared:
        """What the longest path that holds `file` (absolute and resolved) says; nothing where none does."""
        holding = [self._by_path[path] for path in (file, *file.parents) if path in self._by_path]
        return holding[0] if holding else Declared()


def _declared(mapping: MappingSettings) -> Declared:
    return Declared(
        family=mapping.family,
        language=mapping.language,
        tenant=mapping.tenant,
        readers=None if mapping.readers is None else frozenset(mapping.readers),
        tags=None if mapping.tags is None else frozenset(mapping.tags),
        effective_from=mapping.effective_from,
        effective_to=mapping.effective_to,
    )

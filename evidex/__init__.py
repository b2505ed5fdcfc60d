"""evidex: an evidence engine that can say which stage lost the evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evidex.errors import (
    AccessError,
    ConfigError,
    ContractError,
    EvidexError,
    GateFailed,
    GenerationError,
    ParseError,
    ProviderError,
    SourceError,
)

if TYPE_CHECKING:
    from evidex.workspace import Workspace, open

__all__ = [
    "AccessError",
    "ConfigError",
    "ContractError",
    "EvidexError",
    "GateFailed",
    "GenerationError",
    "ParseError",
    "ProviderError",
    "SourceError",
    "Workspace",
    "open",
]


def __getattr__(name: str) -> Any:
    # The workspace brings NumPy, SQLAlchemy and Pydantic along; `import evidex` alone stays fast.
    if name in {"Workspace", "open"}:
        from evidex import workspace

        return getattr(workspace, name)
    raise AttributeError(f"module 'evidex' has no attribute {name!r}")

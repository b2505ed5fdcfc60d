"""Every error that evidex raises on purpose. Each holds its data and derives its sentence from it.

EvidexError
├── ConfigError       a setting, argument or extra is wrong or missing         exit 2
├── AccessError       who is asking cannot be established                      exit 2
├── SourceError       a source cannot be read at all                           exit 3
├── ParseError        one document's bytes cannot be turned into text          a row of the ingest report
├── ContractError     index and query would use different embedders            exit 3
├── GenerationError   a generation is missing, damaged or cannot answer this   exit 3
├── ProviderError     a model or endpoint did not answer as agreed             exit 3
└── GateFailed        a release gate said no                                   exit 1

The sentence says what was wrong, with the value, and what to do next.
"""

from __future__ import annotations

from typing import ClassVar


class EvidexError(Exception):
    """What was wrong (with the value), and what to do next."""

    exit_code: ClassVar[int] = 3

    def __init__(self, problem: str, remedy: str = "") -> None:
        self.problem = problem
        self.remedy = remedy
        super().__init__(problem, remedy)

    def __str__(self) -> str:
        return f"{self.problem} {self.remedy}".rstrip()


class ConfigError(EvidexError):
    """A setting, an argument or an installed extra is not as it has to be."""

    exit_code = 2


class MissingExtra(ConfigError):
    """A part needs a library that an extra of evidex installs."""

    def __init__(self, part: str, extra: str) -> None:
        self.part = part
        self.extra = extra
        super().__init__(f"{part} needs the extra {extra!r}.", f"Install it: pip install 'evidex[{extra}]'")


class AccessError(EvidexError):
    """It cannot be established who is asking."""

    exit_code = 2


class SourceError(EvidexError):
    """A source cannot be read at all."""


class ParseError(EvidexError):
    """The bytes of one document cannot be turned into text."""


class ContractError(EvidexError):
    """The embedder at hand is not the one a generation was built with."""

    def __init__(self, field: str, built_with: object, found: object) -> None:
        self.field = field
        self.built_with = built_with
        self.found = found
        super().__init__(
            f"The generation was built with embedder {field} {built_with!r}; the settings give {found!r}.",
            f"Run 'evidex build' and 'evidex publish', or set the embedder's {field} back to {built_with!r}.",
        )


class GenerationError(EvidexError):
    """A generation is missing, damaged or cannot answer what is asked."""


class ProviderError(EvidexError):
    """A model or endpoint did not answer as agreed."""


class GateFailed(EvidexError):
    """A release gate said no."""

    exit_code = 1

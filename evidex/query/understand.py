"""What is being asked? The wordings that the channels search for, the original always among them.

Every rewrite can drift, so a rewrite only ever adds a wording: the original keeps its place and the largest weight,
the number of wordings is capped, and their weights sum to 1, so that no channel votes twice because it was asked twice.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from evidex.analysis.identifiers import identifiers
from evidex.config import UnderstandingSettings
from evidex.errors import ConfigError
from evidex.types import Query, Question, Variant

# A follow-up leans on the turn before when it opens like one, or points back with a pronoun and says little else.
_OPENING = re.compile(
    r"^\s*(and\b|or\b|but\b|what about\b|how about\b|what if\b|same for\b|also\b|und\b|was ist mit\b|wie ist es mit\b|"
    r"et\b|y\b|qué tal\b)",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\b(it|its|that|those|these|they|them|their|this|one|ones|he|she|his|her|him)\b", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_LONGEST_POINTING_BACK = 9


@dataclass(frozen=True, slots=True)
class Synonyms:
    """Phrases and what else they are called, from a versioned file; each phrase is replaced at word boundaries only.

    The longest match wins, each place of the text is replaced at most once, and a replacement is never replaced again.
    """

    version: str
    pattern: re.Pattern[str] | None
    replacements: Mapping[str, str]

    @classmethod
    def of(cls, version: str, replacements: Mapping[str, str]) -> Synonyms:
        """Synonyms from phrases and their replacements; phrases match regardless of case."""
        folded = {" ".join(phrase.casefold().split()): " ".join(new.split()) for phrase, new in replacements.items()}
        if not all(folded) or not all(folded.values()):
            raise ConfigError("A synonym phrase or its replacement is empty.", "Remove that line.")
        longest_first = sorted(folded, key=lambda phrase: (-len(phrase), phrase))
        alternatives = "|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in longest_first)
        # Neither letters, digits nor a hyphen may touch a match, so no identifier is ever cut into.
        pattern = re.compile(rf"(?<![\w-])(?:{alternatives})(?![\w-])", re.IGNORECASE) if folded else None
        return cls(version, pattern, folded)

    def apply(self, text: str) -> str:
        """The text with every phrase replaced, or the same text when none occurs. Identifiers are left alone."""
        if self.pattern is None:
            return text
        kept = frozenset(identifiers(text))

        def replacement(match: re.Match[str]) -> str:
            phrase = " ".join(match.group().casefold().split())
            return match.group() if phrase in kept else self.replacements[phrase]

        return self.pattern.sub(replacement, text)

    def exercised(self, text: str) -> frozenset[str]:
        """The phrases that `apply` would replace in the text, folded."""
        if self.pattern is None:
            return frozenset()
        found = frozenset(" ".join(match.group().casefold().split()) for match in self.pattern.finditer(text))
        return found - frozenset(identifiers(text))


def read_synonyms(file: Path) -> Synonyms:
    """Read a synonym file: `version = "…"` and a table `[synonyms]` of phrase = "replacement"."""
    try:
        values = tomllib.loads(file.read_text("utf-8"))
        version, table = values["version"], values["synonyms"]
        return Synonyms.of(str(version), {str(phrase): str(new) for phrase, new in table.items()})
    except FileNotFoundError:
        raise ConfigError(f"There is no synonym file {str(file)!r}.", "Mend understanding.synonyms.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"The synonym file {str(file)!r} is not valid TOML: {error}.", "Mend that line.") from error
    except (KeyError, AttributeError) as error:
        raise ConfigError(
            f"The synonym file {str(file)!r} lacks its version or its table.", 'Give version = "1" and [synonyms].'
        ) from error


NO_SYNONYMS = Synonyms("none", None, {})


def understand(question: Question, synonyms: Synonyms, settings: UnderstandingSettings) -> Query:
    """Word a question for the search. Raises `ConfigError` for an empty one."""
    original = " ".join(question.text.split())
    if not original:
        raise ConfigError("The question is empty.", "Ask something.")
    resolved = complete(original, question.history)
    wordings = [(original, "original", 1.0)]
    if resolved != original:
        wordings.append((resolved, "history", 1.0))
    wordings.append((synonyms.apply(resolved), "synonyms", settings.variant_weight))
    variants: dict[str, Variant] = {}
    for text, origin, weight in wordings:
        if weight > 0:
            variants.setdefault(text.casefold(), Variant(text, origin, weight))  # type: ignore[arg-type]
    kept = list(variants.values())[: settings.max_variants]
    total = sum(variant.weight for variant in kept)
    return Query(question, tuple(Variant(v.text, v.origin, v.weight / total) for v in kept))


def complete(text: str, history: tuple[str, ...]) -> str:
    """An elliptical follow-up with the turn before it put in front; any other question as it is."""
    if not history or not history[-1].strip() or not is_elliptical(text):
        return text
    return f"{' '.join(history[-1].split())} {text}"


def is_elliptical(text: str) -> bool:
    """Whether a question cannot be understood without the turn before it."""
    if _OPENING.match(text):
        return True
    return len(_WORD.findall(text)) <= _LONGEST_POINTING_BACK and _PRONOUN.search(text) is not None

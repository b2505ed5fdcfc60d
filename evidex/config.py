"""One frozen tree of settings, read once from `evidex.toml` and the environment.

Precedence: argument, environment (`EVIDEX_CHUNKING__MAX_WORDS=80`), file, default. Unknown keys are errors. Secrets
are never in the file: a setting names the environment variable that holds one. docs/settings.md is generated from
this file; `evidex config show` prints the values in force beside the defaults.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from evidex.errors import ConfigError
from evidex.storage import digest_of
from evidex.types import EVERYONE

FILE_NAME = "evidex.toml"
ENVIRONMENT_PREFIX = "EVIDEX_"


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=False)


class UserSettings(_Section):
    """One person who may ask with `--as NAME`."""

    tenant: str = Field("default", description="tenant the user belongs to")
    groups: tuple[str, ...] = Field((), description="groups whose documents the user may read")


class AccessSettings(_Section):
    """Who may read what."""

    mode: Literal["enforced", "open"] = Field(
        "enforced", description="`enforced`: readers are checked; `open`: who asks without --as reads everything"
    )
    default_tenant: str = Field("default", description="tenant of documents and askers that name none")
    default_readers: tuple[str, ...] = Field((EVERYONE,), description="readers of documents that name none")
    users: Mapping[str, UserSettings] = Field(default_factory=dict, description="people who may ask, by name")


class MappingSettings(_Section):
    """What holds for the documents below one folder, unless front matter or a sidecar file says otherwise."""

    path: str = Field(description="folder or file, relative to the workspace")
    tenant: str | None = Field(None, description="tenant of the documents below `path`")
    readers: tuple[str, ...] | None = Field(None, description="readers of the documents below `path`")
    language: str | None = Field(None, description="language code of the documents below `path`")
    family: str | None = Field(None, description="family of the documents below `path`")
    tags: tuple[str, ...] | None = Field(None, description="tags of the documents below `path`")
    effective_from: date | None = Field(None, description="first day in force")
    effective_to: date | None = Field(None, description="first day no longer in force")


class SourcesSettings(_Section):
    """How files become documents."""

    mappings: tuple[MappingSettings, ...] = Field((), description="metadata by folder; the longest matching path wins")
    formats: Mapping[str, str] = Field(
        default_factory=dict, description='parser by file ending, beside the built-in ones (`.log = "text"`)'
    )
    max_bytes: int = Field(50_000_000, ge=1, description="largest file that is read, in bytes")


class ChunkingSettings(_Section):
    """How documents are cut."""

    strategy: str = Field("headings", description="`headings`, `sentences`, `windows`, `parents` or a plug-in's name")
    max_words: int = Field(
        150, ge=8, description="most words in a chunk; a word of many tokens (an address, symbols) counts as several"
    )
    overlap_words: int = Field(0, ge=0, description="words that neighbouring `windows` share")


class AnalysisSettings(_Section):
    """How text becomes terms for keyword search."""

    language: str = Field("en", description="Snowball language code for stemming, or `none`")
    stop_words: bool = Field(True, description="whether the language's stop words are dropped")


class EmbeddingSettings(_Section):
    """How text becomes vectors."""

    provider: str = Field(
        "lsa", description="`lsa` (English), `minilm`, `static`, `openai`, `none` or a plug-in's name"
    )
    model: str = Field("", description="model name, or a folder that holds the model's files")
    revision: str = Field("", description="revision of the model, part of the contract")
    width: int = Field(256, ge=1, description="width of `lsa`, `static` and (where it can be chosen) `openai` vectors")
    query_prefix: str = Field("", description="put before every query")
    passage_prefix: str = Field("", description="put before every passage")
    base_url: str = Field("", description="`openai`: address of the endpoint, ending in /v1")
    api_key_variable: str = Field("", description="`openai`: environment variable that holds the key")
    timeout_seconds: float = Field(30.0, gt=0, description="`openai`: longest wait for one request")
    retries: int = Field(2, ge=0, description="`openai`: attempts after the first")
    precision: Literal["float32", "int8"] = Field(
        "float32", description="`minilm`: `int8` embeds about twice as fast, with vectors at a cosine near .99"
    )
    batch: int = Field(32, ge=1, description="texts per call of the model")
    threads: int = Field(0, ge=0, description="`minilm`: threads of the model; 0 leaves the choice to it")


class IndexSettings(_Section):
    """What a generation holds."""

    k1: float = Field(1.2, ge=0, description="BM25 term-frequency saturation (Robertson and Zaragoza 2009)")
    b: float = Field(0.75, ge=0, le=1, description="BM25 length normalisation")
    history: bool = Field(False, description="whether superseded versions stay searchable with --as-of")
    token_vectors: bool = Field(True, description="whether vectors of single tokens are kept for `late`")
    dense: Literal["exact", "float16", "int8", "binary", "hnsw"] = Field(
        "exact",
        description="how vectors are searched: `exact`, or by shortlists from codes or a graph; see `evidex plan`",
    )
    dense_width: int = Field(0, ge=0, description="components of a vector that codes keep, from the first; 0: all")
    oversampling: int = Field(10, ge=1, description="length of a shortlist of codes or a graph, in hits asked for")


class UnderstandingSettings(_Section):
    """How a question is worded for the search."""

    synonyms: str = Field("", description="synonym file, relative to the workspace; empty: none")
    max_variants: int = Field(3, ge=1, description="most wordings of a question, the original included")
    variant_weight: float = Field(0.5, ge=0, le=1, description="weight of each other wording, the original's being 1")


class RetrievalSettings(_Section):
    """How many candidates each channel brings."""

    channels: tuple[Literal["sparse", "dense", "late"], ...] = Field(
        ("sparse", "dense"),
        min_length=1,
        description="ways of finding evidence: `sparse`, `dense` (where there are vectors), `late` (of single tokens)",
    )
    limit: int = Field(100, ge=1, description="most candidates per channel and wording")


class FusionWeights(_Section):
    """What a channel's vote counts."""

    sparse: float = Field(1.0, ge=0, allow_inf_nan=False, description="weight of the channel `sparse`")
    dense: float = Field(1.0, ge=0, allow_inf_nan=False, description="weight of the channel `dense`")
    late: float = Field(1.0, ge=0, allow_inf_nan=False, description="weight of the channel `late`")


class FusionSettings(_Section):
    """How channels are combined: by rank (Cormack, Clarke and Büttcher 2009) or by score (Bruch and others 2023)."""

    method: Literal["rrf", "convex"] = Field(
        "convex", description="`rrf`: reciprocal rank fusion; `convex`: weighted mean of normalised scores"
    )
    minima: Literal["window", "theoretical"] = Field(
        "window", description="what normalised scores start from: the worst candidate, or the least a channel can give"
    )
    k: float = Field(60.0, ge=0, allow_inf_nan=False, description="RRF constant")
    weights: FusionWeights = Field(FusionWeights(), description="weight by channel")


class RerankingSettings(_Section):
    """How fused candidates are reordered."""

    method: str = Field("features", description="`late`, `features`, `keep_order` or a plug-in's name")
    candidates: int = Field(50, ge=1, description="fused candidates that are reordered")
    blend: bool = Field(True, description="whether the channels' scores count beside the reranker's, as in `convex`")
    weight: float = Field(1.0, gt=0, allow_inf_nan=False, description="weight of the reranker beside the channels")
    limit: int = Field(10, ge=1, description="candidates kept afterwards")


class ContextSettings(_Section):
    """What is delivered to the generator."""

    budget_tokens: int = Field(1500, ge=1, description="most tokens of passages, counted as `count_tokens` does")
    near_duplicate: float = Field(0.9, gt=0, le=1, description="share of words above which two passages are merged")


class AnsweringSettings(_Section):
    """How an answer is made."""

    method: str = Field("extractive", description="`extractive`, `chat` or a plug-in's name")
    max_claims: int = Field(3, ge=1, description="`extractive`: most sentences of an answer")
    min_support: float = Field(0.58, ge=0, le=1, description="`extractive`: least support; below it evidex abstains")
    base_url: str = Field("", description="`chat`: address of the endpoint, ending in /v1")
    model: str = Field("", description="`chat`: model name")
    api_key_variable: str = Field("", description="`chat`: environment variable that holds the key")
    timeout_seconds: float = Field(60.0, gt=0, description="`chat`: longest wait for one request")
    retries: int = Field(2, ge=0, description="`chat`: attempts after the first")
    max_tokens: int = Field(500, ge=1, description="`chat`: longest reply, in the model's tokens")


class Settings(_Section):
    """Every setting of a workspace."""

    access: AccessSettings = AccessSettings()
    sources: SourcesSettings = SourcesSettings()
    chunking: ChunkingSettings = ChunkingSettings()
    analysis: AnalysisSettings = AnalysisSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    index: IndexSettings = IndexSettings()
    understanding: UnderstandingSettings = UnderstandingSettings()
    retrieval: RetrievalSettings = RetrievalSettings()
    fusion: FusionSettings = FusionSettings()
    reranking: RerankingSettings = RerankingSettings()
    context: ContextSettings = ContextSettings()
    answering: AnsweringSettings = AnsweringSettings()

    @cached_property
    def digest(self) -> str:
        """The digest of all values, 64 hexadecimal digits."""
        return digest_of(self.model_dump(mode="json"))

    @property
    def asking(self) -> dict[str, Any]:
        """What a question is asked with, as JSON: all but what a generation keeps from its build."""
        return self.model_dump(mode="json", exclude={"sources", "chunking", "analysis", "embedding", "index"})


def read_settings(file: Path, environment: Mapping[str, str] = os.environ) -> Settings:
    """Read `file` and the environment into settings. Raises `ConfigError` naming the key and what it may be."""
    try:
        values: dict[str, Any] = tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        raise ConfigError(f"There is no {str(file)!r}.", "Run 'evidex init' first, or name a --workspace.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{str(file)!r} is not valid TOML: {error}.", "Mend that line.") from error
    for section, key, text in _from_environment(environment):
        if not isinstance(values.setdefault(section, {}), dict):
            raise ConfigError(f"Setting {section!r} is {values[section]!r}.", f"Write it as a table: [{section}]")
        values[section][key] = text
    return parse_settings(values)


def parse_settings(values: Mapping[str, Any]) -> Settings:
    """Check a tree of values. Raises `ConfigError` naming the first wrong key and what it may be."""
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(str(part) for part in first["loc"])
        if first["type"] == "extra_forbidden":
            raise ConfigError(f"Unknown setting {key!r}.", f"Settings there: {_names_near(key)}.") from None
        raise ConfigError(f"Setting {key!r} is {first['input']!r}: {first['msg']}.", "See docs/settings.md.") from None


@dataclass(frozen=True, slots=True)
class ExplainedSetting:
    """One setting: its dotted name, the value in force, its default, and what it means."""

    name: str
    value: Any
    default: Any
    description: str


def explained(settings: Settings) -> tuple[ExplainedSetting, ...]:
    """Every setting with its value and default, in the order of the tree; what docs/settings.md is made from."""
    rows: list[ExplainedSetting] = []
    values, defaults = settings.model_dump(mode="json"), Settings().model_dump(mode="json")
    for section, field in Settings.model_fields.items():
        model = field.annotation
        assert isinstance(model, type) and issubclass(model, BaseModel)
        for name, leaf in model.model_fields.items():
            value, default = values[section][name], defaults[section][name]
            rows.append(ExplainedSetting(f"{section}.{name}", value, default, leaf.description or ""))
    return tuple(rows)


def _from_environment(environment: Mapping[str, str]) -> Iterator[tuple[str, str, Any]]:
    for name in sorted(environment):
        if name.startswith(ENVIRONMENT_PREFIX) and "__" in name:
            section, key = name.removeprefix(ENVIRONMENT_PREFIX).lower().split("__", 1)
            yield section, key, _value(name, environment[name])


def _value(name: str, text: str) -> Any:
    """Lists and tables are written as JSON; everything else is left for the setting's own type to read."""
    if not text.lstrip().startswith(("[", "{")):
        return text
    try:
        return json.loads(text)
    except ValueError:
        raise ConfigError(f"{name} is {text!r}, which is not JSON.", 'Write it like ["hr"] or {"sparse": 2}.') from None


def _names_near(key: str) -> str:
    """The settings beside the unknown one: followed down the tree through sections, tables and lists of them."""
    model: Any = Settings
    for part in key.split(".")[:-1]:
        field = model.model_fields.get(part)
        kinds = () if field is None else (field.annotation, *get_args(field.annotation))
        model = next((kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)), model)
    return ", ".join(model.model_fields)

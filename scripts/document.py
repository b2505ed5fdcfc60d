"""Writes the documents that come from the code: docs/settings.md, docs/commands.md and docs/json.md.

With --check it writes nothing and exits with 1 if one of them is not what it would write.
"""

from __future__ import annotations

import dataclasses
import inspect
import sys
import types
import typing
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from evidex.catalog.catalog import AliasChange, GenerationRow, Record
from evidex.catalog.ingest import IngestReport
from evidex.catalog.runs import RunRecord
from evidex.cli.main import main
from evidex.config import ExplainedSetting, Settings, explained
from evidex.diagnosis.verdict import CaseVerdict, Diagnosis
from evidex.doctor import Finding
from evidex.evaluating import Estimate, GoldenCheck, Sweep
from evidex.evaluation.comparing import RunComparison
from evidex.evaluation.report import Report
from evidex.index.build import BuildReport
from evidex.index.planner import Plan
from evidex.new_workspace import NewWorkspace
from evidex.plots.catalogue import Picture
from evidex.types import Case, Document
from evidex.workspace import AskResult, Explanation, SearchResult

DOCS = Path(__file__).parent.parent / "docs"

SCHEMAS: tuple[tuple[str, str, Any], ...] = (
    ("evidex init", "evidex.init/1", {"workspace": str, "choices": list[str]}),
    ("evidex init", "evidex.init/1", NewWorkspace),
    ("evidex ingest", "evidex.ingest/1", IngestReport),
    ("evidex build", "evidex.build/1", BuildReport),
    ("evidex plan", "evidex.plan/1", Plan),
    ("evidex publish, evidex rollback", "evidex.alias/1", AliasChange),
    (
        "evidex generations",
        "evidex.generations/1",
        {"generations": list[GenerationRow], "alias_history": list[AliasChange]},
    ),
    ("evidex documents", "evidex.documents/1", {"documents": list[Record]}),
    ("evidex show", "evidex.document/1", Document),
    ("evidex search", "evidex.search/1", SearchResult),
    ("evidex ask", "evidex.answer/1", AskResult),
    ("evidex explain", "evidex.explanation/1", Explanation),
    ("evidex golden check", "evidex.golden-check/1", GoldenCheck),
    ("evidex golden add, evidex golden confirm", "evidex.case/1", Case),
    ("evidex eval run", "evidex.estimate/1", Estimate),
    ("evidex eval run, evidex eval report, evidex eval score", "evidex.report/1", Report),
    ("evidex eval compare", "evidex.comparison/1", RunComparison),
    ("evidex eval runs", "evidex.runs/1", {"runs": list[RunRecord]}),
    ("evidex eval sweep", "evidex.sweep/1", Sweep),
    ("evidex diagnose", "evidex.diagnosis/1", Diagnosis),
    ("evidex why", "evidex.case-verdict/1", CaseVerdict),
    ("evidex plot", "evidex.pictures/1", {"pictures": Mapping[str, Picture]}),
    ("evidex plot", "evidex.picture/1", {"name": str, "file": str}),
    ("evidex doctor", "evidex.doctor/1", {"findings": list[Finding]}),
    ("evidex config show", "evidex.config/1", {"digest": str, "settings": list[ExplainedSetting]}),
)


def settings_page() -> str:
    """Every setting with its default and meaning."""
    rows = [f"| `{row.name}` | `{_toml(row.default)}` | {row.description} |" for row in explained(Settings())]
    return "\n".join(
        (
            "# Settings",
            "",
            "All settings of `evidex.toml`, with their defaults. An environment variable wins over the file: "
            "`EVIDEX_CHUNKING__MAX_WORDS=80` is `chunking.max_words`. Unknown settings are errors.",
            "",
            "| setting | default | meaning |",
            "|---|---|---|",
            *rows,
            "",
            "`[[sources.mappings]]` takes `path` and, for the documents below it: `tenant`, `readers`, `language`, "
            "`family`, `tags`, `effective_from`, `effective_to`. `[access.users.NAME]` takes `tenant` and `groups`.",
            "",
        )
    )


def commands_page() -> str:
    """The help text of every command."""
    sections = ["# Commands", ""]
    for path, command in _commands(main, ("evidex",)):
        context = click.Context(command, info_name=" ".join(path), max_content_width=100, terminal_width=100)
        sections += [f"## {' '.join(path)}", "", "```text", command.get_help(context), "```", ""]
    return "\n".join(sections)


def json_page() -> str:
    """The fields of everything that `--json` prints."""
    sections = [
        "# JSON",
        "",
        "Every command with `--json` prints one object. Its first field, `schema`, names the shape and its version; a "
        "field is only ever added within a version. Dates are ISO 8601, sets are sorted, "
        "offsets count Unicode code points.",
        "",
    ]
    described: dict[str, type] = {}
    for command, schema, shape in SCHEMAS:
        sections += [f"## {command}: `{schema}`", ""]
        if isinstance(shape, dict):
            sections += [f"- `{name}`: {_described(hint)}" for name, hint in shape.items()]
            for kind in (kind for hint in shape.values() for kind in _dataclasses_in(hint)):
                _collect(kind, described)
        else:
            sections += [_first_line(shape), "", *_fields(shape)]
            for kind in _parts(shape):
                _collect(kind, described)
        sections.append("")
    sections += ["# Shapes", ""]
    for name in sorted(described):
        sections += [f"## `{name}`", "", _first_line(described[name]), "", *_fields(described[name]), ""]
    return "\n".join(sections)


def _commands(group: click.Group, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    for name, command in sorted(group.commands.items()):
        if isinstance(command, click.Group):
            yield from _commands(command, (*path, name))
        else:
            yield (*path, name), command


def _toml(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str():
            return f'"{value}"'
        case dict():
            return "{}"
        case list():
            return "[" + ", ".join(_toml(entry) for entry in value) + "]"
        case _:
            return str(value)


def _collect(kind: type, described: dict[str, type]) -> None:
    if kind.__name__ not in described:
        described[kind.__name__] = kind
        for part in _parts(kind):
            _collect(part, described)


def _parts(kind: type) -> list[type]:
    hints = typing.get_type_hints(kind)
    return [part for field in dataclasses.fields(kind) for part in _dataclasses_in(hints[field.name])]


def _dataclasses_in(hint: Any) -> Iterator[type]:
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        yield hint
    for argument in typing.get_args(hint):
        yield from _dataclasses_in(argument)


def _fields(kind: type) -> list[str]:
    hints = typing.get_type_hints(kind)
    return [f"- `{field.name}`: {_described(hints[field.name])}" for field in dataclasses.fields(kind)]


def _described(hint: Any) -> str:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if hint is type(None):
        return "null"
    if origin is typing.Literal:
        return " or ".join(f"`{argument!r}`".replace("'", '"') for argument in arguments)
    if origin in (typing.Union, types.UnionType):
        return " or ".join(_described(argument) for argument in arguments)
    if origin is tuple and arguments[-1] is not Ellipsis:
        return "[" + ", ".join(_described(argument) for argument in arguments) + "]"
    if origin in (tuple, list, frozenset):
        return f"list of {_described(arguments[0])}"
    if origin is not None:
        return f"object from string to {_described(arguments[1])}"
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return f"`{hint.__name__}`"
    return {"str": "string", "int": "integer", "float": "number", "bool": "boolean", "date": "date", "Any": "any"}.get(
        getattr(hint, "__name__", str(hint)), "string"
    )


def _first_line(kind: type) -> str:
    return (inspect.getdoc(kind) or "").split("\n\n")[0].replace("\n", " ")


PAGES = {"settings.md": settings_page, "commands.md": commands_page, "json.md": json_page}


def run(check: bool) -> int:
    """Write or check every page; returns the exit code."""
    stale = []
    DOCS.mkdir(exist_ok=True)
    for name, page in PAGES.items():
        file, text = DOCS / name, page()
        if check and (not file.exists() or file.read_text("utf-8") != text):
            stale.append(name)
        elif not check:
            file.write_text(text, "utf-8")
    for name in stale:
        print(f"docs/{name} is not what the code says; run 'make docs'")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(run("--check" in sys.argv[1:]))

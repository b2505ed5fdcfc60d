"""YAML as owners write it in front matter: a mapping of words and lists, and nothing that could surprise.

Every scalar stays the text it was written as, so version `1.10` is not 1.1 and language `no` is not false. Anchors
and aliases are refused (a few lines of them unfold into gigabytes), and so are tags, by not being looked at.
"""

from __future__ import annotations

from typing import Any

import yaml

from evidex.errors import SourceError

MAX_BYTES = 64 * 1024


class _NotPlainError(ValueError):
    """YAML of which the loader makes nothing."""

    def __init__(self, problem: str, node: yaml.Node | yaml.Event) -> None:
        self.line = node.start_mark.line if node.start_mark else 0
        super().__init__(problem)


class _PlainLoader(yaml.BaseLoader):
    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event: yaml.Event = self.peek_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise _NotPlainError("anchors and aliases are not allowed", event)
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise _NotPlainError("a key is not a word", key)
            if key.value in seen:
                raise _NotPlainError(f"key {key.value!r} is given twice", key)
            seen.add(key.value)
        return super().construct_mapping(node, deep)


def read_yaml(text: str, *, where: str, first_line: int = 1) -> object:
    """The value of a YAML text: strings, lists and mappings, or None where there is nothing but comments.

    Raises `SourceError` that names the line, counted from `first_line`, for whatever is not plain YAML.
    """
    try:
        value: object = yaml.load(text, _PlainLoader)
    except _NotPlainError as error:
        raise _refusal(where, f"line {first_line + error.line}: {error}") from None
    except yaml.MarkedYAMLError as error:
        line = first_line + (error.problem_mark.line if error.problem_mark else 0)
        raise _refusal(where, f"line {line}: {error.problem}") from None
    except yaml.YAMLError as error:
        raise _refusal(where, " ".join(str(error).split())) from None
    except RecursionError:
        raise _refusal(where, "it is nested too deeply") from None
    return value


def _refusal(where: str, reason: str) -> SourceError:
    return SourceError(f"{where} is not plain YAML: {reason}.", "Write `key: value` lines.")

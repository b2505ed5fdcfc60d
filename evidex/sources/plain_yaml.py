"""YAML as owners write it in front matter: a mapping of words and lists, and nothing that could surprise.

Every scalar stays the text it was written as, so version `1.10` is not 1.1 and language `no` is not false. Anchors
and aliases are refused (a few lines of them unfold into gigabytes), and so are tags, by not being looked at.
"""

from __future__ import annotations

from typing import Any

import yaml

from evidex.errors import SourceError

MAX_BYTES = 64 * 1024


class _PlainLoader(yaml.BaseLoader):
    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event: yaml.Event = self.peek_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise yaml.MarkedYAMLError(problem="anchors and aliases are not allowed", problem_mark=event.start_mark)
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise yaml.MarkedYAMLError(problem="a key is not a word", problem_mark=key.start_mark)
            if key.value in seen:
                raise yaml.MarkedYAMLError(problem=f"key {key.value!r} is given twice", problem_mark=key.start_mark)
            seen.add(key.value)
        return super().construct_mapping(node, deep)


def read_yaml(text: str, *, where: str, first_line: int = 1) -> object:
    """The value of a YAML text: strings, lists and mappings, or None where there is nothing but comments.

    Raises `SourceError` that names the line, counted from `first_line`, for whatever is not plain YAML.
    """
    try:
        value: object = yaml.load(text, _PlainLoader)
    except yaml.MarkedYAMLError as error:
        line = first_line + (error.problem_mark.line if error.problem_mark else 0)
        raise SourceError(f"{where} is not plain YAML: line {line}: {error.problem}.", "Mend that line.") from None
    except (yaml.YAMLError, RecursionError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else " ".join(str(error).split())
        raise SourceError(f"{where} is not plain YAML: {reason}.", "Write `key: value` lines.") from None
    return value

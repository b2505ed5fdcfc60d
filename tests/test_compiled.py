from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from evidex.compiled import kernel


def function_of(source: str, file: str) -> Callable[[int], int]:
    defined: dict[str, Any] = {}
    exec(compile(source, file, "exec"), defined)
    function: Callable[[int], int] = defined["twice"]
    return function


def test_what_is_compiled_is_kept_beside_its_source(tmp_path: Path) -> None:
    file = tmp_path / "twice.py"
    file.write_text("def twice(number):\n    return 2 * number\n", "utf-8")

    assert kernel(function_of(file.read_text("utf-8"), str(file)))(21) == 42
    assert list((tmp_path / "__pycache__").glob("twice.*.nbi"))


def test_where_no_folder_can_keep_it_a_process_compiles_for_itself() -> None:
    assert kernel(function_of("def twice(number):\n    return 2 * number\n", "<no file>"))(21) == 42

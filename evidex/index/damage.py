"""What is said of a file of a generation that is not as it was sealed?"""

from __future__ import annotations

from pathlib import Path

from evidex.errors import GenerationError


def damaged(path: Path, how: str) -> GenerationError:
    """The error that names the file and says what to do."""
    return GenerationError(
        f"The generation's file {str(path)!r} {how}.", "Run 'evidex doctor', then 'evidex build' or roll back."
    )

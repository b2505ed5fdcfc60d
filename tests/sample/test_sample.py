from __future__ import annotations

from pathlib import Path

import pytest

from evidex.errors import ConfigError
from evidex.sample import PARTS, copy_into
from evidex.storage import checksums


def test_a_workspace_gets_the_pages_the_cases_and_the_synonyms_byte_for_byte(sample: Path, tmp_path: Path) -> None:
    copy_into(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(PARTS)
    for part in ("docs", "golden"):
        assert checksums(tmp_path / part) == checksums(sample / part)
    assert (tmp_path / "synonyms.toml").read_bytes() == (sample / "synonyms.toml").read_bytes()


@pytest.mark.parametrize("part", PARTS)
def test_nothing_is_copied_over_what_is_there(tmp_path: Path, part: str) -> None:
    (tmp_path / part).mkdir()
    with pytest.raises(ConfigError, match=part):
        copy_into(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [part]

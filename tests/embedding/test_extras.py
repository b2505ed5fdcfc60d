from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from evidex import plugins
from evidex.config import EmbeddingSettings
from evidex.embedding.packaged import packaged_file
from evidex.errors import MissingExtra

NEEDS = [
    ("minilm", "local", "onnxruntime"),
    ("minilm", "local", "tokenizers"),
    ("static", "static", "safetensors.numpy"),
    ("static", "static", "tokenizers"),
    ("openai", "remote", "httpx"),
]


@pytest.mark.parametrize(("provider", "extra", "library"), NEEDS)
def test_an_absent_library_is_an_error_that_names_the_extra(
    provider: str, extra: str, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    chosen = EmbeddingSettings(model="small" if provider == "openai" else "", base_url="http://127.0.0.1:9/v1")
    with pytest.raises(MissingExtra) as raised:
        plugins.load("embedders", provider)(chosen, Path())
    assert (raised.value.part, raised.value.extra) == (f"embedding provider {provider!r}", extra)


def test_importing_the_adapters_loads_no_optional_library() -> None:
    script = (
        "import sys, evidex.embedding.minilm, evidex.embedding.static, evidex.embedding.openai, evidex.embedding.cached\n"
        "print(sorted({'onnxruntime', 'tokenizers', 'safetensors', 'httpx', 'scipy'} & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout == "[]\n"


def test_a_file_of_a_package_that_is_not_installed_is_none() -> None:
    assert packaged_file("no-such-distribution", "file") is None
    assert packaged_file("numpy", "no/such/file") is None


def test_a_file_of_an_installed_package_is_found_by_its_ending() -> None:
    found = packaged_file("numpy", "numpy/__init__.py")
    assert found is not None
    assert found.is_file()

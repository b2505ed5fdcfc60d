"""How does a picture become a file, or a part of a page? The same picture gives the same bytes, in any process."""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from evidex.errors import ConfigError
from evidex.plots.style import FAINT, INK, MUTED, PAPER, styled
from evidex.storage import Folder

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_METADATA = {
    "svg": {"Date": None, "Creator": None, "Format": None, "Type": None},
    "png": {"Software": None},
}
_VARIABLES = {INK: "--ink", MUTED: "--muted", FAINT: "--faint", PAPER: "--paper"}
"""The neutral colours, and the CSS variables by which a page may set them."""


def save(figure: Figure, path: Path) -> None:
    """Write a picture in the format that the ending of `path` names, as a whole or not at all.

    Raises `ConfigError` for an ending other than .svg and .png.
    """
    Folder(path.parent).write(path.name, _rendered(figure, format_of(path)))


def format_of(path: Path) -> str:
    """`svg` or `png`. Raises `ConfigError` for another ending, so that nothing is drawn in vain."""
    ending = path.suffix.lower().removeprefix(".")
    if ending not in _METADATA:
        raise ConfigError(f"{str(path)!r} does not end in .svg or .png.", "Name the picture with one of the two.")
    return ending


def svg_of(figure: Figure) -> str:
    """A picture as an SVG document. Texts stay texts, so they can be searched and read aloud."""
    return _rendered(figure, "svg").decode()


def inline(svg: str, name: str) -> str:
    """An SVG document as an element within an HTML page, where several may stand.

    Its ids begin with `name`, nothing in it styles the page, and its neutral colours are the page's where it sets
    `--ink`, `--muted`, `--faint` and `--paper`.
    """
    root = ElementTree.fromstring(svg)
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag.rpartition("}")[2] in {"metadata", "style"}:
                parent.remove(child)
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
        element.attrib = {
            key.rpartition("}")[2]: _inlined(key.rpartition("}")[2], value, name)
            for key, value in element.attrib.items()
        }
    width, height = (float(size) for size in root.attrib["viewBox"].split()[2:])
    root.attrib = {
        "viewBox": root.attrib["viewBox"],
        "role": "img",
        "aria-label": name.replace("-", " "),
        "style": f"max-width:{width:.0f}pt;aspect-ratio:{width:.0f}/{height:.0f};stroke-linejoin:round",
    }
    return ElementTree.tostring(root, encoding="unicode", short_empty_elements=False)


def _inlined(key: str, value: str, name: str) -> str:
    if key == "id":
        return f"{name}-{value}"
    if key == "href":
        return value.replace("#", f"#{name}-", 1)
    value = value.replace("url(#", f"url(#{name}-")
    if key in {"style", "fill", "stroke"}:
        for colour, variable in _VARIABLES.items():
            value = value.replace(colour, f"var({variable}, {colour})")
    return value


def _rendered(figure: Figure, format: str) -> bytes:
    stream = io.BytesIO()
    with styled(), warnings.catch_warnings():
        # A picture with a script that the font lacks is still a picture; a browser has the letters.
        warnings.filterwarnings("ignore", message="Glyph .* missing from", category=UserWarning)
        figure.savefig(stream, format=format, metadata=_METADATA[format])
    return stream.getvalue()

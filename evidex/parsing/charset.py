"""Which encoding an HTML file declares for itself."""

from __future__ import annotations

import re

from evidex.errors import ParseError

_PRESCAN_BYTES = 1024
_DECLARATION = re.compile(
    rb"""<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([\w.:-]+) | <\?xml\b[^>]*?\bencoding\s*=\s*["']([\w.:-]+)""",
    re.IGNORECASE | re.VERBOSE,
)
# Browsers read a label as the superset that pages in fact use (WHATWG Encoding Standard, "names and labels").
_SUPERSETS = {
    "ascii": "cp1252",
    "us-ascii": "cp1252",
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "windows-1252": "cp1252",
    "iso-8859-9": "cp1254",
    "windows-1254": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "gb18030": "gb18030",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "windows-31j": "cp932",
    "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
    "utf-16": "utf-8",
    "utf-16le": "utf-8",
    "utf-16be": "utf-8",
    "utf8": "utf-8",
    "macintosh": "mac_roman",
    "ibm866": "cp866",
    "windows-874": "cp874",
    "tis-620": "cp874",
}
# Only these: Python also knows encodings like `unicode_escape`, in which a page could smuggle anything.
_AS_LABELLED = {
    "utf-8", "big5", "euc-jp", "iso-2022-jp", "koi8-r", "koi8-u",
    *(f"iso-8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)),
    *(f"windows-125{digit}" for digit in (0, 1, 3, 5, 6, 7, 8)),
}  # fmt: skip


def declared_charset(data: bytes) -> str:
    """The encoding named by a `meta` element or XML declaration in the first 1024 bytes; UTF-8 where none is.

    Raises `ParseError` for a name that is no encoding of the WHATWG Encoding Standard.
    """
    found = _DECLARATION.search(data[:_PRESCAN_BYTES])
    if found is None:
        return "utf-8"
    label = (found[1] or found[2]).decode("ascii", "replace").lower()
    if label in _AS_LABELLED:
        return label
    if label in _SUPERSETS:
        return _SUPERSETS[label]
    raise ParseError(f"The page declares the encoding {label!r}, which is unknown.", "Save it as UTF-8.")

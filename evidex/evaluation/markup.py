"""What is a page made of? Sections, tables that sort, and drawings, in one HTML file that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


def document(title: str, body: str) -> str:
    """A whole page around `body`, which is HTML."""
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="color-scheme" '
        f'content="light dark">\n<title>{escaped(title)}</title>\n<style>{_CSS}</style>\n</head>\n<body>\n<main>\n'
        f"{body}</main>\n<script>{_JS}</script>\n</body>\n</html>\n"
    )


def section(title: str, body: str) -> str:
    """A part of the page under its heading; `body` is HTML."""
    return f"<section><h2>{escaped(title)}</h2>{body}</section>\n"


def sortable(head: Sequence[str], rows: Iterable[Sequence[str]], *, raw: bool = False) -> str:
    """A table that can be sorted by its columns; `raw` cells are HTML already."""
    top = "".join(f"<th>{escaped(name)}</th>" for name in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{cell if raw else escaped(cell)}</td>" for cell in cells) + "</tr>\n" for cells in rows
    )
    return f"<div class=scroll><table class=sortable><thead><tr>{top}</tr></thead><tbody>\n{body}</tbody></table></div>"


def drawing(picture: str | None) -> str:
    """A picture, which is an SVG element; nothing where there is none."""
    return f"<figure>{picture}</figure>" if picture else ""


def escaped(text: str) -> str:
    """A text as HTML shows it, with a mark in the place of what no file can hold."""
    return escape(text.encode("utf-8", "replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}"))


_CSS = """
:root{--ink:#1f2a33;--muted:#5d6b78;--faint:#d5dbe1;--paper:#fdfdfc;--card:#f3f5f7;--blue:#0072b2;--red:#b34700;
--good:#e3f2ea;--bad:#fbe6d8}
@media (prefers-color-scheme:dark){:root{--ink:#e6ebef;--muted:#9fadb9;--faint:#38434d;--paper:#14191e;--card:#1d242b;
--blue:#6cb8e6;--red:#f0915a;--good:#173526;--bad:#40261a}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
main{max-width:1080px;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{font-size:1.7rem;line-height:1.2;margin:0;overflow-wrap:anywhere}
h2{font-size:1.2rem;margin:2.4rem 0 .6rem}
h3{font-size:1rem;margin:1.4rem 0 .4rem}
.sub,.note,small,dt,summary{color:var(--muted)}
.sub{margin:.2rem 0 0}.note{font-size:.9rem}
.lead{font-size:1.1rem;background:var(--card);border-radius:8px;padding:.4rem 1.1rem;margin-top:1.2rem}
.verdict strong{margin-right:.4rem}.better strong{color:var(--blue)}.worse strong{color:var(--red)}
figure{margin:.8rem 0;overflow-x:auto}figure svg{display:block;width:100%;min-width:36rem;height:auto}
.scroll{overflow-x:auto}
td,dd,li,p,h1{unicode-bidi:isolate}
table{border-collapse:collapse;font-size:.875rem;font-variant-numeric:tabular-nums}
th,td{padding:.3rem .7rem .3rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--faint)}
thead th{color:var(--muted);font-weight:600;white-space:nowrap}
td:first-child{min-width:11rem;overflow-wrap:anywhere}
.sortable.js th{cursor:pointer}.sortable.js th:hover{color:var(--ink)}
th[aria-sort=ascending]::after{content:" ↑"}th[aria-sort=descending]::after{content:" ↓"}
.four td{min-width:6rem;padding-left:.7rem}.good{background:var(--good)}.bad{background:var(--bad)}
.told{min-width:18rem}
.lost{color:var(--red);font-weight:600}
.strip{position:relative;display:inline-block;width:120px;height:.7em;border-bottom:1px solid var(--faint)}
.strip i{position:absolute;top:.2em;height:.35em;background:var(--blue);opacity:.35}
.strip b{position:absolute;top:0;width:2px;margin-left:-1px;height:.75em;background:var(--blue)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem;font-size:.9rem}
dd{margin:0;overflow-wrap:anywhere;font-family:ui-monospace,monospace;font-size:.85em}
summary{cursor:pointer;margin:.5rem 0}
@media (max-width:600px){main{padding:1rem .75rem 3rem}.lead{padding:.2rem .8rem}dl{grid-template-columns:1fr}
dt{margin-top:.5rem}}
@media print{:root{--ink:#000;--muted:#444;--faint:#ccc;--paper:#fff;--card:#fff;--good:#fff;--bad:#fff}
main{max-width:none;padding:0}.scroll,figure{overflow:visible}figure,tr{break-inside:avoid}body{font-size:10pt}
.lead{border:1px solid #ccc}}
"""

_JS = """
for (const table of document.querySelectorAll("table.sortable")) {
  table.classList.add("js");
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => head.addEventListener("click", () => {
    const up = head.getAttribute("aria-sort") === "descending" || !head.hasAttribute("aria-sort") && column === 0;
    heads.forEach(other => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const value = row => row.cells[column].textContent.replace("\\u2212", "-").replace(/,(?=\\d{3})/g, "");
    const order = (a, b) => {
      const [x, y] = [parseFloat(value(a)), parseFloat(value(b))];
      return isNaN(x) || isNaN(y) ? (isNaN(x) ? (isNaN(y) ? value(a).localeCompare(value(b)) : -1) : 1) : x - y;
    };
    const rows = [...table.tBodies[0].rows].sort((a, b) => up ? order(a, b) : order(b, a));
    table.tBodies[0].append(...rows);
  }));
}
"""

"""HTML."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidex.errors import ParseError
from evidex.types import Parsed
from tests.parsing.reading import read_with

Read = Callable[..., Parsed]
Shown = Callable[[Parsed], list[tuple[str, str]]]


def test_text_follows_the_document_and_nothing_visible_is_lost(read: Read, shown: Shown) -> None:
    source = (
        "<html><head><title>T &amp; x</title></head><body>loose <b>bo</b>ld\n <h1>Head <i>line</i></h1>tail"
        "<div>in a div<p>para</p>after</div>end</body></html>and beyond"
    )
    parsed = read(source)
    assert parsed.title == "T & x"
    assert shown(parsed) == [
        ("paragraph", "loose bold"),
        ("heading", "Head line"),
        ("paragraph", "tail"),
        ("paragraph", "in a div"),
        ("paragraph", "para"),
        ("paragraph", "after"),
        ("paragraph", "endand beyond"),
    ]


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>secret</script>",
        "<style>secret</style>",
        "<template><p>secret</p></template>",
        "<noscript><p>secret</noscript>",
        "<div hidden>secret<p>secret</p></div>",
        "<div hidden><div>secret</div>secret</div>",
        "<span hidden>secret<span>secret</span>secret</span>",
        "<p hidden>secret<p>",
        "<ul><li hidden>secret<li></ul>",
        "<div hidden><b>secret</div>",
        "<b><div hidden>secret</b>secret</div>",
        '<div aria-hidden="true">secret</div>',
        '<div style="color:red; DISPLAY : None">secret</div>',
        '<div style="display:/**/none">secret</div>',
        '<div style="visibility: hidden !important">secret</div>',
        '<div style="font-size:0px">secret</div>',
        '<div style="opacity: 0">secret</div>',
        "<dialog>secret</dialog>",
        "<div hidden/>secret</div>",
        "<!-- secret -->",
        "<![if secret]>",
        "<?secret?>",
        "<table><tr><td hidden>secret<td></table>",
    ],
)
def test_what_no_reader_sees_is_left_out_and_the_rest_stays(read: Read, hidden: str) -> None:
    assert read(f"<p>before</p>{hidden}<p>after</p>").text == "before\n\nafter"


@pytest.mark.parametrize(
    "visible", ['style="display:block"', 'style="opacity:0.5"', 'style="font-size:10px"', 'aria-hidden="false"']
)
def test_what_a_reader_sees_stays(read: Read, visible: str) -> None:
    assert read(f"<div {visible}>seen</div>").text == "seen"


def test_a_comment_that_never_ends_hides_the_rest(read: Read) -> None:
    assert read("<p>seen</p><!-- secret").text == "seen"


def test_a_less_than_sign_is_text(read: Read) -> None:
    assert read("<p>1 < 2 && 3 > 2 &lt;b&gt;").text == "1 < 2 && 3 > 2 <b>"


def test_the_title_is_the_first_h1_where_the_page_names_none(read: Read) -> None:
    assert read("<h2>Sub</h2><h1>One <b>two</b></h1><h1>Three</h1>").title == "One two"


def test_lists_are_one_block_with_a_line_for_each_item(read: Read, shown: Shown) -> None:
    source = "<ul><li>a<li>b<p>more</p><ol start=3><li>x</li><li>y</ol><li>c</ul><dl><dt>term<dd>meaning</dl>"
    assert shown(read(source)) == [
        ("list", "- a\n- b\n  more\n  3. x\n  4. y\n- c"),
        ("list", "- term\n  meaning"),
    ]


def test_a_table_reads_like_markdown_and_knows_its_header(read: Read, shown: Shown) -> None:
    parsed = read("<table><caption>Cap</caption><tr><th>A<th>B<tr><td>1\n one<td>2|3</table>")
    assert shown(parsed) == [("paragraph", "Cap"), ("table", "| A | B |\n| --- | --- |\n| 1 one | 2\\|3 |")]
    table = parsed.blocks[1]
    assert parsed.text[table.start : table.header_end] == "| A | B |\n| --- | --- |"


def test_rows_in_a_thead_are_the_header_whatever_their_cells(read: Read) -> None:
    parsed = read("<table><thead><tr><td>A<tbody><tr><td>1</table>")
    assert parsed.text[: parsed.blocks[0].header_end] == "| A |\n| --- |"


def test_a_table_without_header_cells_has_no_header(read: Read) -> None:
    parsed = read("<table><tr><td>1<td>2</table>")
    assert (parsed.text, parsed.blocks[0].header_end) == ("| 1 | 2 |", 0)


def test_spanning_cells_are_written_once_and_columns_stay_in_line(read: Read) -> None:
    source = "<table><tr><th colspan=2>A<th>B<tr><td rowspan=2>1<td>2<td>3<tr><td>4<td>5</table>"
    assert read(source).text == "| A |  | B |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n|  | 4 | 5 |"


def test_a_table_around_headings_or_tables_is_layout(read: Read, shown: Shown) -> None:
    source = "<table><tr><td><h1>Head</h1><p>text</p><table><tr><td>1<td>2</table>tail</table>"
    assert shown(read(source)) == [
        ("heading", "Head"),
        ("paragraph", "text"),
        ("table", "| 1 | 2 |"),
        ("paragraph", "tail"),
    ]


def test_preformatted_text_keeps_its_white_space(read: Read, shown: Shown) -> None:
    assert shown(read("<pre>\n  def f():\n\n      <b>return</b> 1\n</pre>")) == [
        ("code", "  def f():\n\n      return 1")
    ]


def test_a_line_break_ends_a_line_but_no_paragraph(read: Read, shown: Shown) -> None:
    assert shown(read("<p>one<br>two<br/><br>three</p>")) == [("paragraph", "one\ntwo\nthree")]


def test_origins_are_the_lines_on_which_words_stand(read: Read) -> None:
    parsed = read(
        "<p>one\ntwo</p>\n\n<table>\n<tr><td>three\n<tr><td>four</table>\n<pre>\nfive\nsix</pre>", first_line=10
    )
    expected = {"one": 10, "two": 11, "three": 14, "four": 15, "five": 17, "six": 18}
    assert {word: parsed.origins.at(parsed.text.index(word)) for word in expected} == expected


def test_a_declared_charset_is_honoured(read: Read) -> None:
    assert read('<meta charset="iso-8859-1"><p>caf\xe9 – 5 €'.encode("cp1252")).text == "café – 5 €"
    assert read("<?xml version='1.0' encoding='Shift_JIS'?><p>日本語".encode("shift_jis")).text == "日本語"
    assert read('<meta http-equiv=x content="text/html; charset=koi8-r"><p>да'.encode("koi8-r")).text == "да"


@pytest.mark.parametrize("label", ["unicode_escape", "utf-7", "rot13", "nonsense"])
def test_a_charset_that_no_browser_knows_is_refused_by_name(read: Read, label: str) -> None:
    with pytest.raises(ParseError, match=label):
        read(f"<meta charset={label}><p>x")


def test_a_page_without_charset_has_to_be_utf_8(read: Read) -> None:
    with pytest.raises(ParseError, match="offset 6"):
        read(b"<p>caf\xe9</p>")


def test_deep_nesting_is_refused_with_its_line(read: Read) -> None:
    with pytest.raises(ParseError, match="Line 2 nests elements more than 512 deep"):
        read("\n" + "<div>" * 100_000)


@pytest.mark.parametrize("source", ["<b>" * 100_000 + "x", "<p>x" * 20_000, "<li>x" * 20_000, "<td>x" * 20_000])
def test_elements_that_are_never_closed_do_not_nest(read: Read, source: str) -> None:
    assert "x" in read(source).text


def test_a_crash_of_the_tokenizer_is_a_parse_error(read: Read) -> None:
    with pytest.raises(ParseError, match="broke the HTML parser"):
        read("&#" + "9" * 10_000 + ";")


@pytest.mark.parametrize(
    "source",
    [
        "<table>" + "<tr><td colspan=1000>a" * 2_000,
        "<table><tr>" + "<td rowspan=65534>a" * 1_000 + "<tr><td>b" * 2_000,
        "<ul>" * 500 + "<li>x" * 2_000,
    ],
    ids=["colspan", "rowspan", "indentation"],
)
def test_a_page_cannot_blow_up_its_text(read: Read, source: str) -> None:
    assert len(read(source).text) < 20 * len(source)


TAGS = ("p", "div", "h1", "ul", "ol", "li", "dl", "dt", "dd", "table", "tr", "td", "th", "thead", "pre", "b", "body")
MARKUP = st.lists(
    st.sampled_from(
        [f"<{slash}{tag}>" for tag in TAGS for slash in ("", "/")]
        + ["<br>", "<hr>", "word", "\n", "two lines\n", " ", "&amp;", "|"]
    ),
    max_size=40,
)


@given(MARKUP)
def test_visible_words_come_out_in_order_however_the_tags_are_mixed(pieces: list[str]) -> None:
    numbered = [f" w{at} " if piece == "word" else piece for at, piece in enumerate(pieces)]
    words = [f"w{at}" for at, piece in enumerate(pieces) if piece == "word"]
    text = read_with("html", "".join(numbered)).text
    assert re.findall(r"w\d+", text) == words


@given(st.text("<>/!-[]&;#='\" ahidenpl\n", max_size=60))
def test_any_text_is_read(source: str) -> None:
    read_with("html", source)


def test_bars_are_escaped_and_every_word_behind_them_keeps_its_line(read: Callable[..., Parsed]) -> None:
    lines = 20_000
    parsed = read("<table><tr><td>" + "\n".join(f"w{line}|" for line in range(1, lines + 1)) + "</td></tr></table>")
    assert parsed.text.startswith(r"| w1\| w2\| w3\| ")
    for line in (1, 2, 1000, lines):
        assert parsed.origins.at(parsed.text.index(f" w{line}\\|") + 1) == line

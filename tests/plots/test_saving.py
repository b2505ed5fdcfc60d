import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from evidex.errors import ConfigError
from evidex.plots import funnel, rank_heatmap, slices
from evidex.plots.saving import inline, save, svg_of
from tests.plots.reports import HOSTILE, ranks, report, row, three

SVG = "{http://www.w3.org/2000/svg}"

TWICE = """
import sys
from pathlib import Path
from evidex.plots import rank_heatmap
from evidex.plots.saving import save
from tests.plots.reports import three
figure = rank_heatmap.draw(rank_heatmap.of(three()))
for ending in ("svg", "png"):
    save(figure, Path(sys.argv[1]) / f"ranks.{ending}")
"""


def test_two_processes_write_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "other"):
        environment = {"PYTHONHASHSEED": str(len(name)), "MPLCONFIGDIR": str(tmp_path), "MPLBACKEND": "svg"}
        subprocess.run(
            [sys.executable, "-c", TWICE, str(tmp_path / name)],
            check=True,
            env=environment,
            cwd=Path(__file__).parents[2],
        )

    for ending in ("svg", "png"):
        one, other = ((tmp_path / name / f"ranks.{ending}").read_bytes() for name in ("one", "other"))
        assert one == other


def test_a_user_s_own_style_changes_nothing() -> None:
    import matplotlib

    before = svg_of(funnel.draw(funnel.of(three())))
    with matplotlib.rc_context({"font.size": 30, "svg.fonttype": "path", "axes.facecolor": "red"}):
        assert svg_of(funnel.draw(funnel.of(three()))) == before
    assert matplotlib.rcParams["svg.fonttype"] != "none"


def test_an_svg_is_xml_whose_texts_are_texts_and_holds_no_date_and_no_raster() -> None:
    svg = svg_of(rank_heatmap.draw(rank_heatmap.of(three())))

    root = ElementTree.fromstring(svg)
    texts = {element.text for element in root.iter(f"{SVG}text")}
    assert "reranked" in texts
    assert "Where is through?" in texts
    assert list(root.iter(f"{SVG}image")) == []
    assert "date" not in svg


@pytest.mark.parametrize("picture", ["ranks", "slices", "name"])
def test_hostile_text_is_escaped_and_no_formula_is_set(picture: str) -> None:
    hostile = report(
        row("a", question=HOSTILE, category=HOSTILE, values=(("source:R@10", 0.5),), ranks=ranks(sparse=(1,))),
        name=HOSTILE,
    )
    drawn = {
        "ranks": lambda: rank_heatmap.draw(rank_heatmap.of(hostile)),
        "slices": lambda: slices.draw(slices.of(hostile)),
        "name": lambda: funnel.draw(funnel.of(hostile)),
    }[picture]()

    svg = svg_of(drawn)
    for text in (svg, inline(svg, "p")):
        root = ElementTree.fromstring(text)
        assert any("</script><img" in (element.text or "") for element in root.iter())
        assert "<img" not in text
        assert "</script>" not in text
        assert "\x00" not in text


def test_inlined_pictures_have_ids_of_their_own_and_style_nothing_else() -> None:
    svg = svg_of(rank_heatmap.draw(rank_heatmap.of(three())))

    one, other = (ElementTree.fromstring(inline(svg, name)) for name in ("one", "other"))

    ids = [{element.attrib["id"] for element in root.iter() if "id" in element.attrib} for root in (one, other)]
    assert ids[0]
    assert ids[0].isdisjoint(ids[1])
    for root, known in zip((one, other), ids, strict=True):
        assert root.tag == "svg"
        assert not list(root.iter("style"))
        used = {e.attrib["href"].removeprefix("#") for e in root.iter() if "href" in e.attrib}
        used |= {e.attrib["clip-path"][5:-1] for e in root.iter() if "clip-path" in e.attrib}
        assert used <= known
        assert "http" not in ElementTree.tostring(root, encoding="unicode")


def test_a_picture_is_written_whole_over_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "new" / "funnel.PNG"
    path.parent.mkdir()
    path.write_text("old")

    save(funnel.draw(funnel.of(three())), path)

    assert path.read_bytes().startswith(b"\x89PNG")
    assert [file.name for file in path.parent.iterdir()] == ["funnel.PNG"]


@pytest.mark.parametrize("name", ["funnel.pdf", "funnel"])
def test_another_ending_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match=r"does not end in \.svg or \.png"):
        save(funnel.draw(funnel.of(three())), tmp_path / name)
    assert list(tmp_path.iterdir()) == []

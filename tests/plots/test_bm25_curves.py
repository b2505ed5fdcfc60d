from pathlib import Path

import numpy as np
import pytest

from evidex.errors import ConfigError
from evidex.index.postings import Postings, write_postings
from evidex.plots import bm25_curves
from evidex.storage import Folder


def _postings(path: Path, *lengths: int, k1: float = 1.5, b: float = 0.75) -> Postings:
    numbers, sizes = np.zeros(sum(lengths), np.int32), np.array(lengths, np.int64)
    folder = Folder(path)
    write_postings(folder, [(numbers, sizes)], lambda: ["word"] * bool(sum(lengths)), analyzer="plain/1", k1=k1, b=b)
    return Postings.open(path)


@pytest.mark.parametrize(
    ("k1", "at_10", "at_20"), [(0.5, 1.429, 1.463), (1.2, 1.964, 2.075), (1.5, 2.174, 2.326), (3.0, 3.077, 3.478)]
)
def test_saturation_at_average_length_has_its_published_values(
    tmp_path: Path, k1: float, at_10: float, at_20: float
) -> None:
    curves = {curve.value: curve.heights for curve in bm25_curves.of(_postings(tmp_path, 4)).by_frequency}

    assert curves[k1][0] == 0.0
    assert curves[k1][10] == pytest.approx(k1_saturated(10, k1)) == pytest.approx(at_10, abs=5e-4)
    assert curves[k1][20] == pytest.approx(at_20, abs=5e-4)


def k1_saturated(frequency: int, k1: float) -> float:
    return frequency * (k1 + 1) / (frequency + k1)


@pytest.mark.parametrize(("b", "at_twice"), [(0.0, 1.0), (0.75, 0.690), (1.0, 0.625)])
def test_one_mention_in_a_chunk_of_twice_the_length_has_its_published_value(
    tmp_path: Path, b: float, at_twice: float
) -> None:
    curves = {curve.value: curve.heights for curve in bm25_curves.of(_postings(tmp_path, 4)).by_length}

    assert curves[b][bm25_curves.RATIOS.index(2.0)] == pytest.approx(at_twice, abs=5e-4)


def test_the_index_s_own_parameters_have_curves_of_their_own(tmp_path: Path) -> None:
    data = bm25_curves.of(_postings(tmp_path, 4, k1=0.9, b=0.4))

    assert [curve.value for curve in data.by_frequency] == [0.5, 0.9, 1.2, 1.5, 3.0]
    assert [curve.value for curve in data.by_length if curve.own] == [0.4]


def test_shares_count_the_chunks_by_their_length_over_the_average(tmp_path: Path) -> None:
    data = bm25_curves.of(_postings(tmp_path, 1, 1, 1, 1, 16))  # average 4: four at a quarter, one at four times

    assert data.average == 4.0
    assert data.shares[0] == 4 / 5
    assert (data.shorter, data.longer) == (0.0, 1 / 5)


def test_a_chunk_without_terms_is_no_chunk_of_the_picture_and_an_index_without_any_is_refused(tmp_path: Path) -> None:
    assert bm25_curves.of(_postings(tmp_path / "some", 0, 4)).chunks == 1
    with pytest.raises(ConfigError, match="holds no terms"):
        bm25_curves.of(_postings(tmp_path / "none", 0))

import numpy as np
import pytest

from evidex.errors import ConfigError
from evidex.plots import embedding_map
from evidex.types import DocumentKey


def test_axes_hold_the_shares_of_the_variance_that_the_data_has() -> None:
    cross = np.array([[3, 0, 0], [-3, 0, 0], [0, 2, 0], [0, -2, 0], [0, 0, 1], [0, 0, -1]], np.float32) + 10

    data = embedding_map.of(cross, ["a", "a", "b", "b", "c", "c"])

    assert data.explained == pytest.approx((9 / 14, 4 / 14))
    assert np.array(data.groups[0].points) == pytest.approx(np.array([(3, 0), (-3, 0)]), abs=1e-6)


def test_of_more_than_eight_groups_the_seven_greatest_are_named() -> None:
    names = [f"g{at}" for at in range(10) for _ in range(12 - at)]
    vectors = np.random.default_rng(1).normal(size=(len(names), 4)).astype(np.float32)

    data = embedding_map.of(vectors, names)

    assert [(group.name, group.chunks) for group in data.groups] == [
        *((f"g{at}", 12 - at) for at in range(7)),
        ("others", 5 + 4 + 3),
    ]
    assert sum(len(group.points) for group in data.groups) == data.chunks == len(names)


def test_chunks_without_a_vector_are_left_out_and_three_are_needed() -> None:
    vectors = np.array([[1, 0], [0, 1], [0, 0], [1, 1]], np.float32)

    assert embedding_map.of(vectors, ["a"] * 4).chunks == 3
    with pytest.raises(ConfigError, match="2 vectors; a map needs three"):
        embedding_map.of(vectors[:3], ["a"] * 3)
    with pytest.raises(ConfigError, match="0 vectors"):
        embedding_map.of(np.zeros((3, 0), np.float32), ["a"] * 3)


def test_of_many_chunks_every_nth_is_drawn() -> None:
    vectors = np.random.default_rng(1).normal(size=(4_001, 3)).astype(np.float32)

    data = embedding_map.of(vectors, ["a"] * 4_001)

    assert (data.chunks, data.shown) == (4_001, 1_334)  # every third


@pytest.mark.parametrize(
    ("locators", "expected"),
    [
        (("docs/hr/a.md", "docs/it/b.md"), ["hr", "it"]),
        (("/kb/docs/hr/x/a.md", "/kb/docs/hr/y/b.md", "/kb/docs/c.md"), ["hr", "hr", "."]),
        (("a.md", "b.md"), [".", "."]),
        (("C:\\kb\\hr\\a.md", "C:\\kb\\it\\b.md"), ["hr", "it"]),
    ],
)
def test_folders_are_the_first_below_what_all_documents_share(locators: tuple[str, ...], expected: list[str]) -> None:
    by_key = {DocumentKey(str(at)): locator for at, locator in enumerate(locators)}

    assert list(embedding_map.folders(by_key).values()) == expected

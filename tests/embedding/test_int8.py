from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

pytest.importorskip("google.protobuf", reason="needs the extra 'local'")
pytest.importorskip("onnxruntime", reason="needs the extra 'local'")

import onnxruntime

from evidex.embedding.int8 import int8_model, quantised
from evidex.embedding.onnx_messages import FLOAT, INT8, new_node, new_tensor, read_model
from evidex.errors import ConfigError

Floats = NDArray[np.float32]

matrices = arrays.arrays(
    np.float32,
    st.tuples(st.integers(1, 12), st.integers(1, 12)),
    elements=st.floats(-1e3, 1e3, width=32).filter(lambda value: value == 0 or abs(value) > 1e-3),
)


@settings(deadline=None)
@given(matrices)
def test_integers_fill_seven_bits_and_are_within_half_a_step_of_the_matrix(matrix: Floats) -> None:
    integers, scales = quantised(matrix)
    assert (str(integers.dtype), str(scales.dtype)) == ("int8", "float32")
    largest = np.abs(integers.astype(int)).max(axis=0)
    assert largest.tolist() == [64 if column.any() else 0 for column in matrix.T]
    error = np.abs(integers * scales.astype(np.float64) - matrix)
    assert (error <= scales * (0.5 + 1e-4)).all()


def test_a_column_of_zeros_stays_zero_and_has_the_scale_one() -> None:
    integers, scales = quantised(np.array([[0, 128], [0, -64]], np.float32))
    assert integers.tolist() == [[0, 64], [0, -32]]
    assert scales.tolist() == [1, 2]


def tensor_type(name: str, shape: tuple[int, ...]) -> bytes:
    """A ValueInfoProto: name = 1, type = 2 { tensor_type = 1 { elem_type = 1, shape = 2 { dim = 1 { value = 1 } } } }."""

    def field(number: int, content: bytes) -> bytes:
        return bytes([number << 3 | 2, len(content)]) + content

    dims = b"".join(field(1, bytes([1 << 3, size])) for size in shape)
    return field(1, name.encode()) + field(2, field(1, bytes([1 << 3, FLOAT]) + field(2, dims)))


def saved(path: Path, nodes: list[Any], tensors: dict[str, Floats]) -> Path:
    """A model of opset 13 with the input x of shape (2, 3) and the output y of shape (2, 2)."""
    path.write_bytes(b"")
    model = read_model(path)
    model.graph.node.extend(nodes)
    model.graph.initializer.extend(new_tensor(name, FLOAT, values) for name, values in tensors.items())
    graph = model.graph.SerializeToString() + b"".join(
        bytes([number << 3 | 2, len(info)]) + info
        for number, info in ((11, tensor_type("x", (2, 3))), (12, tensor_type("y", (2, 2))))
    )
    assert len(graph) < 1 << 14
    header = b"\x08\x07" + b"\x42\x02\x10\x0d"  # ir_version = 7, opset_import { version = 13 }
    path.write_bytes(header + b"\x3a" + bytes([len(graph) & 127 | 128, len(graph) >> 7]) + graph)
    return path


def run(model: Path | bytes, x: Floats) -> Floats:
    content = model if isinstance(model, bytes) else str(model)
    session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    found: Floats = session.run(None, {"x": x})[0]
    return found


W = np.array([[64, -2], [32, 0], [-16, 128]], np.float32)
X = np.array([[255, 0, 51], [0, 102, 17]], np.float32)
PRODUCT = [new_node("MatMul", ("x", "w"), ("y",))]


def test_a_product_that_eight_bits_can_hold_is_exact(tmp_path: Path) -> None:
    graph = saved(tmp_path / "model.onnx", PRODUCT, {"w": W})
    assert run(graph, X).tolist() == (X @ W).tolist()
    assert run(int8_model(graph), X) == pytest.approx(X @ W, rel=1e-6)


def test_the_model_holds_integers_instead_of_the_matrix(tmp_path: Path) -> None:
    content = int8_model(saved(tmp_path / "model.onnx", PRODUCT, {"w": W}))
    (tmp_path / "int8.onnx").write_bytes(content)
    tensors = {each.name: each for each in read_model(tmp_path / "int8.onnx").graph.initializer}
    assert {name: each.data_type for name, each in tensors.items()} == {"w.q": INT8, "w.scale": FLOAT}
    assert np.frombuffer(tensors["w.q"].raw_data, np.int8).tolist() == [64, -1, 32, 0, -16, 64]


def test_a_matrix_with_another_use_is_kept_beside_its_integers(tmp_path: Path) -> None:
    nodes = [new_node("MatMul", ("x", "w"), ("product",)), new_node("Add", ("product", "v"), ("y",))]
    nodes += [new_node("Add", ("w", "w"), ("twice",))]
    graph = saved(tmp_path / "model.onnx", nodes, {"w": W, "v": np.ones((1, 2), np.float32)})
    assert run(int8_model(graph), X) == pytest.approx(X @ W + 1, rel=1e-6)


def test_products_of_one_input_share_its_rounding(tmp_path: Path) -> None:
    nodes = [new_node("MatMul", ("x", "w"), ("one",)), new_node("MatMul", ("x", "v"), ("other",))]
    nodes += [new_node("Add", ("one", "other"), ("y",))]
    graph = saved(tmp_path / "model.onnx", nodes, {"w": W, "v": -W})
    content = int8_model(graph)
    assert content.count(b"DynamicQuantizeLinear") == 1
    assert not run(content, X).any()


def test_two_calls_give_the_same_bytes(tmp_path: Path) -> None:
    graph = saved(tmp_path / "model.onnx", PRODUCT, {"w": W})
    assert int8_model(graph) == int8_model(graph)


def test_tensors_in_a_file_of_their_own_are_taken_in(tmp_path: Path) -> None:
    graph = saved(tmp_path / "model.onnx", PRODUCT, {"w": W})
    inside = int8_model(graph)
    model = read_model(graph)
    (tensor,) = model.graph.initializer
    (tmp_path / "weights").write_bytes(b"1234" + tensor.raw_data)
    tensor.ClearField("raw_data")
    tensor.data_location = 1
    for key, value in {"location": "weights", "offset": "4", "length": str(W.nbytes)}.items():
        tensor.external_data.add(key=key, value=value)
    graph.write_bytes(model.SerializeToString())
    assert int8_model(graph) == inside
    (tmp_path / "weights").write_bytes(b"1234")
    with pytest.raises(ConfigError, match=r"'w'.*0 bytes instead of 24"):
        int8_model(graph)
    (tmp_path / "weights").unlink()
    with pytest.raises(ConfigError, match="weights"):
        int8_model(graph)


def test_values_written_one_by_one_are_read(tmp_path: Path) -> None:
    graph = saved(tmp_path / "model.onnx", PRODUCT, {"w": W})
    inside = int8_model(graph)
    model = read_model(graph)
    (tensor,) = model.graph.initializer
    tensor.ClearField("raw_data")
    tensor.float_data.extend(W.ravel().tolist())
    graph.write_bytes(model.SerializeToString())
    assert int8_model(graph) == inside


def test_a_model_without_constant_matrices_is_an_error_that_names_it(tmp_path: Path) -> None:
    graph = saved(tmp_path / "model.onnx", [new_node("Add", ("x", "x"), ("y",))], {})
    with pytest.raises(ConfigError, match=r"model\.onnx.*float32"):
        int8_model(graph)


def test_a_file_that_is_no_model_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"no graph")
    with pytest.raises(ConfigError, match=r"model\.onnx"):
        int8_model(tmp_path / "model.onnx")

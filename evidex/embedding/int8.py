"""The matrices of an ONNX graph in eight bits: a model that multiplies integers, made from one that multiplies floats.

Column n of a matrix W becomes Q = round(W / s), s = max |W| / 64, and the product X W becomes

    (X̂ Q) · a · s        with X ≈ a (X̂ - z), X̂ in 0 … 255,

where a and z fit the range of X and are found while the model runs. They are found for all of X, so texts that are run
together would share them: the vector of a text does not depend on its neighbours only where each text is run alone.

Seven bits, -64 … 64, are taken of the eight: processors without VNNI add two products in 16 bits and cut off what is
larger, and 2 · 255 · 64 is not. So all processors find the same sums.

Sources: Jacob et al. (2018), "Quantization and Training of Neural Networks for Efficient Integer-Arithmetic-Only
Inference"; DynamicQuantizeLinear and MatMulInteger in the ONNX operators.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidex.embedding.onnx_messages import FLOAT, INT8, matrix_of, new_node, new_tensor, read_model, take_in
from evidex.errors import ConfigError

SCHEME = "int8/1"
"""Names the rules above in contracts; raise the version when the same weights would be rounded otherwise."""

LARGEST = 64


def quantised(matrix: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """A matrix (rows, columns) as integers of -64 … 64, and the scale of each column; that of zeros is 1."""
    scales = np.abs(matrix).max(axis=0, initial=0.0) / np.float32(LARGEST)
    scales[scales == 0] = 1
    return np.rint(matrix / scales).astype(np.int8), scales


def int8_model(graph: Path) -> bytes:
    """The model of the file `graph` with every product by a constant matrix done in integers.

    Raises `ConfigError` for a file that holds no model, or none with such products.
    """
    model = read_model(graph)
    matrices = {each.name: each for each in model.graph.initializer if each.data_type == FLOAT and len(each.dims) == 2}
    chosen = {node.input[1] for node in model.graph.node if _is_product(node, matrices)}
    if not chosen:
        raise ConfigError(
            f"{str(graph)!r} multiplies by no constant float32 matrix.",
            "Set embedding.precision to 'float32', or name a model that was not quantised before.",
        )
    nodes = list(_rewritten(model.graph.node, matrices))
    kept = {name for node in nodes for name in node.input}
    tensors = [each for each in model.graph.initializer if each.name not in chosen or each.name in kept]
    for tensor in tensors:
        take_in(tensor, graph.parent)
    for name in sorted(chosen):
        integers, scales = quantised(matrix_of(matrices[name], graph.parent))
        tensors += [new_tensor(f"{name}.q", INT8, integers), new_tensor(f"{name}.scale", FLOAT, scales)]
    for field, values in (("node", nodes), ("initializer", tensors)):
        model.graph.ClearField(field)
        getattr(model.graph, field).extend(values)
    content: bytes = model.SerializeToString()
    return content


def _is_product(node: Any, matrices: dict[str, Any]) -> bool:
    return node.op_type == "MatMul" and node.domain == "" and node.input[1] in matrices


def _rewritten(nodes: Any, matrices: dict[str, Any]) -> Iterator[Any]:
    """The nodes in their order; one input of several products is quantised once."""
    quantised_inputs: set[str] = set()
    for node in nodes:
        if not _is_product(node, matrices):
            yield node
            continue
        (x, w), (y,) = node.input, node.output
        if x not in quantised_inputs:
            quantised_inputs.add(x)
            yield new_node("DynamicQuantizeLinear", (x,), (f"{x}.q", f"{x}.scale", f"{x}.zero"))
        yield new_node("MatMulInteger", (f"{x}.q", f"{w}.q", f"{x}.zero"), (f"{y}.int",))
        yield new_node("Cast", (f"{y}.int",), (f"{y}.float",), to=FLOAT)
        yield new_node("Mul", (f"{x}.scale", f"{w}.scale"), (f"{y}.scale",))
        yield new_node("Mul", (f"{y}.float", f"{y}.scale"), (y,))

"""An ONNX model as messages that can be changed, as far as that takes: what is not named here is kept as it is.

The numbers are those of `onnx.proto` of the ONNX project. Declaring the few fields that are used spares the package
`onnx`; the protobuf runtime comes with onnxruntime.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidex.errors import ConfigError

FLOAT, INT8 = 1, 3
"""Values of TensorProto.DataType."""
_EXTERNAL = 1  # TensorProto.DataLocation
_INT = 2  # AttributeProto.AttributeType

# Kinds as in FieldDescriptorProto.Type; another message's name stands for that message, `*` for any number.
_MESSAGES: dict[str, tuple[tuple[str, int, str], ...]] = {
    "Model": (("graph", 7, "Graph"),),
    "Graph": (("node", 1, "Node*"), ("initializer", 5, "Tensor*")),
    "Node": (
        ("input", 1, "STRING*"),
        ("output", 2, "STRING*"),
        ("op_type", 4, "STRING"),
        ("attribute", 5, "Attribute*"),
        ("domain", 7, "STRING"),
    ),
    "Attribute": (("name", 1, "STRING"), ("i", 3, "INT64"), ("type", 20, "INT32")),
    "Tensor": (
        ("dims", 1, "INT64*"),
        ("data_type", 2, "INT32"),
        ("float_data", 4, "FLOAT*"),
        ("name", 8, "STRING"),
        ("raw_data", 9, "BYTES"),
        ("external_data", 13, "Entry*"),
        ("data_location", 14, "INT32"),
    ),
    "Entry": (("key", 1, "STRING"), ("value", 2, "STRING")),
}


def read_model(path: Path) -> Any:
    """The model of a file. Raises `ConfigError` for a file that holds none."""
    model = _types()["Model"]()
    try:
        model.ParseFromString(path.read_bytes())
    except Exception as error:  # noqa: BLE001  # protobuf's DecodeError is no name without importing the library
        raise ConfigError(f"{str(path)!r} cannot be opened: {error}.", "Name a folder with a whole model.") from None
    return model


def matrix_of(tensor: Any, folder: Path) -> NDArray[np.float32]:
    """The values of a float32 tensor of a model in `folder`. Raises `ConfigError` where they are not whole."""
    content = np.array(tensor.float_data, "<f4") if tensor.float_data else _content(tensor, folder)
    size = math.prod(tensor.dims)
    if content.nbytes != 4 * size:
        raise ConfigError(
            f"{tensor.name!r} in {str(folder)!r} has {content.nbytes} bytes instead of {4 * size}.",
            "Name a folder with a whole model.",
        )
    values: NDArray[np.float32] = content.view("<f4").reshape(tuple(tensor.dims))
    return values


def take_in(tensor: Any, folder: Path) -> None:
    """Move the content of a tensor that lies in a file of `folder` into the model."""
    if tensor.data_location == _EXTERNAL:
        tensor.raw_data = _content(tensor, folder).tobytes()
        tensor.ClearField("data_location")
        tensor.ClearField("external_data")


def new_node(operator: str, inputs: Sequence[str], outputs: Sequence[str], **attributes: int) -> Any:
    """A node of ONNX's own operators."""
    node = _types()["Node"](op_type=operator, input=inputs, output=outputs)
    for name, value in attributes.items():
        node.attribute.add(name=name, i=value, type=_INT)
    return node


def new_tensor(name: str, data_type: int, values: NDArray[Any]) -> Any:
    """A constant; `values` are of the type that the number means."""
    content = values.astype(values.dtype.newbyteorder("<"), copy=False).tobytes()
    return _types()["Tensor"](name=name, data_type=data_type, dims=values.shape, raw_data=content)


def _content(tensor: Any, folder: Path) -> NDArray[np.uint8]:
    if tensor.data_location != _EXTERNAL:
        return np.frombuffer(tensor.raw_data, np.uint8)
    place = {entry.key: entry.value for entry in tensor.external_data}
    path, count, offset = folder / place["location"], int(place.get("length", -1)), int(place.get("offset", 0))
    try:
        return np.fromfile(path, np.uint8, count, offset=offset)
    except OSError as error:
        raise ConfigError(f"{str(path)!r} cannot be read: {error}.", "Name a folder with a whole model.") from None


@cache
def _types() -> dict[str, Any]:
    from google.protobuf import (  # type: ignore[import-untyped]
        descriptor_pb2,
        descriptor_pool,
        message_factory,
    )

    file = descriptor_pb2.FileDescriptorProto(name="evidex/onnx.proto", package="evidex", syntax="proto2")
    kinds = descriptor_pb2.FieldDescriptorProto
    for message, fields in _MESSAGES.items():
        declared = file.message_type.add(name=message)
        for name, number, kind in fields:
            label = kinds.LABEL_REPEATED if kind.endswith("*") else kinds.LABEL_OPTIONAL
            field = declared.field.add(name=name, number=number, label=label)
            if kind.rstrip("*") in _MESSAGES:
                field.type, field.type_name = kinds.TYPE_MESSAGE, f".evidex.{kind.rstrip('*')}"
            else:
                field.type = kinds.Type.Value(f"TYPE_{kind.rstrip('*')}")
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return {name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"evidex.{name}")) for name in _MESSAGES}

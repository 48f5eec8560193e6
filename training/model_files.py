"""Store an ONNX model as a graph and several files of weights, each below a size limit."""

from __future__ import annotations

from pathlib import Path

import onnx
from onnx import external_data_helper

MOST_BYTES = 48 * 1024 * 1024
"""Of a file of weights; hosts of repositories warn about files over 50 MiB."""

_SMALL = 1024
_ALIGNMENT = 4096
"""Tensors that begin at pages can be mapped into memory."""


def store(model: onnx.ModelProto, folder: Path, name: str) -> list[str]:
    """Write `model` to `folder`; the names of the files, the graph's first.

    The tensors of `model` are moved out of it.
    """
    parts: list[bytearray] = [bytearray()]
    for tensor in model.graph.initializer:
        data = tensor.raw_data
        if len(data) < _SMALL:
            continue
        padding = -len(parts[-1]) % _ALIGNMENT
        if parts[-1] and len(parts[-1]) + padding + len(data) > MOST_BYTES:
            parts.append(bytearray())
            padding = 0
        parts[-1] += bytes(padding)
        location = _weights_name(len(parts) - 1)
        external_data_helper.set_external_data(tensor, location, len(parts[-1]), len(data))
        parts[-1] += data
        tensor.ClearField("raw_data")
    for number, part in enumerate(parts):
        (folder / _weights_name(number)).write_bytes(part)
    (folder / name).write_bytes(model.SerializeToString(deterministic=True))
    return [name, *map(_weights_name, range(len(parts)))]


def _weights_name(number: int) -> str:
    return f"weights-{number}.bin"

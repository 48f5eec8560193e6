"""Recover weights from the files of `config/models`, to train them further.

    python training/recover.py config/models BASE OUT.npz

`BASE` gives what fine-tuning left as it was (embeddings, positions, lower layers) and the names of
all weights. What the model stores as 8-bit integers comes back at their precision. Needs onnx.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import numpy as np
import onnx
import onnx_graph
import weights
from numpy.typing import NDArray
from onnx import numpy_helper

Arrays = dict[str, NDArray[np.float32]]


def constants(folder: Path) -> Arrays:
    """The named constants of the model in `folder`."""
    model = onnx.load(str(folder / "model.onnx"))
    return {one.name: numpy_helper.to_array(one) for one in model.graph.initializer}


def linear(found: Arrays, name: str, shift: float) -> tuple[NDArray[np.float32], ...]:
    """Weight (outputs x inputs) and bias of a layer whose inputs were moved by `shift`."""
    blocks = sum(key.startswith(f"{name}.weight.") for key in found)
    parts = [
        found[f"{name}.weight.{at}"].astype(np.float32) * found[f"{name}.step.{at}"]
        for at in range(blocks)
    ]
    matrix = np.concatenate(parts)
    bias = found[f"{name}.bias"] + shift * matrix.sum(0)
    matrix[found[f"{name}.large"]] = found[f"{name}.large.weight"].astype(np.float32)
    return matrix.T, bias


def recovered(folder: Path, base: Path, first: int) -> Arrays:
    """All weights, those of the layers from `first` on and of the head from the model's files."""
    state, found = dict(weights.load(base)), constants(folder)
    for name in [key for key in state if key.startswith("layers.")]:
        _, number, part, *kind = name.split(".")
        if int(number) < first or kind != ["weight"]:
            continue
        layer = f"layers.{number}.{part}"
        if part in ("n1", "n2"):
            state[name], state[f"{layer}.bias"] = found[name], found[f"{layer}.bias"]
            continue
        shift = onnx_graph.GELU_LOWEST if part == "d" else 0.0
        matrix, bias = linear(found, layer, shift)
        if part == "qkv":
            width = matrix.shape[1]
            scale = math.sqrt(width // onnx_graph.HEADS)
            matrix[:width] *= scale
            bias[:width] *= scale
        state[name], state[f"{layer}.bias"] = matrix, bias
    for name in ("h1", "h2"):
        state[f"{name}.weight"] = found[f"{name}.weight"].astype(np.float32)
        state[f"{name}.bias"] = found[f"{name}.bias"]
    return state


def main() -> None:
    """Read the arguments and save the weights."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("base", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--first", type=int, default=8, help="The lowest layer that was trained.")
    given = parser.parse_args()
    weights.save(given.out, recovered(given.folder, given.base, given.first))


if __name__ == "__main__":
    main()

"""The model's products of integers are exact, also on processors that add pairs in 16 bits."""

from __future__ import annotations

import importlib
from functools import cache
from typing import Any

import numpy as np
import pytest
from foureyes.verification.reader.onnx_reader import models_folder, packaged_model
from numpy.typing import NDArray

MOST_OF_A_PAIR = 128


@cache
def integer_weights() -> dict[str, NDArray[np.int8]]:
    onnx: Any = importlib.import_module("onnx")
    numpy_helper: Any = importlib.import_module("onnx.numpy_helper")
    model = onnx.load(str(models_folder() / "model.onnx"))
    stored = {one.name: one for one in model.graph.initializer}
    used = [node.input[1] for node in model.graph.node if node.op_type == "MatMulIntegerToFloat"]
    return {name: numpy_helper.to_array(stored[name]) for name in used}


def product(left: NDArray[np.uint8], right: NDArray[np.int8], zero: int) -> NDArray[np.int32]:
    helper: Any = importlib.import_module("onnx.helper")
    onnx: Any = importlib.import_module("onnx")
    numpy_helper: Any = importlib.import_module("onnx.numpy_helper")
    # Only the reader loads the runtime so that it sends nothing to its vendor.
    packaged_model().load()
    runtime: Any = importlib.import_module("onnxruntime")
    kinds = onnx.TensorProto
    graph = helper.make_graph(
        [helper.make_node("MatMulInteger", ["left", "right", "zero"], ["product"])],
        "product",
        [helper.make_tensor_value_info("left", kinds.UINT8, left.shape)],
        [helper.make_tensor_value_info("product", kinds.INT32, None)],
        [
            numpy_helper.from_array(right, "right"),
            numpy_helper.from_array(np.uint8(zero), "zero"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    session = runtime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    return session.run(None, {"left": left})[0]


def test_neighbours_of_one_sign_stay_within_sixteen_bits() -> None:
    for name, weights in integer_weights().items():
        wide = weights.astype(np.int32)
        first, second = wide[0::2], wide[1::2]
        sums = np.where(first * second > 0, np.abs(first) + np.abs(second), 0)
        assert sums.max() <= MOST_OF_A_PAIR, name


@pytest.mark.parametrize("zero", [0, 128])
def test_the_runtime_multiplies_as_wide_integers_do(zero: int) -> None:
    weights = next(iter(integer_weights().values()))
    random = np.random.default_rng(0).integers(0, 256, (16, len(weights)), dtype=np.uint8)
    # The largest sums there can be: the highest input wherever a column's weight is positive.
    highest = np.where(weights.T[:32] > 0, 255, 0).astype(np.uint8)
    inputs = np.concatenate([highest, 255 - highest, random])
    exact = (inputs.astype(np.int32) - zero) @ weights.astype(np.int32)
    assert (product(inputs, weights, zero) == exact).all()

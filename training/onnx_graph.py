"""The reader's network as an ONNX graph, written node by node from its weights.

Written rather than traced, since a pair is read by itself: without a batch there is neither
padding nor mask, and attention needs nothing but a table of distances. Linear layers multiply
integers, which are exact (`quantisation.py`): the weights have a step for each output, the inputs
one for each token and block of inputs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
import quantisation
import weights
from calibration import Samples
from network import EPSILON, FIRST_POSITION, HEADS, distance_buckets
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

IDS, PROBABILITIES = "ids", "probabilities"
OPSET, RUNTIME_OPSET, IR_VERSION = 20, 1, 9
RUNTIME = "com.microsoft"
"""Operators of ONNX Runtime's own, which join several standard ones."""

_SIGNED_ZERO = 128
"""What stands for 0 among unsigned bytes where inputs have both signs."""
GELU_LOWEST = 0.17
"""GELU is never below -0.16998, so that inputs shifted by this use all levels."""
# A block of inputs has a step of its own: the more blocks, the less error, and the more passes
# over the outputs, which are few in these two layers.
_MIXED_BLOCKS, _INNER_BLOCKS = 3, 8
_STORED_BLOCK = 64
"""Inputs with a step of their own where weights are only stored as integers."""

Floats = NDArray[np.float32]


@dataclass
class GraphBuilder:
    """Collects nodes and constants of a graph."""

    nodes: list[onnx.NodeProto] = field(default_factory=list)
    constants: list[onnx.TensorProto] = field(default_factory=list)
    _small: dict[tuple[str, tuple[int, ...], bytes], str] = field(default_factory=dict)

    def add(self, kind: str, inputs: list[str], *, domain: str = "", **attributes: Any) -> str:
        """Add a node; the name of its output."""
        return self.split(kind, inputs, 1, domain=domain, **attributes)[0]

    def split(
        self, kind: str, inputs: list[str], count: int, *, domain: str = "", **attributes: Any
    ) -> list[str]:
        """Add a node with `count` outputs; their names."""
        name = f"{kind}_{len(self.nodes)}"
        outputs = [f"{name}_{index}" for index in range(count)]
        node = helper.make_node(kind, inputs, outputs, name=name, domain=domain, **attributes)
        self.nodes.append(node)
        return outputs

    def weight(self, name: str, array: NDArray[Any]) -> str:
        """Store a named constant."""
        self.constants.append(numpy_helper.from_array(np.asarray(array, order="C"), name))
        return name

    def halves(self, name: str, array: Floats) -> str:
        """Store a named constant at 16 bits, as which weights come; it is unpacked at loading."""
        return self.add("Cast", [self.weight(name, array.astype(np.float16))], to=TensorProto.FLOAT)

    def value(self, value: Any, kind: type = np.int64) -> str:
        """Store a small constant, equal ones once."""
        array = np.asarray(value, dtype=kind)
        key = (array.dtype.str, array.shape, array.tobytes())
        if key not in self._small:
            self._small[key] = self.weight(f"value_{len(self._small)}", array)
        return self._small[key]


@dataclass(frozen=True)
class _Columns:
    integers: quantisation.Integers
    steps: Floats

    def totals(self) -> Floats:
        """The sum of each column."""
        return self.integers.sum(0, dtype=np.int64) * self.steps


@dataclass(frozen=True)
class _Network:
    graph: GraphBuilder
    state: weights.State
    samples: Samples | None

    def named(self, name: str) -> str:
        return self.graph.weight(name, self.state[name])

    def norm(self, name: str, x: str) -> str:
        inputs = [x, self.named(f"{name}.weight"), self.named(f"{name}.bias")]
        return self.graph.add("LayerNormalization", inputs, axis=-1, epsilon=EPSILON)

    def linear(
        self,
        name: str,
        x: str,
        *,
        scale: Floats | float = 1.0,
        shift: float = 0.0,
        blocks: int = 1,
    ) -> str:
        """A linear layer, its outputs multiplied by `scale`.

        Args:
            name: Of its weights.
            x: Its inputs, which are never below the negative of `shift`; 0 for both signs.
            scale: A factor for all outputs, or one for each.
            shift: What is added to the inputs, so that they use all levels.
            blocks: Into how many blocks of inputs a token is split, each with a step of its own.
        """
        graph = self.graph
        matrix = self.state[f"{name}.weight"].T * scale
        bias = self.state[f"{name}.bias"] * scale
        if self.samples is None:
            return self._float_linear(name, x, matrix, bias)
        large = quantisation.largest_inputs(self.samples[name])
        few = graph.add("Gather", [x, graph.weight(f"{name}.large", large)], axis=1)
        others = np.ones(len(matrix), np.float32)
        others[large] = 0
        parts = [
            _Columns(*quantisation.quantise_columns(part))
            for part in np.split(matrix * others[:, None], blocks)
        ]
        bias = bias - shift * sum(part.totals() for part in parts)
        floats = [
            few,
            graph.halves(f"{name}.large.weight", matrix[large]),
            graph.weight(f"{name}.bias", bias.astype(np.float32)),
        ]
        if shift:
            x = graph.add("Add", [x, graph.value(shift, np.float32)])
        x = graph.add("Mul", [x, graph.weight(f"{name}.others", others)])
        total = graph.add("Gemm", floats)
        for product in self._products(name, x, parts, signed=not shift):
            total = graph.add("Add", [total, product])
        return total

    def _float_linear(self, name: str, x: str, matrix: Floats, bias: Floats) -> str:
        """A linear layer in floats, of weights that are unpacked at loading."""
        graph = self.graph
        inputs, outputs = matrix.shape
        parts = np.split(matrix, inputs // _STORED_BLOCK)
        integers, steps = zip(*map(quantisation.quantise_outputs, parts), strict=True)
        stored = graph.weight(f"{name}.weight", np.stack(integers))
        unpacked = graph.add("Cast", [stored], to=TensorProto.FLOAT)
        step = graph.halves(f"{name}.step", np.stack(steps)[:, None])
        scaled = graph.add("Mul", [unpacked, step])
        weight = graph.add("Reshape", [scaled, graph.value([inputs, outputs])])
        shift = graph.weight(f"{name}.bias", bias.astype(np.float32))
        return graph.add("Add", [graph.add("MatMul", [x, weight]), shift])

    def _products(
        self, name: str, x: str, blocks: Sequence[_Columns], *, signed: bool
    ) -> Iterator[str]:
        """The product of each block of `x` with its part of the weights."""
        graph = self.graph
        count, size = len(blocks), len(blocks[0].integers)
        rows = graph.add("Reshape", [x, graph.value([-1, size])]) if count > 1 else x
        magnitudes = graph.add("Abs", [rows]) if signed else rows
        largest = graph.add("ReduceMax", [magnitudes, graph.value([1])], keepdims=0)
        most = quantisation.MOST if signed else quantisation.MOST_UNSIGNED
        step = graph.add("Mul", [largest, graph.value(1 / most, np.float32)])
        zero = _SIGNED_ZERO if signed else 0
        zeros = graph.add("Expand", [graph.value([zero], np.uint8), graph.add("Shape", [step])])
        stored = graph.add("QuantizeLinear", [rows, step, zeros], axis=0)
        parts = self._columns_apart(stored, count, size)
        part_steps = self._columns_apart(step, count, 1)
        for number, block in enumerate(blocks):
            inputs = [
                parts[number],
                graph.weight(f"{name}.weight.{number}", block.integers),
                graph.value(1, np.float32),
                graph.weight(f"{name}.step.{number}", block.steps),
                graph.value(zero, np.uint8),
            ]
            product = graph.add("MatMulIntegerToFloat", inputs, domain=RUNTIME)
            yield graph.add("Mul", [product, part_steps[number]])

    def _columns_apart(self, x: str, blocks: int, size: int) -> list[str]:
        """Each block of `x`, a row for each token."""
        graph = self.graph
        joined = graph.add("Reshape", [x, graph.value([-1, blocks * size])])
        if blocks == 1:
            return [joined]
        return graph.split("Split", [joined], blocks, axis=1, num_outputs=blocks)

    def embedded(self, length: str) -> str:
        """The first layer's input."""
        graph = self.graph
        integers, steps = quantisation.quantise_rows(self.state["we.weight"])
        rows = graph.add("Gather", [graph.weight("we.weight", integers), IDS])
        scales = graph.add("Gather", [graph.weight("we.step", steps), IDS])
        words = graph.add("Mul", [graph.add("Cast", [rows], to=TensorProto.FLOAT), scales])
        table = graph.halves("pe.weight", self.state["pe.weight"][FIRST_POSITION:])
        places = graph.add("Slice", [table, graph.value([0]), length, graph.value([0])])
        return self.norm("n0", graph.add("Add", [words, places]))

    def distance_bias(self, length: str) -> str:
        """What is added to the attention of each token (row) to each other one (column)."""
        graph = self.graph
        most = len(self.state["pe.weight"]) - FIRST_POSITION
        buckets = distance_buckets(most).numpy()
        # By distance: the last row looks back to the first column, the first row forwards.
        line = np.concatenate([buckets[-1], buckets[0, 1:]])
        table = graph.weight("rel.weight", self.state["rel.weight"][line].T)
        last = graph.add("Squeeze", [length])
        places = graph.add("Range", [graph.value(0), last, graph.value(1)])
        row = graph.add("Unsqueeze", [places, graph.value([0])])
        column = graph.add("Unsqueeze", [places, graph.value([1])])
        distance = graph.add("Add", [graph.add("Sub", [row, column]), graph.value(most - 1)])
        return graph.add("Gather", [table, distance], axis=1)

    def attention(self, name: str, x: str, bias: str) -> str:
        """What attention mixes for each token."""
        graph = self.graph
        width = self.state[f"{name}.o.weight"].shape[0]
        size = width // HEADS
        # Scores are scaled by scaling the query.
        scale = np.ones(3 * width, np.float32)
        scale[:width] = 1 / math.sqrt(size)
        linear = self.linear(f"{name}.qkv", x, scale=scale)
        parts = graph.split("Split", [linear], 3, axis=1, num_outputs=3)
        shape = graph.value([0, HEADS, size])
        query, key, value = (
            graph.add("Transpose", [graph.add("Reshape", [part, shape])], perm=order)
            for part, order in zip(parts, ([1, 0, 2], [1, 2, 0], [1, 0, 2]), strict=True)
        )
        scores = graph.add("Add", [graph.add("MatMul", [query, key]), bias])
        mixed = graph.add("MatMul", [graph.add("Softmax", [scores], axis=-1), value])
        joined = graph.add("Transpose", [mixed], perm=[1, 0, 2])
        return graph.add("Reshape", [joined, graph.value([0, width])])

    def layer(self, name: str, x: str, bias: str) -> str:
        """A layer of the encoder."""
        mixed = self.linear(f"{name}.o", self.attention(name, x, bias), blocks=_MIXED_BLOCKS)
        x = self.norm(f"{name}.n1", self.graph.add("Add", [x, mixed]))
        inner = self.graph.add("Gelu", [self.linear(f"{name}.i", x)])
        outer = self.linear(f"{name}.d", inner, shift=GELU_LOWEST, blocks=_INNER_BLOCKS)
        return self.norm(f"{name}.n2", self.graph.add("Add", [x, outer]))

    def head(self, x: str) -> None:
        graph = self.graph
        first = graph.add("Gather", [x, graph.value([0])], axis=0)
        mean = graph.add("ReduceMean", [x, graph.value([0])], keepdims=1)
        pooled = graph.add("Concat", [first, mean], axis=1)
        for name, kind in (("h1", "Tanh"), ("h2", "Softmax")):
            weight = graph.halves(f"{name}.weight", self.state[f"{name}.weight"])
            linear = graph.add("Gemm", [pooled, weight, self.named(f"{name}.bias")], transB=1)
            pooled = graph.add(kind, [linear])
        graph.nodes[-1].output[0] = PROBABILITIES


def _with_sorted_inner(state: weights.State, samples: Samples) -> tuple[weights.State, Samples]:
    """The same network with the inner outputs of each layer in order of their size.

    Blocks then hold inputs of a size, and share a step at little cost.
    """
    state, samples = dict(state), dict(samples)
    for name in [name.removesuffix(".d.weight") for name in state if name.endswith(".d.weight")]:
        order = np.argsort(np.square(samples[f"{name}.d"]).mean(0))
        samples[f"{name}.d"] = samples[f"{name}.d"][:, order]
        for part in ("i.weight", "i.bias"):
            state[f"{name}.{part}"] = state[f"{name}.{part}"][order]
        state[f"{name}.d.weight"] = state[f"{name}.d.weight"][:, order]
    return state, samples


def make_model(state: weights.State, samples: Samples | None) -> onnx.ModelProto:
    """The network of `state` as a model from ``ids`` (tokens) to ``probabilities`` (1 x 3).

    Args:
        state: The weights.
        samples: Inputs of each linear layer, which then multiplies integers; None for floats.
    """
    graph = GraphBuilder()
    length = graph.add("Shape", [IDS])
    if samples is not None:
        state, samples = _with_sorted_inner(state, samples)
    network = _Network(graph, state, samples)
    x = network.embedded(length)
    bias = network.distance_bias(length)
    layers = {name.split(".")[1] for name in state if name.startswith("layers.")}
    for number in range(len(layers)):
        x = network.layer(f"layers.{number}", x, bias)
    network.head(x)
    made = helper.make_graph(
        graph.nodes,
        "reader",
        [helper.make_tensor_value_info(IDS, TensorProto.INT64, ["tokens"])],
        [helper.make_tensor_value_info(PROBABILITIES, TensorProto.FLOAT, [1, 3])],
        graph.constants,
    )
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(RUNTIME, RUNTIME_OPSET)]
    return helper.make_model(
        made, opset_imports=opsets, ir_version=IR_VERSION, producer_name="foureyes"
    )

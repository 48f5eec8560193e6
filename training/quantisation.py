"""Matrices and their inputs as small integers, chosen so that products are exact everywhere.

Processors without VNNI multiply unsigned by signed bytes in pairs and add each pair in 16 bits. A
sum above 32,767 is cut there silently, so that with weights of 8 bits a score would depend on the
processor. Only neighbours of the same sign can pass the limit: their magnitudes are kept to 128 in
sum (255 x 128 = 32,640). Steps grow by a fourth for it; for weights of 7 bits they would double.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

MOST = 127
MOST_OF_A_PAIR = 128
MOST_UNSIGNED = 255
LARGE_INPUTS = 16
"""With 32 the error falls by another twentieth."""

_SMALLEST = 1e-9
# Rounding may add a half to each of two weights.
_ROUNDED_PAIR = MOST_OF_A_PAIR - 0.5

Integers = NDArray[np.int8]
Floats = NDArray[np.float32]
_Rounding = Callable[[Floats], Floats]


def quantise_columns(matrix: Floats) -> tuple[Integers, Floats]:
    """A matrix (inputs x outputs) as integers, with the step of each column.

    Sums of products with unsigned bytes are exact in 16 bits for each pair of inputs (0 and 1, 2
    and 3, ...).
    """
    even, odd = matrix[0::2], matrix[1::2]
    pairs = np.where(even * odd > 0, np.abs(even) + np.abs(odd), 0).max(0)
    steps = np.maximum(pairs / _ROUNDED_PAIR, np.abs(matrix).max(0) / MOST)
    return _better(matrix, _rounded_pairs, steps, _grid_steps(matrix))


def quantise_outputs(matrix: Floats) -> tuple[Integers, Floats]:
    """A matrix (inputs x outputs) as integers, with the step of each column, for storing alone.

    Steps are exact at 16 bits.
    """
    choices = (np.abs(matrix).max(0) / MOST, _grid_steps(matrix))
    return _better(matrix, _rounded, *(choice.astype(np.float16) for choice in choices))


def quantise_rows(matrix: Floats) -> tuple[Integers, Floats]:
    """A table of embeddings as integers, with the step of each row as a column."""
    columns = np.ascontiguousarray(matrix.T)
    steps = np.abs(columns).max(0) / MOST
    integers, steps = _better(columns, _rounded, steps, _grid_steps(columns))
    return np.ascontiguousarray(integers.T), steps[:, None]


def largest_inputs(inputs: Floats) -> NDArray[np.int64]:
    """The inputs of a layer that are computed with floats, in order (LLM.int8(), Dettmers 2022).

    A few inputs are a hundred times larger than the others in all tokens, and would leave these a
    few of the 256 levels.

    Args:
        inputs: A sample (tokens x inputs).
    """
    return np.sort(np.argsort(np.abs(inputs).max(0))[-LARGE_INPUTS:])


def _grid_steps(matrix: Floats) -> Floats:
    """The step of each column if its values are multiples of one, as packed weights are."""
    magnitudes = np.abs(matrix)
    smallest = np.where(magnitudes > 0, magnitudes, np.inf).min(0)
    smallest = np.where(np.isfinite(smallest), smallest, 1)
    multiples = np.minimum(np.rint(magnitudes / smallest), MOST)
    # 16 bits have rounded each value; together they tell the step well.
    squares = np.maximum(np.square(multiples).sum(0), 1)
    return (magnitudes * multiples).sum(0) / squares


def _better(matrix: Floats, rounding: _Rounding, *choices: Floats) -> tuple[Integers, Floats]:
    """For each column the rounding by that of the `choices` of a step with the smallest error."""
    best = np.full(matrix.shape[1], np.inf, np.float32)
    integers, steps = np.zeros(matrix.shape, np.int8), np.ones_like(best)
    for choice in choices:
        # Zeros, and what 16 bits round to them, have no step.
        tried = np.where(choice > _SMALLEST, choice, 1).astype(np.float32)
        rounded = rounding(matrix / tried)
        error = np.square(rounded * tried - matrix).sum(0)
        better = error < best
        integers[:, better] = rounded[:, better]
        best, steps = np.where(better, error, best), np.where(better, tried, steps)
    return integers, steps


def _rounded(multiples: Floats) -> Floats:
    return np.clip(np.rint(multiples), -MOST, MOST)


def _rounded_pairs(multiples: Floats) -> Floats:
    rounded = _rounded(multiples)
    first, second = rounded[0::2], rounded[1::2]
    room = np.where(first * second > 0, MOST_OF_A_PAIR - np.abs(first), MOST)
    rounded[1::2] = np.clip(second, -room, room)
    return rounded

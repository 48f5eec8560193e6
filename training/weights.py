"""Weights of the reader: read from the packed form or from `.npz`, saved as `.npz`.

The packed form (`.pk`) stores each matrix as small integers with one step a row, coded by Huffman's
method alone. It keeps a starting point within a size limit. `.npz` holds the same names at 16 bits.
"""

from __future__ import annotations

import json
import math
import os
import secrets
import struct
import zlib
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

State = dict[str, NDArray[np.float32]]

_RAW_DEFLATE = -15


def load(path: Path) -> State:
    """Read the weights in `path`, by name, at 32 bits.

    Raises:
        ValueError: The file is neither `.pk` nor `.npz`.
    """
    if path.suffix == ".pk":
        return {_plain_name(name): array for name, array in _unpack(path.read_bytes())}
    if path.suffix == ".npz":
        with np.load(path, allow_pickle=False) as stored:
            return {name: stored[name].astype(np.float32) for name in stored.files}
    raise ValueError(f"{str(path)!r} is neither .pk nor .npz")


def save(path: Path, state: Mapping[str, NDArray[Any]]) -> None:
    """Write the weights to `path` at 16 bits; a reader sees the old file or the new one."""
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.npz")
    halves: dict[str, Any] = {name: array.astype(np.float16) for name, array in state.items()}
    try:
        np.savez(beside, **halves)
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


def _plain_name(name: str) -> str:
    # Names with this prefix were stored with finer steps.
    return name.replace("embedding.", "")


def _unpack(data: bytes) -> Iterator[tuple[str, NDArray[np.float32]]]:
    (length,) = struct.unpack_from("<Q", data)
    at = 8 + length
    for entry in json.loads(data[8:at]):
        ends = [at]
        for part in entry["l"]:
            ends.append(ends[-1] + part)
        parts = [data[start:end] for start, end in pairwise(ends)]
        yield entry["n"], _array(entry["t"], entry["s"], parts)
        at = ends[-1]


def _array(kind: str, shape: list[int], parts: list[bytes]) -> NDArray[np.float32]:
    if kind not in ("q", "w"):
        plain = np.frombuffer(parts[0], np.dtype(kind), math.prod(shape))
        return plain.reshape(shape).astype(np.float32)
    step = np.frombuffer(parts[0], np.float16).astype(np.float32)[:, None]
    planes = [zlib.decompress(part, _RAW_DEFLATE) for part in parts[1:]]
    levels = np.frombuffer(planes[0], np.int8).astype(np.int32)
    if kind == "w":  # fine steps take a high and a low byte
        levels = levels * 256 + np.frombuffer(planes[1], np.uint8)
    return levels.reshape(shape).astype(np.float32) * step

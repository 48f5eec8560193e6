from collections.abc import Mapping, Sequence
from enum import Enum

import numpy as np
from numpy.typing import NDArray

class GraphOptimizationLevel(Enum):
    ORT_DISABLE_ALL = ...

class SessionOptions:
    graph_optimization_level: GraphOptimizationLevel
    intra_op_num_threads: int
    inter_op_num_threads: int
    log_severity_level: int
    enable_mem_pattern: bool
    enable_mem_reuse: bool

class InferenceSession:
    def __init__(self, path: str, options: SessionOptions, *, providers: Sequence[str]) -> None: ...
    def run(
        self, names: Sequence[str], feed: Mapping[str, object]
    ) -> Sequence[NDArray[np.float32]]: ...

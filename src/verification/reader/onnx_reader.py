"""The reader that ships with foureyes: the model behind a memory of scores and a shared cache."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

from ...base.registry import packaged_config
from .model import StanceScores, TextPair
from .onnx_model import OnnxModel
from .score_cache import ScoreCache, score_key

MOST_IN_MEMORY = 50_000
"""Scores that a process keeps."""

_PAIRS_A_STEP = 64
"""Scores are cached after so many pairs, so that an interrupted check loses little."""


class OnnxReader:
    """Reads each pair once: scores are kept in memory and, with a `cache`, on disk.

    Args:
        model: Computes what is not known yet.
        cache: Scores that processes share; None keeps them in memory alone.
    """

    def __init__(self, model: OnnxModel, cache: ScoreCache | None = None) -> None:
        self.model = model
        self._cache = cache
        self._memory = _Memory(MOST_IN_MEMORY)

    @property
    def available(self) -> bool:
        """Always: that a file is broken shows at the first read."""
        return True

    @property
    def identity(self) -> str:
        """A SHA-256 of the model's files and of how pairs are laid before it.

        Raises:
            InputError: The model's card is missing or broken.
        """
        return self.model.identity

    def read(self, pairs: Sequence[TextPair]) -> Sequence[StanceScores]:
        """Scores of `pairs`, in their order; the model is loaded if one is not known yet.

        Raises:
            InputError: A file of the model is missing or broken; the message names it.
        """
        keys = [score_key(self.identity, pair) for pair in pairs]
        known = dict(self._memory.find(keys))
        wanted = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in known}
        if wanted and self._cache is not None:
            cached = self._cache.find(list(wanted))
            self._memory.add(cached.items())
            known |= cached
        known |= self._compute({key: pair for key, pair in wanted.items() if key not in known})
        return [known[key] for key in keys]

    def _compute(self, wanted: Mapping[bytes, TextPair]) -> dict[bytes, StanceScores]:
        scores: dict[bytes, StanceScores] = {}
        keys = list(wanted)
        for at in range(0, len(keys), _PAIRS_A_STEP):
            step = keys[at : at + _PAIRS_A_STEP]
            computed = self.model.score([wanted[key] for key in step])
            new = dict(zip(step, computed, strict=True))
            scores |= new
            self._memory.add(new.items())
            if self._cache is not None:
                self._cache.add(new.items())
        return scores


class _Memory:
    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._scores: dict[bytes, StanceScores] = {}
        self._lock = threading.Lock()

    def find(self, keys: Iterable[bytes]) -> Mapping[bytes, StanceScores]:
        with self._lock:
            return {key: self._scores[key] for key in keys if key in self._scores}

    def add(self, scores: Iterable[tuple[bytes, StanceScores]]) -> None:
        with self._lock:
            self._scores.update(scores)
            while len(self._scores) > self._limit:
                del self._scores[next(iter(self._scores))]


def models_folder() -> Path:
    """Where the files of the packaged reader are."""
    return Path(str(packaged_config() / "models"))


@cache
def packaged_model() -> OnnxModel:
    """The model that ships with foureyes, of which a process loads one."""
    return OnnxModel(models_folder())


@cache
def packaged_reader(cache_folder: Path | None = None) -> OnnxReader:
    """The reader of the packaged model, one for each folder of cached scores.

    Args:
        cache_folder: Where scores are shared with other processes; None for nowhere.
    """
    cache = ScoreCache(cache_folder) if cache_folder is not None else None
    return OnnxReader(packaged_model(), cache)

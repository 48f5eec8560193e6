"""The reader that ships with foureyes: the model behind a memory of scores and a shared file."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path

import structlog

from ...base.registry import packaged_config
from .model import StanceScores, TextPair
from .onnx_model import OnnxModel

MOST_IN_MEMORY = 50_000
"""Scores that a process keeps."""

_PAIRS_A_STEP = 64
"""Scores are cached after so many pairs, so that an interrupted check loses little."""
MOST_SCORES = 500_000
"""Entries that are kept, of about 120 bytes each."""
_FILE = "scores.sqlite3"
_BUSY_SECONDS = 2.0
# The number of variables in a statement is limited.
_KEYS_A_QUERY = 500
_TABLE = (
    "CREATE TABLE IF NOT EXISTS scores (id INTEGER PRIMARY KEY AUTOINCREMENT, "
    "key BLOB NOT NULL UNIQUE, supports REAL NOT NULL, contradicts REAL NOT NULL, "
    "neutral REAL NOT NULL)"
)


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


def score_key(identity: str, pair: TextPair) -> bytes:
    """Key of the score that the model `identity` gives to `pair`."""
    digest = hashlib.sha256(identity.encode())
    for text in pair:
        data = text.encode("utf-8", "surrogatepass")
        # The length keeps ("ab", "c") apart from ("a", "bc").
        digest.update(b"\n%d\n" % len(data))
        digest.update(data)
    return digest.digest()


class ScoreCache:
    """Scores by key, the oldest dropped beyond a limit. Any number of processes may share a folder.

    A file that is broken, locked or not writable never fails a caller: the first error is logged,
    and the object goes without the file from then on.

    Args:
        folder: Where the file is; it is created at the first write.
        limit: Entries that are kept.
    """

    def __init__(self, folder: Path, limit: int = MOST_SCORES) -> None:
        self._path = folder / _FILE
        self._limit = limit
        self._usable = True

    def find(self, keys: Sequence[bytes]) -> Mapping[bytes, StanceScores]:
        """The scores that are known of `keys`."""
        found: dict[bytes, StanceScores] = {}
        if not (self._usable and self._path.exists()):
            return found
        with self._logged_errors(), self._open() as base:
            for at in range(0, len(keys), _KEYS_A_QUERY):
                part = keys[at : at + _KEYS_A_QUERY]
                marks = ",".join("?" * len(part))
                query = (
                    f"SELECT key, supports, contradicts, neutral FROM scores WHERE key IN ({marks})"
                )
                found |= {key: StanceScores(*scores) for key, *scores in base.execute(query, part)}
        return found

    def add(self, scores: Iterable[tuple[bytes, StanceScores]]) -> None:
        """Store `scores` under their keys, and drop what is beyond the limit."""
        if not self._usable:
            return
        rows = [(key, one.supports, one.contradicts, one.neutral) for key, one in scores]
        with self._logged_errors():
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._open() as base, base:
                base.executemany(
                    "INSERT OR IGNORE INTO scores (key, supports, contradicts, neutral) "
                    "VALUES (?, ?, ?, ?)",
                    rows,
                )
                base.execute(
                    "DELETE FROM scores WHERE id <= (SELECT max(id) FROM scores) - ?",
                    (self._limit,),
                )

    @contextmanager
    def _open(self) -> Generator[sqlite3.Connection]:
        with closing(sqlite3.connect(self._path, timeout=_BUSY_SECONDS)) as base:
            base.execute("PRAGMA journal_mode = WAL")
            # With WAL this never breaks the file; what a power failure takes is computed again.
            base.execute("PRAGMA synchronous = NORMAL")
            base.execute(_TABLE)
            yield base

    @contextmanager
    def _logged_errors(self) -> Generator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            self._usable = False
            structlog.get_logger().warning(
                "scores of the reader are not cached", file=str(self._path), reason=str(error)
            )

"""Scores that processes share, in one SQLite file."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import structlog

from .model import StanceScores, TextPair

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

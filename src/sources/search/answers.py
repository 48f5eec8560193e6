"""The answers that searches got: in a run for as long as it is kept, in a shared cache for days."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pydantic import ValidationError

from ...base.errors import SnapshotError, StorageError
from ...base.files import from_json, storage_errors, to_json, write_atomic
from ..snapshot_store import sha256_hex
from .model import SearchAnswer


@dataclass(frozen=True, slots=True)
class SearchRecord:
    """A question that was answered: who was asked what and when (UTC), for at most `limit` hits."""

    provider: str
    query: str
    limit: int
    asked_at: datetime
    answer: SearchAnswer


class RunAnswers:
    """The searches of one run, a JSON file each; processes may share the folder.

    Args:
        folder: The run's folder for them. It is created at the first write.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, provider: str, query: str) -> SearchRecord | None:
        """The provider's last answer to `query`; None if there is none.

        Raises:
            SnapshotError: A record is damaged.
        """
        asked = (one for one in self.all() if (one.provider, one.query) == (provider, query))
        return max(asked, key=lambda one: one.asked_at, default=None)

    def all(self) -> tuple[SearchRecord, ...]:
        """Every record, oldest first.

        Raises:
            SnapshotError: A record is damaged.
        """
        records: list[SearchRecord] = []
        for path in self._folder.glob("*.json"):
            try:
                records.append(from_json(SearchRecord, path.read_bytes()))
            except (OSError, ValidationError) as error:
                raise SnapshotError(f"{path.name} is damaged", "the file was changed") from error
        return tuple(sorted(records, key=lambda record: record.asked_at))

    def add(self, record: SearchRecord) -> None:
        """Keep a record.

        Raises:
            StorageError: The file system refused.
        """
        with storage_errors(self._folder, "create"):
            self._folder.mkdir(parents=True, exist_ok=True)
        name = f"{_digest(record.provider, record.query)}.json"
        write_atomic(self._folder / name, to_json(SearchRecord, record))


class SharedAnswers:
    """Answers that runs share, for a time, in a SQLite file; processes may share it.

    It is a convenience: a file that cannot be used is a `StorageError` at the first use, and one
    entry that cannot be read is passed over.

    Args:
        path: The file. It and its folder are created at the first write.
        longest: How old an answer may be.
    """

    def __init__(self, path: Path, longest: timedelta) -> None:
        self._path = path
        self._longest = longest

    def find(self, provider: str, query: str) -> SearchRecord | None:
        """The provider's answer to `query`; None if there is none that is young enough.

        Raises:
            StorageError: The file cannot be read.
        """
        if not self._path.exists():
            return None
        with self._open() as base:
            row = base.execute(
                "SELECT record FROM searches WHERE key = ? AND asked_at >= ?",
                (_digest(provider, query), self._horizon()),
            ).fetchone()
        with suppress(ValidationError):
            return from_json(SearchRecord, str(row[0])) if row else None
        return None

    def add(self, record: SearchRecord) -> None:
        """Keep a record, and drop those that are too old.

        Raises:
            StorageError: The file cannot be written.
        """
        with storage_errors(self._path.parent, "create"):
            self._path.parent.mkdir(parents=True, exist_ok=True)
        key, asked_at = _digest(record.provider, record.query), record.asked_at.timestamp()
        row = (key, asked_at, to_json(SearchRecord, record, indent=None))
        with self._open() as base, base:
            base.execute("DELETE FROM searches WHERE asked_at < ?", (self._horizon(),))
            base.execute("INSERT OR REPLACE INTO searches VALUES (?, ?, ?)", row)

    def _horizon(self) -> float:
        return (datetime.now(UTC) - self._longest).timestamp()

    @contextmanager
    def _open(self) -> Generator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self._path, timeout=10)) as base:
                base.execute("PRAGMA journal_mode = WAL")
                base.execute(
                    "CREATE TABLE IF NOT EXISTS searches "
                    "(key TEXT PRIMARY KEY, asked_at REAL, record TEXT)"
                )
                yield base
        except sqlite3.Error as error:
            raise StorageError(
                f"cannot use the cache of searches {str(self._path)!r}: {error}",
                "delete the file; it is made anew",
            ) from error


def _digest(*parts: str) -> str:
    return sha256_hex("\x00".join(parts).encode("utf-8", "surrogatepass"))

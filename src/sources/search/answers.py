"""The answers that searches got: in a run for as long as it is kept, in a shared cache for days."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterator
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
    """A question that was answered: who was asked what, and when (UTC).

    `key` is what near-equal queries share (`Likeness.key`); `limit` the hits asked for.
    """

    provider: str
    query: str
    key: str
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

    def find(self, provider: str, key: str) -> tuple[SearchRecord, ...]:
        """The records of a provider under a key, oldest first.

        Raises:
            SnapshotError: A record is damaged.
        """
        return tuple(self._read(f"{_digest(provider, key)}-*.json"))

    def all(self) -> tuple[SearchRecord, ...]:
        """Every record, oldest first.

        Raises:
            SnapshotError: A record is damaged.
        """
        return tuple(self._read("*-*.json"))

    def add(self, record: SearchRecord) -> None:
        """Keep a record.

        Raises:
            StorageError: The file system refused.
        """
        with storage_errors(self._folder, "create"):
            self._folder.mkdir(parents=True, exist_ok=True)
        name = f"{_digest(record.provider, record.key)}-{_digest(record.query)[:16]}.json"
        write_atomic(self._folder / name, to_json(SearchRecord, record))

    def _read(self, pattern: str) -> Iterator[SearchRecord]:
        records: list[SearchRecord] = []
        for path in self._folder.glob(pattern):
            try:
                records.append(from_json(SearchRecord, path.read_bytes()))
            except (OSError, ValidationError) as error:
                raise SnapshotError(f"{path.name} is damaged", "the file was changed") from error
        yield from sorted(records, key=lambda record: record.asked_at)


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

    def find(self, provider: str, key: str) -> tuple[SearchRecord, ...]:
        """The records of a provider under a key that are young enough, oldest first.

        Raises:
            StorageError: The file cannot be read.
        """
        if not self._path.exists():
            return ()
        with self._open() as base:
            rows = base.execute(
                "SELECT record FROM answers WHERE key = ? AND asked_at >= ? ORDER BY asked_at",
                (_digest(provider, key), self._horizon()),
            ).fetchall()
        found: list[SearchRecord] = []
        for row in rows:
            with suppress(ValidationError):
                found.append(from_json(SearchRecord, str(row[0])))
        return tuple(found)

    def add(self, record: SearchRecord) -> None:
        """Keep a record, and drop those that are too old.

        Raises:
            StorageError: The file cannot be written.
        """
        with storage_errors(self._path.parent, "create"):
            self._path.parent.mkdir(parents=True, exist_ok=True)
        row = (
            _digest(record.provider, record.key),
            _digest(record.query),
            record.asked_at.timestamp(),
            to_json(SearchRecord, record, indent=None),
        )
        with self._open() as base, base:
            base.execute("DELETE FROM answers WHERE asked_at < ?", (self._horizon(),))
            base.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)", row)

    def _horizon(self) -> float:
        return (datetime.now(UTC) - self._longest).timestamp()

    @contextmanager
    def _open(self) -> Generator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self._path, timeout=10)) as base:
                base.execute("PRAGMA journal_mode = WAL")
                base.execute(
                    "CREATE TABLE IF NOT EXISTS answers (key TEXT, query TEXT, asked_at REAL, "
                    "record TEXT, PRIMARY KEY (key, query))"
                )
                yield base
        except sqlite3.Error as error:
            raise StorageError(
                f"cannot use the cache of searches {str(self._path)!r}: {error}",
                "delete the file; it is made anew",
            ) from error


def _digest(*parts: str) -> str:
    return sha256_hex("\x00".join(parts).encode("utf-8", "surrogatepass"))

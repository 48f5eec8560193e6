"""The answers that searches got: in a run for as long as it is kept, in a shared cache for days."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pydantic import ValidationError

from ...base.errors import SnapshotError
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
            SnapshotError: The record is damaged.
        """
        path = self._path(provider, query)
        return _read(path) if path.exists() else None

    def all(self) -> tuple[SearchRecord, ...]:
        """Every record, oldest first.

        Raises:
            SnapshotError: A record is damaged.
        """
        records = map(_read, self._folder.glob("*.json"))
        return tuple(sorted(records, key=lambda record: record.asked_at))

    def add(self, record: SearchRecord) -> None:
        """Keep a record.

        Raises:
            StorageError: The file system refused.
        """
        with storage_errors(self._folder, "create"):
            self._folder.mkdir(parents=True, exist_ok=True)
        path = self._path(record.provider, record.query)
        write_atomic(path, to_json(SearchRecord, record))

    def _path(self, provider: str, query: str) -> Path:
        named = f"{provider}\x00{query}".encode("utf-8", "surrogatepass")
        return self._folder / f"{sha256_hex(named)}.json"


class SharedAnswers(RunAnswers):
    """Answers that runs share for a time.

    It is a convenience: a record that cannot be read is passed over.

    Args:
        folder: The folder. It is created at the first write.
        longest: How old an answer may be.
    """

    def __init__(self, folder: Path, longest: timedelta) -> None:
        super().__init__(folder)
        self._longest = longest

    def find(self, provider: str, query: str) -> SearchRecord | None:
        """The provider's answer to `query`; None if there is none that is young enough.

        Raises:
            StorageError: The folder is none.
        """
        with storage_errors(self._folder, "read"), suppress(SnapshotError):
            found = super().find(provider, query)
            if found is not None and found.asked_at >= datetime.now(UTC) - self._longest:
                return found
        return None

    def add(self, record: SearchRecord) -> None:
        """Keep a record, and drop those that are too old.

        Raises:
            StorageError: The file system refused.
        """
        super().add(record)
        oldest = (datetime.now(UTC) - self._longest).timestamp()
        with storage_errors(self._folder, "clean up"):
            for path in self._folder.glob("*.json"):
                with suppress(FileNotFoundError):
                    if path.stat().st_mtime < oldest:
                        path.unlink()


def _read(path: Path) -> SearchRecord:
    try:
        return from_json(SearchRecord, path.read_bytes())
    except (OSError, ValidationError) as error:
        raise SnapshotError(f"{path.name} is damaged", "the file was changed") from error

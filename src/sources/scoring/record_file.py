"""Records that people add, in one JSON file: several processes may add, nothing is taken away."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import ValidationError

from ...base.errors import StorageError
from ...base.files import storage_errors, write_atomic
from ...base.records import from_json, to_json


@contextmanager
def only_writer(path: Path, *, patience: float = 10.0) -> Generator[None]:
    """Lock `path` against other writers; its folder is made if it is missing.

    Raises:
        StorageError: Another writer kept the lock for `patience` seconds, or the file system
            refused.
    """
    # Imported here: it costs 20 ms, and only writers need it.
    import filelock

    lock_path = path.with_name(f".{path.name}.lock")
    with storage_errors(path, "write"):
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = filelock.FileLock(lock_path, timeout=patience, thread_local=False)
        try:
            lock.acquire()
        except filelock.Timeout:
            raise StorageError(
                f"{str(path)!r} is being written by another process", "try again when it has ended"
            ) from None
    try:
        yield
    finally:
        lock.release()


def read_if_there(path: Path) -> str:
    """The text of `path`, "" if there is no such file.

    Raises:
        StorageError: It cannot be read, or is not UTF-8.
    """
    with storage_errors(path, "read"):
        try:
            return path.read_bytes().decode("utf-8")
        except FileNotFoundError:
            return ""
        except UnicodeDecodeError:
            raise StorageError(f"{str(path)!r} is not UTF-8", "restore or remove it") from None


RecordT = TypeVar("RecordT")


class RecordFile(Generic[RecordT]):
    """The records of one kind in the file `path`, oldest first.

    Args:
        path: The file; its folder is made with the first record.
        kind: The type of all records together.
    """

    def __init__(self, path: Path, kind: type[tuple[RecordT, ...]]) -> None:
        self.path = path
        self._kind = kind

    def all(self) -> tuple[RecordT, ...]:
        """Every record; none if there is no file.

        Raises:
            StorageError: The file cannot be read or is damaged.
        """
        text = read_if_there(self.path)
        if not text:
            return ()
        try:
            return from_json(self._kind, text)
        except ValidationError as error:
            raise StorageError(
                f"{str(self.path)!r} is damaged: {error.errors()[0]['msg']}",
                "restore or remove it",
            ) from error

    def add(self, *records: RecordT) -> None:
        """Keep `records` behind those that are there.

        Raises:
            StorageError: The file cannot be read or written.
        """
        with only_writer(self.path):
            kept = (*self.all(), *records)
            write_atomic(self.path, to_json(self._kind, kept) + "\n")

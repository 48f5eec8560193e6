"""Records that people add, in one JSON file: several processes may add, nothing is taken away."""

from __future__ import annotations

from pathlib import Path
from typing import Generic, TypeVar

from pydantic import ValidationError

from ...base.errors import StorageError
from ...base.files import write_atomic
from ...base.records import from_json, to_json
from .storage import only_writer, read_if_there

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

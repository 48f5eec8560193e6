"""The journal: finished steps on disk, so that nothing finished ever runs again."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from ..base.errors import RunDirectoryError
from ..base.files import storage_errors, write_atomic
from ..base.records import from_json, to_json
from .types import Error

T = TypeVar("T")


class PlainSteps:
    """Runs every step and remembers nothing: for runs without a run directory."""

    async def step(
        self,
        name: str,  # noqa: ARG002 - part of the StepRunner protocol
        key: str,  # noqa: ARG002 - part of the StepRunner protocol
        result: type[T],  # noqa: ARG002 - part of the StepRunner protocol
        work: Callable[[], Awaitable[T | Error]],
    ) -> T | Error:
        """The result of `work`."""
        return await work()


class JournalSteps:
    """Runs a step once for each (name, key): the result is kept as one file in `folder`.

    Nothing is awaited between the end of a step's work and its entry on the disk, so cancellation
    cannot come in between. An `Error` is not kept: the step runs again on resume.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def step(
        self, name: str, key: str, result: type[T], work: Callable[[], Awaitable[T | Error]]
    ) -> T | Error:
        """The kept result of `name` with `key`, else that of `work`, which is then kept.

        Raises:
            RunDirectoryError: The kept result cannot be read.
            StorageError: The file system refused.
        """
        path = self._folder / entry_name(name, key)
        kept = self._read(path, result)
        if kept is not None:
            return kept
        answer = await work()
        if not isinstance(answer, Error):
            write_atomic(path, to_json(result, answer, indent=None))
        return answer

    def _read(self, path: Path, result: type[T]) -> T | None:
        with storage_errors(path, "read"):
            try:
                data = path.read_bytes()
            except FileNotFoundError:
                return None
        try:
            return from_json(result, data)
        except ValidationError as error:
            raise RunDirectoryError(
                f"the journal entry {path.name!r} does not hold a {result.__name__}",
                f"delete {str(path)!r} to run this step again",
            ) from error


def entry_name(name: str, key: str) -> str:
    """The file name of a step's entry: readable, and different for each (name, key)."""
    readable = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")[:60]
    digest = hashlib.sha256(f"{name}\x00{key}".encode()).hexdigest()[:24]
    return f"{readable}.{digest}.json"

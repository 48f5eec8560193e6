"""The journal: finished steps on disk, so that nothing finished ever runs again."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pydantic import ValidationError

from ..base.errors import RunDirectoryError
from ..base.files import from_json, storage_errors, to_json, write_atomic
from ..base.off_loop import off_loop
from .tasks import Error

if TYPE_CHECKING:
    from .work import StepRunner

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

    Between the end of a step's work and its entry on the disk no cancellation can come in. An
    `Error` is not kept: the step runs again on resume.

    Args:
        folder: Where the entries are.
        before: Forces to the disk what has to be there before an entry is: what the step used.
    """

    def __init__(self, folder: Path, before: Callable[[], None] | None = None) -> None:
        self._folder = folder
        self._before = before

    async def step(
        self, name: str, key: str, result: type[T], work: Callable[[], Awaitable[T | Error]]
    ) -> T | Error:
        """The kept result of `name` with `key`, else that of `work`, which is then kept.

        Raises:
            RunDirectoryError: The kept result cannot be read.
            StorageError: The file system refused.
        """
        path = self._folder / entry_name(name, key)
        kept = await off_loop(self._read, path, result)
        if kept is not None:
            return kept
        answer = await work()
        if not isinstance(answer, Error):
            await off_loop(self._write, path, result, answer)
        return answer

    def _write(self, path: Path, result: type[T], answer: T) -> None:
        if self._before is not None:
            self._before()
        write_atomic(path, to_json(result, answer, indent=None))

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


async def journal_result(
    steps: StepRunner, step: tuple[str, str], result: type[T], known: T
) -> T | Error:
    """Journal `known` as the result of `step`, its name and key; what was kept before stands."""

    async def work() -> T | Error:
        return known

    return await steps.step(*step, result, work)


async def ask_or_recall(
    steps: StepRunner,
    step: tuple[str, str],
    result: type[T],
    ask: Callable[[], Awaitable[T | Error]] | None,
    known: T | None,
) -> T | None:
    """The journalled result of `ask`, or where there is nobody to ask the `known` one of a record.

    None without either, and where asking failed.
    """
    if ask is None:
        answer = None if known is None else await journal_result(steps, step, result, known)
    else:
        answer = await steps.step(*step, result, ask)
    return None if isinstance(answer, Error) else answer


def entry_name(name: str, key: str) -> str:
    """The file name of a step's entry: readable, and different for each (name, key)."""
    readable = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")[:60]
    digest = hashlib.sha256(f"{name}\x00{key}".encode()).hexdigest()[:24]
    return f"{readable}.{digest}.json"

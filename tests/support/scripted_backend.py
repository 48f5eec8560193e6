"""A backend that does what a list says: the real seam, without a model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import anyio
from foureyes.core.edit_policy import JsonSlots, fill_slots
from foureyes.core.tasks import AgentTask, Error, Turn, TurnUsage
from pydantic import JsonValue

USAGE = TurnUsage(messages=1, output_tokens=10)


@dataclass(frozen=True, slots=True)
class Fill:
    """Fill these slots (JSON pointer -> value)."""

    values: Mapping[str, JsonValue]
    coverage: float = 1.0
    refused: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Write:
    """Leave this text in the file, whatever the policy says."""

    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """Put a link to `target` in place of the file, as someone beside the turn could."""

    target: Path


@dataclass(frozen=True, slots=True)
class Fail:
    """Return this error."""

    error: Error


@dataclass(frozen=True, slots=True)
class Raise:
    """Raise this exception, after writing `text`, or removing the file if that is None."""

    error: Exception
    text: str | None = "half"


@dataclass(frozen=True, slots=True)
class Hang:
    """Never end; say what was `used` when cancelled."""

    used: TurnUsage | None = None


Move: TypeAlias = Fill | Write | Link | Fail | Raise | Hang


class ScriptedBackend:
    """Makes one move a turn; `tasks` and `files` keep what it was asked and what it found."""

    name = "scripted"

    def __init__(self, moves: Iterable[Move], *, independent: bool = False) -> None:
        self._moves = iter(moves)
        self.independent = independent
        self.tasks: list[AgentTask[object]] = []
        self.files: list[dict[str, str]] = []
        self.started = anyio.Event()

    async def run(self, task: AgentTask[object], folder: Path) -> Turn | Error:
        self.tasks.append(task)
        self.files.append(_files(folder))
        self.started.set()
        move = next(self._moves)
        if isinstance(move, Hang):
            try:
                await anyio.sleep_forever()
            finally:
                if move.used is not None and task.on_cancelled is not None:
                    task.on_cancelled(move.used)
        return _make(move, task, folder / task.file_name)


def _make(move: Move, task: AgentTask[object], path: Path) -> Turn | Error:
    match move:
        case Fill():
            assert isinstance(task.policy, JsonSlots)
            text = fill_slots(path.read_text("utf-8"), task.policy, move.values)
            path.write_text(text, "utf-8")
            return Turn(text, USAGE, move.coverage, refused=move.refused)
        case Write():
            path.write_text(move.text, "utf-8")
            return Turn(move.text, USAGE)
        case Link():
            path.unlink()
            path.symlink_to(move.target)
            return Turn(path.read_text("utf-8"), USAGE)
        case Fail():
            return move.error
        case Raise():
            if move.text is None:
                path.unlink()
            else:
                path.write_text(move.text, "utf-8")
            raise move.error
        case Hang():
            raise AssertionError("a hanging turn was woken")


def _files(folder: Path) -> dict[str, str]:
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {str(path.relative_to(folder)): path.read_text("utf-8") for path in paths}

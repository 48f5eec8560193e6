"""The backend that gives the answers of a recorded run again: no model, no CLI, no network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import anyio.lowlevel

from ..base.errors import BudgetExceeded, RecordEnded, ReplayMismatch
from ..base.files import write_atomic
from ..base.printable import first_difference
from ..core.approval import RunStatus
from ..core.record_folder import RecordedTurn, read_turns, recorded_text, task_parts
from ..core.run_store import RunStore
from ..core.tasks import AgentTask, Error, Role, Turn, digest

MOST_NAMED = 3
OPEN_ENDS = (None, RunStatus.CANCELLED, RunStatus.FAILED, RunStatus.BUDGET_EXCEEDED)
"""The ends of runs that may have stopped in the middle of a turn."""


class ReplayBackend:
    """Answers each task as the run in `run_dir` answered it, failed calls too, in their order.

    A task that was asked for in several sittings of the run is answered as in the last of them.

    Args:
        run_dir: The run directory.

    Attributes:
        recorded_name: The name of the backend that answered in the recorded run.

    Raises:
        RunDirectoryError: It is missing, damaged, or from a newer version.
    """

    def __init__(self, run_dir: str | Path) -> None:
        self._store = RunStore.open(Path(run_dir))
        self._turns = read_turns(self._store.path)
        self._asked = Counter[str]()
        first = next(iter(self._turns.values()), ())
        self.recorded_name = first[0].backend if first else self.name
        self._independent = bool(first) and first[0].independent

    @property
    def name(self) -> str:
        """``replay``."""
        return "replay"

    @property
    def independent(self) -> bool:
        """Whether the backend of the recorded run judged with a language model."""
        return self._independent

    async def run(self, task: AgentTask[object], folder: Path) -> Turn | Error:
        """Write the recorded text to `folder/task.file_name` and return the recorded outcome.

        A recorded failure asks for the next attempt at once.

        Raises:
            ReplayMismatch: The task is not the recorded one.
            RecordEnded: The recorded run had come no further.
            RunDirectoryError: The record is damaged.
        """
        await anyio.lowlevel.checkpoint()
        outcome = self._outcome(task)
        text = outcome.text if isinstance(outcome, Turn) else outcome.partial
        if text:
            write_atomic(folder / task.file_name, text, durable=False)
        return outcome

    def refusal(self, name: str) -> BudgetExceeded | None:
        """The limit that kept the next call for the task `name` from being made, if one did."""
        turn = self._next(name)
        if turn is None or turn.refusal is None:
            return None
        self._asked[name] += 1
        return BudgetExceeded(*turn.refusal)

    def unasked(self) -> tuple[str, ...]:
        """The recorded tasks with calls that have not been asked for, in order."""
        return tuple(
            name for name, turns in sorted(self._turns.items()) if self._asked[name] < len(turns)
        )

    def _next(self, name: str) -> RecordedTurn | None:
        turns, asked = self._turns.get(name, ()), self._asked[name]
        return turns[asked] if asked < len(turns) else None

    def _outcome(self, task: AgentTask[object]) -> Turn | Error:
        turn = self._next(task.name)
        if turn is None:
            raise self._missing(task)
        self._require(task, turn)
        self._asked[task.name] += 1
        outcome = turn.outcome
        return replace(outcome, retry_after_s=0.0) if isinstance(outcome, Error) else outcome

    def _require(self, task: AgentTask[object], turn: RecordedTurn) -> None:
        """Raise `ReplayMismatch` unless `task` is the recorded one."""
        now = task_parts(task)
        # The parts that are not as they were recorded, new ones last.
        changed = [part for part, sha256 in turn.parts.items() if _digest(now, part) != sha256]
        changed += (part for part in now if part not in turn.parts)
        if not changed:
            return
        first = changed[0]
        known = turn.parts.get(first)
        recorded = recorded_text(self._store.path, known) if known else ""
        more = len(changed) - MOST_NAMED
        listed = ", ".join(changed[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
        call = f" (call {turn.call})" if turn.call > 1 else ""
        raise ReplayMismatch(
            f"turn {task.name}{call} departs from the record; changed: {listed}",
            f"recorded in {str(self._store.path)!r}",
            "" if recorded is None else first_difference(recorded, now.get(first, "")),
        )

    def _missing(self, task: AgentTask[object]) -> RecordEnded | ReplayMismatch:
        """Why there is no further call of `task`: the run was stopped before it, or differed."""
        manifest, run = self._store.manifest, str(self._store.path)
        judge_failed = manifest.judge_failed and task.role is Role.JUDGE
        if judge_failed or manifest.status in OPEN_ENDS:
            return RecordEnded(f"the record of {run!r} ends before turn {task.name}")
        message = "it is not on record"
        if recorded := len(self._turns.get(task.name, ())):
            message = f"call {recorded + 1} was asked for, and the record has {recorded}"
        return ReplayMismatch(
            f"turn {task.name} departs from the record: {message}", f"recorded in {run!r}"
        )


def _digest(parts: Mapping[str, str], part: str) -> str:
    return digest((parts[part],)) if part in parts else ""

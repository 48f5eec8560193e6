"""Every call of a backend on disk: its inputs and its outcome, for a replay.

Files, in the run's `turns` folder:

    <name>.<digest>.json    one call, a `RecordedTurn`
    texts/<sha256>.gz       a text that calls were given, kept once

Resume does not read them, so nothing here is forced to the disk.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..base.errors import BudgetExceeded, RunDirectoryError
from ..base.files import from_json, storage_errors, to_json, write_atomic
from .record_folder import TURNS, Layout, RecordFolder, damaged, entry_name
from .tasks import AgentBackend, AgentTask, Error, Turn, backend_name, digest

LAYOUT = 1
"""The version of `RecordedTurn`; raised when an older program could not read it."""

MAX_KEPT_CHARS = 1_000_000
"""Of a longer text only the hash is kept: it is compared, but not shown."""


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """One call of a backend for the task `name`, the `call`-th (from 1) in the run's `sitting`.

    `backend` and `independent` are of the backend that answered. `parts` maps each of `task_parts`
    to the sha256 of its text. `refusal` are the arguments of the `BudgetExceeded` that kept the
    call from being made.
    """

    name: str
    sitting: int
    call: int
    backend: str
    independent: bool
    parts: Mapping[str, str]
    outcome: Turn | Error
    refusal: tuple[str, float, float] | None = None
    layout: int = LAYOUT


@dataclass(frozen=True, slots=True)
class TurnLog:
    """Keeps the calls of one session."""

    store: RecordFolder[Any]
    _calls: Counter[str] = field(init=False, default_factory=Counter[str])

    def keep(
        self,
        task: AgentTask[object],
        backend: AgentBackend,
        outcome: Turn | Error,
        refusal: BudgetExceeded | None = None,
    ) -> None:
        """Keep one call, its texts first.

        Raises:
            StorageError: The file system refused.
        """
        if isinstance(outcome, Error):
            # A replay waits for nothing.
            outcome = replace(outcome, retry_after_s=None)
        self._calls[task.name] += 1
        call = self._calls[task.name]
        recorded = RecordedTurn(
            task.name,
            self.store.manifest.resumed,
            call,
            backend_name(backend),
            backend.independent,
            {part: self._kept(text) for part, text in task_parts(task).items()},
            outcome,
            refusal and (refusal.name, refusal.limit, refusal.used),
        )
        file = entry_name(task.name, f"{recorded.sitting}/{call}")
        text = to_json(RecordedTurn, recorded, indent=None)
        write_atomic(self.store.path / TURNS / file, text, durable=False)

    def _kept(self, text: str) -> str:
        sha256 = digest((text,))
        path = _text_path(self.store.path, sha256)
        if len(text) <= MAX_KEPT_CHARS and not path.exists():
            with storage_errors(path.parent, "create"):
                path.parent.mkdir(parents=True, exist_ok=True)
            # Level 1 takes a third of the time of the default and is a tenth larger.
            packed = gzip.compress(_utf8(text), compresslevel=1, mtime=0)
            write_atomic(path, packed, durable=False)
        return sha256


def task_parts(task: AgentTask[object]) -> dict[str, str]:
    """The texts that determine the answer to `task`, by readable names.

    What it does not have is left out, so that a part which is new to the program changes no record.
    """
    parts = {
        "model": task.model or "",
        "effort": task.effort or "",
        "to-do list": "allowed" if task.to_do_list else "",
        "tools": "\n".join(
            json.dumps([tool.name, tool.description, tool.schema, tool.allowance])
            for tool in task.tools
        ),
        "system prompt": task.system_prompt,
        "user prompt": task.user_prompt,
        "template": task.template,
    }
    stated = {name: text for name, text in parts.items() if text}
    return stated | {f"file {name}": text for name, text in task.readable.items()}


def read_turns(run_dir: Path) -> dict[str, tuple[RecordedTurn, ...]]:
    """The calls that decided each task, by its name, in order.

    A task that was repeated in a later session was decided there.

    Raises:
        RunDirectoryError: A file is damaged, or from a newer version.
    """
    tasks: dict[str, list[RecordedTurn]] = {}
    for path in sorted((run_dir / TURNS).glob("*.json")):
        turn = _read_turn(path)
        tasks.setdefault(turn.name, []).append(turn)
    return {name: _last_session(turns) for name, turns in tasks.items()}


def _last_session(turns: list[RecordedTurn]) -> tuple[RecordedTurn, ...]:
    last = max(turn.sitting for turn in turns)
    return tuple(
        sorted((turn for turn in turns if turn.sitting == last), key=lambda turn: turn.call)
    )


def _read_turn(path: Path) -> RecordedTurn:
    with damaged(path, "run"):
        data = path.read_bytes()
        if from_json(Layout, data).layout <= LAYOUT:
            return from_json(RecordedTurn, data)
    raise RunDirectoryError(f"{str(path)!r} was recorded by a newer version", "update foureyes")


def recorded_text(run_dir: Path, sha256: str) -> str | None:
    """The text with this sha256 as it was recorded; None if it was too long to be kept.

    Raises:
        RunDirectoryError: It is damaged.
    """
    path = _text_path(run_dir, sha256)
    broken = RunDirectoryError(f"{str(path)!r} is damaged", "restore the file")
    try:
        data = gzip.decompress(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, EOFError, zlib.error) as error:
        raise broken from error
    if hashlib.sha256(data).hexdigest() != sha256:
        raise broken
    return data.decode("utf-8", "surrogatepass")


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _text_path(run_dir: Path, sha256: str) -> Path:
    return run_dir / TURNS / "texts" / f"{sha256}.gz"

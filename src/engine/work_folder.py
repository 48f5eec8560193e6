"""A directory of work that an engine does: its state, and a result a line.

<kind>.json     the manifest: state, and the round of jobs
results.jsonl   a result a line; the first with a key counts
engine/         what jobs leave, and the jobs, with the engine of one machine
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Generic, TypeVar

from ..base.errors import InputError
from ..base.files import (
    append_line,
    drop_torn_line,
    from_json,
    read_document,
    read_lines,
    storage_errors,
    to_json,
    write_atomic,
)
from ..core.record_folder import damaged, program_version, slug
from .model import key_of

RESULTS = "results.jsonl"
LAYOUT = 1
MAX_BYTES = 1024**3
"""Of a record: a plan may hold the texts of all that is planned."""
ResultT = TypeVar("ResultT")
RecordT = TypeVar("RecordT")


class WorkState(StrEnum):
    """State of a piece of work."""

    RUNNING = "running"
    """Some jobs have not ended; it can be resumed."""
    FINISHED = "finished"
    BUDGET = "budget"
    """A limit of the whole was reached; it can be resumed once that is raised."""
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class WorkManifest:
    """Manifest of a work folder. Jobs of a cancelled round are submitted again in the next.

    `active_s` are the seconds of all sittings so far.
    """

    id: str
    name: str
    foureyes: str
    started: datetime
    state: WorkState = WorkState.RUNNING
    round: int = 0
    active_s: float = 0.0
    layout: int = LAYOUT


@dataclass(frozen=True, slots=True)
class WorkKind(Generic[ResultT]):
    """One kind of work: its names and the type of its results. `command` makes such a directory.

    `key` tells which piece of the work a result is of, `cost` what that cost in dollars.
    """

    noun: str
    manifest_file: str
    command: str
    result: type[ResultT]
    key: Callable[[ResultT], str]
    cost: Callable[[ResultT], float]

    @property
    def name(self) -> str:
        """The noun without its article."""
        return self.noun.split()[-1]


class WorkFolder(Generic[ResultT]):
    """A piece of work on disk.

    Raises:
        InputError: `path` is no directory of this kind, or it is damaged.
    """

    def __init__(self, path: Path, kind: WorkKind[ResultT]) -> None:
        self.given = path
        self.path = path.absolute()
        self.kind = kind
        if not (path / kind.manifest_file).is_file():
            raise InputError(
                f"{str(path)!r} is not the directory of {kind.noun}: there is no "
                f"{kind.manifest_file}",
                f"give a folder made by `{kind.command}`",
            )
        self.manifest = self.read(WorkManifest, kind.manifest_file)
        if self.manifest.layout > LAYOUT:
            raise InputError(f"{str(path)!r} is of a newer foureyes", "upgrade foureyes")

    @property
    def group(self) -> str:
        """The group of this round's jobs."""
        return f"{self.manifest.id}-{self.manifest.round}"

    def job_folder(self, job_id: str) -> Path:
        """Where the program of a job works, whatever the engine; its round is in its id."""
        group = f"{self.manifest.id}-{job_id.rpartition('-')[2]}"
        return self.path / "engine" / "jobs" / key_of(group, job_id) / "work"

    @property
    def engine_url(self) -> str:
        """The address of the work's own engine."""
        return (self.path / "engine").as_uri()

    def set(self, state: WorkState, *, new_round: bool = False, active_s: float = 0) -> None:
        """Store the state; `active_s` more seconds were spent on the work."""
        known = self.manifest
        self.manifest = replace(
            known,
            state=state,
            round=known.round + new_round,
            active_s=known.active_s + active_s,
        )
        text = to_json(WorkManifest, self.manifest)
        write_atomic(self.path / self.kind.manifest_file, text)

    def add(self, result: ResultT) -> None:
        """Keep a result."""
        append_line(self.path / RESULTS, to_json(self.kind.result, result, indent=None))

    def mend(self) -> None:
        """Remove a torn last line. Only the process that works on the folder may do so."""
        drop_torn_line(self.path / RESULTS)

    def results(self) -> Mapping[str, ResultT]:
        """The results so far by their keys, in the order in which they came."""
        found: dict[str, ResultT] = {}
        path = self.path / RESULTS
        for line in read_lines(path) if path.exists() else ():
            with damaged(path, self.kind.name):
                result = from_json(self.kind.result, line)
            found.setdefault(self.kind.key(result), result)
        return found

    def read(self, kind: type[RecordT], name: str) -> RecordT:
        """The record in the file `name`.

        Raises:
            InputError: It is not there, or damaged.
        """
        path = self.path / name
        with damaged(path, self.kind.name):
            return from_json(kind, read_document(path, max_bytes=MAX_BYTES))


@contextmanager
def make_work_folder(root: Path, name: str, manifest_file: str) -> Generator[Path]:
    """A new directory `root/<utc>_<slug>_<id>/`; the manifest is written at the end of the block.

    Raises:
        StorageError: The file system refused.
    """
    now, work_id = datetime.now(UTC), secrets.token_hex(4)
    path = root / f"{now:%Y%m%dT%H%M%SZ}_{slug(name)}_{work_id}"
    with storage_errors(path, "create"):
        path.mkdir(parents=True)
    yield path
    manifest = WorkManifest(work_id, name, program_version(), now)
    write_atomic(path / manifest_file, to_json(WorkManifest, manifest))

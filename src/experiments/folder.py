"""The directory of an experiment: what was declared, what is to be done, what it came to.

experiment.json   the manifest: state, and the round of jobs
experiment.yaml   a copy of the file
plan.json         every trial's work
results.jsonl     a `TrialResult` a line; the first of a trial counts
engine/           jobs and run directories, with the engine of one machine
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from ..base.errors import InputError
from ..base.files import append_line, read_document, read_lines, storage_errors, write_atomic
from ..base.records import from_json, to_json
from ..core.record_folder import program_version, slug
from .file import ExperimentFile, read_experiment_file
from .planning import Plan, plan
from .trials import TrialResult

MANIFEST, COPY, PLAN, RESULTS = "experiment.json", "experiment.yaml", "plan.json", "results.jsonl"
LAYOUT = 1
MAX_BYTES = 1024**3
"""A plan holds the item's text once for each trial."""
RecordT = TypeVar("RecordT")


class ExperimentState(StrEnum):
    """Where an experiment stands."""

    RUNNING = "running"
    """Its trials have not all ended; `resume` goes on."""
    FINISHED = "finished"
    BUDGET = "budget"
    """A limit of the whole experiment was reached; `resume` goes on if it is raised."""
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Manifest:
    """`experiment.json`. Jobs of a round that was cancelled are submitted anew in the next."""

    id: str
    name: str
    foureyes: str
    started: datetime
    state: ExperimentState = ExperimentState.RUNNING
    round: int = 0
    active_s: float = 0.0
    layout: int = LAYOUT


class ExperimentFolder:
    """An experiment on disk.

    Raises:
        InputError: `path` is no experiment's directory, or it is damaged.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        if not (path / MANIFEST).is_file():
            raise InputError(
                f"{str(path)!r} is not an experiment's directory: there is no {MANIFEST}",
                "give a folder made by `foureyes experiment run`",
            )
        self.manifest = self._read(Manifest, MANIFEST)
        if self.manifest.layout > LAYOUT:
            raise InputError(f"{str(path)!r} is of a newer foureyes", "upgrade foureyes")
        self.file: ExperimentFile = read_experiment_file(path / COPY)

    @classmethod
    def create(cls, file: Path, root: Path, *, trusted: bool) -> ExperimentFolder:
        """A new directory below `root` for the experiment of `file`, everything checked.

        Raises:
            InputError: The file, or what it names, cannot be used.
        """
        declared = read_experiment_file(file)
        planned = plan(declared, file.parent)
        if not trusted:
            for work in planned.work:
                work.require_trust()
        now, name = datetime.now(UTC), secrets.token_hex(4)
        path = root / f"{now:%Y%m%dT%H%M%SZ}_{slug(declared.name)}_{name}"
        with storage_errors(path, "create"):
            path.mkdir(parents=True)
        write_atomic(path / COPY, read_document(file))
        write_atomic(path / PLAN, to_json(Plan, planned))
        manifest = Manifest(name, declared.name, program_version(), now)
        write_atomic(path / MANIFEST, to_json(Manifest, manifest))
        return cls(path)

    def plan(self) -> Plan:
        """Every trial's work."""
        return self._read(Plan, PLAN)

    @property
    def group(self) -> str:
        """The group of this round's jobs."""
        return f"{self.manifest.id}-{self.manifest.round}"

    @property
    def engine_url(self) -> str:
        """The address of the experiment's own engine."""
        return (self.path / "engine").as_uri()

    def set(self, state: ExperimentState, *, new_round: bool = False, active_s: float = 0) -> None:
        """Keep where the experiment stands; `active_s` more seconds were worked on it."""
        known = self.manifest
        self.manifest = replace(
            known,
            state=state,
            round=known.round + new_round,
            active_s=known.active_s + active_s,
        )
        write_atomic(self.path / MANIFEST, to_json(Manifest, self.manifest))

    def add(self, result: TrialResult) -> None:
        """Keep a result."""
        append_line(self.path / RESULTS, to_json(TrialResult, result, indent=None))

    def results(self) -> Mapping[str, TrialResult]:
        """The results so far, by the trial's key."""
        found: dict[str, TrialResult] = {}
        for result in self._lines():
            found.setdefault(result.trial.key, result)
        return found

    def _lines(self) -> Iterator[TrialResult]:
        path = self.path / RESULTS
        try:
            for line in read_lines(path) if path.exists() else ():
                yield from_json(TrialResult, line)
        except ValidationError as error:
            raise InputError(f"{str(path)!r} is damaged", "restore it from a copy") from error

    def _read(self, kind: type[RecordT], name: str) -> RecordT:
        path = self.path / name
        try:
            return from_json(kind, read_document(path, max_bytes=MAX_BYTES))
        except ValidationError as error:
            raise InputError(f"{str(path)!r} is damaged", "restore it from a copy") from error

"""The run directory, the truth about a run, and the record that a session writes there."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncGenerator, Callable, Collection, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Generic, TypeVar

import anyio
from pydantic import BaseModel

from ..base.errors import FoureyesError, RecordEnded, StorageError
from ..base.files import make_folder, storage_errors, to_json
from ..base.off_loop import off_loop
from ..base.vocabulary import GateDecision, Recommendation, ResearchMode, Severity
from . import tracing
from .approval import ApprovalBasis, RunStatus
from .artefacts import ArtefactFile
from .config import Config, PipelineMode
from .iteration import FindingChanges, IterationResult, outcome_file
from .record_folder import (
    COMMON_FOLDERS,
    FolderKind,
    FolderManifest,
    RecordFolder,
    RunEvent,
    program_version,
    require_record,
)
from .run_analytics import RunAnalytics
from .work import Material, Progress


@dataclass(frozen=True, slots=True)
class RunInputs:
    """The inputs of a run: with its configuration, enough to run it again."""

    brief: str
    as_of: date
    materials: tuple[Material, ...] = ()
    draft: str | None = None

    @property
    def works(self) -> Mapping[str, str]:
        """The titles of the given sources by address."""
        return {one.url: one.title for one in self.materials}


class IterationSummary(Config):
    """One iteration as the manifest keeps it. `supported` is None without an evidence gate."""

    iteration: int
    votes: Mapping[str, Recommendation]
    failures: Mapping[str, str]
    gate: GateDecision | None
    severities: Mapping[str, int]
    changes: FindingChanges
    supported: int | None


class Manifest(FolderManifest):
    """`run.json`. `status` is None while the run is under way.

    `research_mode` is that of the gate's profile `research`; None for `document`, or no gate.
    """

    mode: PipelineMode
    research_mode: ResearchMode | None = None
    as_of: date
    status: RunStatus | None = None
    best_iteration: int | None = None
    approval_basis: ApprovalBasis | None = None
    judge_failed: bool = False
    settlement_blocked: bool = False
    iterations: tuple[IterationSummary, ...] = ()


RUN_FOLDER = FolderKind(
    "run", "run.json", Manifest, ("iterations", *COMMON_FOLDERS, "verify"), "foureyes run"
)


class RunStore(RecordFolder[Manifest]):
    """One run directory: artefacts beside what every record folder has."""

    def __init__(self, path: Path, manifest: Manifest) -> None:
        super().__init__(path, manifest, RUN_FOLDER)

    @classmethod
    def create(
        cls,
        root: Path,
        inputs: RunInputs,
        config: BaseModel,
        *,
        mode: PipelineMode,
        research_mode: ResearchMode | None = None,
        now: datetime,
        contents: Path | None = None,
    ) -> RunStore:
        """Make `root/<utc>_<slug>_<id>/` with everything that a resume needs.

        `config` is whatever the caller wants to find again with `config`. `now` is UTC. `contents`
        is a folder whose files the directory begins with.

        Raises:
            StorageError: The file system refused.
        """
        title = brief_title(inputs.brief)
        with RUN_FOLDER.making(root, title, now, contents) as new:
            manifest = Manifest(
                foureyes=program_version(),
                id=new.id,
                title=title,
                mode=mode,
                research_mode=research_mode,
                as_of=inputs.as_of,
                started=now.astimezone(UTC),
            )
            store = cls(new.unfinished, manifest)
            store.write("brief.md", inputs.brief)
            store.write_config(config)
            store.write("materials.json", to_json(tuple[Material, ...], inputs.materials) + "\n")
            if inputs.draft is not None:
                store.write("draft.md", inputs.draft)
            store.save(manifest)
        return cls(new.path, manifest)

    @classmethod
    def open(cls, path: Path) -> RunStore:
        """Open an existing run directory.

        Raises:
            RunDirectoryError: It is not one, is damaged, or comes from a newer version.
        """
        return cls(path, RUN_FOLDER.read_manifest(path))

    def inputs(self) -> RunInputs:
        """The inputs of the run.

        Raises:
            RunDirectoryError: A file is missing or damaged.
        """
        has_draft = (self.path / "draft.md").exists()
        materials = require_record(tuple[Material, ...], self.path / "materials.json")
        draft = self.read("draft.md") if has_draft else None
        return RunInputs(self.read("brief.md"), self.manifest.as_of, materials, draft)

    def write_verify(self, files: Iterable[ArtefactFile], *, previous: int | None) -> None:
        """Put `files` into `verify/`; those there move to `verify/iteration_<previous>/`.

        Files of an earlier session that are not replaced are removed.
        """
        folder, files = self.path / "verify", tuple(files)
        if previous is None:
            _remove_others(folder, {file.name for file in files})
        else:
            archive = folder / f"iteration_{previous}"
            make_folder(archive)
            _remove_others(archive, ())
            with storage_errors(archive, "move to"):
                for path in folder.glob("*.json"):
                    os.replace(path, archive / path.name)
        for file in files:
            self.write(f"verify/{file.name}", file.text)


def _remove_others(folder: Path, kept: Collection[str]) -> None:
    with storage_errors(folder, "tidy up"):
        for path in folder.glob("*.json"):
            if path.name not in kept:
                path.unlink()


def brief_title(brief: str) -> str:
    """The first line of a brief that has words, without its heading mark; cut to 120 characters."""
    titles = (line.strip().lstrip("#").strip() for line in brief.splitlines())
    return next((title[:120] for title in titles if title), "untitled")


FolderT = TypeVar("FolderT", bound=RecordFolder[Any])

TRACED = "traced"
"""The event with the id of a session's trace, where there is one."""


@dataclass(frozen=True, slots=True)
class SessionRecord(Generic[FolderT]):
    """Writes for one session of a run or a review."""

    store: FolderT
    analytics: RunAnalytics
    notify: Callable[[Progress], None]

    @property
    def work_root(self) -> Path:
        """Where private turn folders go."""
        return self.store.path / ".work"

    def prepare(self) -> bool:
        """Prepare the folder for work; returns whether the work is resumed.

        The turn folders of a killed session are removed.
        """
        store = self.store
        shutil.rmtree(self.work_root, ignore_errors=True)
        make_folder(self.work_root)
        store.tidy()
        resumed = next(store.events(), None) is not None
        if resumed:
            count = store.manifest.resumed + 1
            store.update(status=None, ended=None, reason="", resumed=count)
        return resumed

    async def start(self) -> None:
        """Prepare the folder, and report that the work begins or resumes."""
        resumed = await off_loop(self.prepare)
        self.progress(Progress("run_resumed" if resumed else "run_started"))
        if trace_id := tracing.trace_id():
            self.progress(Progress(TRACED, detail=trace_id))

    def progress(self, progress: Progress) -> None:
        """Show `progress` and keep it as an event."""
        at, told = datetime.now(UTC), progress
        self.store.append(RunEvent(at, told.event, told.agent, told.iteration, told.detail))
        self.notify(progress)

    def write_analytics(self) -> None:
        """Keep what each agent did so far."""
        self.store.write("analytics.json", self.analytics.to_json())

    def write_end(self, **ending: object) -> None:
        """Record that the session ended; `ending` are further manifest fields."""
        self.store.flush()
        self.write_analytics()
        self.store.update(ended=datetime.now(UTC), **ending)
        shutil.rmtree(self.work_root, ignore_errors=True)

    async def end(self, status: str, reason: str, **ending: object) -> None:
        """Record and report how the session ended; `ending` are further manifest fields."""
        await off_loop(self.write_end, status=status, reason=reason, **ending)
        self.progress(Progress("run_ended", detail=status))

    @asynccontextmanager
    async def recording_failure(
        self, ending: Callable[[], Mapping[str, object]]
    ) -> AsyncGenerator[None]:
        """Record that an exception ended the session, if the disk still lets us; it goes on.

        `ending` gives further manifest fields.
        """
        try:
            yield
        except (asyncio.CancelledError, FoureyesError) as error:
            stopped = isinstance(error, asyncio.CancelledError)
            reason = "stopped before its end" if stopped else str(error)
            status = "cancelled" if stopped or isinstance(error, RecordEnded) else "failed"
            # The exception that is on its way is the one to report, not a second one of the disk.
            with suppress(StorageError), anyio.CancelScope(shield=True):
                await self.end(status, reason, **ending())
            raise


@dataclass(frozen=True, slots=True)
class RunRecord(SessionRecord[RunStore]):
    """Writes for one session of a run."""

    _summaries: list[IterationSummary] = field(init=False, default_factory=list[IterationSummary])
    _concluded: list[int] = field(init=False, default_factory=list[int])

    async def keep(self, *files: ArtefactFile, folder: str = "iterations/") -> None:
        """Keep files in `folder` of the run's directory."""
        await off_loop(self._write_all, folder, files)

    async def verify_files(self, iteration: int, files: Iterable[ArtefactFile]) -> None:
        """Keep what code concluded in `iteration`; the conclusion before moves aside."""
        previous = next(reversed(self._concluded), None)
        await off_loop(self.store.write_verify, files, previous=previous)
        self._concluded.append(iteration)

    async def iteration_done(self, result: IterationResult) -> None:
        """Add the iteration to the manifest, with what it came to in a file of its own."""
        self._summaries.append(summarise(result))
        await off_loop(self._write_done, outcome_file(result))

    def _write_done(self, outcome: ArtefactFile) -> None:
        self._write_all("iterations/", [outcome])
        self.store.update(iterations=tuple(self._summaries))
        self.write_analytics()

    def _write_all(self, folder: str, files: Iterable[ArtefactFile]) -> None:
        for file in files:
            self.store.write(f"{folder}{file.name}", file.text)

    def unfinish(self, status: RunStatus, reason: str) -> None:
        """Record that an ended run lacks its report or pack, if the disk still lets us."""
        with suppress(StorageError):
            self.store.update(status=status, reason=reason)
            self.progress(Progress("not_written", detail=reason))


def summarise(result: IterationResult) -> IterationSummary:
    """The iteration as the manifest keeps it."""
    conclusion = result.conclusion
    return IterationSummary(
        iteration=result.iteration,
        votes={name: e.recommendation for name, e in result.examinations.items()},
        failures={name: str(error) for name, error in result.failures.items()},
        gate=conclusion.gate.decision if conclusion else None,
        severities={severity.value: result.count(severity) for severity in Severity},
        changes=result.changes,
        supported=conclusion.supported if conclusion else None,
    )

"""The run directory: the truth about a run (design, principle 5 and section 3)."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import unicodedata
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ValidationError

from ..base.errors import RunDirectoryError
from ..base.files import append_line, read_lines, storage_errors, write_atomic
from ..base.records import from_json, to_json
from ..base.vocabulary import GateDecision, Recommendation, ResearchMode
from .approval import ApprovalBasis, RunStatus
from .config import Config, PipelineMode
from .findings import FindingChanges
from .types import ArtefactFile, Material, TurnUsage

LAYOUT = 1
"""The version of the run directory's layout; raised when an older program could not read it."""

TURNS = "turns"
FOLDERS = ("iterations", "journal", TURNS, "verify")

ModelT = TypeVar("ModelT", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class RunInputs:
    """What a run is made from: enough, with its configuration, to run it again."""

    brief: str
    as_of: date
    materials: tuple[Material, ...] = ()
    draft: str | None = None


@dataclass(frozen=True, slots=True)
class RunEvent:
    """One line of `events.jsonl`. `usage` and `outcome` are set for the event ``turn``."""

    at: datetime
    event: str
    agent: str = ""
    iteration: int = 0
    detail: str = ""
    usage: TurnUsage | None = None
    outcome: str = ""


class IterationSummary(Config):
    """One iteration as the manifest keeps it. `supported` is None without an evidence gate."""

    iteration: int
    votes: Mapping[str, Recommendation]
    failures: Mapping[str, str]
    gate: GateDecision | None
    severities: Mapping[str, int]
    changes: FindingChanges
    supported: int | None


class Manifest(Config):
    """`run.json`. `status` is None while the run is under way; times are UTC.

    `research_mode` is that of the gate's profile `research`; None for `document`, or no gate.
    """

    layout: int = LAYOUT
    foureyes: str
    id: str
    title: str
    mode: PipelineMode
    research_mode: ResearchMode | None = None
    as_of: date
    started: datetime
    ended: datetime | None = None
    resumed: int = 0
    status: RunStatus | None = None
    reason: str = ""
    best_iteration: int | None = None
    approval_basis: ApprovalBasis | None = None
    judge_failed: bool = False
    settlement_blocked: bool = False
    iterations: tuple[IterationSummary, ...] = ()


class RunStore:
    """One run directory: artefacts, manifest, events and journal.

    Files are replaced whole; `events.jsonl` only grows. Only the process that holds `lock` may
    write.
    """

    def __init__(self, path: Path, manifest: Manifest) -> None:
        self.path = path
        self._manifest = manifest

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
        run_id = secrets.token_hex(4)
        path = root / f"{now.astimezone(UTC):%Y%m%dT%H%M%SZ}_{slug(title)}_{run_id}"
        manifest = Manifest(
            foureyes=program_version(),
            id=run_id,
            title=title,
            mode=mode,
            research_mode=research_mode,
            as_of=inputs.as_of,
            started=now.astimezone(UTC),
        )
        with storage_errors(path, "create"):
            for folder in (*FOLDERS, "sources"):
                (path / folder).mkdir(parents=True)
            if contents is not None:
                shutil.copytree(contents, path, dirs_exist_ok=True)
        store = cls(path, manifest)
        store.write("brief.md", inputs.brief)
        store.write("config.json", config.model_dump_json(indent=2) + "\n")
        store.write("materials.json", to_json(tuple[Material, ...], inputs.materials) + "\n")
        if inputs.draft is not None:
            store.write("draft.md", inputs.draft)
        # Last, so that a directory with a manifest is whole.
        store.save(manifest)
        return store

    @classmethod
    def open(cls, path: Path) -> RunStore:
        """Open an existing run directory.

        Raises:
            RunDirectoryError: It is not one, is damaged, or comes from a newer version.
        """
        return cls(path, read_manifest(path))

    @property
    def manifest(self) -> Manifest:
        """The manifest as last saved."""
        return self._manifest

    @property
    def journal(self) -> Path:
        """The folder of the journal."""
        return self.path / "journal"

    @property
    def sources(self) -> Path:
        """The folder of the snapshots."""
        return self.path / "sources"

    def save(self, manifest: Manifest) -> None:
        """Replace the manifest."""
        write_atomic(self.path / "run.json", manifest.model_dump_json(indent=2) + "\n")
        self._manifest = manifest

    def update(self, **changes: object) -> None:
        """Replace the named fields of the manifest."""
        self.save(Manifest.model_validate({**dict(self._manifest), **changes}))

    def inputs(self) -> RunInputs:
        """What the run was made from.

        Raises:
            RunDirectoryError: A file is missing or damaged.
        """
        has_draft = (self.path / "draft.md").exists()
        with _damaged(self.path / "materials.json"):
            materials = from_json(tuple[Material, ...], self.read("materials.json"))
        return RunInputs(
            brief=self.read("brief.md"),
            as_of=self._manifest.as_of,
            materials=materials,
            draft=self.read("draft.md") if has_draft else None,
        )

    def config(self, model: type[ModelT]) -> ModelT:
        """The configuration that `create` was given.

        Raises:
            RunDirectoryError: It is missing or not a `model`.
        """
        with _damaged(self.path / "config.json"):
            return model.model_validate_json(self.read("config.json"))

    def read(self, name: str) -> str:
        """The text of the file `name`, a path below the run directory.

        Raises:
            RunDirectoryError: It is missing or not UTF-8.
        """
        path = self.path / name
        with _damaged(path):
            return path.read_bytes().decode("utf-8")

    def write(self, name: str, text: str) -> None:
        """Replace the file `name`, a path below the run directory; line ends stay as they are."""
        write_atomic(self.path / name, text)

    def make_folder(self, name: str) -> None:
        """Make the folder `name` below the run directory, if it is not there."""
        with storage_errors(self.path / name, "create"):
            (self.path / name).mkdir(exist_ok=True)

    def write_iteration(self, file: ArtefactFile) -> None:
        """Replace a file of `iterations/`."""
        self.write(f"iterations/{file.name}", file.text)

    def write_verify(self, files: Iterable[ArtefactFile], *, previous: int | None) -> None:
        """Put `files` into `verify/`; those there move to `verify/iteration_<previous>/`.

        What an earlier sitting left, and `files` or those moved do not replace, is removed.
        """
        folder, files = self.path / "verify", tuple(files)
        if previous is None:
            _remove_others(folder, {file.name for file in files})
        else:
            archive = folder / f"iteration_{previous}"
            with storage_errors(archive, "create"):
                archive.mkdir(exist_ok=True)
            _remove_others(archive, ())
            with storage_errors(archive, "move to"):
                for path in folder.glob("*.json"):
                    os.replace(path, archive / path.name)
        for file in files:
            self.write(f"verify/{file.name}", file.text)

    def append(self, event: RunEvent) -> None:
        """Add a line to `events.jsonl`."""
        append_line(self.path / "events.jsonl", to_json(RunEvent, event, indent=None))

    def events(self) -> Iterator[RunEvent]:
        """The events so far, oldest first; a torn last line is dropped.

        Raises:
            RunDirectoryError: A line is not an event.
        """
        path = self.path / "events.jsonl"
        if not path.exists():
            return
        for line in read_lines(path):
            with _damaged(path):
                yield from_json(RunEvent, line)

    def tidy(self) -> None:
        """Remove what a killed process left unfinished: half-written files, a torn event."""
        events = self.path / "events.jsonl"
        with storage_errors(self.path, "tidy up"):
            for pattern in (".*.*", *(f"{folder}/**/.*" for folder in FOLDERS)):
                for path in self.path.glob(pattern):
                    path.unlink()
            with suppress(FileNotFoundError), events.open("r+b") as file:
                file.truncate(file.read().rfind(b"\n") + 1)

    @contextmanager
    def lock(self) -> Generator[None]:
        """Hold the run directory for this process.

        The lock ends with the process, so that of a killed one is free to take.

        Raises:
            RunDirectoryError: Another process holds it.
        """
        # Costs 20 ms to import, which a run without a directory need not pay.
        import filelock

        owner = self.path / ".owner"
        with storage_errors(self.path / ".lock", "lock"):
            lock = filelock.FileLock(self.path / ".lock", timeout=0, thread_local=False)
            try:
                lock.acquire()
            except filelock.Timeout:
                raise RunDirectoryError(
                    f"{str(self.path)!r} is in use by pid {_owner_pid(owner)}",
                    "wait until it ends, or stop it",
                ) from None
        try:
            write_atomic(owner, str(os.getpid()), durable=False)
            yield
        finally:
            owner.unlink(missing_ok=True)
            lock.release()


def _remove_others(folder: Path, kept: Collection[str]) -> None:
    with storage_errors(folder, "tidy up"):
        for path in folder.glob("*.json"):
            if path.name not in kept:
                path.unlink()


def read_manifest(path: Path) -> Manifest:
    """The manifest of the run directory `path`.

    Raises:
        RunDirectoryError: As `RunStore.open`.
    """
    file = path / "run.json"
    try:
        text = file.read_bytes()
    except FileNotFoundError:
        raise RunDirectoryError(
            f"{str(path)!r} is not a run directory: there is no run.json",
            "give a folder made by `foureyes run`",
        ) from None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise RunDirectoryError(f"cannot read {str(file)!r}: {reason}", "check the path") from error
    with _damaged(file):
        raw: object = json.loads(text)
    layout = cast("dict[str, Any]", raw).get("layout") if isinstance(raw, dict) else None
    if isinstance(layout, int) and layout > LAYOUT:
        raise RunDirectoryError(
            f"{str(path)!r} was written by a newer version (layout {layout}, known {LAYOUT})",
            "update foureyes",
        )
    with _damaged(file):
        return Manifest.model_validate_json(text)


@contextmanager
def _damaged(path: Path) -> Generator[None]:
    try:
        yield
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, ValidationError) as error:
        reason = " ".join(str(error).split())[:200]
        raise RunDirectoryError(
            f"{str(path)!r} is damaged: {reason}", "start a new run, or restore the file"
        ) from error


def _owner_pid(owner: Path) -> str:
    try:
        return owner.read_text(encoding="utf-8").strip() or "unknown"
    except OSError:
        return "unknown"


def brief_title(brief: str) -> str:
    """The first line of a brief that has words, without its heading mark; cut to 120 characters."""
    for line in brief.splitlines():
        title = line.strip().lstrip("#").strip()
        if title:
            return title[:120]
    return "untitled"


def slug(title: str) -> str:
    """`title` as a folder name: at most 40 of a–z, 0–9 and ``-``; ``run`` if nothing is left."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode("ascii").lower()
    return re.sub(r"[^a-z0-9]+", "-", plain)[:40].strip("-") or "run"


def program_version() -> str:
    """The installed version of foureyes."""
    import importlib.metadata

    return importlib.metadata.version("foureyes")

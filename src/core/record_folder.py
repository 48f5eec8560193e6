"""The folder of a run or a review: manifest, events, journal of finished steps, calls of backends.

A call of a backend is kept in the `turns` folder with its inputs and its outcome, for a replay:

    <name>.<digest>.json    one call, a `RecordedTurn`
    texts/<sha256>.gz       a text that calls were given, kept once

Resume does not read these, so nothing of them is forced to the disk.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import secrets
import shutil
import threading
import unicodedata
import zlib
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from ..base.errors import BudgetExceeded, RunDirectoryError, StorageError
from ..base.files import (
    append_line,
    drop_torn_line,
    from_json,
    make_folder,
    owner_mark,
    read_if_there,
    read_lines,
    remove_left_behind,
    storage_errors,
    take_lock,
    to_json,
    write_atomic,
)
from ..base.off_loop import file_threads, in_loop, off_loop
from .config import Config
from .tasks import AgentBackend, AgentTask, Error, Turn, TurnUsage, backend_name, digest

if TYPE_CHECKING:
    from .work import StepRunner


LAYOUT = 1
"""The version of the folders' layout; raised when an older program could not read it."""

_BEGUN = ".begun-"

JOURNAL, SOURCES, TURNS = "journal", "sources", "turns"
RULES = "rules"
"""In run directories and packs: the registry, prompts and templates that a user put in place."""
COMMON_FOLDERS = (JOURNAL, TURNS)

ModelT = TypeVar("ModelT", bound=BaseModel)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RunEvent:
    """One line of `events.jsonl`. `usage` and `outcome` are set for the event ``turn``.

    `iteration` counts from 1; 0 is for an event of the whole run.
    """

    at: datetime
    event: str
    agent: str = ""
    iteration: int = 0
    detail: str = ""
    usage: TurnUsage | None = None
    outcome: str = ""


class Layout(BaseModel):
    """The version of a file, all that may be read of one that is newer."""

    layout: int


class FolderManifest(Config):
    """Fields of every manifest; times are UTC. `resumed` counts the sessions after the first.

    `layout` is the version of the folder's layout, from 1.
    """

    layout: int = LAYOUT
    foureyes: str
    id: str
    title: str
    started: datetime
    ended: datetime | None = None
    resumed: int = 0
    reason: str = ""


ManifestT = TypeVar("ManifestT", bound=FolderManifest)


@dataclass(frozen=True, slots=True)
class NewFolder:
    """A folder that is being made: where and as what it will be, and where it is until then."""

    path: Path
    id: str
    unfinished: Path


@dataclass(frozen=True, slots=True)
class FolderKind(Generic[ManifestT]):
    """A kind of folder: its name, its manifest's file and model, and its subfolders.

    `command` is the one that makes such folders.
    """

    name: str
    manifest_file: str
    manifest: type[ManifestT]
    folders: tuple[str, ...]
    command: str

    @contextmanager
    def making(
        self, root: Path, title: str, now: datetime, contents: Path | None
    ) -> Generator[NewFolder]:
        """Make `root/<utc>_<slug>_<id>/` atomically.

        The block fills `unfinished`, in which `contents` is, and which becomes `path` at its end.
        What a process that was killed had begun is removed.

        Raises:
            StorageError: The file system refused; nothing is left behind.
        """
        folder_id = secrets.token_hex(4)
        path = root / f"{now.astimezone(UTC):%Y%m%dT%H%M%SZ}_{slug(title)}_{folder_id}"
        remove_left_behind(root, _BEGUN)
        unfinished = root / f"{_BEGUN}{owner_mark()}-{folder_id}"
        try:
            with storage_errors(path, "create"):
                for folder in (*self.folders, SOURCES):
                    (unfinished / folder).mkdir(parents=True)
                if contents is not None:
                    shutil.copytree(contents, unfinished, dirs_exist_ok=True)
            yield NewFolder(path, folder_id, unfinished)
            with storage_errors(path, "create"):
                os.rename(unfinished, path)
        except BaseException:
            shutil.rmtree(unfinished, ignore_errors=True)
            raise

    def read_manifest(self, path: Path) -> ManifestT:
        """The manifest of the folder `path`.

        Raises:
            RunDirectoryError: It is no such folder, is damaged, or comes from a newer version.
        """
        file = path / self.manifest_file
        if not file.exists():
            raise RunDirectoryError(
                f"{str(path)!r} is not a {self.name} directory: there is no {self.manifest_file}",
                f"give a folder made by `{self.command}`",
            )
        return _read_layout(self.manifest, file, self.name)


class RecordFolder(Generic[ManifestT]):
    """One such folder.

    Files are replaced whole; `events.jsonl` only grows. Only the process that holds `lock` may
    write.
    """

    def __init__(self, path: Path, manifest: ManifestT, kind: FolderKind[ManifestT]) -> None:
        self.path = path
        self.manifest = manifest
        """The manifest as last saved."""
        self.journal = path / JOURNAL
        """The folder of the journal."""
        self.sources = path / SOURCES
        """The folder of the snapshots."""
        self._kind = kind
        self._writing = threading.Lock()
        self._waiting = deque[str]()

    def save(self, manifest: ManifestT) -> None:
        """Replace the manifest."""
        self.write(self._kind.manifest_file, manifest.model_dump_json(indent=2) + "\n")
        self.manifest = manifest

    def update(self, **changes: object) -> None:
        """Replace the named fields of the manifest."""
        self.save(self._kind.manifest.model_validate({**dict(self.manifest), **changes}))

    def config(self, model: type[ModelT]) -> ModelT:
        """The configuration that the folder was made with.

        Raises:
            RunDirectoryError: It is missing or not a `model`.
        """
        with self.damaged("config.json"):
            return model.model_validate_json(self.read("config.json"))

    def write_config(self, config: BaseModel) -> None:
        """Replace the configuration."""
        self.write("config.json", config.model_dump_json(indent=2) + "\n")

    def read(self, name: str) -> str:
        """The text of the file `name`, a path below the folder.

        Raises:
            RunDirectoryError: It is missing or not UTF-8.
        """
        with self.damaged(name):
            return (self.path / name).read_bytes().decode("utf-8")

    def write(self, name: str, text: str) -> None:
        """Replace the file `name`, a path below the folder; line ends stay as they are."""
        write_atomic(self.path / name, text)

    @contextmanager
    def damaged(self, name: str) -> Generator[None]:
        """Turn what is raised on reading the file `name` into a `RunDirectoryError`."""
        with damaged(self.path / name, self._kind.name):
            yield

    def append(self, event: RunEvent) -> None:
        """Add one event; within an event loop a thread writes it, in its turn."""
        self._waiting.append(to_json(RunEvent, event, indent=None))
        if in_loop():
            file_threads().submit(self.flush)
        else:
            self.flush()

    def flush(self) -> None:
        """Write every event that is not written yet.

        Raises:
            StorageError: The file system refused; what is not written waits.
        """
        with self._writing:
            while self._waiting:
                append_line(self.path / "events.jsonl", self._waiting[0])
                self._waiting.popleft()

    def events(self) -> Iterator[RunEvent]:
        """The events so far, oldest first; a torn last line is dropped.

        Raises:
            RunDirectoryError: A line is not an event.
        """
        self.flush()
        path = self.path / "events.jsonl"
        if not path.exists():
            return
        for line in read_lines(path):
            with self.damaged(path.name):
                yield from_json(RunEvent, line)

    def tidy(self) -> None:
        """Remove what a killed process left unfinished: half-written files, a torn event."""
        with storage_errors(self.path, "tidy up"):
            for pattern in (".*.*", *(f"{folder}/**/.*" for folder in self._kind.folders)):
                for path in self.path.glob(pattern):
                    path.unlink()
        drop_torn_line(self.path / "events.jsonl")

    @contextmanager
    def lock(self) -> Generator[None]:
        """Hold the folder for this process.

        The lock ends with the process, so that of a killed one is free to take.

        Raises:
            RunDirectoryError: Another process holds it.
        """
        with folder_lock(self.path):
            try:
                yield
            finally:
                with suppress(StorageError):
                    self.flush()


@contextmanager
def folder_lock(folder: Path) -> Generator[None]:
    """Hold `folder` for this process, as `RecordFolder.lock`.

    Raises:
        RunDirectoryError: Another process holds it.
    """
    owner = folder / ".owner"
    with storage_errors(folder / ".lock", "lock"):
        lock = take_lock(folder / ".lock")
    if lock is None:
        raise RunDirectoryError(
            f"{str(folder)!r} is in use by pid {read_if_there(owner).strip() or 'unknown'}",
            "wait until it ends, or stop it",
        )
    try:
        write_atomic(owner, str(os.getpid()), durable=False)
        yield
    finally:
        owner.unlink(missing_ok=True)
        lock.release()


@contextmanager
def damaged(path: Path, kind: str) -> Generator[None]:
    """Turn what is raised on reading `path` into a `RunDirectoryError`."""
    try:
        yield
    except (OSError, ValueError, RecursionError) as error:
        reason = " ".join(str(error).split())[:200]
        raise RunDirectoryError(
            f"{str(path)!r} is damaged: {reason}", f"start a new {kind}, or restore the file"
        ) from error


def read_record(kind: type[T], path: Path, what: str = "run") -> T | None:
    """The record in the file `path` of a `what`, None if there is no such file.

    Raises:
        RunDirectoryError: It is damaged, or cannot be read.
    """
    return require_record(kind, path, what) if path.exists() else None


def require_record(kind: type[T], path: Path, what: str = "run") -> T:
    """As `read_record`, but for a file that has to be there.

    Raises:
        RunDirectoryError: It is missing or damaged, or cannot be read.
    """
    with damaged(path, what):
        return from_json(kind, path.read_bytes())


def _read_layout(kind: type[T], path: Path, what: str) -> T:
    with damaged(path, what):
        data = path.read_bytes()
        if from_json(Layout, data).layout <= LAYOUT:
            return from_json(kind, data)
    raise RunDirectoryError(
        f"{str(path)!r} was written by a newer version (known is layout {LAYOUT})",
        "update foureyes",
    )


def slug(title: str) -> str:
    """`title` as a folder name: at most 40 of a–z, 0–9 and ``-``; ``run`` if nothing is left."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode("ascii").lower()
    return re.sub(r"[^a-z0-9]+", "-", plain)[:40].strip("-") or "run"


def program_version() -> str:
    """The installed version of foureyes."""
    import importlib.metadata

    return importlib.metadata.version("foureyes")


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


def entry_name(name: str, key: str) -> str:
    """The file name of a step's entry: readable, and different for each (name, key)."""
    readable = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")[:60]
    digest = hashlib.sha256(f"{name}\x00{key}".encode()).hexdigest()[:24]
    return f"{readable}.{digest}.json"


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
            make_folder(path.parent)
            # Level 1 takes a third of the time of the default and is a tenth larger.
            packed = gzip.compress(text.encode("utf-8", "surrogatepass"), compresslevel=1, mtime=0)
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
    files = (run_dir / TURNS).glob("*.json")
    turns = [_read_layout(RecordedTurn, path, "run") for path in sorted(files)]
    turns.sort(key=lambda turn: (turn.name, turn.sitting, turn.call))
    sittings = groupby(turns, key=lambda turn: (turn.name, turn.sitting))
    # Of the sittings of a task the last one stands.
    return {name: tuple(calls) for (name, _), calls in sittings}


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


def _text_path(run_dir: Path, sha256: str) -> Path:
    return run_dir / TURNS / "texts" / f"{sha256}.gz"

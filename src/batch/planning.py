"""A batch before it begins: its documents, its plan, and the directory that holds them.

batch.json      the manifest: state, and the round of jobs
plan.json       the documents, and what is done with each
documents/      copies of them
results.jsonl   a `DocumentResult` a line; the first of a document counts
engine/         what each job leaves, and the jobs, with the engine of one machine
summary.json, summary.md, report.html
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Annotated

from pydantic import Field, JsonValue

from ..assembly.backend import price_is_known
from ..assembly.jobs import GivenTexts, read_entries, worker_settings
from ..assembly.materials import absolute_sources
from ..assembly.model import LOOP_ROLES, REVIEW_ROLES, LoadedSettings, Origin
from ..assembly.record_config import absolute
from ..assembly.rules import settings_digest
from ..assembly.settings import load_settings, protected_key
from ..base.errors import DocumentError, InputError
from ..base.files import make_folder, read_document_bytes, to_json, write_atomic
from ..base.printable import visible
from ..base.vocabulary import Severity
from ..engine.work_folder import WorkFolder, WorkKind, make_work_folder
from ..report.batch import BATCH_FILE, BatchTask, DocumentOutcome, DocumentResult
from ..report.check_outcome import is_written_copy
from ..report.html.page import PAGES

SUFFIXES = frozenset(
    (".md", ".markdown", ".mdown", ".mkd", ".txt", ".html", ".htm", ".xhtml", ".pdf", ".docx")
)
"""Of the files that are documents, in any case."""
_RECORDS = (*(pages.manifest_file for pages in PAGES.values()), "experiment.json")
"""A folder that holds one of them is ours, and none of its files a document."""
MAX_BYTES = 1024**3
_NO_UTF8 = re.compile(r"[\ud800-\udfff]")

Id = Annotated[str, Field(min_length=1, max_length=1000)]


class BatchEntry(GivenTexts):
    """One document of a JSONL file. Texts may stand here, or in files beside that one.

    A check and a review need a document; a run needs a brief, a draft, or both.
    """

    id: Id


@dataclass(frozen=True, slots=True)
class Entry:
    """One document. `document` is the draft of a run; a path is where to read a text.

    `name` is used in reports: the file as it was given, or its id. `refused` is the reason not to
    read it, "" for none.
    """

    id: str
    name: str
    _: KW_ONLY
    document: Path | str | None = None
    brief: Path | str | None = None
    sources: tuple[str, ...] = ()
    refused: str = ""


def find_entries(given: Path, task: BatchTask, sources: Collection[Path]) -> Sequence[Entry]:
    """The documents of the folder or JSONL file `given`.

    A folder's are ordered by their paths. Hidden files, folders of ours, copies that a check wrote
    beside a document, and the folders `sources` are left out.

    Raises:
        InputError: There are none, or a line cannot be used.
    """
    if given.is_dir():
        entries = sorted(_in_folder(given, sources), key=lambda entry: entry.id)
        kinds = ", ".join(sorted(SUFFIXES))
        if not entries:
            raise InputError(f"{str(given)!r} holds no document", f"documents are: {kinds}")
        return entries
    if given.suffix.lower() in SUFFIXES:
        raise InputError(
            f"{str(given)!r} is one document", f"use `foureyes {task}`, or give its folder"
        )
    return list(_in_lines(given, task))


def _in_folder(root: Path, sources: Collection[Path]) -> Iterator[Entry]:
    home = root.resolve()
    left_out = {path.resolve() for path in sources}
    unread: list[OSError] = []
    for place, folders, files in os.walk(root, onerror=unread.append):
        here = Path(place)
        links = [name for name in folders if (here / name).is_symlink()]
        folders[:] = [
            name
            for name in folders
            if not name.startswith(".")
            and name not in links
            and (here / name).resolve() not in left_out
            and not any((here / name / record).is_file() for record in _RECORDS)
        ]
        found = [
            name
            for name in files
            if Path(name).suffix.lower() in SUFFIXES and not is_written_copy(name, files)
        ]
        for name in (*links, *found):
            if not name.startswith(".") and (entry := _entry(root, home, here / name)):
                yield entry
    for error in unread:
        refused = f"the folder cannot be listed: {error.strerror}"
        yield _named(root, Path(str(error.filename)), refused)


def _entry(root: Path, home: Path, path: Path) -> Entry | None:
    """The document at `path`; None for a link to a folder whose files are found anyway."""
    if path.is_symlink() and not path.resolve().is_relative_to(home):
        return _named(root, path, "it is a link that leads out of the folder")
    if path.is_dir():
        return None
    return _named(root, path)


def _named(root: Path, path: Path, refused: str = "") -> Entry:
    name, place = path.as_posix(), path.relative_to(root).as_posix()
    if _NO_UTF8.search(name):
        refused, name, place = "its name is not UTF-8: rename it", visible(name), visible(place)
    return Entry(place, name, document=None if refused else path.absolute(), refused=refused)


def _in_lines(file: Path, task: BatchTask) -> Iterator[Entry]:
    seen: set[str] = set()
    for place, entry in read_entries(file, BatchEntry, MAX_BYTES):
        try:
            entry.require(task, f"a {task}")
            sources = absolute_sources(entry.sources, file.parent)
        except ValueError as error:
            raise InputError(f"{place}: {error}", "correct it") from error
        except InputError as error:
            raise InputError(f"{place}: {error.message}", error.hint) from error
        if entry.id in seen:
            raise InputError(f"{place}: there is another {entry.id!r}", "give each its own id")
        seen.add(entry.id)
        yield _of_line(entry, file.parent, sources)


def _of_line(entry: BatchEntry, folder: Path, sources: tuple[str, ...]) -> Entry:
    file = entry.document_file or entry.draft_file
    text = entry.draft if entry.document is None else entry.document
    document = (folder / file).absolute() if file else text
    brief = (folder / entry.brief_file).absolute() if entry.brief_file else entry.brief
    name = (folder / file).as_posix() if file else entry.id
    return Entry(entry.id, name, document=document, brief=brief, sources=sources)


DOCUMENTS = "documents"
"""The folder of the copies: what is examined is what was there when the batch began."""


@dataclass(frozen=True, slots=True)
class BatchOptions:
    """Options that apply to every document.

    `fail_on` is the least severity that counts, None for none. `by` names who lets reviews pass
    their gate; "" stops them there. `sources` are for all documents. `usd` and
    `minutes` are limits of the whole.
    """

    task: BatchTask
    fail_on: Severity | None = None
    by: str = ""
    sources: tuple[str, ...] = ()
    usd: Decimal | None = None
    minutes: float | None = None
    concurrency: int = 2


@dataclass(frozen=True, slots=True)
class PlannedDocument:
    """One document of the plan. `key` is of its id and content.

    `document` and `brief` are copies below the folder of documents, "" for none. `path` is where
    the document was, "" for a text. `failed` says why it cannot be examined.
    """

    key: str
    id: str
    name: str
    _: KW_ONLY
    document: str = ""
    brief: str = ""
    path: str = ""
    sources: tuple[str, ...] = ()
    failed: str = ""

    def without_result(self, outcome: DocumentOutcome, reason: str) -> DocumentResult:
        """The result of the document when nothing was found out about it."""
        return DocumentResult(self.key, self.id, self.name, outcome, reason=reason, severities={})


@dataclass(frozen=True, slots=True)
class CarriedSettings:
    """The settings of a batch: what was given, for `load_settings`, and what they must come to."""

    given: Mapping[str, JsonValue]
    digest: str

    @property
    def beyond(self) -> str:
        """The first setting that a file in a working folder may not set, or ""."""
        return protected_key(self.given)

    def loaded(self, out: Path, usd: Decimal | None) -> LoadedSettings:
        """The settings on this machine; what is made is made in `out`.

        No single run may cost more than `usd`, the limit of the whole.

        Raises:
            InputError: This machine's are others.
        """
        given = {**self.given, "out": out, "memory": "none"}
        return worker_settings(given, self.digest, "the batch", usd)


@dataclass(frozen=True, slots=True)
class Plan:
    """``plan.json``: what is to be done, with which settings, on which documents."""

    wanted: BatchOptions
    settings: CarriedSettings
    documents: tuple[PlannedDocument, ...]


def carried(loaded: LoadedSettings, *, with_config: bool) -> CarriedSettings:
    """The settings that were given by flags, and by a config file if that was named.

    The day at which ages are measured is settled for all documents.
    """
    origins = (Origin.FLAG, Origin.CONFIG) if with_config else (Origin.FLAG,)
    named = {key for key, origin in loaded.origins.items() if origin.origin in origins}
    as_of = loaded.settings.as_of or datetime.now(UTC).date()
    settings = absolute(loaded.settings.model_copy(update={"as_of": as_of}))
    given = settings.model_dump(mode="json", include={*named, "as_of"})
    return CarriedSettings(given, settings_digest(load_settings(given).settings))


def require_known_price(wanted: BatchOptions, loaded: LoadedSettings) -> None:
    """Refuse a limit in dollars where it is not known what a turn costs.

    Raises:
        InputError: The price of a model is not known.
    """
    roles = REVIEW_ROLES if wanted.task is BatchTask.REVIEW else LOOP_ROLES
    if wanted.usd is not None and not price_is_known(loaded.settings, roles):
        raise InputError("the price of a model is not known", "leave --budget-usd out")


def _planned(entry: Entry, folder: Path) -> PlannedDocument:
    """A document, copied below `folder`; what cannot be read is planned as failed."""
    failed, texts = entry.refused, dict[str, tuple[str, bytes]]()
    try:
        for part, given in (("document", entry.document), ("brief", entry.brief)):
            if given is not None and not failed:
                texts[part] = _read(part, given)
    except DocumentError as error:
        failed = str(error)
    found = [(part, hashlib.sha256(data).hexdigest()) for part, (_, data) in texts.items()]
    key = hashlib.sha256(json.dumps([entry.id, found]).encode()).hexdigest()[:24]
    copies = {} if failed else {part: _copy(folder, key, part, *texts[part]) for part in texts}
    return PlannedDocument(
        key,
        entry.id,
        entry.name,
        document=copies.get("document", ""),
        brief=copies.get("brief", ""),
        path=str(entry.document) if isinstance(entry.document, Path) else "",
        sources=entry.sources,
        failed=failed,
    )


def _read(part: str, given: Path | str) -> tuple[str, bytes]:
    """The name and the bytes of a text."""
    if isinstance(given, Path):
        return given.name, read_document_bytes(given)
    if not given.strip():
        raise DocumentError(f"its {part} is empty", "give a text")
    return f"{part}.md", given.encode("utf-8", "surrogatepass")


def _copy(folder: Path, key: str, part: str, name: str, data: bytes) -> str:
    place = Path(key) / part / name
    make_folder((folder / place).parent)
    write_atomic(folder / place, data, durable=False)
    return place.as_posix()


PLAN = "plan.json"
BATCH = WorkKind(
    "a batch",
    BATCH_FILE,
    "foureyes batch",
    DocumentResult,
    key=lambda result: result.key,
    cost=lambda result: result.cost_usd or 0.0,
)


class BatchFolder(WorkFolder[DocumentResult]):
    """A batch on disk.

    Raises:
        InputError: `path` is no batch's directory, or it is damaged.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, BATCH)
        self.plan: Plan = self.read(Plan, PLAN)

    @classmethod
    def create(
        cls,
        root: Path,
        name: str,
        wanted: BatchOptions,
        settings: CarriedSettings,
        of: Sequence[Entry],
    ) -> BatchFolder:
        """A new directory below `root` with copies of the documents `of`.

        Raises:
            StorageError: The file system refused.
        """
        with make_work_folder(root, name, BATCH.manifest_file) as path:
            documents = tuple(_planned(entry, path / DOCUMENTS) for entry in of)
            write_atomic(path / PLAN, to_json(Plan, Plan(wanted, settings, documents)))
        return cls(path)

    def left(self, result: DocumentResult) -> Path | None:
        """The folder with what the job of `result` left; None if there is none."""
        if not result.job:
            return None
        # Earlier versions brought there what another engine's jobs had left.
        places = (self.path / "brought" / result.key, self.job_folder(result.job))
        return next((path for path in places if path.is_dir()), None)

    def report_of(self, result: DocumentResult) -> str:
        """The document's own report from this directory, "" if there is none."""
        folder = self.left(result)
        if folder is None or not result.report or not (folder / result.report).is_file():
            return ""
        return Path(os.path.relpath(folder / result.report, self.path)).as_posix()

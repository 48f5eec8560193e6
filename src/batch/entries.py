"""The documents of a batch: those of a folder, or a line each of a JSONL file."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from ..assembly.materials import absolute_sources
from ..base.errors import InputError
from ..base.files import read_document
from ..base.printable import visible
from ..base.registry import first_mistake
from ..report.batch import BatchTask
from ..report.check_outcome import is_written_copy
from ..report.html.page import RecordKind

SUFFIXES = frozenset(
    (".md", ".markdown", ".mdown", ".mkd", ".txt", ".html", ".htm", ".xhtml", ".pdf", ".docx")
)
"""Of the files that are documents, in any case."""
_RECORDS = (*(kind.manifest_file for kind in RecordKind), "experiment.json")
"""A folder that holds one of them is ours, and none of its files a document."""
MAX_BYTES = 1024**3

Id = Annotated[str, Field(min_length=1, max_length=1000)]


class BatchEntry(BaseModel):
    """One document of a JSONL file. Texts may stand here, or in files beside that one.

    A check and a review need a document; a run needs a brief, a draft, or both.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Id
    document: str | None = Field(default=None, description="The text to check or review.")
    document_file: Path | None = None
    brief: str | None = Field(default=None, description="The text of a brief to run.")
    brief_file: Path | None = None
    draft: str | None = Field(default=None, description="The text of a draft to begin with.")
    draft_file: Path | None = None
    sources: tuple[str, ...] = Field(
        default=(), description="Folders, files and web addresses, besides those for all."
    )

    @model_validator(mode="after")
    def _has_one_text_each(self) -> Self:
        for name in ("document", "brief", "draft"):
            if getattr(self, name) is not None and getattr(self, f"{name}_file") is not None:
                raise ValueError(f"there are both {name} and {name}_file")
        return self

    def require(self, task: BatchTask) -> None:
        """Refuse texts that `task` does not take.

        Raises:
            InputError: One is missing, or would be left aside.
        """
        document = self.document is not None or self.document_file is not None
        others = any(
            one is not None for one in (self.brief, self.brief_file, self.draft, self.draft_file)
        )
        runs = task is BatchTask.RUN
        if document == runs or others != runs:
            wanted = "a brief, a draft or both" if runs else "a document"
            raise InputError(f"a {task} takes {wanted}, and nothing else")


@dataclass(frozen=True, slots=True)
class TextInput:
    """A text that is to be read from `path`, or that is there already."""

    path: Path | None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One document. `document` is the draft of a run.

    `name` is used in reports: the file as it was given, or its id. `refused` is the reason not to
    read it, "" for none.
    """

    id: str
    name: str
    _: KW_ONLY
    document: TextInput | None = None
    brief: TextInput | None = None
    sources: tuple[str, ...] = ()
    refused: str = ""


def read_entries(given: Path, task: BatchTask, sources: Collection[Path]) -> Sequence[Entry]:
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
        path = Path(str(error.filename))
        yield _named(root, path, refused=f"the folder cannot be listed: {error.strerror}")


def _entry(root: Path, home: Path, path: Path) -> Entry | None:
    """The document at `path`; None for a link to a folder whose files are found anyway."""
    if path.is_symlink() and not path.resolve().is_relative_to(home):
        return _named(root, path, refused="it is a link that leads out of the folder")
    if path.is_dir():
        return None
    return _named(root, path, document=TextInput(path.absolute()))


def _named(
    root: Path, path: Path, *, document: TextInput | None = None, refused: str = ""
) -> Entry:
    name, place = path.as_posix(), path.relative_to(root).as_posix()
    if visible(name) != name and not _is_text(name):
        refused, name, place = "its name is not UTF-8: rename it", visible(name), visible(place)
    return Entry(place, name, document=None if refused else document, refused=refused)


def _is_text(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _in_lines(file: Path, task: BatchTask) -> Iterator[Entry]:
    seen: set[str] = set()
    for number, line in enumerate(read_document(file, max_bytes=MAX_BYTES).split("\n"), start=1):
        if not line.strip():
            continue
        place = f"{file}, line {number}"
        try:
            entry = BatchEntry.model_validate_json(line)
            entry.require(task)
            sources = absolute_sources(entry.sources, file.parent)
        except ValidationError as error:
            raise InputError(f"{place}: {first_mistake(error)}", "correct it") from error
        except InputError as error:
            raise InputError(f"{place}: {error.message}", error.hint) from error
        if entry.id in seen:
            raise InputError(f"{place}: there is another {entry.id!r}", "give each its own id")
        seen.add(entry.id)
        yield _of_line(entry, file.parent, sources)


def _of_line(entry: BatchEntry, folder: Path, sources: tuple[str, ...]) -> Entry:
    def given(text: str | None, file: Path | None) -> TextInput | None:
        if file is not None:
            return TextInput((folder / file).absolute())
        return None if text is None else TextInput(None, text)

    document = given(entry.document, entry.document_file) or given(entry.draft, entry.draft_file)
    brief = given(entry.brief, entry.brief_file)
    file = entry.document_file or entry.draft_file
    name = (folder / file).as_posix() if file else entry.id
    return Entry(entry.id, name, document=document, brief=brief, sources=sources)

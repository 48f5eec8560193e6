"""The knowledge base: folders go in, passages come out."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import anyio.to_thread

from ...base.errors import InputError, StorageError
from ..policy import FetchPolicy
from ..search.model import SearchAnswer, SearchHit, SearchUnavailable
from ..search.policy import SearchPolicy
from .finding import find_passages
from .scan import FoundFile, files_below, read_file
from .store import (
    Entry,
    IndexReport,
    KnowledgePassage,
    ReadDocument,
    Skipped,
    entries,
    open_index,
    remove_documents,
    replace_documents,
    writing,
)

BATCH = 200
"""Documents written in one transaction: what a crash can lose, and how long others wait."""


@dataclass(slots=True)
class _Tally:
    """Counts of a folder's files so far."""

    indexed: int = 0
    unchanged: int = 0
    passages: int = 0
    skipped: list[Skipped] = field(default_factory=list[Skipped])
    seen: set[str] = field(default_factory=set[str])


class KnowledgeBase:
    """An index on disk. Processes may add to it and search it at the same time.

    Args:
        path: The index file; it is made when a folder is added.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._frequent: dict[str, int] = {}

    def add(
        self, folder: Path, policy: FetchPolicy, *, on_skip: Callable[[Skipped], None] | None = None
    ) -> IndexReport:
        """Index a folder, or what has changed in it since it was last added.

        Documents are written in batches: what is written stays if the process ends early, and the
        next call goes on from there.

        Args:
            folder: Markdown, HTML, PDF and text files, at any depth.
            policy: Gives kinds of files and bounds of reading.
            on_skip: Called with each file that is not indexed, as soon as it is found.

        Raises:
            InputError: It is no folder.
            StorageError: The index cannot be written.
        """
        if not folder.is_dir():
            raise InputError(f"{str(folder)!r} is not a folder", "give a folder of documents")
        root = folder.resolve()
        with open_index(self._path) as index:
            with writing(index):
                index.execute("INSERT OR IGNORE INTO roots VALUES (?)", (str(root),))
            known = entries(index, str(root))
            tally = _Tally()
            batch: list[ReadDocument | Entry] = []
            for outcome in _read_all(root, known, policy, tally):
                if isinstance(outcome, Skipped):
                    tally.skipped.append(outcome)
                    if on_skip is not None:
                        on_skip(outcome)
                    continue
                batch.append(outcome)
                if len(batch) == BATCH:
                    _write(index, str(root), batch)
                    batch.clear()
            _write(index, str(root), batch)
            gone = sorted(known.keys() - tally.seen)
            with writing(index):
                remove_documents(index, str(root), gone)
        return IndexReport(
            str(root),
            tally.indexed,
            tally.unchanged,
            len(gone),
            tally.passages,
            tuple(tally.skipped),
        )

    def roots(self) -> tuple[Path, ...]:
        """The folders that were added, and are still there.

        Raises:
            StorageError: The index cannot be read.
        """
        if not self._path.exists():
            return ()
        with open_index(self._path) as index:
            rows = index.execute("SELECT root FROM roots ORDER BY root").fetchall()
        return tuple(path for path in (Path(row[0]) for row in rows) if path.is_dir())

    def search(self, question: str, limit: int) -> tuple[KnowledgePassage, ...]:
        """The passages that hold most of the words of `question`, best first.

        Args:
            question: A claim or a query; its first 2,000 characters count.
            limit: The most passages; of one document at most three are given.

        Raises:
            InputError: Nothing has been added.
            StorageError: The index cannot be read.
        """
        if not self._path.exists():
            raise InputError("the knowledge base is empty", "add a folder: foureyes kb add FOLDER")
        with open_index(self._path) as index:
            return find_passages(index, question, limit, self._frequent)


def _read_all(
    root: Path, known: dict[str, Entry], policy: FetchPolicy, tally: _Tally
) -> Iterator[ReadDocument | Entry | Skipped]:
    """Yield the documents to write and the files skipped; `tally` is updated."""
    for file in files_below(root):
        if isinstance(file, Skipped):
            yield file
            continue
        entry = known.get(file.name)
        if entry is not None and _is_unchanged(file, entry):
            tally.seen.add(file.name)
            tally.unchanged += 1
            continue
        outcome = read_file(file, entry, policy)
        if isinstance(outcome, Entry):
            tally.unchanged += 1
        elif isinstance(outcome, ReadDocument):
            tally.indexed += 1
            tally.passages += len(outcome.passages)
        if not isinstance(outcome, Skipped):
            tally.seen.add(file.name)
        yield outcome


def _is_unchanged(file: FoundFile, entry: Entry) -> bool:
    return (file.mtime_ns, file.size) == (entry.mtime_ns, entry.size)


def _write(index: sqlite3.Connection, root: str, batch: list[ReadDocument | Entry]) -> None:
    with writing(index):
        replace_documents(index, root, (item for item in batch if isinstance(item, ReadDocument)))
        index.executemany(
            "UPDATE documents SET mtime_ns = ?, size = ? WHERE root = ? AND path = ?",
            [(e.mtime_ns, e.size, root, e.path) for e in batch if isinstance(e, Entry)],
        )


class KnowledgeSearch:
    """A `SearchProvider` whose queries stay on this machine.

    Hits are addressed by their path below the folder that was added, as documents cite them.
    """

    name = "knowledge_base"
    local = True

    def __init__(self, base: KnowledgeBase, policy: SearchPolicy) -> None:
        self._base = base
        self._policy = policy

    async def search(self, query: str, limit: int) -> SearchAnswer:
        """At most `limit` passages.

        Raises:
            SearchUnavailable: The knowledge base is empty or cannot be read.
        """
        try:
            found = await anyio.to_thread.run_sync(self._base.search, query, limit)
        except (InputError, StorageError) as error:
            raise SearchUnavailable(self.name, error.message, error.hint) from error
        longest = self._policy.excerpt_characters
        return SearchAnswer(
            tuple(
                SearchHit(
                    quote(passage.path),
                    passage.title,
                    passage.text[:longest],
                    sha256=passage.sha256,
                    start=passage.start,
                )
                for passage in found
            )
        )

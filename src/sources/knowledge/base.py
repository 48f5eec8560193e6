"""The knowledge base: the files of folders go in, passages come out."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

import anyio.to_thread

from ...base.errors import InputError, StorageError
from ...base.vocabulary import SourceState
from ..extraction import extract, kind_of, unsupported
from ..failure import FetchFailed
from ..local_files import FoundFile, Skipped, describe_refusal, files_below
from ..policy import FetchPolicy, SearchPolicy, TextKind
from ..search.model import SearchAnswer, SearchHit, SearchUnavailable
from ..snapshot_store import sha256_hex
from .store import (
    Entry,
    IndexReport,
    KnowledgePassage,
    ReadDocument,
    entries,
    find_passages,
    open_index,
    remove_documents,
    replace_documents,
    writing,
)

USUAL = 700
"""Characters of a passage: short paragraphs are joined up to this."""
LONGEST = 1_200
"""A longer paragraph is cut, at the end of a sentence where there is one."""

_BREAK = re.compile(r"\n[ \t]*\n\s*")
_SENTENCE_END = re.compile(r"[.!?][\"'”’)\]]{0,3}\s")


def passage_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where the passages of `text` start and end: in order, without overlap, none of them blank."""
    start = end = 0
    for first, last in _paragraphs(text):
        if end > start and last - start > USUAL:
            yield start, end
            start = first
        elif end == start:
            start = first
        end = last
        while end - start > LONGEST:
            cut = _cut(text, start)
            yield start, cut
            start = _skip_space(text, cut, end)
    if end > start:
        yield start, end


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    start = _skip_space(text, 0, len(text))
    for gap in _BREAK.finditer(text, start):
        yield start, gap.start()
        start = gap.end()
    end = len(text.rstrip())
    if end > start:
        yield start, end


def _cut(text: str, start: int) -> int:
    """Where a paragraph that is too long is cut."""
    ends = [match.end() for match in _SENTENCE_END.finditer(text, start, start + LONGEST)]
    if ends and ends[-1] > start + LONGEST // 4:
        return len(text[: ends[-1]].rstrip()) if ends[-1] - start < LONGEST else ends[-1]
    space = text.rfind(" ", start + LONGEST // 2, start + LONGEST)
    return space if space > 0 else start + LONGEST


def _skip_space(text: str, start: int, end: int) -> int:
    while start < end and text[start].isspace():
        start += 1
    return start


_HEAD = 2_000
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_YOUNG_NS = 2_000_000_000
"""A file changed twice within the clock's grain keeps its time: its bytes are read again."""


def read_file(
    file: FoundFile | Skipped, known: Mapping[str, Entry], policy: FetchPolicy
) -> ReadDocument | Entry | Skipped:
    """A document, its entry in `known` if it has its time and size, or why it is skipped."""
    if isinstance(file, Skipped):
        return file
    before = known.get(file.name)
    if before is not None and (file.mtime_ns, file.size) == (before.mtime_ns, before.size):
        return before
    try:
        body, kind = _body(file, policy)
        deadline = time.monotonic() + policy.timeouts.extraction
        page = extract(body, kind, policy, stop=lambda: time.monotonic() > deadline)
    except FetchFailed as failure:
        return Skipped(file.name, failure.reason)
    except OSError as error:
        return Skipped(file.name, describe_refusal(error))
    title = page.about.title or file.name.rpartition("/")[2]
    entry = Entry(file.name, _trusted_time(file), file.size, sha256_hex(body), title)
    spans = passage_spans(page.text)
    return ReadDocument(entry, tuple((s, e, page.text[s:e]) for s, e in spans))


def _body(file: FoundFile, policy: FetchPolicy) -> tuple[bytes, TextKind]:
    """The file's bytes and kind; a file that is not read is not loaded either.

    Raises:
        FetchFailed: It is too large or no text.
        OSError: It cannot be read.
    """
    limit = policy.limits.decoded_bytes
    if file.size > limit:
        raise FetchFailed(SourceState.TOO_LARGE, f"it is larger than {limit:,} bytes")
    with file.path.open("rb") as opened:
        head = opened.read(_HEAD)
        kind = kind_of("", file.name, head, policy)
        if kind is None:
            raise unsupported("")
        if kind is not TextKind.PDF and b"\x00" in head and not head.startswith(_UTF16):
            raise FetchFailed(SourceState.UNSUPPORTED_TYPE, "it is a binary file")
        body = head + opened.read(limit + 1 - len(head))
    if len(body) > limit:
        raise FetchFailed(SourceState.TOO_LARGE, f"it is larger than {limit:,} bytes")
    return body, kind


def _trusted_time(file: FoundFile) -> int:
    now = int(datetime.now(UTC).timestamp() * 1e9)
    return file.mtime_ns if now - file.mtime_ns > _YOUNG_NS else 0


BATCH = 200
"""Documents written in one transaction: what a crash can lose, and how long others wait."""


class KnowledgeBase:
    """An index on disk. Processes may add to it and search it at the same time.

    Args:
        path: The index file; it is made when a folder is added.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def add(self, folder: Path, policy: FetchPolicy) -> IndexReport:
        """Index a folder, or what has changed in it since it was last added.

        Documents are written in batches: what is written stays if the process ends early, and the
        next call goes on from there.

        Args:
            folder: Markdown, HTML, PDF and text files, at any depth.
            policy: Gives kinds of files and bounds of reading.

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
            skipped = list[Skipped]()
            unchanged, indexed = set[str](), set[str]()
            batch, passages = list[ReadDocument](), 0
            for file in files_below(root):
                match read_file(file, known, policy):
                    case Skipped() as one:
                        skipped.append(one)
                    case Entry() as one:
                        unchanged.add(one.path)
                    case ReadDocument() as one:
                        indexed.add(one.entry.path)
                        passages += len(one.passages)
                        batch.append(one)
                if len(batch) == BATCH:
                    replace_documents(index, str(root), batch)
                    batch.clear()
            replace_documents(index, str(root), batch)
            gone = sorted(known.keys() - unchanged - indexed)
            with writing(index):
                remove_documents(index, str(root), gone)
        counts = len(indexed), len(unchanged), len(gone), passages
        return IndexReport(str(root), *counts, tuple(skipped))

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
            raise InputError(
                "the knowledge base is empty", "add a folder: foureyes sources index FOLDER"
            )
        with open_index(self._path) as index:
            return find_passages(index, question, limit)


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

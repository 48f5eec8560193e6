"""The knowledge base: the files of folders go in, passages come out."""

from __future__ import annotations

import re
import sqlite3
import time
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path
from urllib.parse import quote

import anyio.to_thread

from ...base.errors import InputError, StorageError
from ...base.files import make_folder
from ...base.vocabulary import SourceState
from ..failure import FetchFailed, too_large
from ..local_files import FoundFile, Skipped, describe_refusal, files_below
from ..policy import FetchPolicy, SearchPolicy, TextKind
from ..reading import extract, kind_of, unsupported
from ..search.model import SearchAnswer, SearchHit, SearchUnavailable
from ..snapshot_store import sha256_hex


@dataclass(frozen=True, slots=True)
class IndexReport:
    """Report of `KnowledgeBase.add` on a folder.

    Counts are files: `indexed` are those that were read, `unchanged` have the time and size that
    they had before, `removed` had left the folder or could no longer be read.
    """

    root: str
    indexed: int
    unchanged: int
    removed: int
    passages: int
    skipped: tuple[Skipped, ...]


@dataclass(frozen=True, slots=True)
class KnowledgePassage:
    """A place in an indexed document.

    `path` is relative to `root`, with slashes; `sha256` names the document's bytes. `text` is
    ``extracted[start:end]`` of the text that `sources.reading` reads out of them. `score` is
    the weight (BM25) of the question's words in the passage and its title, 1 for the best passage.
    """

    root: str
    path: str
    title: str
    sha256: str
    start: int
    end: int
    text: str
    score: float


VERSION = 1
TOKENIZER = "porter unicode61 remove_diacritics 2"
WAIT_S = 60.0
"""How long a process waits for another that writes."""

_SCHEMA = f"""
CREATE TABLE roots (root TEXT PRIMARY KEY);
CREATE TABLE documents (
    id INTEGER PRIMARY KEY, root TEXT NOT NULL, path TEXT NOT NULL, mtime_ns INTEGER NOT NULL,
    size INTEGER NOT NULL, sha256 TEXT NOT NULL, title TEXT NOT NULL, UNIQUE (root, path)
);
CREATE TABLE places (
    id INTEGER PRIMARY KEY, document INTEGER NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL
);
CREATE INDEX places_of ON places (document);
CREATE VIRTUAL TABLE passages USING fts5(text, title, tokenize='{TOKENIZER}');
PRAGMA user_version = {VERSION};
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """A document as indexed. `mtime_ns` is 0 if the file was too new to trust its time."""

    path: str
    mtime_ns: int
    size: int
    sha256: str
    title: str


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A document that was read: its entry, and its passages with their places in its text."""

    entry: Entry
    passages: tuple[tuple[int, int, str], ...]


@contextmanager
def open_index(path: Path) -> Generator[sqlite3.Connection]:
    """The index at `path`, made if it is not there. The caller opens transactions.

    Raises:
        StorageError: It cannot be used, or is of another version.
    """
    make_folder(path.parent)
    try:
        # Transactions are opened by `writing` alone.
        with closing(sqlite3.connect(path, timeout=WAIT_S, isolation_level=None)) as index:
            index.execute("PRAGMA journal_mode = WAL")
            index.execute("PRAGMA synchronous = NORMAL")
            _require_schema(index, path)
            yield index
    except sqlite3.Error as error:
        remedies = {
            sqlite3.SQLITE_FULL: "free some space, then run the command again",
            sqlite3.SQLITE_CANTOPEN: "give the name of a file in a folder you may write to",
            sqlite3.SQLITE_NOTADB: "name a file that `foureyes sources index` has made",
        }
        otherwise = "if it is damaged, delete it and add its folders again"
        remedy = remedies.get(getattr(error, "sqlite_errorcode", 0), otherwise)
        reason = f"cannot use the knowledge base {str(path)!r}: {error}"
        raise StorageError(reason, remedy) from error


@contextmanager
def writing(index: sqlite3.Connection) -> Generator[None]:
    """One transaction, closed to other writers from its start."""
    index.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        index.execute("ROLLBACK")
        raise
    index.execute("COMMIT")


def _require_schema(index: sqlite3.Connection, path: Path) -> None:
    if _version(index) == 0:
        with writing(index):
            # Another process may have been first.
            if _version(index) == 0:
                for statement in _SCHEMA.strip().split(";\n"):
                    index.execute(statement)
    if _version(index) != VERSION:
        reason = f"the knowledge base {str(path)!r} is of another version"
        raise StorageError(reason, "delete it and add its folders again")


def _version(index: sqlite3.Connection) -> int:
    return int(index.execute("PRAGMA user_version").fetchone()[0])


def replace_documents(
    index: sqlite3.Connection, root: str, documents: Iterable[ReadDocument]
) -> None:
    """Put documents in the place of those of the same path, in one transaction."""
    with writing(index):
        for document in documents:
            entry = document.entry
            remove_documents(index, root, [entry.path])
            known = (root, *astuple(entry))
            row = index.execute("INSERT INTO documents VALUES (NULL, ?, ?, ?, ?, ?, ?)", known)
            for start, stop, text in document.passages:
                place = row.lastrowid, start, stop
                number = index.execute("INSERT INTO places VALUES (NULL, ?, ?, ?)", place).lastrowid
                words = number, text, entry.title
                index.execute("INSERT INTO passages (rowid, text, title) VALUES (?, ?, ?)", words)


def remove_documents(index: sqlite3.Connection, root: str, paths: Iterable[str]) -> None:
    """Take documents out; call it in a transaction."""
    find = "SELECT id FROM documents WHERE root = ? AND path = ?"
    places = "SELECT id FROM places WHERE document = ?"
    for path in paths:
        for found in index.execute(find, (root, path)).fetchall():
            index.execute(f"DELETE FROM passages WHERE rowid IN ({places})", found)
            index.execute("DELETE FROM places WHERE document = ?", found)
            index.execute("DELETE FROM documents WHERE id = ?", found)


LONGEST_QUESTION = 2_000
CANDIDATES = 40
"""Passages of which the best are taken."""
PER_DOCUMENT = 3

_WORD = re.compile(r"\w+")
_SEARCH = """
SELECT p.rank, d.root, d.path, d.title, d.sha256, l.start, l.stop, p.text
FROM (SELECT rowid, text, rank FROM passages WHERE passages MATCH ? ORDER BY rank LIMIT ?) AS p
JOIN places AS l ON l.id = p.rowid JOIN documents AS d ON d.id = l.document
ORDER BY p.rank, d.path, l.start
"""


def find_passages(
    index: sqlite3.Connection, question: str, limit: int
) -> tuple[KnowledgePassage, ...]:
    """The passages that hold most of the question's words, weighted by their rarity."""
    # In quotation marks, since words like OR and NEAR are operators of the query language.
    match = " OR ".join(f'"{word}"' for word in set(_WORD.findall(question[:LONGEST_QUESTION])))
    rows = index.execute(_SEARCH, (match, CANDIDATES)).fetchall() if match else []
    found: list[KnowledgePassage] = []
    places: set[tuple[str, int]] = set()
    per_document: Counter[str] = Counter()
    for rank, *fields in rows:
        passage = KnowledgePassage(*fields, score=round(rank / rows[0][0], 4))
        # The same document may lie in two folders.
        place = passage.sha256, passage.start
        if place not in places and per_document[passage.sha256] < PER_DOCUMENT:
            places.add(place)
            per_document[passage.sha256] += 1
            found.append(passage)
    return tuple(found[:limit])


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
        page = extract(body, kind, policy)
    except FetchFailed as failure:
        return Skipped(file.name, failure.reason)
    except OSError as error:
        return Skipped(file.name, describe_refusal(error))
    title = page.about.title or file.name.rpartition("/")[2]
    trusted = file.mtime_ns if time.time_ns() - file.mtime_ns > _YOUNG_NS else 0
    entry = Entry(file.name, trusted, file.size, sha256_hex(body), title)
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
        raise too_large(limit)
    with file.path.open("rb") as opened:
        head = opened.read(_HEAD)
        kind = kind_of("", file.name, head, policy)
        if kind is None:
            raise unsupported("")
        if kind is not TextKind.PDF and b"\x00" in head and not head.startswith(_UTF16):
            raise FetchFailed(SourceState.UNSUPPORTED_TYPE, "it is a binary file")
        body = head + opened.read(limit + 1 - len(head))
    if len(body) > limit:
        raise too_large(limit)
    return body, kind


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
            found = "SELECT path, mtime_ns, size, sha256, title FROM documents WHERE root = ?"
            known = {row[0]: Entry(*row) for row in index.execute(found, (str(root),))}
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
        return tuple(path for (root,) in rows if (path := Path(root)).is_dir())

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

        def hit(one: KnowledgePassage) -> SearchHit:
            path, excerpt = quote(one.path), one.text[:longest]
            return SearchHit(path, one.title, excerpt, sha256=one.sha256, start=one.start)

        return SearchAnswer(tuple(map(hit, found)))

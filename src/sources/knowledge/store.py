"""The index on disk: documents, their passages in SQLite's full-text search, and the search."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Generator, Iterable
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from ...base.errors import StorageError
from ...base.files import make_folder
from ..local_files import Skipped


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
    ``extracted[start:end]`` of the text that `sources.extraction` reads out of them. `score` is
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
        raise StorageError(
            f"cannot use the knowledge base {str(path)!r}: {error}",
            remedies.get(
                getattr(error, "sqlite_errorcode", 0),
                "if it is damaged, delete it and add its folders again",
            ),
        ) from error


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
        raise StorageError(
            f"the knowledge base {str(path)!r} is of another version",
            "delete it and add its folders again",
        )


def _version(index: sqlite3.Connection) -> int:
    return int(index.execute("PRAGMA user_version").fetchone()[0])


def entries(index: sqlite3.Connection, root: str) -> dict[str, Entry]:
    """The documents of `root` by path."""
    rows = index.execute(
        "SELECT path, mtime_ns, size, sha256, title FROM documents WHERE root = ?", (root,)
    )
    return {row[0]: Entry(*row) for row in rows}


def replace_documents(
    index: sqlite3.Connection, root: str, documents: Iterable[ReadDocument]
) -> None:
    """Put documents in the place of those of the same path, in one transaction."""
    with writing(index):
        for document in documents:
            entry = document.entry
            remove_documents(index, root, [entry.path])
            row = index.execute(
                "INSERT INTO documents (root, path, mtime_ns, size, sha256, title) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                (root, entry.path, entry.mtime_ns, entry.size, entry.sha256, entry.title),
            )
            for start, stop, text in document.passages:
                place = index.execute(
                    "INSERT INTO places (document, start, stop) VALUES (?, ?, ?)",
                    (row.lastrowid, start, stop),
                )
                index.execute(
                    "INSERT INTO passages (rowid, text, title) VALUES (?, ?, ?)",
                    (place.lastrowid, text, entry.title),
                )


def remove_documents(index: sqlite3.Connection, root: str, paths: Iterable[str]) -> None:
    """Take documents out; call it in a transaction."""
    for path in paths:
        found = index.execute(
            "SELECT id FROM documents WHERE root = ? AND path = ?", (root, path)
        ).fetchone()
        if found is None:
            continue
        index.execute(
            "DELETE FROM passages WHERE rowid IN (SELECT id FROM places WHERE document = ?)", found
        )
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
    for rank, root, path, title, sha256, start, end, text in rows:
        score = round(rank / rows[0][0], 4)
        passage = KnowledgePassage(root, path, title, sha256, start, end, text, score)
        # The same document may lie in two folders.
        place = sha256, start
        if place not in places and per_document[sha256] < PER_DOCUMENT:
            places.add(place)
            per_document[sha256] += 1
            found.append(passage)
    return tuple(found[:limit])

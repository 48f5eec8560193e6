"""The index on disk: documents, their passages in SQLite's full-text search, and the search."""

from __future__ import annotations

import math
import re
import sqlite3
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ...base.errors import StorageError
from ...base.files import storage_errors


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was not indexed; `path` is relative to the folder, with slashes."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class IndexReport:
    """Report of `KnowledgeBase.add` on a folder.

    Counts are files: `indexed` are new or changed, `unchanged` were indexed before with the same
    bytes, `removed` had left the folder or could no longer be read.
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
    ``extracted[start:end]`` of the text that `sources.extraction` reads out of them. `score` is the
    share of the question's words, weighted by rarity, that the passage and its title hold, 0 to 1.
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
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(passages, row);
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
    with storage_errors(path.parent, "create"):
        path.parent.mkdir(parents=True, exist_ok=True)
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
    """Put documents in the place of those of the same path; call it in a transaction."""
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
"""Passages that are compared word by word."""
POSTINGS = 3_000
"""Occurrences that one search looks at: rare words first, so that time stays bounded."""
PER_DOCUMENT = 3
FREQUENT = 1_000
"""A stem in more passages than this is counted once: its count takes long and changes little."""

_WORD = re.compile(r"\w+")


class _Term(NamedTuple):
    """A word of the question as written, its stem, and in how many passages that occurs."""

    word: str
    stem: str
    passages: int


class _Row(NamedTuple):
    """A candidate as the index gives it."""

    root: str
    text: str
    title: str
    start: int
    stop: int
    path: str
    sha256: str


def find_passages(
    index: sqlite3.Connection, question: str, limit: int, frequent: dict[str, int]
) -> tuple[KnowledgePassage, ...]:
    """The passages that hold most of the question's words, weighted by their rarity.

    `frequent` keeps the counts of frequent stems between searches; give an empty one at first.
    """
    words = list(dict.fromkeys(_WORD.findall(question[:LONGEST_QUESTION].lower())))
    with closing(_stemmer()) as stemmer:
        terms = _terms(index, stemmer, words, frequent)
        if not terms:
            return ()
        total = int(index.execute("SELECT max(id) FROM places").fetchone()[0] or 1)
        weights = {term.stem: math.log(1 + total / max(1, term.passages)) for term in terms}
        rows = _candidates(index, _choose_words(terms))
        _tokenize(stemmer, [f"{row.text} {row.title}" for row in rows])
        scores = [0.0] * len(rows)
        for stem, weight in weights.items():
            for number in _texts_with(stemmer, stem):
                scores[number] += weight / sum(weights.values())
    scored = sorted(
        zip(scores, rows, strict=True), key=lambda pair: (-pair[0], pair[1].path, pair[1].start)
    )
    return tuple(_best(scored, limit))


def _stemmer() -> sqlite3.Connection:
    """A table in memory that takes words apart exactly as the index does."""
    memory = sqlite3.connect(":memory:", isolation_level=None)
    memory.execute(f"CREATE VIRTUAL TABLE texts USING fts5(text, tokenize='{TOKENIZER}')")
    memory.execute("CREATE VIRTUAL TABLE stems USING fts5vocab(texts, instance)")
    return memory


def _tokenize(stemmer: sqlite3.Connection, texts: Sequence[str]) -> None:
    stemmer.execute("BEGIN")
    stemmer.execute("DELETE FROM texts")
    stemmer.executemany("INSERT INTO texts (rowid, text) VALUES (?, ?)", enumerate(texts))
    stemmer.execute("COMMIT")


def _texts_with(stemmer: sqlite3.Connection, stem: str) -> set[int]:
    return {row[0] for row in stemmer.execute("SELECT doc FROM stems WHERE term = ?", (stem,))}


def _terms(
    index: sqlite3.Connection,
    stemmer: sqlite3.Connection,
    words: Sequence[str],
    frequent: dict[str, int],
) -> list[_Term]:
    """The words of a question, the rarest first; of one stem the first word."""
    _tokenize(stemmer, words)
    by_stem: dict[str, str] = {}
    for stem, number in stemmer.execute("SELECT term, doc FROM stems ORDER BY doc"):
        by_stem.setdefault(stem, words[int(number)])
    counted: list[_Term] = []
    for stem, word in by_stem.items():
        passages = frequent.get(stem) or _count(index, stem)
        if passages > FREQUENT:
            frequent[stem] = passages
        counted.append(_Term(word, stem, passages))
    return sorted(counted, key=lambda term: (term.passages, term.stem))


def _count(index: sqlite3.Connection, stem: str) -> int:
    found = index.execute("SELECT doc FROM vocabulary WHERE term = ?", (stem,)).fetchone()
    return int(found[0]) if found else 0


def _choose_words(terms: Iterable[_Term]) -> Iterator[str]:
    """The words to look for: the rarest, as many as the bound on occurrences allows."""
    room = POSTINGS
    for term in terms:
        if term.passages == 0:
            continue
        if term.passages > room and room < POSTINGS:
            return
        room -= term.passages
        yield term.word


def _candidates(index: sqlite3.Connection, words: Iterable[str]) -> list[_Row]:
    # Quoted, because words like OR and NEAR are operators of the query language.
    match = " OR ".join(f'"{word}"' for word in words)
    if not match:
        return []
    found = index.execute(
        "SELECT d.root, p.text, d.title, l.start, l.stop, d.path, d.sha256 FROM "
        "(SELECT rowid, text FROM passages WHERE passages MATCH ? ORDER BY rank LIMIT ?) AS p "
        "JOIN places AS l ON l.id = p.rowid JOIN documents AS d ON d.id = l.document",
        (match, CANDIDATES),
    )
    return [_Row(*row) for row in found]


def _best(scored: Iterable[tuple[float, _Row]], limit: int) -> Iterator[KnowledgePassage]:
    seen: set[tuple[str, int]] = set()
    per_document: Counter[str] = Counter()
    for score, row in scored:
        if len(seen) == limit:
            return
        # The same document may lie in two folders.
        place = (row.sha256, row.start)
        if place in seen or per_document[row.sha256] == PER_DOCUMENT:
            continue
        seen.add(place)
        per_document[row.sha256] += 1
        yield KnowledgePassage(
            row.root,
            row.path,
            row.title,
            row.sha256,
            row.start,
            row.stop,
            row.text,
            round(score, 4),
        )

"""A question to the passages that hold its words."""

from __future__ import annotations

import math
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from typing import NamedTuple

from .store import TOKENIZER, KnowledgePassage

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

"""What indexing reports and what a search of the knowledge base finds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was not indexed; `path` is relative to the folder, with slashes."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What `KnowledgeBase.add` did with a folder.

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

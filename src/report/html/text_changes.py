"""Two versions of a text side by side, and what changed within their lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

CONTEXT_LINES = 2
MAX_LINES = 20_000
"""Maximum number of lines compared: the time grows faster than the length."""
_MAX_WORDS = 2_000
_MAX_CHARS = 8_000
_WORD = re.compile(r"\s+|\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a line, and whether it is there on this side alone."""

    text: str
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Side:
    """One line of one version; `number` counts from 1."""

    number: int
    pieces: tuple[Piece, ...]
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Pair:
    """A line of either version; None where one has nothing. `skipped` lines alike are left out."""

    before: Side | None = None
    after: Side | None = None
    skipped: int = 0


@dataclass(frozen=True, slots=True)
class TextChanges:
    """Changes, or `untold`: why they are unknown. `added` and `removed` count lines."""

    pairs: tuple[Pair, ...] = ()
    added: int = 0
    removed: int = 0
    untold: str = ""


def side_by_side(before: str, after: str) -> TextChanges:
    """The lines that differ with those around them; empty if none does."""
    old, new = before.splitlines(), after.splitlines()
    if max(len(old), len(new)) > MAX_LINES:
        return TextChanges(untold=f"texts of more than {MAX_LINES:,} lines are not compared")
    if old == new:
        return TextChanges()
    matcher = SequenceMatcher(None, old, new)
    pairs: list[Pair] = []
    added = removed = 0
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            first, last = i1 == 0 and j1 == 0, i2 == len(old) and j2 == len(new)
            pairs += _alike(old[i1:i2], i1, j1, first=first, last=last)
        else:
            pairs += _unlike(old[i1:i2], new[j1:j2], i1, j1)
            removed, added = removed + i2 - i1, added + j2 - j1
    return TextChanges(tuple(pairs), added, removed)


def _alike(lines: Sequence[str], i: int, j: int, *, first: bool, last: bool) -> Iterator[Pair]:
    head = 0 if first else CONTEXT_LINES
    tail = 0 if last else CONTEXT_LINES
    skipped = len(lines) - head - tail
    for at, line in enumerate(lines):
        if skipped > 1 and head <= at < len(lines) - tail:
            if at == head:
                yield Pair(skipped=skipped)
            continue
        pieces = (Piece(_cut(line)),)
        yield Pair(Side(i + at + 1, pieces), Side(j + at + 1, pieces))


def _unlike(old: Sequence[str], new: Sequence[str], i: int, j: int) -> Iterator[Pair]:
    for at in range(max(len(old), len(new))):
        before = old[at] if at < len(old) else None
        after = new[at] if at < len(new) else None
        left, right = _words(before or "", after or "")
        yield Pair(
            None if before is None else Side(i + at + 1, left, changed=True),
            None if after is None else Side(j + at + 1, right, changed=True),
        )


def _words(before: str, after: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Both lines in pieces, those words marked that the other one does not have."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    if not old or not new or max(len(old), len(new)) > _MAX_WORDS:
        return (Piece(_cut(before), True),), (Piece(_cut(after), True),)
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    left = _joined((tag != "equal", old[i1:i2]) for tag, i1, i2, _, _ in codes)
    right = _joined((tag != "equal", new[j1:j2]) for tag, _, _, j1, j2 in codes)
    return left, right


def _joined(parts: Iterable[tuple[bool, Sequence[str]]]) -> tuple[Piece, ...]:
    return tuple(Piece(_cut("".join(words)), changed) for changed, words in parts if words)


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_CHARS else f"{text[: _MAX_CHARS - 1]}…"

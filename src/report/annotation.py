"""A document with footnote marks behind passages, and the notes at its end.

The text reads as before. HTML, control characters and direction marks in it become visible text, so
that opening the copy runs and hides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..base.markdown import copied
from ..base.printable import visible
from ..documents.blocks import markdown_events
from ..documents.source import SourceText

_OPEN_FENCE = re.compile(r"\s*(`{3,}|~{3,})")


@dataclass(frozen=True, slots=True)
class Note:
    """Note on the passage that ends at offset `end`, or on none if `end` is None.

    `label` is of letters, digits and hyphens, and no other note's. `text` is safe Markdown of one
    line.
    """

    end: int | None
    label: str
    text: str


def annotate(text: str, notes: Sequence[Note]) -> str:
    """Return `text` with a footnote mark behind each passage, and the notes below it.

    A code block that `text` leaves open is closed first, so that it does not contain the notes.
    """
    tag = _tag(text)
    placed = sorted(
        ((note.end, order, note) for order, note in enumerate(notes) if note.end is not None),
        key=lambda one: one[:2],
    )
    parts: list[str] = []
    at = 0
    for end, _, note in placed:
        parts += [copied(text[at:end]), _mark(tag, note)]
        at = end
    parts.append(copied(text[at:]))
    # Whether a variation selector is visible depends on the character before it, here a line end.
    notes_text = visible("".join(("\n\n---\n", *_lines(tag, notes))))
    parts += [_end("".join(parts)), notes_text]
    return "".join(parts)


def _end(text: str) -> str:
    """A line that ends the code that `text` leaves open, "" where it leaves none."""
    for event, at in markdown_events(SourceText(f"{text}\n\nwords")):
        match event:
            case {"Start": {"CodeBlock": _}} if at.end > len(text) + 2:
                fence = _OPEN_FENCE.match(text[at.start :])
                return f"\n{fence[1]}\n" if fence else "\n"
            case _:
                pass
    return ""


def _lines(tag: str, notes: Iterable[Note]) -> Iterable[str]:
    for note in notes:
        mark = _mark(tag, note)
        # A definition that nothing refers to is not shown.
        yield f"\n{mark}: {note.text}\n" if note.end is not None else f"\n{note.text}\n"


def _mark(tag: str, note: Note) -> str:
    return f"[^{tag}-{note.label}]"


def _tag(text: str) -> str:
    """Return the prefix of the marks: ``review``, numbered if the document uses it itself."""
    number, tag = 1, "review"
    while f"[^{tag}-" in text:
        number += 1
        tag = f"review{number}"
    return tag

"""A document with marks behind passages, and notes at its end that say what is held against them.

The text itself stays as it is: without the marks and the notes it is the document, byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..documents.blocks import markdown_events
from ..documents.source import SourceText

_NOTES = re.compile(r"\n\n<!-- review notes: ([a-z0-9]+)(?: after ([0-9]+))? -->(?=\n)")
_OPEN_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_OPEN_ELEMENT = re.compile(r"\s*<(script|pre|style|textarea)\b", re.IGNORECASE)
_OPEN_MARKUP = re.compile(r"\s*(<!--|<!\[CDATA\[|<\?|<!)")
_ENDS = {"<!--": "-->", "<![CDATA[": "]]>", "<?": "?>", "<!": ">"}


@dataclass(frozen=True, slots=True)
class Note:
    """What is said of the passage that ends at offset `end`, None for a note on no passage.

    `label` is of letters, digits and hyphens, and no other note's. `text` is safe Markdown of one
    line.
    """

    end: int | None
    label: str
    text: str


def annotate(text: str, notes: Sequence[Note]) -> str:
    """`text` with a footnote mark behind each passage, and the notes below it.

    Code or HTML that `text` begins and does not end is ended before them, or it would hold them.
    """
    tag = _tag(text)
    placed = sorted(
        ((note.end, order, note) for order, note in enumerate(notes) if note.end is not None),
        key=lambda one: one[:2],
    )
    parts: list[str] = []
    at = 0
    for end, _, note in placed:
        parts += [text[at:end], _mark(tag, note)]
        at = end
    parts.append(text[at:])
    end = _end("".join(parts))
    after = f" after {len(end)}" if end else ""
    parts += [end, f"\n\n<!-- review notes: {tag}{after} -->\n", *_lines(tag, notes)]
    return "".join(parts)


def without_notes(annotated: str) -> str:
    """The document that `annotate` was given."""
    found = list(_NOTES.finditer(annotated))
    if not found:
        return annotated
    tag, end = found[-1].groups()
    body = annotated[: found[-1].start() - int(end or 0)]
    return re.sub(rf"\[\^{tag}-[A-Za-z0-9-]+\]", "", body)


def _end(text: str) -> str:
    """A line that ends the block that `text` leaves open, "" where it leaves none."""
    for event, at in markdown_events(SourceText(f"{text}\n\nwords")):
        match event:
            case {"Start": {"CodeBlock": _}} | {"Start": "HtmlBlock"} if at.end > len(text) + 2:
                return f"\n{_ending(text[at.start :])}\n"
            case _:
                pass
    return ""


def _ending(opening: str) -> str:
    """What ends the block that begins with `opening`."""
    if fence := _OPEN_FENCE.match(opening):
        return fence[1]
    if element := _OPEN_ELEMENT.match(opening):
        return f"</{element[1].lower()}>"
    markup = _OPEN_MARKUP.match(opening)
    return _ENDS[markup[1]] if markup else ""


def _lines(tag: str, notes: Iterable[Note]) -> Iterable[str]:
    for note in notes:
        mark = _mark(tag, note)
        # A definition that nothing refers to is not shown.
        yield f"\n{mark}: {note.text}\n" if note.end is not None else f"\n{note.text}\n"


def _mark(tag: str, note: Note) -> str:
    return f"[^{tag}-{note.label}]"


def _tag(text: str) -> str:
    """What the marks begin with: ``review``, numbered if the document has such marks itself."""
    number, tag = 1, "review"
    while f"[^{tag}-" in text:
        number += 1
        tag = f"review{number}"
    return tag

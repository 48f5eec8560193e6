"""Units of a source that state nothing: they ask, vouch for a claim, order a reader, or are denied.

What talks about a claim instead of stating it ("it has been verified that …") comes from whoever
wants a checker to believe it. The word lists are in `config/registry/words.yaml`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...claims.words import WordBook
from ...sources.visibility import COMMENT
from .units import Unit

# A sentence that is all quotation, as those that a page takes up to examine.
_QUOTED = re.compile(r"\W*(?:\d{1,3}[:.)]\s*)?[“\"\u2018«][^”\"’»]*[”\"’»]\W*\Z")
_STRUCK = re.compile(r"~~(?=[^\s~])(?:[^~\n]|~(?!~)){1,4000}~~")
_NOT_BREAK = re.compile(r"[^\n]")
# Between two paragraphs, items or headings; a line of a wrapped paragraph ends without.
_PARTED = re.compile(r"\n[ \t]*\n|\n.*\S")
_COMMENTS_TITLE = re.compile(
    r"\W*(?:\d+ )?(?:(?:reader|user|visitor|your|all|latest|top|new)(?:s?['’]?s?) )?"
    r"(?:comments?|replies|responses|discussion)(?: \(?\d+\)?)?\W*",
    re.IGNORECASE,
)
_SPEAKS_OF_COMMENTS = re.compile(
    r"\b(?:comment(?:s|ed|er|ers|ators?)?|readers?|users?|visitors?|posters?|repl(?:y|ies|ied)"
    r"|posted|forum|thread)\b",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
# The first units: title, author, date.
_HEAD = 3


def without_struck(text: str) -> str:
    """`text` with every character that is struck out (`~~so~~`) replaced by a space."""
    if "~~" not in text:
        return text
    return _STRUCK.sub(lambda match: _NOT_BREAK.sub(" ", match[0]), text)


def comments(text: str, units: Sequence[Unit]) -> frozenset[int]:
    """The numbers of the units that readers of the source have written, not its author."""
    return frozenset(
        number
        for number, unit in enumerate(units)
        if text.startswith(COMMENT, text.rfind("\n", 0, unit.start) + 1)
        or any(_COMMENTS_TITLE.fullmatch(title) for title in unit.path)
    )


def framed(text: str, units: Sequence[Unit], book: WordBook) -> frozenset[int]:
    """The numbers of the units that stand in an exercise, a story, a joke, or are taken back.

    A frame reaches to the end of its paragraph or list item; what takes something back reaches to
    its beginning.
    """
    found: set[int] = set()
    line: list[int] = []
    for number, unit in enumerate(units):
        if line and _PARTED.search(text[units[line[-1]].end : unit.start]):
            found |= _framed(line, units, text, book)
            line = []
        line.append(number)
    return frozenset(found | _framed(line, units, text, book))


def _framed(line: Sequence[int], units: Sequence[Unit], text: str, book: WordBook) -> set[int]:
    found: set[int] = set()
    for at, number in enumerate(line):
        own = text[units[number].start : units[number].end]
        if not found and book.framing.search(own):
            found |= {*line[at:]}
        elif not found and book.withdrawing.search(own):
            found |= {*line[: at + 1]}
    return found


def speaks_of_frames(claim: str, book: WordBook) -> bool:
    """Whether a claim is about a comment, a story or what was taken back, which may bear it out."""
    if _SPEAKS_OF_COMMENTS.search(claim):
        return True
    return bool(book.framing.search(claim) or book.withdrawing.search(claim))


def unstated(text: str, units: Sequence[Unit], book: WordBook) -> frozenset[int]:
    """The numbers of the units of `text` that bear nothing out."""
    comments = [match.span() for match in _COMMENT.finditer(text)]
    head = " ".join(" ".join((*unit.path, unit.text)) for unit in units[:_HEAD])
    retracted = bool(book.retraction.search(head))
    written = [text[unit.start : unit.end] for unit in units]
    return frozenset(
        number
        for number, own in enumerate(written)
        if own.rstrip().endswith("?")
        or book.meta.found_in(own)
        or _is_ordered(number, units, written, text, book)
        or _is_announced(number, written, book)
        or _is_denied(number, written, book)
        or (retracted and book.restated.search(own))
        or any(start < units[number].end and units[number].start < end for start, end in comments)
    )


def _is_ordered(
    number: int, units: Sequence[Unit], written: Sequence[str], text: str, book: WordBook
) -> bool:
    """Whether an order to a machine stands right before or after it on its line."""
    for other in (number - 1, number + 1):
        if not 0 <= other < len(units):
            continue
        first, last = units[min(number, other)], units[max(number, other)]
        if "\n" not in text[first.end : last.start] and book.orders.found_in(written[other]):
            return True
    return False


def _is_announced(number: int, written: Sequence[str], book: WordBook) -> bool:
    before = written[number - 1] if number else ""
    return before.endswith(":") and book.meta.found_in(before)


def _is_denied(number: int, written: Sequence[str], book: WordBook) -> bool:
    """Whether the next unit takes it back; a quotation may be examined one later."""
    after = written[number + 1 : number + 3]
    if after and book.refutation.search(after[0]):
        return True
    quoted = bool(_QUOTED.match(written[number]))
    return quoted and len(after) > 1 and bool(book.refutation.search(after[1]))

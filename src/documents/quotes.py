"""Quotations in plain text; apostrophes, inch and foot marks are none."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .inline import Span, trimmed

MAX_QUOTE = 1500
MAX_SINGLE_QUOTE = 300
MAX_NESTING = 8

_MARK = re.compile("[\"'\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb\u2039\u203a]")
_STRAIGHT = "\"'"
# Each mark that can open a quotation, and those that close it.
_CLOSERS = {
    '"': '"',
    "'": "'",
    "\u201c": "\u201d",
    "\u201d": "\u201d",
    "\u201e": "\u201c\u201d",
    "\u2018": "\u2019",
    "\u201a": "\u2018\u2019",
    "\u00ab": "\u00bb",
    "\u00bb": "\u00ab",
    "\u2039": "\u203a",
    "\u203a": "\u2039",
}
_APOSTROPHES = frozenset("'\u2018\u2019")
_BEFORE_OPENING = frozenset("([{/|=:;\u2014\u2013-\u2026\"'\u2018\u201c\u201e\u201a\u00ab\u2039")
_ELISION = re.compile(r"(?:tis|twas|em|cause|til|till|n|round|neath|bout|cos)\b|\d", re.IGNORECASE)


@dataclass(slots=True)
class _Open:
    mark: str
    start: int
    maybe_end: int | None = None


def find_quotes(text: str) -> list[Span]:
    """The ranges between matching quotation marks, in order of their start; they may nest.

    Marks without a partner yield nothing. Linear in the length of `text`.
    """
    scanner = _Scanner(text)
    for match in _MARK.finditer(text):
        scanner.take(match.start())
    return sorted(scanner.finish())


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text
        self._open: list[_Open] = []
        self._found: list[Span] = []

    def take(self, at: int) -> None:
        """Take the mark at `at`."""
        mark = self._text[at]
        number = self._closable(mark)
        if number is not None and self._can_close(at):
            self._close(number, at)
        elif self._can_open(at):
            self._drop(mark)
            self._open.append(_Open(mark, at + 1))
            if len(self._open) > MAX_NESTING:
                self._settle(self._open.pop(0))

    def finish(self) -> list[Span]:
        """Spans of the quotations that were found; doubtful ends are decided here."""
        for opened in self._open:
            self._settle(opened)
        return self._found

    def _closable(self, mark: str) -> int | None:
        """The innermost open quotation that `mark` may close."""
        for number in range(len(self._open) - 1, -1, -1):
            if mark in _CLOSERS[self._open[number].mark]:
                return number
        return None

    def _close(self, number: int, at: int) -> None:
        opened = self._open[number]
        if self._text[at] in _APOSTROPHES and self._may_be_possessive(at):
            opened.maybe_end = at
            return
        for inner in self._open[number + 1 :]:
            self._settle(inner)
        del self._open[number:]
        self._keep(opened, at)

    def _drop(self, mark: str) -> None:
        """A straight mark that opens again shows that the one before had no partner."""
        if mark in _STRAIGHT:
            for number, opened in enumerate(self._open):
                if opened.mark == mark:
                    self._settle(opened)
                    del self._open[number]
                    break

    def _settle(self, opened: _Open) -> None:
        if opened.maybe_end is not None:
            self._keep(opened, opened.maybe_end)

    def _keep(self, opened: _Open, end: int) -> None:
        start, end = trimmed(self._text, Span(opened.start, end))
        limit = MAX_SINGLE_QUOTE if opened.mark in _APOSTROPHES else MAX_QUOTE
        if end - start <= limit and any(map(str.isalnum, self._text[start:end])):
            self._found.append(Span(start, end))

    def _before(self, at: int) -> str:
        return self._text[at - 1] if at else " "

    def _after(self, at: int) -> str:
        return self._text[at + 1] if at + 1 < len(self._text) else " "

    def _can_open(self, at: int) -> bool:
        mark, before, after = self._text[at], self._before(at), self._after(at)
        if mark == "\u2019":
            return False
        if not (before.isspace() or before in _BEFORE_OPENING):
            # Curly and angular marks show their direction; only straight ones need the space.
            return mark not in "\"'\u2018\u201d\u00bb\u203a"
        if mark in _APOSTROPHES:
            return after.isalpha() and _ELISION.match(self._text, at + 1) is None
        return mark in "\u00ab\u2039" or not after.isspace()

    def _can_close(self, at: int) -> bool:
        mark, before, after = self._text[at], self._before(at), self._after(at)
        if mark in "\u00ab\u00bb\u2039\u203a":
            return True
        return not before.isspace() and not (after.isalnum() and mark in "\"'\u2018\u2019")

    def _may_be_possessive(self, at: int) -> bool:
        """Whether the mark may be the apostrophe of "the dogs' food"."""
        following = self._text[at + 1 : at + 3]
        return self._before(at) in "sS" and following[:1].isspace() and following[1:].islower()

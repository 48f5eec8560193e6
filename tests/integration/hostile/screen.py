"""A terminal: what becomes of a screen when bytes reach it, and what else they ask for."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field

_STYLE = "0123456789;"
"""What may stand between ``ESC [`` and ``m`` of a style."""


@dataclass
class Screen:
    """Lines of cells. `asked` are the controls beyond line ends and styles that were met.

    A character of no width is counted in `unseen` unless it combines with the one before it.
    """

    lines: list[str] = field(default_factory=lambda: [""])
    asked: list[str] = field(default_factory=list[str])
    unseen: list[str] = field(default_factory=list[str])

    def show(self, text: str) -> Screen:
        """Take in `text`; returns the screen."""
        at = 0
        while at < len(text):
            at = self._take(text, at)
        return self

    def _take(self, text: str, at: int) -> int:
        letter = text[at]
        if letter == "\n":
            self.lines.append("")
            return at + 1
        if letter == "\r" and text[at + 1 : at + 2] == "\n":
            return at + 1
        if letter == "\x1b":
            return self._escape(text, at)
        category = unicodedata.category(letter)
        if category == "Cc":
            self.asked.append(repr(letter))
        elif category in ("Cf", "Cs", "Zl", "Zp", "Cn"):
            self.unseen.append(repr(letter))
        else:
            self.lines[-1] += letter
        return at + 1

    def _escape(self, text: str, at: int) -> int:
        end = at + 2
        while end < len(text) and text[at + 1] == "[" and text[end] in _STYLE:
            end += 1
        sequence = text[at : end + 1]
        if not (sequence.startswith("\x1b[") and sequence.endswith("m")):
            self.asked.append(repr(sequence))
        return end + 1

    @property
    def widths(self) -> list[int]:
        """How many columns each line takes."""
        return [sum(map(width, line)) for line in self.lines]

    @property
    def commands(self) -> list[str]:
        """The lines that a runner of CI jobs would obey."""
        return [line for line in self.lines if _obeyed(line)]


def width(letter: str) -> int:
    """The columns of a character (Unicode Standard Annex 11)."""
    if unicodedata.category(letter) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def _obeyed(line: str) -> bool:
    """Whether GitHub's or Azure's runner, or TeamCity, takes `line` for a command."""
    words = line.strip()
    named = words.startswith("::") and "::" in words[2:] and words[2:3].isalpha()
    return named or "##[" in words or "##vso[" in words or words.startswith("##teamcity[")

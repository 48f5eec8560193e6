"""Whether a sentence has one of many turns of phrase, told without trying each at every letter."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_START, _WORD = "^", r"\b"
# A capital that is no escape such as "\W" and names no group.
_CAPITAL = re.compile(r"(?<![\\?])[A-Z]")
_NEVER = r"(?!)"


@dataclass(frozen=True, slots=True)
class Cues:
    """Patterns of which any will do, whatever the case of the letters.

    One that begins with "^" is tried at the beginning of the sentence only, one that begins with
    the mark of a word's edge where a word begins, any other everywhere.
    """

    opening: re.Pattern[str]
    within: re.Pattern[str]

    @classmethod
    def compile(cls, patterns: Iterable[str]) -> Cues:
        """The cues of `patterns`."""
        opening, words, anywhere = list[str](), list[str](), list[str]()
        for pattern in patterns:
            if pattern.startswith(_START):
                opening.append(pattern.removeprefix(_START))
            elif pattern.startswith(_WORD):
                words.append(pattern.removeprefix(_WORD))
            else:
                anywhere.append(pattern)
        led = [rf"\b(?=\w)(?:{_either(words)})"] if words else []
        return cls(_compiled(_either(opening)), _compiled("|".join([*led, *map(_apart, anywhere)])))

    def found_in(self, text: str) -> bool:
        """Whether `text` has any of them."""
        low = text.lower()
        return bool(self.opening.match(low) or self.within.search(low))


def _compiled(pattern: str) -> re.Pattern[str]:
    # In lower-case text letters are compared as they are, which is several times faster.
    flags = re.IGNORECASE if _CAPITAL.search(pattern) else re.NOFLAG
    return re.compile(pattern or _NEVER, flags)


def _either(patterns: Iterable[str]) -> str:
    return "|".join(map(_apart, patterns))


def _apart(pattern: str) -> str:
    return f"(?:{pattern})"

"""The words of a text with their places, compared in lower case and without typography."""

from __future__ import annotations

import re
from typing import NamedTuple

_WORD = re.compile(r"\d[\d,.:]*\d|\d|[^\W\d_]+(?:['’-][^\W_]+)*|[%€$£¥₹]")


class Word(NamedTuple):
    """A word as written, the form in which it is compared, and its place."""

    text: str
    key: str
    start: int
    end: int


def split_words(text: str, offset: int = 0) -> list[Word]:
    """The words of `text`; places are counted from `offset`."""
    return [
        Word(
            match[0],
            match[0].lower().replace("’", "'"),
            offset + match.start(),
            offset + match.end(),
        )
        for match in _WORD.finditer(text)
    ]

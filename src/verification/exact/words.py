"""The words and identifiers of a text, compared in lower case and without typography."""

from __future__ import annotations

import re
from typing import NamedTuple

_WORD = re.compile(r"\d[\d,.:]*\d|\d|[^\W\d_]+(?:['’-][^\W_]+)*|[%€$£¥₹]")
_IDENTIFIER = re.compile(
    r"(?<![\w.])v?\d+(?:\.\d+){2,}(?:-[\w.]+)?(?![\w])"  # versions and addresses: 2.6.9, 10.0.0.1
    r"|(?<![\w-])[A-Z][A-Z0-9]{0,9}-\d[\w-]*"  # CVE-2024-90112, RFC-9110, BWP-4031
    r"|`[^`\n]{2,60}`"  # code
    r"|(?<![\w/])--[a-z][\w-]+"  # options
    r"|(?<!\w)[a-z]+_[a-z_\d]+(?!\w)"  # snake_case names
)


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


def find_identifiers(text: str) -> tuple[str, ...]:
    """The identifiers of a text, each once, as written but without code marks."""
    found = (match[0].strip("`").strip() for match in _IDENTIFIER.finditer(text))
    return tuple(dict.fromkeys(one for one in found if one))


def missing_identifiers(claim: str, text: str) -> tuple[str, ...]:
    """The identifiers of `claim` that `text` does not have as a whole word, in any case."""
    return tuple(one for one in find_identifiers(claim) if not _stands_in(one, text))


def _stands_in(identifier: str, text: str) -> bool:
    bare = re.escape(identifier.removeprefix("v") if identifier[1:2].isdigit() else identifier)
    return bool(re.search(rf"(?<![\w.])v?{bare}(?![\w-]|\.\d)", text, re.IGNORECASE))

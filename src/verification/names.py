"""Proper names in a text: runs of capitalised words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

from ..claims.words import Token, WordBook

# A capital here may only begin a sentence or a table cell.
_OPENING = re.compile(r"^\W*$|[.!?:|]\W*$")
_INSIDE_NAME = " &-’'."
# They name no one who could be another.
_CALENDAR = frozenset(
    {"january", "february", "april", "june", "july", "august", "september", "october", "november"}
    | {"december", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}
    | {"easter", "christmas"}
)


class Name(NamedTuple):
    """A name as written, and where it begins."""

    text: str
    start: int


def find_names(text: str, tokens: Sequence[Token], book: WordBook) -> tuple[Name, ...]:
    """The names among `tokens`, in order; offsets of the tokens are into `text`."""
    runs: list[list[Token]] = []
    for token, following in zip_longest(tokens, tokens[1:]):
        if not token.capital or token.word in _CALENDAR:
            continue
        if runs and _adjoin(text, runs[-1][-1], token):
            runs[-1].append(token)
        elif token.word not in book.stop_words and (
            not _may_only_open(text, token) or _leads(text, token, following)
        ):
            runs.append([token])
    return tuple(Name(text[run[0].start : run[-1].end], run[0].start) for run in runs)


def _adjoin(text: str, before: Token, token: Token) -> bool:
    between = text[before.end : token.start]
    return len(between) <= 3 and not between.strip(_INSIDE_NAME)


def _leads(text: str, token: Token, following: Token | None) -> bool:
    """Whether another capital follows at once: "Delmar Dynamics" at the start of a sentence."""
    if following is None or not following.capital:
        return False
    return not text[token.end : following.start].strip(" &-")


def _may_only_open(text: str, token: Token) -> bool:
    acronym = text[token.start + 1 : token.start + 2].isupper()
    return not acronym and bool(_OPENING.search(text, max(0, token.start - 3), token.start))

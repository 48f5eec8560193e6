"""A query from the parts of a claim, free of what search engines read as commands."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..plain_text import clean

_MINUS = re.compile(r"(?<![\w)])[-−](?=[\d.$€£¥])")
_JOINTS = re.compile(r"(?<!\d):|:(?!\d)|[\"“”„«»<>(){}\[\]|~^*=\\]+")
_LEADING = re.compile(r"(?<!\S)[-+!?:&/.,;'’@#–—]+|[!?:;,'’]+(?!\S)|\.(?!\S)")
_OPERATORS = frozenset({"AND", "OR", "NOT", "NEAR"})


@dataclass(frozen=True, slots=True)
class QueryParts:
    """The subject of a claim in its own words: names, content words, quantities and dates."""

    names: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    quantities: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()


def build_query(parts: QueryParts, longest: int) -> str:
    """The query for a claim: names, words, quantities, dates, each whole or left out.

    Where there is no room for all, names come first, then quantities, dates and words.

    Args:
        parts: The claim's, in order.
        longest: The most characters, by default 200.

    Returns:
        The query; "" if there is nothing to ask with.
    """
    names, words, quantities, dates = map(
        _plain, (parts.names, parts.words, parts.quantities, parts.dates)
    )
    kept = frozenset(_fitting((*names, *quantities, *dates, *words), longest))
    ordered = dict.fromkeys((*names, *words, *quantities, *dates))
    return " ".join(item for item in ordered if item in kept)


def plain_query(text: str) -> str:
    """`text` on one line without search operators: quotes, exclusions, ``site:``, bangs.

    A minus before a number is written out, because it would exclude the number.
    """
    text = _MINUS.sub("minus ", unicodedata.normalize("NFC", clean(text)))
    text = _LEADING.sub(" ", _JOINTS.sub(" ", text))
    return " ".join(word.lower() if word in _OPERATORS else word for word in text.split())


def _plain(items: Iterable[str]) -> tuple[str, ...]:
    return tuple(filter(None, map(plain_query, items)))


def _fitting(items: Iterable[str], longest: int) -> Iterator[str]:
    room = longest
    for item in dict.fromkeys(items):
        if len(item) <= room:
            room -= len(item) + 1
            yield item

"""Search queries and results, and the interface of search providers."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import KW_ONLY, dataclass
from datetime import date
from typing import Protocol, runtime_checkable

from ...base.errors import SourceError
from ..plain_text import clean


class SearchUnavailable(SourceError):
    """No answer of the provider's own form was got; never a sign that nothing exists.

    Args:
        provider: Who was asked.
        reason: What went wrong. It holds no key, and nothing of the provider's own words.
        hint: What the user can do about it.
    """

    def __init__(self, provider: str, reason: str, hint: str = "") -> None:
        super().__init__(f"search with {provider}: {reason}", hint)
        self.args = (provider, reason, hint)
        self.provider = provider
        self.reason = reason


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One result: a web address, or a path below a folder of the knowledge base.

    `title` and `excerpt` are the provider's, cleaned and cut; they are data and never evidence.
    `sha256` is the hash of the document's bytes and `start` the excerpt's offset in its text where
    the knowledge base gives them.
    """

    url: str
    title: str
    excerpt: str
    _: KW_ONLY
    published: date | None = None
    sha256: str = ""
    start: int | None = None


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """The hits for a query, best first; none only if the provider's reply says there are none."""

    hits: tuple[SearchHit, ...]


@runtime_checkable
class SearchProvider(Protocol):
    """Someone who can be asked for sources."""

    @property
    def name(self) -> str:
        """Names it in records, logs and messages."""
        ...

    @property
    def local(self) -> bool:
        """Whether queries stay on this machine."""
        ...

    async def search(self, query: str, limit: int) -> SearchAnswer:
        """At most `limit` hits for `query`.

        Raises:
            SearchUnavailable: There is no answer.
        """
        ...


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
    names, words, quantities, dates = (
        tuple(query for item in items if (query := plain_query(item)))
        for items in (parts.names, parts.words, parts.quantities, parts.dates)
    )
    kept: set[str] = set()
    for item in dict.fromkeys((*names, *quantities, *dates, *words)):
        if len(item) <= longest:
            longest -= len(item) + 1
            kept.add(item)
    ordered = dict.fromkeys((*names, *words, *quantities, *dates))
    return " ".join(item for item in ordered if item in kept)


def plain_query(text: str) -> str:
    """`text` on one line without search operators: quotes, exclusions, ``site:``, bangs.

    A minus before a number is written out, because it would exclude the number.
    """
    text = _MINUS.sub("minus ", unicodedata.normalize("NFC", clean(text)))
    text = _LEADING.sub(" ", _JOINTS.sub(" ", text))
    return " ".join(word.lower() if word in _OPERATORS else word for word in text.split())

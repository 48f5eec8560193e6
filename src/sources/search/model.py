"""Search results, and the interface of search providers."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from datetime import date
from typing import Protocol, runtime_checkable

from ...base.errors import SourceError


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

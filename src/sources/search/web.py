"""Providers on the web: one client for all, which treats what they send as anyone's words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from email.utils import parsedate_to_datetime
from typing import NamedTuple, Protocol

from pydantic import ValidationError

from ...base.call_limits import UNLIMITED, CallLimiter
from ..addresses import AddressError, address_key, parse_web_address
from ..plain_text import clean, one_line
from .exchange import Call, CallFailed, exchange
from .model import SearchAnswer, SearchHit, SearchUnavailable
from .policy import SearchPolicy


class RawHit(NamedTuple):
    """A result as the provider sent it; `dated` is its date in any spelling."""

    url: str | None
    title: str | None
    excerpt: str | None
    dated: str | None


class NoAnswer(Exception):
    """A provider's reply that is no answer; the text says why."""


class Dialect(Protocol):
    """How one provider is asked, and how its replies are read."""

    @property
    def name(self) -> str:
        """The provider's name in settings."""
        ...

    def call(self, query: str, limit: int) -> Call:
        """The request for `query`."""
        ...

    def read(self, body: bytes) -> Sequence[RawHit]:
        """The results in a reply.

        Raises:
            ValidationError: The reply lacks the provider's result structure.
            NoAnswer: The structure says that the search failed.
        """
        ...


class WebSearch:
    """A `SearchProvider` that asks over HTTP.

    Args:
        dialect: The provider's requests and replies.
        policy: `search.yaml`.
        limiter: Is asked before each request.
    """

    local = False

    def __init__(
        self, dialect: Dialect, policy: SearchPolicy, limiter: CallLimiter = UNLIMITED
    ) -> None:
        self._dialect = dialect
        self._policy = policy
        self._limiter = limiter

    @property
    def name(self) -> str:
        """The provider's name in settings."""
        return self._dialect.name

    async def search(self, query: str, limit: int) -> SearchAnswer:
        """At most `limit` hits for `query`.

        Results without a usable web address are left out, and of two with the same one the second.

        Raises:
            SearchUnavailable: No answer, or one that is not of the provider's own form.
        """
        try:
            call = self._dialect.call(query, limit)
            body = await exchange(call, self._policy.transfer, self._limiter)
        except CallFailed as failure:
            raise SearchUnavailable(self.name, failure.reason, failure.hint) from failure
        try:
            found = self._dialect.read(body)
        except NoAnswer as error:
            raise SearchUnavailable(self.name, str(error)) from None
        except ValidationError:
            # The reply itself is not quoted or chained: it could repeat the key.
            raise SearchUnavailable(self.name, "its reply has not the documented form") from None
        hits = tuple(self._usable(found))
        if found and not hits:
            raise SearchUnavailable(self.name, "none of its results has a usable address")
        return SearchAnswer(hits[:limit])

    def _usable(self, found: Iterable[RawHit]) -> Iterator[SearchHit]:
        seen: set[str] = set()
        longest = self._policy.excerpt_characters
        for raw in found:
            try:
                url = parse_web_address(raw.url or "").url
            except AddressError:
                continue
            if address_key(url) in seen:
                continue
            seen.add(address_key(url))
            excerpt = " ".join(clean((raw.excerpt or "")[: 4 * longest]).split())[:longest]
            yield SearchHit(
                url, one_line(raw.title or "") or url, excerpt, published=day_of(raw.dated or "")
            )


def day_of(text: str) -> date | None:
    """The day in ``2025-01-31…``, ``January 31, 2025`` or a mail header's date; else None."""
    text = text.strip()[:60]
    iso = re.match(r"\d{4}-\d{2}-\d{2}", text)
    try:
        if iso:
            return date.fromisoformat(iso[0])
        if re.match(r"[A-Za-z]{3,9} \d{1,2}, \d{4}$", text):
            return datetime.strptime(text, "%B %d, %Y").date()
        return parsedate_to_datetime(text).date()
    except (ValueError, OverflowError):
        return None

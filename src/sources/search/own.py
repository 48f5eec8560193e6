"""Wraps a user's own search provider, so that its answers keep the provider contract."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from urllib.parse import urlsplit

import structlog

from ...base.call_limits import UNLIMITED, CallLimiter, LimitName, one_call
from ...base.errors import SettingsError
from ...base.records import as_recorded
from ...base.vocabulary import SearchName
from ..addresses import AddressError, address_key, parse_web_address
from ..plain_text import clean, one_line
from ..policy import SearchPolicy
from .model import SearchAnswer, SearchHit, SearchProvider, SearchUnavailable

_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")


class OwnSearch:
    """A `SearchProvider` that asks the user's own, for at most as long as one of ours may take.

    Args:
        provider: Who is asked; its name and whether it is local are taken once.
        policy: `search.yaml`.
        limiter: Is asked before each question that leaves this machine.

    Raises:
        SettingsError: Its name cannot be used.
    """

    def __init__(
        self, provider: SearchProvider, policy: SearchPolicy, limiter: CallLimiter = UNLIMITED
    ) -> None:
        self._provider = provider
        self._policy = policy
        self._limiter = limiter
        self._name = _usable(provider.name)
        self._local = provider.local is True

    @property
    def name(self) -> str:
        """The provider's own name."""
        return self._name

    @property
    def local(self) -> bool:
        """Whether it says that queries stay on this machine."""
        return self._local

    async def search(self, query: str, limit: int) -> SearchAnswer:
        """At most `limit` hits for `query`, without those that have no usable address.

        Raises:
            SearchUnavailable: It failed, took too long, or gave something else than an answer.
        """
        if self._local:
            found = await self._search(query, limit)
        else:
            async with one_call(self._limiter, LimitName.FETCH):
                found = await self._search(query, limit)
        hits = tuple(self._usable_hits(found.hits))
        if found.hits and not hits:
            raise SearchUnavailable(self._name, "none of its results has a usable address")
        return SearchAnswer(hits[:limit])

    async def _search(self, query: str, limit: int) -> SearchAnswer:
        answer: object
        try:
            async with asyncio.timeout(self._policy.transfer.attempt):
                answer = await self._provider.search(query, limit)
        except SearchUnavailable:
            raise
        # It is user code. Its messages may contain its key, so that an agent sees the kind only.
        except (Exception, SystemExit) as error:
            structlog.get_logger().error("search failed", provider=self._name, exc_info=True)
            raise SearchUnavailable(self._name, f"it raised {type(error).__name__}") from error
        match answer:
            case SearchAnswer():
                try:
                    return as_recorded(SearchAnswer, answer)
                except ValueError as error:
                    raise SearchUnavailable(
                        self._name, f"its answer is not whole: {error}"
                    ) from error
            case _:
                kind = type(answer).__name__
                raise SearchUnavailable(self._name, f"it gave a {kind}, and no SearchAnswer")

    def _usable_hits(self, found: Iterable[SearchHit]) -> Iterator[SearchHit]:
        seen: set[str] = set()
        longest = self._policy.excerpt_characters
        for hit in found:
            url = self._address(hit.url)
            if url is None or address_key(url) in seen:
                continue
            seen.add(address_key(url))
            excerpt = " ".join(clean(hit.excerpt[: 4 * longest]).split())[:longest]
            yield replace(hit, url=url, title=one_line(hit.title) or url, excerpt=excerpt)

    def _address(self, url: str) -> str | None:
        """A web address, or a path below the user's folders from a provider on this machine."""
        try:
            return parse_web_address(url).url
        except AddressError:
            pass
        try:
            parts = urlsplit(url)
        except ValueError:
            return None
        plain = not parts.scheme and not parts.netloc and url.isprintable()
        return url if self._local and plain and parts.path else None


def _usable(name: object) -> str:
    if not isinstance(name, str) or not _NAME.fullmatch(name) or name in tuple(SearchName):
        raise SettingsError(
            f"{name!r} cannot be the name of your own search provider",
            "use at most 40 small letters, digits and underscores, a letter first, and no "
            "provider's of foureyes",
        )
    return name

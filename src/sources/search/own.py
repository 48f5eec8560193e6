"""Wraps a user's own search provider, so that its answers keep the provider contract."""

from __future__ import annotations

import asyncio
import re
from urllib.parse import urlsplit

import structlog

from ...base.call_limits import UNLIMITED, CallLimiter, LimitName, one_call
from ...base.errors import SettingsError
from ...base.files import as_recorded
from ...base.vocabulary import SearchName
from ..policy import SearchPolicy
from .model import SearchAnswer, SearchProvider, SearchUnavailable
from .web import usable_answer, web_address

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
        self.name = _usable(provider.name)
        self.local = provider.local is True

    async def search(self, query: str, limit: int) -> SearchAnswer:
        """At most `limit` hits for `query`, without those that have no usable address.

        Raises:
            SearchUnavailable: It failed, took too long, or gave something else than an answer.
        """
        if self.local:
            found = await self._search(query, limit)
        else:
            async with one_call(self._limiter, LimitName.FETCH):
                found = await self._search(query, limit)
        return usable_answer(self.name, found.hits, limit, self._policy, self._address)

    async def _search(self, query: str, limit: int) -> SearchAnswer:
        answer: object
        try:
            async with asyncio.timeout(self._policy.transfer.attempt):
                answer = await self._provider.search(query, limit)
        except SearchUnavailable:
            raise
        # It is user code. Its messages may contain its key, so that an agent sees the kind only.
        except (Exception, SystemExit) as error:
            structlog.get_logger().error("search failed", provider=self.name, exc_info=True)
            raise SearchUnavailable(self.name, f"it raised {type(error).__name__}") from error
        match answer:
            case SearchAnswer():
                try:
                    return as_recorded(SearchAnswer, answer)
                except ValueError as error:
                    raise SearchUnavailable(
                        self.name, f"its answer is not whole: {error}"
                    ) from error
            case _:
                kind = type(answer).__name__
                raise SearchUnavailable(self.name, f"it gave a {kind}, and no SearchAnswer")

    def _address(self, url: str) -> str | None:
        """A web address, or a path below the user's folders from a provider on this machine."""
        if (web := web_address(url)) is not None:
            return web
        try:
            parts = urlsplit(url)
        except ValueError:
            return None
        plain = not parts.scheme and not parts.netloc and url.isprintable()
        return url if self.local and plain and parts.path else None


def _usable(name: object) -> str:
    if not isinstance(name, str) or not _NAME.fullmatch(name) or name in tuple(SearchName):
        raise SettingsError(
            f"{name!r} cannot be the name of your own search provider",
            "use at most 40 small letters, digits and underscores, a letter first, and no "
            "provider's of foureyes",
        )
    return name

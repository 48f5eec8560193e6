"""The providers with an HTTP interface for searching: SearXNG, Tavily and Brave."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Literal
from urllib.parse import urlencode

from pydantic import BaseModel, Field, SecretStr

from .exchange import Call, checked_base
from .web import NoAnswer, RawHit

TAVILY = "https://api.tavily.com"
BRAVE = "https://api.search.brave.com"

_BAD_KEY = "check the key in the variable that --search-key-env names"
_QUOTA = "the plan's searches are used up"


class _SearxngResult(BaseModel):
    url: str | None = None
    title: str | None = None
    content: str | None = None
    publishedDate: str | None = None


class _SearxngReply(BaseModel):
    results: list[_SearxngResult]
    unresponsive_engines: list[object] = Field(default_factory=list[object])


class Searxng:
    """A SearXNG server of the user's choice; its ``json`` format must be switched on.

    Args:
        base: The server's address.

    Raises:
        SettingsError: The address cannot be used.
    """

    name = "searxng"

    def __init__(self, base: str) -> None:
        self._base = checked_base(base, keyed=False)

    def call(self, query: str, limit: int) -> Call:  # noqa: ARG002 - SearXNG takes no limit
        """``GET /search``."""
        wanted = urlencode({"q": query, "format": "json"})
        hints = {403: "switch on the json format under search.formats in its settings.yml"}
        return Call("GET", f"{self._base}/search?{wanted}", hints=hints)

    def read(self, body: bytes) -> Sequence[RawHit]:
        """The results; none is believed only if every engine answered."""
        reply = _SearxngReply.model_validate_json(body)
        if not reply.results and reply.unresponsive_engines:
            count = len(reply.unresponsive_engines)
            raise NoAnswer(f"{count} of its engines did not answer and the others found nothing")
        return [RawHit(r.url, r.title, r.content, r.publishedDate) for r in reply.results]


class _TavilyResult(BaseModel):
    url: str | None = None
    title: str | None = None
    content: str | None = None
    published_date: str | None = None


class _TavilyReply(BaseModel):
    results: list[_TavilyResult]


class Tavily:
    """Tavily's search.

    Args:
        key: Sent to `base` and nowhere else.
        base: The service's address.

    Raises:
        SettingsError: The address cannot be used.
    """

    name = "tavily"

    def __init__(self, key: SecretStr, base: str = TAVILY) -> None:
        self._key = key
        self._base = checked_base(base, keyed=True)

    def call(self, query: str, limit: int) -> Call:
        """``POST /search``."""
        body = {"query": query, "max_results": limit, "search_depth": "basic"}
        return Call(
            "POST",
            f"{self._base}/search",
            headers={
                "Authorization": f"Bearer {self._key.get_secret_value()}",
                "Content-Type": "application/json",
            },
            body=json.dumps(body).encode(),
            hints={401: _BAD_KEY, 403: _BAD_KEY, 432: _QUOTA, 433: _QUOTA},
        )

    def read(self, body: bytes) -> Sequence[RawHit]:
        """The list ``results``."""
        results = _TavilyReply.model_validate_json(body).results
        return [RawHit(r.url, r.title, r.content, r.published_date) for r in results]


class _BraveResult(BaseModel):
    url: str | None = None
    title: str | None = None
    description: str | None = None
    page_age: str | None = None


class _BraveWeb(BaseModel):
    results: list[_BraveResult]


class _BraveQuery(BaseModel):
    original: str


class _BraveReply(BaseModel):
    type: Literal["search"]
    query: _BraveQuery
    web: _BraveWeb | None = None


class Brave:
    """Brave's web search.

    Args:
        key: Sent to `base` and nowhere else.
        base: The service's address.

    Raises:
        SettingsError: The address cannot be used.
    """

    name = "brave"

    def __init__(self, key: SecretStr, base: str = BRAVE) -> None:
        self._key = key
        self._base = checked_base(base, keyed=True)

    def call(self, query: str, limit: int) -> Call:
        """``GET /res/v1/web/search``."""
        wanted = urlencode(
            {"q": query, "count": limit, "text_decorations": "false", "result_filter": "web"}
        )
        return Call(
            "GET",
            f"{self._base}/res/v1/web/search?{wanted}",
            headers={"X-Subscription-Token": self._key.get_secret_value()},
            hints={401: _BAD_KEY, 402: _QUOTA, 403: _BAD_KEY, 422: _BAD_KEY},
        )

    def read(self, body: bytes) -> Sequence[RawHit]:
        """The list ``web.results``; a search reply without ``web`` found nothing."""
        web = _BraveReply.model_validate_json(body).web
        results = web.results if web else []
        return [RawHit(r.url, r.title, r.description, r.page_age) for r in results]

"""The analyst's searches in the brief's own words, and the pages that they lead to."""

from __future__ import annotations

import re

from ..base.off_loop import off_loop
from ..sources.model import Source
from ..sources.search.model import SearchUnavailable
from ..sources.search.query import plain_query
from .source_tools import READ_CHARS, SourceReader, describe_source, format_hits
from .tasks import ToolFailure

FETCHES = 60
"""Pages that the analyst may open over the network in one turn."""

_WORD = re.compile(r"\w+")


class BriefResearch:
    """`ResearchTools` of one turn over a brief.

    A query that leaves this machine may hold only words of the brief and of the titles found so
    far, so that nothing of the user's own sources is sent out (decision 19).

    Args:
        reader: The run's sources and searches.
        brief: The brief whose words are public.
    """

    def __init__(self, reader: SourceReader, brief: str) -> None:
        self._reader = reader
        self._public = _words(brief)
        self._opened: dict[str, Source] = {}
        self._left = FETCHES

    async def search(self, query: str) -> str:
        """The numbered hits for `query`, taken without its search operators.

        Raises:
            ToolFailure: No provider, no answer, or a query that may not be sent out.
        """
        searching = self._reader.searching
        if searching is None:
            raise ToolFailure("there is no search provider in this run")
        asked = plain_query(query)
        if not searching.provider.local:
            self._require_public(asked)
        try:
            answer = await searching.search(asked)
        except SearchUnavailable as error:
            raise ToolFailure(f"no answer, which tells nothing: {error}") from error
        self._public |= _words(" ".join(hit.title for hit in answer.hits))
        return "\n\n".join([f"query: {asked}", *format_hits(answer)])

    async def fetch(self, url: str, offset: int) -> str:
        """At most 8,000 characters from `offset` of a page that a search or such a page led to.

        Raises:
            ToolFailure: The address may not be fetched, the allowance is used up, or the offset is
                outside the text.
        """
        source = self._reader.stored(url)
        if source is None:
            if not self._reader.allowed(url, self._opened):
                raise ToolFailure(
                    "refused_by_policy: only hits of a search, and links on such pages to the same "
                    "host, may be fetched"
                )
            if self._left == 0:
                raise ToolFailure(f"all {FETCHES} fetches of this turn are used up")
            self._left -= 1
            source = await self._reader.fetcher.fetch(url)
        self._opened[url] = source
        return await off_loop(describe_source, self._reader.store, source, offset, READ_CHARS)

    def _require_public(self, query: str) -> None:
        unknown = sorted(_words(query) - self._public)
        if unknown:
            raise ToolFailure(
                "refused_by_policy: a query may hold only words of the brief and of titles found "
                f"so far; not among them: {', '.join(unknown)[:200]}"
            )


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))

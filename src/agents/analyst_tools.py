"""The analyst's tools where there is a search provider."""

from __future__ import annotations

from collections.abc import Mapping

from ..core.research import FETCHES
from ..core.types import ResearchDesk, ToolFailure, ToolSpec
from .arguments import text_argument
from .fences import Fence


def research_tools(desk: ResearchDesk, fence: Fence, searches: int) -> tuple[ToolSpec, ...]:
    """`search_sources` and `fetch_source`.

    Args:
        desk: What the turn may look up.
        fence: Marks around what a tool hands out.
        searches: The allowance of searches in the turn.
    """
    return (_search_sources(desk, fence, searches), _fetch_source(desk, fence))


def _search_sources(desk: ResearchDesk, fence: Fence, allowance: int) -> ToolSpec:
    async def search(arguments: Mapping[str, object]) -> str:
        return fence.around(await desk.search(text_argument(arguments, "query")))

    return ToolSpec(
        name="search_sources",
        description="Search for pages. The query holds at most 200 characters, and only words of "
        "the brief and of titles found so far. Gives titles, addresses and excerpts, which are no "
        "evidence: open an address with `fetch_source` to read it.",
        schema={
            "type": "object",
            "properties": {"query": {"type": "string", "maxLength": 200}},
            "required": ["query"],
            "additionalProperties": False,
        },
        read_only=False,
        handler=search,
        allowance=allowance,
    )


def _fetch_source(desk: ResearchDesk, fence: Fence) -> ToolSpec:
    async def fetch(arguments: Mapping[str, object]) -> str:
        offset = arguments.get("offset", 0)
        if not isinstance(offset, int) or isinstance(offset, bool):
            raise ToolFailure("offset is a whole number of characters")
        return fence.around(await desk.fetch(text_argument(arguments, "url"), offset))

    return ToolSpec(
        name="fetch_source",
        description="Open a hit of a search, or a page of the same host that an opened page links "
        "to. Gives its state and up to 8,000 characters of its text from an offset.",
        schema={
            "type": "object",
            "properties": {
                "url": {"type": "string", "maxLength": 2000},
                "offset": {"type": "integer", "minimum": 0},
            },
            "required": ["url"],
            "additionalProperties": False,
        },
        read_only=False,
        handler=fetch,
        allowance=2 * FETCHES,
    )

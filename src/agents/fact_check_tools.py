"""The fact checker's tools over the run's sources."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..base.off_loop import off_loop
from ..core.types import EvidenceDesk, ToolFailure, ToolSpec
from .arguments import text_argument
from .fact_check_files import describe_passages
from .fences import Fence

READS_PER_BATCH = 6
"""`read_source` calls a turn, each up to 8,000 characters: keeps a request below 60,000 tokens."""


def fact_check_tools(
    desk: EvidenceDesk,
    claims: Sequence[str],
    fence: Fence,
    *,
    max_webfetches: int,
    searches: bool = False,
) -> tuple[ToolSpec, ...]:
    """`find_passages`, `read_source`, with an allowance `fetch_source`, and `search_sources`.

    Args:
        desk: The iteration's sources; it also counts the fetches of all batches.
        claims: The ids of the batch's claims.
        fence: Marks around what a tool hands out.
        max_webfetches: The allowance of extra fetches an iteration.
        searches: Whether there is a search provider.
    """
    read = read_source_tool(desk.read_source, fence, READS_PER_BATCH)
    tools = [_find_passages(desk, claims, fence), read]
    if max_webfetches:
        tools.append(_fetch_source(desk, fence, max_webfetches))
    if searches:
        tools.append(_search_sources(desk, claims, fence))
    return tuple(tools)


def _find_passages(desk: EvidenceDesk, claims: Sequence[str], fence: Fence) -> ToolSpec:
    async def find(arguments: Mapping[str, object]) -> str:
        claim_id = text_argument(arguments, "claim_id")
        if claim_id not in claims:
            raise ToolFailure(f"{claim_id!r} is none of this batch: {', '.join(claims)}")
        passages = desk.find_passages(claim_id)
        return describe_passages(passages, fence) or "No passage of the cited sources comes near."

    return ToolSpec(
        name="find_passages",
        description="The five passages of the cited sources that come nearest to a claim, with "
        "their ids. Name one of these ids in the claim's `passage` slot.",
        schema={
            "type": "object",
            "properties": {"claim_id": {"type": "string", "enum": list(claims)}},
            "required": ["claim_id"],
            "additionalProperties": False,
        },
        read_only=True,
        handler=find,
        allowance=len(claims),
    )


def read_source_tool(reads: Callable[[str, int], str], fence: Fence, allowance: int) -> ToolSpec:
    """`read_source`: parts of a stored source, as `reads` gives them by sha256 and offset."""

    async def read(arguments: Mapping[str, object]) -> str:
        offset = arguments.get("offset", 0)
        if not isinstance(offset, int) or isinstance(offset, bool):
            raise ToolFailure("offset is a whole number of characters")
        return fence.around(await off_loop(reads, text_argument(arguments, "sha256"), offset))

    return ToolSpec(
        name="read_source",
        description="Up to 8,000 characters of a stored source from a character offset. Passages "
        "give the snapshot's sha256 and their place in it.",
        schema={
            "type": "object",
            "properties": {
                "sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
                "offset": {"type": "integer", "minimum": 0},
            },
            "required": ["sha256"],
            "additionalProperties": False,
        },
        read_only=True,
        handler=read,
        allowance=allowance,
    )


def _fetch_source(desk: EvidenceDesk, fence: Fence, allowance: int) -> ToolSpec:
    async def fetch(arguments: Mapping[str, object]) -> str:
        return fence.around(await desk.fetch_source(text_argument(arguments, "url")))

    return ToolSpec(
        name="fetch_source",
        description="Fetch an address that the document cites, or that a stored page of the same "
        "host links to. Gives its state, its snapshot's sha256 and its opening.",
        schema={
            "type": "object",
            "properties": {"url": {"type": "string", "maxLength": 2000}},
            "required": ["url"],
            "additionalProperties": False,
        },
        read_only=False,
        handler=fetch,
        allowance=allowance,
    )


def _search_sources(desk: EvidenceDesk, claims: Sequence[str], fence: Fence) -> ToolSpec:
    async def search(arguments: Mapping[str, object]) -> str:
        claim_id = text_argument(arguments, "claim_id")
        if claim_id not in claims:
            raise ToolFailure(f"{claim_id!r} is none of this batch: {', '.join(claims)}")
        return fence.around(await desk.search_sources(claim_id))

    return ToolSpec(
        name="search_sources",
        description="Search for sources of a claim. Code builds the query from the claim's names, "
        "figures and dates. Gives titles, addresses and excerpts, which are no evidence: open an "
        "address with `fetch_source` to read it.",
        schema={
            "type": "object",
            "properties": {"claim_id": {"type": "string", "enum": list(claims)}},
            "required": ["claim_id"],
            "additionalProperties": False,
        },
        read_only=False,
        handler=search,
        allowance=len(claims),
    )

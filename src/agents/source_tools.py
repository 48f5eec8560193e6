"""Tools and protocol of the agents that may search and read the sources of a run.

The points, limits and tiers in the prompts are those of the scoring registry, so that what an agent
is told and what code computes are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..base.off_loop import off_loop
from ..core.source_tools import FETCHES
from ..core.tasks import ToolFailure, ToolSpec, make_tool
from ..core.templates import PromptLibrary
from ..core.work import EvidenceTools, ResearchTools
from ..sources.scoring.rules import ScoringRegistry
from .fact_check_batches import describe_passages
from .reading import UntrustedText

READS_PER_BATCH = 6
"""`read_source` calls a turn, each up to 8,000 characters: keeps a request below 60,000 tokens."""

_URL: Mapping[str, object] = {"type": "string", "maxLength": 2000}
_OFFSET: Mapping[str, object] = {"type": "integer", "minimum": 0}


def fact_check_tools(
    source_tools: EvidenceTools,
    claims: Sequence[str],
    untrusted: UntrustedText,
    *,
    max_webfetches: int,
    searches: bool = False,
) -> tuple[ToolSpec, ...]:
    """`find_passages`, `read_source`, with an allowance `fetch_source`, and `search_sources`.

    Args:
        source_tools: Access to the iteration's sources; counts the fetches of all batches.
        claims: The ids of the batch's claims.
        untrusted: Marks around the text that a tool returns.
        max_webfetches: The allowance of extra fetches an iteration; 0 leaves the tool out.
        searches: Whether there is a search provider.
    """

    def claim_argument(arguments: Mapping[str, object]) -> str:
        claim_id = text_argument(arguments, "claim_id")
        if claim_id not in claims:
            raise ToolFailure(f"{claim_id!r} is none of this batch: {', '.join(claims)}")
        return claim_id

    async def find(arguments: Mapping[str, object]) -> str:
        passages = source_tools.find_passages(claim_argument(arguments))
        described = describe_passages(passages, untrusted)
        return described or "No passage of the cited sources comes near."

    async def fetch(arguments: Mapping[str, object]) -> str:
        return untrusted.mark(await source_tools.fetch_source(text_argument(arguments, "url")))

    async def search(arguments: Mapping[str, object]) -> str:
        return untrusted.mark(await source_tools.search_sources(claim_argument(arguments)))

    claim = {"claim_id": {"type": "string", "enum": list(claims)}}
    tools = [
        make_tool(
            "find_passages",
            "The five passages of the cited sources that come nearest to a claim, with "
            "their ids. Name one of these ids in the claim's `passage` slot.",
            claim,
            find,
            len(claims),
            read_only=True,
        ),
        read_source_tool(source_tools.read_source, untrusted, READS_PER_BATCH),
    ]
    if max_webfetches:
        opens = (
            "Fetch an address that the document cites, or that a stored page of the same "
            "host links to. Gives its state, its snapshot's sha256 and its opening."
        )
        tools.append(make_tool("fetch_source", opens, {"url": _URL}, fetch, max_webfetches))
    if searches:
        asks = (
            "Search for sources of a claim. Code builds the query from the claim's names, "
            "figures and dates. Gives titles, addresses and excerpts, which are no evidence: open "
            "an address with `fetch_source` to read it."
        )
        tools.append(make_tool("search_sources", asks, claim, search, len(claims)))
    return tuple(tools)


def research_tools(
    research: ResearchTools, untrusted: UntrustedText, searches: int
) -> tuple[ToolSpec, ...]:
    """`search_sources` and `fetch_source` of the analyst.

    Args:
        research: Searches and fetches of the turn.
        untrusted: Marks around the text that a tool returns.
        searches: The allowance of searches in the turn.
    """

    async def search(arguments: Mapping[str, object]) -> str:
        return untrusted.mark(await research.search(text_argument(arguments, "query")))

    async def fetch(arguments: Mapping[str, object]) -> str:
        offset = _offset_argument(arguments)
        return untrusted.mark(await research.fetch(text_argument(arguments, "url"), offset))

    return (
        make_tool(
            "search_sources",
            "Search for pages. The query holds at most 200 characters, and only words of "
            "the brief and of titles found so far. Gives titles, addresses and excerpts, which are "
            "no evidence: open an address with `fetch_source` to read it.",
            {"query": {"type": "string", "maxLength": 200}},
            search,
            searches,
        ),
        make_tool(
            "fetch_source",
            "Open a hit of a search, or a page of the same host that an opened page links "
            "to. Gives its state and up to 8,000 characters of its text from an offset.",
            {"url": _URL, "offset": _OFFSET},
            fetch,
            2 * FETCHES,
            optional=("offset",),
        ),
    )


def read_source_tool(
    read_part: Callable[[str, int], str], untrusted: UntrustedText, allowance: int
) -> ToolSpec:
    """`read_source`: parts of a stored source, as `read_part` returns them by sha256 and offset."""

    async def read(arguments: Mapping[str, object]) -> str:
        offset = _offset_argument(arguments)
        sha256 = text_argument(arguments, "sha256")
        return untrusted.mark(await off_loop(read_part, sha256, offset))

    return make_tool(
        "read_source",
        "Up to 8,000 characters of a stored source from a character offset. Passages "
        "give the snapshot's sha256 and their place in it.",
        {"sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"}, "offset": _OFFSET},
        read,
        allowance,
        read_only=True,
        optional=("offset",),
    )


def _offset_argument(arguments: Mapping[str, object]) -> int:
    offset = arguments.get("offset", 0)
    if not isinstance(offset, int) or isinstance(offset, bool):
        raise ToolFailure("offset is a whole number of characters")
    return offset


def text_argument(arguments: Mapping[str, object], name: str) -> str:
    """Return the text given for `name`.

    Raises:
        ToolFailure: It is missing, empty, or not a text.
    """
    value = arguments.get(name)
    if not isinstance(value, str) or not value:
        raise ToolFailure(f"{name} is missing")
    return value


PROTOCOL = "web-research/protocol.md"
SECTIONS = (
    "source-validation-rules",
    "citation-templates",
    "tier-system",
    "gap-detection",
)
"""The files of detail, by the names under which the protocol refers to them."""


class WebResearchProtocol:
    """The rules of research for agents that search or open pages (web-research spec, FR-007).

    Args:
        prompts: Where the texts are; a user's folder may replace each.
        registry: The rules by which code scores sources.

    Raises:
        PromptError: A file is missing, broken, or uses an unknown variable.
    """

    def __init__(self, prompts: PromptLibrary, registry: ScoringRegistry) -> None:
        self._prompts = prompts
        self._values: Mapping[str, object] = {
            "scoring": registry.rules,
            "classes": registry.classes,
        }

    def text(self) -> str:
        """The protocol itself, for a system prompt."""
        return self._prompts.render(PROTOCOL, **self._values)

    def section(self, name: str) -> str:
        """One file of detail.

        Raises:
            ToolFailure: There is no such section.
        """
        if name not in SECTIONS:
            raise ToolFailure(f"there is no section {name[:80]!r}: load {' or '.join(SECTIONS)}")
        return self._prompts.render(_file(name), **self._values)

    def tool(self) -> ToolSpec:
        """`load_protocol`: returns a file of detail when a step needs it."""

        async def load(arguments: Mapping[str, object]) -> str:
            return self.section(str(arguments.get("section", "")))

        return make_tool(
            "load_protocol",
            "One section of the web-research protocol. Load it when you reach the step "
            "that names it.",
            {"section": {"type": "string", "enum": list(SECTIONS)}},
            load,
            2 * len(SECTIONS),
            read_only=True,
        )


def _file(section: str) -> str:
    return f"web-research/{section}.md"

"""The web-research protocol: a short prompt, and four files of detail that an agent loads by tool.

The points, limits and tiers in the prompts are those of the scoring registry, so that what an agent
is told and what code computes are the same.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..core.tasks import ToolFailure, ToolSpec, make_tool
from ..core.templates import PromptLibrary
from ..sources.scoring.rules import ScoringRegistry

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
        for name in (PROTOCOL, *map(_file, SECTIONS)):
            prompts.check(name, self._values)

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

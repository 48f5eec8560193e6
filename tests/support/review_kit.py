"""The agents of a document review over one small document, with real services and prompts."""

from __future__ import annotations

from pathlib import Path

from foureyes.base.vocabulary import Severity
from foureyes.core.tasks import AgentBackend
from foureyes.core.templates import PromptLibrary, TemplateLibrary
from foureyes.core.work import RunServices
from foureyes.redteam.model import FlawKind, Lens
from foureyes.review.agents import BlueDefenderAgent, RedReviewerAgent, SmokeTesterAgent
from foureyes.review.types import (
    BlueDefenderConfig,
    DefenceContext,
    DefenceInput,
    RedFinding,
    RedReviewContext,
    RedReviewerConfig,
    RedReviewInput,
    SmokeContext,
    SmokeInput,
    SmokeItem,
    SmokeTesterConfig,
)
from support.evidence_run import services

DOCUMENT = """# Harbour plan

The crane lifts “about” 40 tonnes.

The HBQ met in May. Later the HBQ left.

## Notes

The crane lifts 40 tonnes at low tide, as noted above.
"""
ACRONYM = RedFinding(
    "t-acronym",
    Lens.TEXTUAL,
    "HBQ",
    5,
    FlawKind.UNDEFINED_ACRONYM.value,
    "'HBQ' is used 2 times and never spelled out.",
    Severity.LOW,
    by_rules=True,
)

GOOD_ITEM = SmokeItem("T-1", "The HBQ met in May.", 5, "It is never spelled out.")
OTHER_ITEM = SmokeItem("T-2", "Later the HBQ left.", 5, "It left too late.")


def red_reviewer(backend: AgentBackend) -> RedReviewerAgent:
    config = RedReviewerConfig(retries=0)
    return RedReviewerAgent(config, backend, PromptLibrary(), TemplateLibrary())


def blue_defender(backend: AgentBackend) -> BlueDefenderAgent:
    config = BlueDefenderConfig(retries=0)
    return BlueDefenderAgent(config, backend, PromptLibrary(), TemplateLibrary())


def smoke_tester(backend: AgentBackend) -> SmokeTesterAgent:
    config = SmokeTesterConfig(retries=0)
    return SmokeTesterAgent(config, backend, PromptLibrary(), TemplateLibrary())


def red_context(
    where: Path | RunServices,
    *known: RedFinding,
    lens: Lens = Lens.TEXTUAL,
    document: str = DOCUMENT,
) -> RedReviewContext:
    return RedReviewContext(
        iteration=1,
        max_iterations=1,
        services=_services(where),
        inputs=RedReviewInput(document, lens, known),
    )


def defence_context(
    where: Path | RunServices, finding: RedFinding = ACRONYM, document: str = DOCUMENT
) -> DefenceContext:
    return DefenceContext(
        iteration=1,
        max_iterations=1,
        services=_services(where),
        inputs=DefenceInput(document, finding),
    )


def smoke_context(
    where: Path | RunServices, *items: SmokeItem, document: str = DOCUMENT
) -> SmokeContext:
    return SmokeContext(
        iteration=1,
        max_iterations=1,
        services=_services(where),
        name="findings-1",
        inputs=SmokeInput(document, items),
    )


def _services(where: Path | RunServices) -> RunServices:
    return where if isinstance(where, RunServices) else services(where)

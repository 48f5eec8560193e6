"""The blue defender: tries to kill one finding with the document's own words."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import JsonValue

from ..base.errors import ReplyError
from ..core.forms import read_reply
from ..core.tasks import AgentTask, Role, Turn
from ..redteam.model import FlawKind
from ..review.config import BlueDefenderConfig
from ..review.types import Defence, DefenceContext, DefenceInput, DefenceOutcome, RedFinding
from .document_search import search_tools
from .places import find_quoted
from .prompted_agent import AgentSpec, PromptedAgent
from .reading import as_files
from .replies import Reply, Words, word_in
from .untrusted_text import UntrustedText

DOCUMENT_NAME = "document"
LOOKED_UP = (FlawKind.INCONSISTENT_NUMBER, FlawKind.BROKEN_REFERENCE, FlawKind.DANGLING_NOTE)
"""Flaws that rules find by calculation or look-up; no words of the document lift them."""

# A quotation of fewer words stands in any text.
_FEWEST_WORDS = 3
_WORD = re.compile(r"[^\W_]+")
_SYSTEM = "agents/blue-defender/system.md"
_INITIAL = "agents/blue-defender/user/initial.md"
_USER_VARIABLES = ("readable", "split", "section_tokens", "file_name")
_OUTCOMES = {
    "killed": DefenceOutcome.KILLED,
    "kill": DefenceOutcome.KILLED,
    "weakened": DefenceOutcome.WEAKENED,
    "weaken": DefenceOutcome.WEAKENED,
    "survived": DefenceOutcome.SURVIVED,
    "survives": DefenceOutcome.SURVIVED,
}


class DefenceReply(Reply):
    """The finding's entry; the first five fields are code's own."""

    issue: str
    severity: str
    quote: str
    line: int
    problem: str
    outcome: Annotated[DefenceOutcome, word_in(_OUTCOMES)]
    words: Words
    argument: Words


class DefencesReply(Reply):
    """The filled form."""

    defences: dict[str, DefenceReply]


class BlueDefenderAgent(PromptedAgent[BlueDefenderConfig, DefenceContext, Defence]):
    """Argues from the document's own text against one finding (review spec, phase 1b)."""

    _spec = AgentSpec(
        Role.BLUE_DEFENDER,
        "agents/blue-defender",
        "defence.json",
        user=("readable", "split", "section_tokens", "file_name"),
    )

    def build_task(self, context: DefenceContext) -> AgentTask[DefenceInput]:
        """The form with the one finding."""
        inputs = context.inputs
        document = as_files(DOCUMENT_NAME, inputs.document)
        finding = inputs.finding
        entries = {finding.id: _entry(finding)}
        return self._prompted_task(
            f"{context.iteration}/blue/{finding.id}",
            inputs,
            form=self.templates.json_template(self._spec.template, claims=entries),
            readable=document,
            tools=search_tools(self.config, document, UntrustedText.of(inputs.document)),
        )

    def read_reply(self, context: DefenceContext, turn: Turn) -> Defence:
        """The defence, with its words as the document has them.

        No model kills what rules know by calculation or look-up, and nobody an error of arithmetic:
        it is weakened at most.

        Raises:
            ReplyError: A value cannot be read, or nothing in the document bears the defence out.
        """
        finding = context.inputs.finding
        entry = read_reply(DefencesReply, turn.text).defences[finding.id]
        place = find_quoted(entry.words, context.inputs.document)
        words = place.words if place else ""
        outcome = entry.outcome
        if outcome is not DefenceOutcome.SURVIVED and len(_WORD.findall(words)) < _FEWEST_WORDS:
            raise ReplyError(
                f"/defences/{finding.id}/words: {entry.words[:80]!r} are not at least "
                f"{_FEWEST_WORDS} words that stand in the document: without such words the outcome "
                "is 'survived'"
            )
        if outcome is DefenceOutcome.KILLED and self._is_known(finding):
            outcome = DefenceOutcome.WEAKENED
        return Defence(finding.id, outcome, entry.argument.strip(), words)

    def _is_known(self, finding: RedFinding) -> bool:
        """Whether no words of this defender lift the finding (design, principle 1)."""
        kinds = LOOKED_UP if self.backend.independent else ()
        return finding.by_rules and finding.issue in (FlawKind.ARITHMETIC_ERROR, *kinds)


def _entry(finding: RedFinding) -> dict[str, JsonValue]:
    return {
        "issue": finding.issue,
        "severity": finding.severity.value,
        "quote": finding.quote,
        "line": finding.line,
        "problem": finding.problem,
    }

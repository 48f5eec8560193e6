"""The blue defender: tries to kill one finding with the document's own words."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, JsonValue

from ..base.errors import ReplyError
from ..core.agent_base import BaseAgent
from ..core.forms import read_reply
from ..core.prompts import PromptLibrary
from ..core.tasks import AgentBackend, AgentTask, Role, Turn
from ..core.templates import TemplateLibrary
from ..redteam.model import FlawKind
from ..redteam.rebuttal import FEWEST_WORDS, suffices
from ..review.config import BlueDefenderConfig
from ..review.types import Defence, DefenceContext, DefenceInput, DefenceOutcome, RedFinding
from .document_search import search_tools
from .places import find_quoted
from .reading import SECTION_TOKENS, as_files
from .replies import Reply, Words, folded
from .untrusted_text import UntrustedText

TEMPLATE = "agents/blue-defender/defence.json"
FILE_NAME = "defence.json"
DOCUMENT_NAME = "document"
LOOKED_UP = (FlawKind.INCONSISTENT_NUMBER, FlawKind.BROKEN_REFERENCE, FlawKind.DANGLING_NOTE)
"""What rules see by comparing and looking up; other rules may find the answer in the document."""

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


def _outcome(value: object) -> object:
    word = folded(value)
    if word not in _OUTCOMES:
        raise ValueError(f"{str(value)[:60]!r} is none of {', '.join(DefenceOutcome)}")
    return _OUTCOMES[word]


class DefenceReply(Reply):
    """The finding's entry; the first five fields are code's own."""

    issue: str
    severity: str
    quote: str
    line: int
    problem: str
    outcome: Annotated[DefenceOutcome, BeforeValidator(_outcome)]
    words: Words
    argument: Words


class DefencesReply(Reply):
    """The filled form."""

    defences: dict[str, DefenceReply]


class BlueDefenderAgent(BaseAgent[BlueDefenderConfig, DefenceContext, Defence]):
    """Argues from the document's own text against one finding (review spec, phase 1b).

    Args:
        config: Its settings.
        backend: Who fills the form.
        prompts: Where its prompts are.
        templates: Where its form is.

    Raises:
        PromptError: A prompt of the blue defender cannot be used.
    """

    def __init__(
        self,
        config: BlueDefenderConfig,
        backend: AgentBackend,
        prompts: PromptLibrary,
        templates: TemplateLibrary,
    ) -> None:
        super().__init__(config, backend, prompts, templates)
        prompts.check(_SYSTEM, ("file_name",))
        prompts.check(_INITIAL, _USER_VARIABLES)

    @property
    def agent_name(self) -> str:
        """``blue_defender``."""
        return "blue_defender"

    def build_task(self, context: DefenceContext) -> AgentTask[DefenceInput]:
        """The form with the one finding."""
        inputs = context.inputs
        document = as_files(DOCUMENT_NAME, inputs.document)
        finding = inputs.finding
        form = self.templates.json_template(TEMPLATE, claims={finding.id: _entry(finding)})
        return self.form_task(
            Role.BLUE_DEFENDER,
            f"{context.iteration}/blue/{finding.id}",
            inputs,
            system_prompt=self.prompts.render(_SYSTEM, file_name=FILE_NAME),
            user_prompt=self.prompts.render(
                _INITIAL,
                readable=tuple(document),
                split=len(document) > 1,
                section_tokens=SECTION_TOKENS,
                file_name=FILE_NAME,
            ),
            file_name=FILE_NAME,
            form=form,
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
        if outcome is not DefenceOutcome.SURVIVED and not suffices(words):
            raise ReplyError(
                f"/defences/{finding.id}/words: {entry.words[:80]!r} are not at least "
                f"{FEWEST_WORDS} words that stand in the document: without such words the outcome "
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

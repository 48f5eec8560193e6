"""The red reviewer finds faults of a document, and the blue defender answers each by its words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import BeforeValidator, JsonValue

from ..agents.document_search import search_tools
from ..agents.places import find_quoted
from ..agents.prompted_agent import AgentSpec, PromptedAgent
from ..agents.reading import UntrustedText, as_files
from ..agents.replies import Reply, SeverityWord, Words, folded, line_number, word_in
from ..base.errors import ReplyError
from ..core.forms import read_reply
from ..core.tasks import AgentTask, Role, Turn, digest
from ..redteam.model import FlawKind, Lens
from .config import BlueDefenderConfig, RedReviewerConfig
from .types import (
    Defence,
    DefenceContext,
    DefenceInput,
    DefenceOutcome,
    RedFinding,
    RedReviewContext,
    RedReviewInput,
)

DOCUMENT_NAME = "document"
KNOWN_NAME = "known"


class FindingReply(Reply):
    """A finding as the reviewer fills it in."""

    issue: Words
    severity: SeverityWord
    quote: Words
    line: Annotated[int, BeforeValidator(line_number)]
    problem: Words


class RedReply(Reply):
    """The reviewer's filled form."""

    summary: Words
    findings: list[FindingReply]


class RedReviewerAgent(PromptedAgent[RedReviewerConfig, RedReviewContext, tuple[RedFinding, ...]]):
    """Finds faults of a document in its own words, without the web (review spec, phase 1)."""

    _spec = AgentSpec(
        Role.RED_REVIEWER,
        "agents/red-reviewer",
        "findings.json",
        system=("lens", "file_name"),
        user=(
            "lens", "readable", "split", "section_tokens", "known", "known_name", "file_name",
        ),
    )  # fmt: skip

    def build_task(self, context: RedReviewContext) -> AgentTask[RedReviewInput]:
        """The form for one lens."""
        inputs = context.inputs
        document = as_files(DOCUMENT_NAME, inputs.document)
        known = _known(inputs.known)
        return self._prompted_task(
            f"{context.iteration}/red/{inputs.lens}",
            inputs,
            form=self.templates.json_template(self._spec.template),
            readable={**document, **known},
            system={"lens": inputs.lens.value},
            user={"lens": inputs.lens.value, "known": bool(known), "known_name": KNOWN_NAME},
            tools=search_tools(self.config, document, UntrustedText.of(inputs.document)),
        )

    def read_reply(self, context: RedReviewContext, turn: Turn) -> tuple[RedFinding, ...]:
        """The reviewer's own findings, each once.

        Words that stand in the document are given as it has them, with their line. A finding whose
        words do not stand there keeps them and the line as stated, for phase 3 to drop and count.

        Raises:
            ReplyError: A value cannot be read.
        """
        reply = read_reply(RedReply, turn.text)
        lens, document = context.inputs.lens, context.inputs.document
        found = (_finding(lens, entry, document) for entry in reply.findings)
        return tuple({finding.id: finding for finding in found}.values())


def _finding(lens: Lens, entry: FindingReply, document: str) -> RedFinding:
    issue = folded(entry.issue).replace(" ", "_")
    place = find_quoted(entry.quote, document, entry.line)
    quote, line = (place.words, place.line) if place else (entry.quote, entry.line)
    id_ = f"r-{digest((lens, issue, quote, str(line), entry.problem))[:10]}"
    return RedFinding(id_, lens, quote, line, issue, entry.problem.strip(), entry.severity)


def _known(findings: Sequence[RedFinding]) -> Mapping[str, str]:
    """The findings reported already, as files with a list; empty without any."""
    if not findings:
        return {}
    lines = (f"- line {one.line}, {one.issue}: {one.problem}" for one in findings)
    return as_files(KNOWN_NAME, "\n".join(("# Reported already", "", *lines, "")))


LOOKED_UP = (FlawKind.INCONSISTENT_NUMBER, FlawKind.BROKEN_REFERENCE, FlawKind.DANGLING_NOTE)
"""Flaws that rules find by calculation or look-up; no words of the document lift them."""

# A quotation of fewer words stands in any text.
_FEWEST_WORDS = 3
_WORD = re.compile(r"[^\W_]+")
_OUTCOMES = {
    "killed": DefenceOutcome.KILLED,
    "kill": DefenceOutcome.KILLED,
    "weakened": DefenceOutcome.WEAKENED,
    "weaken": DefenceOutcome.WEAKENED,
    "survived": DefenceOutcome.SURVIVED,
    "survives": DefenceOutcome.SURVIVED,
}


class DefenceReply(Reply, extra="ignore"):
    """What the defender fills in beside the fields of the finding."""

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
        """Whether no words of this defender lift the finding."""
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

"""The red reviewer: looks through one lens for what is wrong with a document."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import BeforeValidator

from ..core.forms import read_reply
from ..core.tasks import AgentTask, Role, Turn
from ..redteam.model import Lens
from ..review.config import RedReviewerConfig
from ..review.types import RedFinding, RedReviewContext, RedReviewInput
from .document_search import search_tools
from .places import find_quoted
from .prompted_agent import AgentSpec, PromptedAgent
from .reading import as_files
from .replies import Reply, SeverityWord, Words, folded, line_number
from .untrusted_text import UntrustedText

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
    seed = "\x01".join((lens, issue, quote, str(line), entry.problem))
    digest = hashlib.sha256(seed.encode("utf-8", "surrogatepass")).hexdigest()[:10]
    return RedFinding(
        f"r-{digest}", lens, quote, line, issue, entry.problem.strip(), entry.severity
    )


def _known(findings: Sequence[RedFinding]) -> Mapping[str, str]:
    """The findings reported already, as files with a list; empty without any."""
    if not findings:
        return {}
    lines = (f"- line {one.line}, {one.issue}: {one.problem}" for one in findings)
    return as_files(KNOWN_NAME, "\n".join(("# Reported already", "", *lines, "")))

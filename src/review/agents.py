"""Agents of a document review: red reviewer, blue defender, smoke tester, claim extractor."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, JsonValue

from ..agents.document_search import search_tools
from ..agents.prompted_agent import AgentSpec, PromptedAgent
from ..agents.reading import UntrustedText, as_files
from ..agents.replies import (
    Reply,
    SeverityWord,
    Words,
    find_quoted,
    folded,
    line_number,
    word_in,
    word_of,
)
from ..base.errors import ReplyError
from ..claims.duplicates import new_id
from ..claims.model import ClaimTopic, Materiality, Polarity, Temporality
from ..core.forms import read_reply
from ..core.tasks import AgentTask, Role, Turn, digest
from ..redteam.model import FlawKind
from .extraction import extracted_claim
from .types import (
    BlueDefenderConfig,
    ClaimExtractorConfig,
    Defence,
    DefenceContext,
    DefenceInput,
    DefenceOutcome,
    ExtractedClaim,
    ExtractionContext,
    ExtractionInput,
    RedFinding,
    RedReviewContext,
    RedReviewerConfig,
    RedReviewInput,
    SmokeContext,
    SmokeInput,
    SmokeTesterConfig,
    SmokeVerdict,
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

    _spec = AgentSpec(Role.RED_REVIEWER, "findings.json")

    def build_task(self, context: RedReviewContext) -> AgentTask[RedReviewInput]:
        """The form for one lens."""
        inputs = context.inputs
        document, known = as_files(DOCUMENT_NAME, inputs.document), dict[str, str]()
        if inputs.known:
            lines = (f"- line {one.line}, {one.issue}: {one.problem}\n" for one in inputs.known)
            known.update(as_files(KNOWN_NAME, "".join(("# Reported already\n\n", *lines))))
        return self._prompted_task(
            context,
            f"red/{inputs.lens}",
            inputs,
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
        lens, document = context.inputs.lens, context.inputs.document
        findings: dict[str, RedFinding] = {}
        for entry in read_reply(RedReply, turn.text).findings:
            issue, problem = folded(entry.issue).replace(" ", "_"), entry.problem
            found = find_quoted(entry.quote, document, entry.line)
            quote, line = found or (entry.quote, entry.line)
            id_ = f"r-{digest((lens, issue, quote, str(line), problem))[:10]}"
            finding = RedFinding(id_, lens, quote, line, issue, problem.strip(), entry.severity)
            findings[id_] = finding
        return tuple(findings.values())


LOOKED_UP = (FlawKind.INCONSISTENT_NUMBER, FlawKind.BROKEN_REFERENCE, FlawKind.DANGLING_NOTE)
"""Flaws that rules find by calculation or look-up; no words of the document lift them."""

# A quotation of fewer words stands in any text.
_FEWEST_WORDS = 3
_WORD = re.compile(r"[^\W_]+")
_OUTCOMES = {outcome.value: outcome for outcome in DefenceOutcome} | {
    "kill": DefenceOutcome.KILLED,
    "weaken": DefenceOutcome.WEAKENED,
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

    _spec = AgentSpec(Role.BLUE_DEFENDER, "defence.json")

    def build_task(self, context: DefenceContext) -> AgentTask[DefenceInput]:
        """The form with the one finding."""
        inputs = context.inputs
        document = as_files(DOCUMENT_NAME, inputs.document)
        finding = inputs.finding
        shown = ("issue", "severity", "quote", "line", "problem")
        return self._prompted_task(
            context,
            f"blue/{finding.id}",
            inputs,
            entries={finding.id: {name: getattr(finding, name) for name in shown}},
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
        words, _ = find_quoted(entry.words, context.inputs.document) or ("", 0)
        outcome = entry.outcome
        if outcome is not DefenceOutcome.SURVIVED and len(_WORD.findall(words)) < _FEWEST_WORDS:
            raise ReplyError(
                f"/defences/{finding.id}/words: {entry.words[:80]!r} are not at least "
                f"{_FEWEST_WORDS} words that stand in the document: without such words the outcome "
                "is 'survived'"
            )
        kinds = (FlawKind.ARITHMETIC_ERROR, *(LOOKED_UP if self.backend.independent else ()))
        if outcome is DefenceOutcome.KILLED and finding.by_rules and finding.issue in kinds:
            outcome = DefenceOutcome.WEAKENED
        return Defence(finding.id, outcome, entry.argument.strip(), words)


class ItemReply(Reply, extra="ignore"):
    """What the tester fills in beside the fields of the item."""

    verdict: Annotated[SmokeVerdict, word_of(SmokeVerdict)]
    reason: Words


class ItemsReply(Reply):
    """The filled form."""

    items: dict[str, ItemReply]


class SmokeTesterAgent(PromptedAgent[SmokeTesterConfig, SmokeContext, Mapping[str, str]]):
    """Verifies that findings or claims are what the document says (phases 3, 4a-v)."""

    _spec = AgentSpec(Role.SMOKE_TESTER, "items.json")

    def build_task(self, context: SmokeContext) -> AgentTask[SmokeInput]:
        """The form with all items of `context`."""
        inputs = context.inputs
        document = as_files(DOCUMENT_NAME, inputs.document)
        return self._prompted_task(
            context,
            f"smoke/{context.name}",
            inputs,
            entries={
                item.id: {
                    "quote": item.quote,
                    "line": item.line,
                    "statement": item.statement,
                    "polarity": item.polarity or "",
                }
                for item in inputs.items
            },
            readable=document,
            user={
                "claims": any(item.polarity is not None for item in inputs.items),
                "items": len(inputs.items),
            },
            tools=search_tools(self.config, document, UntrustedText.of(inputs.document)),
        )

    def read_reply(self, context: SmokeContext, turn: Turn) -> Mapping[str, str]:
        """The reasons of those items of `context` that failed, by their ids.

        Raises:
            ReplyError: A value cannot be read, or something failed for no reason.
        """
        entries = read_reply(ItemsReply, turn.text).items
        failed = {
            item.id: entries[item.id].reason.strip()
            for item in context.inputs.items
            if entries[item.id].verdict is SmokeVerdict.FAILED
        }
        for id_, reason in failed.items():
            if not reason:
                raise ReplyError(f"/items/{id_}/reason: say why it failed")
        return failed


class ClassesReply(Reply, extra="ignore"):
    """The classes of a claim, in the extractor's words, beside the fields that code filled."""

    category: Annotated[ClaimTopic, word_of(ClaimTopic)]
    materiality: Annotated[Materiality, word_of(Materiality)]
    temporality: Annotated[Temporality, word_of(Temporality)]
    polarity: Annotated[Polarity, word_of(Polarity)]

    @property
    def classes(self) -> dict[str, Any]:
        """All four, under the names that they have in an `ExtractedClaim`."""
        classes = self.model_dump(include={"category", "materiality", "temporality", "polarity"})
        return {"topic": classes.pop("category"), **classes}


class AddedReply(ClassesReply, extra="forbid"):
    """A claim that the extractor adds."""

    claim: Words
    quote: Words
    line: Annotated[int, BeforeValidator(line_number)]


class ClaimsReply(Reply):
    """The filled form of one part."""

    claims: dict[str, ClassesReply] = Field(default_factory=dict[str, ClassesReply])
    added_claims: list[AddedReply]


class ClaimExtractorAgent(
    PromptedAgent[ClaimExtractorConfig, ExtractionContext, tuple[ExtractedClaim, ...]]
):
    """Lists every factual claim of a part of a document (review spec, phase 4a).

    It is offered no tool that reaches the web, whatever its settings allow (safety constraint 1).
    """

    _spec = AgentSpec(Role.CLAIM_EXTRACTOR, "claims.json")

    def build_task(self, context: ExtractionContext) -> AgentTask[ExtractionInput]:
        """The form for one part."""
        inputs = context.inputs
        document = inputs.document
        text = as_files(DOCUMENT_NAME, document.text[inputs.start : inputs.end])
        claims = (extracted_claim(claim, document) for claim in inputs.claims)
        return self._prompted_task(
            context,
            f"extraction/{context.name}",
            inputs,
            entries={claim.id: _claim_entry(claim) for claim in claims},
            readable=text,
            user={
                "part": (inputs.start, inputs.end) != (0, len(document.text)),
                "first_line": document.position(inputs.start)[0],
                "last_line": document.position(max(inputs.start, inputs.end - 1))[0],
                "lines": len(document.line_starts),
                "claims": len(inputs.claims),
            },
            tools=search_tools(self.config, text, UntrustedText.of(document.text)),
        )

    def read_reply(self, context: ExtractionContext, turn: Turn) -> tuple[ExtractedClaim, ...]:
        """The claims of the part: those that code found, classified, then what was added.

        Words and place of the former are code's own. An added claim whose quotation is not in the
        document is handed on as it is; it fails its test.

        Raises:
            ReplyError: A value cannot be read.
        """
        inputs = context.inputs
        reply = read_reply(ClaimsReply, turn.text)
        own = (extracted_claim(claim, inputs.document) for claim in inputs.claims)
        found = (replace(one, **reply.claims[one.id].classes) for one in own)
        return (*found, *_added(reply.added_claims, inputs))


def _claim_entry(claim: ExtractedClaim) -> dict[str, JsonValue]:
    """The fields that code fills of a claim that it found."""
    return {
        "claim": "as quoted" if claim.statement == claim.quote else claim.statement,
        "quote": claim.quote,
        "line": claim.line,
        "category": claim.topic.value,
        "materiality": claim.materiality.value,
        "temporality": claim.temporality.value,
        "polarity": claim.polarity.value,
    }


def _added(entries: Iterable[AddedReply], inputs: ExtractionInput) -> Iterator[ExtractedClaim]:
    taken = {claim.id for claim in inputs.claims}
    for entry in entries:
        quote, line = _place(entry, inputs)
        statement = " ".join(entry.claim.split())
        name = new_id(f"{statement} {line}", taken)
        taken.add(name)
        yield ExtractedClaim(name, statement, quote, line, **entry.classes)


def _place(entry: AddedReply, inputs: ExtractionInput) -> tuple[str, int]:
    """The document's words and their line, in the part if they stand there."""
    text, first = inputs.document.text, inputs.document.position(inputs.start)[0]
    inside = find_quoted(entry.quote, text[inputs.start : inputs.end], entry.line - first + 1)
    if inside:
        return " ".join(inside[0].split()), inside[1] + first - 1
    if anywhere := find_quoted(entry.quote, text, entry.line):
        return " ".join(anywhere[0].split()), anywhere[1]
    return entry.quote.strip(), max(1, entry.line)

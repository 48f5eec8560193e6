"""The claim extractor: classifies the claims that code found and adds others; it has no web."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated

from pydantic import BeforeValidator, Field, JsonValue

from ..agents.document_search import search_tools
from ..agents.places import find_quoted
from ..agents.prompted_agent import AgentSpec, PromptedAgent
from ..agents.reading import UntrustedText, as_files
from ..agents.replies import Reply, Words, line_number, word_of
from ..claims.identity import new_id
from ..claims.model import ClaimTopic, Materiality, Polarity, Temporality
from ..core.forms import read_reply
from ..core.tasks import AgentTask, Role, Turn
from .config import ClaimExtractorConfig
from .extraction import extracted_claim
from .types import ExtractedClaim, ExtractionContext, ExtractionInput

DOCUMENT_NAME = "document"
EXCLUDED_NAME = "excluded"
_AS_QUOTED = "as quoted"


class ClassesReply(Reply, extra="ignore"):
    """The classes of a claim, in the extractor's words, beside the fields that code filled."""

    category: Annotated[ClaimTopic, word_of(ClaimTopic)]
    materiality: Annotated[Materiality, word_of(Materiality)]
    temporality: Annotated[Temporality, word_of(Temporality)]
    polarity: Annotated[Polarity, word_of(Polarity)]

    @property
    def classes(self) -> tuple[ClaimTopic, Materiality, Temporality, Polarity]:
        """All four, as an `ExtractedClaim` has them."""
        return self.category, self.materiality, self.temporality, self.polarity


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

    _spec = AgentSpec(
        Role.CLAIM_EXTRACTOR,
        "agents/claim-extractor",
        "claims.json",
        system=("file_name", "excluded_name"),
        user=("part", "first_line", "last_line", "lines", "readable", "file_name", "claims"),
    )

    def build_task(self, context: ExtractionContext) -> AgentTask[ExtractionInput]:
        """The form for one part."""
        inputs = context.inputs
        document = inputs.document
        text = as_files(DOCUMENT_NAME, document.text[inputs.start : inputs.end])
        claims = (extracted_claim(claim, document) for claim in inputs.claims)
        entries = {claim.id: _entry(claim) for claim in claims}
        return self._prompted_task(
            f"{context.iteration}/extraction/{context.name}",
            inputs,
            form=self.templates.json_template(self._spec.template, claims=entries),
            readable={**text, **_excluded_file(inputs)},
            system={"excluded_name": f"{EXCLUDED_NAME}.md"},
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
        found = (
            ExtractedClaim(
                claim.id,
                one.statement,
                one.quote,
                one.line,
                *reply.claims[claim.id].classes,
                by_rules=True,
            )
            for claim in inputs.claims
            for one in (extracted_claim(claim, inputs.document),)
        )
        return (*found, *_added(reply.added_claims, inputs))


def _entry(claim: ExtractedClaim) -> dict[str, JsonValue]:
    """The fields that code fills of a claim that it found."""
    return {
        "claim": _AS_QUOTED if claim.statement == claim.quote else claim.statement,
        "quote": claim.quote,
        "line": claim.line,
        "category": claim.topic.value,
        "materiality": claim.materiality.value,
        "temporality": claim.temporality.value,
        "polarity": claim.polarity.value,
    }


def _excluded_file(inputs: ExtractionInput) -> Mapping[str, str]:
    """The file of sentences that are not claims of fact by code's rules; empty without any."""
    if not inputs.excluded:
        return {}
    lines = ["# Sentences that are no claims of fact by a rule\n"]
    for claim in inputs.excluded:
        one = extracted_claim(claim, inputs.document)
        lines.append(f"- line {one.line} ({claim.exclusion}): {one.quote}")
    return as_files(EXCLUDED_NAME, "\n".join((*lines, "")))


def _added(entries: Iterable[AddedReply], inputs: ExtractionInput) -> Iterator[ExtractedClaim]:
    taken = {claim.id for claim in (*inputs.claims, *inputs.excluded)}
    for entry in entries:
        quote, line = _place(entry, inputs)
        statement = " ".join(entry.claim.split())
        name = new_id(f"{statement} {line}", taken)
        taken.add(name)
        yield ExtractedClaim(name, statement, quote, line, *entry.classes)


def _place(entry: AddedReply, inputs: ExtractionInput) -> tuple[str, int]:
    """The document's words and their line, in the part if they stand there."""
    text, first = inputs.document.text, inputs.document.position(inputs.start)[0]
    inside = find_quoted(entry.quote, text[inputs.start : inputs.end], entry.line - first + 1)
    if inside is not None:
        return " ".join(inside.words.split()), inside.line + first - 1
    anywhere = find_quoted(entry.quote, text, entry.line)
    if anywhere is not None:
        return " ".join(anywhere.words.split()), anywhere.line
    return entry.quote.strip(), max(1, entry.line)

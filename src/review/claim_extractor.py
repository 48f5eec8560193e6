"""The claim extractor: classifies the claims that code found and adds others; it has no web."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Annotated

from pydantic import BeforeValidator, Field, JsonValue

from ..agents.document_search import search_tools
from ..agents.places import find_quoted
from ..agents.prompted_agent import AgentSpec, PromptedAgent
from ..agents.reading import UntrustedText, as_files
from ..agents.replies import Reply, Words, line_number, word_of
from ..claims.identity import new_id
from ..claims.model import Claim, ClaimTopic, Materiality, Polarity, Temporality
from ..core.forms import read_reply
from ..core.tasks import AgentTask, Role, Turn
from .config import ClaimExtractorConfig
from .extraction import extracted_claim
from .types import ExtractedClaim, ExtractionContext, ExtractionInput

DOCUMENT_NAME = "document"
EXCLUDED_NAME = "excluded"
_AS_QUOTED = "as quoted"


class ClassesReply(Reply):
    """The classes of a claim, in the extractor's words."""

    category: Annotated[ClaimTopic, word_of(ClaimTopic)]
    materiality: Annotated[Materiality, word_of(Materiality)]
    temporality: Annotated[Temporality, word_of(Temporality)]
    polarity: Annotated[Polarity, word_of(Polarity)]


class FoundReply(ClassesReply):
    """The entry of a claim that code found; the first three fields are code's own."""

    claim: str
    quote: str
    line: int


class AddedReply(ClassesReply):
    """A claim that the extractor adds."""

    claim: Words
    quote: Words
    line: Annotated[int, BeforeValidator(line_number)]


class ClaimsReply(Reply):
    """The filled form of one part."""

    claims: dict[str, FoundReply] = Field(default_factory=dict[str, FoundReply])
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
        readable = {**text, **_excluded_file(inputs)}
        return self._prompted_task(
            f"{context.iteration}/extraction/{context.name}",
            inputs,
            form=self.templates.json_template(self._spec.template, claims=_entries(inputs)),
            readable=readable,
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
            _classified(extracted_claim(claim, inputs.document), reply.claims[claim.id])
            for claim in inputs.claims
        )
        return (*found, *_added(reply.added_claims, inputs))


def _entries(inputs: ExtractionInput) -> Mapping[str, Mapping[str, JsonValue]]:
    """For each claim that code found the fields that it fills."""
    return {claim.id: _entry(extracted_claim(claim, inputs.document)) for claim in inputs.claims}


def _entry(claim: ExtractedClaim) -> dict[str, JsonValue]:
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
    return as_files(EXCLUDED_NAME, "".join(_excluded_lines(inputs.excluded, inputs)))


def _excluded_lines(excluded: Iterable[Claim], inputs: ExtractionInput) -> Iterator[str]:
    yield "# Sentences that are no claims of fact by a rule\n\n"
    for claim in excluded:
        one = extracted_claim(claim, inputs.document)
        yield f"- line {one.line} ({claim.exclusion}): {one.quote}\n"


def _classified(claim: ExtractedClaim, entry: FoundReply) -> ExtractedClaim:
    return replace(
        claim,
        topic=entry.category,
        materiality=entry.materiality,
        temporality=entry.temporality,
        polarity=entry.polarity,
    )


def _added(entries: Iterable[AddedReply], inputs: ExtractionInput) -> Iterator[ExtractedClaim]:
    taken = {claim.id for claim in (*inputs.claims, *inputs.excluded)}
    for entry in entries:
        quote, line = _place(entry, inputs)
        statement = " ".join(entry.claim.split())
        name = new_id(f"{statement} {line}", taken)
        taken.add(name)
        yield ExtractedClaim(
            name,
            statement,
            quote,
            line,
            entry.category,
            entry.materiality,
            entry.temporality,
            entry.polarity,
        )


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

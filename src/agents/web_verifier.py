"""The web verifier: looks up what outside sources say of a batch of claims; it only annotates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pydantic import JsonValue

from ..base.vocabulary import Stance
from ..core.prompts import PromptLibrary
from ..core.tasks import AgentBackend, AgentTask, Role, Turn
from ..core.templates import TemplateLibrary
from ..core.work import ClaimWork
from ..review.config import WebVerifierConfig
from ..review.types import WEB_VERDICTS, ExtractedClaim, SourceNote, WebCheckContext, WebCheckInput
from ..verification.model import ClaimAssessment
from ..verification.registry import Registry
from .fact_check_files import CLAIM_CHARS, PASSAGE_CHARS, clip, describe_passages
from .prompted_agent import AgentSpec, PromptedAgent
from .reading import as_files
from .source_tools import fact_check_tools
from .untrusted_text import UntrustedText
from .web_answers import read_results
from .web_research import WebResearchProtocol

PASSAGES_NAME = "passages"
_STANCES = {
    Stance.SUPPORTS: "States it",
    Stance.CONTRADICTS: "Denies it",
    Stance.NEUTRAL: "May deny it",
}


class WebVerifierAgent(
    PromptedAgent[WebVerifierConfig, WebCheckContext, tuple[ClaimAssessment, ...]]
):
    """Verifies a batch of claims against outside sources (review spec, phase 4b).

    Args:
        config: Its settings.
        backend: Who fills the forms.
        prompts: Where its prompts are.
        templates: Where its form is.
        registry: Word lists and thresholds of verification.
        protocol: The rules of research, for reviews with a search provider.

    Raises:
        PromptError: A prompt of the web verifier cannot be used.
    """

    _spec = AgentSpec(
        Role.WEB_VERIFIER,
        "agents/web-verifier",
        "results.json",
        system=("file_name", "passages_name", "search", "max_webfetches"),
        user=("claims", "written", "assumed", "readable", "decided", "file_name"),
    )

    def __init__(
        self,
        config: WebVerifierConfig,
        backend: AgentBackend,
        prompts: PromptLibrary,
        templates: TemplateLibrary,
        *,
        registry: Registry,
        protocol: WebResearchProtocol | None = None,
    ) -> None:
        super().__init__(config, backend, prompts, templates)
        self._registry = registry
        self._protocol = protocol

    def build_task(self, context: WebCheckContext) -> AgentTask[WebCheckInput]:
        """The form for one batch."""
        inputs = context.inputs
        ids = [work.claim.id for work in inputs.claims]
        # Whoever writes a page does not know which claims stand together.
        untrusted = UntrustedText.of(*ids, *(one.quote for one in inputs.extracted.values()))
        readable = as_files(PASSAGES_NAME, "\n".join(_passages_file(inputs, untrusted)))
        fetches, search = self._fetches(context), self._searches(context)
        tools = fact_check_tools(
            context.source_tools, ids, untrusted, max_webfetches=fetches, searches=search
        )
        return self._prompted_task(
            f"{context.iteration}/web/{context.name}",
            inputs,
            form=self.templates.json_template(self._spec.template, claims=_entries(inputs)),
            readable=readable,
            system={
                "passages_name": PASSAGES_NAME,
                "search": search,
                "max_webfetches": fetches,
            },
            user={
                "claims": ids,
                "written": inputs.written.isoformat(),
                "assumed": inputs.assumed,
                "decided": sum(work.assessment.decided for work in inputs.claims),
            },
            tools=tools,
            protocol=self._protocol if search else None,
        )

    def read_reply(self, context: WebCheckContext, turn: Turn) -> tuple[ClaimAssessment, ...]:
        """The assessments of the batch: code's own, as far as the verifier left or may change them.

        Raises:
            ReplyError: A value cannot be read, or a passage stands in no source at hand.
        """
        sources = context.source_tools.readable_sources()
        return read_results(turn.text, context.inputs, sources, self._registry)

    def _fetches(self, context: WebCheckContext) -> int:
        return context.max_webfetches if self.config.allows("fetch_source") else 0

    def _searches(self, context: WebCheckContext) -> bool:
        return self.config.allows("search_sources") and context.max_searches > 0


def _entries(inputs: WebCheckInput) -> Mapping[str, Mapping[str, JsonValue]]:
    return {work.claim.id: _entry(work, inputs.extracted[work.claim.id]) for work in inputs.claims}


def _entry(work: ClaimWork, extracted: ExtractedClaim) -> dict[str, JsonValue]:
    """The fields that code fills; of a claim that it settled, the slots too."""
    assessment = work.assessment
    verdict = WEB_VERDICTS[assessment.verdict].value
    entry: dict[str, JsonValue] = {
        "claim": clip(work.claim.text, CLAIM_CHARS),
        "quote": clip(extracted.quote, CLAIM_CHARS),
        "line": extracted.line,
        "kind": f"{extracted.polarity}, {extracted.temporality}",
        "found_by_code": f"{verdict}, see {PASSAGES_NAME}",
    }
    if assessment.decided:
        slots = {"passage": "", "other_passage": "", "reason": "settled by code"}
        return {**entry, "verdict": verdict, **slots}
    return entry


def _passages_file(inputs: WebCheckInput, untrusted: UntrustedText) -> Iterator[str]:
    yield "# What code found\n"
    for work in inputs.claims:
        yield from _claim_part(work, inputs, untrusted)
    yield "# The sources named above\n"
    named = {
        place.url
        for work in inputs.claims
        for place in (*work.assessment.evidence, *work.assessment.passages)
    }
    for url in sorted(named & inputs.notes.keys()):
        yield f"- {_described(url, inputs.notes[url])}"


def _claim_part(work: ClaimWork, inputs: WebCheckInput, untrusted: UntrustedText) -> Iterator[str]:
    claim, assessment = work.claim, work.assessment
    extracted = inputs.extracted[claim.id]
    yield f"## {claim.id} (line {extracted.line}, {extracted.polarity}, {extracted.temporality})\n"
    yield f"Document says: {clip(extracted.quote, CLAIM_CHARS)}"
    yield f"To check: {clip(claim.text, CLAIM_CHARS)}"
    settled = "settled by code" if assessment.decided else "left to you"
    # The reason may quote a page.
    why = untrusted.mark(clip(assessment.reason, PASSAGE_CHARS), "code's reason")
    yield f"Code: {WEB_VERDICTS[assessment.verdict]} ({settled}):\n{why}\n"
    for item in assessment.evidence:
        words = untrusted.mark(clip(item.quote, PASSAGE_CHARS))
        stance = _STANCES[item.stance]
        yield f"{stance}, <{item.url}>, snapshot {item.sha256}:\n{words}\n"
    yield describe_passages(assessment.passages, untrusted) or "No passage was found.\n"


def _described(url: str, note: SourceNote) -> str:
    authority = "authoritative" if note.authoritative else "not authoritative"
    dated = f"dated {note.dated}" if note.dated else "undated"
    if note.citation:
        circular = f", circular: it is the document's citation {note.citation}"
    else:
        circular = ", circular: taken from the document or what it cites" if note.circular else ""
    return f"<{url}>: {note.tier}, {authority}, {dated}{circular}"

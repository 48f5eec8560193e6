"""The agents of a review's phase 4 over small documents, with real services and prompts."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from foureyes.agents.rules import agent_rules, load_rules
from foureyes.core.tasks import AgentBackend
from foureyes.core.templates import PromptLibrary, TemplateLibrary
from foureyes.core.work import RunServices
from foureyes.documents.parse import parse_document
from foureyes.review.agents import ClaimExtractorAgent
from foureyes.review.extraction import detect_document_claims, extraction_inputs
from foureyes.review.types import ClaimExtractorConfig, ExtractionContext, WebVerifierConfig
from foureyes.review.web import WebChecks
from foureyes.review.web_sources import Outside, WebCheckContext
from foureyes.review.web_verifier import WebVerifierAgent
from support.claim_kit import registry
from support.evidence_run import services
from support.web_review_kit import AS_OF, Engine, Page, checks, open_shelf

WEB = ("Read", "Edit", "Grep", "WebFetch", "WebSearch", "fetch_source", "search_sources")


def extractor(
    backend: AgentBackend, config: ClaimExtractorConfig | None = None
) -> ClaimExtractorAgent:
    """By default it is allowed everything that an agent can have."""
    config = config or ClaimExtractorConfig(retries=0, allowed_tools=WEB)
    return ClaimExtractorAgent(config, backend, PromptLibrary(), TemplateLibrary())


def extraction_contexts(
    run: RunServices, text: str, config: ClaimExtractorConfig | None = None
) -> tuple[ExtractionContext, ...]:
    """The parts of `text`."""
    document = parse_document(text)
    detected = detect_document_claims(document, registry().lexicon, as_of=AS_OF)
    parts = extraction_inputs(detected, config or ClaimExtractorConfig())
    return tuple(
        ExtractionContext(
            iteration=1, max_iterations=1, services=run, name=f"part-{number:02}", inputs=part
        )
        for number, part in enumerate(parts, start=1)
    )


def verifier(backend: AgentBackend, max_webfetches: int = 20) -> WebVerifierAgent:
    config = WebVerifierConfig(retries=0, max_webfetches=max_webfetches)
    rules = agent_rules(load_rules(None, registry()))
    return WebVerifierAgent(config, backend, PromptLibrary(), TemplateLibrary(), rules=rules)


@asynccontextmanager
async def open_batch(
    folder: Path, text: str, pages: Mapping[str, Page | str], engine: Engine | None = None
) -> AsyncGenerator[tuple[WebChecks, Outside, WebCheckContext]]:
    """The one batch of `text`; all of `pages` are given that no engine finds."""
    async with open_shelf(folder, pages, engine) as reader:
        web, _ = checks(text, reader)
        work = services(folder)
        given = [url for url in pages if engine is None]
        outside = await web.search_outside(given=given, limit=100)
        (batch,) = web.contexts(web.assess(outside), outside, WebVerifierConfig(), work)
        yield web, outside, batch

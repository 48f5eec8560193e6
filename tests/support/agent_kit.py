"""The package's own agents over pages held in memory, with real services and real prompts."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path

from foureyes.agents.analyst import AnalystAgent
from foureyes.agents.fact_checker import FactCheckerAgent
from foureyes.agents.judge import JudgeAgent
from foureyes.agents.reviewer import ReviewerAgent
from foureyes.agents.rules import AgentRules, Clock, agent_rules, load_rules
from foureyes.agents.source_tools import WebResearchProtocol
from foureyes.backends.offline._rules import OfflineRules, load_offline_rules
from foureyes.backends.offline.backend import OfflineBackend
from foureyes.base.vocabulary import SourceState
from foureyes.claims.detect import detect_claims
from foureyes.core.config import AnalystConfig, FactCheckerConfig, JudgeConfig, ReviewerConfig
from foureyes.core.tasks import AgentBackend, ToolFailure
from foureyes.core.templates import PromptLibrary, TemplateLibrary
from foureyes.core.work import FactCheckerContext, IterationEvidence, Material, RunServices
from foureyes.documents.parse import parse_document
from foureyes.sources.model import Snapshot, Source, SourceSet
from foureyes.verification.assessing.assess import assess_claim
from foureyes.verification.model import Passage
from foureyes.verification.passages.retrieval import SourceIndex, find_passages
from support.claim_kit import registry as registry

AS_OF = date(2026, 1, 15)
NOW = datetime(2026, 1, 15, 12, 0, tzinfo=UTC)
Pages = Mapping[str, str | SourceState]


@cache
def offline_rules() -> OfflineRules:
    return load_offline_rules()


@cache
def offline() -> OfflineBackend:
    return OfflineBackend()


def material(url: str, text: str, title: str = "A source") -> Material:
    return Material(url, title, hashlib.sha256(text.encode()).hexdigest(), text)


def source_set(pages: Pages) -> SourceSet:
    """Fetched sources: a text is a page that can be read, a state is one that cannot."""
    sources: dict[str, Source] = {}
    texts: dict[str, str] = {}
    for url, page in pages.items():
        if isinstance(page, SourceState):
            sources[url] = Source(url, page, f"the page is {page}")
            continue
        sha256 = hashlib.sha256(page.encode()).hexdigest()
        texts[sha256] = page
        snapshot = Snapshot(
            sha256, sha256, (url,), NOW, 200, "text/plain", len(page), language="en"
        )
        sources[url] = Source(url, SourceState.OK, "read", snapshot)
    return SourceSet(sources, texts)


def evidence_of(draft: str, pages: Pages) -> IterationEvidence:
    """What code finds in `draft`, given these pages."""
    document = parse_document(draft)
    claims = detect_claims(document, registry().lexicon, as_of=AS_OF)
    sources = source_set(pages)
    index = SourceIndex(sources, registry().lexicon)
    assessments = {
        claim.id: assess_claim(claim, index, registry(), as_of=AS_OF) for claim in claims
    }
    return IterationEvidence(document, claims, assessments, sources)


class PageDesk:
    """`EvidenceTools` over the same pages."""

    def __init__(self, evidence: IterationEvidence) -> None:
        self._evidence = evidence
        self._index = SourceIndex(evidence.sources, registry().lexicon)

    def find_passages(self, claim_id: str) -> tuple[Passage, ...]:
        for claim in self._evidence.claims:
            if claim.id == claim_id:
                return find_passages(claim, self._index, registry().verification, k=5)
        raise ToolFailure(f"no claim {claim_id}")

    def read_source(self, sha256: str, offset: int) -> str:
        if sha256 not in self._evidence.sources.texts:
            raise ToolFailure("no such snapshot")
        return self._evidence.sources.texts[sha256][offset : offset + 8000]

    async def fetch_source(self, url: str) -> str:
        return f"state: {self._evidence.sources.source(url).state}"

    async def search_sources(self, claim_id: str) -> str:
        return f"query: {claim_id}\n\nno hits"


def fact_context(
    services: RunServices,
    evidence: IterationEvidence,
    *,
    iteration: int = 1,
    previous: str = "",
) -> FactCheckerContext:
    return FactCheckerContext(
        iteration=iteration,
        max_iterations=3,
        services=services,
        analysis_input_path=Path(f"iterations/analysis_iteration_{iteration}.md"),
        fact_check_output_path=Path(f"iterations/fact_check_iteration_{iteration}.json"),
        evidence=evidence,
        source_tools=PageDesk(evidence),
        as_of=AS_OF,
        previous_fact_check=previous,
    )


def rules(protocol: WebResearchProtocol | None = None) -> AgentRules:
    """The packaged rules, with a clock that stands."""

    def clock(_agent: str) -> Clock:
        return lambda: NOW

    return agent_rules(replace(load_rules(None, registry()), protocol=protocol, clock=clock))


def analyst(
    backend: AgentBackend,
    config: AnalystConfig | None = None,
    protocol: WebResearchProtocol | None = None,
) -> AnalystAgent:
    common = (backend, PromptLibrary(), TemplateLibrary())
    return AnalystAgent(config or AnalystConfig(), *common, rules=rules(protocol))


def reviewer(backend: AgentBackend, config: ReviewerConfig | None = None) -> ReviewerAgent:
    common = (backend, PromptLibrary(), TemplateLibrary())
    return ReviewerAgent(config or ReviewerConfig(), *common, rules=rules())


def fact_checker(
    backend: AgentBackend,
    config: FactCheckerConfig | None = None,
    protocol: WebResearchProtocol | None = None,
) -> FactCheckerAgent:
    common = (backend, PromptLibrary(), TemplateLibrary())
    return FactCheckerAgent(config or FactCheckerConfig(), *common, rules=rules(protocol))


def judge(backend: AgentBackend) -> JudgeAgent:
    return JudgeAgent(JudgeConfig(), backend, PromptLibrary(), TemplateLibrary(), rules=rules())

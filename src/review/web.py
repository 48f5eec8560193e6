"""Phase 4b: checks a document's claims against outside sources. It changes no finding.

Code searches, reads and compares; a web verifier may lower code's verdicts, and find more. The
verdict is computed here from the words found, whoever found them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from ..base.off_loop import off_loop
from ..claims.model import Claim, Materiality
from ..core.source_tools import SourceReader
from ..core.tasks import Error, FailureKind, digest
from ..core.work import ClaimWork, RunServices
from ..documents.model import Document
from ..sources.model import Source, SourceSet
from ..sources.scoring.appraisal import reliability
from ..sources.scoring.model import Appraisal
from ..verification.model import ClaimAssessment
from .agent_runner import AgentRunner, ReviewAgent
from .compiling import cross_reference
from .config import ReviewConfig, WebVerifierConfig
from .extraction import claims_to_check, restate_refuted
from .outside import STEP, Outside, WebSourceTools, look_outside
from .source_notes import WebRules, source_notes
from .types import (
    ClaimsTested,
    CrossReference,
    DetectedClaims,
    ExtractedClaim,
    NotDone,
    ReviewPhase,
    SmokeTested,
    SourceNote,
    WebCheckContext,
    WebChecked,
    WebCheckInput,
)
from .web_assessing import WebAssessor

_FEWEST_IN_BATCH = 5


def select_claims(
    extracted: Iterable[ExtractedClaim], *, background: bool
) -> tuple[ExtractedClaim, ...]:
    """The claims to check against outside sources: load-bearing ones, or with background all."""
    return tuple(
        one for one in extracted if background or one.materiality is Materiality.LOAD_BEARING
    )


class WebChecks:
    """The external verification of one document's claims.

    `chosen` are the claims to verify, as the document has them; `claims` are the same as the engine
    knows them, by id.
    """

    def __init__(
        self,
        document: Document,
        chosen: Sequence[ExtractedClaim],
        claims: Mapping[str, Claim],
        reader: SourceReader,
        rules: WebRules,
        *,
        as_of: date,
    ) -> None:
        self._document = document
        self._chosen = tuple(chosen)
        self._stated = claims
        self._reader = reader
        self._rules = rules
        lexicon = rules.registry.lexicon
        self._claims = {
            one.id: restate_refuted(claims[one.id], lexicon, as_of=as_of) for one in self._chosen
        }
        stated = [claims[one.id] for one in self._chosen]
        searches = reader.searching is not None
        self._assessor = WebAssessor.of(document, stated, rules, searches=searches, as_of=as_of)

    async def search_outside(
        self, services: RunServices, *, given: Sequence[str], limit: int
    ) -> Outside:
        """Search for sources of each claim and read them; journalled as one step.

        It is not journalled as long as a search had no answer: a resumed review searches again.

        No search is made for a claim that is checked against its own citation, nor for an internal
        one, of which nothing is sent out. At most `limit` pages are read over the network: first
        what is cited and `given`, then the best hit of each claim, then the second.

        Raises:
            StorageError: An answer or a snapshot could not be written.
            SnapshotError: A stored answer or snapshot is missing or was changed.
        """
        reader = self._reader
        unanswered: list[Outside] = []

        async def look() -> Outside | Error:
            found = await look_outside(
                tuple(self._claims.values()),
                reader,
                self._rules.registry.lexicon,
                topic=self._document.title,
                hits=self._rules.policy.hits,
                given=given,
                limit=limit,
            )
            if any(query.query and query.problem for query in found.queries):
                unanswered.append(found)
                return Error(FailureKind.UNAVAILABLE, "a search had no answer")
            return found

        provider = reader.searching.provider.name if reader.searching is not None else ""
        parts = [self._document.sha256, provider, *self._claims, *given]
        kept = await services.steps.step(STEP, digest(parts), Outside, look)
        outside = unanswered[0] if isinstance(kept, Error) else kept
        await off_loop(reader.store.require_whole, outside.sources)
        return outside

    def assess(self, outside: Outside) -> dict[str, ClaimAssessment]:
        """Assess each claim by code; the assessments by id. It takes seconds."""
        sources = self._reader.store.source_set(outside.sources)
        notes = self._make_notes(sources)
        return self._assessor.assess(tuple(self._claims.values()), sources, notes, outside.queries)

    def contexts(
        self,
        assessments: Mapping[str, ClaimAssessment],
        outside: Outside,
        config: WebVerifierConfig,
        services: RunServices,
    ) -> tuple[WebCheckContext, ...]:
        """The batches for web verifiers; none where there is no source and nobody to ask."""
        searching = self._reader.searching
        if searching is None and not any(one.state.readable for one in outside.sources):
            return ()
        sources = self._reader.store.source_set(outside.sources)
        source_tools = WebSourceTools(
            self._claims.values(),
            SourceSet({**self._cited_sources(), **sources.sources}, sources.texts),
            self._reader,
            self._rules.registry,
            fetches=config.max_webfetches,
            searches=config.max_searches,
            topic=self._document.title,
        )
        notes = self._make_notes(sources)
        works = [ClaimWork(claim, assessments[claim.id]) for claim in self._claims.values()]
        extracted = {one.id: one for one in self._chosen}
        return tuple(
            WebCheckContext(
                services=services,
                name=f"batch-{number:02}",
                inputs=WebCheckInput(
                    batch,
                    {work.claim.id: extracted[work.claim.id] for work in batch},
                    notes,
                    self._assessor.written.day,
                    self._assessor.written.assumed,
                ),
                source_tools=source_tools,
                max_webfetches=config.max_webfetches,
                max_searches=config.max_searches if searching is not None else 0,
            )
            for number, batch in enumerate(batches(works, config.batch_claims), start=1)
        )

    def build_result(
        self, assessments: Mapping[str, ClaimAssessment], outside: Outside
    ) -> WebChecked:
        """The result of the phase: one for each claim, in the order in which they were chosen.

        `assessments` are the verifiers' answers where there are any, else code's own.
        """
        by_url = {source.url: source for source in outside.sources}
        for assessment in assessments.values():
            for item in assessment.evidence:
                found = self._reader.stored(item.url) if item.url not in by_url else None
                if found is not None:
                    by_url[item.url] = found
        sources = self._reader.store.source_set(by_url.values())
        appraisal = self._rules.appraise(sources)
        notes = self._make_notes(sources, appraisal)
        results = tuple(
            self._assessor.make_result(self._claims[one.id], assessments[one.id], notes)
            for one in self._chosen
        )
        ratings = reliability(appraisal).sources
        return WebChecked(results, outside.queries, outside.sources, ratings)

    def cross_reference(self, checked: WebChecked, tested: SmokeTested) -> CrossReference:
        """Phase 4c: the table and its metrics."""
        lexicon, findings = self._rules.registry.lexicon, tested.findings
        return cross_reference(
            self._chosen, checked.results, findings, self._document, self._stated, lexicon
        )

    def _make_notes(
        self, sources: SourceSet, appraisal: Appraisal | None = None
    ) -> Mapping[str, SourceNote]:
        rated = (appraisal or self._rules.appraise(sources)).rated
        return source_notes(
            self._document, sources, rated, self._rules, written=self._assessor.written.day
        )

    def _cited_sources(self) -> dict[str, Source]:
        """The document's citations, which verifiers may always fetch."""
        nothing = SourceSet()
        return {url: nothing.source(url) for url in self._document.cited_urls()}


def batches(works: Sequence[ClaimWork], size: int) -> tuple[tuple[ClaimWork, ...], ...]:
    """`works` in batches of about `size`: of five to ten, unless there are fewer than five."""
    if not works:
        return ()
    number = max(1, min(-(-len(works) // size), len(works) // _FEWEST_IN_BATCH))
    size, larger = divmod(len(works), number)
    cuts = [at * size + min(at, larger) for at in range(number + 1)]
    return tuple(tuple(works[start:end]) for start, end in pairwise(cuts))


@dataclass(frozen=True, slots=True)
class WebPhase:
    """The phase that looks outside. It is annotation: it changes no finding."""

    document: Document
    verifier: ReviewAgent[WebCheckContext, tuple[ClaimAssessment, ...]]
    rules: WebRules
    config: ReviewConfig
    reader: SourceReader
    as_of: date
    given: tuple[str, ...]
    max_fetches: int

    def checks(self, passed: ClaimsTested, detected: DetectedClaims) -> WebChecks:
        """The checks of those claims that are to be looked up."""
        chosen = select_claims(passed.claims, background=self.config.verify_background)
        lexicon = self.rules.registry.lexicon
        claims = claims_to_check(self.document, chosen, detected, lexicon, as_of=self.as_of)
        return WebChecks(self.document, chosen, claims, self.reader, self.rules, as_of=self.as_of)

    async def look_up(self, checks: WebChecks, runner: AgentRunner) -> WebChecked:
        """Phase 4b: what is found for each of the claims."""
        outside = await checks.search_outside(
            runner.services, given=self.given, limit=self.max_fetches
        )
        for query in outside.queries:
            # That a search had no answer tells nothing of its claim.
            if query.query and query.problem:
                part = f"search for {query.claim_id}"
                runner.record_not_done(NotDone(ReviewPhase.WEB, part, query.problem))
        assessments = await asyncio.to_thread(checks.assess, outside)
        contexts = await off_loop(
            checks.contexts, assessments, outside, self.config.web_verifier, runner.services
        )
        batches = await runner.ask_each(ReviewPhase.WEB, self.verifier, contexts)
        answers = {one.claim_id: one for batch in batches for one in batch or ()}
        return await asyncio.to_thread(checks.build_result, {**assessments, **answers}, outside)

"""Phase 4b: checks a document's claims against outside sources. It changes no finding.

Code searches, reads and compares; a web verifier may lower code's verdicts, and find more. The
verdict is computed here from the words found, whoever found them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..base.off_loop import off_loop
from ..claims.model import Claim, Materiality
from ..core.source_tools import SourceReader
from ..core.work import ClaimWork, RunServices
from ..sources.model import SourceSet
from ..sources.scoring.appraisal import reliability
from ..sources.search.model import SearchAnswer, SearchUnavailable
from ..sources.search.searching import interleaved
from ..verification.model import ClaimAssessment
from ..verification.queries import claim_query, is_internal
from ._web_assessing import WebAssessor
from .compiling import cross_reference
from .extraction import claims_to_check
from .phases import AgentRunner, ReviewAgent
from .types import (
    ClaimsTested,
    CrossReference,
    DetectedClaims,
    ExtractedClaim,
    NotDone,
    ReviewConfig,
    ReviewPhase,
    SmokeTested,
    WebChecked,
    WebCheckInput,
    WebQuery,
    WebVerifierConfig,
)
from .web_sources import Outside, WebCheckContext, WebRules, WebSourceTools, checks_citation

_FEWEST_IN_BATCH = 5


def select_claims(
    extracted: Iterable[ExtractedClaim], *, background: bool
) -> tuple[ExtractedClaim, ...]:
    """The claims to check against outside sources: load-bearing ones, or with background all."""
    return tuple(
        one for one in extracted if background or one.materiality is Materiality.LOAD_BEARING
    )


@dataclass(frozen=True)
class WebChecks(WebAssessor):
    """The external verification of one document's claims."""

    async def search_outside(self, *, given: Sequence[str], limit: int) -> Outside:
        """Search for sources of each claim and read them.

        Answers and snapshots are kept by the run's own stores, so that a resumed review asks and
        reads nothing twice. At most `limit` pages are read over the network: first what is cited
        and `given`, then the best hit of each claim, then the second.

        Raises:
            StorageError: An answer or a snapshot could not be written.
            SnapshotError: A stored answer or snapshot is missing or was changed.
        """
        reader, claims = self.reader, self._claims.values()
        searched = [await self._search_for(claim) for claim in claims]
        hits = self.rules.policy.hits
        found = interleaved(SearchAnswer(answer.hits[:hits]) for _, answer in searched)
        cited = [one.target for claim in claims for one in claim.cited if one.target]
        addresses = [*dict.fromkeys(cited), *given, *found]
        sources = await reader.fetcher.fetch_all(addresses, limit=limit)
        return Outside(tuple(query for query, _ in searched), sources)

    async def _search_for(self, claim: Claim) -> tuple[WebQuery, SearchAnswer]:
        """Search for sources of a claim.

        No search is made for a claim that is checked against its own citation, nor for an internal
        one, of which nothing is sent out.
        """
        searching, nothing = self.reader.searching, SearchAnswer(())
        if searching is None or checks_citation(claim):
            return WebQuery(claim.id, ""), nothing
        lexicon, longest = self.rules.registry.lexicon, searching.query_characters
        query = claim_query(claim, lexicon, longest, self.document.title)
        problem = "" if query else "it has no word that could be searched for"
        if not searching.provider.local and is_internal(claim):
            problem = "it is about the author's own affairs, of which nothing is sent out"
        if problem:
            return WebQuery(claim.id, "", problem=problem), nothing
        try:
            answer = await searching.search(query)
        except SearchUnavailable as error:
            return WebQuery(claim.id, query, problem=f"no answer was got: {error}"), nothing
        return WebQuery(claim.id, query, tuple(hit.url for hit in answer.hits)), answer

    def contexts(
        self,
        assessments: Mapping[str, ClaimAssessment],
        outside: Outside,
        config: WebVerifierConfig,
        services: RunServices,
    ) -> tuple[WebCheckContext, ...]:
        """The batches for web verifiers; none where there is no source and nobody to ask."""
        if self.reader.searching is None and not any(one.state.readable for one in outside.sources):
            return ()
        sources = self.reader.store.source_set(outside.sources)
        # The document's citations, which verifiers may always fetch.
        cited = {url: SourceSet().source(url) for url in self.document.cited_urls()}
        source_tools = WebSourceTools(
            self._claims.values(),
            SourceSet({**cited, **sources.sources}, sources.texts),
            self.reader,
            self.rules.registry,
            config,
            topic=self.document.title,
        )
        notes = self._notes(sources, self.rules.appraise(sources).rated)
        works = [ClaimWork(claim, assessments[claim.id]) for claim in self._claims.values()]
        extracted = {one.id: one for one in self.chosen}
        return tuple(
            WebCheckContext(
                services=services,
                name=f"batch-{number:02}",
                inputs=WebCheckInput(
                    batch,
                    {work.claim.id: extracted[work.claim.id] for work in batch},
                    notes,
                    self.time.written,
                    assumed=self.time.stated is None,
                ),
                source_tools=source_tools,
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
                found = self.reader.stored(item.url) if item.url not in by_url else None
                if found is not None:
                    by_url[item.url] = found
        sources = self.reader.store.source_set(by_url.values())
        appraisal = self.rules.appraise(sources)
        notes = self._notes(sources, appraisal.rated)
        make = self._make_result
        results = tuple(make(claim, assessments[id_], notes) for id_, claim in self._claims.items())
        ratings = reliability(appraisal).sources
        return WebChecked(results, outside.queries, outside.sources, ratings)

    def cross_reference(self, checked: WebChecked, tested: SmokeTested) -> CrossReference:
        """Phase 4c: the table and its metrics."""
        results, findings = checked.results, tested.findings
        return cross_reference(self.chosen, results, findings, self.stated, self.detected)


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

    verifier: ReviewAgent[WebCheckContext, tuple[ClaimAssessment, ...]]
    rules: WebRules
    config: ReviewConfig
    reader: SourceReader
    given: tuple[str, ...]
    max_fetches: int

    def checks(self, passed: ClaimsTested, detected: DetectedClaims) -> WebChecks:
        """The checks of those claims that are to be looked up."""
        chosen = select_claims(passed.claims, background=self.config.verify_background)
        claims = claims_to_check(detected, chosen)
        return WebChecks(detected, chosen, claims, self.reader, self.rules)

    async def look_up(self, checks: WebChecks, runner: AgentRunner) -> WebChecked:
        """Phase 4b: what is found for each of the claims."""
        outside = await checks.search_outside(given=self.given, limit=self.max_fetches)
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

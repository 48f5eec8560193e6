"""Phase 4b: checks a document's claims against outside sources. It changes no finding.

Code searches, reads and compares; a web verifier may lower code's verdicts, and find more. The
verdict is computed here from the words found, whoever found them.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from ..base.off_loop import off_loop
from ..base.vocabulary import Stance, Verdict
from ..claims.model import Claim, Materiality
from ..claims.quantity.quantities import find_slots
from ..claims.routing import is_attributed
from ..claims.temporal.relative_dates import reference_day
from ..core.source_tools import SourceReader
from ..core.tasks import Error, FailureKind, digest
from ..core.work import ClaimWork, RunServices
from ..documents.model import Document
from ..sources.model import Source, SourceSet
from ..sources.scoring.appraisal import Appraisal, reliability
from ..sources.search.model import SearchAnswer, SearchUnavailable
from ..sources.search.searching import interleaved
from ..verification.assessing.assess import assess_claim
from ..verification.assessing.elsewhere import compare_with, likely_sources
from ..verification.cautions import with_cautions
from ..verification.judge import judge
from ..verification.model import (
    ClaimAssessment,
    Evidence,
    SlotOutcome,
)
from ..verification.passages.retrieval import SourceText
from ..verification.queries import claim_query, is_internal
from ..verification.source_index import SourceIndex, reads_english
from .agent_runner import AgentRunner, ReviewAgent
from .config import ReviewConfig, WebVerifierConfig
from .cross_reference import cross_reference
from .extraction import claims_to_check, restate_refuted, reword
from .outside import Outside, WebSourceTools, checks_citation, outside_passages
from .source_notes import WebRules, source_notes
from .types import (
    ENGINE_VERDICTS,
    WEB_VERDICTS,
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
    WebQuery,
    WebResult,
    WebSource,
    WebVerdict,
)
from .web_verdicts import Case, WebDecision, WebSourceVerdict, decide

STEP = "1/web/sources"
_FEWEST_IN_BATCH = 5
_UNTIL = re.compile(
    r"\b(?:until|till|to|through|ended (?:on|in)|resigned (?:on|in)) $", re.IGNORECASE
)


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
        self._as_of = as_of
        lexicon = rules.registry.lexicon
        self._written = reference_day(document, lexicon, as_of)
        self._claims = {
            one.id: restate_refuted(claims[one.id], lexicon, as_of=as_of) for one in self._chosen
        }
        self._named = {
            one.id: is_attributed(claims[one.id].text, lexicon.routing) for one in self._chosen
        }

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
            found = await self._look(given, limit)
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

    async def _look(self, given: Sequence[str], limit: int) -> Outside:
        claims, fetcher = self._claims.values(), self._reader.fetcher
        searched = [await self._search(claim) for claim in claims]
        hits = self._rules.policy.hits
        found = interleaved(SearchAnswer(answer.hits[:hits]) for _, answer in searched)
        cited = [one.target for claim in claims for one in claim.cited if one.target]
        before = fetcher.fetches
        addresses = [*dict.fromkeys(cited), *given, *found]
        sources = await fetcher.fetch_all(addresses, limit=limit)
        return Outside(tuple(query for query, _ in searched), sources, fetcher.fetches - before)

    async def _search(self, claim: Claim) -> tuple[WebQuery, SearchAnswer]:
        """Search for sources of a claim."""
        searching, nothing = self._reader.searching, SearchAnswer(())
        if searching is None or checks_citation(claim):
            return WebQuery(claim.id, ""), nothing
        if not searching.provider.local and is_internal(claim):
            problem = "it is about the author's own affairs, of which nothing is sent out"
            return WebQuery(claim.id, "", problem=problem), nothing
        lexicon, topic = self._rules.registry.lexicon, self._document.title
        query = claim_query(claim, lexicon, searching.query_characters, topic)
        if not query:
            problem = "it has no word that could be searched for"
            return WebQuery(claim.id, "", problem=problem), nothing
        try:
            answer = await searching.search(query)
        except SearchUnavailable as error:
            return WebQuery(claim.id, query, problem=f"no answer was got: {error}"), nothing
        return WebQuery(claim.id, query, tuple(hit.url for hit in answer.hits)), answer

    def assess(self, outside: Outside) -> dict[str, ClaimAssessment]:
        """Assess each claim by code; the assessments by id. It takes seconds."""
        sources = self._reader.store.source_set(outside.sources)
        notes = self._make_notes(sources)
        index = SourceIndex(sources, self._rules.registry.lexicon)
        queries = {query.claim_id: query for query in outside.queries}
        claims = tuple(self._claims.values())
        assessed = with_cautions(
            self._document,
            claims,
            [self._assess_claim(claim, index, notes, queries.get(claim.id)) for claim in claims],
            self._rules.registry,
        )
        return {one.claim_id: one for one in assessed}

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
                    self._written.day,
                    self._written.assumed,
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
            self._make_result(self._claims[one.id], assessments[one.id], notes)
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

    # --- one claim ---------------------------------------------------------------------------

    def _assess_claim(
        self,
        claim: Claim,
        index: SourceIndex,
        notes: Mapping[str, SourceNote],
        query: WebQuery | None,
    ) -> ClaimAssessment:
        language, evidence, silence = self._document.language, tuple[Evidence, ...](), ""
        english = reads_english(language)
        if not english:
            silence = f"the document's language ({language}) is not compared"
        elif checks_citation(claim):
            cited = self._assess_citation(claim, index)
            evidence, silence = cited.evidence, cited.reason
        else:
            evidence = self._find_evidence(claim, index, notes)
        decision = decide(self._make_case(claim), self._source_verdicts(claim, evidence, notes))
        verdict = ENGINE_VERDICTS[decision.verdict] if decision else Verdict.UNVERIFIABLE
        return ClaimAssessment(
            claim.id,
            verdict,
            claim.citation_state,
            decision.reason if decision else silence or self._explain_silence(index, query),
            decided=verdict is not Verdict.UNVERIFIABLE,
            evidence=evidence,
            passages=outside_passages(claim, index, self._rules.registry) if english else (),
        )

    def _assess_citation(self, claim: Claim, index: SourceIndex) -> ClaimAssessment:
        """Assess a claim against the sources that it cites."""
        language, registry = self._document.language, self._rules.registry
        return assess_claim(claim, index, registry, as_of=self._as_of, language=language)

    def _find_evidence(
        self, claim: Claim, index: SourceIndex, notes: Mapping[str, SourceNote]
    ) -> tuple[Evidence, ...]:
        """The words of sources that state a claim or deny it.

        Authoritative independent sources, other independent ones and circular ones each have their
        own few that are compared, so that copies of one kind do not keep the others out.
        """
        registry = self._rules.registry
        cited = self._assess_citation(claim, index).evidence if claim.cited else ()
        evidence = {item.url: item for item in cited}
        circular = {url for url, note in notes.items() if note.circular}
        weak = {url for url, note in notes.items() if not note.authoritative}
        # No source has to have its intensifiers.
        core = reword(claim, claim.core, registry.lexicon, self._as_of) if claim.core else claim
        for besides in (circular | weak, circular, notes.keys() - circular):
            for url in likely_sources(claim.text, index, besides=besides):
                if url in evidence:
                    continue
                says = compare_with(core, url, index, registry)
                if item := says.support or says.against:
                    evidence[url] = item
        return tuple(evidence.values())

    def _explain_silence(self, index: SourceIndex, query: WebQuery | None) -> str:
        """The reason why no source speaks on a claim."""
        problem = query.problem if query is not None else ""
        read = sum(source.state.readable for source in index.sources.sources.values())
        if read:
            reason = f"none of the {read} sources at hand states or denies it"
            if read == 1:
                reason = "the one source at hand neither states nor denies it"
            return f"{reason}; {problem}" if problem else reason
        if problem:
            return problem
        if self._reader.searching is None:
            return "there is no search provider, and no source to hold it against"
        return "no source was found that could be read"

    def _make_case(self, claim: Claim) -> Case:
        return Case(
            claim.polarity,
            claim.temporality,
            self._written,
            against_citation=checks_citation(claim),
            named=self._named[claim.id],
            same_time_days=self._rules.policy.same_time_days,
            outdated_after_days=self._rules.registry.severity.outdated_after_days,
            as_of=self._as_of,
        )

    def _source_verdicts(
        self, claim: Claim, evidence: Iterable[Evidence], notes: Mapping[str, SourceNote]
    ) -> list[WebSourceVerdict]:
        return [
            WebSourceVerdict(
                item, notes[item.url], self._find_value(claim, item), self._find_end(claim, item)
            )
            for item in evidence
            if item.stance is not Stance.NEUTRAL and item.url in notes
        ]

    def _find_end(self, claim: Claim, item: Evidence) -> date | None:
        """The day until which `item` says that the claim was so: "was chief until 1 May 2023"."""
        if item.stance is not Stance.SUPPORTS:
            return None
        words = set(re.findall(r"\w{3,}", claim.text.casefold()))
        for sentence in re.split(r"(?<=[.!?])\s+", item.quote):
            found = set(re.findall(r"\w{3,}", sentence.casefold()))
            if 2 * len(words & found) < len(words):
                continue
            _, dates = find_slots(sentence, self._rules.registry.lexicon)
            for day in dates:
                if _UNTIL.search(sentence[: day.start]):
                    return day.last
        return None

    def _find_value(self, claim: Claim, item: Evidence) -> str:
        """The value or name of `item` that differs from the claim's, "" if none does."""
        if item.stance is not Stance.CONTRADICTS:
            return ""
        registry = self._rules.registry
        judged = judge(claim, SourceText(item.quote, registry.lexicon), registry)
        differing = (slot for slot in judged.slots if slot.outcome is SlotOutcome.MISMATCH)
        return next((slot.found for slot in differing if slot.found), "")

    def _make_result(
        self, claim: Claim, assessment: ClaimAssessment, notes: Mapping[str, SourceNote]
    ) -> WebResult:
        verdicts = self._source_verdicts(claim, assessment.evidence, notes)
        decision = decide(self._make_case(claim), verdicts)
        noted = [(item, notes[item.url]) for item in assessment.evidence if item.url in notes]
        noted.sort(key=lambda each: (not each[1].authoritative, each[1].circular))
        sources = tuple(
            WebSource(note.tier, item, note.circular, citation=note.citation, dated=note.dated)
            for item, note in noted
        )
        allowed = WEB_VERDICTS[assessment.verdict]
        if decision is None or not _allows(decision, allowed):
            return WebResult(claim.id, WebVerdict.UNVERIFIABLE, assessment.reason, sources)
        reasons = dict.fromkeys((decision.reason, assessment.reason))
        return WebResult(
            claim.id,
            decision.verdict,
            "; ".join(reasons),
            sources,
            drift=decision.drift,
            temporal_note=decision.temporal_note,
            circular=decision.circular,
            found=decision.found,
        )

    def _make_notes(
        self, sources: SourceSet, appraisal: Appraisal | None = None
    ) -> Mapping[str, SourceNote]:
        rated = (appraisal or self._rules.appraise(sources)).rated
        return source_notes(self._document, sources, rated, self._rules, written=self._written.day)

    def _cited_sources(self) -> dict[str, Source]:
        """The document's citations, which verifiers may always fetch."""
        nothing = SourceSet()
        return {url: nothing.source(url) for url in self._document.cited_urls()}


def _allows(decision: WebDecision, stated: WebVerdict) -> bool:
    """Whether the words found come to a verdict no better for the claim than `stated`."""
    match stated:
        case WebVerdict.CONFIRMED:
            return True
        case WebVerdict.CONTRADICTED:
            # Who finds that it is no longer so may have taken that for wrong.
            return decision.verdict is not WebVerdict.CONFIRMED or bool(decision.found)
        case WebVerdict.DISPUTED:
            return decision.verdict is not WebVerdict.CONFIRMED
        case WebVerdict.UNVERIFIABLE:
            return decision.verdict is WebVerdict.UNVERIFIABLE


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

"""Phase 4b: checks a document's claims against outside sources. It changes no finding.

Code searches, reads and compares; a web verifier may lower code's verdicts, and find more. The
verdict is computed here from the words found, whoever found them.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from itertools import pairwise

from ..base.off_loop import off_loop
from ..base.vocabulary import Stance, Verdict
from ..claims.document_day import day_written
from ..claims.model import Claim, Materiality
from ..claims.routing import is_attributed
from ..core.source_tools import SourceReader
from ..core.work import ClaimWork, RunServices
from ..documents.language import reads_english
from ..documents.model import Document
from ..sources.model import SourceSet
from ..sources.scoring.appraisal import reliability
from ..sources.scoring.model import RatedSource
from ..sources.search.model import SearchAnswer, SearchUnavailable
from ..sources.search.searching import interleaved
from ..verification.assessing.assess import assess_claim
from ..verification.cautions import with_cautions
from ..verification.exact.changes import end_of
from ..verification.judge import compare_with, judge
from ..verification.model import ClaimAssessment, Evidence, SlotOutcome
from ..verification.passages.retrieval import SourceIndex, SourceText
from ..verification.queries import claim_query, is_internal
from .compiling import cross_reference
from .extraction import claims_to_check, restate_refuted, reword
from .phases import AgentRunner, ReviewAgent
from .types import (
    ENGINE_VERDICTS,
    WEB_VERDICTS,
    ClaimsTested,
    CrossReference,
    DetectedClaims,
    ExtractedClaim,
    NotDone,
    ReviewConfig,
    ReviewPhase,
    SmokeTested,
    SourceNote,
    WebChecked,
    WebCheckInput,
    WebQuery,
    WebResult,
    WebSource,
    WebVerdict,
    WebVerifierConfig,
)
from .web_assessing import (
    Outside,
    SourceVerdict,
    TimeRules,
    WebCheckContext,
    WebRules,
    WebSourceTools,
    checks_citation,
    decide,
    outside_passages,
    source_notes,
)

_FEWEST_IN_BATCH = 5
_LONG_WORD = re.compile(r"\w{3,}")


def select_claims(
    extracted: Iterable[ExtractedClaim], *, background: bool
) -> tuple[ExtractedClaim, ...]:
    """The claims to check against outside sources: load-bearing ones, or with background all."""
    return tuple(
        one for one in extracted if background or one.materiality is Materiality.LOAD_BEARING
    )


@dataclass(frozen=True)
class WebChecks:
    """The external verification of one document's claims.

    `chosen` are the claims to verify, as the document has them; `stated` are the same as the engine
    knows them, by id.
    """

    detected: DetectedClaims
    chosen: tuple[ExtractedClaim, ...]
    stated: Mapping[str, Claim]
    reader: SourceReader
    rules: WebRules

    @cached_property
    def _claims(self) -> Mapping[str, Claim]:
        """The claims to compare, by id: of a refuted one what the document argues against."""
        detected = self.detected
        return {
            one.id: restate_refuted(self.stated[one.id], detected.lexicon, as_of=detected.as_of)
            for one in self.chosen
        }

    @property
    def document(self) -> Document:
        """The document under review."""
        return self.detected.document

    @cached_property
    def time(self) -> TimeRules:
        """The document's day, and how far apart days may be."""
        registry = self.rules.registry
        return TimeRules(
            day_written(self.document, registry.lexicon, until=self.detected.as_of),
            self.detected.as_of,
            self.rules.policy.same_time_days,
            registry.severity.outdated_after_days,
        )

    def _notes(self, sources: SourceSet, rated: Iterable[RatedSource]) -> Mapping[str, SourceNote]:
        return source_notes(self.document, sources, rated, self.rules, written=self.time.written)

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

    def assess(self, outside: Outside) -> dict[str, ClaimAssessment]:
        """Assess each claim by code; the assessments by id. It takes seconds."""
        registry, claims = self.rules.registry, tuple(self._claims.values())
        sources = self.reader.store.source_set(outside.sources)
        index = SourceIndex(sources, registry.lexicon)
        notes = self._notes(sources, self.rules.appraise(sources).rated)
        problems = {query.claim_id: query.problem for query in outside.queries}
        assessments = [self._assess_claim(one, index, notes, problems[one.id]) for one in claims]
        assessed = with_cautions(self.document, claims, assessments, registry)
        return {one.claim_id: one for one in assessed}

    def _assess_claim(
        self, claim: Claim, index: SourceIndex, notes: Mapping[str, SourceNote], problem: str
    ) -> ClaimAssessment:
        """Assess `claim` by code; `problem` says why the search for it had no answer."""
        registry, language = self.rules.registry, self.document.language
        evidence, silence = tuple[Evidence, ...](), ""
        english = reads_english(language)
        if not english:
            silence = f"the document's language ({language}) is not compared"
        elif claim.cited:
            days = {"as_of": self.detected.as_of, "written": self.time.stated}
            cited = assess_claim(claim, index, registry, **days, language=language)
            evidence, silence = cited.evidence, cited.reason
        if english and not checks_citation(claim):
            evidence, silence = self._find_evidence(claim, index, notes, evidence), ""
        decision = self._decide(claim, evidence, notes)
        verdict = ENGINE_VERDICTS[decision.verdict] if decision else Verdict.UNVERIFIABLE
        silence = silence or self._explain_silence(index.sources, problem)
        return ClaimAssessment(
            claim.id,
            verdict,
            claim.citation_state,
            decision.reason if decision else silence,
            decided=verdict is not Verdict.UNVERIFIABLE,
            evidence=evidence,
            passages=outside_passages(claim, index, registry) if english else (),
        )

    def _find_evidence(
        self,
        claim: Claim,
        index: SourceIndex,
        notes: Mapping[str, SourceNote],
        cited: Iterable[Evidence],
    ) -> tuple[Evidence, ...]:
        """The words of sources that state a claim or deny it, those of `cited` ones among them.

        Authoritative independent sources, other independent ones and circular ones each have their
        own few, so that copies of one kind do not keep the others out.
        """
        registry, lexicon = self.rules.registry, self.rules.registry.lexicon
        evidence = {item.url: item for item in cited}
        circular = {url for url, note in notes.items() if note.circular}
        weak = {url for url, note in notes.items() if not note.authoritative}
        # No source has to have its intensifiers.
        core = reword(claim, claim.core, lexicon, self.detected.as_of) if claim.core else claim
        for besides in map(frozenset, (circular | weak, circular, notes.keys() - circular)):
            for url in index.likely(claim.text, besides=besides):
                if url in evidence:
                    continue
                says = compare_with(core, url, index, registry, written=self.time.stated)
                if item := says.support or says.against:
                    evidence[url] = item
        return tuple(evidence.values())

    def _explain_silence(self, sources: SourceSet, problem: str) -> str:
        """The reason why none of the sources speaks on a claim."""
        read = sum(source.state.readable for source in sources.sources.values())
        if not read and self.reader.searching is None:
            return problem or "there is no search provider, and no source to hold it against"
        if not read:
            return problem or "no source was found that could be read"
        reason = f"none of the {read} sources at hand states or denies it"
        if read == 1:
            reason = "the one source at hand neither states nor denies it"
        return f"{reason}; {problem}" if problem else reason

    def _decide(
        self, claim: Claim, evidence: Iterable[Evidence], notes: Mapping[str, SourceNote]
    ) -> WebResult | None:
        """Decide `claim` from the words of its sources; None if none of them speaks on it."""
        sentence = self.document.sentences[claim.sentence].text
        verdicts = [
            SourceVerdict(
                item, notes[item.url], self._find_value(claim, item), self._find_end(claim, item)
            )
            for item in evidence
            if item.stance is not Stance.NEUTRAL and item.url in notes
        ]
        named = is_attributed(sentence, self.rules.registry.lexicon.routing)
        return decide(claim, verdicts, self.time, names_speaker=named)

    def _find_end(self, claim: Claim, item: Evidence) -> date | None:
        """The day until which `item` says that the claim was so: "was chief until 1 May 2023"."""
        if item.stance is not Stance.SUPPORTS:
            return None
        words = set(_LONG_WORD.findall(claim.text.casefold()))
        for sentence in re.split(r"(?<=[.!?])\s+", item.quote):
            found = set(_LONG_WORD.findall(sentence.casefold()))
            if 2 * len(words & found) < len(words):
                continue
            if end := end_of(sentence, self.rules.registry.lexicon):
                return end.last
        return None

    def _find_value(self, claim: Claim, item: Evidence) -> str:
        """The value or name of `item` that differs from the claim's, "" if none does."""
        if item.stance is not Stance.CONTRADICTS:
            return ""
        registry = self.rules.registry
        judged = judge(claim, SourceText(item.quote, registry.lexicon), registry)
        differing = (one.found for one in judged.slots if one.outcome is SlotOutcome.MISMATCH)
        return next(filter(None, differing), "")

    def _make_result(
        self, claim: Claim, assessment: ClaimAssessment, notes: Mapping[str, SourceNote]
    ) -> WebResult:
        """The result of a claim: `assessment` as far as its words bear it out."""
        decision = self._decide(claim, assessment.evidence, notes)
        noted = [(item, notes[item.url]) for item in assessment.evidence if item.url in notes]
        noted.sort(key=lambda each: (not each[1].authoritative, each[1].circular))
        sources = tuple(
            WebSource(note.tier, item, note.circular, citation=note.citation, dated=note.dated)
            for item, note in noted
        )
        if decision is None or not _allows(decision, WEB_VERDICTS[assessment.verdict]):
            return WebResult(claim.id, WebVerdict.UNVERIFIABLE, assessment.reason, sources)
        reasons = dict.fromkeys((decision.reason, assessment.reason))
        return replace(decision, claim_id=claim.id, reason="; ".join(reasons), sources=sources)

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


def _allows(decision: WebResult, stated: WebVerdict) -> bool:
    """Whether the words found come to a verdict no better for the claim than `stated`."""
    if stated is WebVerdict.CONFIRMED or decision.verdict is WebVerdict.UNVERIFIABLE:
        return True
    if stated is WebVerdict.UNVERIFIABLE:
        return False
    # Who finds that it is no longer so may have taken that for wrong.
    outdated = stated is WebVerdict.CONTRADICTED and bool(decision.found)
    return decision.verdict is not WebVerdict.CONFIRMED or outdated


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

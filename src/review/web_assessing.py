"""Assesses a claim against outside sources: their words, and the decision that they lead to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import date

from ..base.vocabulary import Stance, Verdict
from ..claims.model import Claim
from ..claims.routing import is_attributed
from ..documents.language import reads_english
from ..documents.model import Document
from ..sources.model import SourceSet
from ..verification.assessing.assess import assess_claim
from ..verification.cautions import with_cautions
from ..verification.exact.changes import end_of
from ..verification.judge import compare_with, judge
from ..verification.model import ClaimAssessment, Evidence, SlotOutcome
from ..verification.passages.retrieval import SourceIndex, SourceText
from .extraction import reword
from .outside import checks_citation, outside_passages
from .source_notes import WebRules
from .types import (
    ENGINE_VERDICTS,
    WEB_VERDICTS,
    SourceNote,
    WebQuery,
    WebResult,
    WebSource,
    WebVerdict,
)
from .web_verdicts import Case, ReferenceDay, WebDecision, WebSourceVerdict, decide, reference_day


@dataclass(frozen=True, slots=True)
class WebAssessor:
    """Assesses the claims of one document against outside sources, one at a time.

    `written` is the document's day. `named` are the ids of the claims that name who says so.
    `searches` is true if sources were searched for.
    """

    document: Document
    rules: WebRules
    written: ReferenceDay
    _: KW_ONLY
    named: frozenset[str]
    searches: bool
    as_of: date

    @classmethod
    def of(
        cls,
        document: Document,
        claims: Iterable[Claim],
        rules: WebRules,
        *,
        searches: bool,
        as_of: date,
    ) -> WebAssessor:
        """The assessor of `claims`, as `document` states them."""
        lexicon = rules.registry.lexicon
        named = (claim.id for claim in claims if is_attributed(claim.text, lexicon.routing))
        written = reference_day(document, lexicon, as_of)
        return cls(document, rules, written, named=frozenset(named), searches=searches, as_of=as_of)

    def assess(
        self,
        claims: Sequence[Claim],
        sources: SourceSet,
        notes: Mapping[str, SourceNote],
        queries: Iterable[WebQuery],
    ) -> dict[str, ClaimAssessment]:
        """Assess each of `claims` by code against `sources`; the assessments by id."""
        registry = self.rules.registry
        index = SourceIndex(sources, registry.lexicon)
        asked = {query.claim_id: query for query in queries}
        assessments = [self.assess_claim(one, index, notes, asked.get(one.id)) for one in claims]
        assessed = with_cautions(self.document, claims, assessments, registry)
        return {one.claim_id: one for one in assessed}

    def assess_claim(
        self,
        claim: Claim,
        index: SourceIndex,
        notes: Mapping[str, SourceNote],
        query: WebQuery | None,
    ) -> ClaimAssessment:
        """Assess `claim` by code against the sources in `index`, about which there are `notes`."""
        language, evidence, silence = self.document.language, tuple[Evidence, ...](), ""
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
            passages=outside_passages(claim, index, self.rules.registry) if english else (),
        )

    def _assess_citation(self, claim: Claim, index: SourceIndex) -> ClaimAssessment:
        """Assess a claim against the sources that it cites."""
        return assess_claim(
            claim,
            index,
            self.rules.registry,
            as_of=self.as_of,
            written=None if self.written.assumed else self.written.day,
            language=self.document.language,
        )

    def _find_evidence(
        self, claim: Claim, index: SourceIndex, notes: Mapping[str, SourceNote]
    ) -> tuple[Evidence, ...]:
        """The words of sources that state a claim or deny it.

        Authoritative independent sources, other independent ones and circular ones each have their
        own few that are compared, so that copies of one kind do not keep the others out.
        """
        registry = self.rules.registry
        cited = self._assess_citation(claim, index).evidence if claim.cited else ()
        evidence = {item.url: item for item in cited}
        circular = {url for url, note in notes.items() if note.circular}
        weak = {url for url, note in notes.items() if not note.authoritative}
        # No source has to have its intensifiers.
        core = reword(claim, claim.core, registry.lexicon, self.as_of) if claim.core else claim
        for besides in (circular | weak, circular, notes.keys() - circular):
            for url in index.likely(claim.text, besides=besides):
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
        if not self.searches:
            return "there is no search provider, and no source to hold it against"
        return "no source was found that could be read"

    def _make_case(self, claim: Claim) -> Case:
        return Case(
            claim.polarity,
            claim.temporality,
            self.written,
            against_citation=checks_citation(claim),
            named=claim.id in self.named,
            same_time_days=self.rules.policy.same_time_days,
            outdated_after_days=self.rules.registry.severity.outdated_after_days,
            as_of=self.as_of,
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
            if end := end_of(sentence, self.rules.registry.lexicon):
                return end.last
        return None

    def _find_value(self, claim: Claim, item: Evidence) -> str:
        """The value or name of `item` that differs from the claim's, "" if none does."""
        if item.stance is not Stance.CONTRADICTS:
            return ""
        registry = self.rules.registry
        judged = judge(claim, SourceText(item.quote, registry.lexicon), registry)
        differing = (slot for slot in judged.slots if slot.outcome is SlotOutcome.MISMATCH)
        return next((slot.found for slot in differing if slot.found), "")

    def make_result(
        self, claim: Claim, assessment: ClaimAssessment, notes: Mapping[str, SourceNote]
    ) -> WebResult:
        """The result of a claim: `assessment` as far as its words bear it out."""
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

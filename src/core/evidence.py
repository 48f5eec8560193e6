"""The evidence of a draft before and after the critics: claims, sources, ledger, gate.

Everything here is code; no model takes part.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from ..base.off_loop import off_loop
from ..base.vocabulary import SourceState, Verdict
from ..claims.accounting import account
from ..sources.model import SourceSet
from ..verification.challenge.challenge import Challenged
from ..verification.ledger.building import build_ledger
from ..verification.model import ClaimAssessment, Ledger
from ..verification.repair.planning import unsourced
from ._challenges import ClaimChallenger
from ._gap_search import Deepening, GapSearch
from ._ledger_stage import LedgerStage
from ._source_pool import SourcePool
from .critique import Critique, judge_draft, quality_findings
from .draft_claims import DraftClaims
from .evidence_parts import EvidenceParts
from .gaps import gap_files
from .iteration import (
    Conclusion,
    PreparedEvidence,
    gate_findings,
    merge_findings,
    prepared_files,
    settled_claims,
    still_missing,
    verify_files,
)
from .review_queue import rejections
from .source_tools import SourceTools
from .work import IterationEvidence, RunServices


class DocumentEvidence:
    """The evidence of one run's drafts, for `AnalysisPipeline`.

    Args:
        parts: What it is made with.
    """

    def __init__(self, parts: EvidenceParts) -> None:
        self._parts, self._reader, self._registry = parts, parts.reader, parts.registry
        self._index = parts.reader.index((), parts.registry.lexicon)
        self._pool = SourcePool(parts)
        self._draft = DraftClaims(parts.registry, parts.as_of, parts.works)
        self._ledgers = LedgerStage(parts)
        self._challenger = ClaimChallenger(parts, self._pool)
        self._gap_search = GapSearch(parts, self._pool)

    async def prepare(self, iteration: int, draft: str, services: RunServices) -> PreparedEvidence:
        """Find the draft's claims, fetch what it cites, and assess every claim by code.

        Raises:
            StorageError: A snapshot could not be written.
            SnapshotError: A stored snapshot is missing or was changed.
        """
        document, detection = await off_loop(self._draft.detect, draft)
        claims = detection.claims
        fetched = await self._pool.gather(iteration, document, services)
        sources = await off_loop(self._pool.cited, document, fetched)
        available = self._pool.available(document)
        self._index = await off_loop(
            self._reader.index, [*sources, *available.sources], self._registry.lexicon
        )
        assessments = await self._draft.assess(document, claims, self._index)
        sentences = account(document, detection, unsourced(assessments.values()))
        cited = await off_loop(self._reader.store.source_set, sources)
        evidence = IterationEvidence(document, claims, assessments, cited)
        source_tools = SourceTools(
            claims,
            self._index,
            self._reader,
            self._registry,
            self._parts.max_webfetches,
            topic=document.title,
        )
        not_fetched = (s.url for s in sources if s.state is SourceState.NOT_FETCHED)
        return PreparedEvidence(
            iteration,
            evidence,
            source_tools,
            tuple(prepared_files(iteration, evidence, sentences, fetched.recovery)),
            tuple(not_fetched),
            critique=await asyncio.to_thread(self._first_critique, iteration, evidence),
            sentences=sentences,
            corroboration=await asyncio.to_thread(
                self._pool.corroboration, claims, available, document.language, cited=sources
            ),
        )

    async def settle(self, services: RunServices) -> None:
        """Journal the sources of this iteration, fetched or not: the next one builds on them."""
        await self._pool.settle(services)

    async def conclude(
        self,
        prepared: PreparedEvidence,
        assessments: Mapping[str, ClaimAssessment],
        services: RunServices,
    ) -> Conclusion:
        """Ledger and gate, after the challenges of the claims.

        `assessments` are the critics', by claim id. A checkable claim that is missing there, or
        whose quote is not in its snapshot, is an open slot.

        Raises:
            StorageError: An answer or a snapshot could not be written.
        """
        final, ledger = await off_loop(self._ledgers.check, prepared, assessments, self._index)
        case = self._challenger.case(prepared.evidence, ledger, final)
        told = await self._challenger.ask(case, services)
        challenged = await off_loop(self._challenger.challenge, case, told)
        return await off_loop(self._concluded, prepared, final, ledger, challenged)

    def _concluded(
        self,
        prepared: PreparedEvidence,
        final: Sequence[ClaimAssessment],
        checked: Ledger,
        challenged: Challenged,
    ) -> Conclusion:
        evidence = prepared.evidence
        sources = self._counted(prepared, final)
        appraise = self._parts.appraise
        appraisal = appraise(sources) if appraise else None
        ledger, gate, unreviewed, made = self._ledgers.conclude(
            prepared, final, checked, challenged.ledger, sources, appraisal
        )
        registry, assignment = self._registry, self._parts.assignment
        quality = judge_draft(registry, assignment, evidence, ledger, final, appraisal)
        gaps = self._gap_search.analyse(evidence, ledger, gate)
        settled = settled_claims(made)
        wrong = [one for one in final if one.verdict is Verdict.CONTRADICTED]
        denied = (one.findings for one in wrong if one.claim_id not in settled)
        lowered = self._challenger.findings(checked, challenged.record, decided=made)
        weak = quality_findings(quality.critique, registry.critique.severity)
        own = (rejections(ledger, made), gate_findings(gate), weak)
        return Conclusion(
            ledger,
            gate,
            findings=merge_findings([*denied, lowered, *own]),
            not_fetched=still_missing(prepared.not_fetched, evidence.claims, made),
            artefacts=(
                *verify_files(ledger, gate, unreviewed if made else None, appraisal),
                *quality.artefacts(),
                *gap_files(gaps),
                *self._challenger.artefacts(challenged.record),
            ),
            appraisal=appraisal,
            quality=quality,
            settled=settled,
            gaps=gaps,
            sentences=prepared.sentences,
            unsearched=self._unsearched(prepared.iteration),
        )

    def _first_critique(self, iteration: int, evidence: IterationEvidence) -> Critique:
        """The critique by code's own verdicts, for the critics."""
        assessments = evidence.assessments.values()
        ledger = build_ledger(evidence.claims, assessments, iteration=iteration)
        registry, assignment = self._registry, self._parts.assignment
        return judge_draft(registry, assignment, evidence, ledger, assessments).critique

    def _unsearched(self, iteration: int) -> tuple[str, ...]:
        """The failures of the search provider, in this run or in the recorded one."""
        if self._parts.recorded is not None:
            return self._parts.recorded.unsearched(iteration)
        searching = self._reader.searching
        return searching.unanswered if searching is not None else ()

    def _counted(self, prepared: PreparedEvidence, final: Sequence[ClaimAssessment]) -> SourceSet:
        """The cited sources, and those others whose words count for or against a claim."""
        cited = prepared.evidence.sources
        used = {item.url for assessment in final for item in assessment.evidence}
        others = [one for one in prepared.corroboration.sources if one.url in used]
        if not others:
            return cited
        return self._reader.store.source_set([*cited.sources.values(), *others])

    async def deepen(
        self, evidence: IterationEvidence, conclusion: Conclusion, services: RunServices
    ) -> Deepening:
        """Look for what the evidence lacks; findings that a found source settles ask to cite it.

        Raises:
            StorageError: An answer or a snapshot could not be written.
            SnapshotError: A stored answer or snapshot is missing or was changed.
        """
        return await self._gap_search.deepen(evidence, conclusion.gaps, services)

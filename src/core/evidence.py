"""The evidence of a draft before and after the critics: claims, sources, ledger, gate.

Everything here is code; no model takes part.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from ..base.off_loop import off_loop
from ..base.vocabulary import ResearchMode, SourceState, Verdict
from ..sources.model import SourceSet
from ..sources.scoring.model import Appraisal
from ..sources.scoring.rules import ScoringRegistry
from ..verification.challenge.model import NOTHING_TOLD, Told
from ..verification.model import ClaimAssessment
from ..verification.registry import Registry
from .brief import Assignment
from .claim_challenger import AnswererMaker, ClaimChallenger
from .claim_decisions import ReviewDecision, rejections
from .critique import DraftScorer
from .draft_claims import DraftClaims
from .gap_search import Deepening, GapSearch, gap_files
from .gate_policy import GatePolicyRunner
from .iteration import (
    Conclusion,
    PreparedEvidence,
    RecordedRun,
    gate_findings,
    merge_findings,
    prepared_files,
    settled_claims,
    still_missing,
    verify_files,
)
from .ledger_stage import LedgerStage
from .source_pool import SourcePool
from .source_tools import SourceReader, SourceTools
from .work import IterationEvidence, RunServices


@dataclass(frozen=True, slots=True)
class EvidenceLimits:
    """Bounds of gathering evidence (decision 17).

    `max_fetches` bounds what code fetches in the whole run, `max_webfetches` what checkers ask for
    in one iteration.
    """

    max_fetches: int = 200
    max_webfetches: int = 20


class DocumentEvidence:
    """The evidence of one run's drafts, for `AnalysisPipeline`.

    Args:
        reader: The run's sources; its fetcher is open.
        registry: Word lists, thresholds and policies.
        limits: Bounds of fetching.
        as_of: The day that every age is measured at (decision 16).
        recorded: A run on record, which gives the sources in place of fetching and searching.
        appraise: Scores the sources of an iteration; None leaves them unscored.
        scoring: The rules that sources are scored by; with `appraise`, claims get tiers and
            confidence.
        mode: The mode of the gate's profile `research`; None for the profile `document`.
        decisions: What people decided about claims, in the order in which they did.
        assignment: The demands on the drafts, for their critique.
        answerer: Makes the model's answerer of the challenges' questions; None leaves them to code.
        gatekeeper: The user's gate policy; None if there is none.
        iterations: How many iterations the run has at most; None if that is not known.
    """

    def __init__(
        self,
        reader: SourceReader,
        registry: Registry,
        limits: EvidenceLimits,
        *,
        as_of: date,
        recorded: RecordedRun | None = None,
        appraise: Callable[[SourceSet], Appraisal] | None = None,
        scoring: ScoringRegistry | None = None,
        mode: ResearchMode | None = None,
        decisions: Sequence[ReviewDecision] = (),
        assignment: Assignment | None = None,
        answerer: AnswererMaker | None = None,
        gatekeeper: GatePolicyRunner | None = None,
        iterations: int | None = None,
    ) -> None:
        self._reader = reader
        self._registry = registry
        self._limits = limits
        self._recorded = recorded
        self._appraise = appraise
        self._index = reader.index((), registry.lexicon)
        self._pool = SourcePool(
            reader,
            registry,
            appraise,
            scoring,
            as_of,
            recorded=recorded,
            max_fetches=limits.max_fetches,
        )
        self._draft = DraftClaims(registry, as_of)
        self._ledgers = LedgerStage(
            reader.store,
            registry,
            as_of=as_of,
            scoring=scoring,
            mode=mode,
            decisions=decisions,
            gatekeeper=gatekeeper,
        )
        self._quality = DraftScorer(registry, assignment or Assignment())
        self._challenges = ClaimChallenger(reader, registry, answerer=answerer, recorded=recorded)
        self._deepening = GapSearch(
            reader, registry, self._pool, recorded=recorded, iterations=iterations
        )

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
        sentences = self._draft.account(document, detection, assessments)
        cited = await off_loop(self._reader.store.source_set, sources)
        evidence = IterationEvidence(document, claims, assessments, cited)
        source_tools = SourceTools(
            claims,
            self._index,
            self._reader,
            self._registry,
            self._limits.max_webfetches,
            topic=document.title,
        )
        not_fetched = (s.url for s in sources if s.state is SourceState.NOT_FETCHED)
        return PreparedEvidence(
            iteration,
            evidence,
            source_tools,
            tuple(prepared_files(iteration, evidence, sentences, fetched.recovery)),
            tuple(not_fetched),
            critique=await asyncio.to_thread(self._quality.before_critics, iteration, evidence),
            sentences=sentences,
            corroboration=await asyncio.to_thread(
                self._pool.corroboration, claims, available, document.language, cited=sources
            ),
        )

    async def settle(self, services: RunServices) -> None:
        """Journal the sources of this iteration, fetched or not: the next one builds on them."""
        await self._pool.settle(services)

    async def challenge(
        self,
        prepared: PreparedEvidence,
        assessments: Mapping[str, ClaimAssessment],
        services: RunServices,
    ) -> Told:
        """Ask a model and a search provider about the challenges of an iteration's claims.

        `assessments` are the critics', by claim id.

        Raises:
            StorageError: An answer or a snapshot could not be written.
        """
        if not self._challenges.can_ask:
            return NOTHING_TOLD
        checked = self._ledgers.check(prepared, assessments, self._index)
        case = self._challenges.case(prepared.evidence, checked.ledger, checked.final)
        replies = await self._challenges.inquire(case, services, limit=self._pool.fetches_left)
        self._pool.count_fetches(replies.fetches)
        return replies

    def conclude(
        self,
        prepared: PreparedEvidence,
        assessments: Mapping[str, ClaimAssessment],
        replies: Told = NOTHING_TOLD,
    ) -> Conclusion:
        """Ledger and gate.

        `assessments` are the critics', by claim id. A checkable claim that is missing there, or
        whose quote is not in its snapshot, is an open slot. `replies` are the outside
        replies to the challenges.
        """
        evidence = prepared.evidence
        checked = self._ledgers.check(prepared, assessments, self._index)
        final = checked.final
        case = self._challenges.case(evidence, checked.ledger, final)
        challenged = self._challenges.challenge(case, replies)
        sources = self._counted(prepared, final)
        appraisal = self._appraise(sources) if self._appraise else None
        concluded = self._ledgers.conclude(prepared, checked, challenged.ledger, sources, appraisal)
        ledger, gate, made = concluded.ledger, concluded.gate, concluded.decisions
        quality = self._quality.judge(evidence, ledger, final, appraisal)
        gaps = self._deepening.analyse(evidence, ledger, gate)
        wrong = [a.findings for a in final if a.verdict is Verdict.CONTRADICTED]
        lowered = self._challenges.findings(checked.ledger, challenged.record, decided=made)
        own = (rejections(ledger, made), gate_findings(gate), self._quality.findings(quality))
        return Conclusion(
            ledger,
            gate,
            findings=merge_findings([*wrong, lowered, *own]),
            not_fetched=still_missing(prepared.not_fetched, evidence.claims, made),
            artefacts=(
                *verify_files(concluded, appraisal),
                *quality.artefacts(),
                *gap_files(gaps),
                *self._challenges.artefacts(challenged.record),
            ),
            appraisal=appraisal,
            quality=quality,
            settled=settled_claims(made),
            gaps=gaps,
            sentences=prepared.sentences,
            unsearched=self._unsearched(prepared.iteration),
        )

    def _unsearched(self, iteration: int) -> tuple[str, ...]:
        """The failures of the search provider, in this run or in the recorded one."""
        if self._recorded is not None:
            return self._recorded.unsearched(iteration)
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
        if conclusion.gaps is None:
            return Deepening()
        limit = self._pool.fetches_left
        deepening = await self._deepening.deepen(evidence, conclusion.gaps, services, limit=limit)
        self._pool.count_fetches(deepening.fetches)
        return deepening

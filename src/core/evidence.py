"""What happens to a draft before and after the critics: claims, sources, assessments, ledger, gate.

Everything here is code; no model takes part.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from ..base.errors import SnapshotError
from ..base.records import to_json
from ..base.vocabulary import Checker, ResearchMode, SourceState, Verdict
from ..claims.detect import detect_claims
from ..claims.identity import match_claims
from ..claims.model import Claim
from ..documents.model import Document
from ..documents.parse import parse_document
from ..documents.words import DocumentWords
from ..sources.model import Source, SourceSet
from ..sources.scoring.appraisal import Appraisal, SourceReliability, reliability
from ..sources.scoring.rules import ScoringRegistry
from ..verification.assessing.assess import assess_claim
from ..verification.assessing.own_figures import with_own_figures
from ..verification.gate.decision import decide_gate
from ..verification.gate.reads import read_statistics
from ..verification.gate.review import decided_gate
from ..verification.ledger.building import build_ledger, inner_contradictions, link_contradictions
from ..verification.ledger.confidence import Standing, circular_sources, source_standings
from ..verification.ledger.decisions import (
    ReviewDecision,
    counting,
    rejections,
    with_decisions,
)
from ..verification.ledger.history import with_history
from ..verification.ledger.weighing import Scales, weigh_ledger
from ..verification.model import ClaimAssessment, Evidence, GateResult, Ledger
from ..verification.quality.dimensions import Commission
from ..verification.reading.index import SourceIndex
from ..verification.registry import Registry
from ..verification.repair.planning import plan_repairs, with_repairs
from .asking import digest
from .desk import IterationDesk, SourceReader
from .findings import gate_findings, merge_findings
from .iteration import Conclusion, PreparedEvidence
from .people import settled_claims, still_missing
from .quality import QualityDesk
from .types import ArtefactFile, Error, FailureKind, IterationEvidence, RunServices

LEDGER_FILE = "claim_ledger.json"
UNREVIEWED_FILE = "claim_ledger_unreviewed.json"
"""The ledger as the checkers left it, where people's decisions changed it."""
GATE_FILE = "evidence_gate_result.json"
RELIABILITY_FILE = "source_reliability.json"


@dataclass(frozen=True, slots=True)
class EvidenceLimits:
    """Bounds of gathering evidence (decision 17).

    `max_fetches` bounds what code fetches in the whole run, `max_webfetches` what checkers ask for
    in one iteration.
    """

    max_fetches: int = 200
    max_webfetches: int = 20


@dataclass(frozen=True, slots=True)
class ClaimsFile:
    """`claims_iteration_N.json`: the list that every checker must answer."""

    iteration: int
    document_sha256: str
    language: str
    claims: tuple[Claim, ...]
    assessments: Mapping[str, ClaimAssessment]
    sources: Mapping[str, Source]


@dataclass(frozen=True, slots=True)
class FetchedSources:
    """The journal's record of an iteration's fetches; `fetches` went over the network."""

    sources: tuple[Source, ...]
    fetches: int


class DocumentEvidence:
    """The evidence of one run's drafts, for `AnalysisPipeline`.

    Args:
        reader: The run's sources; its fetcher is open.
        registry: Word lists, thresholds and policies.
        limits: Bounds of fetching.
        as_of: The day that every age is measured at (decision 16).
        words: Word lists for parsing; the packaged ones if None.
        recorded: Gives what an iteration's document cites as a run on record had it, in place of
            fetching.
        appraise: Scores the sources of an iteration; None leaves them unscored.
        scoring: The rules that sources are scored by; with `appraise`, claims get tiers and
            confidence.
        mode: The mode of the gate's profile `research`; None for the profile `document`.
        decisions: What people decided about claims, in the order in which they did.
        commission: What the drafts are to be, for their critique.
    """

    def __init__(
        self,
        reader: SourceReader,
        registry: Registry,
        limits: EvidenceLimits,
        *,
        as_of: date,
        words: DocumentWords | None = None,
        recorded: Callable[[int, Document], FetchedSources] | None = None,
        appraise: Callable[[SourceSet], Appraisal] | None = None,
        scoring: ScoringRegistry | None = None,
        mode: ResearchMode | None = None,
        decisions: Sequence[ReviewDecision] = (),
        commission: Commission | None = None,
    ) -> None:
        self._reader = reader
        self._registry = registry
        self._limits = limits
        self._as_of = as_of
        self._words = words
        self._recorded = recorded
        self._appraise = appraise
        self._scoring = scoring
        self._mode = mode
        self._quality = QualityDesk(registry, commission or Commission())
        self._decisions = tuple(decisions)
        self._ledgers: dict[int, Ledger] = {}
        self._claims: tuple[Claim, ...] = ()
        self._fetches = 0
        self._unsettled: tuple[str, str, FetchedSources] | None = None

    async def prepare(self, iteration: int, draft: str, services: RunServices) -> PreparedEvidence:
        """Find the draft's claims, fetch what it cites, and assess every claim by code.

        Raises:
            StorageError: A snapshot could not be written.
            SnapshotError: A stored snapshot is missing or was changed.
        """
        document = parse_document(draft, self._words)
        found = detect_claims(document, self._registry.lexicon, as_of=self._as_of)
        self._claims = match_claims(self._claims, found)
        fetched = await self._fetch(iteration, document, services)
        index = SourceIndex(self._reader.store.source_set(fetched), self._registry.lexicon)
        assessments = await self._assess(document, index)
        evidence = IterationEvidence(document, self._claims, assessments, index.sources)
        desk = IterationDesk(
            self._claims,
            index,
            self._reader,
            self._registry,
            self._limits.max_webfetches,
            topic=document.title,
        )
        not_fetched = tuple(s.url for s in fetched if s.state is SourceState.NOT_FETCHED)
        file = _claims_file(iteration, evidence)
        return PreparedEvidence(
            iteration,
            evidence,
            desk,
            (file,),
            not_fetched,
            critique=self._quality.before_critics(iteration, evidence),
        )

    async def settle(self, services: RunServices) -> None:
        """Journal the sources of this iteration, fetched or not: the next one builds on them."""
        if self._unsettled is None:
            return
        name, key, fetched = self._unsettled

        async def as_they_are() -> FetchedSources | Error:
            return fetched

        await services.steps.step(name, key, FetchedSources, as_they_are)

    async def _fetch(
        self, iteration: int, document: Document, services: RunServices
    ) -> tuple[Source, ...]:
        """The sources that the document cites.

        They are journalled unless the network was wanting; then a resumed run tries again, until
        the loop goes on.
        """
        limit = max(0, self._limits.max_fetches - self._fetches)
        fetched = FetchedSources((), 0)

        async def fetch() -> FetchedSources | Error:
            nonlocal fetched
            fetched = await self._fetched(iteration, document, limit)
            missing = any(source.state is SourceState.NOT_FETCHED for source in fetched.sources)
            if missing and fetched.fetches < limit:
                return Error(FailureKind.UNAVAILABLE, "some sources were not fetched")
            return fetched

        name, key = sources_step(iteration, document)
        kept = await services.steps.step(name, key, FetchedSources, fetch)
        self._unsettled = (name, key, fetched) if isinstance(kept, Error) else None
        settled = fetched if isinstance(kept, Error) else kept
        self._fetches += settled.fetches
        return settled.sources

    async def _fetched(self, iteration: int, document: Document, limit: int) -> FetchedSources:
        if self._recorded is not None:
            return self._recorded(iteration, document)
        before = self._reader.fetcher.fetches
        sources = await self._reader.fetcher.fetch_all(document.cited_urls(), limit=limit)
        return FetchedSources(sources, self._reader.fetcher.fetches - before)

    async def _assess(self, document: Document, index: SourceIndex) -> dict[str, ClaimAssessment]:
        assessments: list[ClaimAssessment] = []
        for claim in self._claims:
            assessments.append(
                assess_claim(
                    claim, index, self._registry, as_of=self._as_of, language=document.language
                )
            )
            # Long documents take seconds; others of this process, and a Ctrl-C, get their turn.
            await asyncio.sleep(0)
        worked = with_own_figures(document, self._claims, assessments, self._registry)
        # A draft with many uncited claims takes seconds here, too.
        repairs = await asyncio.to_thread(
            plan_repairs, document, self._claims, worked, index, self._registry
        )
        return {one.claim_id: one for one in with_repairs(worked, repairs)}

    def conclude(
        self, prepared: PreparedEvidence, assessments: Mapping[str, ClaimAssessment]
    ) -> Conclusion:
        """Ledger and gate.

        `assessments` are the critics', by claim id. A checkable claim that is missing there, or
        whose quote is not in its snapshot, is an open slot.
        """
        evidence = prepared.evidence
        answers = {id_: a for id_, a in assessments.items() if self._is_shown(a)}
        final = [
            combined(evidence.assessments[claim.id], answers.get(claim.id))
            for claim in evidence.claims
        ]
        appraisal = self._appraise(evidence.sources) if self._appraise else None
        standings = self._standings(evidence, appraisal)
        checked = self._ledger(prepared, assessments, answers, final, standings)
        made = counting(checked, self._decisions, evidence.assessments)
        number = prepared.iteration
        ledger = with_decisions(checked, made, previous=self._ledgers.get(number - 1))
        self._ledgers[number] = ledger
        gate = decide_gate(
            ledger,
            self._registry.gate,
            language=evidence.document.language,
            reads=read_statistics(evidence.sources.sources.values(), standings),
            mode=self._mode,
        )
        gate = decided_gate(gate, self._decisions, number)
        files = [
            ArtefactFile(LEDGER_FILE, to_json(Ledger, ledger) + "\n"),
            ArtefactFile(GATE_FILE, to_json(GateResult, gate) + "\n"),
        ]
        if made:
            files.append(ArtefactFile(UNREVIEWED_FILE, to_json(Ledger, checked) + "\n"))
        if appraisal is not None:
            text = to_json(SourceReliability, reliability(appraisal))
            files.append(ArtefactFile(RELIABILITY_FILE, f"{text}\n"))
        quality = self._quality.judge(evidence, ledger, final, appraisal)
        files += quality.artefacts()
        wrong = [a.findings for a in final if a.verdict is Verdict.CONTRADICTED]
        own = (rejections(ledger, made), gate_findings(gate), self._quality.findings(quality))
        return Conclusion(
            ledger,
            gate,
            findings=merge_findings([*wrong, *own]),
            not_fetched=still_missing(prepared.not_fetched, evidence.claims, made),
            artefacts=tuple(files),
            appraisal=appraisal,
            quality=quality,
            settled=settled_claims(made),
        )

    def _ledger(
        self,
        prepared: PreparedEvidence,
        given: Mapping[str, ClaimAssessment],
        answers: Mapping[str, ClaimAssessment],
        final: Sequence[ClaimAssessment],
        standings: Mapping[str, Standing] | None,
    ) -> Ledger:
        """The ledger of an iteration; `answers` are those of `given` that count."""
        claims, number = prepared.evidence.claims, prepared.iteration
        both = (Checker.ENGINE, Checker.FACT_CHECKER)
        ledger = build_ledger(
            claims,
            final,
            iteration=number,
            open_slots={c.id for c in claims if not c.exclusion and c.id not in answers},
            checked_by=dict.fromkeys(answers, both),
            misquoted=given.keys() - answers.keys(),
        )
        findings = [finding for assessment in final for finding in assessment.findings]
        ledger = link_contradictions(ledger, inner_contradictions(ledger, findings))
        if standings is not None and self._scoring is not None:
            book, rules = self._registry.lexicon.words, self._scoring.rules.confidence
            scales = Scales(standings, book, rules, as_of=self._as_of, mode=self._mode)
            ledger = weigh_ledger(ledger, claims, final, scales)
        engine, previous = prepared.evidence.assessments, self._ledgers.get(number - 1)
        return with_history(ledger, engine=engine, previous=previous)

    def _standings(
        self, evidence: IterationEvidence, appraisal: Appraisal | None
    ) -> Mapping[str, Standing] | None:
        if appraisal is None or self._scoring is None:
            return None
        sources, rules = evidence.sources, self._scoring.rules.independence
        circular = circular_sources(evidence.document, sources, rules, as_of=self._as_of)
        return source_standings(sources, appraisal, self._scoring, circular)

    def _is_shown(self, answer: ClaimAssessment) -> bool:
        """Whether the quotes of `answer` stand in their snapshots; support needs one."""
        if answer.verdict is Verdict.SUPPORTED and not answer.evidence:
            return False
        return all(self._stands(item) for item in answer.evidence)

    def _stands(self, item: Evidence) -> bool:
        try:
            text = self._reader.store.text(item.sha256)
        except SnapshotError:
            return False
        return text[item.start : item.end] == item.quote


def claims_name(iteration: int) -> str:
    """The name of an iteration's `ClaimsFile`."""
    return f"claims_iteration_{iteration}.json"


def sources_step(iteration: int, document: Document) -> tuple[str, str]:
    """The name and the key under which the sources of an iteration are journalled."""
    return f"{iteration}/sources", digest([document.sha256, *document.cited_urls()])


def combined(engine: ClaimAssessment, answer: ClaimAssessment | None) -> ClaimAssessment:
    """The answer of a checker, which lifts no contradiction and raises nothing that is decided."""
    if answer is None or engine.verdict is Verdict.CONTRADICTED:
        return engine
    if engine.decided and answer.verdict is Verdict.SUPPORTED:
        return engine
    return answer


def _claims_file(iteration: int, evidence: IterationEvidence) -> ArtefactFile:
    file = ClaimsFile(
        iteration=iteration,
        document_sha256=evidence.document.sha256,
        language=evidence.document.language,
        claims=evidence.claims,
        assessments=evidence.assessments,
        sources=evidence.sources.sources,
    )
    return ArtefactFile(claims_name(iteration), to_json(ClaimsFile, file) + "\n")

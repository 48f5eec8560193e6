"""The evidence of a draft before and after the critics: claims, sources, ledger, gate.

Everything here is code; no model takes part.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from ..base.errors import SnapshotError
from ..base.off_loop import off_loop
from ..base.records import to_json
from ..base.vocabulary import Checker, ResearchMode, SourceState, Verdict
from ..claims.accounting import AccountedSentence, account
from ..claims.detect import Detection, detect
from ..claims.identity import match_claims
from ..claims.model import Claim
from ..documents.model import Document
from ..documents.parse import parse_document
from ..documents.words import DocumentWords
from ..sources.model import Source, SourceSet
from ..sources.scoring.appraisal import Appraisal, SourceReliability, reliability
from ..sources.scoring.rules import ScoringRegistry
from ..verification.assessing.assess import assess_claim
from ..verification.assessing.combine import counts_beside
from ..verification.assessing.own_figures import with_own_figures
from ..verification.assessing.partly_read import with_partly_read
from ..verification.cautions import with_cautions
from ..verification.challenge.challenge import Challenged, as_left
from ..verification.challenge.evidence import with_corroboration
from ..verification.challenge.model import NOTHING_TOLD, Told
from ..verification.gate.decision import decide_gate, read_statistics
from ..verification.gate.own_policy import GateCase, GateKeeper, under_policy
from ..verification.gate.review import decided_gate
from ..verification.ledger.binding import Scales, weigh_ledger
from ..verification.ledger.building import build_ledger, inner_contradictions, link_contradictions
from ..verification.ledger.confidence import (
    Standing,
    circular_sources,
    source_standings,
    without_copies,
)
from ..verification.ledger.decisions import (
    ReviewDecision,
    counting,
    rejections,
    with_decisions,
)
from ..verification.ledger.history import with_history
from ..verification.model import ClaimAssessment, Evidence, GateResult, Ledger
from ..verification.quality.critique import Commission
from ..verification.registry import Registry
from ..verification.repair.planning import plan_repairs, with_repairs
from ..verification.repair.uncited import unsourced, weigh_uncited
from ..verification.source_index import SourceIndex
from .artefacts import ArtefactFile
from .claim_challenger import AnswererMaker, ClaimChallenger
from .decisions import settled_claims, still_missing
from .draft_scorer import DraftScorer
from .findings import gate_findings, merge_findings
from .gap_search import GapSearch, gap_files
from .iteration import Conclusion, Deepening, PreparedEvidence
from .journal import digest
from .source_pool import FetchedSources, RecordedRun, Recovery, SourcePool
from .source_tools import SourceReader, SourceTools
from .tasks import Error, FailureKind
from .work import IterationEvidence, RunServices

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
    """`claims_iteration_N.json`: the list that every checker must answer.

    `sentences` are all of the draft's body, with what becomes of each.
    """

    iteration: int
    document_sha256: str
    language: str
    claims: tuple[Claim, ...]
    assessments: Mapping[str, ClaimAssessment]
    sources: Mapping[str, Source]
    sentences: tuple[AccountedSentence, ...] = ()


class DocumentEvidence:
    """The evidence of one run's drafts, for `AnalysisPipeline`.

    Args:
        reader: The run's sources; its fetcher is open.
        registry: Word lists, thresholds and policies.
        limits: Bounds of fetching.
        as_of: The day that every age is measured at (decision 16).
        words: Word lists for parsing; the packaged ones if None.
        recorded: A run on record, which gives the sources in place of fetching and searching.
        appraise: Scores the sources of an iteration; None leaves them unscored.
        scoring: The rules that sources are scored by; with `appraise`, claims get tiers and
            confidence.
        mode: The mode of the gate's profile `research`; None for the profile `document`.
        decisions: What people decided about claims, in the order in which they did.
        commission: The demands on the drafts, for their critique.
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
        words: DocumentWords | None = None,
        recorded: RecordedRun | None = None,
        appraise: Callable[[SourceSet], Appraisal] | None = None,
        scoring: ScoringRegistry | None = None,
        mode: ResearchMode | None = None,
        decisions: Sequence[ReviewDecision] = (),
        commission: Commission | None = None,
        answerer: AnswererMaker | None = None,
        gatekeeper: GateKeeper | None = None,
        iterations: int | None = None,
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
        self._quality = DraftScorer(registry, commission or Commission())
        self._decisions = tuple(decisions)
        self._gatekeeper = gatekeeper
        self._found = SourcePool(reader, registry, appraise, scoring, as_of)
        self._challenges = ClaimChallenger(reader, registry, answerer=answerer, recorded=recorded)
        self._ledgers: dict[int, Ledger] = {}
        self._deepening = GapSearch(
            reader, registry, self._found, recorded=recorded, iterations=iterations
        )
        self._claims: tuple[Claim, ...] = ()
        self._index = self._indexed(())
        self._fetches = 0
        self._unsettled: tuple[str, str, FetchedSources] | None = None

    async def prepare(self, iteration: int, draft: str, services: RunServices) -> PreparedEvidence:
        """Find the draft's claims, fetch what it cites, and assess every claim by code.

        Raises:
            StorageError: A snapshot could not be written.
            SnapshotError: A stored snapshot is missing or was changed.
        """
        document, detection = await off_loop(self._read, draft)
        self._claims = match_claims(self._claims, detection.claims)
        detection = replace(detection, claims=self._claims)
        fetched = await self._fetch(iteration, document, services)
        if fetched.recovery is not None:
            self._found.add(fetched.recovery)
        kept = await off_loop(self._without_copies, document, fetched.sources)
        fetched = replace(fetched, sources=kept)
        available = self._found.available(document)
        index = await off_loop(self._indexed, [*fetched.sources, *available.sources])
        self._index = index
        assessments = await self._assess(document, index)
        sentences = account(document, detection, unsourced(assessments.values()))
        cited = await off_loop(self._reader.store.source_set, fetched.sources)
        evidence = IterationEvidence(document, self._claims, assessments, cited)
        source_tools = SourceTools(
            self._claims,
            index,
            self._reader,
            self._registry,
            self._limits.max_webfetches,
            topic=document.title,
        )
        not_fetched = (s.url for s in fetched.sources if s.state is SourceState.NOT_FETCHED)
        files = [_claims_file(iteration, evidence, sentences)]
        if fetched.recovery is not None and fetched.recovery.reads:
            text = to_json(Recovery, fetched.recovery) + "\n"
            files.append(ArtefactFile(recovery_name(iteration), text))
        return PreparedEvidence(
            iteration,
            evidence,
            source_tools,
            tuple(files),
            tuple(not_fetched),
            critique=await asyncio.to_thread(self._quality.before_critics, iteration, evidence),
            sentences=sentences,
            corroboration=await asyncio.to_thread(
                self._found.corroboration,
                self._claims,
                available,
                document.language,
                cited=fetched.sources,
            ),
        )

    def _read(self, draft: str) -> tuple[Document, Detection]:
        document = parse_document(draft, self._words)
        lexicon = self._registry.lexicon
        return document, detect(document, lexicon, as_of=self._as_of, statements=True)

    def _without_copies(
        self, document: Document, sources: tuple[Source, ...]
    ) -> tuple[Source, ...]:
        return without_copies(document, sources, self._reader.store.source_set(sources))

    def _indexed(self, sources: Iterable[Source]) -> SourceIndex:
        return SourceIndex(self._reader.store.source_set(sources), self._registry.lexicon)

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
    ) -> FetchedSources:
        """The sources that the document cites, and what recovery read.

        They are journalled unless the network was wanting; then a resumed run tries again, until
        the loop goes on.

        Raises:
            SnapshotError: A stored source is missing or was changed.
        """
        limit = max(0, self._limits.max_fetches - self._fetches)
        fetched = FetchedSources((), 0)
        journalled = True

        async def fetch() -> FetchedSources | Error:
            nonlocal fetched, journalled
            journalled = False
            fetched = await self._fetched(iteration, document, limit)
            missing = any(source.state is SourceState.NOT_FETCHED for source in fetched.sources)
            if missing and fetched.fetches < limit:
                return Error(FailureKind.UNAVAILABLE, "some sources were not fetched")
            return fetched

        name, key = sources_step(iteration, document)
        kept = await services.steps.step(name, key, FetchedSources, fetch)
        self._unsettled = (name, key, fetched) if isinstance(kept, Error) else None
        settled = fetched if isinstance(kept, Error) else kept
        if journalled:
            # Nothing else reads the bytes again, and a pack of damaged ones would not hold.
            self._reader.store.require_whole(settled.sources)
        self._fetches += settled.fetches
        return settled

    async def _fetched(self, iteration: int, document: Document, limit: int) -> FetchedSources:
        if self._recorded is not None:
            return self._recorded.sources(iteration, document)
        fetcher, most = self._reader.fetcher, self._registry.deepening.recovered_sources
        before = fetcher.fetches
        cited = await fetcher.fetch_all(document.cited_urls(), limit=limit)
        if not most:
            return FetchedSources(cited, fetcher.fetches - before)
        left = limit - (fetcher.fetches - before)
        recovery = await self._found.recover(cited, limit=left)
        return FetchedSources(recovery.over(cited), fetcher.fetches - before, recovery)

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
        partly = with_partly_read(self._claims, assessments, index.sources)
        worked = with_cautions(
            document,
            self._claims,
            with_own_figures(document, self._claims, partly, self._registry),
            self._registry,
        )
        # A draft with many uncited claims takes seconds here, too.
        repairs = await asyncio.to_thread(
            plan_repairs, document, self._claims, worked, index, self._registry
        )
        repaired = with_repairs(worked, repairs)
        policy = self._registry.severity
        weighed = weigh_uncited(document, self._claims, repaired, repairs, policy)
        return {one.claim_id: one for one in weighed}

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
        final = self._final(prepared, assessments)
        case = self._challenges.case(
            prepared.evidence, self._built(prepared, assessments, final), final
        )
        limit = max(0, self._limits.max_fetches - self._fetches)
        told = await self._challenges.inquire(case, services, limit=limit)
        self._fetches += told.fetches
        return told

    def _final(
        self, prepared: PreparedEvidence, assessments: Mapping[str, ClaimAssessment]
    ) -> list[ClaimAssessment]:
        """The assessment of every claim that counts: code's, or a critic's where it may answer."""
        evidence, shown = prepared.evidence, prepared.corroboration.shown
        answers = self._answers(prepared, assessments)
        return [
            with_corroboration(
                self._combined(claim, evidence.assessments[claim.id], answers.get(claim.id)), shown
            )
            for claim in evidence.claims
        ]

    def _combined(
        self, claim: Claim, engine: ClaimAssessment, answer: ClaimAssessment | None
    ) -> ClaimAssessment:
        """The answer of a checker where it counts beside the engine's own."""
        counts = answer is not None and counts_beside(
            claim, engine, answer, self._index, self._registry
        )
        return answer if answer is not None and counts else engine

    def _answers(
        self, prepared: PreparedEvidence, given: Mapping[str, ClaimAssessment]
    ) -> dict[str, ClaimAssessment]:
        texts = prepared.evidence.sources.texts
        return {id_: answer for id_, answer in given.items() if self._is_shown(answer, texts)}

    def conclude(
        self,
        prepared: PreparedEvidence,
        assessments: Mapping[str, ClaimAssessment],
        told: Told = NOTHING_TOLD,
    ) -> Conclusion:
        """Ledger and gate.

        `assessments` are the critics', by claim id. A checkable claim that is missing there, or
        whose quote is not in its snapshot, is an open slot. `told` are the outside
        replies to the challenges.
        """
        evidence = prepared.evidence
        final = self._final(prepared, assessments)
        built = self._built(prepared, assessments, final)
        case = self._challenges.case(evidence, built, final)
        challenged = self._challenges.challenge(case, told)
        sources = self._counted(prepared, final)
        appraisal = self._appraise(sources) if self._appraise else None
        standings = self._standings(evidence.document, sources, appraisal)
        checked = self._ledger(prepared, built, challenged, final, standings)
        made = counting(checked, self._decisions, evidence.assessments)
        number = prepared.iteration
        ledger = with_decisions(checked, made, previous=self._ledgers.get(number - 1))
        self._ledgers[number] = ledger
        gate = self._gate(ledger, evidence.document.language, sources, standings)
        files = _verify_files(ledger, gate, checked if made else None, appraisal)
        quality = self._quality.judge(evidence, ledger, final, appraisal)
        gaps = self._deepening.analyse(evidence, ledger, gate)
        files += (*quality.artefacts(), *gap_files(gaps))
        files += self._challenges.artefacts(challenged.record)
        wrong = [a.findings for a in final if a.verdict is Verdict.CONTRADICTED]
        lowered = self._challenges.findings(built, challenged.record, decided=made)
        own = (rejections(ledger, made), gate_findings(gate), self._quality.findings(quality))
        return Conclusion(
            ledger,
            gate,
            findings=merge_findings([*wrong, lowered, *own]),
            not_fetched=still_missing(prepared.not_fetched, evidence.claims, made),
            artefacts=tuple(files),
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
        limit = max(0, self._limits.max_fetches - self._fetches)
        deepening = await self._deepening.deepen(evidence, conclusion.gaps, services, limit=limit)
        self._fetches += deepening.fetches
        return deepening

    def _built(
        self,
        prepared: PreparedEvidence,
        given: Mapping[str, ClaimAssessment],
        final: Sequence[ClaimAssessment],
    ) -> Ledger:
        """The ledger of an iteration as the checkers left it; `given` are a critic's answers."""
        claims, answers = prepared.evidence.claims, self._answers(prepared, given)
        both = (Checker.ENGINE, Checker.FACT_CHECKER)
        ledger = build_ledger(
            claims,
            final,
            iteration=prepared.iteration,
            open_slots={
                claim.id
                for claim in claims
                if claim.id not in answers
                and not prepared.evidence.assessments[claim.id].needs_no_answer
            },
            checked_by=dict.fromkeys(answers, both),
            misquoted=given.keys() - answers.keys(),
        )
        findings = [finding for assessment in final for finding in assessment.findings]
        return link_contradictions(ledger, inner_contradictions(ledger, findings))

    def _ledger(
        self,
        prepared: PreparedEvidence,
        built: Ledger,
        challenged: Challenged,
        final: Sequence[ClaimAssessment],
        standings: Mapping[str, Standing] | None,
    ) -> Ledger:
        """The ledger after its challenges, weighed, with the history of every claim."""
        ledger, claims = challenged.ledger, prepared.evidence.claims
        if standings is not None and self._scoring is not None:
            book, rules = self._registry.lexicon.words, self._scoring.rules.confidence
            scales = Scales(standings, book, rules, as_of=self._as_of, mode=self._mode)
            ledger = weigh_ledger(ledger, claims, as_left(final, ledger), scales)
        engine = prepared.evidence.assessments
        previous = self._ledgers.get(prepared.iteration - 1)
        return with_history(ledger, engine=engine, previous=previous, answered=built)

    def _gate(
        self,
        ledger: Ledger,
        language: str,
        sources: SourceSet,
        standings: Mapping[str, Standing] | None,
    ) -> GateResult:
        """The gate by its limits, then by the user's own policy, then by what a person decided."""
        number, reads = ledger.iteration, read_statistics(sources.sources.values(), standings)
        gate = decide_gate(
            ledger, self._registry.gate, language=language, reads=reads, mode=self._mode
        )
        if self._gatekeeper is not None:
            word = self._gatekeeper.word(GateCase(number, language, ledger, gate))
            gate = under_policy(gate, word)
        return decided_gate(gate, self._decisions, number)

    def _standings(
        self, document: Document, sources: SourceSet, appraisal: Appraisal | None
    ) -> Mapping[str, Standing] | None:
        if appraisal is None or self._scoring is None:
            return None
        rules = self._scoring.rules.independence
        circular = circular_sources(document, sources, rules, as_of=self._as_of)
        return source_standings(sources, appraisal, self._scoring, circular)

    def _is_shown(self, answer: ClaimAssessment, texts: Mapping[str, str]) -> bool:
        """Whether the quotes of `answer` stand in their snapshots; support needs one.

        `texts` are those in memory, by hash: to read them again for every quote takes minutes.
        """
        if answer.verdict is Verdict.SUPPORTED and not answer.evidence:
            return False
        return all(self._stands(item, texts) for item in answer.evidence)

    def _stands(self, item: Evidence, texts: Mapping[str, str]) -> bool:
        text = texts.get(item.sha256)
        try:
            text = self._reader.store.text(item.sha256) if text is None else text
        except SnapshotError:
            return False
        return text[item.start : item.end] == item.quote


def _verify_files(
    ledger: Ledger, gate: GateResult, unreviewed: Ledger | None, appraisal: Appraisal | None
) -> list[ArtefactFile]:
    """Ledger and gate; the ledger before people decided, and the scores, where there are any."""
    files = [
        ArtefactFile(LEDGER_FILE, to_json(Ledger, ledger) + "\n"),
        ArtefactFile(GATE_FILE, to_json(GateResult, gate) + "\n"),
    ]
    if unreviewed is not None:
        files.append(ArtefactFile(UNREVIEWED_FILE, to_json(Ledger, unreviewed) + "\n"))
    if appraisal is not None:
        text = to_json(SourceReliability, reliability(appraisal))
        files.append(ArtefactFile(RELIABILITY_FILE, f"{text}\n"))
    return files


def claims_name(iteration: int) -> str:
    """The name of an iteration's `ClaimsFile`."""
    return f"claims_iteration_{iteration}.json"


def recovery_name(iteration: int) -> str:
    """The name of the record of an iteration's `Recovery`."""
    return f"recovery_iteration_{iteration}.json"


def sources_step(iteration: int, document: Document) -> tuple[str, str]:
    """The name and the key under which the sources of an iteration are journalled."""
    return f"{iteration}/sources", digest([document.sha256, *document.cited_urls()])


def _claims_file(
    iteration: int, evidence: IterationEvidence, sentences: tuple[AccountedSentence, ...]
) -> ArtefactFile:
    file = ClaimsFile(
        iteration=iteration,
        document_sha256=evidence.document.sha256,
        language=evidence.document.language,
        claims=evidence.claims,
        assessments=evidence.assessments,
        sources=evidence.sources.sources,
        sentences=sentences,
    )
    return ArtefactFile(claims_name(iteration), to_json(ClaimsFile, file) + "\n")

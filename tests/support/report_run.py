"""Run directories of any size with any text in them, written as a run writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from foureyes.base.files import to_json
from foureyes.base.vocabulary import (
    ChallengeStep,
    Checker,
    CitationState,
    ClaimKind,
    Finding,
    GateDecision,
    IssueType,
    Location,
    Recommendation,
    SettlementMode,
    Severity,
    SourceState,
    Stance,
    SupportTier,
    Verdict,
)
from foureyes.claims.model import Claim, ClaimCategory
from foureyes.core.approval import (
    SETTLEMENT_FILE,
    ApprovalBasis,
    RunStatus,
    Settlement,
    SettlementOutcome,
)
from foureyes.core.artefacts import ArtefactFile, CriterionScore, Judgement
from foureyes.core.config import PipelineConfig, PipelineMode
from foureyes.core.critique import CRITIQUE_FILE, Critique, DimensionScore
from foureyes.core.iteration import (
    GATE_FILE,
    LEDGER_FILE,
    RELIABILITY_FILE,
    ClaimsFile,
    CriticOutcome,
    FindingChanges,
    IterationOutcome,
    claims_name,
    outcome_name,
)
from foureyes.core.run_analytics import (
    AgentFigures,
    AnalyticsFile,
    IterationFigures,
    ledger_figures,
)
from foureyes.core.run_store import IterationSummary, RunInputs, RunStore
from foureyes.core.tasks import TurnUsage
from foureyes.sources.model import Snapshot, Source
from foureyes.sources.scoring.appraisal import SourceRating, SourceReliability
from foureyes.sources.scoring.model import ConfidenceMark, Gap, GapType, Override, Part, Tier
from foureyes.sources.snapshot_store import SnapshotStore, sha256_hex
from foureyes.verification.claim_state import ClaimState, StateChange
from foureyes.verification.model import (
    ChallengeNote,
    ChallengeOutcome,
    ClaimAssessment,
    GateLimit,
    GateMetrics,
    GateResult,
    Ledger,
    LedgerEntry,
    SlotCheck,
    SlotKind,
    SlotOutcome,
    WeighedEvidence,
)
from foureyes.verification.policy import Dimension

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
_VERDICTS, _KINDS, _SEVERITIES = tuple(Verdict), tuple(ClaimKind), tuple(Severity)
_PER_SOURCE = 10
Words = Callable[[int], str]
"""What is put into every field of text, by the number of what it belongs to."""


def nothing(_number: int) -> str:
    """No words but our own."""
    return ""


@dataclass(frozen=True, slots=True)
class ReportRun:
    """What a run directory is to hold: `claims` in each of `iterations`, `words` everywhere."""

    claims: int
    iterations: int = 2
    words: Words = nothing

    def write(self, root: Path) -> Path:
        """The run directory, below `root`."""
        everything = " ".join(self.words(n) for n in range(self.claims))
        store = RunStore.create(
            root,
            RunInputs(f"Brief {everything}\n", date(2026, 1, 2)),
            PipelineConfig(),
            mode=PipelineMode.FULL_EVALUATION,
            now=NOW,
        )
        snapshots = SnapshotStore(store.sources)
        sources = {one.url: one for one in sources_of(self.words, self.claims, snapshots)}
        figures: list[IterationFigures] = []
        for iteration in range(1, self.iterations + 1):
            draft, places = self._draft(iteration)
            claims = tuple(self._claim(n, places[n]) for n in range(self.claims))
            entries = tuple(
                self._entry(n, claims[n], [*sources.values()]) for n in range(self.claims)
            )
            findings = tuple(self._findings(entries, iteration))
            ledger = Ledger(iteration, entries)
            file = ClaimsFile(
                iteration,
                "0" * 64,
                "en",
                claims,
                {claim.id: self._assessment(n, claim) for n, claim in enumerate(claims)},
                sources,
            )
            files = {
                f"analysis_iteration_{iteration}.md": draft,
                claims_name(iteration): to_json(ClaimsFile, file),
                outcome_name(iteration): to_json(
                    IterationOutcome, self._outcome(iteration, findings)
                ),
            }
            for name, text in files.items():
                store.write(f"iterations/{name}", text)
            gate = self._gate(everything)
            verified = (
                ArtefactFile(LEDGER_FILE, to_json(Ledger, ledger)),
                ArtefactFile(GATE_FILE, to_json(GateResult, gate)),
                ArtefactFile(
                    RELIABILITY_FILE, to_json(SourceReliability, self._reliability(sources))
                ),
                ArtefactFile(
                    CRITIQUE_FILE, to_json(Critique, self._critique(iteration, everything))
                ),
            )
            store.write_verify(verified, previous=iteration - 1 or None)
            figures.append(
                IterationFigures(
                    iteration,
                    gate.decision,
                    gate.profile,
                    gate.rule,
                    None,
                    gate.metrics,
                    Decimal("0.5") * iteration,
                    None,
                    claims=ledger_figures(ledger),
                    quality_score=0.5,
                )
            )
        self._end(store, figures, everything)
        return store.path

    def _end(self, store: RunStore, figures: list[IterationFigures], words: str) -> None:
        agents = tuple(
            AgentFigures(
                name, n, 2, 1, TurnUsage(cost_usd=Decimal("0.25"), wall_s=2.5, input_tokens=900)
            )
            for n in range(1, self.iterations + 1)
            for name in (f"analyst{words[:400]}", "reviewer", "fact_checker")
        )
        usage = TurnUsage(cost_usd=Decimal("1.5"), wall_s=15, input_tokens=5400)
        file = AnalyticsFile(agents, usage, len(agents), 12.5, tuple(figures))
        store.write("analytics.json", to_json(AnalyticsFile, file))
        judgement = Judgement(
            recommendation=Recommendation.REJECT,
            stated_recommendation=None,
            summary=f"The judge says {words}",
            criteria={f"depth {words[:200]}": CriterionScore(score=0.5, reason=words)},
            open_findings=[],
            timestamp="",
            basis="",
        )
        store.write("judgement.json", judgement.model_dump_json())
        settlement = Settlement(
            f"policy {words}",
            SettlementMode.OBSERVE,
            self.iterations,
            SettlementOutcome.ANSWERED,
            True,
            False,
            words,
            False,
        )
        store.write(f"verify/{SETTLEMENT_FILE}", to_json(Settlement, settlement))
        store.update(
            title=f"Stations {words}",
            status=RunStatus.APPROVED,
            reason=f"two critics approved {words}",
            ended=NOW,
            best_iteration=self.iterations,
            approval_basis=ApprovalBasis.DETERMINISTIC_CHECKS,
            iterations=tuple(
                IterationSummary(
                    iteration=n,
                    votes={f"reviewer {words[:200]}": Recommendation.APPROVE},
                    failures={},
                    gate=GateDecision.PASS,
                    severities={severity.value: 3 for severity in Severity},
                    changes=FindingChanges(1, 2, 3),
                    supported=5,
                )
                for n in range(1, self.iterations + 1)
            ),
        )

    def _draft(self, iteration: int) -> tuple[str, list[Location]]:
        parts = [f"# Stations {self.words(0)}\n\n"]
        places: list[Location] = []
        at, line = len(parts[0]), 3
        for n in range(self.claims):
            said = f"Station {n} produced {1000 + n} gigawatt hours in {2000 + iteration}"
            # A text that reorders what follows it must end with its paragraph.
            part = f"{said} {self.words(n)}.".rstrip(" .") + "."
            places.append(Location(line, 1, at, at + len(part), f"Stations {self.words(n)}"))
            parts.append(f"{part}\n\n" if self.words(n) or n % 5 == 4 else f"{part}\n")
            at, line = at + len(parts[-1]), line + parts[-1].count("\n")
        return "".join(parts), places

    def _claim(self, n: int, place: Location) -> Claim:
        return Claim(
            f"c-{n:08x}",
            f"Station {n} produced {1000 + n} gigawatt hours. {self.words(n)}",
            place,
            n,
            _KINDS[n % len(_KINDS)],
            ClaimCategory.GENERAL,
            context=f"context {self.words(n)}" if self.words(n) else "",
            load_bearing=n % 7 == 0,
            exclusion=self.words(n),
        )

    def _assessment(self, n: int, claim: Claim) -> ClaimAssessment:
        words = self.words(n)
        slot = SlotCheck(SlotKind.NUMBER, SlotOutcome.MISMATCH, f"1 {words}", f"2 {words}", 0.1)
        verdict = _VERDICTS[n % len(_VERDICTS)]
        return ClaimAssessment(claim.id, verdict, CitationState.DIRECT, words, slots=(slot,))

    def _entry(self, n: int, claim: Claim, sources: list[Source]) -> LedgerEntry:
        words, source = self.words(n), sources[n % len(sources)]
        assert source.snapshot is not None
        number = n % len(sources)
        said = quote(number, self.words(number))
        start = len(f"Before {self.words(number)}. ")
        evidence = WeighedEvidence(
            source.url,
            source.snapshot.sha256,
            said,
            start,
            start + len(said),
            Stance.SUPPORTS if n % 2 else Stance.CONTRADICTS,
            strength=0.75,
            credibility=0.6,
        )
        change = StateChange(1, None, ClaimState.SUPPORTED, Checker.ENGINE, f"because {words}")
        note = ChallengeNote(ChallengeStep.LINKS, ChallengeOutcome.STOOD, f"stood {words}")
        return LedgerEntry(
            claim.id,
            claim.text,
            claim.location,
            _VERDICTS[n % len(_VERDICTS)],
            CitationState.DIRECT,
            f"the source has it {words}",
            open_slot=n % 50 == 49,
            checked_by=(Checker.ENGINE, Checker.FACT_CHECKER),
            evidence=(evidence,),
            tier=SupportTier.VERIFIED if n % 3 else None,
            confidence=0.5,
            history=(change,),
            challenges=(note,),
            contradicts=(f"c-{(n + 1) % self.claims:08x}",) if n % 11 == 0 else (),
        )

    def _findings(self, entries: tuple[LedgerEntry, ...], iteration: int) -> Iterator[Finding]:
        for n, entry in enumerate(entries):
            if n % 4 == iteration % 2 or self.words(n):
                words = self.words(n)
                yield Finding(
                    f"f-{n:010x}",
                    _SEVERITIES[n % len(_SEVERITIES)],
                    IssueType.NUMERIC_ERROR,
                    f"claim {words}",
                    f"problem {words}",
                    origin=f"checker {words}",
                    location=entry.location,
                    evidence=f"shown {words}",
                    recommendation=f"advice {words}",
                    claim_id=entry.claim_id,
                )

    def _outcome(self, iteration: int, findings: tuple[Finding, ...]) -> IterationOutcome:
        words = self.words(0)
        vote = CriticOutcome(Recommendation.APPROVE, None, 0.5, False, False)
        order = sorted(findings, key=lambda finding: finding.severity.rank)
        fault = {f"critic {words}": f"timeout: {words}"}
        missing = tuple(one for n in range(min(self.claims, 40)) if (one := self.words(n)))
        return IterationOutcome(iteration, {"reviewer": vote}, fault, tuple(order), True, missing)

    def _gate(self, words: str) -> GateResult:
        metrics = GateMetrics(self.claims, self.claims, 5, 1, 1, 1, 0, 0, 0, 0.9)
        return GateResult(
            GateDecision.PASS,
            f"document{words[:300]}",
            f"rate {words}",
            f"enough {words}",
            f"fewer {words}",
            metrics,
            limits=(GateLimit(f"rate {words[:300]}", 0.9, 0.8),),
        )

    def _critique(self, iteration: int, words: str) -> Critique:
        score = DimensionScore(0.5, 1.0, f"why {words}", f"do {words}")
        whole = dict.fromkeys(Dimension, score)
        return Critique(iteration, 0.5, 0.7, False, None, whole, (), ())

    def _reliability(self, sources: dict[str, Source]) -> SourceReliability:
        ratings = tuple(self._rating(n, one) for n, one in enumerate(sources.values()))
        gaps = (Gap(GapType.OUTDATED_SOURCES, f"old {self.words(0)}", f"new {self.words(1)}"),)
        return SourceReliability(date(2026, 1, 2), f"topic {self.words(0)}", ratings, gaps)

    def _rating(self, n: int, source: Source) -> SourceRating:
        words = self.words(n)
        override = Override(source.url, Tier.T2, f"by {words}", NOW, f"why {words}")
        chosen = override if words else None
        return rating_of(n, source, words, dated=date(2025, 1, 1), override=chosen)


def sources_of(words: Words, claims: int, snapshots: SnapshotStore, more: int = 0) -> list[Source]:
    """What the claims rest on, which says `more` of each station than `quote` has."""
    found: list[Source] = []
    for n in range(max(1, claims // _PER_SOURCE) if not words(0) else claims):
        said, url = words(n), f"https://example.org/{n}"
        text = f"Before {said}. {quote(n, said, more)} After {said}.\n" + f"Filler {n}. " * 300
        body = text.encode("utf-8", "surrogatepass")
        digest = sha256_hex(body)
        chain, kind = (url, f"{url}/there{said}"), f"text/plain{said}"
        title = f"Source {n} {said}"
        snapshot = Snapshot(digest, digest, chain, NOW, 200, kind, len(body), title=title)
        snapshots.put(body, text, snapshot)
        found.append(Source(said or url, SourceState.OK, f"read {said}", snapshot))
    return found


def rating_of(n: int, source: Source, words: str, **more: Any) -> SourceRating:
    """How source `n` is rated."""
    tier = tuple(Tier)[n % len(Tier)]
    part = Part(5, 10, f"reason {words}", (words,))
    names = ("authority", "recency", "completeness", "relevance")
    return SourceRating(
        source.url,
        source.state,
        f"read {words}",
        tier.name,
        tier.badge,
        ConfidenceMark.MEDIUM,
        50,
        0.5,
        dict.fromkeys(names, part),
        f"class {words}",
        0.5,
        title=f"Source {n} {words}",
        author=f"author {words}",
        conflict=f"conflict {words}",
        notes=(f"note {words}",),
        **more,
    )


def quote(n: int, words: str, more: int = 0) -> str:
    """What source `n` says of its station."""
    return f"Station {n} produced {1000 + n + more} gigawatt hours {words}."

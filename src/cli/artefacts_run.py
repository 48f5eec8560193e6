"""What is in run directories alone, with the models of it."""

from __future__ import annotations

from ..assembly.runs import RunConfig
from ..core.artefacts import FactCheck, Judgement, ReviewerFeedback
from ..core.claim_challenger import ChallengeRecord
from ..core.evidence import ClaimsFile
from ..core.outcome import IterationOutcome
from ..core.run_store import Manifest
from ..core.settlement import Settlement
from ..core.source_pool import Recovery
from ..core.work import GapSearchRecord, Material
from ..report.schemas import Artefact, Where
from ..sources.scoring.appraisal import SourceReliability
from ..sources.scoring.gaps import GapDecision as SourceGapDecision
from ..sources.scoring.model import Override
from ..verification.deepening.model import DeepeningPlan, EvidenceCritique, GapReport
from ..verification.ledger.decisions import ReviewDecision
from ..verification.model import GateResult, Ledger
from ..verification.quality.critique import Critique
from ..verification.quality.evidence_map import ClaimEvidenceMap

RUN_ARTEFACTS: tuple[Artefact, ...] = (
    Artefact(
        "run",
        Where.RUN,
        "run.json",
        Manifest,
        "The manifest of a run: what it is, how it stands, and each iteration in short.",
    ),
    Artefact(
        "run-config",
        Where.RUN,
        "config.json",
        RunConfig,
        "The settings that a run goes by, and the folders of its sources.",
    ),
    Artefact(
        "materials",
        Where.RUN,
        "materials.json",
        tuple[Material, ...],
        "The sources that the analyst was given, with their texts.",
    ),
    Artefact(
        "claims",
        Where.RUN,
        "iterations/claims_iteration_*.json",
        ClaimsFile,
        "Every claim of a draft, what code compared, and the sources that the draft cites.",
    ),
    Artefact(
        "reviewer-feedback",
        Where.RUN,
        "iterations/reviewer_feedback_iteration_*.json",
        ReviewerFeedback,
        "What the reviewer says of a draft.",
    ),
    Artefact(
        "fact-check",
        Where.RUN,
        "iterations/fact_check_iteration_*.json",
        FactCheck,
        "What the fact checker says of each claim of a draft.",
    ),
    Artefact(
        "outcome",
        Where.RUN,
        "iterations/outcome_iteration_*.json",
        IterationOutcome,
        "What an iteration came to: votes, failures and findings.",
    ),
    Artefact(
        "recovery",
        Where.RUN,
        "iterations/recovery_iteration_*.json",
        Recovery,
        "Sources that were found or cited and not read at first, and what reading them gave.",
    ),
    Artefact(
        "deepening",
        Where.RUN,
        "iterations/deepening_iteration_*.json",
        GapSearchRecord,
        "What was asked for the gaps of an iteration, and what was found.",
    ),
    Artefact(
        "claim-ledger",
        Where.RUN,
        "verify/**/claim_ledger.json",
        Ledger,
        "Every claim of an iteration with its verdict, tier and evidence.",
    ),
    Artefact(
        "claim-ledger-unreviewed",
        Where.RUN,
        "verify/**/claim_ledger_unreviewed.json",
        Ledger,
        "The same ledger before people's decisions were laid over it.",
    ),
    Artefact(
        "gate-result",
        Where.RUN,
        "verify/**/evidence_gate_result.json",
        GateResult,
        "The evidence gate's answer, the rule that made it, and its figures.",
    ),
    Artefact(
        "source-reliability",
        Where.RUN,
        "verify/**/source_reliability.json",
        SourceReliability,
        "The sources of a draft with their scores, and the gaps among them.",
    ),
    Artefact(
        "challenge",
        Where.RUN,
        "verify/**/challenge.json",
        ChallengeRecord,
        "The challenges that claims were put to after their check.",
    ),
    Artefact(
        "claim-evidence-map",
        Where.RUN,
        "verify/**/claim_evidence_map.json",
        ClaimEvidenceMap,
        "Every sentence with a claim, and what it rests on.",
    ),
    Artefact(
        "critique",
        Where.RUN,
        "verify/**/critique.json",
        Critique,
        "A draft's score by dimensions that code can count.",
    ),
    Artefact(
        "gaps",
        Where.RUN,
        "verify/**/gaps_verify.json",
        GapReport,
        "What the evidence of an iteration lacks.",
    ),
    Artefact(
        "deepening-queries",
        Where.RUN,
        "verify/**/deepening_queries.json",
        DeepeningPlan,
        "What the next iteration is to look for.",
    ),
    Artefact(
        "evidence-critique",
        Where.RUN,
        "verify/**/evidence_critique.json",
        EvidenceCritique,
        "How the evidence of an iteration stands, for whoever revises the draft.",
    ),
    Artefact(
        "settlement",
        Where.RUN,
        "verify/**/settlement.json",
        Settlement,
        "What a policy of your own said before the approval.",
    ),
    Artefact(
        "judgement",
        Where.RUN,
        "judgement.json",
        Judgement,
        "The judge's scores, reasons and recommendation.",
    ),
    Artefact(
        "review-decisions",
        Where.RUN,
        "review_decisions.json",
        tuple[ReviewDecision, ...],
        "What people decided about claims.",
    ),
    Artefact(
        "source-overrides",
        Where.RUN,
        "source_overrides.json",
        tuple[Override, ...],
        "What people decided about sources.",
    ),
    Artefact(
        "gap-decisions",
        Where.RUN,
        "gap_decisions.json",
        tuple[SourceGapDecision, ...],
        "What people decided about gaps among the sources.",
    ),
    Artefact(
        "replay",
        Where.RUN,
        "replay.json",
        dict[str, str],
        "Of a replay: the `id` of the run that it repeats, and the `path` it lay at.",
    ),
)
"""In the order of the documentation."""

"""The published schemas, with the model of each."""

from __future__ import annotations

from typing import TypeAlias

from foureyes.agents.rules import FactCheckerRules, JudgeRules
from foureyes.assembly.diagnosis import Diagnosis
from foureyes.assembly.record_config import ReviewRunConfig, RunConfig
from foureyes.assembly.reviewing import FileDecision
from foureyes.assembly.validator import ValidationRecord
from foureyes.backends.claude.settings import Prices
from foureyes.backends.offline._rules import ExtractionFile, Rubric
from foureyes.batch.planning import BatchEntry, Plan
from foureyes.claims._regulations import RegulationsFile
from foureyes.claims.clauses import ClausesFile
from foureyes.claims.lexicon import ClaimsFile as ClaimWordsFile
from foureyes.claims.lexicon import FramingWords, NameBook
from foureyes.claims.model import Claim
from foureyes.claims.routing import RoutingWords
from foureyes.claims.words import WordsFile
from foureyes.cli._batch import BatchStatus
from foureyes.cli._claims import ReviewOutcome as QueueOutcome
from foureyes.cli._serve_jobs import EngineLimits
from foureyes.cli._sources import ListedSource, ScoreOutcome
from foureyes.cli._sources_decide import GapsOutcome
from foureyes.core.approval import Settlement
from foureyes.core.artefacts import Analysis as DraftAnalysis
from foureyes.core.artefacts import FactCheck, Judgement, ReviewerFeedback
from foureyes.core.brief import BriefRules, Wordings
from foureyes.core.critique import Critique
from foureyes.core.evidence_map import ClaimEvidenceMap
from foureyes.core.gaps import DeepeningPlan, GapReport
from foureyes.core.iteration import ClaimsFile, FetchedSources, IterationOutcome, Recovery
from foureyes.core.record_folder import RecordedTurn, RunEvent
from foureyes.core.result import ResultRecord
from foureyes.core.review_queue import ReviewDecision
from foureyes.core.run_analytics import AnalyticsFile
from foureyes.core.run_store import Manifest
from foureyes.core.tasks import Turn
from foureyes.core.work import EvidenceCritique, Examination, GapSearchRecord, Material
from foureyes.documents.words import DocumentWords
from foureyes.engine.work_folder import WorkManifest
from foureyes.experiments.analysis import Analysis
from foureyes.experiments.file import ExperimentFile, ImportFile
from foureyes.experiments.running import ExperimentStatus
from foureyes.packs.verify import PackReport
from foureyes.redteam.model import RedTeamRules
from foureyes.report.batch import BatchSummary, DocumentResult
from foureyes.report.check_outcome import Baseline, CheckOutcome, CheckRecord
from foureyes.report.evidence_pack import PackManifest, WrittenPack
from foureyes.report.review_report import ReviewOutcome, ReviewReport
from foureyes.report.run_text import RunOutcome
from foureyes.review.extraction import LimitRules
from foureyes.review.store import ReviewManifest
from foureyes.review.types import (
    ClaimsTested,
    CompiledReview,
    CrossReference,
    Defences,
    Extraction,
    GateDecision,
    RedFindings,
    SmokeTested,
    WebChecked,
)
from foureyes.review.web_sources import WebReviewPolicy
from foureyes.sources.drift import SourceDrift
from foureyes.sources.knowledge.base import IndexReport, KnowledgePassage
from foureyes.sources.local_files import ListedFile
from foureyes.sources.model import Snapshot, Source
from foureyes.sources.policy import FetchPolicy, SearchPolicy
from foureyes.sources.scoring.appraisal import SourceRating, SourceReliability
from foureyes.sources.scoring.gaps import GapDecision as SourceGapDecision
from foureyes.sources.scoring.model import Override
from foureyes.sources.scoring.rules import AuthorityClasses, ScoringRules, SiteList
from foureyes.sources.search.searching import SearchRecord
from foureyes.verification.challenge.model import ChallengeRecord, ChallengeReplies
from foureyes.verification.model import GateResult, Ledger
from foureyes.verification.policy import (
    ChallengePolicy,
    CritiquePolicy,
    DeepeningPolicy,
    GateProfiles,
    VerificationPolicy,
)
from foureyes.verification.severity import SeverityPolicy
from schema_text import Artefact, Undescribed, Where
from settings_files import FolderSettingsFile, SettingsFile

StepResult: TypeAlias = (
    Turn
    | Examination
    | DraftAnalysis
    | Judgement
    | FetchedSources
    | ChallengeReplies
    | GapSearchRecord
    | Settlement
)
"""Result of a finished step, as the journal stores it."""

# fmt: off
ARTEFACTS: tuple[Artefact, ...] = (
    Artefact("run", Where.RUN, "run.json", Manifest,
             "Manifest: state of the run, and each iteration in short."),
    Artefact("run-config", Where.RUN, "config.json", RunConfig,
             "Settings of the run, and the folders of its sources."),
    Artefact("materials", Where.RUN, "materials.json", tuple[Material, ...],
             "Sources for the analyst, with their texts."),
    Artefact("claims", Where.RUN, "iterations/claims_iteration_*.json", ClaimsFile,
             "Claims of a draft, comparisons by code, and the sources that it cites."),
    Artefact("reviewer-feedback", Where.RUN,
             "iterations/reviewer_feedback_iteration_*.json",
             ReviewerFeedback,
             "Answer of the reviewer."),
    Artefact("fact-check", Where.RUN, "iterations/fact_check_iteration_*.json", FactCheck,
             "Answer of the fact checker on each claim."),
    Artefact("outcome", Where.RUN, "iterations/outcome_iteration_*.json", IterationOutcome,
             "Votes, failures and findings of an iteration."),
    Artefact("recovery", Where.RUN, "iterations/recovery_iteration_*.json", Recovery,
             "Sources that were read later than others."),
    Artefact("deepening", Where.RUN, "iterations/deepening_iteration_*.json", GapSearchRecord,
             "Searches for the gaps of an iteration, with results."),
    Artefact("claim-ledger", Where.RUN, "verify/**/claim_ledger.json", Ledger,
             "Every claim with its verdict, tier and evidence."),
    Artefact("claim-ledger-unreviewed", Where.RUN, "verify/**/claim_ledger_unreviewed.json", Ledger,
             "The ledger before people's decisions."),
    Artefact("gate-result", Where.RUN, "verify/**/evidence_gate_result.json", GateResult,
             "Answer of the evidence gate, its rule and figures."),
    Artefact("source-reliability", Where.RUN,
             "verify/**/source_reliability.json",
             SourceReliability,
             "Sources with their scores, and gaps among them."),
    Artefact("challenge", Where.RUN, "verify/**/challenge.json", ChallengeRecord,
             "Challenges of claims after their check."),
    Artefact("claim-evidence-map", Where.RUN, "verify/**/claim_evidence_map.json", ClaimEvidenceMap,
             "Every sentence with a claim, and its evidence."),
    Artefact("critique", Where.RUN, "verify/**/critique.json", Critique,
             "Scores of a draft by dimensions."),
    Artefact("gaps", Where.RUN, "verify/**/gaps_verify.json", GapReport,
             "Gaps in the evidence."),
    Artefact("deepening-queries", Where.RUN, "verify/**/deepening_queries.json", DeepeningPlan,
             "Queries for the next iteration."),
    Artefact("evidence-critique", Where.RUN, "verify/**/evidence_critique.json", EvidenceCritique,
             "Notes on the evidence for the next draft."),
    Artefact("settlement", Where.RUN, "verify/**/settlement.json", Settlement,
             "Answer of your settlement policy."),
    Artefact("judgement", Where.RUN, "judgement.json", Judgement,
             "Scores, reasons and recommendation of the judge."),
    Artefact("review-decisions", Where.RUN, "review_decisions.json", tuple[ReviewDecision, ...],
             "People's decisions about claims."),
    Artefact("source-overrides", Where.RUN, "source_overrides.json", tuple[Override, ...],
             "People's decisions about sources."),
    Artefact("gap-decisions", Where.RUN, "gap_decisions.json", tuple[SourceGapDecision, ...],
             "People's decisions about gaps."),
    Artefact("replay", Where.RUN, "replay.json", dict[str, str],
             "Of a replay: `id` and `path` of the run that it repeats."),
    Artefact("review", Where.REVIEW, "review.json", ReviewManifest,
             "Manifest: document, state, sealed findings."),
    Artefact("review-config", Where.REVIEW, "config.json", ReviewRunConfig,
             "Settings of the review, and its sources."),
    Artefact("red-findings", Where.REVIEW, "red_findings.json", RedFindings,
             "Findings of the red reviewers."),
    Artefact("defences", Where.REVIEW, "defences.json", Defences,
             "Defence against each finding."),
    Artefact("compiled", Where.REVIEW, "compiled.json", CompiledReview,
             "Findings at the gate, and those that were refuted."),
    Artefact("gate-decision", Where.REVIEW, "gate_decision.json", GateDecision,
             "Who let the review go on or stopped it, and when."),
    Artefact("smoke", Where.REVIEW, "smoke.json", SmokeTested,
             "Findings that hold, and those whose quotation did not."),
    Artefact("review-claims", Where.REVIEW, "claims.json", Extraction,
             "Claims, and sentences that are none."),
    Artefact("claim-smoke", Where.REVIEW, "claim_smoke.json", ClaimsTested,
             "Claims that agree with the document, and others."),
    Artefact("web", Where.REVIEW, "web.json", WebChecked,
             "Searches and sources outside, with a verdict on each claim."),
    Artefact("cross-reference", Where.REVIEW, "cross_reference.json", CrossReference,
             "Findings beside each claim that was looked up."),
    Artefact("review-report", Where.REVIEW, "report.json", ReviewReport,
             "The whole report."),
    Artefact("events", Where.BOTH, "events.jsonl", RunEvent,
             "What happened, one event a line, oldest first.", lines=True),
    Artefact("analytics", Where.BOTH, "analytics.json", AnalyticsFile,
             "Use and findings of each agent, by iteration."),
    Artefact("journal-step", Where.BOTH, "journal/*.json", StepResult,
             "Result of a finished step; its form depends on the step in the file's name."),
    Artefact("turn", Where.BOTH, "turns/*.json", RecordedTurn,
             "One call of a backend with its answer, by hashes."),
    Artefact("search", Where.BOTH, "searches/*.json", SearchRecord,
             "One search, with the answer."),
    Artefact("snapshot", Where.BOTH, "sources/*.json", Snapshot,
             "Metadata of a snapshot."),
    Artefact("source", Where.BOTH, "sources/index/*.json", Source,
             "State of a source, and its snapshot."),
    Artefact("versions", Where.BOTH, "versions.json", dict[str, str],
             "Versions of foureyes, Python and libraries."),
    Artefact("pack-manifest", Where.PACK, "manifest.json", PackManifest,
             "Files of the pack, with sizes and hashes."),
    Artefact("batch", Where.BATCH, "batch.json", WorkManifest,
             "Manifest: state of the batch, and the round of its jobs."),
    Artefact("batch-plan", Where.BATCH, "plan.json", Plan,
             "Task, documents and settings."),
    Artefact("batch-result", Where.BATCH, "results.jsonl", DocumentResult,
             "Result of a document; its first line counts.", lines=True),
    Artefact("batch-summary", Where.BATCH, "summary.json", BatchSummary,
             "Sums, and each document, the worst first."),
    Artefact("check-record", Where.BATCH, "**/check.json", CheckRecord,
             "The check of one document, with its evidence."),
    Artefact("batch-entry", Where.USER, "the file of `foureyes batch`", BatchEntry,
             "A document on each line.", lines=True),
    Artefact("output-batch", Where.OUTPUT,
             "foureyes batch run --json, foureyes batch resume --json, foureyes batch report "
             "--json",
             BatchSummary,
             "What the batch came to; its directory keeps it as summary.json."),
    Artefact("output-batch-status", Where.OUTPUT, "foureyes batch status --json", BatchStatus,
             "How far a batch is."),
    Artefact("output-run", Where.OUTPUT, "foureyes run --json, foureyes resume --json", RunOutcome,
             "How the run ended, and where it lies."),
    Artefact("result", Where.CALL, "PipelineResult.to_dict()", ResultRecord,
             "End of a run, its text and its claims."),
    Artefact("validation", Where.CALL, "ValidationResult.to_dict()", ValidationRecord,
             "Answer of a validator, with the whole check behind it."),
    Artefact("output-check", Where.OUTPUT, "foureyes check --json", CheckOutcome,
             "What was found in one document.", lines=True),
    Artefact("output-review", Where.OUTPUT, "foureyes review --json", ReviewOutcome,
             "How the review stands, where it lies, and its report."),
    Artefact("output-review-queue", Where.OUTPUT, "foureyes claims decide --json", QueueOutcome,
             "What waits for a person, and the gate with the decisions so far."),
    Artefact("output-claims", Where.OUTPUT, "foureyes claims list --json", tuple[Claim, ...],
             "The claims of the document."),
    Artefact("experiment", Where.USER, "the file of `foureyes experiment run`", ExperimentFile,
             "Items, variants and metrics."),
    Artefact("experiment-import", Where.USER,
             "the file of `foureyes experiment import --declared`",
             ImportFile,
             "Metrics of imported results."),
    Artefact("output-experiment", Where.OUTPUT,
             "foureyes experiment run --json, foureyes experiment resume --json, foureyes "
             "experiment report --json, foureyes experiment compare --json, foureyes "
             "experiment import --json",
             Analysis,
             "What an experiment shows; an experiment directory keeps it as analysis.json."),
    Artefact("output-experiment-status", Where.OUTPUT,
             "foureyes experiment status --json",
             ExperimentStatus,
             "How far an experiment is."),
    Artefact("output-limits", Where.OUTPUT, "foureyes serve limits --json", EngineLimits,
             "What all workers of an engine may call."),
    Artefact("output-pack", Where.OUTPUT, "foureyes pack create --json", WrittenPack,
             "The pack that was written, and its digest."),
    Artefact("output-verify-pack", Where.OUTPUT, "foureyes pack verify --json", PackReport,
             "Each check of the pack, and what differs."),
    Artefact("output-doctor", Where.OUTPUT, "foureyes doctor --json", Diagnosis,
             "What is installed, every setting with where it came from, and what is missing."),
    Artefact("output-kb-add", Where.OUTPUT, "foureyes sources index --json", IndexReport,
             "What was indexed, and what was skipped."),
    Artefact("output-kb-search", Where.OUTPUT,
             "foureyes sources search --json",
             tuple[KnowledgePassage, ...],
             "The passages that come nearest."),
    Artefact("output-sources-fetch", Where.OUTPUT,
             "foureyes sources fetch --json",
             tuple[Source, ...],
             "What each address gave."),
    Artefact("output-sources-list", Where.OUTPUT,
             "foureyes sources list --json",
             tuple[ListedSource, ...],
             "The sources of a run with their scores."),
    Artefact("output-sources-diff", Where.OUTPUT,
             "foureyes sources diff --json",
             tuple[SourceDrift, ...],
             "Each stored source against the live page."),
    Artefact("output-sources-score", Where.OUTPUT, "foureyes sources score --json", ScoreOutcome,
             "The scores of addresses, and the gaps among them."),
    Artefact("output-sources-gaps", Where.OUTPUT, "foureyes sources gaps --json", GapsOutcome,
             "The gaps among the sources of a run, and what was decided about them."),
    Artefact("output-sources-override", Where.OUTPUT, "foureyes sources override --json", Override,
             "The decision as it was recorded."),
    Artefact("output-sources-review", Where.OUTPUT,
             "foureyes sources review --json",
             tuple[SourceRating, ...],
             "The sources that wait for a person."),
    Artefact("folder-settings", Where.USER, "foureyes.yaml", FolderSettingsFile,
             "Settings of the working folder: not backend, models, addresses, providers, folders, "
             "your own code or budgets."),
    Artefact("settings", Where.USER, "--config FILE", SettingsFile,
             "Settings: the file named by `--config`, or your own in your config folder."),
    Artefact("baseline", Where.USER, "--baseline FILE", Baseline,
             "Accepted findings, which do not count."),
    Artefact("decisions", Where.USER, "--decisions FILE", list[FileDecision],
             "Your decisions for `foureyes claims decide`."),
    Artefact("listing", Where.USER, "sources.yaml", list[ListedFile],
             "Titles and dates of the files of a folder."),
    Artefact("registry-authority", Where.REGISTRY, "authority.yaml", AuthorityClasses,
             "Classes of sites: points, weight, tier, form of citation."),
    Artefact("registry-brief", Where.REGISTRY, "brief.yaml", BriefRules,
             "Wording of briefs."),
    Artefact("registry-challenge", Where.REGISTRY, "challenge.yaml", ChallengePolicy,
             "Which claims are challenged."),
    Artefact("registry-claims", Where.REGISTRY, "claims.yaml", ClaimWordsFile,
             "Words that make a sentence a claim."),
    Artefact("registry-clauses", Where.REGISTRY, "clauses.yaml", ClausesFile,
             "Words around verbs."),
    Artefact("registry-critique", Where.REGISTRY, "critique.yaml", CritiquePolicy,
             "Dimensions of the critique, weights and limits."),
    Artefact("registry-deepening", Where.REGISTRY, "deepening.yaml", DeepeningPolicy,
             "When gaps in the evidence are searched."),
    Artefact("registry-documents", Where.REGISTRY, "documents.yaml", DocumentWords,
             "Words that name parts of a document."),
    Artefact("registry-entities", Where.REGISTRY, "entities.yaml", NameBook,
             "Words in names."),
    Artefact("registry-extraction", Where.REGISTRY, "extraction.yaml", ExtractionFile,
             "How the offline analyst picks sentences."),
    Artefact("registry-fact-checker", Where.REGISTRY, "fact_checker.yaml", FactCheckerRules,
             "Severities of the fact checker's issues."),
    Artefact("registry-fetch", Where.REGISTRY, "fetch.yaml", FetchPolicy,
             "Limits of fetching."),
    Artefact("registry-framing", Where.REGISTRY, "framing.yaml", FramingWords,
             "Words about the document itself, and of plans."),
    Artefact("registry-gate", Where.REGISTRY, "gate.yaml", GateProfiles,
             "Limits of the evidence gate, by profile."),
    Artefact("registry-judge", Where.REGISTRY, "judge.yaml", JudgeRules,
             "Lowest scores of the judge for an approval."),
    Artefact("registry-redteam", Where.REGISTRY, "redteam.yaml", RedTeamRules,
             "Rules of the red reviewers."),
    Artefact("registry-regulations", Where.REGISTRY, "regulations.yaml", RegulationsFile,
             "References to laws, rules and standards."),
    Artefact("registry-routing", Where.REGISTRY, "routing.yaml", RoutingWords,
             "Words that decide who can check a claim."),
    Artefact("registry-rubric", Where.REGISTRY, "rubric.yaml", Rubric,
             "Limits of the offline reviewer."),
    Artefact("registry-scoring", Where.REGISTRY, "scoring.yaml", ScoringRules,
             "Points, tiers and weights of sources."),
    Artefact("registry-prices", Where.REGISTRY, "prices.yaml", Prices,
             "Prices of models that the CLI does not know."),
    Artefact("registry-search", Where.REGISTRY, "search.yaml", SearchPolicy,
             "Limits of searching."),
    Artefact("registry-severity", Where.REGISTRY, "severity.yaml", SeverityPolicy,
             "Severity of each finding, and which strictness rejects what."),
    Artefact("registry-smoke", Where.REGISTRY, "smoke.yaml", LimitRules,
             "Words that a claim may not leave out."),
    Artefact("registry-verification", Where.REGISTRY, "verification.yaml", VerificationPolicy,
             "Thresholds of the comparison with sources."),
    Artefact("registry-web-review", Where.REGISTRY, "web_review.yaml", WebReviewPolicy,
             "Limits of a review's look-ups."),
    Artefact("registry-wording", Where.REGISTRY, "wording.yaml", Wordings,
             "Wording of drafts, by language."),
    Artefact("registry-words", Where.REGISTRY, "words.yaml", WordsFile,
             "Forms of words, and words that say little."),
    Artefact("registry-sites", Where.REGISTRY, "sites_*.yaml", SiteList,
             "Class of each site."),
)
# fmt: on
"""Everything with a published schema, by folder and in the order of the documentation."""

UNDESCRIBED: tuple[Undescribed, ...] = (
    Undescribed("**/*.md", "Markdown"),
    Undescribed("report.html", "a page for a browser"),
    Undescribed("evidence_pack.zip", "these files in one zip"),
    Undescribed("iterations/*.json", "what a critic of your own leaves"),
    Undescribed("sources/*.txt", "the text of a snapshot"),
    Undescribed("sources/*", "the bytes of a snapshot"),
    Undescribed("turns/texts/*.gz", "an input of a turn, compressed"),
    Undescribed("source_validation.log", "a line for each scoring of sources"),
    Undescribed("original/*", "the document under review"),
    Undescribed("given/**", "files that you gave"),
    Undescribed("rules/**", "your registry, prompts and templates"),
    Undescribed(".*", "a lock of the process at work"),
)
"""Files of records without a schema; patterns of `ARTEFACTS` come first."""

"""The published schemas, with the model of each."""

from __future__ import annotations

from typing import TypeAlias

from foureyes.agents.rules import FactCheckerRules, JudgeRules
from foureyes.assembly.model import FolderSettingsFile, SettingsFile
from foureyes.assembly.record_config import ReviewRunConfig, RunConfig
from foureyes.backends.claude.settings import Prices
from foureyes.backends.offline.rules import ExtractionFile, Rubric
from foureyes.batch.entries import BatchEntry
from foureyes.batch.planning import Plan
from foureyes.claims.clauses import ClausesFile
from foureyes.claims.files import ClaimsFile as ClaimWordsFile
from foureyes.claims.files import WordsFile
from foureyes.claims.framing import FramingFile
from foureyes.claims.lexicon import EntitiesFile
from foureyes.claims.model import Claim
from foureyes.claims.regulations import RegulationsFile
from foureyes.claims.routing import RoutingFile
from foureyes.cli.batch import BatchStatus
from foureyes.cli.doctor import Diagnosis
from foureyes.cli.engines import EngineLimits
from foureyes.cli.outcome import RunOutcome
from foureyes.cli.review_queue import FileDecision
from foureyes.cli.review_queue import ReviewOutcome as QueueOutcome
from foureyes.cli.reviewing import ReviewOutcome
from foureyes.cli.sources import ListedSource, ScoreOutcome
from foureyes.cli.sources_decide import GapsOutcome
from foureyes.core.artefacts import Analysis as DraftAnalysis
from foureyes.core.artefacts import FactCheck, Judgement, ReviewerFeedback
from foureyes.core.brief import BriefRules, Wordings
from foureyes.core.evidence_records import ClaimsFile, FetchedSources, Recovery
from foureyes.core.outcome import IterationOutcome
from foureyes.core.record_folder import RunEvent
from foureyes.core.result import ResultRecord
from foureyes.core.run_analytics import AnalyticsFile
from foureyes.core.run_store import Manifest
from foureyes.core.settlement import Settlement
from foureyes.core.tasks import Turn
from foureyes.core.turn_log import RecordedTurn
from foureyes.core.work import Examination, GapSearchRecord, Material
from foureyes.documents.words import DocumentWords
from foureyes.engine.work_folder import WorkManifest
from foureyes.experiments.analysis import Analysis
from foureyes.experiments.file import ExperimentFile
from foureyes.experiments.importing.building import ImportFile
from foureyes.experiments.running import ExperimentStatus
from foureyes.packs.verify import PackReport
from foureyes.redteam.rules import RedTeamRules
from foureyes.report.baseline import Baseline
from foureyes.report.batch import BatchSummary, DocumentResult
from foureyes.report.check_outcome import CheckOutcome, CheckRecord
from foureyes.report.evidence_pack import PackManifest, WrittenPack
from foureyes.report.review_report import ReviewReport
from foureyes.review.cross_reference import CrossReference
from foureyes.review.extraction import Extraction
from foureyes.review.limits import LimitRules
from foureyes.review.outside import Outside
from foureyes.review.source_notes import WebReviewPolicy
from foureyes.review.store import ReviewManifest
from foureyes.review.types import (
    ClaimsTested,
    CompiledReview,
    Defences,
    GateDecision,
    RedFindings,
    SmokeTested,
    WebChecked,
)
from foureyes.sources.drift import SourceDrift
from foureyes.sources.knowledge.store import IndexReport, KnowledgePassage
from foureyes.sources.local_files import ListedFile
from foureyes.sources.model import Snapshot, Source
from foureyes.sources.policy import FetchPolicy, SearchPolicy
from foureyes.sources.scoring.appraisal import SourceRating, SourceReliability
from foureyes.sources.scoring.gaps import GapDecision as SourceGapDecision
from foureyes.sources.scoring.model import Override
from foureyes.sources.scoring.rules import AuthorityClasses, ScoringRules
from foureyes.sources.scoring.sites import SiteList
from foureyes.sources.search.answers import SearchRecord
from foureyes.verification.challenge.gap_records import DeepeningPlan, EvidenceCritique, GapReport
from foureyes.verification.challenge.model import ChallengeRecord, Told
from foureyes.verification.challenge.policy import ChallengePolicy, DeepeningPolicy
from foureyes.verification.gate.policy import GateProfiles
from foureyes.verification.ledger.decisions import ReviewDecision
from foureyes.verification.model import GateResult, Ledger
from foureyes.verification.policy import VerificationPolicy
from foureyes.verification.quality.critique import Critique
from foureyes.verification.quality.evidence_map import ClaimEvidenceMap
from foureyes.verification.quality.policy import CritiquePolicy
from foureyes.verification.severity import SeverityPolicy
from schema_text import Artefact, Undescribed, Where

StepResult: TypeAlias = (
    Turn
    | Examination
    | DraftAnalysis
    | Judgement
    | FetchedSources
    | Told
    | GapSearchRecord
    | Settlement
    | Outside
)
"""Result of a finished step, as the journal stores it."""

# fmt: off
ARTEFACTS: tuple[Artefact, ...] = (
    Artefact("run", Where.RUN, "run.json", Manifest,
             "The manifest of a run: what it is, how it stands, and each iteration in short."),
    Artefact("run-config", Where.RUN, "config.json", RunConfig,
             "The settings that a run goes by, and the folders of its sources."),
    Artefact("materials", Where.RUN, "materials.json", tuple[Material, ...],
             "The sources that the analyst was given, with their texts."),
    Artefact("claims", Where.RUN, "iterations/claims_iteration_*.json", ClaimsFile,
             "Every claim of a draft, what code compared, and the sources that the draft cites."),
    Artefact("reviewer-feedback", Where.RUN,
             "iterations/reviewer_feedback_iteration_*.json",
             ReviewerFeedback,
             "What the reviewer says of a draft."),
    Artefact("fact-check", Where.RUN, "iterations/fact_check_iteration_*.json", FactCheck,
             "What the fact checker says of each claim of a draft."),
    Artefact("outcome", Where.RUN, "iterations/outcome_iteration_*.json", IterationOutcome,
             "What an iteration came to: votes, failures and findings."),
    Artefact("recovery", Where.RUN, "iterations/recovery_iteration_*.json", Recovery,
             "Sources that were found or cited and not read at first, and what reading them gave."),
    Artefact("deepening", Where.RUN, "iterations/deepening_iteration_*.json", GapSearchRecord,
             "What was asked for the gaps of an iteration, and what was found."),
    Artefact("claim-ledger", Where.RUN, "verify/**/claim_ledger.json", Ledger,
             "Every claim of an iteration with its verdict, tier and evidence."),
    Artefact("claim-ledger-unreviewed", Where.RUN, "verify/**/claim_ledger_unreviewed.json", Ledger,
             "The same ledger before people's decisions were laid over it."),
    Artefact("gate-result", Where.RUN, "verify/**/evidence_gate_result.json", GateResult,
             "The evidence gate's answer, the rule that made it, and its figures."),
    Artefact("source-reliability", Where.RUN,
             "verify/**/source_reliability.json",
             SourceReliability,
             "The sources of a draft with their scores, and the gaps among them."),
    Artefact("challenge", Where.RUN, "verify/**/challenge.json", ChallengeRecord,
             "The challenges that claims were put to after their check."),
    Artefact("claim-evidence-map", Where.RUN, "verify/**/claim_evidence_map.json", ClaimEvidenceMap,
             "Every sentence with a claim, and what it rests on."),
    Artefact("critique", Where.RUN, "verify/**/critique.json", Critique,
             "A draft's score by dimensions that code can count."),
    Artefact("gaps", Where.RUN, "verify/**/gaps_verify.json", GapReport,
             "What the evidence of an iteration lacks."),
    Artefact("deepening-queries", Where.RUN, "verify/**/deepening_queries.json", DeepeningPlan,
             "What the next iteration is to look for."),
    Artefact("evidence-critique", Where.RUN, "verify/**/evidence_critique.json", EvidenceCritique,
             "How the evidence of an iteration stands, for whoever revises the draft."),
    Artefact("settlement", Where.RUN, "verify/**/settlement.json", Settlement,
             "What a policy of your own said before the approval."),
    Artefact("judgement", Where.RUN, "judgement.json", Judgement,
             "The judge's scores, reasons and recommendation."),
    Artefact("review-decisions", Where.RUN, "review_decisions.json", tuple[ReviewDecision, ...],
             "What people decided about claims."),
    Artefact("source-overrides", Where.RUN, "source_overrides.json", tuple[Override, ...],
             "What people decided about sources."),
    Artefact("gap-decisions", Where.RUN, "gap_decisions.json", tuple[SourceGapDecision, ...],
             "What people decided about gaps among the sources."),
    Artefact("replay", Where.RUN, "replay.json", dict[str, str],
             "Of a replay: the `id` of the run that it repeats, and the `path` it lay at."),
    Artefact("review", Where.REVIEW, "review.json", ReviewManifest,
             "The manifest of a review: the document, how the review stands, the sealed findings."),
    Artefact("review-config", Where.REVIEW, "config.json", ReviewRunConfig,
             "The settings that a review goes by, and the sources given."),
    Artefact("red-findings", Where.REVIEW, "red_findings.json", RedFindings,
             "What the red reviewers hold against the document."),
    Artefact("defences", Where.REVIEW, "defences.json", Defences,
             "What was said for the document, finding by finding."),
    Artefact("compiled", Where.REVIEW, "compiled.json", CompiledReview,
             "The findings as a person sees them at the gate, and those that were refuted."),
    Artefact("gate-decision", Where.REVIEW, "gate_decision.json", GateDecision,
             "Who let the review go on or stopped it, and when."),
    Artefact("smoke", Where.REVIEW, "smoke.json", SmokeTested,
             "The findings that stand, and those whose quotation did not hold."),
    Artefact("review-claims", Where.REVIEW, "claims.json", Extraction,
             "The claims of the document, and the sentences that are none."),
    Artefact("claim-smoke", Where.REVIEW, "claim_smoke.json", ClaimsTested,
             "The claims that say what the document says, and the others."),
    Artefact("web", Where.REVIEW, "web.json", WebChecked,
             "What was looked for outside, what was read, and what that says of each claim."),
    Artefact("cross-reference", Where.REVIEW, "cross_reference.json", CrossReference,
             "Beside each claim that was looked up, the findings that touch it."),
    Artefact("review-report", Where.REVIEW, "report.json", ReviewReport,
             "The whole report of a review for programs."),
    Artefact("events", Where.BOTH, "events.jsonl", RunEvent,
             "What happened, one event a line, oldest first.", lines=True),
    Artefact("analytics", Where.BOTH, "analytics.json", AnalyticsFile,
             "What each agent did, used and found, by iteration."),
    Artefact("journal-step", Where.BOTH, "journal/*.json", StepResult,
             "What a finished step came to, so that it is not done again; its form depends on "
             "the step that the file is named after."),
    Artefact("turn", Where.BOTH, "turns/*.json", RecordedTurn,
             "One call of a backend, by the hashes of what it was given, with its answer."),
    Artefact("search", Where.BOTH, "searches/*.json", SearchRecord,
             "One question to a search provider, with the answer."),
    Artefact("snapshot", Where.BOTH, "sources/*.json", Snapshot,
             "What is known of a stored copy of a source."),
    Artefact("source", Where.BOTH, "sources/index/*.json", Source,
             "What an address gave: its state, and the copy if there is one."),
    Artefact("versions", Where.BOTH, "versions.json", dict[str, str],
             "The versions of foureyes, Python and the libraries that decide what is read."),
    Artefact("pack-manifest", Where.PACK, "manifest.json", PackManifest,
             "The members of a pack, with their sizes and hashes."),
    Artefact("batch", Where.BATCH, "batch.json", WorkManifest,
             "The manifest of a batch: where it stands, and the round of its jobs."),
    Artefact("batch-plan", Where.BATCH, "plan.json", Plan,
             "What is done with which documents, under which settings."),
    Artefact("batch-result", Where.BATCH, "results.jsonl", DocumentResult,
             "What one document came to; the first line of a document counts.", lines=True),
    Artefact("batch-summary", Where.BATCH, "summary.json", BatchSummary,
             "Sums over all documents, and each, the worst first."),
    Artefact("check-record", Where.BATCH, "**/check.json", CheckRecord,
             "The check of one document, with all that it was concluded from."),
    Artefact("batch-entry", Where.USER, "the file of `foureyes batch`", BatchEntry,
             "A document of a batch, one on each line.", lines=True),
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
             "How a run ended, its text and its claims."),
    Artefact("output-check", Where.OUTPUT, "foureyes check --json", CheckOutcome,
             "What was found in one document.", lines=True),
    Artefact("output-review", Where.OUTPUT, "foureyes review --json", ReviewOutcome,
             "How the review stands, where it lies, and its report."),
    Artefact("output-review-queue", Where.OUTPUT, "foureyes review-queue --json", QueueOutcome,
             "What waits for a person, and the gate with the decisions so far."),
    Artefact("output-claims", Where.OUTPUT, "foureyes claims --json", tuple[Claim, ...],
             "The claims of the document."),
    Artefact("experiment", Where.USER, "the file of `foureyes experiment run`", ExperimentFile,
             "What is compared, on what, by which metrics."),
    Artefact("experiment-import", Where.USER,
             "the file of `foureyes experiment import --declared`",
             ImportFile,
             "What is declared of imported results."),
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
    Artefact("output-limits", Where.OUTPUT, "foureyes limits --json", EngineLimits,
             "What all workers of an engine may call."),
    Artefact("output-pack", Where.OUTPUT, "foureyes pack --json", WrittenPack,
             "The pack that was written, and its digest."),
    Artefact("output-verify-pack", Where.OUTPUT, "foureyes verify-pack --json", PackReport,
             "Each check of the pack, and what differs."),
    Artefact("output-doctor", Where.OUTPUT, "foureyes doctor --json", Diagnosis,
             "What is installed, every setting with where it came from, and what is missing."),
    Artefact("output-kb-add", Where.OUTPUT, "foureyes kb add --json", IndexReport,
             "What was indexed, and what was skipped."),
    Artefact("output-kb-search", Where.OUTPUT,
             "foureyes kb search --json",
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
             "Settings of the working folder. It may come with a document, so it cannot set "
             "backend, models, addresses, providers, folders, your own code or budgets."),
    Artefact("settings", Where.USER, "--config FILE", SettingsFile,
             "Settings: the file named by `--config`, or your own in your config folder."),
    Artefact("baseline", Where.USER, "--baseline FILE", Baseline,
             "Findings that are accepted, so that they no longer count."),
    Artefact("decisions", Where.USER, "--decisions FILE", list[FileDecision],
             "Your decisions for `foureyes review-queue`."),
    Artefact("listing", Where.USER, "sources.yaml", list[ListedFile],
             "What is known of the files of a folder of sources."),
    Artefact("registry-authority", Where.REGISTRY, "authority.yaml", AuthorityClasses,
             "The classes of sites: points, weight, tier and how they are cited."),
    Artefact("registry-brief", Where.REGISTRY, "brief.yaml", BriefRules,
             "How briefs word what they ask for."),
    Artefact("registry-challenge", Where.REGISTRY, "challenge.yaml", ChallengePolicy,
             "Which claims are challenged after their check, and how far."),
    Artefact("registry-claims", Where.REGISTRY, "claims.yaml", ClaimWordsFile,
             "The words by which claims are told from other sentences."),
    Artefact("registry-clauses", Where.REGISTRY, "clauses.yaml", ClausesFile,
             "The words by which the verbs of a sentence are found."),
    Artefact("registry-critique", Where.REGISTRY, "critique.yaml", CritiquePolicy,
             "The dimensions of the critique, their weights and bars."),
    Artefact("registry-deepening", Where.REGISTRY, "deepening.yaml", DeepeningPolicy,
             "When gaps in the evidence are looked into further."),
    Artefact("registry-documents", Where.REGISTRY, "documents.yaml", DocumentWords,
             "The words by which the parts of a document are told."),
    Artefact("registry-entities", Where.REGISTRY, "entities.yaml", EntitiesFile,
             "The words by which names are told."),
    Artefact("registry-extraction", Where.REGISTRY, "extraction.yaml", ExtractionFile,
             "How the offline analyst picks sentences from the sources."),
    Artefact("registry-fact-checker", Where.REGISTRY, "fact_checker.yaml", FactCheckerRules,
             "How bad the issues are that the fact checker raises."),
    Artefact("registry-fetch", Where.REGISTRY, "fetch.yaml", FetchPolicy,
             "Limits of fetching: sizes, times, types and states."),
    Artefact("registry-framing", Where.REGISTRY, "framing.yaml", FramingFile,
             "The words by which a document speaks of itself, and its author of plans."),
    Artefact("registry-gate", Where.REGISTRY, "gate.yaml", GateProfiles,
             "The limits of the evidence gate, by profile."),
    Artefact("registry-judge", Where.REGISTRY, "judge.yaml", JudgeRules,
             "The judge's scores below which an approval is withheld."),
    Artefact("registry-redteam", Where.REGISTRY, "redteam.yaml", RedTeamRules,
             "The rules of the red reviewers."),
    Artefact("registry-regulations", Where.REGISTRY, "regulations.yaml", RegulationsFile,
             "The forms of references to laws, rules and standards."),
    Artefact("registry-routing", Where.REGISTRY, "routing.yaml", RoutingFile,
             "The words by which claims are routed to who can check them."),
    Artefact("registry-rubric", Where.REGISTRY, "rubric.yaml", Rubric,
             "The limits of the offline reviewer."),
    Artefact("registry-scoring", Where.REGISTRY, "scoring.yaml", ScoringRules,
             "How sources are scored, tiered and weighed."),
    Artefact("registry-prices", Where.REGISTRY, "prices.yaml", Prices,
             "What models cost that the CLI has no price for."),
    Artefact("registry-search", Where.REGISTRY, "search.yaml", SearchPolicy,
             "Limits of searching."),
    Artefact("registry-severity", Where.REGISTRY, "severity.yaml", SeverityPolicy,
             "How bad each sort of finding is, and what rejects."),
    Artefact("registry-smoke", Where.REGISTRY, "smoke.yaml", LimitRules,
             "The words that a claim may not leave out."),
    Artefact("registry-verification", Where.REGISTRY, "verification.yaml", VerificationPolicy,
             "The thresholds by which claims are compared with sources."),
    Artefact("registry-web-review", Where.REGISTRY, "web_review.yaml", WebReviewPolicy,
             "Limits of what a review looks up."),
    Artefact("registry-wording", Where.REGISTRY, "wording.yaml", Wordings,
             "The wording of drafts, by language."),
    Artefact("registry-words", Where.REGISTRY, "words.yaml", WordsFile,
             "Forms of words, and words that say little."),
    Artefact("registry-sites", Where.REGISTRY, "sites_*.yaml", SiteList,
             "Which site is of which class."),
)
# fmt: on
"""Everything with a published schema, by folder and in the order of the documentation."""

UNDESCRIBED: tuple[Undescribed, ...] = (
    Undescribed("**/*.md", "Markdown"),
    Undescribed("report.html", "a page for a browser"),
    Undescribed("evidence_pack.zip", "a zip of these files, with a manifest that has a schema"),
    Undescribed("iterations/*.json", "what a critic of your own leaves, in a form of its own"),
    Undescribed("sources/*.txt", "the text of a snapshot"),
    Undescribed("sources/*", "the bytes of a snapshot, as they were answered"),
    Undescribed("turns/texts/*.gz", "a text that a turn was given, compressed"),
    Undescribed("source_validation.log", "a line of text each time sources are scored"),
    Undescribed("original/*", "the document under review, as it was given"),
    Undescribed("given/**", "files that you gave, as they were"),
    Undescribed("rules/**", "your registry, prompts and templates, as they were"),
    Undescribed(".*", "held while a process works in the directory"),
)
"""Files of records without a schema; patterns of `ARTEFACTS` come first."""

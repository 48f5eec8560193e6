"""What is in run directories, review directories and packs, with the models of it."""

from __future__ import annotations

from typing import TypeAlias

from ..assembly.document_review import ReviewRunConfig
from ..core.artefacts import Analysis, Judgement
from ..core.record_folder import RunEvent
from ..core.run_analytics import AnalyticsFile
from ..core.settlement import Settlement
from ..core.source_pool import FetchedSources
from ..core.tasks import Turn
from ..core.turn_log import RecordedTurn
from ..core.work import Examination, GapSearchRecord
from ..report.pack_model import PackManifest
from ..report.review_report import ReviewReport
from ..report.schemas import Artefact, Undescribed, Where
from ..review.cross_reference import CrossReference
from ..review.extraction import Extraction
from ..review.model import (
    ClaimsTested,
    CompiledReview,
    Defences,
    GateDecision,
    RedFindings,
    SmokeTested,
    WebChecked,
)
from ..review.outside import Outside
from ..review.store import ReviewManifest
from ..sources.model import Snapshot, Source
from ..sources.search.answers import SearchRecord
from ..verification.challenge.model import Told
from .artefacts_run import RUN_ARTEFACTS

StepResult: TypeAlias = (
    Turn
    | Examination
    | Analysis
    | Judgement
    | FetchedSources
    | Told
    | GapSearchRecord
    | Settlement
    | Outside
)
"""What a finished step leaves in the journal."""

FOLDER_ARTEFACTS: tuple[Artefact, ...] = (
    *RUN_ARTEFACTS,
    Artefact(
        "review",
        Where.REVIEW,
        "review.json",
        ReviewManifest,
        "The manifest of a review: the document, how the review stands, the sealed findings.",
    ),
    Artefact(
        "review-config",
        Where.REVIEW,
        "config.json",
        ReviewRunConfig,
        "The settings that a review goes by, and the sources given.",
    ),
    Artefact(
        "red-findings",
        Where.REVIEW,
        "red_findings.json",
        RedFindings,
        "What the red reviewers hold against the document.",
    ),
    Artefact(
        "defences",
        Where.REVIEW,
        "defences.json",
        Defences,
        "What was said for the document, finding by finding.",
    ),
    Artefact(
        "compiled",
        Where.REVIEW,
        "compiled.json",
        CompiledReview,
        "The findings as a person sees them at the gate, and those that were refuted.",
    ),
    Artefact(
        "gate-decision",
        Where.REVIEW,
        "gate_decision.json",
        GateDecision,
        "Who let the review go on or stopped it, and when.",
    ),
    Artefact(
        "smoke",
        Where.REVIEW,
        "smoke.json",
        SmokeTested,
        "The findings that stand, and those whose quotation did not hold.",
    ),
    Artefact(
        "review-claims",
        Where.REVIEW,
        "claims.json",
        Extraction,
        "The claims of the document, and the sentences that are none.",
    ),
    Artefact(
        "claim-smoke",
        Where.REVIEW,
        "claim_smoke.json",
        ClaimsTested,
        "The claims that say what the document says, and the others.",
    ),
    Artefact(
        "web",
        Where.REVIEW,
        "web.json",
        WebChecked,
        "What was looked for outside, what was read, and what that says of each claim.",
    ),
    Artefact(
        "cross-reference",
        Where.REVIEW,
        "cross_reference.json",
        CrossReference,
        "Beside each claim that was looked up, the findings that touch it.",
    ),
    Artefact(
        "review-report",
        Where.REVIEW,
        "report.json",
        ReviewReport,
        "The whole report of a review for programs.",
    ),
    Artefact(
        "events",
        Where.BOTH,
        "events.jsonl",
        RunEvent,
        "What happened, one event a line, oldest first.",
        lines=True,
    ),
    Artefact(
        "analytics",
        Where.BOTH,
        "analytics.json",
        AnalyticsFile,
        "What each agent did, used and found, by iteration.",
    ),
    Artefact(
        "journal-step",
        Where.BOTH,
        "journal/*.json",
        StepResult,
        "What a finished step came to, so that it is not done again; its form depends on the step "
        "that the file is named after.",
    ),
    Artefact(
        "turn",
        Where.BOTH,
        "turns/*.json",
        RecordedTurn,
        "One call of a backend, by the hashes of what it was given, with its answer.",
    ),
    Artefact(
        "search",
        Where.BOTH,
        "searches/*.json",
        SearchRecord,
        "One question to a search provider, with the answer.",
    ),
    Artefact(
        "snapshot",
        Where.BOTH,
        "sources/*.json",
        Snapshot,
        "What is known of a stored copy of a source.",
    ),
    Artefact(
        "source",
        Where.BOTH,
        "sources/index/*.json",
        Source,
        "What an address gave: its state, and the copy if there is one.",
    ),
    Artefact(
        "versions",
        Where.BOTH,
        "versions.json",
        dict[str, str],
        "The versions of foureyes, Python and the libraries that decide what is read.",
    ),
    Artefact(
        "pack-manifest",
        Where.PACK,
        "manifest.json",
        PackManifest,
        "The members of a pack, with their sizes and hashes.",
    ),
)
"""Those that have a schema, in the order of the documentation."""

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
"""What has none; looked at after `ARTEFACTS`."""

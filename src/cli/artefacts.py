"""Every artefact with its model: the table that published schemas are made from."""

from __future__ import annotations

from ..assembly.model import FolderSettingsFile, SettingsFile
from ..claims.model import Claim
from ..core.result import ResultRecord
from ..experiments.analysis import Analysis
from ..experiments.file import ExperimentFile
from ..experiments.importing.declaring import ImportFile
from ..experiments.running import ExperimentStatus
from ..packs.verify import PackReport
from ..report.baseline import Baseline
from ..report.check_outcome import CheckOutcome
from ..report.evidence_pack import WrittenPack
from ..report.schemas import Artefact, Where
from ..sources.drift import SourceDrift
from ..sources.knowledge.model import IndexReport, KnowledgePassage
from ..sources.listing import ListedFile
from ..sources.model import Source
from ..sources.scoring.appraisal import SourceRating
from ..sources.scoring.model import Override
from .artefacts_batch import BATCH_ARTEFACTS
from .artefacts_folders import FOLDER_ARTEFACTS
from .artefacts_registry import REGISTRY_ARTEFACTS
from .doctor import Diagnosis
from .limits import EngineLimits
from .outcome import RunOutcome
from .review_queue import FileDecision
from .review_queue import ReviewOutcome as QueueOutcome
from .reviewing import ReviewOutcome
from .sources import ListedSource
from .sources_gaps import GapsOutcome
from .sources_score import ScoreOutcome

ARTEFACTS: tuple[Artefact, ...] = (
    *FOLDER_ARTEFACTS,
    *BATCH_ARTEFACTS,
    Artefact(
        "output-run",
        Where.OUTPUT,
        "foureyes run --json, foureyes resume --json",
        RunOutcome,
        "How the run ended, and where it lies.",
    ),
    Artefact(
        "result",
        Where.CALL,
        "PipelineResult.to_dict()",
        ResultRecord,
        "How a run ended, its text and its claims.",
    ),
    Artefact(
        "output-check",
        Where.OUTPUT,
        "foureyes check --json",
        CheckOutcome,
        "What was found in one document.",
        lines=True,
    ),
    Artefact(
        "output-review",
        Where.OUTPUT,
        "foureyes review --json",
        ReviewOutcome,
        "How the review stands, where it lies, and its report.",
    ),
    Artefact(
        "output-review-queue",
        Where.OUTPUT,
        "foureyes review-queue --json",
        QueueOutcome,
        "What waits for a person, and the gate with the decisions so far.",
    ),
    Artefact(
        "output-claims",
        Where.OUTPUT,
        "foureyes claims --json",
        tuple[Claim, ...],
        "The claims of the document.",
    ),
    Artefact(
        "experiment",
        Where.USER,
        "the file of `foureyes experiment run`",
        ExperimentFile,
        "What is compared, on what, by which metrics.",
    ),
    Artefact(
        "experiment-import",
        Where.USER,
        "the file of `foureyes experiment import --declared`",
        ImportFile,
        "What is declared of imported results.",
    ),
    Artefact(
        "output-experiment",
        Where.OUTPUT,
        "foureyes experiment run --json, foureyes experiment resume --json, "
        "foureyes experiment report --json, foureyes experiment compare --json, "
        "foureyes experiment import --json",
        Analysis,
        "What an experiment shows; an experiment directory keeps it as analysis.json.",
    ),
    Artefact(
        "output-experiment-status",
        Where.OUTPUT,
        "foureyes experiment status --json",
        ExperimentStatus,
        "How far an experiment is.",
    ),
    Artefact(
        "output-limits",
        Where.OUTPUT,
        "foureyes limits --json",
        EngineLimits,
        "What all workers of an engine may call.",
    ),
    Artefact(
        "output-pack",
        Where.OUTPUT,
        "foureyes pack --json",
        WrittenPack,
        "The pack that was written, and its digest.",
    ),
    Artefact(
        "output-verify-pack",
        Where.OUTPUT,
        "foureyes verify-pack --json",
        PackReport,
        "Each check of the pack, and what differs.",
    ),
    Artefact(
        "output-doctor",
        Where.OUTPUT,
        "foureyes doctor --json",
        Diagnosis,
        "What is installed, every setting with where it came from, and what is missing.",
    ),
    Artefact(
        "output-kb-add",
        Where.OUTPUT,
        "foureyes kb add --json",
        IndexReport,
        "What was indexed, and what was skipped.",
    ),
    Artefact(
        "output-kb-search",
        Where.OUTPUT,
        "foureyes kb search --json",
        tuple[KnowledgePassage, ...],
        "The passages that come nearest.",
    ),
    Artefact(
        "output-sources-fetch",
        Where.OUTPUT,
        "foureyes sources fetch --json",
        tuple[Source, ...],
        "What each address gave.",
    ),
    Artefact(
        "output-sources-list",
        Where.OUTPUT,
        "foureyes sources list --json",
        tuple[ListedSource, ...],
        "The sources of a run with their scores.",
    ),
    Artefact(
        "output-sources-diff",
        Where.OUTPUT,
        "foureyes sources diff --json",
        tuple[SourceDrift, ...],
        "Each stored source against the live page.",
    ),
    Artefact(
        "output-sources-score",
        Where.OUTPUT,
        "foureyes sources score --json",
        ScoreOutcome,
        "The scores of addresses, and the gaps among them.",
    ),
    Artefact(
        "output-sources-gaps",
        Where.OUTPUT,
        "foureyes sources gaps --json",
        GapsOutcome,
        "The gaps among the sources of a run, and what was decided about them.",
    ),
    Artefact(
        "output-sources-override",
        Where.OUTPUT,
        "foureyes sources override --json",
        Override,
        "The decision as it was recorded.",
    ),
    Artefact(
        "output-sources-review",
        Where.OUTPUT,
        "foureyes sources review --json",
        tuple[SourceRating, ...],
        "The sources that wait for a person.",
    ),
    Artefact(
        "folder-settings",
        Where.USER,
        "foureyes.yaml",
        FolderSettingsFile,
        "Settings of the working folder. It may come with a document, so it cannot set backend, "
        "models, addresses, providers, folders, your own code or budgets.",
    ),
    Artefact(
        "settings",
        Where.USER,
        "--config FILE",
        SettingsFile,
        "Settings: the file named by `--config`, or your own in your config folder.",
    ),
    Artefact(
        "baseline",
        Where.USER,
        "--baseline FILE",
        Baseline,
        "Findings that are accepted, so that they no longer count.",
    ),
    Artefact(
        "decisions",
        Where.USER,
        "--decisions FILE",
        list[FileDecision],
        "Your decisions for `foureyes review-queue`.",
    ),
    Artefact(
        "listing",
        Where.USER,
        "sources.yaml",
        list[ListedFile],
        "What is known of the files of a folder of sources.",
    ),
    *REGISTRY_ARTEFACTS,
)
"""What has a schema, by folder and in the order of the documentation."""

"""The evidence stage of a packed run, set up again from its record."""

from __future__ import annotations

from functools import partial

from ..assembly.record_config import ignore
from ..assembly.replay import Replay
from ..assembly.settings import pipeline_config
from ..assembly.sources import SourceAppraiser
from ..core.brief import load_brief_reading
from ..core.budget import Budget
from ..core.config import BudgetConfig
from ..core.evidence import DocumentEvidence
from ..core.evidence_parts import EvidenceParts
from ..core.iteration import decisions_before
from ..core.record_folder import PlainSteps
from ..core.run_analytics import RunAnalytics
from ..core.source_tools import SourceReader
from ..core.work import RunServices
from ..sources.scoring.rules import load_scoring
from ._packed_run import PackedRun


def evidence_stage(run: PackedRun, reader: SourceReader) -> DocumentEvidence:
    """The evidence stage of `run`, with its own rules and what its record answers."""
    manifest, policy = run.store.manifest, run.settings.gate_policy
    replay = Replay(run.folder)
    scoring = load_scoring(run.settings.registry_dir)
    reading = load_brief_reading(run.settings.registry_dir)
    topic = run.settings.topic or manifest.title
    parts = EvidenceParts(
        reader,
        run.registry,
        as_of=manifest.as_of,
        recorded=replay,
        appraise=SourceAppraiser(scoring, manifest.as_of, topic),
        scoring=scoring,
        mode=pipeline_config(run.settings).research_mode,
        decisions=decisions_before(run.folder, manifest.resumed),
        assignment=reading.assignment(run.store.read("brief.md")),
        gatekeeper=partial(replay.gate_word, policy) if policy else None,
        iterations=run.settings.max_iterations,
        works=run.store.inputs().works,
    )
    return DocumentEvidence(parts)


def run_services(run: PackedRun) -> RunServices:
    """The services of `run` that nothing is written or spent by."""
    budget = Budget(BudgetConfig())
    return RunServices(PlainSteps(), RunAnalytics(), budget, ignore, run.folder)

"""The deterministic check of one document: no model, no run directory."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from ..claims.document_day import day_written
from ..core import tracing
from ..documents.model import Document
from ..documents.parse import parse_document, require_few_brackets
from ..sources.model import SourceSet
from ..sources.scoring.citations import cited_source
from ..sources.scoring.rules import ScoringRegistry, load_scoring
from ..verification.check import CheckReport, Progress, check_document
from ..verification.gate.decision import decide_gate
from ..verification.ledger.binding import Scales, bind_claims
from ..verification.ledger.confidence import circular_sources, source_credibility
from ..verification.repair.planning import CITABLE
from .check_result import CheckResult
from .materials import gather_sources
from .model import LoadedSettings
from .rules import open_registry
from .sources import SourceAppraiser


async def check_text(
    text: str,
    path: str,
    sources: Iterable[str],
    loaded: LoadedSettings,
    progress: Progress | None = None,
) -> CheckResult:
    """Check `text` against what it cites.

    Sources that were given and are not cited are read only if a claim lacks a source that states
    it: one of them may. `progress` is called now and then, from a thread; what it raises ends the
    check.

    Raises:
        InputError: A source that was named cannot be used, or a registry file is broken.
    """
    with tracing.workflow(tracing.Workflow.CHECK) as traced:
        result = await _checked(text, path, sources, loaded, progress)
        tracing.record_conclusion(result.gate)
        verdicts = Counter(one.verdict for one in result.report.assessments)
        traced.end(result.gate.decision, verdicts)
        return result


async def _checked(
    text: str, path: str, sources: Iterable[str], loaded: LoadedSettings, progress: Progress | None
) -> CheckResult:
    settings = loaded.settings
    registry = open_registry(settings)
    scoring = load_scoring(settings.registry_dir)
    as_of = settings.as_of or datetime.now(UTC).date()
    check = partial(check_document, registry=registry, as_of=as_of, progress=progress)
    file = Path(path) if path else None
    require_few_brackets(text, path or "the text")
    parsed = parse_document(text, registry.lexicon.document_words)
    async with gather_sources(parsed, file, sources, loaded) as gathered:
        document, cited = gathered.document, gathered.texts()
        with tracing.step("conclude"):
            checker = _against(cited, document, scoring, check)
            report = await asyncio.to_thread(checker, document)
        beyond = 0
        # Another source may settle a finding.
        lacks = any(one.type in CITABLE for a in report.assessments for one in a.findings)
        if lacks and (gathered.spare or gathered.beyond):
            beyond = gathered.beyond
            more = await gathered.with_spare(settings.max_fetches)
            checker = _against(more, document, scoring, check)
            report = await asyncio.to_thread(checker, document)
    appraisal = SourceAppraiser(scoring, as_of, settings.topic or document.title)(cited)
    rated = appraisal.rated
    standings = source_credibility(cited, appraisal, scoring, checker.keywords["not_citable"])
    words, rules = registry.lexicon.words, scoring.rules.confidence
    scales = Scales(standings, words, rules, as_of=as_of)
    return CheckResult(
        path,
        report,
        gathered.cited,
        appraisal,
        document=document,
        bindings=bind_claims(report.claims, report.assessments, scales),
        citable={one.source.url: cited_source(one.given, one.score, scoring) for one in rated},
        _again=checker,
        _regate=partial(decide_gate, policy=registry.gate, language=document.language),
        folder=gathered.folder,
        unsearched_files=beyond,
    )


def _against(
    sources: SourceSet, document: Document, scoring: ScoringRegistry, check: partial[CheckReport]
) -> partial[CheckReport]:
    """`check` of versions of `document` against `sources`, but for those taken from it."""
    as_of, lexicon = check.keywords["as_of"], check.keywords["registry"].lexicon
    written = day_written(document, lexicon) or as_of
    circular = circular_sources(document, sources, scoring.rules.independence, written=written)
    return partial(check, sources=sources, not_citable=circular)

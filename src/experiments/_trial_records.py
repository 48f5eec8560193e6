"""A run, a check or a review as the record of a trial and its values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import cast

from ..assembly.check import check_text
from ..assembly.model import LoadedSettings
from ..assembly.user_code import import_named
from ..base.errors import FoureyesError, StatisticsError
from ..base.vocabulary import Location
from ..core.approval import RunStatus
from ..core.record_folder import require_record
from ..core.run_analytics import AnalyticsFile
from ..core.tasks import TurnUsage
from ..documents.model import Document
from ..report.html.run_files import RunFiles
from ..review.compiling import line_of, span_of
from ..review.store import ReviewContents, ReviewStatus, ReviewStore, read_contents
from ..review.types import WebVerdict
from ..verification.assessing.issues import ENGINE
from .metrics import (
    METRICS,
    OBJECTION,
    CheckedText,
    CriticObjections,
    Measure,
    ReviewFindings,
    TrialRecord,
    validate_value,
)
from .planning import OwnMetric, TrialOutcome, TrialResult, TrialWork


def measure_trial(
    work: TrialWork, record: TrialRecord, own: Mapping[OwnMetric, Measure] = MappingProxyType({})
) -> TrialResult:
    """The result of a trial that has ended; `own` are functions at hand of metrics."""
    outcome, error = outcome_of(record.status), ""
    values: dict[str, float | None] = {}
    if outcome is TrialOutcome.ERROR:
        error = record.reason
    else:
        ours = ((name, one) for name, one in METRICS.items() if work.task in one.tasks)
        values = {name: one.measure(record) for name, one in ours}
        for metric in work.own:
            try:
                values[metric.name] = _own_value(metric, own.get(metric), record)
            except FoureyesError as reason:
                outcome, error = TrialOutcome.ERROR, f"metric {metric.name}: {reason}"
                break
    usage = record.usage
    return TrialResult(
        work.trial,
        outcome,
        status=record.status,
        error=error,
        values={name: one for name, one in values.items() if one is not None},
        run_dir=str(record.run_dir),
        cost_usd=None if usage.cost_usd is None else float(usage.cost_usd),
        tokens_in=usage.tokens_in,
        tokens_out=usage.output_tokens,
        seconds=round(record.seconds, 3),
    )


# Runs and reviews have the same words for these.
_ERRORS = frozenset({RunStatus.FAILED, RunStatus.CANCELLED})
_UNDECIDED = frozenset({RunStatus.INCONCLUSIVE, RunStatus.BUDGET_EXCEEDED})


def outcome_of(status: RunStatus | ReviewStatus | None) -> TrialOutcome:
    """Outcome of a trial by the status of its run or review; a check always finishes."""
    if status in _ERRORS:
        return TrialOutcome.ERROR
    return TrialOutcome.INCONCLUSIVE if status in _UNDECIDED else TrialOutcome.FINISHED


def _own_value(own: OwnMetric, given: Measure | None, record: TrialRecord) -> float | None:
    function = given or cast(
        "Callable[[TrialRecord], object]", import_named(own.code, anywhere=True)
    )
    try:
        value = function(record)
    # The function is anyone's code; it ends its own trial alone.
    except Exception as error:
        raise StatisticsError(f"{type(error).__name__}: {error}", "mend the metric") from error
    return validate_value(value, own.scale)


def record_run(run_dir: Path) -> TrialRecord:
    """The record of the run in `run_dir`."""
    files = RunFiles(run_dir)
    manifest, analytics = files.manifest, files.analytics()
    best = manifest.best_iteration
    delivered = files.outcome(best) if best else None
    text = files.draft(best) if best else ""
    gate = files.gate(best) if best else None
    return TrialRecord(
        manifest.status or RunStatus.FAILED,
        text,
        delivered.findings if delivered else (),
        len(manifest.iterations),
        analytics.total if analytics else TurnUsage(),
        analytics.active_s if analytics else 0.0,
        run_dir=run_dir,
        critics=_critics(files),
        gate=gate.decision if gate else None,
        reason=manifest.reason,
    )


async def check_delivered(
    work: TrialWork, record: TrialRecord, loaded: LoadedSettings
) -> TrialRecord:
    """`record` with its text checked, if a metric needs that and nobody has done it."""
    if record.checked is not None or not (work.checks and record.text):
        return record
    report = (await check_text(record.text, "", work.item.sources, loaded)).report
    return replace(record, checked=CheckedText(report.ledger.entries, report.coverage))


def _critics(files: RunFiles) -> CriticObjections | None:
    """Who objects to what in the first draft; None without claims of it."""
    first = files.outcome(1)
    claims = tuple(entry.location for entry in files.entries(1))
    if first is None or not claims:
        return None
    return CriticObjections(
        claims,
        {
            name: tuple(
                one.location
                for one in first.findings
                # Code raises the findings of a critic that answers claim by claim.
                if one.location is not None
                and (one.origin == name or (critic.by_claim and one.origin == ENGINE))
            )
            for name, critic in first.critics.items()
        },
    )


def record_review(review_dir: Path) -> TrialRecord:
    """The record of the review in `review_dir`."""
    contents = read_contents(ReviewStore.open(review_dir))
    analytics = require_record(AnalyticsFile, review_dir / "analytics.json", "review")
    return TrialRecord(
        contents.manifest.status or ReviewStatus.FAILED,
        contents.original.text,
        (),
        0,
        analytics.total,
        analytics.active_s,
        run_dir=review_dir,
        review=ReviewFindings(
            len(contents.findings), tuple(_objections(contents)), _looked_up(contents)
        ),
        reason=contents.manifest.reason,
    )


def _objections(contents: ReviewContents) -> Iterator[Location]:
    document = contents.original.document
    for one in contents.findings:
        if one.finding.severity.at_least(OBJECTION):
            yield from _places(one.finding.quote, one.finding.line, document)
    denied = {
        result.claim_id
        for result in (contents.web.results if contents.web else ())
        if result.verdict is WebVerdict.CONTRADICTED
    }
    for claim in contents.claims.claims if contents.claims else ():
        if claim.id in denied:
            yield from _places(claim.quote, claim.line, document)


def _places(quote: str, line: int, document: Document) -> Iterator[Location]:
    """Where a quotation stands; nowhere if its words are in several other lines."""
    span = span_of(quote, line, document)
    if span is not None:
        at = line_of(span[0], document)
        yield Location(at, span[0] - document.line_starts[at - 1] + 1, *span)


def _looked_up(contents: ReviewContents) -> float | None:
    """The share of the claims of which sources say anything."""
    if contents.web is None or not contents.claims or not contents.claims.claims:
        return None
    told = sum(one.verdict is not WebVerdict.UNVERIFIABLE for one in contents.web.results)
    return told / len(contents.claims.claims)

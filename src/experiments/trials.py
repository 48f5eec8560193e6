"""The program of one trial: a run in the folder of its job, and what it came to."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import cast

from ..assembly.check import check_text
from ..assembly.jobs import review_to_end, run_to_end
from ..assembly.model import LoadedSettings
from ..assembly.runs import RunInput
from ..assembly.user_code import import_named
from ..base.call_limits import UNLIMITED, CallLimiter
from ..base.errors import FoureyesError, StatisticsError
from ..base.files import from_json, to_json, write_atomic
from ..base.logs import quiet_logs
from ..base.vocabulary import Location, Severity
from ..core.approval import RunStatus
from ..core.iteration import CriticOutcome
from ..core.run_analytics import AnalyticsFile
from ..core.tasks import TurnUsage
from ..documents.model import Document
from ..engine.model import JobContext, Programs
from ..report.check_outcome import CHECK_FILE, CheckRecord
from ..report.html.run_files import RunFiles
from ..review.compiling import line_of, span_of
from ..review.pipeline import GateAnswer
from ..review.store import ReviewContents, ReviewStatus, ReviewStore, read_contents
from ..review.types import GateChoice, WebVerdict
from ..verification.assessing.issues import ENGINE
from .metrics import (
    METRICS,
    OBJECTION,
    CheckedText,
    CriticObjections,
    Measure,
    ReviewFindings,
    Task,
    TrialRecord,
    tokens_in,
    validate_value,
)
from .planning import Item, OwnMetric, TrialOutcome, TrialResult, TrialWork

PROGRAM, TRUSTED_PROGRAM = "trial", "trusted_trial"
"""The second is for trials that need trust; only workers with `--trust` run them."""


def programs(*, trusted: bool) -> Programs:
    """The programs of a worker of experiments.

    Args:
        trusted: Whether an experiment may set what a file in a working folder may not, and have
            metrics of its own code run.
    """

    async def trial(payload: str, context: JobContext) -> str:
        work = from_json(TrialWork, payload)
        if not trusted:
            work.require_trust()
        record = await record_trial(work, context.folder, context.limiter)
        await context.keep()
        return to_json(TrialResult, measure_trial(work, record), indent=None)

    return {PROGRAM: trial, TRUSTED_PROGRAM: trial} if trusted else {PROGRAM: trial}


def program_of(work: TrialWork) -> str:
    """The program that a trial needs."""
    return TRUSTED_PROGRAM if work.beyond else PROGRAM


async def record_trial(
    work: TrialWork, folder: Path, limiter: CallLimiter = UNLIMITED
) -> TrialRecord:
    """Run a trial in `folder`, from its beginning or from where it stopped, and record it."""
    quiet_logs()
    loaded = replace(work.loaded(folder / "runs"), limiter=limiter)
    match work.task:
        case Task.RUN:
            item = work.item
            run_dir = await run_to_end(RunInput(item.brief, item.draft, item.sources), loaded)
            return await _record(work, loaded, run_dir)
        case Task.CHECK:
            return await check_document(work, loaded, folder)
        case Task.REVIEW:
            return await review_document(work, loaded, folder)


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
        tokens_in=tokens_in(usage),
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


async def _record(work: TrialWork, loaded: LoadedSettings, run_dir: Path) -> TrialRecord:
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
        gold=work.item.gold,
        seed=work.trial.seed,
        run_dir=run_dir,
        checked=await _checked(text, work.item, loaded) if work.checks and text else None,
        critics=_critics(files),
        gate=gate.decision if gate else None,
        reason=manifest.reason,
    )


async def check_delivered(work: TrialWork, record: TrialRecord, folder: Path) -> TrialRecord:
    """`record` with its text checked, if a metric needs that and nobody has done it."""
    if record.checked is not None or not (work.checks and record.text):
        return record
    checked = await _checked(record.text, work.item, work.loaded(folder / "runs"))
    return replace(record, checked=checked)


async def _checked(text: str, item: Item, loaded: LoadedSettings) -> CheckedText:
    report = (await check_text(text, "", item.sources, loaded)).report
    return CheckedText(report.ledger.entries, report.coverage)


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
                if one.location is not None and _is_of(one.origin, name, critic)
            )
            for name, critic in first.critics.items()
        },
    )


def _is_of(origin: str, name: str, critic: CriticOutcome) -> bool:
    """Whether a critic raised a finding: code raises those of one that answers claim by claim."""
    return origin == name or (critic.by_claim and origin == ENGINE)


DOCUMENT = "document.md"
GO_ON = GateAnswer(GateChoice.GO_ON, "an experiment")


async def check_document(work: TrialWork, loaded: LoadedSettings, folder: Path) -> TrialRecord:
    """Check the item's document by the variant's settings; what was found is kept in `folder`.

    No agent takes part, and a check that was broken off begins anew.

    Raises:
        FoureyesError: It cannot be checked.
    """
    began = time.monotonic()
    text = work.item.draft or ""
    result = await check_text(text, "", work.item.sources, loaded)
    seconds = time.monotonic() - began
    record = result.record(result.exit_code_for(Severity.HIGH))
    write_atomic(folder / CHECK_FILE, to_json(CheckRecord, record) + "\n")
    report = result.report
    return TrialRecord(
        None,
        text,
        report.findings,
        0,
        TurnUsage(),
        seconds,
        gold=work.item.gold,
        seed=work.trial.seed,
        run_dir=folder,
        checked=CheckedText(report.ledger.entries, report.coverage),
        gate=report.gate.decision,
    )


async def review_document(work: TrialWork, loaded: LoadedSettings, folder: Path) -> TrialRecord:
    """Review the item's document, or go on with the review directory that is there.

    Nobody stops it at its gate.

    Raises:
        FoureyesError: It cannot be reviewed.
    """
    path = folder / DOCUMENT
    if not path.exists():
        write_atomic(path, work.item.draft or "")
    review_dir = await review_to_end(path, work.item.sources, loaded, GO_ON)
    contents = read_contents(ReviewStore.open(review_dir))
    analytics = from_json(AnalyticsFile, (review_dir / "analytics.json").read_bytes())
    return TrialRecord(
        contents.manifest.status or ReviewStatus.FAILED,
        contents.original.text,
        (),
        0,
        analytics.total,
        analytics.active_s,
        gold=work.item.gold,
        seed=work.trial.seed,
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

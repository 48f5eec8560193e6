"""Trials of documents: checked by rules, or reviewed, and what that left behind."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from ..assembly.check import check_text
from ..assembly.jobs import review_to_end
from ..assembly.model import LoadedSettings
from ..base.files import write_atomic
from ..base.finding import Location
from ..base.records import from_json, to_json
from ..base.vocabulary import Severity
from ..core.run_analytics import AnalyticsFile
from ..core.tasks import TurnUsage
from ..documents.model import Document
from ..report.check_outcome import CHECK_FILE, CheckRecord
from ..review.compiling import line_of, span_of
from ..review.contents import ReviewContents, read_contents
from ..review.model import GateChoice
from ..review.pipeline import GateAnswer
from ..review.store import ReviewStatus, ReviewStore
from ..review.types import WebVerdict
from .metrics import OBJECTION, CheckedText, ReviewFindings, TrialRecord
from .planning import TrialWork

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

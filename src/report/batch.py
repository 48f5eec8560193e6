"""Results of a batch: one for each document, the worst first, and sums over all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import KW_ONLY, astuple, dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from functools import reduce
from operator import add
from pathlib import Path

from ..base.errors import RunDirectoryError
from ..base.vocabulary import ExitCode, Severity
from ..core.record_folder import require_record
from ..core.run_analytics import AnalyticsFile
from ..engine.work_folder import WorkState
from ..review.store import ReviewContents
from ..review.types import WebVerdict
from ..verification.model import GateMetrics
from .wording import spaced, terminal_lines

BATCH_FILE, SUMMARY_JSON, SUMMARY_FILE = "batch.json", "summary.json", "summary.md"


class BatchTask(StrEnum):
    """Task that a batch performs on each document."""

    CHECK = "check"
    RUN = "run"
    REVIEW = "review"


class DocumentOutcome(StrEnum):
    """Outcome of a document, worst first. All but the last need somebody's attention."""

    FLAGGED = "flagged"
    """Findings that count, a failed gate, or no approval."""
    FAILED = "failed"
    """It could not be read, or its examination broke off."""
    INCONCLUSIVE = "inconclusive"
    """A source was not fetched, a critic gave no answer, or a person has to decide."""
    NOT_EXAMINED = "not_examined"
    """The batch was stopped, or a limit was reached, before its turn."""
    PASSED = "passed"


@dataclass(frozen=True, slots=True)
class ClaimCounts:
    """Counts of the claims of one or several documents.

    `found` counts all statements of the document. Nothing could be compared with the `unchecked`
    ones. Claims in none of the other counts are partly supported, disputed, unverifiable or not
    checkable.
    """

    found: int = 0
    supported: int = 0
    contradicted: int = 0
    unsourced: int = 0
    unchecked: int = 0

    def __add__(self, other: ClaimCounts) -> ClaimCounts:
        return ClaimCounts(*map(add, astuple(self), astuple(other)))


@dataclass(frozen=True, slots=True)
class DocumentResult:
    """Result of one document.

    `name` is the given file, or the id again for a text. `status` is the gate's decision of a
    check, else how the run or the review ended. `reason` is the failure or the next step. `claims`
    is None if none were extracted. `cost_usd` is None for an unknown price. `job` is the id of the
    job that produced it, "" without one. `report` is the path of its own report, "" if there is
    none: relative to the folder of the job, in a summary to the batch directory.
    """

    key: str
    id: str
    name: str
    outcome: DocumentOutcome
    _: KW_ONLY
    status: str = ""
    reason: str = ""
    claims: ClaimCounts | None = None
    severities: Mapping[Severity, int]
    cost_usd: float | None = 0.0
    seconds: float = 0.0
    job: str = ""
    report: str = ""


@dataclass(frozen=True, slots=True)
class BatchSummary:
    """``summary.json``: sums, and every document, the worst first.

    `fail_on` is the least severity that counts, None for none. `cost_usd` is of the documents with
    a known price; of `unpriced` documents it is not known. `active_s` are the seconds of all
    sittings.
    """

    foureyes: str
    id: str
    name: str
    directory: str
    task: BatchTask
    state: WorkState
    fail_on: Severity | None
    exit_code: int
    started: datetime
    outcomes: Mapping[DocumentOutcome, int]
    claims: ClaimCounts
    severities: Mapping[Severity, int]
    cost_usd: float
    unpriced: int
    active_s: float
    documents: tuple[DocumentResult, ...]


def worst_first(results: Iterable[DocumentResult]) -> tuple[DocumentResult, ...]:
    """`results`, those that most need a person first; among equals in the order given."""
    return tuple(sorted(results, key=_badness))


def _badness(result: DocumentResult) -> tuple[int, ...]:
    claims = result.claims or ClaimCounts()
    return (
        tuple(DocumentOutcome).index(result.outcome),
        *(-result.severities.get(severity, 0) for severity in Severity),
        -claims.contradicted,
        -claims.unsourced,
        -claims.unchecked,
    )


def claims_of(results: Iterable[DocumentResult]) -> ClaimCounts:
    """The claims of all `results`."""
    return reduce(lambda sum_, one: sum_ + (one.claims or ClaimCounts()), results, ClaimCounts())


def severities_of(results: Iterable[DocumentResult]) -> dict[Severity, int]:
    """The findings of all `results` by severity, every severity named."""
    counts = Counter[Severity]()
    for result in results:
        counts.update(result.severities)
    return {severity: counts[severity] for severity in Severity}


def batch_exit_code(results: Iterable[DocumentResult], state: WorkState) -> ExitCode:
    """The exit code of a batch: of those that apply, the first of these.

    130 cancelled; 3 a limit was reached; 4 no document could be examined; 1 a document is flagged;
    2 a document is inconclusive, failed or not examined; 0 every document passed.
    """
    outcomes = {result.outcome for result in results}
    if state is WorkState.CANCELLED:
        return ExitCode.CANCELLED
    if state is WorkState.BUDGET:
        return ExitCode.BUDGET
    if outcomes == {DocumentOutcome.FAILED}:
        return ExitCode.FAILED
    if DocumentOutcome.FLAGGED in outcomes:
        return ExitCode.NOT_APPROVED
    return ExitCode.OK if outcomes <= {DocumentOutcome.PASSED} else ExitCode.INCONCLUSIVE


COLUMNS = (
    *("document", "outcome", "status", "claims", "unsourced", "unchecked", "findings", "time"),
    "cost",
)
LEGEND = "claims: found (+supported -contradicted); findings: critical/high/medium/low"


def cells(result: DocumentResult) -> tuple[str, ...]:
    """Return the cells of a document under `COLUMNS`."""
    counts = ("–",) * 3
    if (claims := result.claims) is not None:
        found = f"{claims.found} (+{claims.supported} -{claims.contradicted})"
        counts = found, str(claims.unsourced), str(claims.unchecked)
    return (
        result.id,
        spaced(result.outcome),
        spaced(result.status) or "–",
        *counts,
        "/".join(str(result.severities.get(severity, 0)) for severity in Severity),
        f"{result.seconds:.1f} s",
        "unknown" if result.cost_usd is None else f"${result.cost_usd:.4f}",
    )


def summary_lines(summary: BatchSummary) -> Iterator[str]:
    """The sums in lines."""
    return terminal_lines("batch.txt.jinja", batch=summary)


def read_summary(directory: Path) -> BatchSummary:
    """The summary that a batch has left in its directory.

    Raises:
        RunDirectoryError: There is none yet, or it is damaged.
    """
    path = directory / SUMMARY_JSON
    if not path.is_file():
        raise RunDirectoryError(
            f"{str(directory)!r} has no summary yet",
            f"write it with `foureyes batch report {directory}`",
        )
    return require_record(BatchSummary, path, "batch")


def gate_counts(metrics: GateMetrics) -> ClaimCounts:
    """Counts of the claims that a gate looked at."""
    return ClaimCounts(
        metrics.claims,
        metrics.supported,
        metrics.contradicted,
        metrics.unsourced,
        metrics.unchecked + metrics.open_slots,
    )


def review_counts(contents: ReviewContents) -> ClaimCounts | None:
    """Counts of a review's claims by web verdict."""
    if contents.extraction is None:
        return None
    results = contents.web.results if contents.web else ()
    verdicts = Counter(result.verdict for result in results)
    found = len(contents.extraction.claims)
    return ClaimCounts(
        found,
        verdicts[WebVerdict.CONFIRMED],
        verdicts[WebVerdict.CONTRADICTED],
        unchecked=found - len(results),
    )


def dollars(analytics: AnalyticsFile | None) -> float | None:
    """The cost on record, None if it is not known."""
    cost: Decimal | None = analytics.total.cost_usd if analytics else Decimal(0)
    return None if cost is None else float(cost)

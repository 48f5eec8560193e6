"""Result of a document review: its report, exit code and directory."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..base.files import JsonResult, to_json
from ..base.printable import counted, notebook_html
from ..base.vocabulary import ExitCode, Severity
from ..core.result import REPORT_FILE as PAGE_FILE
from ..core.run_analytics import AnalyticsTable
from ..report.review_report import ReviewOutcome, review_outcome
from ..review.store import ReviewContents, ReviewStatus
from ..review.types import CompiledFinding, WebVerdict

_EXIT_CODES = {
    ReviewStatus.COMPLETED: ExitCode.OK,
    ReviewStatus.STOPPED: ExitCode.OK,
    ReviewStatus.AWAITING_DECISION: ExitCode.INCONCLUSIVE,
    ReviewStatus.INCONCLUSIVE: ExitCode.INCONCLUSIVE,
    ReviewStatus.BUDGET_EXCEEDED: ExitCode.BUDGET,
    ReviewStatus.CANCELLED: ExitCode.CANCELLED,
    ReviewStatus.FAILED: ExitCode.FAILED,
}


@dataclass(frozen=True, slots=True, repr=False)
class ReviewResult(JsonResult):
    """How a review stands, and all that it holds."""

    status: ReviewStatus
    reason: str
    review_dir: Path
    contents: ReviewContents
    figures: AnalyticsTable

    @property
    def findings(self) -> tuple[CompiledFinding, ...]:
        """The findings that have survived so far, the worst first."""
        return self.contents.findings

    @property
    def exit_code(self) -> ExitCode:
        """The exit code of the command line."""
        return self.exit_code_for()

    @property
    def report_path(self) -> Path | None:
        """The page about the review; None where it could not be written."""
        page = self.review_dir / PAGE_FILE
        return page if page.is_file() else None

    def model_dump_json(self) -> str:
        """The result as JSON text, by the published schema ``output-review``."""
        outcome = review_outcome(self.contents, self.review_dir, self.exit_code)
        return to_json(ReviewOutcome, outcome, indent=None)

    def __repr__(self) -> str:
        """Two lines: how it stands, and where it is."""
        return f"<ReviewResult {self.status}: {self.reason}\n{self._summary()}>"

    def _repr_html_(self) -> str:
        """The same for notebooks, with a link to the report."""
        return notebook_html(self.status, (self.reason, self._summary()), self.report_path)

    def _summary(self) -> str:
        return f"{counted(len(self.findings), 'finding')}, {self.review_dir}"

    def exit_code_for(self, fail_on: Severity | None = None) -> ExitCode:
        """The exit code of the command line; `fail_on` counts once a review has ended."""
        return review_exit_code(self.status, self.contents, fail_on)


def review_exit_code(
    status: ReviewStatus, contents: ReviewContents, fail_on: Severity | None
) -> ExitCode:
    """The exit code of a review that stands so; `fail_on` counts once it has ended.

    A claim that a source contradicts changes no finding, and counts as one of medium severity.
    """
    code = _EXIT_CODES[status]
    found = [one.finding.severity for one in contents.findings]
    results = contents.web.results if contents.web else ()
    found += [Severity.MEDIUM for one in results if one.verdict is WebVerdict.CONTRADICTED]
    bad = fail_on is not None and any(one.at_least(fail_on) for one in found)
    return ExitCode.NOT_APPROVED if code is ExitCode.OK and bad else code

"""The check as a validator that other agent loops call (semantic spec, L2 hook)."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Unpack

from ..base.files import JsonResult, to_json
from ..base.printable import counted, notebook_html
from ..base.vocabulary import Severity
from ..claims.detect import detect_claims
from ..claims.lexicon import load_lexicon
from ..claims.model import Claim
from ..documents.parse import parse_document
from ..report.check_outcome import CheckOutcome
from ..verification.ledger.binding import ClaimCounts, SourceBinding, count_claims
from .check import check_text
from .check_result import CheckResult
from .setting_values import SettingValues
from .settings import load_settings


@dataclass(frozen=True, slots=True)
class SemanticEvidence:
    """Evidence of a validation, for the caller's records.

    `citations_used` counts the sources that bear a claim out, each once. `cost_estimate` is in
    dollars: rules alone cost nothing.
    """

    validation_id: str
    timestamp: datetime
    claims: ClaimCounts
    bindings: tuple[SourceBinding, ...]
    citations_used: int
    cost_estimate: float


@dataclass(frozen=True, slots=True)
class ValidationRecord:
    """`ValidationResult.to_dict`; `check` is as of ``check --json``."""

    passed: bool
    score: float
    feedback: str
    evidence: SemanticEvidence
    check: CheckOutcome


@dataclass(frozen=True, slots=True, repr=False)
class ValidationResult(JsonResult):
    """The answer of a validation.

    `score` is the share of verified claims, 0–1, 1 if there are none. `feedback` tells an agent
    what to do, "" if there is nothing. `check` is the whole check behind it.
    """

    passed: bool
    score: float
    feedback: str
    evidence: SemanticEvidence
    check: CheckResult

    def __repr__(self) -> str:
        """One line: passed or not, and the score."""
        return f"<ValidationResult {self._answer()}, score {self.score:.2f}>"

    def _repr_html_(self) -> str:
        """The same for notebooks, with the feedback."""
        lines = (f"score {self.score:.2f}", *self.feedback.splitlines())
        return notebook_html(self._answer(), lines)

    def _answer(self) -> str:
        return "passed" if self.passed else "not passed"

    def model_dump_json(self) -> str:
        """The result as JSON text, by the published schema ``validation``."""
        check = self.check.outcome(self.check.exit_code)
        record = ValidationRecord(self.passed, self.score, self.feedback, self.evidence, check)
        return to_json(ValidationRecord, record, indent=None)


class SemanticValidator:
    """Checks a text's claims against what it cites: no model, no run directory.

    A validator is an async callable, so that it can be registered as a hook: ``await
    validator(text)`` is ``await validator.validate(text)``. Use it from one event loop at a time.

    Args:
        sources: Folders, files and addresses that every text may cite.
        fail_on: Findings of this severity or worse keep a text from passing.
        **settings: Settings by name (``fetch="none"``), as for `check_async`.

    Raises:
        SettingsError: A setting is unknown or wrong.
    """

    name = "semantic-accuracy"
    layer = 2

    def __init__(
        self,
        *,
        sources: Iterable[str | Path] = (),
        fail_on: Severity = Severity.MEDIUM,
        **settings: Unpack[SettingValues],
    ) -> None:
        self._sources = tuple(map(str, sources))
        self._fail_on = fail_on
        self._loaded = load_settings(settings)

    async def validate(self, text: str, *, sources: Iterable[str | Path] = ()) -> ValidationResult:
        """Check `text`, which may also cite `sources`.

        It passes if no claim is unverified, no finding is as bad as `fail_on`, and nothing was
        left unchecked for want of a source or in a language that is not compared.

        Raises:
            InputError: A source or a registry file cannot be used.
        """
        given = (*self._sources, *map(str, sources))
        result = await check_text(text, "", given, self._loaded)
        counts = count_claims(one.verification_status for one in result.bindings)
        blocked = any(finding.severity.at_least(self._fail_on) for finding in result.findings)
        unchecked = sum(assessment.unchecked for assessment in result.report.assessments)
        used = {one.id for binding in result.bindings for one in binding.supporting}
        return ValidationResult(
            passed=not (counts.unverified or blocked or unchecked),
            score=counts.verified / counts.total if counts.total else 1.0,
            feedback=_feedback(result, counts, unchecked),
            evidence=SemanticEvidence(
                validation_id=str(uuid.uuid4()),
                timestamp=datetime.now(UTC),
                claims=counts,
                bindings=result.bindings,
                citations_used=len(used),
                cost_estimate=0.0,
            ),
            check=result,
        )

    async def __call__(self, content: str) -> ValidationResult:
        """`validate`, for loops that call their validators.

        Raises:
            InputError: A source or a registry file cannot be used.
        """
        return await self.validate(content)


def detect_factual_claims(
    text: str, *, as_of: date | None = None, statements: bool = False
) -> tuple[Claim, ...]:
    """The factual claims of a Markdown `text`, in order, one for each statement or table row.

    Args:
        text: The document.
        as_of: The day that tells plans from facts; today in UTC by default.
        statements: Whether uncited statements without a number that are worth checking count, too.

    Raises:
        RegistryError: A word list is broken.
    """
    day = as_of or datetime.now(UTC).date()
    return detect_claims(parse_document(text), load_lexicon(), as_of=day, statements=statements)


def _feedback(result: CheckResult, counts: ClaimCounts, unchecked: int) -> str:
    """A numbered instruction for each finding, in the order of the document."""
    lines = [
        f"{number}. Line {finding.location.line if finding.location else 1}, “{finding.claim}”: "
        f"{finding.problem}. Do this: {finding.recommendation}."
        for number, finding in enumerate(result.findings, 1)
    ]
    if unchecked:
        lines.append(f"{counted(unchecked, 'claim')} could not be compared with a source.")
    if not lines:
        return ""
    head = f"{counts.verified} of {counted(counts.total, 'claim is', 'claims are')} verified."
    return "\n".join([head, *lines])

"""Severities as data, the vote they lead to, and their counts (decisions 2, 3 and 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from pydantic import Field

from ..base.registry import RegistryModel
from ..base.vocabulary import Finding, IssueType, Recommendation, Severity, SourceState, Strictness
from ..claims.model import ClaimCategory


class Issue(RegistryModel):
    """The type and severity of an issue."""

    type: IssueType
    severity: Severity


class SourceIssue(Issue):
    """The issue of a source that cannot be read, with what the author can do."""

    advice: str


class SmallError(RegistryModel):
    """Relative errors under `below`."""

    below: float = Field(gt=0)
    severity: Severity


class MediumError(RegistryModel):
    """Relative errors up to `upto`, inclusive."""

    upto: float = Field(gt=0)
    severity: Severity


class NumericErrors(RegistryModel):
    """The table of decision 4; `load_bearing` is the least for a claim the argument rests on."""

    small: SmallError
    medium: MediumError
    large: Severity
    load_bearing: Severity


class RejectRule(RegistryModel):
    """How many issues reject: `high` counts critical and high ones; None means no number does."""

    high: int = Field(ge=1)
    medium: int | None = Field(ge=1)


class SeverityPolicy(RegistryModel):
    """`config/registry/severity.yaml`."""

    unsourced: dict[ClaimCategory, Issue]
    unsourced_quotation: Severity
    unsourced_load_bearing: Severity
    unsourced_own_matter: Severity
    own_estimate: Severity
    source_states: dict[SourceState, SourceIssue]
    spare_source: Severity
    numeric_error: NumericErrors
    verified_false: Severity
    read_contradiction: Severity
    altered_quote: Severity
    unverifiable: Severity
    unverifiable_general: Severity
    unverifiable_wording: Severity
    misattributed: Severity = Severity.MEDIUM
    incomplete_citation: Severity
    spare_incomplete: Severity
    outdated: Severity
    outdated_after_days: int = Field(ge=1)
    inherited_at_most: Severity
    strictness: dict[Strictness, RejectRule]

    def of_number(self, change: float | None, *, load_bearing: bool) -> Severity:
        """The severity of a number that is off by `change`, relative to the source's value.

        None (the source has zero) counts as large.
        """
        table = self.numeric_error
        size = abs(change) if change is not None else float("inf")
        # A rounding error of the division must not push an exact 20 % over the line.
        if size < table.small.below - 1e-9:
            severity = table.small.severity
        elif size <= table.medium.upto + 1e-9:
            severity = table.medium.severity
        else:
            severity = table.large
        return worse(severity, table.load_bearing) if load_bearing else severity


def worse(left: Severity, right: Severity) -> Severity:
    """The worse of two severities."""
    return left if left.at_least(right) else right


def at_most(severity: Severity, limit: Severity) -> Severity:
    """`severity`, or `limit` if that is milder."""
    return limit if severity.at_least(limit) else severity


def severity_counts(findings: Iterable[Finding]) -> Mapping[Severity, int]:
    """The number of findings of each of the four severities, each finding counted once."""
    counted = Counter(finding.severity for finding in findings)
    return {severity: counted[severity] for severity in Severity}


def recommend(
    findings: Iterable[Finding], strictness: Strictness, policy: SeverityPolicy
) -> Recommendation:
    """The vote that follows from `findings` (decision 2)."""
    counts = severity_counts(findings)
    rule = policy.strictness[strictness]
    if counts[Severity.CRITICAL] + counts[Severity.HIGH] >= rule.high:
        return Recommendation.REJECT
    if rule.medium is not None and counts[Severity.MEDIUM] >= rule.medium:
        return Recommendation.REJECT
    return Recommendation.APPROVE


# What another attempt does not better, nor another program.
_CLOSED = (SourceState.PAYWALLED, SourceState.NO_TEXT)


def unread_problem(state: SourceState) -> str:
    """The problem of a finding about a source that is in `state`."""
    return f"the cited source cannot be read ({state.value})"


def is_unread(finding: Finding) -> bool:
    """Whether it is about a source that cannot be read."""
    return any(finding.problem == unread_problem(state) for state in SourceState)


def is_closed(finding: Finding) -> bool:
    """Whether it is about a page that exists, and that no reader without a key to it can check."""
    return any(finding.problem == unread_problem(state) for state in _CLOSED)

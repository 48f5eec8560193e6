"""Remedies of the offline analyst for each kind of finding."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from ...base.finding import Finding
from ...base.vocabulary import IssueType, ReviewCriterion, Severity
from ...verification.severity import is_closed, is_unread


class Attempt(StrEnum):
    """The first attempt, with the sources that say the sentence word for word."""

    NOTHING = "nothing"
    CITE = "cite"  # add a citation of one
    RECITE = "recite"  # let the citation at fault lead to one instead
    LOOK_UP = "look_up"  # keep the sentence as it is if there is one


@dataclass(frozen=True, slots=True)
class Remedy:
    """How a finding without a correction is settled: `drop` takes the sentence out, else it stays.

    The sentence goes only if the attempt comes to nothing. With `ask` it stands among the open
    questions from then on.
    """

    attempt: Attempt
    drop: bool
    ask: bool = False


_LEAVE = Remedy(Attempt.NOTHING, drop=False)
_DROP = Remedy(Attempt.NOTHING, drop=True)


def choose_remedy(finding: Finding) -> Remedy:
    """Choose what to do about the sentences of `finding`."""
    if isinstance(finding.type, IssueType):
        if finding.type is IssueType.UNVERIFIABLE and is_unread(finding):
            low = finding.severity is Severity.LOW
            # What did not answer may do so in the next iteration.
            waits = finding.severity is Severity.MEDIUM and not is_closed(finding)
            return _LEAVE if low or waits else Remedy(Attempt.RECITE, drop=True, ask=True)
        return _for_issue(finding.type, finding.severity)
    return _for_criterion(finding.type)


def _for_issue(issue: IssueType, severity: Severity) -> Remedy:
    match issue:
        case IssueType.UNSOURCED:
            # A general statement may stand without a source: low never rejects alone.
            return Remedy(Attempt.CITE, drop=severity is not Severity.LOW, ask=True)
        case IssueType.DEAD_CITATION:
            # Low: another citation of the same claim works.
            low = severity is Severity.LOW
            return _LEAVE if low else Remedy(Attempt.RECITE, drop=True, ask=True)
        case IssueType.MISATTRIBUTED:
            return Remedy(Attempt.RECITE, drop=True, ask=True)
        case IssueType.UNVERIFIABLE:
            # What rules cannot confirm may well be true: it becomes an open question.
            return Remedy(Attempt.RECITE, drop=severity.at_least(Severity.MEDIUM), ask=True)
        case (
            IssueType.FABRICATED
            | IssueType.VERIFIED_FALSE
            | IssueType.NUMERIC_ERROR
            | IssueType.ALTERED_QUOTE
            | IssueType.ARITHMETIC
        ):
            return _DROP
        case IssueType.INTERNAL_CONTRADICTION:
            return Remedy(Attempt.LOOK_UP, drop=True)
        case IssueType.INCOMPLETE_CITATION:
            return Remedy(Attempt.CITE, drop=False)
        case IssueType.OUTDATED | IssueType.MISSING_CONTEXT | IssueType.ERROR:
            return _LEAVE
        case _:
            assert_never(issue)


def _for_criterion(criterion: ReviewCriterion) -> Remedy:
    match criterion:
        case ReviewCriterion.CITATION_DENSITY:
            return Remedy(Attempt.CITE, drop=False)
        case ReviewCriterion.CONSISTENCY:
            return Remedy(Attempt.LOOK_UP, drop=True)
        case (
            # The first two are settled by what `additions` adds, the rest by a person.
            ReviewCriterion.STRUCTURE
            | ReviewCriterion.COVERAGE
            | ReviewCriterion.HEDGING
            | ReviewCriterion.READABILITY
            | ReviewCriterion.REASONING
            | ReviewCriterion.GATE
            | ReviewCriterion.QUALITY
        ):
            return _LEAVE
        case _:
            assert_never(criterion)

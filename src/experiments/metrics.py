"""Metrics of a trial, by name: pure functions of its record."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from itertools import combinations
from pathlib import Path

from ..base.errors import StatisticsError
from ..base.vocabulary import CitationState, Finding, GateDecision, Location, Severity, Verdict
from ..core.approval import RunStatus
from ..core.tasks import TurnUsage
from ..review.store import ReviewStatus
from ..verification.model import LedgerEntry
from .statistics.samples import Direction, Scale

RATING = "rating."
"""Prefix of the names of metrics that people rated."""
OBJECTION = Severity.HIGH
"""A finding of at least this severity marks the words that it stands at as wrong."""


class Task(StrEnum):
    """The task of a trial."""

    RUN = "run"
    """The whole loop, from a brief or a draft to an end."""
    CHECK = "check"
    """A document checked against its sources by rules, as `foureyes check` does."""
    REVIEW = "review"
    """A document reviewed, as `foureyes review` does, without a stop at its gate."""


ALL_TASKS = frozenset(Task)


@dataclass(frozen=True, slots=True)
class Gold:
    """Words of an item's draft or document, and whether they are true."""

    text: str
    true: bool


@dataclass(frozen=True, slots=True)
class CheckedText:
    """Result of the deterministic check of the delivered text, by the same rules for every arm.

    `coverage` (0–1) is the share of the checkable claims that were checked, None if there are none.
    """

    entries: tuple[LedgerEntry, ...]
    coverage: float | None


@dataclass(frozen=True, slots=True)
class CriticObjections:
    """The places of the first draft at which each critic objects, and the claims of that draft."""

    claims: tuple[Location, ...]
    objections: Mapping[str, tuple[Location, ...]]


@dataclass(frozen=True, slots=True)
class ReviewFindings:
    """Findings of a document review.

    Args:
        count: How many findings it has.
        objections: The places of those of at least `OBJECTION` severity, and of claims that outside
            sources contradict.
        looked_up: The share (0–1) of the claims that something outside was found out about; None
            where nothing was looked up.
    """

    count: int
    objections: tuple[Location, ...]
    looked_up: float | None


@dataclass(frozen=True, slots=True)
class TrialRecord:
    """Record of a trial, as metric functions get it.

    Args:
        status: How the run or the review ended; None for a check, which has but one end.
        text: The delivered analysis; "" if there is none. Of a check or a review the document.
        findings: What is held against it; of a review see `review`.
        iterations: How many drafts there were.
        usage: What all agents used.
        seconds: Wall time of all sittings.
        gold: What is known about the item's claims.
        seed: The trial's own, an index from 0 to 2^32 - 1.
        run_dir: The directory of the run or the review, or the folder of the check.
        checked: The delivered text, checked; None if no declared metric needs it.
        critics: Who objects to what in the first draft.
        gate: What the evidence gate says of the text; None without one.
        review: What a review found.
        reason: Why the run or the review ended so.
    """

    status: RunStatus | ReviewStatus | None
    text: str
    findings: tuple[Finding, ...]
    iterations: int
    usage: TurnUsage
    seconds: float
    _: KW_ONLY
    gold: tuple[Gold, ...] = ()
    seed: int = 0
    run_dir: Path | None = None
    checked: CheckedText | None = None
    critics: CriticObjections | None = None
    gate: GateDecision | None = None
    review: ReviewFindings | None = None
    reason: str = ""


Measure = Callable[[TrialRecord], float | None]
"""The value of a finished trial, None where the metric does not apply to it."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric of ours.

    Args:
        measure: Its function.
        scale: What values it takes.
        direction: Which are good; None if that depends on the question.
        failure: The number that a trial that failed counts as; None if there is no worst value.
        checks: Whether it needs the delivered text checked.
        tasks: The tasks of which it can be measured.
    """

    measure: Measure
    scale: Scale
    direction: Direction | None
    failure: float | None = None
    checks: bool = False
    tasks: frozenset[Task] = ALL_TASKS


def marked(record: TrialRecord, words: str) -> bool:
    """Whether `words` are gone from the delivered text, or each of their places is objected to."""
    # A lookahead finds places that overlap, too.
    starts = (one.start() for one in re.finditer(f"(?={re.escape(words)})", record.text))
    objections = [
        one.location
        for one in record.findings
        if one.location is not None and one.severity.at_least(OBJECTION)
    ]
    objections += record.review.objections if record.review else ()
    return all(_overlap(objections, start, start + len(words)) for start in starts)


def _overlap(places: Iterable[Location], start: int, end: int) -> bool:
    return any(place.start < end and start < place.end for place in places)


def _marks(record: TrialRecord, *, true: bool) -> list[bool]:
    return [marked(record, one.text) for one in record.gold if one.true is true]


def _cited(record: TrialRecord) -> list[Verdict]:
    """The verdicts on the claims with a citation."""
    return [
        entry.verdict
        for entry in (record.checked.entries if record.checked else ())
        if entry.citation_state is not CitationState.NONE
        and entry.verdict is not Verdict.NOT_CHECKABLE
    ]


def _share(values: Sequence[bool]) -> float | None:
    return sum(values) / len(values) if values else None


def _valid_citations(record: TrialRecord) -> float | None:
    return _share([verdict is not Verdict.SOURCE_UNAVAILABLE for verdict in _cited(record)])


def _citation_accuracy(record: TrialRecord) -> float | None:
    return _share([verdict is Verdict.SUPPORTED for verdict in _cited(record)])


def _gate_passed(record: TrialRecord) -> float | None:
    return None if record.gate is None else float(record.gate is GateDecision.PASS)


def _accepted(record: TrialRecord) -> float | None:
    return float(isinstance(record.status, RunStatus) and record.status.accepted)


def _cost(record: TrialRecord) -> float | None:
    return None if record.usage.cost_usd is None else float(record.usage.cost_usd)


def _tokens(record: TrialRecord) -> float | None:
    return float(record.usage.tokens_in + record.usage.output_tokens)


def _all_false_claims_caught(record: TrialRecord) -> float | None:
    marks = _marks(record, true=False)
    return float(all(marks)) if marks else None


def _false_claims_missed(record: TrialRecord) -> float | None:
    marks = _marks(record, true=False)
    return float(marks.count(False)) if marks else None


def _coverage(record: TrialRecord) -> float | None:
    if record.review is not None:
        return record.review.looked_up
    return record.checked.coverage if record.checked else None


def _agreement(record: TrialRecord) -> float | None:
    """Krippendorff's alpha over claims: does each critic object to the claim, or not."""
    critics = record.critics
    if critics is None or len(critics.objections) < 2:
        return None
    critics_places = critics.objections.values()
    return krippendorff_alpha(
        [
            [str(_overlap(places, claim.start, claim.end)) for places in critics_places]
            for claim in critics.claims
        ]
    )


def krippendorff_alpha(units: Sequence[Sequence[str | None]]) -> float | None:
    """Krippendorff's alpha for names, for any number of observers, with values missing.

    Source: Krippendorff (2004), Content Analysis, chapter 11: alpha = 1 - observed / expected
    disagreement. A unit counts each pair of its m values with 1 / (m - 1); units with fewer than
    two values are left out.

    Args:
        units: For each unit the names that its observers gave, None where one gave none.

    Returns:
        1 for full agreement, 0 for agreement by chance, less for systematic disagreement. None if
        no unit has two values, or all values are equal: agreement then cannot be told from having
        only one value.
    """
    given = [[value for value in unit if value is not None] for unit in units]
    paired = [values for values in given if len(values) > 1]
    counts = Counter(value for values in paired for value in values)
    if len(counts) < 2:
        return None
    observed = math.fsum(
        (one != other) / (len(values) - 1)
        for values in paired
        for one, other in combinations(values, 2)
    )
    expected = sum(counts[one] * counts[other] for one, other in combinations(counts, 2))
    return 1 - observed / (expected / (counts.total() - 1))


_UP, _DOWN, _BINARY, _NUMBER = Direction.HIGHER, Direction.LOWER, Scale.BINARY, Scale.NUMERIC
_RUN, _BY_RULES = frozenset({Task.RUN}), frozenset({Task.RUN, Task.CHECK})
_BY_AGENTS = frozenset({Task.RUN, Task.REVIEW})

METRICS: Mapping[str, Metric] = {
    "all_false_claims_caught": Metric(_all_false_claims_caught, _BINARY, _UP, 0.0),
    "false_claims_caught": Metric(lambda one: _share(_marks(one, true=False)), _NUMBER, _UP, 0.0),
    "false_claims_missed": Metric(_false_claims_missed, _NUMBER, _DOWN),
    "true_claims_rejected": Metric(lambda one: _share(_marks(one, true=True)), _NUMBER, _DOWN, 1.0),
    "valid_citations": Metric(_valid_citations, _NUMBER, _UP, 0.0, checks=True, tasks=_BY_RULES),
    "citation_accuracy": Metric(
        _citation_accuracy, _NUMBER, _UP, 0.0, checks=True, tasks=_BY_RULES
    ),
    "coverage": Metric(_coverage, _NUMBER, _UP, 0.0, checks=True),
    "findings": Metric(
        lambda one: float(one.review.count if one.review else len(one.findings)), _NUMBER, None
    ),
    "gate_passed": Metric(_gate_passed, _BINARY, _UP, 0.0, tasks=_BY_RULES),
    "approved": Metric(
        lambda one: float(one.status is RunStatus.APPROVED), _BINARY, _UP, 0.0, tasks=_RUN
    ),
    "accepted": Metric(_accepted, _BINARY, _UP, 0.0, tasks=_RUN),
    "critic_agreement": Metric(_agreement, _NUMBER, _UP, -1.0, tasks=_RUN),
    "iterations": Metric(lambda one: float(one.iterations), _NUMBER, _DOWN, tasks=_RUN),
    "cost_usd": Metric(_cost, _NUMBER, _DOWN, tasks=_BY_AGENTS),
    "tokens": Metric(_tokens, _NUMBER, _DOWN, tasks=_BY_AGENTS),
    "seconds": Metric(lambda one: one.seconds, _NUMBER, _DOWN),
}
"""Every metric of ours, by name."""


def validate_value(value: object, scale: Scale) -> float | None:
    """Validate the value that a user's metric function returned.

    Raises:
        StatisticsError: It is no number of that scale.
    """
    if value is None:
        return None
    if not isinstance(value, int | float) or not math.isfinite(value):
        raise StatisticsError(f"the metric gave {value!r}", "return a number, True, False or None")
    if scale is Scale.BINARY and value not in (0, 1):
        raise StatisticsError(f"the binary metric gave {value!r}", "return True or False")
    return float(value)

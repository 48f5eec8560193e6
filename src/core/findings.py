"""Findings over iterations: one list for the analyst, what changed, and when a loop stalls."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..base.vocabulary import Finding, GateDecision, ReviewCriterion, Severity, finding_id
from ..verification.model import GateResult

STALL_AFTER = 2
"""Iterations in a row in which no finding was resolved before the loop stalls."""

RANKS = {severity: severity.rank for severity in Severity}


@dataclass(frozen=True, slots=True)
class FindingChanges:
    """How the findings of an iteration compare with those of the one before, by id."""

    new: int = 0
    resolved: int = 0
    recurring: int = 0


def merge_findings(groups: Iterable[Iterable[Finding]]) -> tuple[Finding, ...]:
    """Every finding once, worst first, then in document order.

    Of two with the same id the worse is kept, and of equals the first.
    """
    kept: dict[str, Finding] = {}
    for group in groups:
        for finding in group:
            known = kept.get(finding.id)
            if known is None or RANKS[finding.severity] < RANKS[known.severity]:
                kept[finding.id] = finding
    return tuple(sorted(kept.values(), key=_order))


def _order(finding: Finding) -> tuple[int, int, str]:
    start = finding.location.start if finding.location else -1
    return RANKS[finding.severity], start, finding.id


def gate_findings(gate: GateResult | None) -> tuple[Finding, ...]:
    """The finding that a failed gate makes even if every critic approved (decision 38)."""
    if gate is None or gate.decision is not GateDecision.FAIL:
        return ()
    finding = Finding(
        id=finding_id(ReviewCriterion.GATE, gate.rule),
        severity=Severity.HIGH,
        type=ReviewCriterion.GATE,
        claim="",
        problem=f"The evidence gate failed ({gate.rule}): {gate.reason}",
        origin="gate",
        recommendation=gate.would_change,
    )
    return (finding,)


class FindingHistory:
    """The sets of finding ids of the iterations so far."""

    def __init__(self) -> None:
        self._sets: list[frozenset[str]] = []
        self._without_progress = 0
        self._seen_before = False

    def add(self, findings: Iterable[Finding]) -> FindingChanges:
        """Take in an iteration's findings and say how they compare with the last iteration's."""
        current = frozenset(finding.id for finding in findings)
        previous = self._sets[-1] if self._sets else frozenset[str]()
        resolved = previous - current
        if self._sets:
            self._without_progress = 0 if resolved else self._without_progress + 1
        self._seen_before = current in self._sets
        self._sets.append(current)
        return FindingChanges(len(current - previous), len(resolved), len(current & previous))

    @property
    def stalled(self) -> bool:
        """Whether a further iteration is pointless.

        True when the last iteration's set of findings was there before, or when no finding was
        resolved for `STALL_AFTER` iterations.
        """
        return self._seen_before or self._without_progress >= STALL_AFTER

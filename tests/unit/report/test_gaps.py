"""The gaps in the evidence as a person reads them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from foureyes import GateDecision
from foureyes.datatypes import (
    EvidenceCritique,
    EvidenceGap,
    GapAnalysis,
    GapKind,
    GapPriority,
    GapReport,
)
from foureyes.report.wording import gap_lines, gaps_line

HIGH = EvidenceGap(GapKind.UNSOURCED, GapPriority.HIGH, "no source: x.", "x 2024", line=3)
MEDIUM = EvidenceGap(GapKind.READS, GapPriority.MEDIUM, "3 of 4 not read", "")
LOW = EvidenceGap(GapKind.UNCORROBORATED, GapPriority.LOW, "one source", "y", line=4)


def analysis(gaps: Sequence[EvidenceGap], unlisted: int = 0) -> GapAnalysis:
    report = GapReport(1, GateDecision.FAIL, tuple(gaps), unlisted, ())
    return GapAnalysis(report, None, EvidenceCritique(1, (), (), ()))


@pytest.mark.parametrize(
    ("gaps", "line"),
    [
        ([], ""),
        ([MEDIUM, LOW], ""),
        ([HIGH, LOW], "gaps in the evidence: 1 high, see verify/gaps_verify.json"),
        ([HIGH, HIGH, MEDIUM], "gaps in the evidence: 2 high, 1 medium, see verify/gaps_ve"),
    ],
)
def test_the_end_of_a_run_tells_of_high_gaps(gaps: list[EvidenceGap], line: str) -> None:
    told = gaps_line(analysis(gaps))
    assert told.startswith(line)
    assert bool(told) is bool(line)


def test_a_gap_is_told_with_its_place_and_what_to_look_for() -> None:
    assert list(gap_lines(analysis([HIGH, MEDIUM, LOW]))) == [
        "high line 3: no source: x; look for: x 2024",
        "medium whole document: 3 of 4 not read",
    ]


def test_many_gaps_are_counted() -> None:
    lines = list(gap_lines(analysis([HIGH] * 12, unlisted=5)))
    assert (len(lines), lines[-1]) == (11, "and 7 more, see verify/gaps_verify.json")

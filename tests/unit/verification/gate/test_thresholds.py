"""Every number of `gate.yaml` on both sides: what meets it, what misses it, and who decides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

import pytest
from foureyes import Ledger, LedgerEntry, Location, Stance, Verdict
from foureyes.base.registry import validate
from foureyes.datatypes import CitationState, ResearchMode, SupportTier, WeighedEvidence
from foureyes.verification.gate.decision import ReadStatistics, decide_gate
from foureyes.verification.policy import GateProfiles
from pydantic import JsonValue
from support.claim_kit import registry

POLICY = registry().gate
STANDARD, FRONTIER, DISCOVERY = ResearchMode
GOOD = LedgerEntry(
    "c",
    "",
    Location(1, 1, 0, 1),
    Verdict.SUPPORTED,
    CitationState.DIRECT,
    "",
    tier=SupportTier.VERIFIED,
)
BAD = replace(GOOD, verdict=Verdict.UNVERIFIABLE, tier=SupportTier.UNVERIFIED)


@dataclass(frozen=True)
class Seen:
    """What the gate sees: `verified` of `of` claims, so many findings, and what was read.

    A verified claim is a supported one, too. `unread` sources were never asked for.
    """

    verified: int
    of: int
    findings: int = 10
    read: int = 10
    reliable: int = 10
    failed: int = 0
    best: int = 0
    unread: int = 2

    def decided(self, policy: GateProfiles, mode: ResearchMode | None) -> str:
        """Decision and rule."""
        quotes = tuple(
            WeighedEvidence("https://a.example", "sha", f"quote {n}", 0, 1, Stance.SUPPORTS)
            for n in range(self.findings)
        )
        first, *rest = [GOOD] * self.verified + [BAD] * (self.of - self.verified)
        lines = Ledger(1, (replace(first, evidence=quotes), *rest))
        asked, known = self.read + self.failed, self.read + self.failed + self.unread
        reads = ReadStatistics(asked, self.read, known, self.read, self.reliable, self.best)
        result = decide_gate(lines, policy, reads=reads, mode=mode)
        return f"{result.decision} {result.rule}"


Row = tuple[str, ResearchMode | None, Seen, str, float, str, Seen | None]
"""Which number; what just meets it and how that is decided; the number moved by a step, and how the
same is decided then; and what just misses the number, which must be decided so, too."""

REVIEW, FEW = "pending_review rate_below_pass", "fail rate_below_review"
COUNTED, RATED, TOO_FEW = "pass verified_count", "pass verified_rate", "fail too_few_verified"
FINDINGS, SOURCES, QUALITY = "fail findings", "fail sources", "fail reliable_ratio"
MANY = Seen(12, 20)


def evidence_rows(mode: ResearchMode, findings: int, sources: int) -> Iterator[Row]:
    """How much evidence a mode asks for, and how good it must be."""
    passed = "pass evidence" if mode is DISCOVERY else COUNTED
    at = f"research.modes.{mode}"
    met, missed = (replace(MANY, findings=n) for n in (findings, findings - 1))
    yield f"{at}.findings_min", mode, met, passed, findings + 1, FINDINGS, missed
    met, missed = (replace(MANY, read=n, reliable=n) for n in (sources, sources - 1))
    yield f"{at}.sources_min", mode, met, passed, sources + 1, SOURCES, missed
    met, missed = (replace(MANY, reliable=n) for n in (5, 4))
    yield f"{at}.reliable_ratio_min", mode, met, passed, 0.51, QUALITY, missed
    few = replace(MANY, read=sources - 1, reliable=sources - 1)
    best = replace(few, best=1)
    if mode is FRONTIER:
        yield f"{at}.authoritative_counts", mode, best, passed, 1, SOURCES, few
    else:
        yield f"{at}.authoritative_counts", mode, best, SOURCES, 2, passed, None


ROWS: list[Row] = [
    ("document.pass_rate", None, Seen(8, 10), "pass rate", 0.81, REVIEW, Seen(7, 9)),
    ("document.review_rate", None, Seen(5, 10), REVIEW, 0.51, FEW, Seen(5, 11)),
    *evidence_rows(STANDARD, 8, 5),
    *evidence_rows(FRONTIER, 5, 3),
    *evidence_rows(DISCOVERY, 8, 5),
]
# So few reads that the adaptive floor holds: 4 of 10, 4 of 9, 1 of 10.
FEW_READ = replace(MANY, read=4, reliable=4, unread=0)
HALF = replace(FEW_READ, failed=5, findings=4)
ONE = Seen(12, 20, findings=3, read=1, reliable=1, failed=9, best=0, unread=0)
OF_VERIFIED: list[tuple[ResearchMode, str, Seen, str, float, str, Seen | None]] = [
    (STANDARD, "fail_rate", Seen(3, 10), FEW, 0.31, TOO_FEW, Seen(3, 11)),
    (STANDARD, "fail_below", Seen(2, 4), TOO_FEW, 2, REVIEW, None),
    (STANDARD, "pass_count", Seen(5, 14), COUNTED, 6, FEW, Seen(4, 13)),
    (STANDARD, "soft_count", Seen(3, 6), RATED, 4, REVIEW, None),
    (STANDARD, "soft_rate", Seen(4, 8), RATED, 0.51, REVIEW, Seen(4, 9)),
    (STANDARD, "review_rate", Seen(4, 10), REVIEW, 0.41, FEW, Seen(4, 11)),
    (FRONTIER, "fail_rate", Seen(3, 15), FEW, 0.21, TOO_FEW, Seen(3, 16)),
    (FRONTIER, "fail_below", Seen(2, 4), TOO_FEW, 2, REVIEW, None),
    (FRONTIER, "pass_count", Seen(5, 20), COUNTED, 6, FEW, Seen(4, 20)),
    (FRONTIER, "soft_count", Seen(3, 7), RATED, 4, REVIEW, None),
    (FRONTIER, "soft_rate", Seen(4, 10), RATED, 0.41, REVIEW, Seen(4, 11)),
    (FRONTIER, "review_rate", Seen(3, 10), REVIEW, 0.31, FEW, Seen(3, 11)),
]


def rows() -> Iterator[Row]:
    """Every number of the file."""
    yield from ROWS
    for mode, name, at, met, moved, missed, below in OF_VERIFIED:
        yield f"research.modes.{mode}.verified.{name}", mode, at, met, moved, missed, below
    path = "research.adaptive"
    most = replace(FEW_READ, failed=6, findings=4)
    yield f"{path}.below", STANDARD, most, SOURCES, 0.0, FINDINGS, replace(most, findings=3)
    fewer = replace(HALF, findings=3)
    yield f"{path}.of_findings", STANDARD, HALF, SOURCES, 10, FINDINGS, fewer
    yield f"{path}.floor", STANDARD, ONE, SOURCES, 4, FINDINGS, replace(ONE, findings=2)


def numbers(value: JsonValue, path: str = "") -> Iterator[str]:
    """The paths of all numbers in the file."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from numbers(inner, f"{path}.{key}".lstrip("."))
    elif value is not None:
        yield path


def with_number(path: str, number: float) -> GateProfiles:
    """The policy with another number at `path`."""
    data = POLICY.model_dump(mode="json")
    *way, last = path.split(".")
    inner = data
    for key in way:
        inner = inner[key]
    inner[last] = number
    return validate(GateProfiles, data, "gate.yaml")


def test_every_number_of_the_file_is_tried() -> None:
    assert sorted(numbers(POLICY.model_dump(mode="json"))) == sorted(row[0] for row in rows())


@pytest.mark.parametrize("row", list(rows()), ids=lambda row: row[0])
def test_every_number_decides_on_both_of_its_sides(row: Row) -> None:
    path, mode, at, met, moved, missed, below = row
    assert at.decided(POLICY, mode) == met
    assert at.decided(with_number(path, moved), mode) == missed
    if below is not None:
        assert below.decided(POLICY, mode) == missed


@pytest.mark.parametrize("of", range(1, 61))
def test_rates_of_a_document_are_compared_exactly(of: int) -> None:
    for supported in range(of + 1):
        rate = Fraction(supported, of)
        expected = FEW
        if rate >= Fraction("0.8"):
            expected = "pass rate"
        elif rate >= Fraction("0.5"):
            expected = REVIEW
        assert Seen(supported, of).decided(POLICY, None) == expected


@pytest.mark.parametrize(
    ("mode", "fail", "soft", "review"),
    [(STANDARD, "0.3", "0.5", "0.4"), (FRONTIER, "0.2", "0.4", "0.3")],
)
def test_rates_of_research_are_compared_exactly(
    mode: ResearchMode, fail: str, soft: str, review: str
) -> None:
    for of in range(1, 61):
        for verified in range(min(of, 5) + 1):
            rate = Fraction(verified, of)
            expected = FEW
            if rate < Fraction(fail) or verified < min(3, of):
                expected = TOO_FEW
            elif verified >= min(5, of):
                expected = COUNTED
            elif rate >= Fraction(soft):
                expected = RATED
            elif rate >= Fraction(review):
                expected = REVIEW
            assert Seen(verified, of).decided(POLICY, mode) == expected, (verified, of)

"""The automatic repairs of a document, made and checked again."""

from __future__ import annotations

import bisect
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ...base.finding import Correction
from ...base.vocabulary import Verdict
from ...claims.model import Claim
from ...documents.model import Document
from ...documents.parse import parse_document
from ..check import CheckReport
from ..model import ClaimAssessment
from .planning import Repair, apply_repairs, changes

_ROUNDS = 6


@dataclass(frozen=True, slots=True)
class FixedDocument:
    """A document with its automatic repairs made.

    `made` are in the order of the document, `left` wait for a person. `report` is that of `text`.
    """

    text: str
    made: tuple[Repair, ...]
    left: tuple[Repair, ...]
    report: CheckReport


def fix_document(
    document: Document, report: CheckReport, check: Callable[[Document], CheckReport]
) -> FixedDocument:
    """Make the automatic repairs of `report`, and take back those that do not hold.

    The repaired text is checked again. A repair holds if its finding is gone, the claim is
    supported, and every other claim is judged as before or supported.

    Args:
        document: What was checked.
        report: The result.
        check: Checks another version of the document against the same sources.

    Raises:
        SnapshotError: A readable source has no text.
    """
    wanted = [repair for repair in report.repairs if repair.automatic]
    for _ in range(_ROUNDS):
        kept = frozenset(changes(wanted))
        made = [repair for repair in wanted if repair.correction in kept]
        text = apply_repairs(document.text, made)
        again = check(parse_document(text)) if made else report
        failed = _failed(document, report, again, made)
        if not failed:
            left = tuple(repair for repair in report.repairs if repair not in made)
            return FixedDocument(text, tuple(made), left, again)
        wanted = [repair for repair in made if repair not in failed]
    return FixedDocument(document.text, (), report.repairs, report)


def _failed(
    document: Document, before: CheckReport, after: CheckReport, made: Sequence[Repair]
) -> list[Repair]:
    """The repairs that did not settle their claim, or disturbed another."""
    follow = _Successors(changes(made), before, after)
    repaired = {repair.claim_id for repair in made}
    places = {claim.id: claim for claim in before.claims}
    types = {one.id: one.type for answer in before.assessments for one in answer.findings}
    failed = [
        repair
        for repair in made
        if not _holds(types[repair.finding_id], follow.of(places[repair.claim_id]))
    ]
    for claim, assessment in zip(before.claims, before.assessments, strict=True):
        if claim.id in repaired:
            continue
        now = follow.of(claim)
        if now is None or now.verdict not in (assessment.verdict, Verdict.SUPPORTED):
            failed += _near(document, claim, made, places)
    return failed


def _holds(type_: str, now: ClaimAssessment | None) -> bool:
    if now is None or any(finding.type == type_ for finding in now.findings):
        return False
    return now.verdict is Verdict.SUPPORTED


def _near(
    document: Document, claim: Claim, made: Sequence[Repair], places: dict[str, Claim]
) -> Iterable[Repair]:
    """The repairs in the block of `claim`, or all of them if it has none."""
    block = document.sentences[claim.sentence].block
    same = [
        repair
        for repair in made
        if document.sentences[places[repair.claim_id].sentence].block == block
    ]
    return same or made


class _Successors:
    """Which assessment of the repaired text belongs to a claim of the text before."""

    def __init__(self, made: Sequence[Correction], before: CheckReport, after: CheckReport) -> None:
        self._ends = [change.end for change in made]
        self._shifts = [0]
        for change in made:
            grown = len(change.replacement) - (change.end - change.start)
            self._shifts.append(self._shifts[-1] + grown)
        # The parts of one sentence may begin at one place: there their order tells them apart.
        self._order: dict[str, int] = {}
        seen: Counter[int] = Counter()
        for claim in before.claims:
            self._order[claim.id] = seen[claim.location.start]
            seen[claim.location.start] += 1
        self._starting: dict[int, list[ClaimAssessment]] = {}
        for claim, assessment in zip(after.claims, after.assessments, strict=True):
            self._starting.setdefault(claim.location.start, []).append(assessment)

    def of(self, claim: Claim) -> ClaimAssessment | None:
        """The assessment of what now stands in the place of `claim`; None if nothing does."""
        start = claim.location.start
        moved = start + self._shifts[bisect.bisect_right(self._ends, start)]
        there, place = self._starting.get(moved, []), self._order[claim.id]
        return there[place] if place < len(there) else None

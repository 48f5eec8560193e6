"""The automatic repairs of a document, made and checked again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..base.vocabulary import Verdict
from ..claims.model import Claim
from ..core.claim_matching import match_claims
from ..documents.model import Document
from ..documents.parse import parse_document
from ..verification.check import CheckReport
from ..verification.model import ClaimAssessment
from ..verification.repair.planning import Repair, apply_repairs, changes

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
    supported, and every other claim is judged as before or supported. A claim that inherits a dead
    citation may end unverifiable by the source that replaces it: nothing had been read for it.

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
    matched = match_claims(before.claims, after.claims)
    now = {claim.id: one for claim, one in zip(matched, after.assessments, strict=True)}
    repaired = {repair.claim_id for repair in made}
    places = {claim.id: claim for claim in before.claims}
    types = {one.id: one.type for answer in before.assessments for one in answer.findings}
    failed = [
        repair for repair in made if not _holds(types[repair.finding_id], now.get(repair.claim_id))
    ]
    for claim, assessment in zip(before.claims, before.assessments, strict=True):
        other = now.get(claim.id)
        if claim.id not in repaired and (other is None or not _is_as_good(assessment, other)):
            failed += _near(document, claim, made, places)
    return failed


def _holds(type_: str, now: ClaimAssessment | None) -> bool:
    if now is None or any(finding.type == type_ for finding in now.findings):
        return False
    return now.verdict is Verdict.SUPPORTED


def _is_as_good(before: ClaimAssessment, now: ClaimAssessment) -> bool:
    unread = before.verdict is Verdict.SOURCE_UNAVAILABLE
    return now.verdict in (before.verdict, Verdict.SUPPORTED) or (
        unread and now.verdict is Verdict.UNVERIFIABLE
    )


def _near(
    document: Document, claim: Claim, made: Sequence[Repair], places: Mapping[str, Claim]
) -> Iterable[Repair]:
    def block(claim: Claim) -> int:
        return document.sentences[claim.sentence].block

    inside = [one for one in made if block(places[one.claim_id]) == block(claim)]
    if inside or not made:
        return inside
    start = claim.location.start
    return [min(made, key=lambda one: abs(places[one.claim_id].location.start - start))]

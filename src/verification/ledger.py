"""The claim ledger: one line for every claim of an iteration."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from ..base.vocabulary import Checker, Verdict
from ..claims.model import Claim
from .model import ClaimAssessment, Ledger, LedgerEntry

_NO_CHECKERS: Mapping[str, tuple[Checker, ...]] = {}


def build_ledger(
    claims: Sequence[Claim],
    assessments: Iterable[ClaimAssessment],
    *,
    iteration: int = 1,
    open_slots: Collection[str] = (),
    checked_by: Mapping[str, tuple[Checker, ...]] = _NO_CHECKERS,
) -> Ledger:
    """Every claim with its assessment, in the order of `claims`.

    `open_slots` are the ids of claims that a checker should have answered and did not; a claim
    without an assessment is one of them. `checked_by` names who answered, the engine alone where
    it says nothing.
    """
    by_id = {assessment.claim_id: assessment for assessment in assessments}
    return Ledger(
        iteration,
        tuple(
            _entry(claim, by_id.get(claim.id), claim.id in open_slots, checked_by.get(claim.id))
            for claim in claims
        ),
    )


def _entry(
    claim: Claim,
    assessment: ClaimAssessment | None,
    unanswered: bool,
    checkers: tuple[Checker, ...] | None,
) -> LedgerEntry:
    if assessment is None:
        return LedgerEntry(
            claim.id,
            claim.text,
            claim.location,
            Verdict.UNVERIFIABLE,
            claim.citation_state,
            "no checker answered for this claim",
            load_bearing=claim.load_bearing,
            lineage=claim.lineage,
            open_slot=True,
        )
    return LedgerEntry(
        claim.id,
        claim.text,
        claim.location,
        assessment.verdict,
        assessment.citation_state,
        assessment.reason,
        load_bearing=claim.load_bearing,
        lineage=claim.lineage,
        open_slot=unanswered,
        open_contradiction=assessment.verdict is Verdict.CONTRADICTED,
        unchecked=assessment.unchecked,
        checked_by=(Checker.ENGINE,) if checkers is None else checkers,
        evidence=assessment.evidence,
        finding_ids=tuple(finding.id for finding in assessment.findings),
    )

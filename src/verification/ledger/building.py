"""The claim ledger: one line for every claim of an iteration."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from ...base.vocabulary import Checker, CitationState, Severity, Verdict
from ...claims.model import Claim
from ..model import ClaimAssessment, Evidence, Ledger, LedgerEntry, WeighedEvidence

_NO_CHECKERS: Mapping[str, tuple[Checker, ...]] = {}


def build_ledger(
    claims: Sequence[Claim],
    assessments: Iterable[ClaimAssessment],
    *,
    iteration: int = 1,
    open_slots: Collection[str] = (),
    checked_by: Mapping[str, tuple[Checker, ...]] = _NO_CHECKERS,
    misquoted: Collection[str] = (),
) -> Ledger:
    """Every claim with its assessment, in the order of `claims`.

    `open_slots` are the ids of claims that a checker should have answered and did not; a claim
    without an assessment is one of them. `checked_by` names who answered, the engine alone where
    it says nothing. `misquoted` are the open slots of which an answer was not taken because a quote
    of it is not in its snapshot.
    """
    by_id = {assessment.claim_id: assessment for assessment in assessments}
    entries = [_entry(claim, by_id.get(claim.id)) for claim in claims]
    return Ledger(
        iteration,
        tuple(
            replace(
                entry,
                open_slot=entry.open_slot or entry.claim_id in open_slots,
                misquoted=entry.claim_id in misquoted,
                checked_by=checked_by.get(entry.claim_id, entry.checked_by),
            )
            for entry in entries
        ),
    )


def link_contradictions(ledger: Ledger, pairs: Iterable[tuple[str, str]]) -> Ledger:
    """`ledger` with each of two claims that cannot both be true naming the other.

    Pairs of a claim with itself, or with one that is not in the ledger, are left out.
    """
    named = {entry.claim_id: set(entry.contradicts) for entry in ledger.entries}
    for one, other in pairs:
        if one != other and one in named and other in named:
            named[one].add(other)
            named[other].add(one)
    entries = (
        replace(entry, contradicts=tuple(sorted(named[entry.claim_id]))) for entry in ledger.entries
    )
    return replace(ledger, entries=tuple(entries))


def _entry(claim: Claim, assessment: ClaimAssessment | None) -> LedgerEntry:
    unanswered = LedgerEntry(
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
    if assessment is None:
        return unanswered
    return replace(
        unanswered,
        verdict=assessment.verdict,
        citation_state=assessment.citation_state,
        reason=assessment.reason,
        open_slot=False,
        open_contradiction=assessment.verdict is Verdict.CONTRADICTED,
        unchecked=assessment.unchecked,
        checked_by=(Checker.ENGINE,),
        evidence=tuple(map(_plain, assessment.evidence)),
        finding_ids=tuple(finding.id for finding in assessment.findings),
        unsure=_is_unsure(assessment),
    )


def _is_unsure(assessment: ClaimAssessment) -> bool:
    """Whether the sources may well state a claim that the reader could not confirm.

    What lacks a figure, a date or a quotation of it does not.
    """
    if any(not slot.outcome.is_found for slot in assessment.slots):
        return False
    cited = assessment.citation_state is not CitationState.NONE
    mild = all(found.severity is Severity.LOW for found in assessment.findings)
    return cited and mild and assessment.verdict is Verdict.UNVERIFIABLE and not assessment.sure


def _plain(item: Evidence) -> WeighedEvidence:
    return WeighedEvidence(item.url, item.sha256, item.quote, item.start, item.end, item.stance)

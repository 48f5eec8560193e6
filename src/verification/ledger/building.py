"""The claim ledger, one line for every claim of an iteration, and the scores of a fact check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum

from ...base.vocabulary import Checker, CitationState, Severity, Verdict
from ...claims.model import Claim
from ..model import ClaimAssessment, Ledger, LedgerEntry, WeighedEvidence

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
    entries: list[LedgerEntry] = []
    for claim in claims:
        entry = LedgerEntry(
            claim.id,
            claim.text,
            claim.location,
            Verdict.UNVERIFIABLE,
            claim.citation_state,
            "no checker answered for this claim",
            load_bearing=claim.load_bearing,
            lineage=claim.lineage,
            open_slot=True,
            misquoted=claim.id in misquoted,
            checked_by=checked_by.get(claim.id, ()),
        )
        if assessment := by_id.get(claim.id):
            entry = replace(
                _answered(entry, assessment),
                checked_by=checked_by.get(claim.id, (Checker.ENGINE,)),
                open_slot=claim.id in open_slots,
            )
        entries.append(entry)
    return Ledger(iteration, tuple(entries))


def _answered(entry: LedgerEntry, assessment: ClaimAssessment) -> LedgerEntry:
    return replace(
        entry,
        verdict=assessment.verdict,
        citation_state=assessment.citation_state,
        reason=assessment.reason,
        open_contradiction=assessment.verdict is Verdict.CONTRADICTED,
        unchecked=assessment.unchecked,
        evidence=tuple(
            WeighedEvidence(one.url, one.sha256, one.quote, one.start, one.end, one.stance)
            for one in assessment.evidence
        ),
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


class FactCheckState(StrEnum):
    """The fact-checker spec's verification states."""

    VERIFIED_TRUE = "verified_true"
    VERIFIED_FALSE = "verified_false"
    UNVERIFIABLE = "unverifiable"
    UNSOURCED = "unsourced"


def fact_check_state(verdict: Verdict, citation: CitationState) -> FactCheckState | None:
    """The spec's state for a verdict; None for a claim that is not checkable (decision 23)."""
    if verdict is Verdict.NOT_CHECKABLE:
        return None
    if citation is CitationState.NONE:
        return FactCheckState.UNSOURCED
    match verdict:
        case Verdict.SUPPORTED:
            return FactCheckState.VERIFIED_TRUE
        case Verdict.CONTRADICTED:
            return FactCheckState.VERIFIED_FALSE
        case _:
            return FactCheckState.UNVERIFIABLE


def count_states(entries: Iterable[LedgerEntry]) -> dict[FactCheckState, int]:
    """How many entries are in each state; every state has a key."""
    states = Counter(fact_check_state(entry.verdict, entry.citation_state) for entry in entries)
    return {state: states[state] for state in FactCheckState}


def accuracy_score(ledger: Ledger) -> float | None:
    """100 x verified true / all checked claims with a source, 0–100; None if there are none.

    Open slots and claims that nothing could be compared with were not checked (decision 24).
    """
    counts = count_states(e for e in ledger.entries if not (e.open_slot or e.unchecked))
    checked = sum(counts.values()) - counts[FactCheckState.UNSOURCED]
    return 100 * counts[FactCheckState.VERIFIED_TRUE] / checked if checked else None


def coverage(ledger: Ledger) -> float | None:
    """The share of checkable claims that were checked, 0–1; None for none (decision 24)."""
    checkable = [entry for entry in ledger.entries if entry.verdict is not Verdict.NOT_CHECKABLE]
    if not checkable:
        return None
    return sum(not (entry.open_slot or entry.unchecked) for entry in checkable) / len(checkable)

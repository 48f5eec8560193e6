"""The findings that a claim's assessment leads to."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from ...base.vocabulary import (
    CitationState,
    ClaimKind,
    Correction,
    Finding,
    IssueType,
    Severity,
    Verdict,
    finding_id,
)
from ...claims.model import Claim, ClaimCategory, Quantity
from ...sources.model import ITS_COPY, ITSELF, Source
from ..exact.model import Judgement, QuoteCheck
from ..model import SlotKind, SlotOutcome
from ..passages.retrieval import SourceText
from ..severity import SeverityPolicy, at_most, unread_problem, worse

_OWN_TEXT = "cite the source that the document has it from: it cannot support its own claims"
_STOPS = tuple(".!?,")
ENGINE = "engine"
FACT_CHECKER = "fact_checker"
OWN_FIGURES = frozenset({IssueType.ARITHMETIC, IssueType.INTERNAL_CONTRADICTION})
"""Issue types that follow from the document's own figures, independent of any source."""


def finding(
    claim: Claim,
    type_: IssueType,
    severity: Severity,
    problem: str,
    *,
    evidence: str = "",
    recommendation: str = "",
) -> Finding:
    """A finding of the engine's against `claim`."""
    return Finding(
        id=finding_id(type_, claim.id),
        severity=severity,
        type=type_,
        claim=claim.text,
        problem=problem,
        origin=ENGINE,
        location=claim.location,
        evidence=evidence,
        recommendation=recommendation,
        claim_id=claim.id,
    )


def unsourced(claim: Claim, policy: SeverityPolicy) -> Finding:
    """A claim without a citation (fact-checker spec, claim hierarchy; decision 8)."""
    issue = policy.unsourced[claim.category]
    severity = issue.severity
    if claim.own_estimate and issue.type is IssueType.UNSOURCED:
        severity = policy.own_estimate
    elif claim.kind is ClaimKind.QUOTATION:
        severity = worse(severity, policy.unsourced_quotation)
    problem = f"{_CATEGORY[claim.category]} without a source"
    advice = "cite a source that states it, or remove the claim"
    if issue.type is IssueType.FABRICATED:
        problem = "a result of the author's own is stated without any source"
        advice = "cite where the result is published, or remove the claim"
    return finding(
        claim, issue.type, severity, problem, evidence=_cover(claim), recommendation=advice
    )


def _cover(claim: Claim) -> str:
    if claim.citation_state is CitationState.NONE:
        return "no citation covers it"
    which = "an earlier" if claim.citation_state is CitationState.CARRIED else "a later"
    return f"only the citation of {which} sentence covers it, and its source does not state it"


_CATEGORY = {
    ClaimCategory.STATISTICAL: "a statistic",
    ClaimCategory.MARKET: "a statement about a market",
    ClaimCategory.COMPANY_METRIC: "a company figure",
    ClaimCategory.OWN_RESULT: "a result of the author's own",
    ClaimCategory.GENERAL: "a statement of fact",
}


def incomplete(claim: Claim, label: str, policy: SeverityPolicy, *, spare: bool) -> Finding:
    """A citation that names no address; `spare` if another one does, or it is a neighbour's."""
    severity = policy.spare_incomplete if spare else policy.incomplete_citation
    return finding(
        claim,
        IssueType.INCOMPLETE_CITATION,
        _capped(claim, severity, policy),
        f"citation {label} leads to no address",
        recommendation="add the address of the source",
    )


def unreadable(
    claim: Claim, source: Source, policy: SeverityPolicy, *, spare: bool
) -> Finding | None:
    """A source that cannot be read (decision 18); None if that is no fault of the author's."""
    issue = policy.source_states.get(source.state)
    if issue is None:
        return None
    severity = policy.spare_source if spare else _capped(claim, issue.severity, policy)
    return finding(
        claim,
        issue.type,
        severity,
        unread_problem(source.state),
        evidence=f"{source.url}: {source.reason}",
        recommendation=_OWN_TEXT if source.reason in (ITSELF, ITS_COPY) else issue.advice,
    )


def contradicted(
    claim: Claim, judgement: Judgement, url: str, source: SourceText, policy: SeverityPolicy
) -> Finding:
    """The source says something else; with a correction where only one part differs."""
    type_, severity = _type_and_severity(claim, judgement, policy)
    fix = correction(claim, judgement, source)
    raised = finding(
        claim,
        type_,
        _capped(claim, severity, policy),
        _PROBLEMS[type_],
        evidence=f"{judgement.reason} ({url})",
        recommendation=f"correct to “{fix.replacement}”" if fix else _CORRECT,
    )
    return replace(raised, correction=fix)


_CORRECT = "correct the claim to what the source says, or remove it"
_PROBLEMS = {
    IssueType.NUMERIC_ERROR: "the number differs from the source's",
    IssueType.VERIFIED_FALSE: "the source says otherwise",
    IssueType.ALTERED_QUOTE: "the quoted words are not those of the source",
}


def _type_and_severity(
    claim: Claim, judgement: Judgement, policy: SeverityPolicy
) -> tuple[IssueType, Severity]:
    if judgement.quote is not None:
        return IssueType.ALTERED_QUOTE, policy.altered_quote
    figure = judgement.figure
    if figure is not None and isinstance(figure.value, Quantity):
        severity = policy.of_number(figure.change, load_bearing=claim.load_bearing)
        return IssueType.NUMERIC_ERROR, severity
    if not judgement.decided:
        return IssueType.VERIFIED_FALSE, policy.read_contradiction
    return IssueType.VERIFIED_FALSE, policy.verified_false


def unverifiable(claim: Claim, evidence: str, policy: SeverityPolicy) -> Finding:
    """The source can be read but does not settle the claim."""
    general = claim.category is ClaimCategory.GENERAL and not claim.load_bearing
    severity = policy.unverifiable_general if general else policy.unverifiable
    problem = "the cited source does not clearly state this"
    return _not_shown(claim, severity, problem, evidence, policy)


def not_found(claim: Claim, evidence: str, policy: SeverityPolicy, *, sure: bool) -> Finding:
    """The reader does not find it in the source; if it is not `sure`, the source may state it."""
    severity = policy.misattributed if sure else policy.unverifiable_wording
    problem = "this could not be confirmed in the cited source"
    if sure:
        problem = "the cited source does not state this"
    return _not_shown(claim, severity, problem, evidence, policy)


def _not_shown(
    claim: Claim, severity: Severity, problem: str, evidence: str, policy: SeverityPolicy
) -> Finding:
    return finding(
        claim,
        IssueType.UNVERIFIABLE,
        _capped(claim, severity, policy),
        problem,
        evidence=evidence,
        recommendation="quote the passage that states it, or cite a source that does",
    )


def outdated(claim: Claim, published: date, policy: SeverityPolicy, *, url: str) -> Finding:
    """A supported claim in the present tense whose source is old (decision 27)."""
    return finding(
        claim,
        IssueType.OUTDATED,
        _capped(claim, policy.outdated, policy),
        "the source is too old for a statement about the present",
        evidence=f"{url} is dated {published.isoformat()}",
        recommendation="cite a current source, or say of which date the figure is",
    )


def changed(claim: Claim, written: date, evidence: str, policy: SeverityPolicy) -> Finding:
    """A claim that was right on the day of its document and no longer is (decision 27)."""
    return finding(
        claim,
        IssueType.OUTDATED,
        _capped(claim, policy.outdated, policy),
        f"right on {written.isoformat()}, when the document was written, and no longer",
        evidence=evidence,
        recommendation="say of which day it is, or bring it up to date",
    )


def stated(claim: Claim, verdict: Verdict, reason: str, policy: SeverityPolicy) -> Finding:
    """A fact checker's verdict other than supported."""
    raised = unverifiable(claim, reason, policy)
    if verdict is Verdict.CONTRADICTED:
        raised = finding(
            claim,
            IssueType.VERIFIED_FALSE,
            _capped(claim, policy.verified_false, policy),
            _PROBLEMS[IssueType.VERIFIED_FALSE],
            evidence=reason,
            recommendation=_CORRECT,
        )
    return replace(raised, origin=FACT_CHECKER)


def _capped(claim: Claim, severity: Severity, policy: SeverityPolicy) -> Severity:
    if claim.citation_state in (CitationState.INHERITED, CitationState.CARRIED):
        return at_most(severity, policy.inherited_at_most)
    return severity


def correction(claim: Claim, judgement: Judgement, source: SourceText) -> Correction | None:
    """The replacement that settles a proved contradiction; None if another part is open.

    Its offsets are offsets into the document.
    """
    if judgement.quote is not None:
        return _of_quotation(claim, judgement, judgement.quote, source)
    edit = judgement.edit
    open_ = [slot.claimed.split() for slot in judgement.slots if not slot.outcome.is_found]
    if edit is None or any(not {*edit.claimed.split()} <= {*words} for words in open_):
        return None
    return Correction(*claim.source_span(edit.claim_start, edit.claim_end), edit.found)


def _of_quotation(
    claim: Claim, judgement: Judgement, check: QuoteCheck, source: SourceText
) -> Correction | None:
    altered = [
        slot
        for slot in judgement.slots
        if slot.kind is SlotKind.QUOTE and slot.outcome is not SlotOutcome.MATCH
    ]
    if len(altered) != 1:
        return None
    words = " ".join(source.text[check.start : check.end].split()).rstrip(",;")
    # The mark at its end, "not a building,”", is the document's.
    if check.quote.text[-1:] in _STOPS and words[-1:] not in _STOPS:
        words += check.quote.text[-1]
    return Correction(*claim.source_span(check.quote.start, check.quote.end), words)

"""Statements of fact that cite nothing: how much rests on them, and what the sources say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ...base.vocabulary import CitationState, Finding, IssueType, Verdict
from ...claims.model import Claim, ClaimCategory, QuantityKind
from ...documents.model import BlockKind, Document
from ..model import ClaimAssessment
from ..passages.retrieval import terms
from ..severity import SeverityPolicy, worse
from .planning import Repair, RepairKind

LEAST_CITED, LEAST_SHARE = 2, 0.3
"""A document cites if so many of its claims, and so large a share of them, have a source."""
_RESTATED = 0.6
LEAST_CODE = 3
"""Listings, sentences with code or requirements that make a document technical."""
_REQUIRES = re.compile(r"\b(?:MUST|SHALL|SHOULD)\b")
_OWN_VOICE = re.compile(r"\W*(?:we|i|our|my)\b", re.IGNORECASE)
_SHARES = frozenset({QuantityKind.PERCENT, QuantityKind.RATIO, QuantityKind.MONEY})


def weigh_uncited(
    document: Document,
    claims: Sequence[Claim],
    assessments: Sequence[ClaimAssessment],
    repairs: Iterable[Repair],
    policy: SeverityPolicy,
) -> tuple[ClaimAssessment, ...]:
    """`assessments` of `claims` with what statements of fact without a source come to.

    One that a source at hand contradicts is at least as bad as a false claim. One that the argument
    rests on is high, in a document that cites for the rest, unless a source at hand or a supported
    claim states it. All others stay low, count in no rate and are listed as not checked. A README
    or a specification lays down its own matter: its sizes and limits are low, too.
    """
    by_id = {repair.finding_id: repair for repair in repairs}
    cited = sum(claim.citation_state is not CitationState.NONE for claim in claims)
    technical = _is_technical(document)
    cites = not technical and cited >= LEAST_CITED and cited >= LEAST_SHARE * len(claims)
    judged = list(zip(claims, assessments, strict=True))
    stated = [
        frozenset(terms(claim.text))
        for claim, answer in judged
        if answer.verdict is Verdict.SUPPORTED
    ]
    weighed: list[ClaimAssessment] = []
    for claim, answer in judged:
        finding = next((one for one in answer.findings if one.type is IssueType.UNSOURCED), None)
        if finding is None:
            weighed.append(answer)
        elif claim.category is ClaimCategory.GENERAL and not claim.own_estimate:
            repair = by_id.get(finding.id)
            weighed.append(_weighed(claim, answer, finding, repair, stated, policy, cites=cites))
        elif technical and _is_size(claim):
            low = replace(finding, severity=policy.unsourced_own_matter)
            weighed.append(_with(answer, low))
        else:
            weighed.append(answer)
    return tuple(weighed)


def _is_technical(document: Document) -> bool:
    shown = sum(bool(one.literal) or one.kind is BlockKind.CODE for one in document.sentences)
    return shown >= LEAST_CODE or len(_REQUIRES.findall(document.text)) >= LEAST_CODE


def _is_size(claim: Claim) -> bool:
    shares = any(one.kind in _SHARES for one in claim.quantities)
    return claim.category is ClaimCategory.STATISTICAL and not shares


def unsourced(assessments: Iterable[ClaimAssessment]) -> frozenset[str]:
    """The ids of the claims without a source, or that only carry one not seen to state them."""
    return frozenset(
        one.claim_id
        for one in assessments
        if any(found.type is IssueType.UNSOURCED for found in one.findings)
        or (one.citation_state is CitationState.CARRIED and one.verdict is Verdict.UNVERIFIABLE)
    )


def _weighed(
    claim: Claim,
    assessment: ClaimAssessment,
    finding: Finding,
    repair: Repair | None,
    stated: Sequence[frozenset[str]],
    policy: SeverityPolicy,
    *,
    cites: bool,
) -> ClaimAssessment:
    if repair is not None and repair.kind is RepairKind.CORRECT and repair.quote:
        raised = replace(
            finding,
            severity=worse(finding.severity, policy.verified_false),
            problem="a statement of fact without a source, and a source at hand says otherwise",
        )
        return _with(assessment, raised)
    shown = repair is not None and bool(repair.quote) and not repair.nearest
    restated = any(_is_restated(claim, words) for words in stated)
    own = _OWN_VOICE.match(claim.text) is not None
    if claim.load_bearing and cites and not (shown or restated or own):
        severity = worse(finding.severity, policy.unsourced_load_bearing)
        return _with(assessment, replace(finding, severity=severity))
    figures = claim.quantities or claim.dates or claim.quotes or claim.references
    if claim.citation_state is CitationState.NONE and not figures:
        reason = "it cites nothing, and no figure of it has to be true"
        return replace(assessment, verdict=Verdict.NOT_CHECKABLE, reason=reason)
    return assessment


def _with(assessment: ClaimAssessment, finding: Finding) -> ClaimAssessment:
    others = tuple(one for one in assessment.findings if one.id != finding.id)
    return replace(assessment, findings=(finding, *others))


def _is_restated(claim: Claim, words: frozenset[str]) -> bool:
    """Whether a supported claim, of which `words` are, says the same in more or fewer words."""
    own = frozenset(terms(claim.text))
    return bool(own) and len(own & words) >= _RESTATED * len(own)

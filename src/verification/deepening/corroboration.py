"""What sources that a document does not cite say about the claims that it does cite others for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ...base.vocabulary import CitationState, Verdict
from ...claims.model import Claim
from ..assessing.elsewhere import look_elsewhere
from ..model import ClaimAssessment, Evidence
from ..reading.index import SourceIndex
from ..registry import Registry


def corroborate(
    claims: Iterable[Claim], found: SourceIndex, registry: Registry
) -> Mapping[str, Evidence]:
    """By claim id, the words of a source of `found` that bear a cited claim out or deny it.

    An uncited claim is left out: a source that states it is the citation to add (decision 24).

    Raises:
        SnapshotError: A readable source has no text.
    """
    shown: dict[str, Evidence] = {}
    for claim in claims:
        if claim.exclusion or claim.citation_state is CitationState.NONE:
            continue
        cited = {address.target for address in claim.cited if address.target}
        elsewhere = look_elsewhere(claim, found, registry, besides=cited)
        if (evidence := elsewhere.against or elsewhere.support) is not None:
            shown[claim.id] = evidence
    return shown


def with_corroboration(
    assessment: ClaimAssessment, shown: Mapping[str, Evidence]
) -> ClaimAssessment:
    """A supported `assessment` with what `shown`, by claim id, has on it.

    The verdict is about the cited source and stays; a denial is on record beside it.
    """
    evidence = shown.get(assessment.claim_id)
    if evidence is None or assessment.verdict is not Verdict.SUPPORTED:
        return assessment
    return replace(assessment, evidence=(*assessment.evidence, evidence))

"""Evidence from other sources on a document's cited claims."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from ...base.vocabulary import CitationState, Verdict
from ...claims.model import Claim
from ..assessing.elsewhere import compare_with, likely_sources
from ..model import ClaimAssessment, Evidence
from ..registry import Registry
from ..source_index import SourceIndex


def corroborate(
    claims: Iterable[Claim],
    found: SourceIndex,
    registry: Registry,
    *,
    cited: Collection[str] = (),
) -> Mapping[str, tuple[Evidence, ...]]:
    """By claim id, the words of sources of `found` that bear a cited claim out or deny it.

    Sources `cited` elsewhere in the document count, too (decision 34), where they bear it out: what
    denies it there is for the challenges to find. Claims beyond the policy's number of comparisons
    are left out, the document's argument last. An uncited claim is left out: a source that
    states it is the citation to add (decision 24).

    Raises:
        SnapshotError: A readable source has no text.
    """
    asked = [
        claim
        for claim in claims
        if not claim.exclusion and claim.citation_state is not CitationState.NONE
    ]
    asked.sort(key=lambda claim: not claim.load_bearing)
    most = registry.deepening.compared // max(1, len(found.sources.sources))
    shown = {claim.id: tuple(_shown(claim, found, registry, cited)) for claim in asked[:most]}
    return {claim_id: evidence for claim_id, evidence in shown.items() if evidence}


def _shown(
    claim: Claim, found: SourceIndex, registry: Registry, cited: Collection[str]
) -> Iterator[Evidence]:
    own = {address.target for address in claim.cited if address.target}
    for url in likely_sources(claim.text, found, besides=own):
        elsewhere = compare_with(claim, url, found, registry)
        against = None if url in cited else elsewhere.against
        evidence = against or elsewhere.support
        if evidence is not None:
            yield evidence


def with_corroboration(
    assessment: ClaimAssessment, shown: Mapping[str, tuple[Evidence, ...]]
) -> ClaimAssessment:
    """A supported `assessment` with what `shown`, by claim id, has on it.

    The verdict is about the cited source and stays; a denial is on record beside it.
    """
    evidence = shown.get(assessment.claim_id, ())
    if not evidence or assessment.verdict is not Verdict.SUPPORTED:
        return assessment
    return replace(assessment, evidence=(*assessment.evidence, *evidence))

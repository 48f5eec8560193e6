"""Claims as the detector found them in the words of an extraction (review spec, phase 4a)."""

from __future__ import annotations

from ..base.vocabulary import CitationState
from ..claims.model import Claim, Materiality
from ..documents.model import Document
from .review_types import ExtractedClaim


def extracted_claim(claim: Claim, document: Document) -> ExtractedClaim:
    """`claim`, which was found in `document`, with the document's words that state it."""
    start, end = stated_span(claim)
    return ExtractedClaim(
        id=claim.id,
        statement=claim.text,
        quote=" ".join(document.text[start:end].split()),
        line=document.position(start)[0],
        topic=claim.topic,
        materiality=_materiality(claim),
        temporality=claim.temporality,
        polarity=claim.polarity,
        by_rules=True,
    )


def _materiality(claim: Claim) -> Materiality:
    """Load-bearing if the argument rests on the claim, or the document cites a source for it.

    Review spec, materiality filter: what is cited as evidence bears load.
    """
    cited = claim.citation_state is CitationState.DIRECT
    return Materiality.LOAD_BEARING if cited else claim.materiality


def stated_span(claim: Claim) -> tuple[int, int]:
    """The stretch of the document that holds every word of `claim`.

    A part of a compound sentence takes its subject from another part; then it is wider than the
    claim's own place.
    """
    start, end = claim.location.start, claim.location.end
    if claim.anchors and claim.text:
        places = [claim.source_span(at, at + 1) for at, _ in claim.anchors]
        lasts = [at - 1 for at, _ in claim.anchors[1:]] + [len(claim.text) - 1]
        start = min(start, *(place[0] for place in places))
        end = max(end, *(claim.source_span(at, at + 1)[1] for at in lasts))
    return start, end

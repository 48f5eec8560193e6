"""The claims of a document with their evidence, and its critique, in words for a person."""

from __future__ import annotations

from collections.abc import Iterator

from ..base.counting import counted
from ..base.vocabulary import Stance
from ..verification.quality.critique import Critique
from ..verification.quality.evidence_map import ClaimEvidenceMap, LinkedEvidence, MappedClaim
from .markup import shortened

CLAIM_COLUMNS = ("line", "verdict", "tier", "claim", "evidence")
QUALITY_COLUMNS = ("dimension", "score", "why")
SHOWN_CLAIMS = 60
_SHOWN_ITEMS = 2
_CLAIM_CHARS, _QUOTE_CHARS = 120, 90
LOW = "⚠ low reliability"


def claim_rows(found: ClaimEvidenceMap) -> Iterator[tuple[str, ...]]:
    """The cells of the first claims, in document order; `SHOWN_CLAIMS` of them."""
    for claim in found.claims[:SHOWN_CLAIMS]:
        tier = claim.verification_tier.value if claim.verification_tier else "-"
        text = shortened(claim.text, _CLAIM_CHARS)
        yield str(claim.line), claim.verdict.value, tier, text, _evidence(claim)


def evidence_line(found: ClaimEvidenceMap) -> str:
    """Count the sentences with evidence; name those without, copied ones and weak sources."""
    bare = [str(each.line) for each in found.sentences if not each.linked]
    copied = [str(each.line) for each in found.sentences if each.copied_from]
    linked = len(found.sentences) - len(bare)
    those = counted(
        len(found.sentences), "sentence with a claim has", "sentences with a claim have"
    )
    line = f"{linked} of {those} evidence"
    line += f"; without: line {', '.join(dict.fromkeys(bare))}" if bare else ""
    if copied:
        lines = ", ".join(dict.fromkeys(copied))
        line += f"; word for word from a source, without quotation marks: line {lines}"
    weak = ", ".join(found.low_reliability_sources)
    return line + (f"; sources of low reliability: {weak}" if weak else "")


def quality_rows(found: Critique) -> Iterator[tuple[str, ...]]:
    """The cells of each dimension."""
    for dimension, one in found.dimensions.items():
        score = "-" if one.score is None else f"{one.score:.2f}"
        yield dimension.replace("_", " "), score, one.reason


def _evidence(claim: MappedClaim) -> str:
    shown = [_item(item) for item in claim.evidence[:_SHOWN_ITEMS]]
    more = len(claim.evidence) - len(shown)
    return "; ".join(shown) + (f" and {more} more" if more > 0 else "") or "none"


def _item(item: LinkedEvidence) -> str:
    against = "against: " if item.stance is Stance.CONTRADICTS else ""
    marks = [mark for mark in (item.source_tier, LOW if item.low_reliability else "") if mark]
    source = f"{item.url} ({', '.join(marks)})" if marks else item.url
    return f"{against}“{shortened(item.snippet, _QUOTE_CHARS)}” {source}"

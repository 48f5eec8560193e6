"""The places of the cited sources that are worth reading for a claim."""

from __future__ import annotations

from dataclasses import replace

from ...claims.model import Claim
from ..model import Passage
from ..passages.retrieval import SourceIndex
from ..policy import VerificationPolicy


def find_passages(
    claim: Claim, sources: SourceIndex, policy: VerificationPolicy, *, k: int | None = None
) -> tuple[Passage, ...]:
    """The `k` passages of the claim's readable sources that are most about it, best first.

    `k` is the policy's number if not given. Ids are ``P1``, ``P2`` … and stay the same for the same
    claim and sources. Passages of one source do not overlap in their middle.

    Raises:
        SnapshotError: A readable source has no text.
    """
    most = policy.search.passages if k is None else k
    context = f"{claim.heading} {claim.previous}"
    found: list[Passage] = []
    seen: set[str] = set()
    for address in claim.cited:
        readable = sources.readable(address.target) if address.target else None
        if readable is None or address.target is None or readable[0].sha256 in seen:
            continue
        snapshot, source = readable
        seen.add(snapshot.sha256)
        for window in source.rank(claim.text, most, context=context):
            start, end = source.span(window)
            text = source.text[start:end]
            score = min(1.0, window.score)
            found.append(Passage("", address.target, snapshot.sha256, start, end, text, score))
    found.sort(key=lambda passage: (-passage.score, passage.url, passage.start))
    return tuple(
        replace(passage, id=f"P{number}", score=round(passage.score, 4))
        for number, passage in enumerate(found[:most], 1)
    )

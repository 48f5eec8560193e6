"""The places of the cited sources that are worth reading for a claim."""

from __future__ import annotations

from dataclasses import replace

from ...claims.model import Claim
from ..model import Passage
from ..policy import VerificationPolicy
from ..reading.form import claim_form
from ..reading.index import SourceIndex, TextIndex
from .alignment import Aligner


def find_passages(
    claim: Claim, sources: SourceIndex, policy: VerificationPolicy, *, k: int | None = None
) -> tuple[Passage, ...]:
    """The `k` passages of the claim's readable sources that hold most of its words, best first.

    A passage is a sentence or table row with its neighbours in the same paragraph. `k` is the
    policy's number if not given. Ids are ``P1``, ``P2`` … and stay the same for the same claim and
    sources. Passages do not overlap.

    Raises:
        SnapshotError: A readable source has no text.
    """
    form = claim_form(claim, sources.lexicon)
    found: list[Passage] = []
    seen: set[str] = set()
    for address in claim.cited:
        readable = sources.readable(address.target) if address.target else None
        if readable is None or address.target is None or readable[0].sha256 in seen:
            continue
        snapshot, index = readable
        seen.add(snapshot.sha256)
        aligner = Aligner(form, index, sources.lexicon, policy)
        for score, number in aligner.best_segments:
            start, end = _around(index, number)
            text = index.text[start:end]
            found.append(Passage("", address.target, snapshot.sha256, start, end, text, score))
    found.sort(key=lambda passage: (-passage.score, passage.url, passage.start))
    chosen: list[Passage] = []
    for passage in found:
        if len(chosen) == (policy.search.passages if k is None else k):
            break
        if not any(_overlap(passage, other) for other in chosen):
            name = f"P{len(chosen) + 1}"
            chosen.append(replace(passage, id=name, score=round(passage.score, 4)))
    return tuple(chosen)


def _around(index: TextIndex, number: int) -> tuple[int, int]:
    """The segment with its neighbours in the same paragraph; a table row with its header."""
    segments = index.segments
    own = segments[number]
    if own.header is not None:
        return (own.header[0], own.end) if own.end - own.header[0] < 2000 else (own.start, own.end)
    first = number - 1 if number and segments[number - 1].block == own.block else number
    after = number + 1
    last = after if after < len(segments) and segments[after].block == own.block else number
    return segments[first].start, segments[last].end


def _overlap(left: Passage, right: Passage) -> bool:
    return left.sha256 == right.sha256 and left.start < right.end and right.start < left.end

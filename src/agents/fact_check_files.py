"""Files of a fact-check batch: the claims with code's results, and the passages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ..claims.model import Claim
from ..core.work import ClaimWork
from ..sources.model import SourceSet
from ..verification.model import Passage, SlotCheck
from .reading import UntrustedText

PASSAGE_CHARS = 800
CLAIM_CHARS = 2_000


def describe_citations(claim: Claim, sources: SourceSet) -> list[str]:
    """Each address that covers a claim, with its state and the first digits of its snapshot."""
    lines: list[str] = []
    for address in claim.cited:
        if address.target is None:
            lines.append(f"{address.label} (leads to no address, {address.state})")
            continue
        source = sources.source(address.target)
        stored = f", snapshot {source.snapshot.sha256[:12]}" if source.snapshot else ""
        lines.append(f"{address.target} ({source.state}{stored}, {address.state})")
    return lines


def slot_lines(slots: Iterable[SlotCheck]) -> Iterator[str]:
    """The comparisons of code, one part a line."""
    for slot in slots:
        found = f", the source has {slot.found!r}" if slot.found else ""
        off = f", {slot.deviation:.0%} off" if slot.deviation else ""
        yield f"{slot.kind} {slot.claimed!r}: {slot.outcome}{found}{off}"


def claims_file(works: Iterable[ClaimWork], sources: SourceSet, untrusted: UntrustedText) -> str:
    """For each claim what code found, and the passages nearest to it."""
    parts = ("\n".join(_claim_part(work, sources, untrusted)) for work in works)
    return "\n".join(("# What code found\n", *parts))


def _claim_part(work: ClaimWork, sources: SourceSet, untrusted: UntrustedText) -> Iterator[str]:
    claim, assessment = work.claim, work.assessment
    yield f"## {claim.id} ({claim.location})\n"
    yield f"Claim: {clip(claim.text, CLAIM_CHARS)}"
    if claim.needs_context and claim.previous:
        yield f"Follows on: {clip(claim.previous, CLAIM_CHARS)}"
    if claim.context:
        yield f"Stands under: {clip(claim.context, CLAIM_CHARS)}"
    yield f"Cited: {'; '.join(describe_citations(claim, sources)) or 'no source'}"
    settled = "settled by code" if assessment.decided else "left to you"
    yield f"Code: {assessment.verdict} ({settled}): {assessment.reason}"
    yield from (f"- {line}" for line in slot_lines(assessment.slots))
    yield ""
    if assessment.decided:
        for evidence in assessment.evidence:
            quote = untrusted.mark(clip(evidence.quote, PASSAGE_CHARS))
            yield f"Evidence, <{evidence.url}>, snapshot {evidence.sha256}:\n{quote}\n"
    else:
        yield describe_passages(assessment.passages, untrusted) or "No passage was found.\n"


def describe_passages(passages: Sequence[Passage], untrusted: UntrustedText) -> str:
    """Passages with their ids and places, their text fenced."""
    return "\n".join(
        f"Passage {passage.id}, <{passage.url}>, snapshot {passage.sha256}, "
        f"characters {passage.start} to {passage.end}:\n"
        f"{untrusted.mark(clip(passage.text, PASSAGE_CHARS))}\n"
        for passage in passages
    )


def clip(text: str, most: int) -> str:
    """`text`, cut after `most` characters with a mark."""
    return text if len(text) <= most else f"{text[:most]} […]"

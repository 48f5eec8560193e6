"""What a batch of the fact check is given to read: its part of the document, and the passages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from ..claims.model import Claim
from ..core.types import ClaimWork, IterationEvidence
from ..documents.model import BlockKind, Document, Sentence
from ..sources.model import SourceSet
from ..verification.model import Passage, SlotCheck
from .fact_check_plan import Batch
from .fences import Fence
from .reading import CHARS_PER_TOKEN

EXCERPT_TOKENS = 8_000
"""The most of the document that one batch is given; what is left out holds no detected claim."""

PASSAGE_CHARS = 800
CLAIM_CHARS = 2_000
_UNREAD = (BlockKind.HEADING, BlockKind.FRONT_MATTER, BlockKind.REFERENCE, BlockKind.CODE)


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
    """What code compared, one part a line."""
    for slot in slots:
        found = f", the source has {slot.found!r}" if slot.found else ""
        off = f", {slot.deviation:.0%} off" if slot.deviation else ""
        yield f"{slot.kind} {slot.claimed!r}: {slot.outcome}{found}{off}"


def claims_file(works: Iterable[ClaimWork], sources: SourceSet, fence: Fence) -> str:
    """For each claim what code found, and the passages nearest to it."""
    parts = ("\n".join(_claim_part(work, sources, fence)) for work in works)
    return "\n".join(("# What code found\n", *parts))


def _claim_part(work: ClaimWork, sources: SourceSet, fence: Fence) -> Iterator[str]:
    claim, assessment = work.claim, work.assessment
    yield f"## {claim.id} ({claim.location})\n"
    yield f"Claim: {clipped(claim.text, CLAIM_CHARS)}"
    if claim.resolved:
        yield f"That is: {clipped(claim.resolved, CLAIM_CHARS)}"
    if claim.context:
        yield f"Stands under: {clipped(claim.context, CLAIM_CHARS)}"
    yield f"Cited: {'; '.join(describe_citations(claim, sources)) or 'no source'}"
    settled = "settled by code" if assessment.decided else "left to you"
    yield f"Code: {assessment.verdict} ({settled}): {assessment.reason}"
    yield from (f"- {line}" for line in slot_lines(assessment.slots))
    yield ""
    if assessment.decided:
        for evidence in assessment.evidence:
            quote = fence.around(clipped(evidence.quote, PASSAGE_CHARS))
            yield f"Evidence, <{evidence.url}>, snapshot {evidence.sha256}:\n{quote}\n"
    else:
        yield describe_passages(assessment.passages, fence) or "No passage was found.\n"


def describe_passages(passages: Sequence[Passage], fence: Fence) -> str:
    """Passages with their ids and places, their text fenced."""
    return "\n".join(
        f"Passage {passage.id}, <{passage.url}>, snapshot {passage.sha256}, "
        f"characters {passage.start} to {passage.end}:\n"
        f"{fence.around(clipped(passage.text, PASSAGE_CHARS))}\n"
        for passage in passages
    )


def excerpts(batches: Sequence[Batch], evidence: IterationEvidence) -> Mapping[int, str]:
    """The part of the document for each batch, by its number.

    Each paragraph goes to the batch of the claims in it; one without claims to the batch of the
    claim before it, until the excerpt has `EXCERPT_TOKENS`.
    """
    document = evidence.document
    owners: dict[int, list[int]] = {}
    for batch in batches:
        for work in batch.works:
            block = document.sentences[work.claim.sentence].block
            owners.setdefault(block, []).append(batch.number)
    shares: dict[int, list[str]] = {batch.number: [] for batch in batches}
    sizes = dict.fromkeys(shares, 0)
    nearest = batches[0].number if batches else 0
    for block, sentences in _blocks(document):
        text = _block_text(document, sentences)
        for number in dict.fromkeys(owners.get(block, ())):
            shares[number].append(text)
            sizes[number] += len(text)
            nearest = number
        fits = nearest and sizes[nearest] + len(text) <= EXCERPT_TOKENS * CHARS_PER_TOKEN
        if block not in owners and fits:
            shares[nearest].append(text)
            sizes[nearest] += len(text)
    return {number: "\n".join(texts) for number, texts in shares.items()}


def _blocks(document: Document) -> Iterator[tuple[int, list[Sentence]]]:
    for block, group in groupby(document.sentences, key=lambda sentence: sentence.block):
        sentences = list(group)
        if sentences[0].kind not in _UNREAD:
            yield block, sentences


def _block_text(document: Document, sentences: Sequence[Sentence]) -> str:
    first, last = sentences[0], sentences[-1]
    section = " > ".join(first.section)
    place = f"[{section}, line {first.line}]" if section else f"[line {first.line}]"
    return f"{place}\n{document.text[first.start : last.end]}\n"


def clipped(text: str, most: int) -> str:
    """`text`, cut after `most` characters with a mark."""
    return text if len(text) <= most else f"{text[:most]} […]"

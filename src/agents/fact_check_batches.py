"""Batches of a fact check: claims of one source together, with the form and the files of each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby

from pydantic import JsonValue

from ..claims.model import Claim
from ..core.work import ClaimWork, IterationEvidence
from ..documents.model import BlockKind, Document
from ..sources.model import SourceSet
from ..verification.model import Passage
from .reading import CHARS_PER_TOKEN, UntrustedText

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
    for slot in assessment.slots:
        found = f", the source has {slot.found!r}" if slot.found else ""
        off = f", {slot.deviation:.0%} off" if slot.deviation else ""
        yield f"- {slot.kind} {slot.claimed!r}: {slot.outcome}{found}{off}"
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


def plan_batches(
    works: Sequence[ClaimWork],
    form_bytes: Callable[[ClaimWork], int],
    *,
    most_claims: int,
    most_bytes: int,
) -> Sequence[Sequence[ClaimWork]]:
    """`works` in batches, those that cite the same source first together as far as they fit.

    A batch has at most `most_claims` claims, and its form `most_bytes` bytes, of which a claim adds
    `form_bytes`. Small groups share a batch; a claim that is too large for any stands alone.
    """
    groups: defaultdict[str, list[ClaimWork]] = defaultdict(list)
    for work in works:
        groups[next((one.target for one in work.claim.cited if one.target), "")].append(work)
    batches: list[list[ClaimWork]] = []
    size = 0
    for work in chain.from_iterable(groups.values()):
        added = form_bytes(work)
        if not batches or len(batches[-1]) == most_claims or size + added > most_bytes:
            batches.append([])
            size = 0
        batches[-1].append(work)
        size += added
    return batches


EXCERPT_TOKENS = 8_000
"""The most of the document that one batch is given; what is left out holds no detected claim."""

_UNREAD = (BlockKind.HEADING, BlockKind.FRONT_MATTER, BlockKind.REFERENCE, BlockKind.CODE)


def form_entries(
    works: Sequence[ClaimWork], evidence: IterationEvidence
) -> Mapping[str, Mapping[str, JsonValue]]:
    """For each claim the fields that code fills.

    A claim that code decided comes with its slots filled; the agent may lower the verdict.
    """
    return {work.claim.id: _entry(work, evidence) for work in works}


def _entry(work: ClaimWork, evidence: IterationEvidence) -> dict[str, JsonValue]:
    claim, assessment = work.claim, work.assessment
    cited = "; ".join(describe_citations(claim, evidence.sources)) or "no source"
    entry: dict[str, JsonValue] = {
        "claim": clip(claim.text, CLAIM_CHARS),
        "where": str(claim.location),
        "cited": clip(cited, CLAIM_CHARS),
        "found_by_code": f"{assessment.verdict}: {clip(assessment.reason, CLAIM_CHARS)}",
    }
    if assessment.decided:
        entry |= {
            "verdict": assessment.verdict.value,
            "passage": "",
            "reason": "settled by code",
        }
    return entry


def excerpts(batches: Sequence[Sequence[ClaimWork]], evidence: IterationEvidence) -> Sequence[str]:
    """The part of the document for each batch.

    Each paragraph goes to the batch of the claims in it; one without claims to the batch of the
    claim before it, until the excerpt has `EXCERPT_TOKENS`.
    """
    document = evidence.document
    owners: defaultdict[int, list[int]] = defaultdict(list)
    for number, works in enumerate(batches):
        for work in works:
            owners[document.sentences[work.claim.sentence].block].append(number)
    shares: list[list[str]] = [[] for _ in batches]
    nearest = 0
    for block, text in _blocks(document) if batches else ():
        if block in owners:
            for number in dict.fromkeys(owners[block]):
                shares[number].append(text)
                nearest = number
        elif sum(map(len, shares[nearest])) + len(text) <= EXCERPT_TOKENS * CHARS_PER_TOKEN:
            shares[nearest].append(text)
    return ["\n".join(texts) for texts in shares]


def _blocks(document: Document) -> Iterator[tuple[int, str]]:
    for block, group in groupby(document.sentences, key=lambda sentence: sentence.block):
        first, *others = group
        if first.kind in _UNREAD:
            continue
        section = " > ".join(first.section)
        place = f"[{section}, line {first.line}]" if section else f"[line {first.line}]"
        end = others[-1].end if others else first.end
        yield block, f"{place}\n{document.text[first.start : end]}\n"

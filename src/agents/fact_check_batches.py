"""Batches of a fact check: claims of one source together, with the form and the files of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from pydantic import JsonValue

from ..claims.model import Claim
from ..core.templates import TemplateLibrary
from ..core.work import ClaimWork, IterationEvidence
from ..documents.model import BlockKind, Document, Sentence
from ..sources.model import SourceSet
from ..verification.model import Passage, SlotCheck
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


@dataclass(frozen=True, slots=True)
class Batch:
    """The claims of one session; `number` counts from 1."""

    number: int
    works: tuple[ClaimWork, ...]


def plan_batches(
    works: Sequence[ClaimWork],
    form_bytes: Callable[[ClaimWork], int],
    *,
    most_claims: int,
    most_bytes: int,
) -> tuple[Batch, ...]:
    """`works` in batches, those of one source together as far as they fit.

    A batch has at most `most_claims` claims, and its form `most_bytes` bytes, of which a claim adds
    `form_bytes`. Small groups share a batch; a claim that is too large for any stands alone.
    """
    batches: list[list[ClaimWork]] = []
    size = 0
    for group in _by_source(works):
        for work in group:
            added = form_bytes(work)
            full = batches and (len(batches[-1]) == most_claims or size + added > most_bytes)
            if not batches or full:
                batches.append([])
                size = 0
            batches[-1].append(work)
            size += added
    return tuple(Batch(number, tuple(batch)) for number, batch in enumerate(batches, start=1))


def _by_source(works: Iterable[ClaimWork]) -> Iterator[list[ClaimWork]]:
    """The claims grouped by the source they cite first, in the order of first citation."""
    groups: dict[str, list[ClaimWork]] = {}
    for work in works:
        targets = (address.target for address in work.claim.cited if address.target)
        groups.setdefault(next(targets, ""), []).append(work)
    return iter(groups.values())


EXCERPT_TOKENS = 8_000
"""The most of the document that one batch is given; what is left out holds no detected claim."""

_UNREAD = (BlockKind.HEADING, BlockKind.FRONT_MATTER, BlockKind.REFERENCE, BlockKind.CODE)

TEMPLATE = "agents/fact-checker/fact_check.json"


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
        entry["verdict"] = assessment.verdict.value
        entry["passage"] = ""
        entry["reason"] = "settled by code"
    return entry


def entry_bytes(
    templates: TemplateLibrary, works: Sequence[ClaimWork], evidence: IterationEvidence
) -> int:
    """The size of the form for `works` as a file, in bytes."""
    form = templates.json_template(TEMPLATE, claims=form_entries(works, evidence))
    return len(form.text.encode())


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

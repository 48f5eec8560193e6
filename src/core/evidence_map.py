"""Which sentence rests on what: the claims of a document with their evidence, place by place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace

from ..base.vocabulary import Checker, CitationState, Stance, SupportTier, Verdict
from ..claims.model import Claim
from ..claims.words import WORD
from ..documents.model import Document
from ..sources.scoring.model import RatedSource
from ..verification.ledger.binding import (
    ClaimCounts,
    VerificationStatus,
    cited_as,
    count_claims,
    verification_status,
)
from ..verification.model import Ledger, LedgerEntry, WeighedEvidence

_QUOTATION_MARKS = frozenset('"“”„«»')


@dataclass(frozen=True, slots=True)
class LinkedEvidence:
    """A quote that speaks of a claim: `text[start:end] == snippet` in the snapshot `source_id`.

    `start` and `end` are in characters. `source_id` is the snapshot's sha256. `strength` and
    `credibility` (0–1) are those of the ledger. `source_tier` is T1 to T5, "" for a source that was
    not scored; `low_reliability` marks one below the limit for reliable ones (decision 32), or
    rejected by a person.
    """

    url: str
    source_id: str
    snippet: str
    start: int
    end: int
    stance: Stance
    strength: float | None
    credibility: float | None
    source_tier: str
    low_reliability: bool
    circular: bool


@dataclass(frozen=True, slots=True)
class MappedClaim:
    """A claim with all that speaks of it (verify-phase spec, claim_evidence_map).

    `is_verified` is true of a claim that stands beyond its citation (decision 36). `sentence` is
    the index of its sentence in the document, from 0, `line` the line in which it starts, from 1.
    `confidence` (0–1) is what the sources together give the claim, None where sources were not
    scored. `checked` is false of a claim that nobody answered for, or that nothing could be
    compared with. `low_reliability` is true where all that supports the claim has that mark.
    `contradicts` are the claims that cannot be true beside it.

    `verification_status` and `citation_text`, which names the sources that bear the claim out, are
    those of a source binding (semantic spec).
    """

    claim_id: str
    text: str
    sentence: int
    line: int
    citation_state: CitationState
    verdict: Verdict
    is_verified: bool
    verification_tier: SupportTier | None
    verification_reason: str
    confidence: float | None
    load_bearing: bool
    checked: bool
    checked_by: tuple[Checker, ...]
    supporting_source_ids: tuple[str, ...]
    supporting_evidence: tuple[LinkedEvidence, ...]
    contradicting_evidence: tuple[LinkedEvidence, ...]
    neutral_evidence: tuple[LinkedEvidence, ...]
    low_reliability: bool
    contradicts: tuple[str, ...]
    _: KW_ONLY
    verification_status: VerificationStatus | None = None
    citation_text: str = ""

    @property
    def borne_out_by(self) -> tuple[LinkedEvidence, ...]:
        """Supporting evidence, or else neutral evidence; empty for an unverified claim."""
        if self.verification_status in (None, VerificationStatus.UNVERIFIED):
            return ()
        return self.supporting_evidence or self.neutral_evidence

    @property
    def evidence(self) -> tuple[LinkedEvidence, ...]:
        """All that speaks of the claim."""
        return (*self.supporting_evidence, *self.contradicting_evidence, *self.neutral_evidence)


@dataclass(frozen=True, slots=True)
class MappedSentence:
    """A sentence that makes claims: its place `[start, end)` in the document, and their ids.

    `start` and `end` are in characters. `sentence` is its index in the document, from 0, `line` the
    line in which it starts, from 1. `linked` is true if there is evidence on each of them.
    `copied_from` are addresses of evidence that has the sentence word for word, where it is not
    quoted.
    """

    sentence: int
    line: int
    start: int
    end: int
    section: str
    text: str
    claim_ids: tuple[str, ...]
    linked: bool
    _: KW_ONLY
    copied_from: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClaimEvidenceMap:
    """`claim_evidence_map.json`: every sentence with a claim, and what it rests on.

    `iteration` counts from 1. `report_id` names the file of the document, `without_evidence` the
    sentences in which a claim has no quote to it, by index, `low_reliability_sources` the addresses
    of evidence with that mark. Statements that a rule excludes from checking make no claim.
    `counts` are the checkable claims by state, `citations_used` the sources that bear a claim out,
    each once.
    """

    report_id: str
    iteration: int
    document_sha256: str
    claims: tuple[MappedClaim, ...]
    sentences: tuple[MappedSentence, ...]
    without_evidence: tuple[int, ...]
    low_reliability_sources: tuple[str, ...]
    _: KW_ONLY
    counts: ClaimCounts = field(default_factory=ClaimCounts)
    citations_used: int = 0


def map_claims(
    document: Document, claims: Sequence[Claim], ledger: Ledger, rated: Iterable[RatedSource] = ()
) -> ClaimEvidenceMap:
    """The map of `document`, the draft of the iteration of `ledger`.

    `ledger` has a line for each of `claims`; `rated` are the document's sources, none where sources
    were not scored.
    """
    entries = {entry.claim_id: entry for entry in ledger.entries}
    by_url = {one.score.url: one for one in rated}
    mapped = tuple(
        _claim(entries[claim.id], claim.sentence, by_url) for claim in claims if not claim.exclusion
    )
    sentences = tuple(_sentences(document, mapped))
    return ClaimEvidenceMap(
        f"analysis_iteration_{ledger.iteration}.md",
        ledger.iteration,
        document.sha256,
        mapped,
        sentences,
        tuple(each.sentence for each in sentences if not each.linked),
        tuple(sorted({e.url for one in mapped for e in one.evidence if e.low_reliability})),
        counts=count_claims(s for one in mapped if (s := one.verification_status) is not None),
        citations_used=len({item.source_id for one in mapped for item in one.borne_out_by}),
    )


def _claim(entry: LedgerEntry, sentence: int, rated: Mapping[str, RatedSource]) -> MappedClaim:
    supporting, contradicting, neutral = (
        tuple(_linked(item, rated.get(item.url)) for item in entry.of_stance(stance))
        for stance in (Stance.SUPPORTS, Stance.CONTRADICTS, Stance.NEUTRAL)
    )
    made = MappedClaim(
        claim_id=entry.claim_id,
        text=entry.text,
        sentence=sentence,
        line=entry.location.line,
        citation_state=entry.citation_state,
        verdict=entry.verdict,
        is_verified=entry.corroborated,
        verification_tier=entry.tier,
        verification_reason=entry.reason,
        confidence=entry.confidence,
        load_bearing=entry.load_bearing,
        checked=not (entry.open_slot or entry.unchecked),
        checked_by=entry.checked_by,
        supporting_source_ids=tuple(dict.fromkeys(item.source_id for item in supporting)),
        supporting_evidence=supporting,
        contradicting_evidence=contradicting,
        neutral_evidence=neutral,
        low_reliability=bool(supporting) and all(item.low_reliability for item in supporting),
        contradicts=entry.contradicts,
        verification_status=verification_status(entry.verdict),
    )
    cited = dict.fromkeys(item.url for item in made.borne_out_by)
    named = (
        cited_as(url, one.given.title, one.score.dated) if one else cited_as(url, "", None)
        for url, one in ((url, rated.get(url)) for url in cited)
    )
    return replace(made, citation_text="; ".join(named))


def _linked(item: WeighedEvidence, rated: RatedSource | None) -> LinkedEvidence:
    score = rated.score if rated else None
    return LinkedEvidence(
        item.url,
        item.sha256,
        item.quote,
        item.start,
        item.end,
        item.stance,
        item.strength,
        item.credibility,
        score.tier.name if score else "",
        score is not None and (score.low_reliability or score.rejected),
        item.circular,
    )


def _sentences(document: Document, claims: Iterable[MappedClaim]) -> Iterator[MappedSentence]:
    made: defaultdict[int, list[MappedClaim]] = defaultdict(list)
    for claim in claims:
        made[claim.sentence].append(claim)
    for index, own in sorted(made.items()):
        sentence = document.sentences[index]
        yield MappedSentence(
            index,
            sentence.line,
            sentence.start,
            sentence.end,
            " > ".join(sentence.section),
            sentence.text,
            tuple(claim.claim_id for claim in own),
            all(claim.evidence for claim in own),
            copied_from=tuple(sorted(_copied_from(sentence.text, own))),
        )


def _copied_from(text: str, claims: Iterable[MappedClaim]) -> set[str]:
    if not _QUOTATION_MARKS.isdisjoint(text):
        return set()
    words = _words(text)
    evidence = (item for claim in claims for item in claim.evidence)
    return {item.url for item in evidence if words in _words(item.snippet)}


def _words(text: str) -> str:
    return f" {' '.join(WORD.findall(text)).casefold()} "

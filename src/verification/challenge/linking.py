"""Contradictions that no single claim shows: between claims, sources, and facts in dispute."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ...base.vocabulary import ChallengeStep, Stance, Verdict
from ...claims.duplicates import near_pairs
from ...claims.identity import jaccard, masked_tokens
from ...claims.model import Claim, DateSpan
from ...claims.words import WordBook
from ..assessing.elsewhere import likely_sources
from ..judging.judge import judge
from ..judging.judgement import Judgement
from ..model import Evidence, Ledger, LedgerEntry
from ..reading.form import claim_form
from ..reading.index import SourceIndex, TextIndex
from ..registry import Registry
from .counter import contrary_of
from .model import ClaimLink, Contrary, SourceConflict
from .policy import ChallengePolicy

_DISPUTED = (Verdict.DISPUTED, Verdict.CONTRADICTED)
_BORNE_OUT = (Verdict.SUPPORTED, Verdict.PARTIALLY_SUPPORTED)
_OPEN = (*_BORNE_OUT, Verdict.UNVERIFIABLE)


def link_claims(
    claims: Sequence[Claim], registry: Registry, policy: ChallengePolicy
) -> tuple[ClaimLink, ...]:
    """The pairs of claims that state two values of one thing.

    Common words propose a pair (decision 25); it is one if the engine finds that each contradicts
    the other in a number or date. Claims beyond the policy's number are left out, the document's
    argument last.
    """
    checkable = sorted((c for c in claims if not c.exclusion), key=_first)[: policy.linked]
    stated = [_stated(claim, registry.lexicon.words) for claim in checkable]
    links: list[ClaimLink] = []
    near = near_pairs([masked_tokens(claim.text) for claim in checkable], policy.same_claim)
    pairs = (pair for pair in near if _is_one_slot_apart(*(stated[at] for at in pair)))
    for one, other in sorted(pairs)[: policy.pairs]:
        left, right = sorted((checkable[one], checkable[other]), key=lambda claim: claim.id)
        judgement = _denies(left, right, registry)
        if judgement is not None and _denies(right, left, registry) is not None:
            links.append(ClaimLink(left.id, right.id, judgement.reason))
    return tuple(sorted(links, key=lambda link: (link.claim_id, link.other_id)))


class _Stated(NamedTuple):
    """What a claim names, and its values in order."""

    names: frozenset[str]
    values: tuple[tuple[object, ...], ...]


def _stated(claim: Claim, book: WordBook) -> _Stated:
    values = sorted((*claim.quantities, *claim.dates), key=lambda value: value.start)
    return _Stated(
        frozenset(t.stem for t in book.tokens(claim.text) if t.capital and t.start > 0),
        tuple(
            (value.first, value.last)
            if isinstance(value, DateSpan)
            else (value.kind, value.unit, value.low, value.high)
            for value in values
        ),
    )


def _is_one_slot_apart(one: _Stated, other: _Stated) -> bool:
    """Whether two claims name the same and differ in just one value, as far as words tell."""
    if one.names != other.names or len(one.values) != len(other.values):
        return False
    return sum(a != b for a, b in zip(one.values, other.values, strict=True)) == 1


def _denies(claim: Claim, other: Claim, registry: Registry) -> Judgement | None:
    """What in `claim` another claim, read as a source, contradicts, if it is a number or date."""
    index = TextIndex(other.resolved or other.text, registry.lexicon, title=other.context)
    form = claim_form(claim, registry.lexicon)
    judgement = judge(form, index, registry.lexicon, registry.verification)
    by_value = judgement.verdict is Verdict.CONTRADICTED and judgement.mismatch is not None
    return judgement if by_value else None


def source_conflicts(
    ledger: Ledger,
    claims: Mapping[str, Claim],
    sources: SourceIndex,
    registry: Registry,
    policy: ChallengePolicy,
) -> Iterator[tuple[SourceConflict, Contrary]]:
    """The claims that one source supports and another one contradicts, cited or not.

    Claims beyond the policy's number are left out, the document's argument last.

    Raises:
        SnapshotError: A readable source has no text.
    """
    borne_out = [entry for entry in ledger.entries if entry.verdict in _BORNE_OUT]
    chosen = sorted(borne_out, key=lambda entry: _first(claims[entry.claim_id]))
    for entry in chosen[: policy.compared]:
        claim = claims[entry.claim_id]
        support = sorted(map(_plain, entry.of_stance(Stance.SUPPORTS)), key=_place)
        urls = likely_sources(claim_form(claim, registry.lexicon), sources, registry)
        found = contrary_of(claim, urls, sources, registry, step=ChallengeStep.SOURCES)
        for contrary in (*_on_record(entry), *found) if support else ():
            conflict = SourceConflict(claim.id, support[0], contrary.evidence, contrary.reason)
            yield conflict, contrary


def _on_record(entry: LedgerEntry) -> Iterator[Contrary]:
    """What code has found against a supported claim in sources that it does not cite."""
    for item in entry.of_stance(Stance.CONTRADICTS):
        yield Contrary(entry.claim_id, ChallengeStep.SOURCES, _plain(item), "it says otherwise")


def _plain(item: Evidence) -> Evidence:
    return Evidence(item.url, item.sha256, item.quote, item.start, item.end, item.stance)


def _place(item: Evidence) -> tuple[str, int, int]:
    return item.url, item.start, item.end


def applied_disputes(
    ledger: Ledger,
    claims: Mapping[str, Claim],
    sources: SourceIndex,
    registry: Registry,
    policy: ChallengePolicy,
) -> Iterator[Contrary]:
    """What disputes one claim of the ledger and contradicts another that says the same.

    Common words propose the pair; it counts if the engine finds that the source of the dispute
    contradicts the other claim as well (decision 25).

    Raises:
        SnapshotError: A readable source has no text.
    """
    disputed = [entry for entry in ledger.entries if entry.verdict in _DISPUTED]
    words = {entry.claim_id: masked_tokens(entry.text) for entry in ledger.entries}
    for entry in ledger.entries if disputed else ():
        if entry.verdict not in _OPEN:
            continue
        own = words[entry.claim_id]
        urls = {
            item.url
            for fact in disputed
            if jaccard(own, words[fact.claim_id]) >= policy.same_fact
            for item in _against(fact)
        }
        yield from contrary_of(
            claims[entry.claim_id], urls, sources, registry, step=ChallengeStep.DISPUTES
        )


def _against(fact: LedgerEntry) -> Sequence[Evidence]:
    return fact.of_stance(Stance.CONTRADICTS)


def _first(claim: Claim) -> tuple[bool, str]:
    """The order in which claims are taken where there are too many: the argument's first."""
    return not claim.load_bearing, claim.id

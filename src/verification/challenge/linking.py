"""Contradictions that no single claim shows: between claims, sources, and facts in dispute."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import dropwhile, takewhile
from typing import NamedTuple

from ...base.vocabulary import ChallengeStep, Stance, Verdict
from ...claims.duplicates import near_pairs
from ...claims.identity import jaccard, masked_tokens
from ...claims.model import Claim, DateSpan
from ...claims.words import Token, WordBook
from ..assessing.elsewhere import likely_sources
from ..judge import Judgement, judge
from ..model import Evidence, Ledger, LedgerEntry
from ..passages.retrieval import SourceText
from ..reader.model import NoReader
from ..registry import Registry
from ..source_index import SourceIndex
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
    pairs = ((a, b) for a, b in near if _is_one_slot_apart(stated[a], stated[b]))
    for one, other in sorted(pairs)[: policy.pairs]:
        left, right = sorted((checkable[one], checkable[other]), key=lambda claim: claim.id)
        judgement = _denies(left, right, registry)
        if judgement is not None and _denies(right, left, registry) is not None:
            links.append(ClaimLink(left.id, right.id, judgement.reason))
    return tuple(sorted(links, key=lambda link: (link.claim_id, link.other_id)))


class _Stated(NamedTuple):
    """Content of a claim: names, values in order, and the thing that each value describes."""

    names: frozenset[str]
    values: tuple[tuple[object, ...], ...]
    things: tuple[frozenset[str], ...]


def _stated(claim: Claim, book: WordBook) -> _Stated:
    values = sorted((*claim.quantities, *claim.dates), key=lambda value: value.start)
    tokens = book.tokens(claim.text)
    ends = [*(value.start for value in values[1:]), len(claim.text)]
    return _Stated(
        frozenset(t.stem for t in tokens if t.capital and t.start > 0),
        tuple(
            (value.first, value.last)
            if isinstance(value, DateSpan)
            else (value.kind, value.unit, value.low, value.high)
            for value in values
        ),
        tuple(
            _thing([t for t in tokens if value.end <= t.start < end], book)
            for value, end in zip(values, ends, strict=False)
        ),
    )


def _thing(tokens: Iterable[Token], book: WordBook) -> frozenset[str]:
    """The stems of the first words of weight that stand together: "of new capacity in Spain"."""
    weighty = dropwhile(lambda t: t.stem in book.stop_words, tokens)
    return frozenset(t.stem for t in takewhile(lambda t: t.stem not in book.stop_words, weighty))


def _is_one_slot_apart(one: _Stated, other: _Stated) -> bool:
    """Whether two claims name the same and differ in just one value, as far as words tell.

    A value of new capacity and one of new wind capacity are those of a whole and of a part.
    """
    if one.names != other.names or len(one.values) != len(other.values):
        return False
    apart = [at for at, value in enumerate(one.values) if value != other.values[at]]
    return len(apart) == 1 and not _part(one.things[apart[0]], other.things[apart[0]])


def _part(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether words that share a thing tell it apart by one that the others lack."""
    return one != other and not one.isdisjoint(other)


def _denies(claim: Claim, other: Claim, registry: Registry) -> Judgement | None:
    """Judgement of `claim` against `other` as its source; None unless a value contradicts it."""
    read = SourceText(other.resolved or other.text, registry.lexicon)
    judgement = judge(claim, read, registry.with_reader(NoReader()))
    by_value = judgement.verdict is Verdict.CONTRADICTED and judgement.figure is not None
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
        urls = likely_sources(claim.text, sources)
        found = contrary_of(claim, urls, sources, registry, step=ChallengeStep.SOURCES)
        for contrary in (*_on_record(entry), *found) if support else ():
            conflict = SourceConflict(claim.id, support[0], contrary.evidence, contrary.reason)
            yield conflict, contrary


def _on_record(entry: LedgerEntry) -> Iterator[Contrary]:
    """Contradictions of a supported claim that code has found in sources it does not cite."""
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
    """Evidence that disputes one claim of the ledger and contradicts another on the same fact.

    Common words propose the pair. The pair counts if the engine finds that the source of the
    dispute also contradicts the other claim (decision 25).

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

"""What the sources at hand say about a claim that does not cite them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from ...base.vocabulary import Verdict
from ...claims.model import Claim
from ..judging.alignment import Aligner
from ..judging.foreign import reads_english
from ..judging.judge import judge
from ..judging.judgement import Judgement
from ..model import Evidence
from ..reading.form import ClaimForm, claim_form
from ..reading.index import SourceIndex, TextIndex
from ..registry import Registry
from ..values.sameness import FILLED

# A source must know this share of the claim's words of weight before it is compared, and only the
# few that know most are: comparing every claim with every source would cost their product.
_KNOWN = 0.6
_COMPARED = 3
_CELLS = " | "


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A source at hand that states the claim, or one that contradicts it with the reason why.

    `support` is None as soon as one of them contradicts the claim.
    """

    support: Evidence | None = None
    against: Evidence | None = None
    reason: str = ""


NOTHING = Elsewhere()


def look_elsewhere(
    claim: Claim, sources: SourceIndex, registry: Registry, *, besides: Collection[str]
) -> Elsewhere:
    """Compare `claim` with the readable sources that know most of its words.

    Only English sources are read, and none at the addresses `besides`. A source supports the
    claim only if every part of it is settled, as for a source that the claim cites.

    Raises:
        SnapshotError: A readable source has no text.
    """
    form = claim_form(claim, registry.lexicon)
    support: Evidence | None = None
    for url, sha256, index in _likely(form, sources, registry, besides):
        judgement = judge(form, index, registry.lexicon, registry.verification)
        start, end = judgement.start, judgement.end
        quote = index.text[start:end]
        evidence = Evidence(url, sha256, quote, start, end, judgement.stance)
        if judgement.verdict is Verdict.CONTRADICTED and _is_on_it(form, judgement, index):
            return Elsewhere(None, evidence, judgement.reason)
        if judgement.verdict is Verdict.SUPPORTED and judgement.decided:
            support = support or evidence
    return Elsewhere(support)


def _is_on_it(form: ClaimForm, judgement: Judgement, index: TextIndex) -> bool:
    """Whether the passage has every name of the claim but the one that may differ.

    A source that the claim cites is about its subject; any other may speak of another bridge. What
    a row is about stands in its table, not in the row.
    """
    if _CELLS in form.claim.text:
        return False
    held = {token.stem for token in index.tokens_at(judgement.start, judgement.end)}
    differing = {slot.claimed for slot in judgement.slots if slot.outcome not in FILLED}
    known = held | index.title_stems
    return all(name.text in differing or known.issuperset(name.stems) for name in form.names)


def _likely(
    form: ClaimForm, sources: SourceIndex, registry: Registry, besides: Collection[str]
) -> list[tuple[str, str, TextIndex]]:
    """Address, snapshot and text of the sources that are worth comparing, the likeliest first."""
    found: list[tuple[float, str, str, TextIndex]] = []
    seen: set[str] = set()
    for url in sources.sources.sources:
        readable = sources.readable(url) if url not in besides else None
        if (
            readable is None
            or readable[0].sha256 in seen
            or not reads_english(readable[0].language)
        ):
            continue
        snapshot, index = readable
        seen.add(snapshot.sha256)
        known = _known(form, index, registry)
        if known >= _KNOWN:
            best = Aligner(form, index, registry.lexicon, registry.verification).best_segments()
            score = best[0][0] if best else 0.0
            found.append((score, url, snapshot.sha256, index))
    found.sort(key=lambda one: (-one[0], one[1]))
    return [(url, sha256, index) for _, url, sha256, index in found[:_COMPARED]]


def _known(form: ClaimForm, index: TextIndex, registry: Registry) -> float:
    book = registry.lexicon.words
    known = sum(any(index.knows(word) for word in book.alike(term.stem)) for term in form.terms)
    return known / len(form.terms) if form.terms else 0.0

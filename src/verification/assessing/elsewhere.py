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
from ..model import Evidence, SlotCheck
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

    `support` is None as soon as one of them contradicts the claim; `slots` are the parts of the
    claim that were compared with the latter.
    """

    support: Evidence | None = None
    against: Evidence | None = None
    reason: str = ""
    slots: tuple[SlotCheck, ...] = ()


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
    for url in likely_sources(form, sources, registry, besides=besides):
        found = compare_with(form, url, sources, registry)
        if found.against is not None:
            return found
        support = support or found.support
    return Elsewhere(support)


def compare_with(form: ClaimForm, url: str, sources: SourceIndex, registry: Registry) -> Elsewhere:
    """What the source at `url` says about a claim that does not cite it.

    Raises:
        SnapshotError: The source is readable and has no text.
    """
    readable = sources.readable(url)
    if readable is None or not reads_english(readable[0].language):
        return NOTHING
    snapshot, index = readable
    judgement = judge(form, index, registry.lexicon, registry.verification)
    start, end = judgement.start, judgement.end
    quote = index.text[start:end]
    evidence = Evidence(url, snapshot.sha256, quote, start, end, judgement.stance)
    if judgement.verdict is Verdict.CONTRADICTED and _is_on_it(form, judgement, index):
        return Elsewhere(None, evidence, judgement.reason, judgement.slots)
    if judgement.verdict is Verdict.SUPPORTED and judgement.decided:
        return Elsewhere(evidence)
    return NOTHING


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


def likely_sources(
    form: ClaimForm, sources: SourceIndex, registry: Registry, *, besides: Collection[str] = ()
) -> list[str]:
    """The addresses of the few English sources that are worth comparing, the likeliest first.

    Raises:
        SnapshotError: A readable source has no text.
    """
    found: list[tuple[float, str]] = []
    seen: set[str] = set()
    for url in sorted(sources.sources.sources):
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
            best = Aligner(form, index, registry.lexicon, registry.verification).best_segments
            score = best[0][0] if best else 0.0
            found.append((-score, url))
    return [url for _, url in sorted(found)[:_COMPARED]]


def _known(form: ClaimForm, index: TextIndex, registry: Registry) -> float:
    book = registry.lexicon.words
    known = sum(any(index.knows(word) for word in book.alike(term.stem)) for term in form.terms)
    return known / len(form.terms) if form.terms else 0.0

"""Sources at hand that a claim does not cite, and what they say about it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from ...base.vocabulary import Verdict
from ...claims.model import Claim
from ..judge import judge
from ..model import Evidence, SlotCheck
from ..passages.terms import terms
from ..registry import Registry
from ..source_index import SourceIndex, reads_english

# Reading costs seconds; the right source is nearly always among the first by words.
_COMPARED = 2
# Share of the claim's words that a source has to know, 0-1.
_KNOWN = 0.6


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Evidence on a claim from sources that it does not cite.

    `support` is None as soon as one source proves the claim wrong. `slots` are the parts of the
    claim that were compared with that source.
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

    Only English sources are read, and none at the addresses `besides`.

    Raises:
        SnapshotError: A readable source has no text.
        InputError: The reader's files are missing or broken.
    """
    support: Evidence | None = None
    for url in likely_sources(claim.text, sources, besides=besides):
        found = compare_with(claim, url, sources, registry)
        if found.against is not None:
            return found
        support = support or found.support
    return Elsewhere(support)


def compare_with(claim: Claim, url: str, sources: SourceIndex, registry: Registry) -> Elsewhere:
    """Evidence from the source at `url` on a claim that does not cite it.

    Only a proved contradiction counts against the claim. An uncited source may describe another
    thing of the same name.

    Raises:
        SnapshotError: The source is readable and has no text.
        InputError: The reader's files are missing or broken.
    """
    readable = sources.readable(url)
    if readable is None or not reads_english(readable[0].language):
        return NOTHING
    snapshot, source = readable
    judgement = judge(claim, source, registry)
    if not judgement.decided:
        return NOTHING
    start, end = judgement.start, judgement.end
    quote = source.text[start:end]
    evidence = Evidence(url, snapshot.sha256, quote, start, end, judgement.stance)
    if judgement.verdict is Verdict.SUPPORTED:
        return Elsewhere(evidence)
    return Elsewhere(None, evidence, judgement.reason, judgement.slots)


def likely_sources(text: str, sources: SourceIndex, *, besides: Collection[str] = ()) -> list[str]:
    """The addresses of the few English sources that know most words of `text`, the likeliest first.

    Raises:
        SnapshotError: A readable source has no text.
    """
    wanted = set(terms(text))
    found: list[tuple[float, str]] = []
    seen: set[str] = set()
    for url in sorted(sources.sources.sources):
        readable = sources.readable(url) if url not in besides else None
        if readable is None or not reads_english(readable[0].language):
            continue
        snapshot, source = readable
        known = sum(map(source.knows, wanted)) / len(wanted) if wanted else 0.0
        if snapshot.sha256 in seen or known < _KNOWN:
            continue
        seen.add(snapshot.sha256)
        best = source.rank(text, 1)
        found.append((-best[0].score if best else 0.0, url))
    return [url for _, url in sorted(found)[:_COMPARED]]

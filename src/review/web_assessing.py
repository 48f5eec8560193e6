"""Assesses claims against outside sources: found and rated, their words, and as of when.

Verifiers are given the same sources through `WebSourceTools`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TypeAlias

from pydantic import Field

from ..agents.fact_check_batches import clip
from ..base.off_loop import off_loop
from ..base.registry import RegistryModel
from ..base.vocabulary import CitationState, Drift, Stance
from ..claims.model import CitedAddress, Claim, Polarity, Temporality
from ..core.source_tools import PASSAGES, SourceReader, SourceTools
from ..core.tasks import ToolFailure
from ..documents.model import Document
from ..sources.addresses import address_key
from ..sources.model import Source, SourceSet
from ..sources.plain_text import words_of
from ..sources.scoring.confidence import share_within, shingles
from ..sources.scoring.model import Appraisal, RatedSource, Tier
from ..sources.scoring.rules import IndependenceRules, ScoringRegistry
from ..verification.ledger.confidence import DERIVED, circular_sources
from ..verification.model import Evidence, Passage
from ..verification.passages.retrieval import SourceIndex, find_passages
from ..verification.registry import Registry
from .types import (
    ReviewContext,
    SourceNote,
    WebCheckInput,
    WebQuery,
    WebResult,
    WebVerdict,
    WebVerifierConfig,
)

Appraise: TypeAlias = Callable[[SourceSet], Appraisal]
"""Scores sources, as `assembly.sources.SourceAppraiser` does."""


WEB_REVIEW_FILE = "web_review.yaml"


class WebReviewPolicy(RegistryModel):
    """The registry file `web_review.yaml`: the sources that phase 4b reads and trusts."""

    hits: int = Field(ge=1, le=20)
    tier: int = Field(ge=1, le=5)
    same_time_days: int = Field(ge=0)


@dataclass(frozen=True, slots=True)
class WebRules:
    """The registries and the policy of phase 4b."""

    registry: Registry
    scoring: ScoringRegistry
    policy: WebReviewPolicy
    appraise: Appraise


def source_notes(
    document: Document,
    sources: SourceSet,
    rated: Iterable[RatedSource],
    rules: WebRules,
    *,
    written: date,
) -> Mapping[str, SourceNote]:
    """The notes of `sources`, which were `rated`, by address; `written` is the document's day.

    A source is circular if `document` cites it, if it copies or quotes a cited source, or if it is
    or copies the document. It is authoritative if its site is of the policy's tier, unless its
    score is low or a person has rejected it.

    Raises:
        SnapshotError: A readable source has no text.
    """
    independence = rules.scoring.rules.independence
    own = circular_sources(document, sources, independence, written=written)
    labels: dict[str, str] = {}
    for cited in document.citations:
        # A shortened or moved address, and where it leads to, are one.
        for key in _keys(cited.target, sources) if cited.target else ():
            # A person finds a citation by the document's own number for it, else by its line.
            labels.setdefault(key, cited.label or f"in line {cited.line}")
    read = (_shingles(url, sources, independence) for url in document.cited_urls())
    texts = list(filter(None, read))
    similar = independence.similar
    notes: dict[str, SourceNote] = {}
    for one in rated:
        url = one.source.url
        label = next((labels[key] for key in _keys(url, sources) if key in labels), "")
        text = _shingles(url, sources, independence)
        # For the most part that of a cited source, or all of one.
        copied = any(
            share_within(text, other) >= DERIVED or share_within(other, text) >= similar
            for other in texts
        )
        notes[url] = SourceNote(
            one.score.tier.name,
            _is_authoritative(one, rules.policy),
            bool(label) or url in own or copied,
            label,
            one.score.dated,
        )
    return notes


def _is_authoritative(rated: RatedSource, policy: WebReviewPolicy) -> bool:
    score = rated.score
    if score.rejected or score.low_reliability:
        return False
    tier = score.tier if score.override is not None else score.expected_tier
    return tier is not None and tier <= Tier(policy.tier)


def _shingles(url: str, sources: SourceSet, rules: IndependenceRules) -> frozenset[int]:
    """The text at `url` for comparison; nothing of a few words, which are the same by chance."""
    readable = sources.readable(url)
    text = readable[1] if readable else ""
    enough = len(words_of(text[: rules.characters])) >= rules.fewest_words
    return shingles(text, rules) if enough else frozenset()


def _keys(url: str, sources: SourceSet) -> frozenset[str]:
    """The addresses that a source is known by: as asked for, on the way, and by its own word."""
    snapshot = sources.source(url).snapshot
    others = (*snapshot.url_chain, snapshot.canonical) if snapshot is not None else ()
    return frozenset(address_key(each) for each in (url, *others) if each)


@dataclass(frozen=True, slots=True)
class Outside:
    """Everything that code searched and read for the claims of a review.

    `sources` are what the claims cite, what the user gave and what searches found.
    """

    queries: tuple[WebQuery, ...]
    sources: tuple[Source, ...]


def checks_citation(claim: Claim) -> bool:
    """Whether a claim is checked against its own citation only.

    That is a claim which the document attributes to somebody or argues against, with a citation of
    its own: only that source can show whether it says so.
    """
    reported = claim.polarity is not Polarity.ASSERTED
    own = (address for address in claim.cited if address.state is CitationState.DIRECT)
    return reported and any(address.target for address in own)


_ID_DIGITS = 12


def outside_passages(claim: Claim, sources: SourceIndex, registry: Registry) -> tuple[Passage, ...]:
    """The best five passages for `claim` of those sources that are likely to speak of it.

    Those that it cites are among them. An id names snapshot and place, so that it stays the same
    whatever is read later: ``3f1c09ab12cd:120-480``.

    Raises:
        SnapshotError: A readable source has no text.
    """
    likely = sources.likely(claim.text)
    cited = [address.target for address in claim.cited if address.target]
    addresses = (
        CitedAddress(url, CitationState.DIRECT, "") for url in dict.fromkeys(likely + cited)
    )
    about = replace(claim, cited=tuple(addresses))
    found = find_passages(about, sources, registry.verification, k=PASSAGES)
    return tuple(
        replace(one, id=f"{one.sha256[:_ID_DIGITS]}:{one.start}-{one.end}") for one in found
    )


class WebSourceTools(SourceTools):
    """`EvidenceTools` of all batches of phase 4b, which share its allowances.

    `sources` are what code has read for the claims and what the document cites, also unread. They
    are read from the disk at once. `searches` are all there are, 0 where there is nobody to ask.

    Raises:
        SnapshotError: A stored snapshot is missing or was changed.
    """

    scope = "review"

    def __init__(
        self,
        claims: Iterable[Claim],
        sources: SourceSet,
        reader: SourceReader,
        registry: Registry,
        config: WebVerifierConfig,
        *,
        topic: str,
    ) -> None:
        index = SourceIndex(sources, registry.lexicon)
        super().__init__(claims, index, reader, registry, config.max_webfetches, topic=topic)
        self._registry = registry
        self.searches = config.max_searches if reader.searching else 0
        self._searches_left = self.searches
        self._readable = self._read_index()

    def readable_sources(self) -> SourceSet:
        """Every source that the review can read, those fetched in turns too."""
        return self._readable.sources

    def find_passages(self, claim_id: str) -> tuple[Passage, ...]:
        """The best five passages for a claim in all that was read."""
        return outside_passages(self._claim(claim_id), self._readable, self._registry)

    async def fetch_source(self, url: str) -> str:
        """As `SourceTools.fetch_source`; what was fetched is at hand from then on."""
        described = await super().fetch_source(url)
        self._readable = await off_loop(self._read_index)
        return described

    async def search_sources(self, claim_id: str) -> str:
        """As `SourceTools.search_sources`, within the allowance of all batches.

        What is refused uses none of it.
        """
        self.searchable(claim_id)
        if self._searches_left == 0:
            raise ToolFailure(f"all {self.searches} searches of this review are used up")
        self._searches_left -= 1
        return await super().search_sources(claim_id)

    def _read_index(self) -> SourceIndex:
        """Read all that is at hand from the disk."""
        given = self._sources.sources.sources
        sources = {url: one for url, one in given.items() if one.state.readable}
        known = {address_key(url) for url in sources}
        for one in self._reader.store.sources():
            if one.state.readable and address_key(one.url) not in known:
                sources[one.url] = one
        return self._reader.index(sources.values(), self._lexicon)


@dataclass(frozen=True, slots=True, kw_only=True)
class WebCheckContext(ReviewContext[WebCheckInput]):
    """One batch of claims to verify."""

    source_tools: WebSourceTools


_LONGEST_QUOTE = 160


@dataclass(frozen=True, slots=True)
class SourceVerdict:
    """A source that states a claim or denies it; `found` is what it has in a value's place.

    `ended` is the day until which it says that the claim was so.
    """

    evidence: Evidence
    note: SourceNote
    found: str = ""
    ended: date | None = None

    @property
    def agrees(self) -> bool:
        """Whether it states the claim."""
        return self.evidence.stance is Stance.SUPPORTS

    @property
    def day(self) -> date:
        """Its day; one that is not known is before all others."""
        return self.note.dated or date.min

    @property
    def says(self) -> str:
        """The value that it has, or its words, and where."""
        words = clip(" ".join(self.evidence.quote.split()), _LONGEST_QUOTE)
        return f"{self.found or f'“{words}”'} ({self.evidence.url})"


Verdicts: TypeAlias = Sequence[SourceVerdict]


@dataclass(frozen=True, slots=True)
class TimeRules:
    """The day that a document states, if it does, that of its check, and how far days may differ.

    Undated sources are taken to speak of the day that the document was `written`.
    """

    stated: date | None
    as_of: date
    same_time_days: int
    outdated_after_days: int

    @property
    def written(self) -> date:
        """The document's day; of one that states none that of its check, as nothing is later."""
        return self.stated or self.as_of


def decide(
    claim: Claim, verdicts: Verdicts, time: TimeRules, *, names_speaker: bool
) -> WebResult | None:
    """Decide a claim from the `verdicts` of its sources; None if there are none.

    Only authoritative sources confirm or contradict a claim; if they disagree, it is disputed.
    Whether somebody said something needs no authority beyond the place where it is said.
    `names_speaker` is true if the claim says who says so. The result names no claim.
    """
    if not verdicts:
        return None
    cited = checks_citation(claim)
    if claim.polarity is Polarity.REFUTED:
        return _decide_refuted(verdicts, misrepresentable=cited and names_speaker)
    attributed = claim.polarity is Polarity.ATTRIBUTED
    relevant = [one for one in verdicts if (attributed and cited) or one.note.authoritative]
    if not relevant:
        speak = "; ".join(
            f"{one.evidence.url} ({one.note.tier}) {'states' if one.agrees else 'denies'} it"
            for one in verdicts
        )
        return _leave_open(f"no authoritative source was found: {speak}")
    timely = claim.temporality is Temporality.TEMPORAL or any(one.ended for one in relevant)
    if timely and not attributed:
        return _decide_in_time(time, relevant)
    agree, against = _sides(relevant)
    if agree and against:
        return _dispute(agree, against)
    if agree:
        return _confirm(agree, Drift.UNKNOWN if attributed else Drift.CURRENT)
    return _contradict(against) if attributed else _contradict_ever(against)


def _decide_refuted(verdicts: Verdicts, *, misrepresentable: bool) -> WebResult:
    """Whether the document represents what it argues against.

    A source that denies what the document denies, too, tells nothing of who holds it; only words of
    somebody who is named and cited can be misrepresented.
    """
    agree, against = _sides(verdicts)
    if agree:
        return _confirm(agree, reason="it is held as the document says")
    if misrepresentable:
        return _contradict(against, "the source does not hold what the document argues against")
    denied = f"{against[0].says} denies it as the document does"
    return _leave_open(f"no source was found that holds it; {denied}")


def _sides(verdicts: Iterable[SourceVerdict]) -> tuple[Verdicts, Verdicts]:
    """The sources that state a claim and those that deny it, the youngest first."""
    ordered = sorted(verdicts, key=lambda one: one.day, reverse=True)
    return [one for one in ordered if one.agrees], [one for one in ordered if not one.agrees]


# --- verdicts ----------------------------------------------------------------------------------
# Reasons name a source by its address: that the user gave it makes it no authority.


def _leave_open(reason: str) -> WebResult:
    return WebResult("", WebVerdict.UNVERIFIABLE, reason)


def _confirm(agree: Verdicts, drift: Drift = Drift.UNKNOWN, reason: str = "") -> WebResult:
    reason = reason or f"{agree[0].evidence.url} states it"
    circular = all(one.note.circular for one in agree)
    return WebResult("", WebVerdict.CONFIRMED, reason, drift=drift, circular=circular)


def _contradict(against: Verdicts, reason: str = "a source says otherwise") -> WebResult:
    reason = f"{reason}: {against[0].says}"
    return WebResult("", WebVerdict.CONTRADICTED, reason, found=against[0].found)


def _contradict_ever(against: Verdicts) -> WebResult:
    note = f"Was always incorrect: {against[0].says}"
    return replace(_contradict(against), drift=Drift.NEVER_TRUE, temporal_note=note)


def _dispute(agree: Verdicts, against: Verdicts) -> WebResult:
    states, denies = agree[0].evidence.url, against[0].evidence.url
    reason = f"the sources disagree: {states} states it, {denies} has {against[0].says}"
    return WebResult("", WebVerdict.DISPUTED, reason, found=against[0].found)


# --- time --------------------------------------------------------------------------------------


def _decide_in_time(time: TimeRules, strong: Verdicts) -> WebResult:
    """Decide as of the document's day first, then whether the claim has become outdated."""
    since = [one for one in strong if one.day > time.written]
    agree, against = _sides(one for one in strong if one.day <= time.written)
    if not agree and not against:
        return _decide_by_later(time, since)
    if agree and against and _at_one_time(time, agree[0], against[0]):
        return _dispute(agree, against)
    if agree and (not against or agree[0].day > against[0].day):
        return _decide_right_then(time, agree, since)
    return _decide_wrong_then(time, against, agree)


def _decide_right_then(time: TimeRules, agree: Verdicts, since: Verdicts) -> WebResult:
    for one in agree:
        if one.ended and time.written < one.ended <= time.as_of:
            return _mark_outdated(time, agree, f"ended {one.ended}, {one.says}")
    still, changed = _sides(since)
    agree = [*agree, *still]
    if changed and (not still or changed[0].day > still[0].day):
        return _mark_changed(time, agree, changed[0])
    latest = max(one.day for one in agree)
    if (time.as_of - latest).days <= time.outdated_after_days:
        return _confirm(agree, Drift.CURRENT)
    when = "by a source that bears no date" if latest == date.min else f"as of {latest}"
    note = f"Accurate {when}; whether it still is was not found."
    return replace(_confirm(agree), temporal_note=note)


def _mark_changed(time: TimeRules, agree: Verdicts, now: SourceVerdict) -> WebResult:
    return _mark_outdated(time, agree, f"{now.says}, as of {now.day}", now.found)


def _mark_outdated(time: TimeRules, agree: Verdicts, now: str, found: str = "") -> WebResult:
    note = f"Accurate as of {time.written} / Now outdated: {now}"
    right = _confirm(agree, Drift.OUTDATED, "right when the document was written")
    return replace(right, temporal_note=note, found=found)


def _decide_wrong_then(time: TimeRules, against: Verdicts, before: Verdicts) -> WebResult:
    if before:
        note = (
            f"Was so as of {before[0].note.dated}; outdated when the document was written "
            f"({time.written}): {against[0].says}"
        )
        return replace(_contradict(against), drift=Drift.OUTDATED, temporal_note=note)
    if time.stated is None or against[0].note.dated:
        return _contradict_ever(against)
    note = f"Not so by a source that bears no date: {against[0].says}"
    return replace(_contradict(against), temporal_note=note)


def _decide_by_later(time: TimeRules, since: Verdicts) -> WebResult:
    """Only sources younger than the document speak."""
    agree, against = _sides(since)
    after = f"after the document's day ({time.written})"
    if agree and against:
        if _at_one_time(time, agree[0], against[0]) or against[0].day <= agree[0].day:
            return _dispute(agree, against)
        return _mark_changed(time, agree, against[0])
    if agree:
        note = f"Accurate as of {agree[-1].day}, {after}."
        return replace(_confirm(agree, Drift.CURRENT), temporal_note=note)
    unknown = _leave_open("no authoritative source was found for the time of the document")
    note = f"Differs as of {against[0].day}, {after}: {against[0].says}"
    return replace(unknown, temporal_note=note, found=against[0].found)


def _at_one_time(time: TimeRules, one: SourceVerdict, other: SourceVerdict) -> bool:
    """Whether two sources speak of one time as far as is known."""
    if one.note.dated is None or other.note.dated is None:
        return True
    return abs((one.day - other.day).days) <= time.same_time_days

"""A web verifier's filled form, read: code looks up every passage, and lets nothing be lifted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, assert_never

from ..base.errors import ReplyError
from ..base.vocabulary import Stance, Verdict
from ..claims.model import Claim, Polarity
from ..core.forms import read_reply
from ..core.work import ClaimWork
from ..review.types import SourceNote, WebCheckInput, WebVerdict
from ..sources.model import SourceSet
from ..verification.assessing.combine import combine_verdicts
from ..verification.assessing.named import may_deny
from ..verification.ledger.confidence import relevance
from ..verification.model import ClaimAssessment, Evidence, Passage
from ..verification.registry import Registry
from ..verification.source_index import SourceIndex
from .places import passage_with, whole_passage
from .replies import Reply, Words, word_of

LONGEST_PASSAGE = 2_000
# A passage with a smaller share of the claim's words of weight is about something else.
_LEAST_HELD = 0.3
_ID = re.compile(r"([0-9a-f]{8,64}):([0-9]{1,9})-([0-9]{1,9})")
_AGAINST = (Verdict.CONTRADICTED, Verdict.DISPUTED)


class ResultReply(Reply):
    """A claim's entry: the first five fields are code's own."""

    claim: str
    quote: str
    line: int
    kind: str
    found_by_code: str
    verdict: Annotated[WebVerdict, word_of(WebVerdict)]
    passage: Words
    other_passage: Words
    reason: Words


class ResultsReply(Reply):
    """The filled form of one batch."""

    claims: dict[str, ResultReply]


@dataclass(frozen=True, slots=True)
class WebAnswer:
    """A verdict as the verifier stated it, with the passages it named.

    `passage` decides; `other` is the one that denies a disputed claim.
    """

    verdict: WebVerdict
    passage: Passage | None
    other: Passage | None
    reason: str


def read_results(
    text: str, inputs: WebCheckInput, sources: SourceSet, registry: Registry
) -> tuple[ClaimAssessment, ...]:
    """The assessment of each claim of a batch, from the filled form `text` and what code found.

    Raises:
        ReplyError: A value cannot be read, or a passage stands in none of `sources`.
    """
    reply = read_reply(ResultsReply, text)
    index = SourceIndex(sources, registry.lexicon)
    return tuple(
        merged(work.claim, work.assessment, _answer(work, reply, inputs, sources), index, registry)
        for work in inputs.claims
    )


def _answer(
    work: ClaimWork, reply: ResultsReply, inputs: WebCheckInput, sources: SourceSet
) -> WebAnswer:
    place = f"/claims/{work.claim.id}"
    entry = reply.claims[work.claim.id]
    about_citation = inputs.extracted[work.claim.id].polarity is Polarity.ATTRIBUTED
    lookup = PassageLookup(sources, inputs.notes, about_citation=about_citation)
    return WebAnswer(
        entry.verdict,
        lookup.find(entry.passage, f"{place}/passage"),
        lookup.find(entry.other_passage, f"{place}/other_passage"),
        " ".join(entry.reason.split()),
    )


class PassageLookup:
    """Looks up the passages that a verifier names for one claim.

    Of several sources with the same sentences the one that counts most is taken: an authoritative
    one, and one that is independent of the document unless the claim is `about_citation`.
    """

    def __init__(
        self, sources: SourceSet, notes: Mapping[str, SourceNote], *, about_citation: bool
    ) -> None:
        self._sources = sources

        def rank(url: str) -> tuple[bool, bool, str]:
            note = notes.get(url)
            if note is None:
                return True, True, url
            return note.circular is not about_citation, not note.authoritative, url

        self._urls = sorted(sources.sources, key=rank)

    def find(self, named: str, place: str) -> Passage | None:
        """The whole sentences that hold what is `named` by its id or its words; None for "".

        Raises:
            ReplyError: It stands in no source, in several that go on otherwise, or is too long;
                `place` is the slot.
        """
        name = named.strip()
        if not name:
            return None
        match = _ID.fullmatch(name)
        found = list(self._at(match) if match else self._with_words(name))
        if not found:
            raise ReplyError(
                f"{place}: {name[:80]!r} is neither the id of a passage nor words that stand in a "
                f"source at hand, at most {LONGEST_PASSAGE} characters: copy them exactly"
            )
        if len({" ".join(one.text.split()) for one in found}) > 1:
            raise ReplyError(
                f"{place}: {name[:80]!r} stands in several sources, in sentences that differ: name "
                "the passage by its id, or copy the whole sentence"
            )
        return found[0]

    def _at(self, match: re.Match[str]) -> Iterator[Passage]:
        start, end = int(match[2]), int(match[3])
        for url in self._urls:
            readable = self._sources.readable(url)
            if readable is None or not readable[0].sha256.startswith(match[1]):
                continue
            named = readable[1][start:end]
            if end <= len(readable[1]) and named.strip() and len(named) <= LONGEST_PASSAGE:
                yield whole_passage(match[0], url, *readable, start, end)

    def _with_words(self, words: str) -> Iterator[Passage]:
        for url in self._urls if len(words) <= LONGEST_PASSAGE else ():
            if passage := passage_with(words, url, self._sources):
                yield passage


def merged(
    claim: Claim,
    engine: ClaimAssessment,
    answer: WebAnswer,
    sources: SourceIndex,
    registry: Registry,
) -> ClaimAssessment:
    """Combine code's assessment of `claim` with the verifier's answer.

    A contradiction or a dispute that code found stands; further words against the claim may join
    it. Else the answer may lower code's verdict. It raises an open one only with a passage in which
    code finds every figure and date of the claim and nothing that no model may overrule. Words deny
    a claim only if code finds that they speak of it and do not state it.
    """
    weigh = _Weighing(claim, engine, sources, registry)
    if engine.decided and engine.verdict in _AGAINST:
        named = (answer.other, answer.passage) if answer.verdict is not WebVerdict.CONFIRMED else ()
        against = [item for passage in named for item in weigh.against(passage)]
        return _with(engine, engine.verdict, against, "")
    match answer.verdict:
        case WebVerdict.CONFIRMED:
            return _confirmed(weigh, answer)
        case WebVerdict.CONTRADICTED:
            return _contradicted(weigh, answer)
        case WebVerdict.DISPUTED:
            return _disputed(weigh, answer)
        case WebVerdict.UNVERIFIABLE:
            return _with(engine, Verdict.UNVERIFIABLE, (), answer.reason)
        case _:
            assert_never(answer.verdict)


@dataclass(frozen=True, slots=True)
class _Weighing:
    """Holds the passages that a verifier named against one claim."""

    claim: Claim
    engine: ClaimAssessment
    sources: SourceIndex
    registry: Registry

    def is_on_it(self, passage: Passage) -> bool:
        """Whether `passage` has enough of the claim's words to be about it."""
        return relevance(self.claim, passage.text, self.registry.lexicon.words) >= _LEAST_HELD

    def agreeing(self, passage: Passage | None) -> tuple[Evidence, ...]:
        """The words of `passage` that state the claim, in which code finds all its figures."""
        if passage is None or not self.is_on_it(passage):
            return ()
        found = self.stated(passage, Verdict.SUPPORTED).evidence
        return tuple(item for item in found if item.stance is Stance.SUPPORTS)

    def stated(self, passage: Passage | None, verdict: Verdict) -> ClaimAssessment:
        """Code's assessment if a verifier gives `verdict` for `passage` alone."""
        nothing = replace(
            self.engine, verdict=Verdict.UNVERIFIABLE, decided=False, evidence=(), findings=()
        )
        return combine_verdicts(self.claim, nothing, verdict, passage, self.sources, self.registry)

    def against(self, passage: Passage | None) -> tuple[Evidence, ...]:
        """The words of `passage` that deny the claim, if code finds that they may."""
        if passage is None or not self.is_on_it(passage):
            return ()
        if not may_deny(self.claim, passage, self.sources, self.registry):
            return ()
        found = self.stated(passage, Verdict.CONTRADICTED).evidence
        return tuple(item for item in found if item.stance is Stance.CONTRADICTS)


def _confirmed(weigh: _Weighing, answer: WebAnswer) -> ClaimAssessment:
    engine = weigh.engine
    if answer.passage is None:
        return engine
    if not weigh.is_on_it(answer.passage):
        reason = "the passage that the web verifier names is not about the claim"
        return replace(engine, reason=f"{engine.reason}; {reason}")
    found = weigh.stated(answer.passage, Verdict.SUPPORTED)
    match found.verdict:
        case Verdict.SUPPORTED:
            return _with(engine, Verdict.SUPPORTED, found.evidence, answer.reason)
        case Verdict.CONTRADICTED:
            return _with(engine, Verdict.CONTRADICTED, found.evidence, found.reason)
        case _:
            return replace(engine, reason=f"{engine.reason}; {found.reason}")


def _contradicted(weigh: _Weighing, answer: WebAnswer) -> ClaimAssessment:
    against = weigh.against(answer.passage)
    if against:
        return _with(weigh.engine, Verdict.CONTRADICTED, against, answer.reason)
    reason = "the web verifier calls it contradicted and names no passage that denies it"
    return _with(weigh.engine, Verdict.UNVERIFIABLE, (), reason)


def _disputed(weigh: _Weighing, answer: WebAnswer) -> ClaimAssessment:
    items = (*weigh.agreeing(answer.passage), *weigh.against(answer.other))
    stances = {item.stance for item in (*weigh.engine.evidence, *items)}
    if stances >= {Stance.SUPPORTS, Stance.CONTRADICTS}:
        return _with(weigh.engine, Verdict.DISPUTED, items, answer.reason)
    reason = "the web verifier calls it disputed and does not name a passage for each side"
    return _with(weigh.engine, Verdict.UNVERIFIABLE, items, reason)


def _with(
    engine: ClaimAssessment, verdict: Verdict, further: Iterable[Evidence], reason: str
) -> ClaimAssessment:
    """Code's assessment with `verdict` and further words; places that are there count once."""
    places = {(item.sha256, item.start, item.end, item.stance) for item in engine.evidence}
    added = [
        item
        for item in further
        if item.stance is not Stance.NEUTRAL
        and (item.sha256, item.start, item.end, item.stance) not in places
    ]
    return replace(
        engine,
        verdict=verdict,
        decided=engine.decided and verdict is engine.verdict,
        evidence=(*engine.evidence, *dict.fromkeys(added)),
        reason=reason or engine.reason,
    )

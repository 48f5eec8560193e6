"""The web verifier: looks up what outside sources say of a batch of claims; it only annotates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import JsonValue

from ..agents.fact_check_batches import CLAIM_CHARS, PASSAGE_CHARS, clip, describe_passages
from ..agents.prompted_agent import AgentSpec, PromptedAgent
from ..agents.reading import UntrustedText, as_files
from ..agents.replies import Reply, Words, passage_with, whole_passage, word_of
from ..agents.source_tools import fact_check_tools
from ..base.errors import ReplyError
from ..base.vocabulary import Stance, Verdict
from ..claims.model import Polarity
from ..core.forms import read_reply
from ..core.tasks import AgentTask, Role, Turn
from ..core.work import ClaimWork
from ..sources.model import SourceSet
from ..verification.assessing.combine import combine_verdicts, judge_named, read_named
from ..verification.ledger.confidence import share_held, words_of_weight
from ..verification.model import ClaimAssessment, Evidence, Passage
from ..verification.passages.retrieval import SourceIndex
from ..verification.registry import Registry
from .types import (
    ENGINE_VERDICTS,
    WEB_VERDICTS,
    ExtractedClaim,
    SourceNote,
    WebCheckInput,
    WebVerdict,
    WebVerifierConfig,
)
from .web_sources import WebCheckContext

PASSAGES_NAME = "passages"
_STANCES = {
    Stance.SUPPORTS: "States it",
    Stance.CONTRADICTS: "Denies it",
    Stance.NEUTRAL: "May deny it",
}


class WebVerifierAgent(
    PromptedAgent[WebVerifierConfig, WebCheckContext, tuple[ClaimAssessment, ...]]
):
    """Verifies a batch of claims against outside sources (review spec, phase 4b)."""

    _spec = AgentSpec(Role.WEB_VERIFIER, "results.json")

    def build_task(self, context: WebCheckContext) -> AgentTask[WebCheckInput]:
        """The form for one batch."""
        inputs = context.inputs
        ids = [work.claim.id for work in inputs.claims]
        # Whoever writes a page does not know which claims stand together.
        untrusted = UntrustedText.of(*ids, *(one.quote for one in inputs.extracted.values()))
        readable = as_files(PASSAGES_NAME, "\n".join(_passages_file(inputs, untrusted)))
        fetches = self.config.max_webfetches if self.config.allows("fetch_source") else 0
        search = self.config.allows("search_sources") and context.source_tools.searches > 0
        tools = fact_check_tools(
            context.source_tools, ids, untrusted, max_webfetches=fetches, searches=search
        )
        return self._prompted_task(
            context,
            f"web/{context.name}",
            inputs,
            entries={
                one.claim.id: _entry(one, inputs.extracted[one.claim.id]) for one in inputs.claims
            },
            readable=readable,
            system={"passages_name": PASSAGES_NAME, "search": search, "max_webfetches": fetches},
            user={
                "claims": ids,
                "written": inputs.written.isoformat(),
                "assumed": inputs.assumed,
                "decided": sum(work.assessment.decided for work in inputs.claims),
            },
            tools=tools,
            protocol=self._rules.protocol if search else None,
        )

    def read_reply(self, context: WebCheckContext, turn: Turn) -> tuple[ClaimAssessment, ...]:
        """The assessments of the batch: code's own, as far as the verifier left or may change them.

        Raises:
            ReplyError: A value cannot be read, or a passage stands in no source at hand.
        """
        inputs, sources = context.inputs, context.source_tools.readable_sources()
        reply, registry = read_reply(ResultsReply, turn.text), self._rules.registry
        index = SourceIndex(sources, registry.lexicon)
        assessed: list[ClaimAssessment] = []
        for work in inputs.claims:
            id_ = work.claim.id
            entry, urls = reply.claims[id_], _ranked_sources(inputs, id_, sources)
            named = {"passage": entry.passage, "other_passage": entry.other_passage}
            passage, other = (
                _find_passage(words, f"/claims/{id_}/{slot}", sources, urls)
                for slot, words in named.items()
            )
            reason = " ".join(entry.reason.split())
            weighing = _Weighing(work, index, registry, passage, other, reason)
            assessed.append(weighing.merge(entry.verdict))
        return tuple(assessed)


def _entry(work: ClaimWork, extracted: ExtractedClaim) -> dict[str, JsonValue]:
    """The fields that code fills; of a claim that it settled, the slots too."""
    assessment = work.assessment
    verdict = WEB_VERDICTS[assessment.verdict].value
    entry: dict[str, JsonValue] = {
        "claim": clip(work.claim.text, CLAIM_CHARS),
        "quote": clip(extracted.quote, CLAIM_CHARS),
        "line": extracted.line,
        "kind": f"{extracted.polarity}, {extracted.temporality}",
        "found_by_code": f"{verdict}, see {PASSAGES_NAME}",
    }
    if assessment.decided:
        slots = {"passage": "", "other_passage": "", "reason": "settled by code"}
        return {**entry, "verdict": verdict, **slots}
    return entry


def _passages_file(inputs: WebCheckInput, untrusted: UntrustedText) -> Iterator[str]:
    yield "# What code found\n"
    for work in inputs.claims:
        yield from _claim_part(work, inputs, untrusted)
    yield "# The sources named above\n"
    named = {
        place.url
        for work in inputs.claims
        for place in (*work.assessment.evidence, *work.assessment.passages)
    }
    for url in sorted(named & inputs.notes.keys()):
        yield f"- {_described(url, inputs.notes[url])}"


def _claim_part(work: ClaimWork, inputs: WebCheckInput, untrusted: UntrustedText) -> Iterator[str]:
    claim, assessment = work.claim, work.assessment
    extracted = inputs.extracted[claim.id]
    yield f"## {claim.id} (line {extracted.line}, {extracted.polarity}, {extracted.temporality})\n"
    yield f"Document says: {clip(extracted.quote, CLAIM_CHARS)}"
    yield f"To check: {clip(claim.text, CLAIM_CHARS)}"
    settled = "settled by code" if assessment.decided else "left to you"
    # The reason may quote a page.
    why = untrusted.mark(clip(assessment.reason, PASSAGE_CHARS), "code's reason")
    yield f"Code: {WEB_VERDICTS[assessment.verdict]} ({settled}):\n{why}\n"
    for item in assessment.evidence:
        words = untrusted.mark(clip(item.quote, PASSAGE_CHARS))
        stance = _STANCES[item.stance]
        yield f"{stance}, <{item.url}>, snapshot {item.sha256}:\n{words}\n"
    yield describe_passages(assessment.passages, untrusted) or "No passage was found.\n"


def _described(url: str, note: SourceNote) -> str:
    authority = "authoritative" if note.authoritative else "not authoritative"
    dated = f"dated {note.dated}" if note.dated else "undated"
    circular = ", circular: taken from the document or what it cites" if note.circular else ""
    if note.citation:
        circular = f", circular: it is the document's citation {note.citation}"
    return f"<{url}>: {note.tier}, {authority}, {dated}{circular}"


LONGEST_PASSAGE = 2_000
# A passage with a smaller share of the claim's words of weight is about something else.
_LEAST_HELD = 0.3
_ID = re.compile(r"([0-9a-f]{8,64}):([0-9]{1,9})-([0-9]{1,9})")
_BOTH = frozenset({Stance.SUPPORTS, Stance.CONTRADICTS})
_AGAINST = (Verdict.CONTRADICTED, Verdict.DISPUTED)


class ResultReply(Reply, extra="ignore"):
    """What the verifier fills in beside the fields of the claim."""

    verdict: Annotated[WebVerdict, word_of(WebVerdict)]
    passage: Words
    other_passage: Words
    reason: Words


class ResultsReply(Reply):
    """The filled form of one batch."""

    claims: dict[str, ResultReply]


def _ranked_sources(inputs: WebCheckInput, claim_id: str, sources: SourceSet) -> Sequence[str]:
    """The addresses of `sources`, those first that count most for a claim.

    That is an authoritative one, and one that is independent of the document unless the claim is
    about what is cited.
    """
    about_citation = inputs.extracted[claim_id].polarity is Polarity.ATTRIBUTED

    def rank(url: str) -> tuple[bool, bool, str]:
        note = inputs.notes.get(url)
        if note is None:
            return True, True, url
        return note.circular is not about_citation, not note.authoritative, url

    return sorted(sources.sources, key=rank)


def _find_passage(
    named: str, place: str, sources: SourceSet, urls: Sequence[str]
) -> Passage | None:
    """The whole sentences that hold what is `named` by its id or its words; None for "".

    Of several sources with the same sentences the first of `urls` is taken.

    Raises:
        ReplyError: It stands in no source, in several that go on otherwise, or is too long; `place`
            is the slot.
    """
    name = named.strip()
    if not name:
        return None
    if match := _ID.fullmatch(name):
        found = list(_passages_at(match, sources, urls))
    else:
        possible = urls if len(name) <= LONGEST_PASSAGE else ()
        found = [one for url in possible if (one := passage_with(name, url, sources))]
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


def _passages_at(
    match: re.Match[str], sources: SourceSet, urls: Iterable[str]
) -> Iterator[Passage]:
    start, end = int(match[2]), int(match[3])
    for url in urls:
        readable = sources.readable(url)
        if readable is None or not readable[0].sha256.startswith(match[1]):
            continue
        named = readable[1][start:end]
        if end <= len(readable[1]) and named.strip() and len(named) <= LONGEST_PASSAGE:
            yield whole_passage(match[0], url, *readable, start, end)


@dataclass(frozen=True, slots=True)
class _Weighing:
    """Holds the passages that a verifier named against one claim.

    `passage` decides; `other` is the one that denies a disputed claim.
    """

    work: ClaimWork
    sources: SourceIndex
    registry: Registry
    passage: Passage | None
    other: Passage | None
    reason: str

    def merge(self, stated: WebVerdict) -> ClaimAssessment:
        """Combine code's assessment of the claim with the verdict that the verifier `stated`.

        A contradiction or a dispute that code found stands; further words against the claim may
        join it. Else the answer may lower code's verdict. It raises an open one only with a passage
        in which code finds every figure and date of the claim and nothing that no model may
        overrule. Words deny a claim only if code finds that they speak of it and do not state it.
        The phase computes its verdict from these words, and none better than the one given here.
        """
        engine = self.work.assessment
        stands = engine.decided and engine.verdict in _AGAINST
        if stated is WebVerdict.CONFIRMED:
            return engine if stands else self._confirm()
        named = {WebVerdict.CONTRADICTED: self.passage, WebVerdict.DISPUTED: self.other}
        items = self._denying(named.get(stated))
        if stands:
            return self._with(engine.verdict, items)
        if stated is WebVerdict.CONTRADICTED and not items:
            reason = "the web verifier calls it contradicted and names no passage that denies it"
            return self._with(Verdict.UNVERIFIABLE, (), reason)
        if stated is WebVerdict.DISPUTED:
            # The words that state the claim, in which code finds all its figures.
            passage = self.passage
            stating = self._combine(passage, Verdict.SUPPORTED).evidence if passage else ()
            items += tuple(item for item in stating if item.stance is Stance.SUPPORTS)
            if not {item.stance for item in (*engine.evidence, *items)} >= _BOTH:
                reason = "the web verifier calls it disputed and does not name both sides"
                return self._with(Verdict.UNVERIFIABLE, items, reason)
        return self._with(ENGINE_VERDICTS[stated], items, self.reason)

    def _confirm(self) -> ClaimAssessment:
        if self.passage is None:
            return self.work.assessment
        found = self._combine(self.passage, Verdict.SUPPORTED)
        if found.verdict is Verdict.SUPPORTED:
            return self._with(found.verdict, found.evidence, self.reason)
        if found.verdict is Verdict.CONTRADICTED:
            return self._with(found.verdict, found.evidence, found.reason)
        return replace(
            self.work.assessment, reason=f"{self.work.assessment.reason}; {found.reason}"
        )

    def _denying(self, passage: Passage | None) -> tuple[Evidence, ...]:
        """The words of `passage` that deny the claim, if code finds that they may."""
        named = read_named(passage, self.sources) if passage else None
        if passage is None or named is None:
            return ()
        if judge_named(self.work.claim, named, self.registry).verdict is Verdict.SUPPORTED:
            return ()
        found = self._combine(passage, Verdict.CONTRADICTED).evidence
        return tuple(item for item in found if item.stance is Stance.CONTRADICTS)

    def _combine(self, passage: Passage, verdict: Verdict) -> ClaimAssessment:
        """Code's assessment if a verifier gives `verdict` for `passage` alone."""
        nothing = replace(
            self.work.assessment,
            verdict=Verdict.UNVERIFIABLE,
            decided=False,
            evidence=(),
            findings=(),
        )
        book = self.registry.lexicon.words
        if share_held(words_of_weight(self.work.claim, book), passage.text, book) < _LEAST_HELD:
            reason = "the passage that the web verifier names is not about the claim"
            return replace(nothing, reason=reason)
        return combine_verdicts(
            self.work.claim, nothing, verdict, passage, self.sources, self.registry
        )

    def _with(
        self, verdict: Verdict, further: Iterable[Evidence], reason: str = ""
    ) -> ClaimAssessment:
        """Code's assessment with `verdict` and further words; places that are there count once."""
        engine = self.work.assessment
        places: dict[object, Evidence] = {}
        for one in (*engine.evidence, *further):
            places.setdefault((one.sha256, one.start, one.end, one.stance), one)
        return replace(
            engine,
            verdict=verdict,
            decided=engine.decided and verdict is engine.verdict,
            evidence=tuple(places.values()),
            reason=reason or engine.reason,
        )

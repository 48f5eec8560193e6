"""Routing of a claim: its topic, temporality, polarity, attribution and who can check it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING

from ..base.registry import PhrasePattern, RegistryModel, alternatives
from .model import ClaimTopic, DateSpan, Polarity, Quantity, QuantityKind, Route, Temporality

if TYPE_CHECKING:
    from .lexicon import Lexicon

ROUTING_FILE = "routing.yaml"
_PRESENT = re.compile(
    r"\b(?:is|are|has|have|serves|sits|employs|holds|costs|leads|owns|runs|stands|remains|accounts)\b"
)
# A speaker is at most this many characters: "The committee's second report says".
_LONGEST_SPEAKER = 60


class Mark(RegistryModel):
    """Phrases that count for a sentence or against it."""

    points: int
    phrases: PhrasePattern


class Worth(RegistryModel):
    """How many points make a sentence worth checking; `openers` count at its start alone."""

    start: int
    least: int
    number: int
    name: int
    marks: tuple[Mark, ...]
    openers: Mark


class RoutingWords(RegistryModel):
    """The whole of `routing.yaml`."""

    topics: dict[ClaimTopic, PhrasePattern]
    temporal: PhrasePattern
    attributed: PhrasePattern
    speech_verbs: tuple[str, ...]
    report_verbs: tuple[str, ...]
    own_voice: PhrasePattern
    refuted: PhrasePattern
    contrast: tuple[str, ...]
    recommendation: PhrasePattern
    value_judgement: PhrasePattern
    interpretive: PhrasePattern
    defined_by: PhrasePattern
    evaluations: tuple[str, ...]
    cause: PhrasePattern
    vague_comparison: PhrasePattern
    intensifiers: tuple[str, ...]
    worth: Worth

    @cached_property
    def speaker(self) -> re.Pattern[str]:
        """Somebody who says or reports something, at the start of a sentence."""
        speech, told = alternatives(self.speech_verbs), self._told
        return re.compile(
            rf"^\W*(?P<who>[A-Z][^,;:.]{{0,{_LONGEST_SPEAKER}}}?) "
            rf"(?:(?:{speech}) (?!to\b|about\b)|{told}(?: that\b|,? [\"“]))"
        )

    @cached_property
    def told(self) -> re.Pattern[str]:
        """Somebody who says or reports something, at the end of a sentence."""
        speech, told = alternatives(self.speech_verbs), self._told
        return re.compile(
            rf"[,”\"] (?:{told} [^,;:.]{{2,{_LONGEST_SPEAKER}}}"
            rf"|(?P<who>[^,;:.]{{2,{_LONGEST_SPEAKER}}}) (?:{speech}))\W*$"
        )

    @property
    def _told(self) -> str:
        return rf"(?:{alternatives((*self.speech_verbs, *self.report_verbs))})"

    @cached_property
    def contrasted(self) -> re.Pattern[str]:
        """A clause that goes against what stands before."""
        return re.compile(rf"[,;] (?:{alternatives(self.contrast)})\b", re.IGNORECASE)

    @cached_property
    def evaluation(self) -> re.Pattern[str]:
        """A verdict in a word: "is good"."""
        return re.compile(
            r"\b(?:is|are|was|were|seems?|sounds?|looks?)(?: (?:not|too|so|very|quite|all))?"
            rf"(?: an?)? (?:{alternatives(self.evaluations)})\b",
            re.IGNORECASE,
        )

    @cached_property
    def intensifier(self) -> re.Pattern[str]:
        """An intensifier with the space behind it."""
        return re.compile(rf"\b(?:{alternatives(self.intensifiers)}) ", re.IGNORECASE)

    @property
    def exclusions(self) -> Mapping[str, re.Pattern[str]]:
        """Phrases of what is no claim of fact, by rule."""
        return {
            "recommendation": self.recommendation,
            "opinion": self.value_judgement,
            "vague_comparison": self.vague_comparison,
            "contested_cause": self.cause,
        }


def topic_of(
    text: str, quantities: tuple[Quantity, ...], dates: tuple[DateSpan, ...], words: Lexicon
) -> ClaimTopic:
    """The document review's category of a claim."""
    if any(quantity.kind is QuantityKind.MONEY for quantity in quantities):
        return ClaimTopic.BUDGET
    units = (words.unit(quantity.unit) for quantity in quantities)
    if any(unit and unit.dimension == "length" for unit in units):
        return ClaimTopic.DISTANCE
    found = next((topic for topic, cues in words.routing.topics.items() if cues.search(text)), None)
    if found is ClaimTopic.TITLE or found is ClaimTopic.ORG_FACT:
        return found
    if any(quantity.kind is not QuantityKind.ORDINAL for quantity in quantities):
        return ClaimTopic.STATISTICAL
    return found or (ClaimTopic.DATE if dates else ClaimTopic.OTHER)


def temporality_of(
    text: str, topic: ClaimTopic, dates: tuple[DateSpan, ...], words: RoutingWords, as_of: date
) -> Temporality:
    """Whether a claim may be true on one day and false on another.

    Titles, budgets, organisations and statistics change unless the claim dates them in the past;
    distances, geography and what is over do not.
    """
    if words.temporal.search(text) or any(span.last > as_of for span in dates):
        return Temporality.TEMPORAL
    settled = (ClaimTopic.DISTANCE, ClaimTopic.GEOGRAPHIC, ClaimTopic.HISTORICAL, ClaimTopic.DATE)
    if topic in settled or dates:
        return Temporality.STATIC
    if topic in (ClaimTopic.TITLE, ClaimTopic.BUDGET) or _PRESENT.search(text):
        return Temporality.STATIC if topic is ClaimTopic.OTHER else Temporality.TEMPORAL
    return Temporality.STATIC


def polarity_of(text: str, following: str, lexicon: Lexicon) -> Polarity:
    """Whether the document says it itself, lets somebody say it, or holds it up to refute it.

    `following` is the next sentence of the paragraph: "This is false." refutes what stands before.
    """
    words = lexicon.routing
    attributed = is_attributed(text, words)
    if words.refuted.search(text) or (attributed and words.contrasted.search(text)):
        return Polarity.REFUTED
    if following and lexicon.words.refutation.search(following):
        return Polarity.REFUTED
    return Polarity.ATTRIBUTED if attributed else Polarity.ASSERTED


def is_attributed(text: str, words: RoutingWords) -> bool:
    """Whether the sentence names somebody else as the one who says it."""
    if words.attributed.search(text) or words.told.search(text):
        return True
    speaker = words.speaker.search(text)
    return speaker is not None and not words.own_voice.match(speaker["who"].lstrip())


def is_checkworthy(
    text: str, words: RoutingWords, *, number: bool, has_name: Callable[[], bool]
) -> bool:
    """Whether a sentence states a fact that is worth checking, by the points of its words.

    Only for sentences that make a statement at all. General talk, advice and connecting sentences
    are left out; `number` and `has_name`, called only where it decides, tell if it has one.
    """
    worth = words.worth
    points = worth.start + worth.number * number
    points += sum(mark.points for mark in worth.marks if mark.phrases.search(text))
    if worth.openers.phrases.match(text.lstrip("\"'“ ")):
        points += worth.openers.points
    enough, with_name = points >= worth.least, points + worth.name >= worth.least
    if enough is with_name:
        return enough
    return with_name if has_name() else enough


def core_of(text: str, words: RoutingWords) -> str:
    """`text` without its intensifiers: what of it has to be true."""
    return words.intensifier.sub("", text)


def route_of(exclusion: str, *, own: bool, reckoned: bool) -> Route:
    """Who can check a claim: nobody, arithmetic, the author's own records, or sources."""
    if exclusion:
        return Route.OPINION
    if own:
        return Route.INTERNAL
    return Route.COMPUTATIONAL if reckoned else Route.EXTERNAL

"""Routing of a claim: its topic, temporality, polarity, attribution and who can check it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from ..base.registry import RegistryModel, load_registry_file
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
    phrases: tuple[str, ...]


class Worth(RegistryModel):
    """How many points make a sentence worth checking; `openers` count at its start alone."""

    start: int
    least: int
    number: int
    name: int
    marks: tuple[Mark, ...]
    openers: Mark


class RoutingFile(RegistryModel):
    """The whole of `routing.yaml`."""

    topics: dict[ClaimTopic, tuple[str, ...]]
    temporal: tuple[str, ...]
    attributed: tuple[str, ...]
    speech_verbs: tuple[str, ...]
    report_verbs: tuple[str, ...]
    own_voice: tuple[str, ...]
    refuted: tuple[str, ...]
    contrast: tuple[str, ...]
    recommendation: tuple[str, ...]
    value_judgement: tuple[str, ...]
    interpretive: tuple[str, ...]
    defined_by: tuple[str, ...]
    evaluations: tuple[str, ...]
    cause: tuple[str, ...]
    vague_comparison: tuple[str, ...]
    intensifiers: tuple[str, ...]
    worth: Worth


@dataclass(frozen=True, slots=True)
class RoutingWords:
    """The phrases of `routing.yaml` as patterns."""

    topics: tuple[tuple[ClaimTopic, re.Pattern[str]], ...]
    historical: re.Pattern[str]
    temporal: re.Pattern[str]
    attributed: re.Pattern[str]
    speaker: re.Pattern[str]
    told: re.Pattern[str]
    own_voice: re.Pattern[str]
    refuted: re.Pattern[str]
    contrast: re.Pattern[str]
    exclusions: tuple[tuple[str, re.Pattern[str]], ...]
    interpretive: re.Pattern[str]
    defined_by: re.Pattern[str]
    evaluation: re.Pattern[str]
    intensifiers: re.Pattern[str]
    worth: Worth
    marks: tuple[tuple[int, re.Pattern[str]], ...]
    openers: re.Pattern[str]

    @classmethod
    def compile(cls, file: RoutingFile) -> RoutingWords:
        """The patterns of `file`."""
        speech, report = _alternatives(file.speech_verbs), _alternatives(file.report_verbs)
        who = rf"^\W*(?P<who>[A-Z][^,;:.]{{0,{_LONGEST_SPEAKER}}}?) "
        told = rf"(?:{speech}|{report})"
        return cls(
            topics=tuple((topic, _phrases(words)) for topic, words in file.topics.items()),
            historical=_phrases(file.topics[ClaimTopic.HISTORICAL]),
            temporal=_phrases(file.temporal),
            attributed=_phrases(file.attributed),
            speaker=re.compile(
                rf"{who}(?:(?:{speech}) (?!to\b|about\b)|{told}(?: that\b|,? [\"“]))"
            ),
            told=re.compile(
                rf"[,”\"] (?:{told} [^,;:.]{{2,{_LONGEST_SPEAKER}}}"
                rf"|(?P<who>[^,;:.]{{2,{_LONGEST_SPEAKER}}}) (?:{speech}))\W*$"
            ),
            own_voice=_phrases(file.own_voice),
            refuted=_phrases(file.refuted),
            contrast=re.compile(rf"[,;] (?:{_alternatives(file.contrast)})\b", re.IGNORECASE),
            exclusions=(
                ("recommendation", _phrases(file.recommendation)),
                ("opinion", _phrases(file.value_judgement)),
                ("vague_comparison", _phrases(file.vague_comparison)),
                ("contested_cause", _phrases(file.cause)),
            ),
            interpretive=_phrases(file.interpretive),
            defined_by=_phrases(file.defined_by),
            evaluation=re.compile(
                r"\b(?:is|are|was|were|seems?|sounds?|looks?)(?: (?:not|too|so|very|quite|all))?"
                rf"(?: an?)? (?:{_alternatives(file.evaluations)})\b",
                re.IGNORECASE,
            ),
            worth=file.worth,
            marks=tuple((mark.points, _phrases(mark.phrases)) for mark in file.worth.marks),
            openers=_phrases(file.worth.openers.phrases),
            intensifiers=re.compile(rf"\b(?:{_alternatives(file.intensifiers)}) ", re.IGNORECASE),
        )


def load_routing(folder: Path | None = None) -> RoutingWords:
    """The packaged phrases, or those of `folder`.

    Raises:
        RegistryError: The file is broken or does not validate.
    """
    return RoutingWords.compile(load_registry_file(RoutingFile, ROUTING_FILE, folder))


def topic_of(
    text: str, quantities: tuple[Quantity, ...], dates: tuple[DateSpan, ...], words: Lexicon
) -> ClaimTopic:
    """The document review's category of a claim."""
    if any(quantity.kind is QuantityKind.MONEY for quantity in quantities):
        return ClaimTopic.BUDGET
    units = (words.unit(quantity.unit) for quantity in quantities)
    if any(unit and unit.dimension == "length" for unit in units):
        return ClaimTopic.DISTANCE
    found = next((topic for topic, cues in words.routing.topics if cues.search(text)), None)
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
    if words.refuted.search(text) or (attributed and words.contrast.search(text)):
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


def is_checkworthy(text: str, words: RoutingWords, *, number: bool, name: bool) -> bool:
    """Whether a sentence states a fact that is worth checking, by the points of its words.

    Only for sentences that make a statement at all. General talk, advice and connecting sentences
    are left out; `number` and `name` say whether the sentence has one.
    """
    worth = words.worth
    points = worth.start + worth.number * number + worth.name * name
    points += sum(value for value, phrases in words.marks if phrases.search(text))
    if words.openers.match(text.lstrip("\"'“ ")):
        points += worth.openers.points
    return points >= worth.least


def core_of(text: str, words: RoutingWords) -> str:
    """`text` without its intensifiers: what of it has to be true."""
    return words.intensifiers.sub("", text)


def route_of(exclusion: str, *, own: bool, reckoned: bool) -> Route:
    """Who can check a claim: nobody, arithmetic, the author's own records, or sources."""
    if exclusion:
        return Route.OPINION
    if own:
        return Route.INTERNAL
    return Route.COMPUTATIONAL if reckoned else Route.EXTERNAL


def _phrases(phrases: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{_alternatives(phrases)})(?!\w)", re.IGNORECASE)


def _alternatives(phrases: Iterable[str]) -> str:
    return "|".join(re.escape(phrase) for phrase in sorted(phrases, key=len, reverse=True))

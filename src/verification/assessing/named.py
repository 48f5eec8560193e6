"""A passage that a model named, as code reads it in its place (design, section 4).

A model may quote a few words out of a sentence that denies them. So code reads the whole sentences
around them in the source, and what of those only asks, vouches, denies or supposes bears nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ...base.vocabulary import Stance
from ...claims.model import Claim, DateSpan, Quantity
from ..judging.alignment import Aligner
from ..judging.guards import objections
from ..judging.judgement import slot_check
from ..judging.quotation import check_quotes
from ..meaning.objection import FRAMING, Objection
from ..model import Evidence, Passage, SlotCheck, SlotKind, SlotOutcome
from ..policy import OverrulingPolicy
from ..reading.form import ClaimForm, claim_form
from ..reading.index import SourceIndex, TextIndex
from ..reading.window import Window, build_window
from ..registry import Registry
from ..values.sameness import FILLED
from ..values.slots import SlotMatch

# What a passage says otherwise if it has a word of these classes in the claim's place.
_DENIALS = frozenset({"negation", "opposite", "direction", FRAMING})


@dataclass(frozen=True, slots=True)
class NamedPassage:
    """The whole sentences that a named passage touches, with the text of their source."""

    passage: Passage
    index: TextIndex
    first: int
    last: int

    def evidence(self, stance: Stance) -> Evidence:
        """The sentences as evidence."""
        one = self.passage
        return Evidence(one.url, one.sha256, one.text, one.start, one.end, stance)


def read_named(passage: Passage, sources: SourceIndex) -> NamedPassage | None:
    """`passage` widened to whole sentences of its source; None if it does not stand there.

    Raises:
        SnapshotError: A readable source has no text.
    """
    readable = sources.readable(passage.url)
    if readable is None or readable[0].sha256 != passage.sha256 or not passage.text.strip():
        return None
    index = readable[1]
    if index.text[passage.start : passage.end] != passage.text:
        return None
    first, last = index.segment_at(passage.start), index.segment_at(passage.end - 1)
    start = min(passage.start, index.segments[first].start)
    end = max(passage.end, index.segments[last].end)
    whole = replace(passage, start=start, end=end, text=index.text[start:end])
    return NamedPassage(whole, index, first, last)


class NamedReading:
    """A claim laid over the sentences of a passage that a model named."""

    def __init__(self, form: ClaimForm, named: NamedPassage, registry: Registry) -> None:
        self._form, self._named = form, named
        self._registry = registry
        self._aligner = Aligner(form, named.index, registry.lexicon, registry.verification)

    def slots(self) -> tuple[SlotCheck, ...]:
        """Quotations, numbers and dates of the claim, looked for in what states something."""
        index = self._named.index
        passage = TextIndex(self._named.passage.text, index.lexicon)
        quotes = [
            SlotCheck(SlotKind.QUOTE, check.outcome, check.quote.text)
            for check in check_quotes(self._form, passage, index.lexicon.words)
        ]
        found = [self._aligner.figures(window) for window in self._stating()]
        absent = [
            SlotMatch(slot, SlotOutcome.ABSENT, None, None, 0.0, 0.0) for slot in self._form.slots
        ]
        figures = (
            next((match for match in matches if match.outcome in FILLED), matches[-1])
            for matches in zip(absent, *found, strict=True)
        )
        return (*quotes, *map(slot_check, figures))

    def bar(self) -> str:
        """Why the sentences cannot bear out the claim, whatever a model makes of them; "" if so."""
        nearest = self._nearest()
        if any(map(self._named.index.is_meta, nearest)):
            return (
                "the passage chosen only asks it, vouches for it, speaks to its reader, or is "
                "taken back"
            )
        policy = self._registry.verification.overruling
        for objection in self._objections(nearest):
            if not may_overrule(objection, policy):
                return f"the passage chosen differs in “{objection.found or objection.claimed}”"
        return ""

    def denies(self) -> bool:
        """Whether the sentences have the claim's names and another figure, or another turn."""
        if not self._is_on_it():
            return False
        if self._has_other_figure():
            return True
        return any(
            objection.flipped
            or objection.replaced
            or (bool(objection.found) and objection.sort in _DENIALS)
            for objection in self._objections(self._nearest())
        )

    def _has_other_figure(self) -> bool:
        """Whether a number or date of the claim is not there, and one of its kind is."""
        there = [one.value for window in self._stating() for one in window.candidates]
        missing = {slot.claimed for slot in self.slots() if slot.outcome not in FILLED}
        lacking = [slot.value for slot in self._form.slots if slot.value.text in missing]
        return any(_are_alike(own, other) for own in lacking for other in there)

    def _is_on_it(self) -> bool:
        """Whether passage or head of the source have a name of the claim, or half its words."""
        windows = self._stating()
        stems = frozenset[str]().union(*(window.stems for window in windows))
        known = stems | self._named.index.heading_stems
        if self._form.names:
            return any(known.issuperset(name.stems) for name in self._form.names)
        terms = [term for term in self._form.terms if term.counts]
        words = self._registry.lexicon.words
        held = [term for term in terms if not words.alike(term.stem).isdisjoint(known)]
        return len(held) >= len(terms) / 2

    def _nearest(self) -> list[int]:
        """The sentences of the passage that hold most of the claim's words."""
        numbers = range(self._named.first, self._named.last + 1)
        held = {number: self._held(number) for number in numbers}
        most = max(held.values())
        return [number for number in numbers if held[number] == most]

    def _held(self, number: int) -> float:
        index, words = self._named.index, self._registry.lexicon.words
        stems = {token.stem for token in index.facts(number).tokens}
        terms = {term.stem for term in self._form.terms}
        return sum(index.weight(one) for one in terms if not words.alike(one).isdisjoint(stems))

    def _objections(self, nearest: list[int]) -> Iterator[Objection]:
        """What speaks against the claim in the passage as a whole and in its nearest sentences."""
        alone = (build_window(self._named.index, number, number) for number in nearest)
        for window in (*self._stating(), *alone):
            yield from objections(self._aligner, self._aligner.align(window))

    def _stating(self) -> list[Window]:
        """The runs of sentences that state something."""
        index, runs = self._named.index, list[list[int]]()
        for number in range(self._named.first, self._named.last + 1):
            if index.is_meta(number):
                continue
            if runs and runs[-1][-1] == number - 1:
                runs[-1].append(number)
            else:
                runs.append([number])
        return [build_window(index, run[0], run[-1]) for run in runs]


def _are_alike(one: Quantity | DateSpan, other: Quantity | DateSpan) -> bool:
    """Whether both are dates, or quantities of one kind and unit."""
    if isinstance(one, DateSpan) or isinstance(other, DateSpan):
        return isinstance(one, DateSpan) and isinstance(other, DateSpan)
    return (one.kind, one.unit) == (other.kind, other.unit)


def may_overrule(objection: Objection, policy: OverrulingPolicy) -> bool:
    """Whether a model that read a passage may set `objection` aside.

    Never what cannot be so together with the claim, nor a name that the whole source lacks or for
    which the passage has another in the same place.
    """
    if objection.flipped or objection.foreign or objection.replaced:
        return False
    return objection.sort in (policy.reworded if objection.found else policy.unsaid)


def may_deny(claim: Claim, passage: Passage, sources: SourceIndex, registry: Registry) -> bool:
    """Whether `passage` speaks of `claim` and has another figure, a negation or an opposite.

    Raises:
        SnapshotError: A readable source has no text.
    """
    named = read_named(passage, sources)
    form = claim_form(claim, registry.lexicon)
    return named is not None and NamedReading(form, named, registry).denies()

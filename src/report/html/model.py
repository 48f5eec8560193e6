"""Parts of a page, common to runs, checks, batches and reviews."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from typing import TypeAlias

from ...base.vocabulary import Severity, SourceState, Stance, Verdict
from ...sources.model import Source
from ...sources.scoring.appraisal import SourceRating
from ...verification.model import LedgerEntry
from ..wording import spaced


class Tone(StrEnum):
    """Tone of a label. A label with a tone also has a sign and a word."""

    GOOD = "good"
    BAD = "bad"
    MIXED = "mixed"
    OPEN = "open"
    MUTED = "muted"


@dataclass(frozen=True, slots=True)
class Label:
    """A word with its sign and tone."""

    text: str
    sign: str
    tone: Tone


NOT_APPLICABLE = -1
"""The value of a facet that does not concern a thing; no choice of that filter hides it."""

UNANSWERED = Label("unanswered", "○", Tone.OPEN)
VERDICTS: Mapping[Verdict, Label] = {
    Verdict.SUPPORTED: Label("supported", "✓", Tone.GOOD),
    Verdict.CONTRADICTED: Label("contradicted", "✗", Tone.BAD),
    Verdict.PARTIALLY_SUPPORTED: Label("partially supported", "◐", Tone.MIXED),
    Verdict.DISPUTED: Label("disputed", "⇄", Tone.MIXED),
    Verdict.UNVERIFIABLE: Label("unverifiable", "?", Tone.OPEN),
    Verdict.SOURCE_UNAVAILABLE: Label("source unavailable", "⊘", Tone.OPEN),
    Verdict.NOT_CHECKABLE: Label("not checkable", "–", Tone.MUTED),
}
SEVERITIES: Mapping[Severity, Label] = {
    Severity.CRITICAL: Label("critical", "‼", Tone.BAD),
    Severity.HIGH: Label("high", "▲", Tone.BAD),
    Severity.MEDIUM: Label("medium", "◆", Tone.MIXED),
    Severity.LOW: Label("low", "▽", Tone.MUTED),
}
STANCES: Mapping[Stance, Label] = {
    Stance.SUPPORTS: Label("supports", "✓", Tone.GOOD),
    Stance.CONTRADICTS: Label("contradicts", "✗", Tone.BAD),
    Stance.NEUTRAL: Label("bears on it", "·", Tone.MUTED),
}


def claim_label(entry: LedgerEntry) -> Label:
    """Return the label of a claim of a ledger."""
    return UNANSWERED if entry.open_slot else VERDICTS[entry.verdict]


@dataclass(frozen=True, slots=True)
class Name:
    """Name of an entry: its noun, and its mark among others of the kind."""

    noun: str
    mark: str

    def __str__(self) -> str:
        return f"{self.noun} {self.mark}"


@dataclass(frozen=True, slots=True)
class Mark:
    """A highlighted place `[start, end)` of the text.

    `number` is the place in the page's list. A mark from `outside` belongs to the external
    verification, which the text shows only on request.
    """

    number: int
    start: int
    end: int
    name: Name
    label: Label
    outside: bool = False


@dataclass(frozen=True, slots=True)
class Facet:
    """A way to filter and its choices."""

    title: str
    labels: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One thing in a list of the page.

    `number` counts from 1 over all lists of the page, `id` is what a link to it ends in. `facets`
    are its values of its list's facets by index, `NOT_APPLICABLE` where it has none.
    """

    number: int
    id: str
    name: Name
    labels: tuple[Label, ...]
    text: str
    place: str
    facets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SourceCard:
    """A source by its number in the report. `rating` is None where it was not scored.

    `source` is None where nothing but its score is on record. `used_by` is how many claims
    have evidence of it.
    """

    number: int
    url: str
    rating: SourceRating | None
    source: Source | None
    used_by: int

    @property
    def title(self) -> str:
        """Its title, else its address."""
        rated = self.rating.title if self.rating else ""
        snapshot = self.source.snapshot if self.source else None
        return rated or (snapshot.title if snapshot else "") or self.url

    @property
    def state(self) -> SourceState:
        """State of the fetch."""
        if self.source is not None:
            return self.source.state
        return self.rating.state if self.rating else SourceState.NOT_FETCHED

    @property
    def reason(self) -> str:
        """Reason for the state."""
        if self.source is not None:
            return self.source.reason
        return self.rating.reason if self.rating else ""


@dataclass(frozen=True, slots=True)
class Table:
    """Headings and rows of text. `texts` are the columns of words, the others of figures."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    _: KW_ONLY
    caption: str
    texts: frozenset[int] = frozenset({0})


NOTHING = Label("none", "", Tone.MUTED)
"""The choice of what has no value of a kind."""


def plain_labels(names: Iterable[str]) -> tuple[Label, ...]:
    """Labels without a sign, in words."""
    return tuple(Label(spaced(name).lower(), "", Tone.MUTED) for name in names)


Filters: TypeAlias = Sequence[tuple[Facet, Counter[int]]]
"""Filters with the number of things for each choice, by its index."""


def count_choices(facets: Sequence[Facet], codes: Iterable[Sequence[int]]) -> Filters:
    """Return the filters; `codes` are each thing's choices of `facets`."""
    columns = [*zip(*codes, strict=True)] or [()] * len(facets)
    return [*zip(facets, map(Counter, columns), strict=True)]


class Listing:
    """The rows of one list of a page, and the marks of their places in the text."""

    def __init__(self, facets: Sequence[Facet]) -> None:
        self._facets = facets
        self.rows: list[Row] = []
        self.marks: list[Mark] = []

    def add(
        self, row: Row, place: tuple[int | None, int | None], label: Label, *, outside: bool = False
    ) -> None:
        """Add a row; its place in the text is marked with `label` if it has one."""
        start, end = place
        self.rows.append(row)
        if start is not None and end is not None:
            self.marks.append(Mark(row.number, start, end, row.name, label, outside))

    @property
    def filters(self) -> Filters:
        """The filters of the list."""
        return count_choices(self._facets, (row.facets for row in self.rows))


def in_text_order(marks: Iterable[Mark]) -> list[Mark]:
    """Return `marks` by their places in the text."""
    return sorted(marks, key=lambda mark: (mark.start, mark.end, mark.number))

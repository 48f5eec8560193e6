"""Parts of a page, common to runs, checks, batches and reviews."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from types import MappingProxyType

from ...base.finding import Finding
from ...base.vocabulary import Severity, SourceState, Stance, Verdict
from ...sources.model import Source
from ...sources.scoring.appraisal import SourceRating
from ...verification.model import LedgerEntry
from .. import wording
from ..summary import join_sentences

SHORT_CHARS = 160
"""Maximum length of a text in a row or a cell; the details show all of it."""


class Tone(StrEnum):
    """Tone of a label. A label with a tone also has a sign and a word."""

    GOOD = "good"
    BAD = "bad"
    MIXED = "mixed"
    OPEN = "open"
    MUTED = "muted"


def spaced(name: str) -> str:
    """A name for machines as words."""
    return name.replace("_", " ")


def shortened(text: str) -> str:
    """Return the beginning of `text` on one line, at most `SHORT_CHARS` of it."""
    return wording.shortened(text, SHORT_CHARS)


@dataclass(frozen=True, slots=True)
class Label:
    """A word with its sign and tone."""

    text: str
    sign: str
    tone: Tone


NOT_APPLICABLE = -1
"""The value of a facet that does not concern a thing; no choice of that filter hides it."""

UNANSWERED = Label("unanswered", "○", Tone.OPEN)
VERDICTS: Mapping[Verdict, Label] = MappingProxyType(
    {
        Verdict.SUPPORTED: Label("supported", "✓", Tone.GOOD),
        Verdict.CONTRADICTED: Label("contradicted", "✗", Tone.BAD),
        Verdict.PARTIALLY_SUPPORTED: Label("partially supported", "◐", Tone.MIXED),
        Verdict.DISPUTED: Label("disputed", "⇄", Tone.MIXED),
        Verdict.UNVERIFIABLE: Label("unverifiable", "?", Tone.OPEN),
        Verdict.SOURCE_UNAVAILABLE: Label("source unavailable", "⊘", Tone.OPEN),
        Verdict.NOT_CHECKABLE: Label("not checkable", "–", Tone.MUTED),
    }
)
SEVERITIES: Mapping[Severity, Label] = MappingProxyType(
    {
        Severity.CRITICAL: Label("critical", "‼", Tone.BAD),
        Severity.HIGH: Label("high", "▲", Tone.BAD),
        Severity.MEDIUM: Label("medium", "◆", Tone.MIXED),
        Severity.LOW: Label("low", "▽", Tone.MUTED),
    }
)
STANCES: Mapping[Stance, Label] = MappingProxyType(
    {
        Stance.SUPPORTS: Label("supports", "✓", Tone.GOOD),
        Stance.CONTRADICTS: Label("contradicts", "✗", Tone.BAD),
        Stance.NEUTRAL: Label("bears on it", "·", Tone.MUTED),
    }
)


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
class FacetValue:
    """One choice of a filter and how many there are of it."""

    label: Label
    count: int


@dataclass(frozen=True, slots=True)
class Facet:
    """A way to filter. `name` is for machines, `title` for people."""

    name: str
    title: str
    values: tuple[FacetValue, ...]


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
class Fact:
    """Something known, in a word and its value."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class FindingView:
    """A finding in words. `number` is that of the claim that it is about, None without one."""

    id: str
    severity: Label
    type: str
    place: str
    claim: str
    message: str
    advice: str
    origin: str
    number: int | None = None


def finding_view(finding: Finding, advice: str, number: int | None = None) -> FindingView:
    """`finding` in words; `number` is that of its claim on the page."""
    return FindingView(
        finding.id,
        SEVERITIES[finding.severity],
        spaced(finding.type),
        str(finding.location) if finding.location else "whole document",
        finding.claim,
        join_sentences(finding.problem, finding.evidence),
        advice,
        spaced(finding.origin),
        number,
    )


@dataclass(frozen=True, slots=True)
class FindingGroup:
    """Findings under one heading; `more` is how many are not shown."""

    label: Label
    findings: tuple[FindingView, ...]
    more: int = 0

    @property
    def count(self) -> int:
        """Number of findings."""
        return len(self.findings) + self.more


def severity_groups(findings: Sequence[FindingView], most: int) -> tuple[FindingGroup, ...]:
    """Group `findings` by severity, worst first, with at most `most` shown in each group."""
    groups: list[FindingGroup] = []
    for label in SEVERITIES.values():
        found = [one for one in findings if one.severity is label]
        if found:
            groups.append(FindingGroup(label, tuple(found[:most]), max(0, len(found) - most)))
    return tuple(groups)


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
class Segment:
    """A part of a bar: `share` and `start` are percentages of the chart's width."""

    label: Label
    start: float
    share: float


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of a chart with its text."""

    title: str
    text: str
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """Bars under a title. `legend` names what is in them; empty where each bar is one thing."""

    name: str
    title: str
    bars: tuple[Bar, ...]
    legend: tuple[Label, ...] = ()


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


@dataclass(frozen=True, slots=True)
class FacetKind:
    """A way to filter and its choices. `name` is for machines, `title` for people."""

    name: str
    title: str
    labels: tuple[Label, ...]


def plain_labels(names: Iterable[str]) -> tuple[Label, ...]:
    """Labels without a sign, in words."""
    return tuple(Label(spaced(name).lower(), "", Tone.MUTED) for name in names)


def facets(kinds: Sequence[FacetKind], codes: Iterable[Sequence[int]]) -> tuple[Facet, ...]:
    """Return the filters; `codes` are each thing's values of `kinds`, which are counted."""
    columns = [*zip(*codes, strict=True)] or [()] * len(kinds)
    return tuple(
        Facet(
            kind.name,
            kind.title,
            tuple(FacetValue(label, column.count(at)) for at, label in enumerate(kind.labels)),
        )
        for kind, column in zip(kinds, columns, strict=True)
    )


class Listing:
    """The rows of one list of a page, and the marks of their places in the text."""

    def __init__(self, kinds: Sequence[FacetKind]) -> None:
        self._kinds = kinds
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
    def facets(self) -> tuple[Facet, ...]:
        """The filters of the list."""
        return facets(self._kinds, (row.facets for row in self.rows))


def in_text_order(marks: Iterable[Mark]) -> list[Mark]:
    """Return `marks` by their places in the text."""
    return sorted(marks, key=lambda mark: (mark.start, mark.end, mark.number))

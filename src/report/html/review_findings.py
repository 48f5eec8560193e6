"""List of a review's findings on its page: first the standing ones, then the rejected ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

from ...base.vocabulary import Severity
from ...redteam.model import Lens
from ...review.types import DefenceOutcome
from ..review_report import ReportedFinding, ReviewReport
from .charts import segments_chart
from .details import Details, Links, Notes
from .marking import MarkPlaces
from .model import (
    SEVERITIES,
    Chart,
    Facet,
    FacetCounts,
    FacetKind,
    FacetValue,
    Fact,
    Label,
    Mark,
    Name,
    Row,
    Tone,
    shortened,
    spaced,
)

SHOWN_KINDS = 20
"""Kinds of flaws with a choice of their own; a model names as many as it likes."""

UPHELD = Label("upheld", "●", Tone.BAD)
WEAKENED = Label("weakened by the defence", "◐", Tone.MIXED)
UNDEFENDED = Label("without a defence", "○", Tone.OPEN)
DOUBTED = Label("doubted by a smoke tester", "?", Tone.OPEN)
REFUTED = Label("refuted by the defence", "⊘", Tone.MUTED)
DROPPED = Label("dropped by the smoke test", "⊘", Tone.MUTED)
_STATES = (UPHELD, WEAKENED, UNDEFENDED, DOUBTED, REFUTED, DROPPED)
_FELL = (REFUTED, DROPPED)
_DEFENCE, _COMPILED, _SMOKE = (
    Label(name, "", Tone.MUTED) for name in ("1b, defence", "2, compiled", "3, smoke test")
)
_PHASES = (_DEFENCE, _COMPILED, _SMOKE)
_FINDERS = tuple(Label(name, "", Tone.MUTED) for name in ("rules", "the reviewer"))
_SEVERITIES, _LENSES = tuple(SEVERITIES), tuple(Lens)
_SHOWN = (*SEVERITIES.values(), *_FELL)
_NOUN = "Finding"


def _plain(name: str) -> Label:
    return Label(spaced(name), "", Tone.MUTED)


_FACETS = (
    FacetKind("severity", "Severity", tuple(SEVERITIES.values())),
    FacetKind("lens", "Lens", tuple(map(_plain, _LENSES))),
    FacetKind("state", "State", _STATES),
    FacetKind("phase", "Phase reached", _PHASES),
    FacetKind("by", "Found by", _FINDERS),
)
"""Facets of the findings, except the kinds of flaws, which are only known after the first pass."""


class ReviewFindings:
    """The findings of `report`, numbered from 1; they are read while the page is written.

    `numbers` are those on the page, by the numbers of the review, of the findings that have one.
    """

    def __init__(self, report: ReviewReport) -> None:
        self._report = report
        self._tested = report.smoke_tested
        self._kinds = Counter[str]()
        self._counts = FacetCounts(_FACETS)
        self._standing = Counter[tuple[Lens, Severity]]()
        self._places = MarkPlaces()
        self._names: list[str] = []
        self.numbers: dict[str, int] = {}
        for number, (one, state, name) in enumerate(self._all(), start=1):
            self._count(number, one, state, name)
        self._shown_kinds = [name for name, _ in self._kinds.most_common(SHOWN_KINDS)]

    def _count(self, number: int, one: ReportedFinding, state: Label, name: str) -> None:
        if one.number:
            self.numbers[one.number] = number
        if state not in _FELL:
            self._standing[one.lens, one.severity] += 1
        self._kinds[one.issue] += 1
        self._counts.add(self._codes(one, state))
        shown = state if state in _FELL else SEVERITIES[one.severity]
        self._places.add(one.place.start, one.place.end, _SHOWN.index(shown))
        self._names.append(name)

    def _all(self) -> Iterator[tuple[ReportedFinding, Label, str]]:
        """Each finding with its state and its mark."""
        for one in self._report.findings:
            yield one, _state(one), one.number
        for one in self._report.dropped:
            yield one, DROPPED, one.number
        for at, one in enumerate(self._report.killed, start=1):
            # What was refuted got no number in the review.
            yield one, REFUTED, f"K-{at}"

    @property
    def count(self) -> int:
        """Number of findings, with the rejected ones."""
        return len(self._names)

    @property
    def facets(self) -> tuple[Facet, ...]:
        """The filters."""
        values = [FacetValue(_plain(name), self._kinds[name]) for name in self._shown_kinds]
        if rest := self._kinds.total() - sum(one.count for one in values):
            values.append(FacetValue(_plain("others"), rest))
        severity, lens, *others = self._counts.facets
        return (severity, lens, Facet("kind", "Kind of flaw", tuple(values)), *others)

    def chart(self) -> Chart | None:
        """Chart the standing findings by lens and severity; None without any."""
        bars = [
            (lens.value, [(SEVERITIES[each], self._standing[lens, each]) for each in _SEVERITIES])
            for lens in Lens
        ]
        return segments_chart("findings", "Findings by lens and severity", bars)

    def marks(self) -> Iterator[Mark]:
        """Yield the marks of the standing findings, in order of the text."""
        for start, end, number, shown in self._places.in_order():
            name = Name(_NOUN, self._names[number - 1])
            yield Mark(number, start, end, name, _SHOWN[shown])

    def rows(self, claims: Mapping[str, Sequence[int]]) -> Iterator[tuple[Row, Details]]:
        """Yield each finding's row with its details.

        `claims` are the numbers of those that are about the same, by the number of the finding.
        """
        kinds = {name: at for at, name in enumerate(self._shown_kinds)}
        for number, (one, state, mark) in enumerate(self._all(), start=1):
            name = Name(_NOUN, mark)
            severity = SEVERITIES[one.severity]
            labels = (severity,) if state is UPHELD else (severity, state)
            text = f"{spaced(one.issue)}: {one.problem} “{shortened(one.quote)}”"
            severity_code, lens_code, *others = self._codes(one, state)
            codes = (severity_code, lens_code, kinds.get(one.issue, SHOWN_KINDS), *others)
            row = Row(number, mark, name, labels, text, one.place.where, codes)
            yield row, self._details(one, name, labels, claims.get(one.number, ()))

    def _codes(self, one: ReportedFinding, state: Label) -> tuple[int, ...]:
        """Its choice of each of `_FACETS`, by index."""
        return (
            _SEVERITIES.index(one.severity),
            _LENSES.index(one.lens),
            _STATES.index(state),
            _PHASES.index(self._phase(state)),
            int(not one.by_rules),
        )

    def _phase(self, state: Label) -> Label:
        if state is REFUTED:
            return _DEFENCE
        return _SMOKE if self._tested else _COMPILED

    def _details(
        self, one: ReportedFinding, name: Name, labels: tuple[Label, ...], claims: Sequence[int]
    ) -> Details:
        return Details(
            name,
            labels,
            one.problem,
            one.place.where,
            spaced(one.issue),
            quote=one.quote,
            facts=(
                Fact("lens", one.lens),
                Fact("found by", "rules" if one.by_rules else "the reviewer"),
                Fact("found", f"{one.merged + 1} times at this place" if one.merged else ""),
                Fact("sealed as", one.sha256),
            ),
            notes=(
                Notes("Defence", _defence(one)),
                Notes("Smoke test", (self._smoke(one),)),
            ),
            links=(Links("Looked up outside, to be read after the findings", tuple(claims)),),
        )

    def _smoke(self, one: ReportedFinding) -> str:
        if one.reason:
            return f"dropped: {one.reason}"
        if one.doubt:
            return f"its words stand where it says; a tester doubts it: {one.doubt}"
        if not one.number:
            return "not put to it: the defence had refuted the finding"
        if not self._tested:
            return "not put to it yet"
        return "passed: its words stand in the document where it says"


def _state(one: ReportedFinding) -> Label:
    """Return the state of a finding that was neither refuted nor dropped."""
    if one.doubt:
        return DOUBTED
    if one.defence is None:
        return UNDEFENDED
    match one.defence.outcome:
        case DefenceOutcome.WEAKENED:
            return WEAKENED
        case DefenceOutcome.SURVIVED:
            return UPHELD
        case DefenceOutcome.KILLED:
            return REFUTED
        case _:
            assert_never(one.defence.outcome)


def _defence(one: ReportedFinding) -> tuple[str, ...]:
    if one.defence is None:
        return ("none was given",)
    words = (f"the document's words: “{one.defence.quote}”",) if one.defence.quote else ()
    return (f"{one.defence.outcome}: {one.defence.argument}", *words)

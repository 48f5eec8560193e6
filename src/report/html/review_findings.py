"""The findings of a review as its page lists them: those that stand, then those that fell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import assert_never

from ...core.review_types import DefenceOutcome
from ...redteam.model import Lens
from ..review_report import ReportedFinding, ReviewReport
from .charts import segments_chart
from .details import Details, Links, Notes
from .facets import FacetCounts, FacetKind
from .listed import Listed, found_by, marked
from .model import SEVERITIES, Chart, Facet, Fact, Label, Name, Row, Tone, shortened, spaced

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


class ReviewFindings:
    """The findings of `report`, numbered from 1.

    Args:
        report: The review.
        claims: The numbers of the claims that are about the same, by the number of the finding.
    """

    def __init__(self, report: ReviewReport, claims: Mapping[str, Sequence[int]]) -> None:
        self._tested = report.smoke_tested
        self._claims = claims
        self._all = [
            *((one, _state(one)) for one in report.findings),
            *((one, DROPPED) for one in report.dropped),
            *((one, REFUTED) for one in report.killed),
        ]
        kinds = Counter(one.issue for one, _ in self._all)
        self._kinds = [name for name, _ in kinds.most_common(SHOWN_KINDS)]
        self._counts = FacetCounts(self._facet_kinds(more=len(kinds) > SHOWN_KINDS))
        self.items = tuple(self._items())

    @property
    def facets(self) -> tuple[Facet, ...]:
        """The filters."""
        return self._counts.facets

    def chart(self) -> Chart | None:
        """The findings that stand, by lens and severity; None without any."""
        standing = Counter(
            (one.lens, one.severity) for one, state in self._all if state not in _FELL
        )
        bars = [
            (lens.value, [(SEVERITIES[each], standing[lens, each]) for each in _SEVERITIES])
            for lens in Lens
        ]
        return segments_chart("findings", "Findings by lens and severity", bars)

    def _facet_kinds(self, *, more: bool) -> tuple[FacetKind, ...]:
        def plain(names: Sequence[str]) -> tuple[Label, ...]:
            return tuple(Label(spaced(name), "", Tone.MUTED) for name in names)

        return (
            FacetKind("severity", "Severity", tuple(SEVERITIES.values())),
            FacetKind("lens", "Lens", plain(_LENSES)),
            FacetKind("kind", "Kind of flaw", plain([*self._kinds, *(["others"] * more)])),
            FacetKind("state", "State", _STATES),
            FacetKind("phase", "Phase reached", _PHASES),
            FacetKind("by", "Found by", _FINDERS),
        )

    def _codes(self, one: ReportedFinding, state: Label) -> tuple[int, ...]:
        kind = self._kinds.index(one.issue) if one.issue in self._kinds else SHOWN_KINDS
        return (
            _SEVERITIES.index(one.severity),
            _LENSES.index(one.lens),
            kind,
            _STATES.index(state),
            _PHASES.index(self._phase(state)),
            int(not one.by_rules),
        )

    def _phase(self, state: Label) -> Label:
        if state is REFUTED:
            return _DEFENCE
        return _SMOKE if self._tested else _COMPILED

    def _items(self) -> Iterator[Listed]:
        killed = 0
        for number, (one, state) in enumerate(self._all, start=1):
            # What was refuted got no number in the review.
            killed += state is REFUTED
            name = Name("Finding", one.number or f"K-{killed}")
            codes = self._codes(one, state)
            self._counts.add(codes)
            severity = SEVERITIES[one.severity]
            shown = state if state in _FELL else severity
            labels = (severity,) if state is UPHELD else (severity, state)
            text = f"{spaced(one.issue)}: {one.problem} “{shortened(one.quote)}”"
            row = Row(number, str(name.mark), name, labels, text, one.place.where, codes)
            details = partial(self._details, one, name, labels)
            yield Listed(row, details, marked(number, one.place, name, shown))

    def _details(self, one: ReportedFinding, name: Name, labels: tuple[Label, ...]) -> Details:
        return Details(
            name,
            labels,
            one.problem,
            one.place.where,
            spaced(one.issue),
            quote=one.quote,
            facts=(
                Fact("lens", one.lens),
                Fact("found by", found_by("the reviewer", by_rules=one.by_rules)),
                Fact("found", f"{one.merged + 1} times at this place" if one.merged else ""),
                Fact("sealed as", one.sha256),
            ),
            notes=(
                Notes("Defence", _defence(one)),
                Notes("Smoke test", (self._smoke(one),)),
            ),
            links=(
                Links(
                    "Looked up outside, to be read after the findings",
                    tuple(self._claims.get(one.number, ())),
                ),
            ),
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
    """How a finding stands that was neither refuted nor dropped."""
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

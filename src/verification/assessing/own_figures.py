"""Findings against a document's claims from its own figures."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from ...base.finding import Correction, Finding, Location, finding_id
from ...base.vocabulary import IssueType, Verdict
from ...claims.arithmetic.calculation import Calculation, figure
from ...claims.arithmetic.checks import CheckedSum, check_arithmetic
from ...claims.arithmetic.chronology import find_misdated
from ...claims.arithmetic.consistency import find_values
from ...claims.arithmetic.contradiction import Contradiction, ContradictionKind
from ...claims.arithmetic.figures import Place, read_figures
from ...claims.model import Claim
from ...documents.model import Document
from ..assessing import issues
from ..model import ClaimAssessment
from ..registry import Registry
from ..source_index import reads_english

_QUOTED = 160
_ONE_VALUE = (ContradictionKind.VALUE, ContradictionKind.GROUP)
_STANDS = (Verdict.SUPPORTED, Verdict.NOT_CHECKABLE)


def with_own_figures(
    document: Document,
    claims: Sequence[Claim],
    assessments: Sequence[ClaimAssessment],
    registry: Registry,
) -> tuple[ClaimAssessment, ...]:
    """The assessments, with a finding for each claim that the document's own figures contradict.

    `assessments` are those of `claims`, in the same order. A claim whose sum does not come out, or
    that disagrees with another place, is contradicted unless its source supports it. A result that
    follows from figures before it needs no source of its own. Any of the figures may be the wrong
    one: a correction is offered only for a value that no source bears out, to that of another place
    which its source does bear out. Only English is read (decision 28).
    """
    if not reads_english(document.language):
        return tuple(assessments)
    figures = read_figures(document, registry.lexicon)
    desk = _OwnFigures(document, claims, assessments, registry)
    for one in check_arithmetic(document, figures, registry.lexicon):
        desk.weigh_sum(one)
    words = registry.consistency
    for contradiction in (
        *find_values(document, figures, registry.lexicon, words),
        *find_misdated(document, figures),
    ):
        desk.weigh_contradiction(contradiction)
    return tuple(desk.assessments)


class _OwnFigures:
    """Puts findings to the claims at whose place they are; the first one of a type stands."""

    def __init__(
        self,
        document: Document,
        claims: Sequence[Claim],
        assessments: Sequence[ClaimAssessment],
        registry: Registry,
    ) -> None:
        self._document = document
        self._claims = claims
        self._starts = [claim.location.start for claim in claims]
        self._policy = registry.severity
        self.assessments = list(assessments)

    def weigh_sum(self, one: CheckedSum) -> None:
        """A result, worked again."""
        at = self._claim_at(one.location.start)
        if at is None:
            return
        calculation = one.calculation
        if one.operands:
            self._needs_no_source(at, calculation)
        if not calculation.agrees:
            claim = self._claims[at]
            severity = self._policy.of_number(_change(calculation), load_bearing=claim.load_bearing)
            found = issues.finding(
                claim,
                IssueType.ARITHMETIC,
                severity,
                "the text's own figures come to something else",
                evidence=_working(calculation) + _lines(one.operands, one.location),
                recommendation="correct the result, or the figures that it rests on",
            )
            self._raise(at, found, [place.location for place in one.operands])
            self._contradict(at, found)

    def weigh_contradiction(self, one: Contradiction) -> None:
        """Two places that disagree, or one that is wrong by itself."""
        here, there = one.here, one.there
        at = self._claim_at(here.location.start)
        other = self._claim_at(there.location.start) if there else None
        if there and other is not None and (at is None or self._is_borne_out(at, other)):
            here, there, at, other = there, here, other, at
        if at is None:
            self._note(one, here)
            return
        found = issues.finding(
            self._claims[at],
            IssueType.INTERNAL_CONTRADICTION,
            self._policy.internal_contradiction,
            _PROBLEMS[one.kind],
            evidence="; ".join((one.working, *self._quotes(here, there))),
            recommendation=_advice(here, there),
        )
        if there and other is not None and one.kind in _ONE_VALUE and self._is_borne_out(other, at):
            found = replace(found, correction=_replacing(here, there))
        self._raise(at, found, [there.location] if there else [])
        self._contradict(at, found)

    def _note(self, one: Contradiction, here: Place) -> None:
        """A finding against words that make no claim; the nearest claim before them carries it."""
        if not self._claims:
            return
        at = max(0, bisect.bisect_right(self._starts, here.location.start) - 1)
        text = self._document.sentences[here.sentence].text
        found = Finding(
            finding_id(IssueType.INTERNAL_CONTRADICTION, text),
            self._policy.internal_contradiction,
            IssueType.INTERNAL_CONTRADICTION,
            text,
            _PROBLEMS[one.kind],
            origin=issues.ENGINE,
            location=here.location,
            evidence=one.working,
            recommendation=_advice(here, one.there),
        )
        self._raise(at, found, [one.there.location] if one.there else [])

    def _is_borne_out(self, at: int, other: int) -> bool:
        """Whether a source supports the one claim and not the other, which then is in doubt."""
        supported = [self.assessments[one].verdict is Verdict.SUPPORTED for one in (at, other)]
        return supported == [True, False]

    def _quotes(self, here: Place, there: Place | None) -> Iterator[str]:
        for place in (here, there):
            if place is not None:
                text = self._document.sentences[place.sentence].text
                yield f"line {place.location.line}: {_around(text, place.text)}"

    def _raise(self, at: int, finding: Finding, related: Iterable[Location]) -> None:
        assessment = self.assessments[at]
        if any(finding.id == found.id for found in assessment.findings):
            return
        finding = replace(finding, related=tuple(related))
        self.assessments[at] = replace(assessment, findings=(*assessment.findings, finding))

    def _contradict(self, at: int, finding: Finding) -> None:
        """The claim is contradicted, unless a source bears it out."""
        if self.assessments[at].verdict not in _STANDS:
            reason = f"the document contradicts itself: {finding.evidence}"
            self.assessments[at] = replace(
                self.assessments[at], verdict=Verdict.CONTRADICTED, reason=reason, decided=True
            )

    def _needs_no_source(self, at: int, calculation: Calculation) -> None:
        """A result that is reckoned from the text is no statement without a source."""
        assessment = self.assessments[at]
        kept = tuple(one for one in assessment.findings if one.type is not IssueType.UNSOURCED)
        if len(kept) < len(assessment.findings) and len(self._claims[at].quantities) == 1:
            reason = f"it follows from the document's own figures: {calculation.working}"
            self.assessments[at] = replace(assessment, findings=kept, reason=reason)

    def _claim_at(self, offset: int) -> int | None:
        """The last claim that covers `offset`; a relative clause stands inside another claim."""
        last = bisect.bisect_right(self._starts, offset) - 1
        for at in range(last, -1, -1):
            if offset < self._claims[at].location.end:
                return at
            if self._claims[at].sentence != self._claims[last].sentence:
                break
        return None


_PROBLEMS = {
    ContradictionKind.VALUE: "the document states another value elsewhere",
    ContradictionKind.DATE: "the document gives another date elsewhere",
    ContradictionKind.GROUP: "the document gives another number elsewhere",
    ContradictionKind.ORDER: "the dates do not fit together",
    ContradictionKind.WEEKDAY: "the date was another day of the week",
    ContradictionKind.AGE: "the age does not fit the dates",
}


def _replacing(here: Place, there: Place) -> Correction:
    return Correction(here.location.start, here.location.end, there.text)


def _advice(here: Place, there: Place | None) -> str:
    if there is None or there.location.line == here.location.line:
        return "correct whichever of the two is wrong"
    lines = f"lines {there.location.line} and {here.location.line}"
    return f"find out which is right, and make {lines} agree"


def _working(calculation: Calculation) -> str:
    return f"{calculation.working}; the text says {figure(calculation.stated)}"


def _lines(operands: Sequence[Place], location: Location) -> str:
    """Where the figures of a sum stand, if not in its own line."""
    lines = sorted({place.location.line for place in operands} - {location.line})
    told = ", ".join(map(str, lines))
    return f" (figures of line{'s' if len(lines) > 1 else ''} {told})" if lines else ""


def _around(text: str, part: str) -> str:
    """The words of `text` round `part`, in quotation marks."""
    at = max(0, text.find(part))
    start = max(0, at - _QUOTED // 2)
    end = min(len(text), start + _QUOTED)
    return f"“{'…' if start else ''}{text[start:end].strip()}{'…' if end < len(text) else ''}”"


def _change(calculation: Calculation) -> float | None:
    """How far the stated result is off, relative to the computed one."""
    if not calculation.computed:
        return None
    return float(Fraction(calculation.stated - calculation.computed) / calculation.computed)

"""Lists of a review's page: its findings, and the claims of its appendix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from ...base.vocabulary import Drift, Severity
from ...redteam.model import Lens
from ...review.types import CrossRow, DefenceOutcome, WebResult, WebSource, WebVerdict
from ...sources.scoring.appraisal import SourceRating
from ..review_markdown import DRIFTS
from ..review_report import Appendix, CheckedClaim, ReportedClaim, ReportedFinding, ReviewReport
from ..wording import shortened, spaced
from .details import BEST_TIERS, Json, Quotes, best_tier, details_json
from .model import (
    NOT_APPLICABLE,
    SEVERITIES,
    Chart,
    Facet,
    Label,
    Listing,
    Name,
    Row,
    Tone,
    plain_labels,
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
_REJECTED = (REFUTED, DROPPED)
_DEFENDED: Mapping[DefenceOutcome, Label] = {
    DefenceOutcome.SURVIVED: UPHELD,
    DefenceOutcome.WEAKENED: WEAKENED,
    DefenceOutcome.KILLED: REFUTED,
}
_SEVERITIES, _LENSES = tuple(SEVERITIES), tuple(Lens)


class ReviewFindings(Listing):
    """The findings of `report`, numbered from 1: first the standing ones, then the rejected ones.

    `numbers` are those on the page, by the numbers of the review, of the findings that have one.
    """

    def __init__(self, report: ReviewReport) -> None:
        self._tested = report.smoke_tested
        self._findings = (*report.findings, *report.dropped, *report.killed)
        states = (*map(_state, report.findings), *(DROPPED for _ in report.dropped))
        self._states = (*states, *(REFUTED for _ in report.killed))
        common = Counter(one.issue for one in self._findings).most_common(SHOWN_KINDS)
        self._kinds = [name for name, _ in common]
        super().__init__(
            (
                Facet("Severity", tuple(SEVERITIES.values())),
                Facet("Lens", plain_labels(_LENSES)),
                Facet("Kind of flaw", plain_labels((*self._kinds, "others"))),
                Facet("State", _STATES),
                Facet("Found by", plain_labels(("rules", "the reviewer"))),
            )
        )
        before = len(report.findings) + len(report.dropped)
        for number, (one, state) in enumerate(
            zip(self._findings, self._states, strict=True), start=1
        ):
            # What was refuted got no number in the review.
            mark = f"K-{number - before}" if state is REFUTED and number > before else one.number
            self._list(number, mark, one, state)
        numbered = enumerate(self._findings, start=1)
        self.numbers = {one.number: number for number, one in numbered if one.number}

    def _list(self, number: int, mark: str, one: ReportedFinding, state: Label) -> None:
        severity = SEVERITIES[one.severity]
        kind = self._kinds.index(one.issue) if one.issue in self._kinds else len(self._kinds)
        row = Row(
            number,
            mark,
            Name("Finding", mark),
            (severity,) if state is UPHELD else (severity, state),
            f"{spaced(one.issue)}: {one.problem} “{shortened(one.quote)}”",
            one.place.where,
            (
                _SEVERITIES.index(one.severity),
                _LENSES.index(one.lens),
                kind,
                _STATES.index(state),
                int(not one.by_rules),
            ),
        )
        label = state if state in _REJECTED else severity
        self.add(row, (one.place.start, one.place.end), label)

    def chart(self) -> Chart:
        """Chart the standing findings by lens and severity."""
        standing = Counter[tuple[Lens, Severity]](
            (one.lens, one.severity)
            for one, state in zip(self._findings, self._states, strict=True)
            if state not in _REJECTED
        )
        bars = [
            (lens.value, [(SEVERITIES[each], standing[lens, each]) for each in _SEVERITIES])
            for lens in Lens
        ]
        return Chart("findings", "Findings by lens and severity", bars)

    def detailed(self, claims: Mapping[str, Sequence[int]]) -> Iterator[tuple[Row, Json]]:
        """Yield each finding's row with its details.

        `claims` are the numbers of those that are about the same, by the number of the finding.
        """
        for row, one in zip(self.rows, self._findings, strict=True):
            about = claims.get(one.number, ())
            yield (
                row,
                details_json(
                    row,
                    one.place.where,
                    spaced(one.issue),
                    text=one.problem,
                    quote=one.quote,
                    facts={
                        "lens": one.lens,
                        "found by": _found_by(one),
                        "found": f"{one.merged + 1} times at this place" if one.merged else "",
                        "sealed as": one.sha256,
                    },
                    notes={"Defence": _defence(one), "Smoke test": [self._smoke(one)]},
                    links={"Looked up outside, to be read after the findings": about},
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


def _found_by(one: ReportedFinding) -> str:
    return "rules" if one.by_rules else "the reviewer"


def _state(one: ReportedFinding) -> Label:
    """Return the state of a finding that was neither refuted nor dropped."""
    if one.doubt:
        return DOUBTED
    if one.defence is None:
        return UNDEFENDED
    return _DEFENDED[one.defence.outcome]


def _defence(one: ReportedFinding) -> list[str]:
    if one.defence is None:
        return ["none was given"]
    words = [f"the document's words: “{one.defence.quote}”"] if one.defence.quote else []
    return [f"{one.defence.outcome}: {one.defence.argument}", *words]


# --- the claims of the appendix ------------------------------------------------------------------

WEB_VERDICTS: Mapping[WebVerdict, Label] = {
    WebVerdict.CONFIRMED: Label("confirmed", "✓", Tone.GOOD),
    WebVerdict.CONTRADICTED: Label("contradicted", "✗", Tone.BAD),
    WebVerdict.DISPUTED: Label("disputed", "⇄", Tone.MIXED),
    WebVerdict.UNVERIFIABLE: Label("unverifiable", "?", Tone.OPEN),
}
BACKGROUND = Label("background, not looked up", "○", Tone.MUTED)
FAILED = Label("failed its smoke test", "⊘", Tone.MUTED)
CAUGHT: Mapping[bool | None, str] = {True: "yes", False: "no", None: "nothing to flag"}
_VERDICTS = (*WEB_VERDICTS.values(), BACKGROUND, FAILED)
_Listed: TypeAlias = tuple[ReportedClaim, Label, CheckedClaim | None]
_CLAIM_FACETS = (
    Facet("Verdict", _VERDICTS),
    Facet("Flagged by the review", plain_labels(CAUGHT.values())),
    Facet("Best source tier", BEST_TIERS),
)


class ReviewClaims(Listing):
    """The claims of an appendix: looked up, background, failed.

    `numbers` are those of the claims that were looked up, by their ids; they count from 1.

    Args:
        appendix: What was found outside.
        after: How many findings are before the claims on the page.
        ratings: The scores of the sources by address.
    """

    def __init__(self, appendix: Appendix, after: int, ratings: Mapping[str, SourceRating]) -> None:
        cross = appendix.cross_reference
        self._beside = {row.claim_id: row for row in (cross.rows if cross else ())}
        self._ratings = ratings
        self.numbers = {one.claim.id: one.number for one in appendix.checked}
        self._claims: tuple[_Listed, ...] = (
            *((one.claim, WEB_VERDICTS[one.result.verdict], one) for one in appendix.checked),
            *((one, BACKGROUND, None) for one in appendix.not_verified),
            *((one, FAILED, None) for one in appendix.failed),
        )
        super().__init__(_CLAIM_FACETS)
        for at, (claim, label, checked) in enumerate(self._claims, start=1):
            name, place = Name("Claim", str(at)), claim.place
            codes = self._codes(claim, label, checked)
            row = Row(after + at, claim.id, name, (label,), claim.statement, place.where, codes)
            self.add(row, (place.start, place.end), label, outside=True)

    def _codes(
        self, claim: ReportedClaim, label: Label, checked: CheckedClaim | None
    ) -> tuple[int, ...]:
        """Its choice of each of `_CLAIM_FACETS`, by index."""
        row = self._beside.get(claim.id)
        caught = [*CAUGHT].index(row.red_caught) if row else NOT_APPLICABLE
        if checked is None:
            return _VERDICTS.index(label), caught, NOT_APPLICABLE
        evidence = (each.evidence for each in checked.result.sources)
        return _VERDICTS.index(label), caught, best_tier(evidence, self._ratings)

    def chart(self) -> Chart:
        """The claims by verdict."""
        counts = Counter(label for _, label, _ in self._claims)
        looked_up = [(label, counts[label]) for label in WEB_VERDICTS.values()]
        left = [(label, counts[label]) for label in (BACKGROUND, FAILED)]
        bars = [("Looked up", looked_up), ("Not looked up", left)]
        shown = [bar for bar in bars if any(count for _, count in bar[1])]
        return Chart("web", "Claims by verdict", shown)

    def detailed(self, findings: Mapping[str, int], quotes: Quotes) -> Iterator[tuple[Row, Json]]:
        """Yield each claim's row with its details.

        Args:
            findings: The numbers of the findings on the page by those of the review.
            quotes: Makes the details of evidence.
        """
        for row, (claim, label, checked) in zip(self.rows, self._claims, strict=True):
            beside = self._beside.get(claim.id)
            about = [findings[each] for each in (beside.findings if beside else ())]
            if checked is not None:
                yield row, _looked_up(row, checked, beside, quotes, about)
            else:
                why = claim.reason if label is FAILED else "the document does not rest on it"
                facts, where = _facts(claim), claim.place.where
                yield row, details_json(row, where, why, quote=claim.quote, facts=facts)


def _looked_up(
    row: Row, one: CheckedClaim, beside: CrossRow | None, quotes: Quotes, about: Sequence[int]
) -> Json:
    """Return the details of a claim that was looked up."""
    result = one.result
    drift = "" if result.drift is Drift.UNKNOWN else result.drift
    return details_json(
        row,
        one.claim.place.where,
        result.reason,
        quote=one.claim.quote,
        facts={
            **_facts(one.claim),
            "the source has": result.found,
            "drift": DRIFTS.get(result.drift, drift),
        },
        evidence=[quotes.json(each.evidence, _source_notes(each)) for each in result.sources],
        notes={
            "In time": [result.temporal_note] if result.temporal_note else [],
            "Beside the review": [*_beside_notes(beside, result)],
        },
        links={"Findings of the review about it": about},
    )


def _source_notes(source: WebSource) -> Iterable[str]:
    if source.tier:
        yield source.tier
    if source.dated:
        yield f"of {source.dated.isoformat()}"
    if source.circular:
        cited = f"the document's citation {source.citation}" if source.citation else "cited"
        yield f"circular: it is {cited}, or taken from what the document cites"
    else:
        yield "independent of the document"


def _facts(claim: ReportedClaim) -> dict[str, str]:
    return {
        "about": claim.topic,
        "weight": claim.materiality.lower(),
        "time": claim.temporality.lower(),
        "voice": claim.polarity.lower(),
        "found by": "rules" if claim.by_rules else "the extractor",
    }


def _beside_notes(row: CrossRow | None, result: WebResult) -> Iterator[str]:
    """Yield notes on the review's findings about the claim, and on circular confirmation."""
    if result.circular:
        yield "this confirms the document's source, not the underlying fact"
    if row is not None and row.red_caught is not None:
        yield f"the review had {'' if row.red_caught else 'not '}flagged it"

"""The claims of a review's appendix as its page lists them: looked up, background, failed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TypeAlias

from ...base.vocabulary import Drift
from ...claims.model import ClaimTopic, Materiality, Polarity, Temporality
from ...review.cross_reference import CrossRow
from ...review.types import WebResult, WebSource, WebVerdict
from ...sources.scoring.appraisal import SourceRating
from ..review_markdown import DRIFTS
from ..review_report import Appendix, CheckedClaim, ReportedClaim
from .charts import segments_chart
from .details import Details, EvidenceView, EvidenceViews, Links, Notes
from .lazy_records import KeyedRecords
from .marking import MarkPlaces
from .model import (
    NOT_APPLICABLE,
    Chart,
    Facet,
    FacetCounts,
    FacetKind,
    Fact,
    Label,
    Mark,
    Name,
    Row,
    Tone,
)
from .source_cards import BEST_TIERS, best_tier

WEB_VERDICTS: Mapping[WebVerdict, Label] = MappingProxyType(
    {
        WebVerdict.CONFIRMED: Label("confirmed", "✓", Tone.GOOD),
        WebVerdict.CONTRADICTED: Label("contradicted", "✗", Tone.BAD),
        WebVerdict.DISPUTED: Label("disputed", "⇄", Tone.MIXED),
        WebVerdict.UNVERIFIABLE: Label("unverifiable", "?", Tone.OPEN),
    }
)
BACKGROUND = Label("background, not looked up", "○", Tone.MUTED)
FAILED = Label("failed its smoke test", "⊘", Tone.MUTED)
CAUGHT: Mapping[bool | None, str] = MappingProxyType(
    {True: "yes", False: "no", None: "nothing to flag"}
)
_VERDICTS = (*WEB_VERDICTS.values(), BACKGROUND, FAILED)
_TOPICS, _WEIGHTS = tuple(ClaimTopic), tuple(Materiality)
_TIMES, _VOICES = tuple(Temporality), tuple(Polarity)
_Listed: TypeAlias = tuple[ReportedClaim, Label, CheckedClaim | None, CrossRow | None]


def _plain(*names: str) -> tuple[Label, ...]:
    return tuple(Label(name.lower(), "", Tone.MUTED) for name in names)


_FACETS = (
    FacetKind("verdict", "Verdict", _VERDICTS),
    FacetKind("phase", "Phase reached", _plain("4a-v, smoke test", "4b, looked up")),
    FacetKind("caught", "Flagged by the review", _plain(*CAUGHT.values())),
    FacetKind("source", "Best source tier", BEST_TIERS),
    FacetKind("topic", "About", _plain(*_TOPICS)),
    FacetKind("weight", "Weight", _plain(*_WEIGHTS)),
    FacetKind("time", "Time", _plain(*_TIMES)),
    FacetKind("voice", "Voice", _plain(*_VOICES)),
)


class ReviewClaims:
    """The claims of `appendix`; they are read while the page is written.

    `numbers` are those of the claims that were looked up, by their ids; they count from 1.

    Args:
        appendix: What was found outside.
        after: How many findings are before the claims on the page.
        ratings: The scores of the sources by address.
    """

    def __init__(self, appendix: Appendix, after: int, ratings: Mapping[str, SourceRating]) -> None:
        self._appendix = appendix
        self._after = after
        self._ratings = ratings
        self._counts = FacetCounts(_FACETS)
        self._verdicts = Counter[Label]()
        self._places = MarkPlaces(after + 1)
        self.numbers: dict[str, int] = {}
        self.count = 0
        for claim, label, checked, row in self._all():
            self.count += 1
            if checked is not None:
                self.numbers[claim.id] = checked.number
            self._verdicts[label] += 1
            self._counts.add(self._codes(claim, label, checked, row))
            self._places.add(claim.place.start, claim.place.end, _VERDICTS.index(label))

    def _all(self) -> Iterator[_Listed]:
        """Each claim with its label, and what was found for it if it was looked up."""
        cross = self._appendix.cross_reference
        beside = KeyedRecords((row.claim_id, row) for row in (cross.rows if cross else ()))
        for one in self._appendix.checked:
            label = WEB_VERDICTS[one.result.verdict]
            yield one.claim, label, one, beside.take(one.claim.id)
        for claim in self._appendix.not_verified:
            yield claim, BACKGROUND, None, None
        for claim in self._appendix.failed:
            yield claim, FAILED, None, None

    @property
    def facets(self) -> tuple[Facet, ...]:
        """The filters."""
        return self._counts.facets

    def chart(self) -> Chart | None:
        """The claims by verdict; None without any."""
        bars = [
            (title, [(label, self._verdicts[label]) for label in labels])
            for title, labels in (
                ("Looked up", WEB_VERDICTS.values()),
                ("Not looked up", (BACKGROUND, FAILED)),
            )
        ]
        shown = [bar for bar in bars if any(count for _, count in bar[1])]
        return segments_chart("web", "Claims by verdict", shown)

    def marks(self) -> Iterator[Mark]:
        """Yield the marks of the claims in the text, in order."""
        for start, end, number, verdict in self._places.in_order():
            yield Mark(number, start, end, self._name(number), _VERDICTS[verdict], outside=True)

    def rows(
        self, findings: Mapping[str, int], views: EvidenceViews
    ) -> Iterator[tuple[Row, Details]]:
        """Yield each claim's row with its details.

        Args:
            findings: The numbers of the findings on the page by those of the review.
            views: Makes views of evidence.
        """
        for number, (claim, label, checked, row) in enumerate(self._all(), start=self._after + 1):
            name = self._name(number)
            codes = self._codes(claim, label, checked, row)
            where = claim.place.where
            shown = Row(number, claim.id, name, (label,), claim.statement, where, codes)
            if checked is None:
                yield shown, _left_details(claim, name, label)
            else:
                about = tuple(findings[each] for each in (row.findings if row else ()))
                links = Links("Findings of the review about it", about)
                yield shown, _found(checked, row, name, label, views, links)

    def _name(self, number: int) -> Name:
        return Name("Claim", str(number - self._after))

    def _codes(
        self, claim: ReportedClaim, label: Label, checked: CheckedClaim | None, row: CrossRow | None
    ) -> tuple[int, ...]:
        """Its choice of each of `_FACETS`, by index."""
        best = NOT_APPLICABLE
        if checked is not None:
            evidence = (each.evidence for each in checked.result.sources)
            best = best_tier(evidence, self._ratings)
        return (
            _VERDICTS.index(label),
            int(checked is not None),
            [*CAUGHT].index(row.red_caught) if row else NOT_APPLICABLE,
            best,
            _TOPICS.index(claim.topic),
            _WEIGHTS.index(claim.materiality),
            _TIMES.index(claim.temporality),
            _VOICES.index(claim.polarity),
        )


def _found(
    one: CheckedClaim,
    row: CrossRow | None,
    name: Name,
    label: Label,
    views: EvidenceViews,
    links: Links,
) -> Details:
    """Return the details of a claim that was looked up."""
    result = one.result
    facts = (
        Fact("the source has", result.found),
        Fact("drift", DRIFTS.get(result.drift, "") or _drift(result)),
    )
    return Details(
        name,
        (label,),
        one.claim.statement,
        one.claim.place.where,
        result.reason,
        quote=one.claim.quote,
        facts=(*_facts(one.claim), *facts),
        evidence=tuple(_evidence(each, views) for each in result.sources),
        notes=(
            Notes("In time", (result.temporal_note,) if result.temporal_note else ()),
            Notes("Beside the review", tuple(_beside(row, result))),
        ),
        links=(links,),
    )


def _evidence(source: WebSource, views: EvidenceViews) -> EvidenceView:
    notes = [source.tier] if source.tier else []
    if source.dated:
        notes.append(f"of {source.dated.isoformat()}")
    if source.circular:
        cited = f"the document's citation {source.citation}" if source.citation else "cited"
        notes.append(f"circular: it is {cited}, or taken from what the document cites")
    else:
        notes.append("independent of the document")
    return views.of(source.evidence, notes)


def _left_details(claim: ReportedClaim, name: Name, label: Label) -> Details:
    """Return the details of a claim that was not looked up."""
    return Details(
        name,
        (label,),
        claim.statement,
        claim.place.where,
        claim.reason if label is FAILED else "the document does not rest on it",
        quote=claim.quote,
        facts=_facts(claim),
    )


def _facts(claim: ReportedClaim) -> tuple[Fact, ...]:
    return (
        Fact("about", claim.topic),
        Fact("weight", claim.materiality.lower()),
        Fact("time", claim.temporality.lower()),
        Fact("voice", claim.polarity.lower()),
        Fact("found by", "rules" if claim.by_rules else "the extractor"),
    )


def _drift(result: WebResult) -> str:
    return "" if result.drift is Drift.UNKNOWN else result.drift


def _beside(row: CrossRow | None, result: WebResult) -> Iterator[str]:
    """Yield notes on the review's findings about the claim, and on circular confirmation."""
    if result.circular:
        yield "this confirms the document's source, not the underlying fact"
    if row is not None and row.red_caught is not None:
        yield f"the review had {'' if row.red_caught else 'not '}flagged it"

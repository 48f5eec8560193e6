"""The claims of a review's appendix as its page lists them: looked up, background, failed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import MappingProxyType

from ...base.vocabulary import Drift
from ...claims.model import ClaimTopic, Materiality, Polarity, Temporality
from ...core.review_types import WebResult, WebSource, WebVerdict
from ...review.cross_reference import CrossRow
from ...sources.scoring.appraisal import SourceRating
from ..review_markdown import DRIFTS
from ..review_report import Appendix, CheckedClaim, ReportedClaim
from .charts import segments_chart
from .details import Details, EvidenceView, EvidenceViews, Links, Notes
from .facets import FacetCounts, FacetKind
from .listed import Listed, found_by, marked
from .model import NOT_APPLICABLE, Chart, Facet, Fact, Label, Name, Row, Tone
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
    """The claims of `appendix`.

    Args:
        appendix: What was found outside.
        first: The number of the first claim; that of a finding is lower.
        findings: The numbers of the findings on the page by those of the review.
        ratings: The scores of the sources by address.
        views: Makes views of evidence.
    """

    def __init__(
        self,
        appendix: Appendix,
        first: int,
        findings: Mapping[str, int],
        ratings: Mapping[str, SourceRating],
        views: EvidenceViews,
    ) -> None:
        self._appendix = appendix
        self._first = first
        self._findings = findings
        self._ratings = ratings
        self._views = views
        cross = appendix.cross_reference
        self._beside = {row.claim_id: row for row in cross.rows} if cross else {}
        self._counts = FacetCounts(_FACETS)
        self.items = tuple(self._items())

    @property
    def facets(self) -> tuple[Facet, ...]:
        """The filters."""
        return self._counts.facets

    def chart(self) -> Chart | None:
        """The claims by verdict; None without any."""
        counts = Counter(one.result.verdict for one in self._appendix.checked)
        looked_up = [(label, counts[verdict]) for verdict, label in WEB_VERDICTS.items()]
        left = [
            (BACKGROUND, len(self._appendix.not_verified)),
            (FAILED, len(self._appendix.failed)),
        ]
        bars = [("Looked up", looked_up), ("Not looked up", left)]
        shown = [bar for bar in bars if any(count for _, count in bar[1])]
        return segments_chart("web", "Claims by verdict", shown)

    def _items(self) -> Iterator[Listed]:
        for number, one in enumerate(self._appendix.checked, start=self._first):
            yield self._looked_up(number, one)
        others = [
            *((one, BACKGROUND) for one in self._appendix.not_verified),
            *((one, FAILED) for one in self._appendix.failed),
        ]
        start = self._first + len(self._appendix.checked)
        for number, (claim, label) in enumerate(others, start=start):
            yield self._left_out(number, claim, label)

    def _looked_up(self, number: int, one: CheckedClaim) -> Listed:
        result, row = one.result, self._beside.get(one.claim.id)
        codes = (
            _VERDICTS.index(WEB_VERDICTS[result.verdict]),
            1,
            [*CAUGHT].index(row.red_caught) if row else NOT_APPLICABLE,
            best_tier((each.evidence for each in result.sources), self._ratings),
        )
        details = partial(self._found, one, row)
        return self._listed(number, one.claim, WEB_VERDICTS[result.verdict], codes, details)

    def _found(self, one: CheckedClaim, row: CrossRow | None, name: Name, label: Label) -> Details:
        """What a click shows of a claim that was looked up."""
        result = one.result
        about = tuple(self._findings[each] for each in (row.findings if row else ()))
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
            evidence=tuple(map(self._evidence, result.sources)),
            notes=(
                Notes("In time", (result.temporal_note,) if result.temporal_note else ()),
                Notes("Beside the review", tuple(_beside(row, result))),
            ),
            links=(Links("Findings of the review about it", about),),
        )

    def _left_out(self, number: int, claim: ReportedClaim, label: Label) -> Listed:
        codes = (_VERDICTS.index(label), 0, NOT_APPLICABLE, NOT_APPLICABLE)
        return self._listed(number, claim, label, codes, partial(_left_details, claim))

    def _listed(
        self,
        number: int,
        claim: ReportedClaim,
        label: Label,
        codes: tuple[int, ...],
        details: Callable[[Name, Label], Details],
    ) -> Listed:
        codes = (
            *codes,
            _TOPICS.index(claim.topic),
            _WEIGHTS.index(claim.materiality),
            _TIMES.index(claim.temporality),
            _VOICES.index(claim.polarity),
        )
        self._counts.add(codes)
        name = Name("Claim", str(number - self._first + 1))
        row = Row(number, claim.id, name, (label,), claim.statement, claim.place.where, codes)
        mark = marked(number, claim.place, name, label, outside=True)
        return Listed(row, partial(details, name, label), mark)

    def _evidence(self, source: WebSource) -> EvidenceView:
        notes = [source.tier] if source.tier else []
        if source.dated:
            notes.append(f"of {source.dated.isoformat()}")
        if source.circular:
            cited = f"the document's citation {source.citation}" if source.citation else "cited"
            notes.append(f"circular: it is {cited}, or taken from what the document cites")
        else:
            notes.append("independent of the document")
        return self._views.of(source.evidence, notes)


def _left_details(claim: ReportedClaim, name: Name, label: Label) -> Details:
    """What a click shows of a claim that was not looked up."""
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
        Fact("found by", found_by("the extractor", by_rules=claim.by_rules)),
    )


def _drift(result: WebResult) -> str:
    return "" if result.drift is Drift.UNKNOWN else result.drift


def _beside(row: CrossRow | None, result: WebResult) -> Iterator[str]:
    """What the claim tells of the review, and what its confirmation is worth."""
    if result.circular:
        yield "this confirms the document's source, not the underlying fact"
    if row is not None and row.red_caught is not None:
        yield f"the review had {'' if row.red_caught else 'not '}flagged it"

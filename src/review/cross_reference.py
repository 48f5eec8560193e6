"""The findings of a review beside the results of the web (review spec, phase 4c)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from ..base.vocabulary import Drift
from ..claims.lexicon import Lexicon
from ..claims.model import Claim, DateSpan, EntityType, Quantity
from ..claims.quantities import find_slots
from ..documents.model import Document
from ..redteam.model import FlawKind
from .compiling import overlap, span_of
from .types import (
    CompiledFinding,
    CrossMetrics,
    CrossReference,
    CrossRow,
    ExtractedClaim,
    WebResult,
    WebVerdict,
)

_AT_ISSUE = (WebVerdict.CONTRADICTED, WebVerdict.DISPUTED)
_LONGEST_SAYING = 200
_WORD, _FIGURE = re.compile(r"[^\W_]+"), re.compile(r"\d[\d.,]*\d|\d")
# Issues of how something is said, whatever is said.
_ABOUT_FORM = (
    *(FlawKind.UNDEFINED_ACRONYM, FlawKind.BROKEN_REFERENCE, FlawKind.DANGLING_NOTE),
    *("duplicated_passage", "unclosed_quotation", "inconsistent_term"),
)


def cross_reference(
    extracted: Iterable[ExtractedClaim],
    results: Iterable[WebResult],
    findings: Iterable[CompiledFinding],
    document: Document,
    claims: Mapping[str, Claim],
    lexicon: Lexicon,
) -> CrossReference:
    """Lay `results` beside `findings`; neither is changed.

    A finding is about a claim if its quote overlaps the claim's and has a value of it or most of
    its words, or if it names the same entity and value. `claims` are the engine's, by id, of those
    that were checked.
    """
    by_id = {one.id: one for one in extracted}
    about = _About(tuple(findings), document, lexicon)
    listed = tuple(results)
    rows = tuple(
        _row(by_id[one.claim_id], one, about.numbers(by_id[one.claim_id], claims.get(one.claim_id)))
        for one in listed
    )
    return CrossReference(rows, _metrics(rows, listed))


def _row(claim: ExtractedClaim, result: WebResult, numbers: tuple[str, ...]) -> CrossRow:
    return CrossRow(
        claim.id,
        claim.statement,
        claim.quote,
        claim.line,
        _summary(result),
        result.verdict,
        bool(numbers) if result.verdict in _AT_ISSUE else None,
        numbers,
    )


def _summary(result: WebResult) -> str:
    """The value found outside, else the quoted words, else the reason why there are none."""
    quotes = [" ".join(source.evidence.quote.split()) for source in result.sources]
    said = result.found or next(iter(quotes), result.reason)
    return said if len(said) <= _LONGEST_SAYING else f"{said[:_LONGEST_SAYING]} […]"


def _metrics(rows: Sequence[CrossRow], results: Sequence[WebResult]) -> CrossMetrics:
    contradicted = [row for row in rows if row.verdict is WebVerdict.CONTRADICTED]
    caught = sum(row.red_caught is True for row in contradicted)
    return CrossMetrics(
        claims=len(rows),
        contradicted=len(contradicted),
        caught=caught,
        red_catch_rate=caught / len(contradicted) if contradicted else None,
        web_only_discoveries=len(contradicted) - caught,
        temporal_drift=sum(
            one.drift is Drift.OUTDATED and one.verdict is not WebVerdict.CONTRADICTED
            for one in results
        ),
        circular_confirmations=sum(
            one.circular and one.verdict is WebVerdict.CONFIRMED for one in results
        ),
    )


class _About:
    """Tells which findings are about a claim."""

    def __init__(
        self, findings: Sequence[CompiledFinding], document: Document, lexicon: Lexicon
    ) -> None:
        self._document = document
        self._findings = [
            (one, span_of(one.finding.quote, one.finding.line, document)) for one in findings
        ]
        self._texts = [f"{one.finding.quote}\n{one.finding.problem}" for one in findings]
        self._values = [_values(*find_slots(text, lexicon)) for text in self._texts]

    def numbers(self, extracted: ExtractedClaim, claim: Claim | None) -> tuple[str, ...]:
        """The numbers of the findings about a claim, in the review's order."""
        span = span_of(extracted.quote, extracted.line, self._document)
        return tuple(
            finding.number
            for at, (finding, place) in enumerate(self._findings)
            if (span and place and overlap(span, place) and self._same_fact(at, extracted, claim))
            or (claim and self._names(at, claim))
        )

    def _same_fact(self, at: int, extracted: ExtractedClaim, claim: Claim | None) -> bool:
        """Whether a finding that overlaps a claim is about what the claim states.

        A finding about an abbreviation in it has not seen that its figure is wrong.
        """
        values = _values(claim.quantities, claim.dates) if claim else frozenset[object]()
        quoted = self._findings[at][0].finding
        if quoted.issue.replace(" ", "_") in _ABOUT_FORM:
            return False
        own = set(_WORD.findall(extracted.quote.casefold()))
        words = own & set(_WORD.findall(quoted.quote.casefold()))
        figures = set(_FIGURE.findall(extracted.quote)) & set(_FIGURE.findall(quoted.quote))
        shared = bool(figures) or not self._values[at].isdisjoint(values)
        return shared or 2 * len(words) >= len(own)

    def _names(self, at: int, claim: Claim) -> bool:
        """Whether a finding names an entity of the claim and one of its values."""
        if self._values[at].isdisjoint(_values(claim.quantities, claim.dates)):
            return False
        return any(
            re.search(rf"(?<!\w){re.escape(entity.text)}(?!\w)", self._texts[at], re.IGNORECASE)
            for entity in claim.entities
            if entity.type not in (EntityType.DATE, EntityType.NUMBER)
        )


def _values(quantities: Iterable[Quantity], dates: Iterable[DateSpan]) -> frozenset[object]:
    figures = ((one.kind, one.unit, one.low, one.high) for one in quantities)
    return frozenset((*figures, *((one.first, one.last, one.fiscal) for one in dates)))

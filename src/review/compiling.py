"""Findings that survive their defence, and the results of the web beside them (phases 2, 4c)."""

from __future__ import annotations

import bisect
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from ..agents.fact_check_batches import clip
from ..base.vocabulary import Drift
from ..claims.lexicon import Lexicon
from ..claims.model import Claim, DateSpan, EntityType, Quantity
from ..claims.quantities import find_slots
from ..documents.model import Document
from ..redteam.model import FlawKind, Lens
from .originals import Original
from .types import (
    CompiledFinding,
    CompiledReview,
    CrossMetrics,
    CrossReference,
    CrossRow,
    Defence,
    DefenceOutcome,
    DetectedClaims,
    ExtractedClaim,
    KilledFinding,
    RedFinding,
    WebResult,
    WebVerdict,
)

LETTERS: Mapping[Lens, str] = {Lens.TEXTUAL: "T", Lens.ANALYTICAL: "A", Lens.STRATEGIC: "S"}
"""The first letter of the numbers of a lens's findings."""

_AT_ISSUE = (WebVerdict.CONTRADICTED, WebVerdict.DISPUTED)
_LONGEST_SAYING = 200
_WORD, _FIGURE = re.compile(r"[^\W_]+"), re.compile(r"\d[\d.,]*\d|\d")
# Issues of how something is said, whatever is said.
_ABOUT_FORM = (
    *(FlawKind.UNDEFINED_ACRONYM, FlawKind.BROKEN_REFERENCE, FlawKind.DANGLING_NOTE),
    *("duplicated_passage", "unclosed_quotation", "inconsistent_term"),
)


def compile_findings(
    findings: Sequence[RedFinding], defences: Mapping[str, Defence], document: Document
) -> CompiledReview:
    """Leave out what was killed, make one of equal ones, put the worst first, and number them.

    Two findings are equal if they name the same issue and their quotes overlap, unless rules found
    both. The finding of rules stands for both, else the worse one, with the severity of the worse:
    what a model said of it may be dropped later, what rules found must not go with it.
    Numbers count within a lens. A finding without a defence stands as it is.
    """
    killed = {id_ for id_, one in defences.items() if one.outcome is DefenceOutcome.KILLED}
    standing = [finding for finding in findings if finding.id not in killed]
    standing.sort(key=lambda one: (one.severity.rank, one.line, one.lens, one.id))
    counts: Counter[Lens] = Counter()
    compiled: list[CompiledFinding] = []
    for worst, *others in _grouped(standing, document):
        group = (worst, *others)
        head = next((one for one in group if one.by_rules), worst)
        counts[head.lens] += 1
        compiled.append(
            CompiledFinding(
                f"{LETTERS[head.lens]}-{counts[head.lens]}",
                replace(head, severity=worst.severity),
                defences.get(head.id),
                tuple(one.id for one in group if one.id != head.id),
            )
        )
    return CompiledReview(
        document.sha256,
        tuple(compiled),
        tuple(KilledFinding(one, defences[one.id]) for one in findings if one.id in killed),
    )


def _grouped(findings: Sequence[RedFinding], document: Document) -> Sequence[Sequence[RedFinding]]:
    """The findings in groups that say the same, each in their order."""
    spans = {finding.id: span_of(finding.quote, finding.line, document) for finding in findings}
    groups: list[list[RedFinding]] = []
    for finding in findings:
        for group in groups:
            if all(_is_same(one, finding, spans) for one in group):
                group.append(finding)
                break
        else:
            groups.append([finding])
    return groups


def _is_same(
    one: RedFinding, other: RedFinding, spans: Mapping[str, tuple[int, int] | None]
) -> bool:
    if one.issue.casefold() != other.issue.casefold() or (one.by_rules and other.by_rules):
        return False
    here, there = spans[one.id], spans[other.id]
    if here is None or there is None:
        return one.quote == other.quote
    return overlap(here, there)


def span_of(quote: str, line: int, document: Document | Original) -> tuple[int, int] | None:
    """Where `quote` stands in `document`: beginning in `line` (from 1) if it does, else anywhere.

    White space in the quote stands for any. None if it is not there, or only in several other
    lines.
    """
    wanted, starts = " ".join(quote.split()), document.line_starts
    if not wanted:
        return None
    text, origins = _spaced(document.text)
    at = -1
    if 0 < line <= len(starts):
        end = starts[line] if line < len(starts) else len(document.text)
        first, behind = (bisect.bisect_left(origins, place) for place in (starts[line - 1], end))
        at = text.find(wanted, first, behind + len(wanted) - 1)
    if at < 0:
        at = text.find(wanted)
        if at < 0 or text.find(wanted, at + 1) >= 0:
            return None
    return origins[at], origins[at + len(wanted) - 1] + 1


# A pattern of each quote would cost more than all the rest of a review.
@lru_cache(maxsize=2)
def _spaced(text: str) -> tuple[str, Sequence[int]]:
    """`text` with one space for each stretch of white space, and where its characters stand."""
    kept = re.finditer(r"\S|(?<=\S)\s+(?=\S)", text)
    return " ".join(text.split()), array("I", (character.start() for character in kept))


def line_of(offset: int, document: Document | Original) -> int:
    """The line (from 1) of the character at `offset`."""
    return bisect.bisect_right(document.line_starts, offset)


def overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two half-open stretches of a text share a character."""
    return one[0] < other[1] and other[0] < one[1]


def cross_reference(
    extracted: Iterable[ExtractedClaim],
    results: Sequence[WebResult],
    findings: Sequence[CompiledFinding],
    claims: Mapping[str, Claim],
    detected: DetectedClaims,
) -> CrossReference:
    """Lay `results` beside `findings`; neither is changed.

    A finding is about a claim if its quote overlaps the claim's and has a value of it or most of
    its words, or if it names the same entity and value. `claims` are the engine's, by id, of those
    that were checked.
    """
    by_id = {one.id: one for one in extracted}
    about = _About(findings, detected.document, detected.lexicon)
    rows: list[CrossRow] = []
    for result in results:
        claim, verdict = by_id[result.claim_id], result.verdict
        numbers = about.numbers(claim, claims.get(claim.id))
        caught, said = bool(numbers) if verdict in _AT_ISSUE else None, _summary(result)
        rows.append(
            CrossRow(
                claim.id, claim.statement, claim.quote, claim.line, said, verdict, caught, numbers
            )
        )
    contradicted = [row for row in rows if row.verdict is WebVerdict.CONTRADICTED]
    caught = sum(row.red_caught is True for row in contradicted)
    metrics = CrossMetrics(
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
    return CrossReference(tuple(rows), metrics)


def _summary(result: WebResult) -> str:
    """The value found outside, else the quoted words, else the reason why there are none."""
    quotes = [" ".join(source.evidence.quote.split()) for source in result.sources]
    return clip(result.found or next(iter(quotes), result.reason), _LONGEST_SAYING)


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
        values = _values(claim.quantities, claim.dates) if claim else frozenset[object]()
        return tuple(
            finding.number
            for at, (finding, place) in enumerate(self._findings)
            if (span and place and overlap(span, place) and self._same_fact(at, extracted, values))
            or (claim and not self._values[at].isdisjoint(values) and self._names(at, claim))
        )

    def _same_fact(self, at: int, extracted: ExtractedClaim, values: frozenset[object]) -> bool:
        """Whether a finding that overlaps a claim, which has `values`, is about what it states.

        A finding about an abbreviation in it has not seen that its figure is wrong.
        """
        quoted = self._findings[at][0].finding
        if quoted.issue.replace(" ", "_") in _ABOUT_FORM:
            return False
        own = set(_WORD.findall(extracted.quote.casefold()))
        words = own & set(_WORD.findall(quoted.quote.casefold()))
        figures = set(_FIGURE.findall(extracted.quote)) & set(_FIGURE.findall(quoted.quote))
        shared = bool(figures) or not self._values[at].isdisjoint(values)
        return shared or 2 * len(words) >= len(own)

    def _names(self, at: int, claim: Claim) -> bool:
        """Whether a finding names an entity of the claim."""
        return any(
            re.search(rf"(?<!\w){re.escape(entity.text)}(?!\w)", self._texts[at], re.IGNORECASE)
            for entity in claim.entities
            if entity.type not in (EntityType.DATE, EntityType.NUMBER)
        )


def _values(quantities: Iterable[Quantity], dates: Iterable[DateSpan]) -> frozenset[object]:
    figures = ((one.kind, one.unit, one.low, one.high) for one in quantities)
    return frozenset((*figures, *((one.first, one.last, one.fiscal) for one in dates)))

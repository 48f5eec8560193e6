"""Findings that survive their defence, and the results of the web beside them (phases 2, 4c)."""

from __future__ import annotations

import bisect
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate
from types import MappingProxyType

from ..base.vocabulary import Drift
from ..claims.lexicon import Lexicon
from ..claims.model import Claim, DateSpan, EntityType, Quantity
from ..claims.quantities import find_slots
from ..documents.model import Document
from ..redteam.model import FlawKind, Lens
from .originals import Original
from .types import (
    CompiledFinding,
    CrossMetrics,
    CrossReference,
    CrossRow,
    Defence,
    DefenceOutcome,
    ExtractedClaim,
    RedFinding,
    WebResult,
    WebVerdict,
)

LETTERS: Mapping[Lens, str] = MappingProxyType(
    {Lens.TEXTUAL: "T", Lens.ANALYTICAL: "A", Lens.STRATEGIC: "S"}
)
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
    findings: Iterable[RedFinding], defences: Mapping[str, Defence], document: Document
) -> tuple[CompiledFinding, ...]:
    """Leave out what was killed, make one of equal ones, put the worst first, and number them.

    Two findings are equal if they name the same issue and their quotes overlap, unless rules found
    both. The finding of rules stands for both, else the worse one, with the severity of the worse.
    Numbers count within a lens. A finding without a defence stands as it is.
    """
    standing = [
        finding
        for finding in findings
        if (defence := defences.get(finding.id)) is None
        or defence.outcome is not DefenceOutcome.KILLED
    ]
    standing.sort(key=lambda one: (one.severity.rank, one.line, one.lens, one.id))
    counts: Counter[Lens] = Counter()
    compiled: list[CompiledFinding] = []
    for finding, merged in _grouped(standing, document):
        counts[finding.lens] += 1
        number = f"{LETTERS[finding.lens]}-{counts[finding.lens]}"
        compiled.append(CompiledFinding(number, finding, defences.get(finding.id), merged))
    return tuple(compiled)


def _grouped(
    findings: Sequence[RedFinding], document: Document
) -> Iterable[tuple[RedFinding, tuple[str, ...]]]:
    """Each finding that stands for itself, with the ids of those that say the same."""
    spans = {finding.id: span_of(finding.quote, finding.line, document) for finding in findings}
    groups: list[list[RedFinding]] = []
    for finding in findings:
        for group in groups:
            if all(_is_same(one, finding, spans) for one in group):
                group.append(finding)
                break
        else:
            groups.append([finding])
    return map(_headed, groups)


def _headed(group: Sequence[RedFinding]) -> tuple[RedFinding, tuple[str, ...]]:
    """The one that stands for a group, which begins with the worst, and the ids of the others.

    What a model said of it may be dropped later, what rules found must not go with it.
    """
    head = next((one for one in group if one.by_rules), group[0])
    others = tuple(one.id for one in group if one.id != head.id)
    return replace(head, severity=group[0].severity), others


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
    words = quote.split()
    if not words:
        return None
    text, starts = document.text, document.line_starts
    within = 0 < line <= len(starts)
    begin = starts[line - 1] if within else 0
    end = starts[line] if line < len(starts) else len(text)
    if (
        within
        and (at := text.find(quote, begin, end + len(quote) - 1)) >= 0
        and quote == quote.strip()
    ):
        return at, at + len(quote)
    # A pattern of each quote would cost more than all the rest of a review.
    spaced, wanted = _spaced(text), " ".join(words)
    here = spaced.find(wanted, spaced.place_of(begin)) if within else None
    if here is not None and here[0] < end:
        return here
    first = spaced.text.find(wanted)
    if first < 0 or spaced.text.find(wanted, first + 1) >= 0:
        return None
    return spaced.find(wanted, first)


@dataclass(frozen=True, slots=True)
class _Spaced:
    """A text with one space for each stretch of white space, and where its words begin in both."""

    text: str
    places: Sequence[int]
    origins: Sequence[int]

    def find(self, words: str, start: int) -> tuple[int, int] | None:
        """Where `words` stand in the original, from the character `start` of `text` on."""
        at = self.text.find(words, start)
        return (self._origin(at), self._origin(at + len(words) - 1) + 1) if at >= 0 else None

    def place_of(self, offset: int) -> int:
        """The character of `text` that `offset` of the original is, or is before."""
        word = bisect.bisect_right(self.origins, offset) - 1
        if word < 0:
            return 0
        last = self.places[word + 1] - 1 if word + 1 < len(self.places) else len(self.text)
        return min(self.places[word] + offset - self.origins[word], last)

    def _origin(self, place: int) -> int:
        word = bisect.bisect_right(self.places, place) - 1
        return self.origins[word] + place - self.places[word]


@lru_cache(maxsize=2)
def _spaced(text: str) -> _Spaced:
    origins = [word.start() for word in re.finditer(r"\S+", text)]
    words = text.split()
    places = accumulate((len(word) + 1 for word in words[:-1]), initial=0) if words else ()
    return _Spaced(" ".join(words), tuple(places), tuple(origins))


def line_of(offset: int, document: Document | Original) -> int:
    """The line (from 1) of the character at `offset`."""
    return bisect.bisect_right(document.line_starts, offset)


def overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two half-open stretches of a text share a character."""
    return one[0] < other[1] and other[0] < one[1]


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

"""The statements of a document's sentences, with their place in it and what they cite."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from ...base.vocabulary import CitationState
from ...documents.model import BlockKind, Document, OffsetMap, Quote, ScopedCitation, Sentence
from ..classify import Classifier, Statement
from ..lexicon import Lexicon
from ..model import CitedAddress, ClaimQuote, DateSpan, Quantity, RegulatoryReference
from ..quantity.quantities import find_slots
from ..regulations import find_regulations
from .clause_reader import Held
from .parts import Part, split_sentence
from .relatives import Span

_SPLIT = (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.FOOTNOTE)
# "The steps are as follows: 1.": what is left of a list whose lines have been run together.
_BEGUN_LIST = re.compile(r":\s+(1[.)])\W*$")
_Placed = TypeVar("_Placed", Quantity, DateSpan, ClaimQuote, RegulatoryReference)


@dataclass(frozen=True, slots=True)
class Located:
    """A statement in its sentence; `[start, end)` is its own stretch of the document.

    `anchors` lead from the statement's text to the document, as those of a claim do.
    """

    sentence: Sentence
    statement: Statement
    cited: tuple[CitedAddress, ...]
    start: int
    end: int
    anchors: tuple[tuple[int, int], ...]


def read_statement(
    sentence: Sentence, quotes: Iterable[Quote], lexicon: Lexicon, classifier: Classifier
) -> Statement:
    """The whole sentence as one statement; `quotes` are those of the document in it."""
    quantities, dates = find_slots(sentence.text, lexicon)
    begun = _BEGUN_LIST.search(sentence.text)
    if begun:
        quantities = tuple(one for one in quantities if one.start < begun.start(1))
    if sentence.literal:
        quantities = tuple(one for one in quantities if not _is_literal(one, sentence))
        dates = tuple(one for one in dates if not _is_literal(one, sentence))
    references = find_regulations(sentence.text, lexicon.regulations)
    located = (_in_sentence(quote, sentence) for quote in quotes)
    return Statement(
        sentence.text,
        sentence.kind is BlockKind.LIST_ITEM,
        classifier.counts(quantities, references),
        dates,
        tuple(quote for quote in located if quote),
        references,
    )


def _is_literal(one: Quantity | DateSpan, sentence: Sentence) -> bool:
    """Whether it stands in code or in a formula."""
    return any(start < one.end and one.start < end for start, end in sentence.literal)


def _in_sentence(quote: Quote, sentence: Sentence) -> ClaimQuote | None:
    """`quote` with offsets into the sentence's text; None if it starts in another sentence."""
    start = bisect.bisect_left(sentence.offsets, quote.start)
    end = bisect.bisect_left(sentence.offsets, quote.end)
    return ClaimQuote(quote.text, start, end) if start < end else None


def locate(document: Document, sentence: Sentence, statement: Statement) -> Located:
    """`statement` as the only one of its sentence."""
    scopes = document.scopes[sentence.index]
    cited = cited_addresses(document, scopes)
    place = sentence.start, sentence.end
    return Located(sentence, statement, cited, *place, sentence.offsets.anchors)


def speaks_english(document: Document) -> bool:
    """Whether the word lists are for the document's language; unknown counts as English."""
    return document.language.partition("-")[0] in ("en", "und")


def split_statement(document: Document, whole: Located, lexicon: Lexicon) -> tuple[Located, ...]:
    """The statements that a sentence is made of, `whole` alone if it is not compound.

    Each has the citations that stand in it or right after it, all of the sentence's if it has none.
    """
    sentence, statement = whole.sentence, whole.statement
    if sentence.kind not in _SPLIT or not speaks_english(document):
        return (whole,)
    cuts = _cuts(document, sentence)
    others = (*statement.quotes, *statement.references)
    held = Held(
        statement.quantities,
        statement.dates,
        tuple((one.start, one.end) for one in others),
        sorted(set(cuts.values())),
    )
    parts = split_sentence(statement.text, held, lexicon.clauses)
    if not parts:
        return (whole,)
    owners = {scope: _owner(parts, cut) for scope, cut in cuts.items()}
    return tuple(_part(document, whole, parts, at, owners) for at in range(len(parts)))


def _cuts(document: Document, sentence: Sentence) -> dict[ScopedCitation, int]:
    """Where in the sentence's text each citation stands that is in the sentence itself."""
    starts = {
        scoped: document.citations[scoped.citation].start
        for scoped in document.scopes[sentence.index]
        if scoped.state is CitationState.DIRECT
    }
    return {scoped: bisect.bisect_left(sentence.offsets, at) for scoped, at in starts.items()}


def _owner(parts: Sequence[Part], cut: int) -> int:
    """The part that a citation at `cut` stands in or follows: the innermost, else the last."""
    sizes = [
        (part.own[1] - part.own[0], at)
        for at, part in enumerate(parts)
        if part.own[0] < cut <= part.own[1]
    ]
    return (
        min(sizes)[1]
        if sizes
        else max(
            (at for at, part in enumerate(parts) if part.own[0] < cut),
            key=lambda at: parts[at].own[1],
            default=0,
        )
    )


def _part(
    document: Document,
    whole: Located,
    parts: Sequence[Part],
    at: int,
    owners: Mapping[ScopedCitation, int],
) -> Located:
    sentence, part = whole.sentence, parts[at]
    scopes = [scoped for scoped, owner in owners.items() if owner == at]
    ends = [document.citations[scoped.citation].end for scoped in scopes]
    first = part.own[0] == min(one.own[0] for one in parts)
    last = part.own[1] == max(one.own[1] for one in parts)
    start, end = sentence.source_span(*part.own)
    return Located(
        sentence,
        _statement(whole.statement, part),
        cited_addresses(document, scopes) or whole.cited,
        sentence.start if first else start,
        sentence.end if last else max([end, *ends]),
        _anchors(sentence.offsets, part.pieces),
    )


def _statement(whole: Statement, part: Part) -> Statement:
    pieces = part.pieces
    quantities = _moved(whole.quantities, pieces)
    if part.counted:
        quantities = (replace(one, unit=one.unit or part.counted) for one in quantities)
    return Statement(
        " ".join(whole.text[start:end] for start, end in pieces),
        whole.in_list,
        tuple(quantities),
        tuple(_moved(whole.dates, pieces)),
        tuple(_moved(whole.quotes, pieces)),
        tuple(_moved(whole.references, pieces)),
    )


def _moved(found: Sequence[_Placed], pieces: Sequence[Span]) -> Iterator[_Placed]:
    """Items that lie within a piece, with offsets into the joined text."""
    offset = 0
    for start, end in pieces:
        for one in found:
            if start <= one.start and one.end <= end:
                shift = offset - start
                yield replace(one, start=one.start + shift, end=one.end + shift)
        offset += end - start + 1


def _anchors(offsets: OffsetMap, pieces: Sequence[Span]) -> tuple[tuple[int, int], ...]:
    """The anchors of the joined text; the space after a piece stands right after it."""
    places: list[int] = []
    for start, end in pieces:
        if places:
            places.append(places[-1] + 1)
        places.extend(offsets[index] for index in range(start, end))
    return OffsetMap.of(places).anchors


def cited_addresses(
    document: Document, scopes: Sequence[ScopedCitation]
) -> tuple[CitedAddress, ...]:
    """Addresses that the citations `scopes` of a sentence lead to, each once for each state."""
    addresses = {
        (citation.target, scoped.state): CitedAddress(citation.target, scoped.state, citation.label)
        for scoped in reversed(scopes)
        for citation in (document.citations[scoped.citation],)
    }
    return tuple(reversed(addresses.values()))

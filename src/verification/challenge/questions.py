"""Questions built from a claim by code: each hides the one thing that it asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...claims.entities import names_of
from ...claims.lexicon import Lexicon
from ...claims.model import Claim, DateSpan, Granularity, Quantity, QuantityKind
from ...claims.quantities import find_slots
from ...claims.spans import overlaps
from .model import Asked, Probe, Question

_CELLS = " | "
# A date after one of these is part of a name: "the 1932 agreement".
_NAMING = re.compile(r"\b(?:the|an?|its|his|her|their|our|this|that)\s$", re.IGNORECASE)
_ARTICLE = re.compile(r"\b(?:the|an?)\s$", re.IGNORECASE)
_KINDS = {
    QuantityKind.MONEY: "how much money",
    QuantityKind.PERCENT: "what percentage",
    QuantityKind.PERCENTAGE_POINTS: "how many percentage points",
    QuantityKind.BASIS_POINTS: "how many basis points",
    QuantityKind.COUNT: "how many",
}
_TIMES = {
    Granularity.DAY: "which date",
    Granularity.MONTH: "which month",
    Granularity.QUARTER: "which quarter",
    Granularity.YEAR: "which year",
}
_NAME = "who or what"
# A source that states another average or total would be a wrong answer that looks right.
_DERIVED = re.compile(
    r"\b(?:average|mean|median|total|together|combined|altogether|overall|sum|difference|gap)\b",
    re.IGNORECASE,
)
_ABSOLUTE = (QuantityKind.MONEY, QuantityKind.COUNT, QuantityKind.MEASURE)
_LONGEST_LEAD = 24


class _Blank(NamedTuple):
    """The part of a claim that a question asks for, and the words that ask."""

    start: int
    end: int
    words: str
    claimed: Quantity | DateSpan | str


def build_probes(claim: Claim, lexicon: Lexicon, most: int) -> tuple[Probe, ...]:
    """At most `most` questions about a claim: its numbers and dates first, then its names.

    Nothing is asked where the question would give the answer away, of a table row, or of a claim
    with a quotation, whose words are compared as they are.
    """
    text = claim.text.strip().rstrip(".!")
    if claim.exclusion or claim.quotes or _CELLS in text:
        return ()
    probes: list[Probe] = []
    for blank in (*_values(text, lexicon), *_names(text, lexicon)):
        probe = Probe(claim.id, _question(f"{claim.id}/{len(probes) + 1}", text, blank), blank[3])
        left = f"{text[: blank.start]} {text[blank.end :]}"
        if not shows(left, probe.words, lexicon):
            probes.append(probe)
    return tuple(probes[:most])


def _values(text: str, lexicon: Lexicon) -> Iterator[_Blank]:
    """The values of a claim, each with the words that qualify it: "at least 30 km"."""
    quantities, dates = find_slots(text, lexicon)
    for value in sorted((*quantities, *dates), key=lambda one: one.start):
        words = _question_words(value, text)
        if words:
            lead = max(0, value.start - _LONGEST_LEAD)
            before = lexicon.modifier_before.search(text[lead : value.start].lower())
            start = lead + before.start(1) if before else value.start
            yield _Blank(start, value.end, words, value)


def _question_words(value: Quantity | DateSpan, text: str) -> str:
    if isinstance(value, DateSpan):
        vague = value.fiscal or value.yearless
        named = _NAMING.search(text[: value.start])
        return "" if vague or named else _TIMES.get(value.granularity, "")
    if value.kind in _ABSOLUTE and _DERIVED.search(text):
        return ""
    if value.kind is QuantityKind.COUNT and not value.text[:1].isdigit():
        # A small count in words may be put in other words altogether.
        return ""
    if value.kind is QuantityKind.MEASURE:
        return f"how many {value.unit}s"
    return _KINDS.get(value.kind, "")


def _names(text: str, lexicon: Lexicon) -> Iterator[_Blank]:
    """The names of a claim that has several: what is left names what the question is about."""
    hidden = [value for values in find_slots(text, lexicon) for value in values]
    names = [name for name in names_of(text, lexicon) if not overlaps(name, hidden)]
    for name in names if len(names) > 1 else ():
        article = _ARTICLE.search(text[: name.start])
        start = article.start() if article else name.start
        yield _Blank(start, name.end, _NAME, name.text)


def _question(id_: str, text: str, blank: _Blank) -> Question:
    start, end, words, claimed = blank
    # What a question begins with is written with a capital.
    words = words if start else words[:1].upper() + words[1:]
    asked = f"{text[:start]}{words}{text[end:]}?"
    place = start, start + len(words)
    if isinstance(claimed, DateSpan):
        return Question(id_, Asked.DATE, asked, *place)
    if isinstance(claimed, str):
        return Question(id_, Asked.NAME, asked, *place)
    return Question(id_, Asked.NUMBER, asked, *place, claimed.kind, claimed.unit)


def shows(text: str, words: str, lexicon: Lexicon) -> bool:
    """Whether `text` has a figure or a name of `words`, or all of them."""
    present = {token.stem for token in lexicon.words.tokens(text)}
    own = lexicon.words.tokens(words)
    telling = {token.stem for token in own if token.word[0].isdigit() or token.capital}
    return bool(telling & present) or {token.stem for token in own} <= present

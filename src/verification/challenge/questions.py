"""Questions built from a claim by code: each hides the one thing that it asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...claims.lexicon import Lexicon
from ...claims.model import Claim, DateSpan, EntityType, Granularity, Quantity, QuantityKind
from ...claims.quantity.quantities import find_slots
from ...claims.words import Token
from ..names import Name, find_names
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
_DERIVED = re.compile(
    r"\b(?:average|mean|median|total|together|combined|altogether|overall|sum|difference|gap)\b",
    re.IGNORECASE,
)
_LONGEST_LEAD = 24
_ABSOLUTE = (QuantityKind.MONEY, QuantityKind.COUNT, QuantityKind.MEASURE)
_NAMES = {
    EntityType.PERSON: "who",
    EntityType.ORG: "which organisation",
    EntityType.LOCATION: "which place",
    EntityType.PRODUCT: "which product",
}
_ANYONE = "who or what"


def build_probes(claim: Claim, lexicon: Lexicon, most: int) -> tuple[Probe, ...]:
    """At most `most` questions about a claim: its numbers and dates first, then its names.

    Nothing is asked where the question would give the answer away, of a table row, or of a claim
    with a quotation, whose words are compared as they are.
    """
    text = (claim.resolved or claim.text).strip().rstrip(".!")
    if claim.exclusion or claim.quotes or _CELLS in text:
        return ()
    tokens = lexicon.words.tokens(text)
    found = [*_about_values(text, lexicon), *_about_names(claim, text, tokens, lexicon)]
    probes: list[Probe] = []
    for start, end, words, claimed in found:
        question = _question(f"{claim.id}/{len(probes) + 1}", text, (start, end), words, claimed)
        if not _shows(text, (start, end), claimed, lexicon):
            probes.append(Probe(claim.id, question, claimed))
    return tuple(probes[:most])


_Found = tuple[int, int, str, Quantity | DateSpan | str]


def _about_values(text: str, lexicon: Lexicon) -> Iterator[_Found]:
    quantities, dates = find_slots(text, lexicon)
    for value in sorted((*quantities, *dates), key=lambda one: one.start):
        words = _question_words(value)
        ratio = isinstance(value, Quantity) and value.kind is QuantityKind.RATIO
        if words and not (ratio or _is_named(text, value) or _is_derived(text, value)):
            yield *_with_modifier(text, value, lexicon), words, value


def _with_modifier(text: str, value: Quantity | DateSpan, lexicon: Lexicon) -> tuple[int, int]:
    """A value with the words that qualify it: "at least 30 km"."""
    start = max(0, value.start - _LONGEST_LEAD)
    before = lexicon.modifier_before.search(text[start : value.start].lower())
    return (start + before.start(1) if before else value.start), value.end


def _question_words(value: Quantity | DateSpan) -> str:
    """The question words for a value, "" if it is of a kind that is not asked for."""
    if isinstance(value, DateSpan):
        vague = value.relative or value.fiscal or value.yearless
        return "" if vague else _TIMES.get(value.granularity, "")
    if value.kind is QuantityKind.COUNT and not value.text[:1].isdigit():
        # A small count in words may be put in other words altogether.
        return ""
    if value.kind is QuantityKind.MEASURE:
        return f"how many {value.unit}s"
    return _KINDS.get(value.kind, "")


def _is_named(text: str, value: Quantity | DateSpan) -> bool:
    return isinstance(value, DateSpan) and bool(_NAMING.search(text[: value.start]))


def _is_derived(text: str, value: Quantity | DateSpan) -> bool:
    """Whether the claim calls a number an average, a total or the like of others.

    A source that states another one of them would be a wrong answer that looks right.
    """
    if isinstance(value, DateSpan) or value.kind not in _ABSOLUTE:
        return False
    return bool(_DERIVED.search(text))


def _about_names(
    claim: Claim, text: str, tokens: list[Token], lexicon: Lexicon
) -> Iterator[_Found]:
    """The names of a claim that has several: what is left names what the question is about."""
    quantities, dates = find_slots(text, lexicon)
    values = (*quantities, *dates)
    hidden = [(value.start, value.end) for value in values]
    visible = [
        token
        for token in tokens
        if not any(start < token.end and token.start < end for start, end in hidden)
    ]
    names = find_names(text, visible, lexicon.words)
    types = {entity.text: entity.type for entity in claim.entities}
    for name in names if len(names) > 1 else ():
        type_ = types.get(name.text)
        yield (
            *_with_article(text, name),
            _NAMES.get(type_, _ANYONE) if type_ else _ANYONE,
            name.text,
        )


def _with_article(text: str, name: Name) -> tuple[int, int]:
    article = _ARTICLE.search(text[: name.start])
    return (article.start() if article else name.start), name.start + len(name.text)


def _question(
    id_: str, text: str, span: tuple[int, int], words: str, claimed: Quantity | DateSpan | str
) -> Question:
    start, end = span
    # What a question begins with is written with a capital.
    words = words if start else words[:1].upper() + words[1:]
    asked = f"{text[:start]}{words}{text[end:]}?"
    place = start, start + len(words)
    if isinstance(claimed, DateSpan):
        return Question(id_, Asked.DATE, asked, *place)
    if isinstance(claimed, str):
        return Question(id_, Asked.NAME, asked, *place)
    return Question(id_, Asked.NUMBER, asked, *place, claimed.kind, claimed.unit)


def _shows(
    text: str, span: tuple[int, int], claimed: Quantity | DateSpan | str, lexicon: Lexicon
) -> bool:
    """Whether what is left of `text` has the answer, or a part of it."""
    words = claimed if isinstance(claimed, str) else claimed.text
    return shows(f"{text[: span[0]]} {text[span[1] :]}", words, lexicon)


def shows(text: str, words: str, lexicon: Lexicon) -> bool:
    """Whether `text` has a figure or a name of `words`, or all of them."""
    book = lexicon.words
    told = {token.stem for token in book.tokens(text)}
    own = book.tokens(words)
    telling = {t.stem for t in own if t.word[0].isdigit() or t.capital}
    return bool(telling & told) or {token.stem for token in own} <= told

"""Counts that a text announces before it lists what it counts: "three reasons", then four."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...documents.model import BlockKind, Document, Sentence
from ..lexicon import Lexicon
from ..model import Modifier, Quantity, QuantityKind
from .attributes import ConsistencyWords
from .contradiction import Contradiction, ContradictionKind
from .figures import Figures, place

_MARKER = re.compile(r"[ \t>]*(?:[-*+]|\d{1,3}[.)]) ")
_OPEN_LIST = re.compile(
    r"\b(?:includ\w+|such as|among|e\.g\.|for example|for instance|some of|at least|other|further"
    r"|additional|more|another|first|last|top|following \w+ of|one of|two of|any|either|or more)\b",
    re.IGNORECASE,
)
_SHARE_OF = re.compile(r"\bof (?:the |these |those |our |its |their |all )*$", re.IGNORECASE)
_ORDER = re.compile(
    r"(?:(?P<rank>first|second|third|fourth|fifth|sixth|seventh|eighth)(?:ly)?"
    r"|(?P<final>finally|lastly))\b,? ",
    re.IGNORECASE,
)
_RANKS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_SEPARATOR = re.compile(r",? (?:and|or) |, ")
_CONJUNCTION = re.compile(r"(?<!,) (?:and|or) ")
_LAST = re.compile(r" (?:and|or) ")
_PROSE = re.compile(
    r"[.:]\s|\b(?:which|that|who|because|since|if|when|while|is|are|was|were|has|have)\b"
)
_LARGEST = 20
_LONGEST_LEAD = 14
_LONGEST_ITEM = 8
_NEAR_COLON = 3
# So many sentences on, a list has ended.
_FURTHEST = 100


def find_miscounts(
    document: Document, figures: Sequence[Figures], lexicon: Lexicon, words: ConsistencyWords
) -> Iterator[Contradiction]:
    """Each announced count whose list has another number of items.

    A list that says it is not complete ("including"), and a count that may belong to something
    else, are left alone.
    """
    for one in figures:
        if one.sentence.kind is not BlockKind.PARAGRAPH:
            continue
        counts = [quantity for quantity in one.quantities if _counts(quantity)]
        if len(counts) != 1 or _OPEN_LIST.search(one.text):
            continue
        announced = counts[0]
        if _SHARE_OF.search(one.before(announced.start, 20)):
            continue
        unit = lexicon.words.stem(announced.unit)
        known = unit in words.announcing
        yield from _inline(document, one, announced, known=known)
        yield from _listed(document, one, announced, known=known)
        if known:
            yield from _ranked(document, one, announced)


def _counts(quantity: Quantity) -> bool:
    exact = quantity.modifier is Modifier.EXACT and quantity.low == quantity.high
    whole = quantity.low == int(quantity.low) and 1 < quantity.low <= _LARGEST
    return quantity.kind is QuantityKind.COUNT and bool(quantity.unit) and exact and whole


def _inline(
    document: Document, one: Figures, announced: Quantity, *, known: bool
) -> Iterator[Contradiction]:
    """Five members: A, B, C and D."""
    lead, colon, tail = one.text[announced.end :].partition(": ")
    near = len(lead.split()) <= _NEAR_COLON + (_NEAR_COLON if known else 0)
    tail = tail.rstrip(".")
    items = tail.split(";") if ";" in tail else _SEPARATOR.split(tail)
    last = (
        items[-1].strip().startswith(("and ", "or ")) if ";" in tail else bool(_LAST.search(tail))
    )
    if not colon or not near or not last or "," in lead or _PROSE.search(tail):
        return
    if any(not 0 < len(item.split()) <= _LONGEST_ITEM for item in items):
        return
    # "research and development" is one item.
    joined = len(_CONJUNCTION.findall(tail)) if ";" not in tail else 0
    fewest = len(items) - max(0, joined - (", and " not in tail))
    if not fewest <= announced.low <= len(items):
        start = announced.end + len(lead) + len(colon)
        yield _miscount(document, one, announced, len(items), one.sentence, start)


def _listed(
    document: Document, one: Figures, announced: Quantity, *, known: bool
) -> Iterator[Contradiction]:
    """Three reasons, with a list of four right below."""
    following = document.sentences[one.sentence.index + 1 : one.sentence.index + 2]
    if not following or following[0].kind is not BlockKind.LIST_ITEM:
        return
    behind = one.text[announced.end :]
    colon = one.text.endswith(":") and len(behind.split()) <= _NEAR_COLON
    short = known and len(one.text.split()) <= _LONGEST_LEAD
    if not colon and not short:
        return
    items = _items(document, following[0])
    more = items < announced.low and _goes_on(document, following[0])
    if items > 1 and items != announced.low and not more:
        yield _miscount(document, one, announced, items, following[0], 0)


def _items(document: Document, first: Sentence) -> int:
    """The items of the list that begins with the sentence `first`."""
    blocks = set[int]()
    for sentence in document.sentences[first.index : first.index + _FURTHEST]:
        if sentence.kind is not BlockKind.LIST_ITEM and sentence.section != first.section:
            break
        if sentence.kind in (BlockKind.PARAGRAPH, BlockKind.HEADING):
            break
        if sentence.list_id == first.list_id and _is_marked(document, sentence):
            blocks.add(sentence.block)
    return len(blocks)


def _is_marked(document: Document, sentence: Sentence) -> bool:
    """Whether the line of the sentence begins with a list marker."""
    start = document.line_starts[sentence.line - 1]
    return _MARKER.match(document.text, start) is not None


def _goes_on(document: Document, first: Sentence) -> bool:
    """Whether the section has another list, or numbered headings, that may continue this one."""
    for sentence in document.sentences[first.index : first.index + _FURTHEST]:
        if sentence.section != first.section:
            return len(sentence.section) > len(first.section)
        if sentence.kind is BlockKind.LIST_ITEM and sentence.list_id != first.list_id:
            return True
    return False


def _ranked(document: Document, one: Figures, announced: Quantity) -> Iterator[Contradiction]:
    """Three things, then first, second, third and fourth."""
    if len(one.text.split()) > _LONGEST_LEAD:
        return
    ranks, final, last = 0, False, one.sentence
    after = one.sentence.index + 1
    for sentence in document.sentences[after : after + _FURTHEST]:
        if sentence.section != one.sentence.section or sentence.kind is not BlockKind.PARAGRAPH:
            break
        found = _ORDER.match(sentence.text)
        if found and found["rank"] and _RANKS.index(found["rank"].lower()) == ranks:
            ranks, last = ranks + 1, sentence
        elif found and found["final"]:
            final = True
    fits = {ranks, ranks + 1} if final else {ranks}
    if ranks > 1 and announced.low not in fits:
        yield _miscount(document, one, announced, max(fits), last, 0)


def _miscount(
    document: Document,
    one: Figures,
    announced: Quantity,
    items: int,
    listed: Sentence,
    start: int,
) -> Contradiction:
    here = place(document, one.sentence, announced.start, announced.end)
    there = place(document, listed, start, len(listed.text))
    told = f"{announced.text} announced, {items} listed from line {there.location.line} on"
    return Contradiction(ContradictionKind.COUNT, here, there, told)

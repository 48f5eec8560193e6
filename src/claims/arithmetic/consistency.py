"""Figures of one document that cannot both be right: one thing, two values.

Two figures are held against each other only if the words say that both are the value of the same
property of the same thing; another period, scope or owner makes them two facts.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

from ...documents.model import Document, Sentence
from ..labels import differ_in_label
from ..lexicon import Lexicon
from ..model import DateSpan, Modifier, Quantity, QuantityKind
from ..words import WordBook
from .attributes import (
    Attribute,
    ConsistencyWords,
    cell_attributes,
    content_stems,
    find_attributes,
    is_table,
)
from .bounds import Bounds, bounds
from .contradiction import Contradiction, ContradictionKind
from .figures import Figures, Place, place

_LARGEST_GROUP = 40
_CONTEXT = 2
_SPECIFIC = 2
_TWO = 2
_TITLED = re.compile(r"(?:\b(?P<word>[A-Za-z]+)|['’]s) (?:of the |the )?$")
_THERE_ARE = re.compile(r"^there (?:are|were) $", re.IGNORECASE)
_EXISTS = re.compile(
    r" (?:are|were|have been) (?:to hand|at hand|available|on (?:the market|offer|file|record)"
    r"|known|published|considered|compared|examined|reviewed|included|covered|listed|discussed|open)\b"
)
_RESTRICTS = re.compile(
    r" (?:of|that|which|who|whom|whose|where|when|named|called|known|\w+ing|"
    r"(?:in|on|at|from|under|near|along) (?!\d|the end|time|total|all))\b"
)


def find_values(
    document: Document, figures: Sequence[Figures], lexicon: Lexicon, words: ConsistencyWords
) -> Iterator[Contradiction]:
    """Properties with two values, events with two dates, and groups of two sizes."""
    attributes = list(_attributes(document, figures, lexicon, words))
    context = _Context(figures, lexicon)
    events_of = _Events(words)
    values = [one for one in attributes if isinstance(one.value, Quantity)]
    events = [one for one in attributes if isinstance(one.value, DateSpan)]
    for same, kind, found in (
        (context.same_thing, ContradictionKind.VALUE, values),
        (events_of.same_event, ContradictionKind.DATE, events),
    ):
        yield from _disagreeing(document, found, _Labelled(same, lexicon), kind)
    yield from _groups(document, figures, lexicon, words)


def _attributes(
    document: Document, figures: Sequence[Figures], lexicon: Lexicon, words: ConsistencyWords
) -> Iterator[Attribute]:
    for one in figures:
        if not is_table(one):
            yield from find_attributes(one, lexicon, words)
        elif one.quantities and one.sentence.header is not None:
            header = document.sentences[one.sentence.header]
            titles = [header.text[start:end] for start, end in header.cells]
            yield from cell_attributes(one, titles, lexicon, words)


_Same = Callable[[Attribute, Attribute, Sequence[Attribute]], bool]


@dataclass(frozen=True, slots=True)
class _Labelled:
    """`same` for what no number or letter tells apart: "unit 1" and "unit 2"."""

    same: _Same
    lexicon: Lexicon

    def __call__(self, left: Attribute, right: Attribute, group: Sequence[Attribute]) -> bool:
        same = self.same(left, right, group)
        return same and not differ_in_label(left.figures.text, right.figures.text, self.lexicon)


def _disagreeing(
    document: Document, attributes: Iterable[Attribute], same: _Same, kind: ContradictionKind
) -> Iterator[Contradiction]:
    groups: defaultdict[object, list[Attribute]] = defaultdict(list)
    for one in attributes:
        sort = (one.value.kind, _unit(one.value)) if isinstance(one.value, Quantity) else None
        groups[one.what, sort].append(one)
    for members in groups.values():
        group = members[:_LARGEST_GROUP]
        reaches = [_reach(one.value) for one in group]
        meets = {
            (at, other)
            for at, other in product(range(len(group)), repeat=2)
            if _meet(reaches[at], reaches[other])
        }
        said = [
            sum((at, other) in meets for other in range(len(group))) for at in range(len(group))
        ]
        doubted = set[int]()
        for first, second in combinations(range(len(group)), 2):
            # The value that fewer places state is in doubt, else the later one.
            here, there = (first, second) if said[first] < said[second] else (second, first)
            if here in doubted or (first, second) in meets:
                continue
            if same(group[first], group[second], group):
                doubted.add(here)
                yield _contradiction(document, kind, group[here], group[there])


def _unit(quantity: Quantity) -> str:
    return "" if quantity.kind is QuantityKind.COUNT else quantity.unit


def _reach(value: Quantity | DateSpan) -> Bounds | DateSpan:
    return bounds(value) if isinstance(value, Quantity) else value


def _meet(left: Bounds | DateSpan, right: Bounds | DateSpan) -> bool:
    if isinstance(left, DateSpan) and isinstance(right, DateSpan):
        return left.first <= right.last and right.first <= left.last
    if isinstance(left, DateSpan) or isinstance(right, DateSpan):
        return False
    return left.meets(right)


def _contradiction(
    document: Document, kind: ContradictionKind, here: Attribute, there: Attribute
) -> Contradiction:
    change = None
    if isinstance(here.value, Quantity) and isinstance(there.value, Quantity) and there.value.low:
        change = Fraction(here.value.low) / Fraction(there.value.low) - 1
    other = _place(document, there)
    return Contradiction(
        kind,
        _place(document, here),
        other,
        f"{here.value.text} here, {there.value.text} in line {other.location.line}",
        change,
    )


def _place(document: Document, attribute: Attribute) -> Place:
    value = attribute.value
    return place(document, attribute.figures.sentence, value.start, value.end)


def _block(attribute: Attribute) -> int:
    return attribute.figures.sentence.block


def _years(figures: Figures) -> frozenset[int]:
    return frozenset(year for date in figures.dates for year in {date.first.year, date.last.year})


def _names(figures: Figures, book: WordBook) -> frozenset[str]:
    """The stems that are written with a capital."""
    tokens = book.tokens(figures.text)
    return frozenset(t.stem for t in tokens if t.capital and t.word not in book.stop_words)


class _Context:
    """Context of figures: compares the things that the words around them describe."""

    def __init__(self, figures: Sequence[Figures], lexicon: Lexicon) -> None:
        self._by_index: Mapping[int, Figures] = {one.sentence.index: one for one in figures}
        self._book = lexicon.words
        self._keys = frozenset(lexicon.file.key_sections)
        self._known: dict[int, frozenset[str]] = {}

    def same_thing(self, left: Attribute, right: Attribute, group: Sequence[Attribute]) -> bool:
        """Whether two values are of one property of one thing, at one time."""
        if left.figures is right.figures or (is_table(left.figures) and is_table(right.figures)):
            return False
        prose = not (is_table(left.figures) or is_table(right.figures))
        # Two sentences of one paragraph tell of two cases more often than of one twice.
        cases = left.beside != right.beside or _block(left) == _block(right)
        if left.scope ^ right.scope or (prose and cases) or not self._same_time(left, right):
            return False
        if left.of and right.of:
            return left.of == right.of
        if not left.of and not right.of:
            return self._both_silent(left, right, group)
        silent, told = (right, left) if left.of else (left, right)
        around = self._around(silent.figures)
        owners = {one.of for one in group if one.of and one.of <= around}
        return owners == {told.of}

    def _same_time(self, left: Attribute, right: Attribute) -> bool:
        one, other = _years(left.figures), _years(right.figures)
        if one and other:
            return bool(one & other) and len(one | other) == 1
        return one == other or bool(left.of and right.of)

    def _both_silent(self, left: Attribute, right: Attribute, group: Sequence[Attribute]) -> bool:
        specific = sum(not word.startswith("/") for word in left.what) >= _SPECIFIC
        one, other = left.figures, right.figures
        alike = one.sentence.section == other.sentence.section or any(
            is_table(side) or self._sums_up(side.sentence) for side in (one, other)
        )
        names = [_names(one.figures, self._book) for one in (left, right)]
        apart = bool(names[0]) and bool(names[1]) and names[0].isdisjoint(names[1])
        only = len({one.value.text for one in group}) == _TWO
        return specific and alike and only and not apart

    def _sums_up(self, sentence: Sentence) -> bool:
        return any(title.strip(" .:").casefold() in self._keys for title in sentence.section)

    def _around(self, figures: Figures) -> frozenset[str]:
        """The words of the sentence, of the two before it in its paragraph and of its heading."""
        index = figures.sentence.index
        known = self._known.get(index)
        if known is None:
            near = (self._by_index.get(index - back) for back in range(_CONTEXT + 1))
            block = figures.sentence.block
            texts = [one.text for one in near if one and one.sentence.block == block]
            texts += figures.sentence.section[-1:]
            known = self._known[index] = content_stems(" ".join(texts), self._book)
        return known


@dataclass(frozen=True, slots=True)
class _Events:
    words: ConsistencyWords

    def same_event(self, left: Attribute, right: Attribute, group: Sequence[Attribute]) -> bool:
        """Whether two dates are of one event: the same subject, and no third date for it."""
        if left.figures is right.figures or left.scope ^ right.scope or left.head != right.head:
            return False
        if len({one.value.text for one in group if one.head == left.head}) != _TWO:
            return False
        nested = left.of <= right.of or right.of <= left.of
        one_name = left.named and right.named and nested and not left.what <= self.words.lives
        return left.of == right.of or one_name


@dataclass(frozen=True, slots=True)
class _Group:
    figures: Figures
    quantity: Quantity
    noun: tuple[str, ...]
    every: bool
    owned: bool
    opens: bool


def _groups(
    document: Document, figures: Sequence[Figures], lexicon: Lexicon, words: ConsistencyWords
) -> Iterator[Contradiction]:
    """Groups that are called whole in two sizes: its six airfields, all eight airfields."""
    groups: defaultdict[tuple[str, ...], list[_Group]] = defaultdict(list)
    for one in figures:
        for quantity in one.quantities:
            group = _group(one, quantity, lexicon, words)
            if group is not None:
                groups[group.noun].append(group)
    for noun, members in groups.items():
        listed = noun[-1] in words.announcing or noun[-1] in lexicon.discourse_nouns
        if listed and not _is_one_section(members):
            continue
        pair = _two_sizes(members, lexicon.words)
        if pair is not None:
            here, there = pair
            at, other = (
                place(document, one.figures.sentence, one.quantity.start, one.quantity.end)
                for one in pair
            )
            change = Fraction(here.quantity.low) / Fraction(there.quantity.low) - 1
            working = (
                f"{_group_text(here)} here, {_group_text(there)} in line {other.location.line}"
            )
            yield Contradiction(ContradictionKind.GROUP, at, other, working, change)


def _group_text(group: _Group) -> str:
    end = group.figures.text.find(" ", group.quantity.end + 1)
    return group.figures.text[group.quantity.start : end if end > 0 else None].rstrip(".,;:")


def _group(
    figures: Figures, quantity: Quantity, lexicon: Lexicon, words: ConsistencyWords
) -> _Group | None:
    counted = quantity.kind is QuantityKind.COUNT and quantity.unit and quantity.low > 1
    if not counted or quantity.modifier is not Modifier.EXACT or quantity.low != quantity.high:
        return None
    book = lexicon.words
    head = book.stem(quantity.unit)
    noun: list[str] = []
    end = quantity.end
    for token in book.tokens(figures.text[quantity.end : quantity.end + 60]):
        noun.append(token.stem)
        end = quantity.end + token.end
        if token.stem == head:
            break
    else:
        return None
    before = _TITLED.search(figures.before(quantity.start, 30))
    word = (before["word"] or "'s").lower() if before else ""
    free = not _RESTRICTS.match(figures.text, end)
    return _Group(
        figures,
        quantity,
        tuple(noun),
        every=free and word in words.every,
        owned=free and (word in words.owned or word == "'s"),
        opens=bool(
            _EXISTS.match(figures.text, end) or _THERE_ARE.search(figures.text, 0, quantity.start)
        ),
    )


def _is_one_section(members: Sequence[_Group]) -> bool:
    return len({one.figures.sentence.section for one in members}) == 1


def _two_sizes(members: Sequence[_Group], book: WordBook) -> tuple[_Group, _Group] | None:
    """Two whole groups of different sizes, one of them called all; the one in doubt first."""
    whole = [one for one in members if one.every or one.owned or one.opens]
    sizes = Counter(one.quantity.low for one in whole)
    if len(sizes) != _TWO or not any(one.every for one in whole):
        return None
    said = Counter(one.quantity.low for one in members)
    first, *_, last = sorted(whole, key=lambda one: one.figures.sentence.index)
    here, there = (
        (first, last) if said[first.quantity.low] < said[last.quantity.low] else (last, first)
    )
    if here.quantity.low == there.quantity.low or said[here.quantity.low] > 1:
        return None
    if not (here.every or there.every):
        return None
    years = _years(here.figures), _years(there.figures)
    names = _names(here.figures, book), _names(there.figures, book)
    apart = any(one and other and one.isdisjoint(other) for one, other in (years, names))
    return None if apart else (here, there)

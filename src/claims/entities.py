"""The entities of a text: names by their capitals, dates, numbers and references to regulations.

Without a model: a capital inside a sentence makes a name, a capital at its start does so unless
the word is a common one or the document also writes it small. What kind of thing a name stands
for is said only where a word in it or before it tells.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from .lexicon import Lexicon, NameBook
from .model import DateSpan, Entity, EntityType, Quantity, RegulatoryReference
from .spans import apart

_WORD = re.compile(r"[^\W_]+(?:[.’'&/+*-]+[^\W_]+)*[+#]{0,2}")
# A capital here may only begin a sentence, a table cell, a line or a quotation.
_OPENING = re.compile(r"(?:^|[.!?:|•\n>*])[\s\"'“\u2018(\[]*$")
_MODEL_NUMBER = re.compile(r"[A-Z]{1,4}[a-z]{0,6}-?\d{1,4}[A-Za-z]{0,3}")
_CALENDAR = re.compile(
    r"\b(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March(?= \d)|April"
    r"|May(?= \d)|June|July|August|September|October|November|December)\b"
    r"|\b(?:[01]?\d|2[0-3]):[0-5]\d\b"
    r"|\b(?:last|this|next|recent|past|previous|following|coming|few|several)[ \u00a0]"
    r"(?:days?|weeks?|months?|years?|decades?|night|morning|summer|winter|spring|autumn)\b"
    r"|(?<=\b(?:in|of|by) )(?:March|May)\b|\b(?:today|yesterday|tomorrow|tonight)\b",
    re.IGNORECASE,
)
# "139th Wing": the ordinal belongs to the name.
_NUMBERED = re.compile(r"(?<![^\W_])\d{1,4}(?:st|nd|rd|th) (?=[A-Z])")
# A plural at the start of a sentence is seldom a name.
_PLURAL = re.compile(r"[A-Z][a-z]+[a-rt]s(?<!us)(?<!is)")
_FIRST_PERSON = re.compile(r"I(?:['’](?:m|ll|ve|d))?")
_NEXT_CAPITAL = re.compile(r"(?:[ \u00a0]|['’]s )[A-Z]")
_LOCATIVE = frozenset({"in", "near", "at", "across", "throughout", "outside", "towards", "around"})
_LOOK_BACK = 4


@dataclass(frozen=True, slots=True)
class Spelling:
    """How a document writes its words, in lower case here.

    `names` stand with a capital inside a sentence; `small` without one.
    """

    names: frozenset[str] = frozenset()
    small: frozenset[str] = frozenset()

    @classmethod
    def of(cls, texts: Iterable[str]) -> Spelling:
        """The spelling of the sentences or lines of a document."""
        names: set[str] = set()
        small: set[str] = set()
        for text in texts:
            for match in _WORD.finditer(text):
                word = match[0]
                if word.islower():
                    small.add(word)
                elif _has_capital(word) and not _may_only_open(text, match):
                    names.add(word.lower())
        return cls(frozenset(names), frozenset(small))


NO_SPELLING = Spelling()


@dataclass(frozen=True, slots=True)
class Slots:
    """Quantities, dates and references that were found in a text before its names."""

    quantities: Sequence[Quantity]
    dates: Sequence[DateSpan]
    references: Sequence[RegulatoryReference]


def entities_of(
    text: str, lexicon: Lexicon, slots: Slots, spelling: Spelling
) -> tuple[Entity, ...]:
    """The entities of `text`, in order, none inside another; `spelling` is the document's."""
    fixed = chain(
        (Entity(one.text, EntityType.REGULATION, one.start, one.end) for one in slots.references),
        (Entity(one.text, EntityType.DATE, one.start, one.end) for one in slots.dates),
        (Entity(one[0], EntityType.DATE, *one.span()) for one in _CALENDAR.finditer(text)),
        _names(text, lexicon, spelling),
        (Entity(one.text, EntityType.NUMBER, one.start, one.end) for one in slots.quantities),
    )
    return apart(fixed)


def names_of(text: str, lexicon: Lexicon) -> tuple[Entity, ...]:
    """The names in a text that is read by itself."""
    found = entities_of(text, lexicon, Slots((), (), ()), NO_SPELLING)
    return tuple(one for one in found if one.type is not EntityType.DATE)


def _has_capital(word: str) -> bool:
    return word[0].isupper() or (not word.islower() and any(char.isupper() for char in word))


def _in_name(text: str, match: re.Match[str]) -> bool:
    if _NUMBERED.match(text, match.start()):
        return True
    return _has_capital(match[0]) and not _FIRST_PERSON.fullmatch(match[0])


def _may_only_open(text: str, match: re.Match[str]) -> bool:
    """Whether the capital of a word tells nothing because a sentence may begin with it."""
    if match[0][1:2].isupper():
        return False
    start = match.start()
    return bool(_OPENING.search(text, max(0, start - _LOOK_BACK), start)) or start == 0


def _names(text: str, lexicon: Lexicon, spelling: Spelling) -> Iterator[Entity]:
    book, run = lexicon.names, list[re.Match[str]]()
    for match in _WORD.finditer(text):
        if not _in_name(text, match):
            continue
        if run and _joined(text, run[-1], match, book):
            run.append(match)
            continue
        yield from _name(text, run, book)
        run = [match] if _begins_name(text, match, lexicon, spelling) else []
    yield from _name(text, run, book)


def _joined(text: str, before: re.Match[str], match: re.Match[str], book: NameBook) -> bool:
    between = text[before.end() : match.start()]
    if len(between) <= 1:
        return between in (" ", "\u00a0", "")
    if between in (" & ", " - ", ". "):
        return between != ". " or len(before[0]) <= 2 or before[0].lower() in book.titles
    return len(between) <= 9 and book.joint.fullmatch(between) is not None


def _begins_name(text: str, match: re.Match[str], lexicon: Lexicon, spelling: Spelling) -> bool:
    book = lexicon.names
    word = match[0].lower().replace("’", "'").removesuffix("'s")
    if word in lexicon.words.stop_words:
        return match[0].isupper() and len(word) > 1
    if not _may_only_open(text, match) or word in spelling.names:
        return True
    # Another capital follows at once: "Delmar Dynamics" at the start of a sentence.
    if _NEXT_CAPITAL.match(text, match.end()):
        return True
    known = word in book.place_names or word in book.given_names
    return not (
        word in book.common
        or word in spelling.small
        or word in lexicon.file.imperatives
        or word.endswith(("ly", "ing"))
        or (not known and _PLURAL.fullmatch(match[0]))
        or (word[0].isdigit() and not _NUMBERED.match(text, match.start()))
    )


def _name(text: str, run: Sequence[re.Match[str]], book: NameBook) -> Iterator[Entity]:
    if run:
        start, end = run[0].start(), run[-1].end()
        yield Entity(text[start:end], _type(text, run, book), start, end)


def _type(text: str, run: Sequence[re.Match[str]], book: NameBook) -> EntityType | None:
    words = [match[0].lower() for match in run]
    before = text[max(0, run[0].start() - 16) : run[0].start()].lower().split()
    if book.titles & set(words[1:-1]):
        return EntityType.PERSON
    if words[-1] in book.organisations or (book.organisations & set(words) and len(words) > 1):
        return EntityType.ORG
    if words[0] in book.titles and len(words) > 1:
        return EntityType.PERSON
    if words[0] in book.given_names:
        return EntityType.PERSON
    if words[-1] in book.places or words[0] in book.places or words[-1] in book.place_names:
        return EntityType.LOCATION
    if words[-1] in book.products or _MODEL_NUMBER.fullmatch(run[-1][0]):
        return EntityType.PRODUCT
    if before and before[-1].rstrip(".") in book.titles:
        return EntityType.PERSON
    if before and before[-1] in _LOCATIVE and not run[0][0].isupper():
        return EntityType.LOCATION
    return None

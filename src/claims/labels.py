"""Labels that distinguish things of one sort: "district 4", "Group B", "the second reactor".

A label is not a value. Without labels, statements about lot 4 and lot 5 look like two values of
one thing.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from .lexicon import Lexicon

_MARK = r"(?:\d{1,5}[a-z]?|[IVX]{1,5}|[A-Z])"
_LABELLED = re.compile(
    rf"\b(?P<noun>[A-Za-z]{{3,}})[ \u00a0](?:[Nn](?:o|r|os)\.? ?|[Nn]umbers? |#)?"
    rf"(?P<marks>{_MARK}(?:(?:, (?:and |or )?| (?:and|or|to|&) | ?[–-] ?){_MARK})*)"
    r"(?![\w%°$€£'’-]|[.,:/]\d| (?:per ?cent|percent|thousand|million|billion|trillion)\b)"
)
# "Apollo 11 landed"; "Norland 45, Sudland 38" are results.
_NAMED = re.compile(
    r"\b(?P<noun>[A-Z][A-Za-z]+) (?P<mark>\d{1,5})"
    r" (?!(?:and|or|to|in|on|at|of|for|from|with|by|against|per) )(?=[a-z])"
)
_SUBJECT = re.compile(
    r"(?:^|[.;:!?]\s+)(?:The|Its|Their|His|Her) (?P<mark>[a-z]+) "
    r"(?P<noun>(?![a-z]+ed\b)[a-z]{3,})\b"
)
_SINGLE = re.compile(_MARK)
_RANGE = re.compile(r"[–-]| to ")
_ROMAN = {"I": 1, "V": 5, "X": 10}
# "Team 3 players" counts them; of what is always numbered this is no question.
_COUNTED = re.compile(r" [a-z]{3,}s\b")
_YEARS = range(1000, 2200)
_FIRST = {"first": 1, "second": 2, "third": 3}


def labels(text: str, lexicon: Lexicon) -> Mapping[str, frozenset[str]]:
    """The marks in `text` by what bears them; one that "lines 4 to 7" are in has none."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for match in _LABELLED.finditer(text):
        noun = _noun(match["noun"].lower(), lexicon)
        if noun and not _counts(match, noun, lexicon):
            found[noun].update(map(_plain, _SINGLE.findall(match["marks"])))
            if _RANGE.search(match["marks"]):
                found[noun].clear()
                found[noun].add("")
    for noun, mark in (*_named(text, lexicon), *_subjects(text, lexicon)):
        found[noun].add(mark)
    return {noun: frozenset(marks) for noun, marks in found.items() if "" not in marks}


def _named(text: str, lexicon: Lexicon) -> Iterator[tuple[str, str]]:
    """Names that end in a number."""
    for match in _NAMED.finditer(text):
        noun = match["noun"].lower()
        common = noun in lexicon.words.stop_words or lexicon.months.fullmatch(noun)
        if not (common or _noun(noun, lexicon) or _counts(match, noun, lexicon)):
            yield noun, _plain(match["mark"])


def _subjects(text: str, lexicon: Lexicon) -> Iterator[tuple[str, str]]:
    """Subject nouns, each with its ordinal or side: "the first reactor", "the northern quay"."""
    for match in _SUBJECT.finditer(text):
        mark, noun = match["mark"], match["noun"]
        number = _FIRST.get(mark) or lexicon.ordinal_words.get(mark)
        if number:
            yield noun, str(number)
        elif mark in lexicon.sides:
            # A quay may be the southern one and quay 3.
            yield f"{noun} by side", mark


def differ_in_label(one: str, other: str, lexicon: Lexicon) -> bool:
    """Whether two texts are about differently labelled things of one sort."""
    own = labels(one, lexicon)
    if not own:
        return False
    theirs = labels(other, lexicon)
    return any(marks.isdisjoint(theirs[noun]) for noun, marks in own.items() if noun in theirs)


def _noun(word: str, lexicon: Lexicon) -> str:
    """Singular of `word` if it is a noun that can bear a label, else ""."""
    for noun in (word.removesuffix("s"), word.removesuffix("es"), word):
        if noun in lexicon.structural or noun in lexicon.labelled:
            return noun
    return ""


def _counts(match: re.Match[str], noun: str, lexicon: Lexicon) -> bool:
    """Whether the number rather says how many, or when."""
    if noun in lexicon.structural:
        return False
    marks = _SINGLE.findall(match[2])
    year = any(mark.isdigit() and int(mark) in _YEARS for mark in marks)
    return year or _COUNTED.match(match.string, match.end(2)) is not None


def _plain(mark: str) -> str:
    """One spelling of a mark: "II" is 2."""
    if not all(letter in _ROMAN for letter in mark):
        return mark.lower().lstrip("0") or "0"
    values = [_ROMAN[letter] for letter in mark]
    after = [*values[1:], 0]
    return str(sum(v if v >= n else -v for v, n in zip(values, after, strict=True)))

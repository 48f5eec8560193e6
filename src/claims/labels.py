"""Numbers and letters that tell things of one sort apart: "district 4", "Group B", "phase II".

Such a number is no value, so that what is said of lot 4 and of lot 5 reads like two values of one
thing to whoever compares values alone.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping

from .lexicon import Lexicon

_MARK = r"(?:\d{1,4}[a-z]?|[IVX]{1,5}|[A-Z])"
_LABELLED = re.compile(
    rf"\b(?P<noun>[A-Za-z]{{3,}})[ \u00a0](?:[Nn](?:o|r|os)\.? ?|[Nn]umbers? |#)?"
    rf"(?P<marks>{_MARK}(?:(?:, (?:and |or )?| (?:and|or|to|&) | ?[–-] ?){_MARK})*)"
    r"(?![\w%°$€£'’-]|[.,:/]\d| (?:per ?cent|percent|thousand|million|billion|trillion)\b)"
)
_SINGLE = re.compile(_MARK)
_RANGE = re.compile(r"[–-]| to ")
_ROMAN = {"I": 1, "V": 5, "X": 10}
# "Team 3 players" counts them; of what is always numbered this is no question.
_COUNTED = re.compile(r" [a-z]{3,}s\b")
_YEARS = range(1000, 2200)


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
    return {noun: frozenset(marks) for noun, marks in found.items() if "" not in marks}


def told_apart(one: str, other: str, lexicon: Lexicon) -> bool:
    """Whether two texts are about differently labelled things of one sort."""
    own = labels(one, lexicon)
    if not own:
        return False
    theirs = labels(other, lexicon)
    return any(marks.isdisjoint(theirs[noun]) for noun, marks in own.items() if noun in theirs)


def _noun(word: str, lexicon: Lexicon) -> str:
    """What may bear a label, in the singular; "" if it may not."""
    for noun in (word.removesuffix("s"), word.removesuffix("es"), word):
        if noun in lexicon.structural or noun in lexicon.labelled:
            return noun
    return ""


def _counts(match: re.Match[str], noun: str, lexicon: Lexicon) -> bool:
    """Whether the number rather says how many, or when."""
    if noun in lexicon.structural:
        return False
    year = any(mark.isdigit() and int(mark) in _YEARS for mark in _SINGLE.findall(match["marks"]))
    return year or _COUNTED.match(match.string, match.end()) is not None


def _plain(mark: str) -> str:
    """One spelling of a mark: "II" is 2."""
    if not all(letter in _ROMAN for letter in mark):
        return mark.lower().lstrip("0") or "0"
    values = [_ROMAN[letter] for letter in mark]
    after = [*values[1:], 0]
    return str(sum(v if v >= n else -v for v, n in zip(values, after, strict=True)))

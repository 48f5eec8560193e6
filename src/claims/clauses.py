"""The words of a sentence, and which of them are verbs of a clause, by lists and neighbours."""

from __future__ import annotations

import bisect
import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple

from ..base.registry import RegistryModel

CLAUSES_FILE = "clauses.yaml"
_WORD = re.compile(r"[^\W_]+(?:[.,'’/&-][^\W_]+)*%?|[$€£¥%]|[,;:—–()]")
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|\([^()]*\)|\[[^\[\]]*\]")
_LABEL = re.compile(
    r"\W*(?:[A-Z][\w '’-]{2,60}: +)?(?:(?:then|next|finally|first|second|third|also|lastly),? +)?"
    # "To save the file, go to the menu", "Once it has cooled, add the milk".
    r"(?:(?:in order to|to|once|when|if|after|before) [^,.;:]{3,80}, )?\W*",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"[^\W\d_]+(?:['’][a-z]+)?")
_OPENING = 80
_FIRST_WORDS = 5
_VOWELS = frozenset("aeiou")


class ClausesFile(RegistryModel):
    """The whole of `clauses.yaml`."""

    auxiliaries: frozenset[str]
    past: frozenset[str]
    past_or_participle: frozenset[str]
    verbs: frozenset[str]
    plain_verbs: frozenset[str]
    prepositions: frozenset[str]
    determiners: frozenset[str]
    not_objects: frozenset[str]
    pronouns: frozenset[str]
    subordinators: frozenset[str]
    reporting: frozenset[str]


class Word(NamedTuple):
    """A word, number or mark of punctuation of a sentence; `low` is its lower case."""

    low: str
    start: int
    end: int
    capital: bool

    @property
    def is_mark(self) -> bool:
        """Whether it is punctuation."""
        return not (self.low[0].isalnum() or self.low[0] in "$€£¥%")


class Finite(Enum):
    """Whether a word is the verb of a clause."""

    NO = auto()
    # A past form that may as well be a participle.
    PERHAPS = auto()
    YES = auto()


@dataclass(frozen=True, slots=True)
class ClauseWords:
    """The word lists, with the forms of the verbs."""

    file: ClausesFile
    third: frozenset[str]
    plain_third: frozenset[str]
    base: frozenset[str]

    @classmethod
    def compile(cls, file: ClausesFile) -> ClauseWords:
        """The forms of the verbs of `file`."""
        return cls(
            file=file,
            third=frozenset(third_person(verb) for verb in file.verbs | file.plain_verbs),
            plain_third=frozenset(third_person(verb) for verb in file.plain_verbs),
            base=file.verbs | file.plain_verbs,
        )

    def finite(self, words: Sequence[Word], at: int) -> Finite:
        """Whether `words[at]` is the verb of a clause."""
        word, file = words[at], self.file
        if word.capital or word.is_mark:
            return Finite.NO
        if word.low in file.auxiliaries or word.low in file.past:
            return Finite.YES
        before = words[at - 1].low if at else ""
        if before in file.pronouns and (word.low in self.third or word.low in self.base):
            return Finite.YES
        links = before in file.determiners or before in file.prepositions
        if links and before not in file.subordinators:
            return Finite.NO
        if word.low in file.reporting and word.low in self.base:
            return Finite.YES if before.endswith("s") or before == "people" else Finite.NO
        if word.low in self.third:
            plain = word.low in self.plain_third
            return Finite.YES if plain or self.opens_object(words, at + 1) else Finite.NO
        if self.is_past_or_participle(word.low):
            return Finite.YES if self.opens_object(words, at + 1) else Finite.PERHAPS
        return Finite.NO

    def is_past_or_participle(self, low: str) -> bool:
        """Whether a word is a regular past form or another that is also a participle."""
        regular = len(low) > 4 and low.endswith("ed") and not low.endswith("eed")
        regular = regular and "-" not in low
        return regular or low in self.file.past_or_participle

    def opens_object(self, words: Sequence[Word], at: int) -> bool:
        """Whether what begins at `at` can be the object of a verb: "the", "40", "Oslo"."""
        if at >= len(words):
            return False
        word = words[at]
        return (
            (word.low in self.file.determiners and word.low not in self.file.not_objects)
            or (word.low[0].isdigit() or word.low[0] in "$€£¥")
            or word.capital
        )


@functools.lru_cache(maxsize=16)
def words_of(text: str) -> tuple[Word, ...]:
    """The words and marks of a sentence, without what stands in quotation marks or brackets.

    Kept for a few sentences, since several questions are asked of one before the next.
    """
    hidden = [match.span() for match in _QUOTED.finditer(text)]
    starts = [start for start, _ in hidden]
    found: list[Word] = []
    for match in _WORD.finditer(text):
        at = bisect.bisect_right(starts, match.start()) - 1
        if at < 0 or match.start() >= hidden[at][1]:
            low = match[0].lower().replace("’", "'")
            found.append(Word(low, match.start(), match.end(), match[0][0].isupper()))
    return tuple(found)


def is_verbless(text: str, lists: ClauseWords) -> bool:
    """Whether `text` has no verb of a clause: a title, a caption or a list of facts."""
    words = words_of(text)
    return all(lists.finite(words, at) is not Finite.YES for at in range(len(words)))


def is_advice(text: str, lists: ClauseWords) -> bool:
    """Whether a sentence tells the reader to do something: "Then, measure the pulse".

    Also after a heading of its own, "Planning: set a goal", or what it is good for or follows on.
    """
    label = _LABEL.match(text)
    start = label.end() if label else 0
    low = [match[0].lower() for match in _PLAIN.finditer(text, start, start + _OPENING)]
    if len(low) < 2 or low[0] not in lists.base:
        return False
    verbs = lists.third, lists.file.auxiliaries, lists.file.past
    return all(forms.isdisjoint(low[:_FIRST_WORDS]) for forms in verbs)


def third_person(verb: str) -> str:
    """The form after "it": "carries", "reaches", "sells"."""
    if verb == "have":
        return "has"
    if verb.endswith("y") and verb[-2] not in _VOWELS:
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")

"""Pronouns in the subject of a claim, and what they stand for where that is certain."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..documents.model import Document, Sentence
from .classify import is_readable
from .clauses import subject_of
from .context import preceding
from .entities import Slots, Spelling, entities_of
from .lexicon import Lexicon
from .model import Claim, Entity, EntityType, Referent

_THING, _SEVERAL, _PERSON = "thing", "several", "person"
_KINDS = {
    **dict.fromkeys(("it", "its"), _THING),
    **dict.fromkeys(("they", "them", "their"), _SEVERAL),
    **dict.fromkeys(("he", "him", "his", "she", "her"), _PERSON),
}
_OWNING = frozenset({"its", "their", "his", "her"})
_PRONOUN = re.compile(rf"\b(?:{'|'.join(_KINDS)})\b(?!-)", re.IGNORECASE)
# "It is clear that": nothing is meant.
_EMPTY = re.compile(
    r"it (?:(?:is|was|has been|will be|would be|may be)|(?:take|seem|appear|remain|follow)s|took"
    r"|(?:seem|appear|remain|follow|turn)ed(?: out)?)\b[^,;]* (?:that|to)\b",
    re.IGNORECASE,
)
# The verb of a longer subject is seldom the first one that is found.
_LONGEST_ANTECEDENT = 12
# "It" after "it" after "it": a text may have thousands, and each is a call within a call.
_MOST_LINKS = 20
_NO_ANTECEDENT = re.compile(
    r"(?:\W*\d|\w+ing\b|(?:one|there|this|that|what|nobody|none|some|here|all|both|i|you|we)\b)"
    r"|.*['’]s?$",
    re.IGNORECASE,
)
_INNER = re.compile(r" (?:it|they|he|she|that|which|who)\b")
_PREPOSITION = re.compile(r",| (?:of|in|on|at|by|for|from|with|to|under|between|near|over|about) ")
_NOT_PLURAL = re.compile(r"(?:ss|us|is|ics|[Nn]ews|[Ss]eries|[Ss]pecies|headquarters|works)$")
_WORD = re.compile(r"[^\W_]+(?:[-'’&.][^\W_]+)*")
_THINGS = (EntityType.ORG, EntityType.PRODUCT, None)
_NO_SLOTS = Slots((), (), ())


@dataclass(frozen=True, slots=True)
class _Earlier:
    """Subject and names of an earlier sentence; the subject is "" if unknown."""

    subject: str
    names: tuple[Entity, ...]

    def of_type(self, *types: EntityType | None) -> list[str]:
        return [one.text for one in self.names if one.type in types]


class Coreference:
    """The sentences of a document with what each of them is about."""

    def __init__(self, document: Document, lexicon: Lexicon, spelling: Spelling) -> None:
        self._document = document
        self._lexicon = lexicon
        self._spelling = spelling
        self._known: dict[int, _Earlier] = {}
        self._links = 0

    def referents(self, claim: Claim) -> tuple[Referent, ...]:
        """The pronouns in the subject of a claim."""
        text, sentence = claim.text, self._document.sentences[claim.sentence]
        if not is_readable(self._document, text) or _EMPTY.match(text):
            return ()
        subject = subject_of(text, self._lexicon.clauses)
        pronouns = _PRONOUN.finditer(text, *subject) if subject else ()
        return tuple(
            self._refer(match, sentence)
            for match in pronouns
            if not any(quote.start <= match.start() < quote.end for quote in claim.quotes)
        )

    def _refer(self, match: re.Match[str], sentence: Sentence) -> Referent:
        earlier = [self._about(one) for one in preceding(self._document, sentence)]
        kind = _KINDS[match[0].lower()]
        antecedent, certain = "", False
        if earlier and kind == _PERSON:
            antecedent, certain = _person(earlier)
        elif earlier:
            antecedent, certain = _thing(earlier[0], several=kind == _SEVERAL)
        return Referent(*match.span(), match[0], _definite(antecedent), certain)

    def _about(self, sentence: Sentence) -> _Earlier:
        if sentence.index not in self._known:
            names = entities_of(sentence.text, self._lexicon, _NO_SLOTS, self._spelling)
            self._known[sentence.index] = _Earlier(self._subject(sentence), names)
        return self._known[sentence.index]

    def _subject(self, sentence: Sentence) -> str:
        """The subject of a sentence, of a pronoun what that stands for; "" if it is no use."""
        span = subject_of(sentence.text, self._lexicon.clauses)
        pronoun = _PRONOUN.fullmatch(sentence.text, *span) if span else None
        if pronoun:
            return self._antecedent(pronoun, sentence)
        subject = sentence.text[slice(*span)] if span else ""
        first = subject.partition(" ")[0].lower()
        unfit = _NO_ANTECEDENT.match(subject) or _INNER.search(subject)
        unfit = unfit or first in self._lexicon.clauses.file.prepositions
        return "" if unfit or len(subject.split()) > _LONGEST_ANTECEDENT else subject

    def _antecedent(self, pronoun: re.Match[str], sentence: Sentence) -> str:
        """The certain antecedent of a subject, which may be a pronoun itself; else ""."""
        if self._links >= _MOST_LINKS:
            return ""
        self._links += 1
        found = self._refer(pronoun, sentence)
        self._links -= 1
        return found.antecedent if found.certain else ""


def _thing(before: _Earlier, *, several: bool) -> tuple[str, bool]:
    subject = before.subject
    if not subject or _is_plural(subject) is not several:
        return "", False
    rivals = [name for name in before.of_type(*_THINGS) if name not in subject]
    return subject, several or not rivals


def _person(earlier: Sequence[_Earlier]) -> tuple[str, bool]:
    persons = _longest([name for one in earlier for name in one.of_type(EntityType.PERSON)])
    named = [name for name in earlier[0].of_type(None) if " " in name]
    if len(persons) == 1:
        return persons[0], not named
    alone = not persons and named == [earlier[0].subject]
    return (named[0], True) if alone else ("", False)


def _longest(texts: Sequence[str]) -> list[str]:
    """The different ones of `texts`; of two where one holds the other, the longer."""
    return [
        text
        for text in dict.fromkeys(texts)
        if not any(text != other and text in other for other in texts)
    ]


def _is_plural(text: str) -> bool:
    phrase = _PREPOSITION.split(text, maxsplit=1)[0]
    head = _WORD.findall(phrase)[-1:]
    plural = bool(head) and head[0].endswith("s") and head[0].islower()
    return " and " in phrase or (plural and not _NOT_PLURAL.search(head[0]))


def _definite(antecedent: str) -> str:
    """An antecedent as it is spoken of the second time: "the study" for "A study"."""
    first, _, rest = antecedent.partition(" ")
    return f"the {rest}" if first.lower() in ("a", "an", "one", "the") and rest else antecedent


def resolve(text: str, referents: Iterable[Referent]) -> str:
    """`text` with the certain ones of `referents` in place; "" if there is none."""
    pieces: list[str] = []
    at = 0
    for one in referents:
        if one.certain:
            ending = ("'" if one.antecedent.endswith("s") else "'s") if _owns(one) else ""
            first = one.antecedent[0]
            antecedent = (first if one.start else first.upper()) + one.antecedent[1:]
            pieces += [text[at : one.start], antecedent, ending]
            at = one.end
    return "".join([*pieces, text[at:]]) if pieces else ""


def _owns(one: Referent) -> bool:
    return one.text.lower() in _OWNING

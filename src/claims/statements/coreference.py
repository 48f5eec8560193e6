"""Coreference of "it", "they" or "the company", where earlier sentences leave no doubt."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...base.registry import RegistryModel, load_registry_file
from ..model import Entity, EntityType, Referent
from .clauses import ClauseWords

REFERENTS_FILE = "referents.yaml"
_WORD = re.compile(r"[^\W_]+(?:[-'’&.][^\W_]+)*")
_PREPOSITION = re.compile(r",| (?:of|in|on|at|by|for|from|with|to|under|between|near|over|about) ")
_NOT_PLURAL = re.compile(r"(?:ss|us|is|ics|[Nn]ews|[Ss]eries|[Ss]pecies|headquarters|works)$")
_EMPTY_SUBJECT = re.compile(
    r"(?:\W*\d|one\b|there\b|this$|that$|what\b|nobody\b|none\b|some\b)", re.I
)
_LONGEST_ANTECEDENT = 12
_THINGS = (EntityType.ORG, EntityType.LOCATION, EntityType.PRODUCT, None)


class ReferentsFile(RegistryModel):
    """The whole of `referents.yaml`."""

    pronouns: dict[str, frozenset[str]]
    possessives: frozenset[str]
    empty: tuple[str, ...]
    descriptions: dict[EntityType | str, tuple[str, ...]]
    ships: frozenset[str]


@dataclass(frozen=True, slots=True)
class ReferentWords:
    """The word lists of `referents.yaml` for look-up; `descriptions` lead to what they name."""

    file: ReferentsFile
    descriptions: dict[str, EntityType | None]
    kinds: dict[str, str]
    mention: re.Pattern[str]
    empty: re.Pattern[str]


def load_referents(folder: Path | None = None) -> ReferentWords:
    """The packaged word lists, or those of `folder`.

    Raises:
        RegistryError: The file is broken or does not validate.
    """
    file = load_registry_file(ReferentsFile, REFERENTS_FILE, folder)
    kinds = {word: kind for kind, words in file.pronouns.items() for word in words}
    descriptions = {
        noun: EntityType(kind) if kind else None
        for kind, nouns in file.descriptions.items()
        for noun in nouns
    }
    nouns = "|".join(sorted(map(re.escape, descriptions), key=len, reverse=True))
    words = "|".join(sorted(kinds, key=len, reverse=True))
    return ReferentWords(
        file=file,
        descriptions=descriptions,
        kinds=kinds,
        mention=re.compile(rf"\b(?:(?:the|this|that) (?P<noun>{nouns})|(?:{words}))\b(?!-)", re.I),
        empty=re.compile(rf"(?:{'|'.join(file.empty)})\b[^,;]* (?:that|to)\b", re.I),
    )


@dataclass(frozen=True, slots=True)
class Earlier:
    """Subject and names of an earlier sentence; the subject is "" if unknown."""

    subject: str
    names: tuple[Entity, ...]


@dataclass(frozen=True, slots=True)
class Mention:
    """A word that stands for something; `placed` if it is known to stand in the subject."""

    start: int
    end: int
    text: str
    kind: str
    noun: str
    placed: bool


def find_mentions(
    text: str, subject: tuple[int, int] | None, words: ReferentWords, lists: ClauseWords
) -> Iterator[Mention]:
    """The words of `text` whose meaning stands before it; `subject` is that of its main clause.

    A pronoun after the subject may mean that and is left out.
    """
    if words.empty.match(text):
        return
    for match in words.mention.finditer(text):
        noun = (match["noun"] or "").lower()
        kind = "" if noun else words.kinds[match[0].lower()]
        inside = subject is not None and subject[0] <= match.start() < subject[1]
        named = noun and match["noun"][0].isupper()
        if named or (noun and not _stands_alone(text, match.end(), lists)):
            continue
        if kind and subject is not None and not inside:
            continue
        yield Mention(*match.span(), match[0], kind, noun, subject is not None)


def _stands_alone(text: str, end: int, lists: ClauseWords) -> bool:
    """Whether a noun is not narrowed, nor part of a longer one: "the plan price"."""
    following = _WORD.match(text, end + 1) if text[end : end + 1] == " " else None
    if following is None:
        return text[end : end + 1] not in "-/"
    low, file = following[0].lower(), lists.file
    if low in ("of", "that", "which", "who", "where"):
        return False
    known = (file.prepositions, file.joining, file.adverbs, file.auxiliaries, file.past)
    return any(low in group for group in known) or lists.is_participle(low) or low in lists.third


def refer(mention: Mention, earlier: Sequence[Earlier], words: ReferentWords) -> Referent | None:
    """Referent of `mention`; `earlier` are the sentences before it, the nearest first.

    None for a description that may refer to nothing earlier: "the harbour".
    """
    if mention.noun:
        antecedent, certain = _described(mention, earlier, words)
        if not antecedent and words.descriptions[mention.noun] is None:
            return None
    elif not earlier:
        antecedent, certain = "", False
    elif mention.kind == "person":
        antecedent, certain = _person(mention, earlier, words)
    else:
        antecedent, certain = _thing(earlier[0], several=mention.kind == "several")
    return Referent(
        mention.start,
        mention.end,
        mention.text,
        _definite(antecedent),
        certain and bool(antecedent) and (mention.placed or bool(mention.noun)),
    )


def _thing(before: Earlier, *, several: bool) -> tuple[str, bool]:
    subject = _usable(before.subject)
    if subject and _is_plural(subject) is several:
        rivals = _outside(before, subject, _THINGS)
        return subject, several or all(one.type is EntityType.LOCATION for one in rivals)
    names = [one.text for one in before.names if one.type in _THINGS]
    fitting = list(dict.fromkeys(name for name in names if _is_plural(name) is several))
    return (fitting[0], len(fitting) == 1 and not subject) if fitting else ("", False)


def _person(mention: Mention, earlier: Sequence[Earlier], words: ReferentWords) -> tuple[str, bool]:
    persons = _distinct(earlier, (EntityType.PERSON,))
    subject = _usable(earlier[0].subject)
    named = [one for one in earlier[0].names if one.type is None and " " in one.text]
    if len(persons) == 1:
        return persons[0], not named
    if persons:
        return (subject if subject in persons else persons[0]), False
    ship = not words.file.ships.isdisjoint(_WORD.findall(subject.lower()))
    if ship and mention.text.lower() in ("she", "her"):
        return subject, True
    alone = len(named) == 1 and named[0].text == subject
    return (subject, alone) if any(one.text == subject for one in named) else ("", False)


def _described(
    mention: Mention, earlier: Sequence[Earlier], words: ReferentWords
) -> tuple[str, bool]:
    """The one thing before that is called the same, or the one name of the sort described."""
    alike = [
        text
        for one in earlier
        for text in (_usable(one.subject), *(name.text for name in one.names))
        if _head(text).lower() == mention.noun and text.lower() != mention.text.lower()
    ]
    kept = _longest(alike)
    if kept:
        return kept[0], len(kept) == 1
    kind = words.descriptions[mention.noun]
    if kind is None:
        return "", False
    typed, untyped = _distinct(earlier, (kind,)), _distinct(earlier, (None,))
    if typed:
        alone = len(typed) == 1 and not untyped and kind is EntityType.ORG
        return typed[0], alone and words.descriptions.get(_head(typed[0]).lower(), kind) is kind
    return (untyped[0] if untyped else ""), False


def _distinct(earlier: Iterable[Earlier], types: Sequence[EntityType | None]) -> list[str]:
    return _longest([one.text for each in earlier for one in each.names if one.type in types])


def _longest(texts: Sequence[str]) -> list[str]:
    """The different ones of `texts`; of two where one holds the other, the longer."""
    return [
        text
        for text in dict.fromkeys(texts)
        if not any(text != other and text in other for other in texts)
    ]


def _outside(before: Earlier, subject: str, types: Sequence[EntityType | None]) -> list[Entity]:
    return [one for one in before.names if one.type in types and one.text not in subject]


def _usable(subject: str) -> str:
    """A subject that can be named again, without a comma at its end; else ""."""
    words = subject.split()
    empty = not words or len(words) > _LONGEST_ANTECEDENT or _EMPTY_SUBJECT.match(subject)
    return "" if empty else subject.rstrip(" ,;")


def _head(text: str) -> str:
    """The noun that says what a phrase is: "study" of "a study by the mill"."""
    words = _WORD.findall(_PREPOSITION.split(text, maxsplit=1)[0])
    return words[-1] if words else ""


def _is_plural(text: str) -> bool:
    if " and " in _PREPOSITION.split(text, maxsplit=1)[0]:
        return True
    head = _head(text)
    return head.endswith("s") and head.islower() and not _NOT_PLURAL.search(head)


def _definite(antecedent: str) -> str:
    """An antecedent as it is spoken of the second time: "the study" for "A study"."""
    first, _, rest = antecedent.partition(" ")
    return f"the {rest}" if first.lower() in ("a", "an", "one", "the") and rest else antecedent


def resolve(text: str, referents: Iterable[Referent], words: ReferentWords) -> str:
    """`text` with the certain ones of `referents` in place; "" if there is none."""
    pieces: list[str] = []
    at = 0
    for one in referents:
        if not one.certain:
            continue
        owner = one.text.lower() in words.file.possessives
        ending = ("'" if one.antecedent.endswith("s") else "'s") if owner else ""
        antecedent = one.antecedent if one.start else _capital(one.antecedent)
        pieces += [text[at : one.start], antecedent, ending]
        at = one.end
    return "".join([*pieces, text[at:]]) if pieces else ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]

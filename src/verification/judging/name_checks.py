"""Names that keep a claim from being supported: absent, replaced, or in another order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ...claims.words import Token
from ..meaning.objection import Objection, ObjectionKind
from ..meaning.trend import is_with_before
from ..reading.form import ClaimForm, covered
from ..reading.glossary import initials
from ..reading.names import Name
from ..reading.window import Window
from .alignment import FIRST_PERSON, Aligner, Alignment

_NUMBERS_READ = 20
# A name is compared by this many of the claim's words around it, at most so many words away.
_NEIGHBOURS = 3
_BESIDE = 5
_ROOT = 4
# How sure it is that another one is meant: one stands in the name's place, the source lacks the
# name, the passage lacks it, or has it beside other words.
_REPLACED, _FOREIGN, _ABSENT, _ELSEWHERE = 0.7, 0.6, 0.4, 0.2
_ORDER = 0.3
_MULTIPLIED = frozenset({"doubl", "tripl", "trebl", "quadrupl", "halv", "twic", "half", "once"})
# After these stands a place, which may lie in the other one.
_POSSESSIVE = ("'s", "’s", "s'", "s’")
_JOINED = re.compile(r",? ?(?:and |or |nor |& )?(?:the )?")
_CONJOINED, _PAIR = re.compile(r"\b(?:and|or|nor)\b|&"), 2
# Who or what follows has no part in what happens there.
_SETTING = re.compile(r"\b(?:in|at|near)(?: the)? $", re.IGNORECASE)
_LEAD = 16
_WORD_BEFORE = re.compile(r"(?P<word>[A-Za-z]+) (?:the )?$")
# The subject of "X is among the ports at which Y called" stands last in "Y called at X".
_ONE_OF = re.compile(
    r"\b(?:is|are|was|were)\b[^,;.]* (?:one of|among|amongst) [^,;.]*\b(?:that|which|whom|where)\b"
)
_PLACES = frozenset({"in", "at", "to", "from", "of", "on", "near", "for", "through"})


def name_objections(
    aligner: Aligner, window: Window, stretch: Sequence[Token]
) -> Iterator[Objection]:
    """Names of the claim that the passage lacks, or has in another place than the claim."""
    near = _rivals(aligner, window, stretch)
    names = _claimed_names(aligner)
    # Where the source says "we", the first name of the claim is its own; who is quoted has a name.
    spoken = (token.word for token in stretch)
    speaks = not aligner.form.claim.quotes and not FIRST_PERSON.isdisjoint(spoken)
    for name in names[1:] if speaks else names:
        rivals = [*near, *_in_its_place(name, aligner, window)]
        objection = _against_name(name, rivals, aligner, window)
        if objection:
            yield objection


def _in_its_place(name: Name, aligner: Aligner, window: Window) -> Iterator[Name]:
    """Names of a one-sentence passage after the preposition that leads to `name` in the claim.

    "At Skarvik, 6,957 tonnes were landed" is not of those that were landed at Lisk.
    """
    lead = _lead(aligner.form.claim.text, name.start)
    if window.first != window.last or lead not in _PLACES or window.stems.issuperset(name.stems):
        return
    claimed = {token.stem for token in aligner.form.tokens}
    for other in aligner.index.cast.names(window.first):
        if _lead(aligner.index.text, other.start) == lead and claimed.isdisjoint(other.stems):
            yield other


def _lead(text: str, start: int) -> str:
    """The word before a name, in lower case, articles left out."""
    found = _WORD_BEFORE.search(text, max(0, start - _LEAD), start)
    return found["word"].lower() if found else ""


def _against_name(
    name: Name, rivals: Sequence[Name], aligner: Aligner, window: Window
) -> Objection | None:
    present = window.stems | aligner.explained(window)
    absent = [word for word in name.stems if word not in present]
    if not absent:
        if not window.stems.issuperset(name.stems):
            return None
        settled = aligner.form.reports or aligner.roles.hold(window)
        settled = settled or _opens_both(name, aligner, window)
        settled = settled or bool(_ONE_OF.search(aligner.form.claim.text))
        if not rivals or settled or _stands_alike(name, aligner, window):
            return None
        return Objection(ObjectionKind.NAME, name.text, rivals[0].text, strength=_ELSEWHERE)
    foreign = len(absent) == len(name.stems) and _is_foreign(name, aligner)
    if not (foreign or rivals or _is_apart(name, absent, aligner, window)):
        return None
    rival = next((other for other in rivals if _in_place(name, other, aligner, window)), None)
    shown = rival or next(iter(rivals), None)
    return Objection(
        ObjectionKind.NAME,
        name.text,
        shown.text if shown else "",
        foreign=foreign,
        replaced=rival is not None,
        strength=_REPLACED if rival else _FOREIGN if foreign else _ABSENT,
    )


def _is_foreign(name: Name, aligner: Aligner) -> bool:
    """Whether the source has a word of a name nowhere, and the others as common words alone."""
    known = [word for word in name.stems if _is_known(word, aligner)]
    return len(known) < len(name.stems) and not any(_is_named(word, aligner) for word in known)


def _opens_both(name: Name, aligner: Aligner, window: Window) -> bool:
    """Whether claim and passage are one sentence each that begins with `name`, its subject."""
    if window.first != window.last:
        return False
    determiners = aligner.lexicon.roles.grammar.determiners
    sides = aligner.form.tokens, window.tokens
    openings = [[t.stem for t in tokens if t.word not in determiners] for tokens in sides]
    return all(opening[:1] == [name.stems[0]] for opening in openings)


def _is_apart(name: Name, absent: Sequence[str], aligner: Aligner, window: Window) -> bool:
    """Whether the source names it, but neither in the passage, nor before it, nor at its head."""
    near = any(aligner.is_near(word, window) for word in name.stems)
    return len(absent) == len(name.stems) and not near


def _claimed_names(aligner: Aligner) -> tuple[Name, ...]:
    """The names of the claim, its first word included if the source writes it as a name."""
    form = aligner.form
    if not form.tokens or " | " in form.claim.text:
        return form.names
    first = form.tokens[0]
    if not first.capital or first.stem in aligner.lexicon.words.stop_words:
        return form.names
    if form.names and first.stem in form.names[0].stems:
        return form.names
    if aligner.index.is_always_capital(first.word) and _is_named(first.stem, aligner):
        text = form.claim.text[first.start : first.end]
        return (Name((first.stem,), text, first.start), *form.names)
    return form.names


def _is_named(word: str, aligner: Aligner) -> bool:
    """Whether it is no common word, or the source has it in a name and not just in first place."""
    index = aligner.index
    if index.knows(word) and not aligner.lexicon.words.thesaurus.of(word):
        return True
    numbers = [n for n in index.postings.get(word, ()) if not index.is_meta(n)][:_NUMBERS_READ]
    return any(word in name.stems for number in numbers for name in index.cast.names(number))


def _is_known(word: str, aligner: Aligner) -> bool:
    """Whether the source has the word or, for Kenya, Kenyan."""
    root = word[: max(_ROOT, len(word) - 2)]
    return aligner.index.knows(word) or aligner.index.knows_root(root)


def _rivals(aligner: Aligner, window: Window, stretch: Sequence[Token]) -> list[Name]:
    """Names near the claim's words in the passage that the claim does not mention."""
    claimed = {token.stem for token in aligner.form.tokens}
    numbers, cast = window.numbers(), aligner.index.cast
    near = {token.start for token in stretch if not covered(token, numbers)}
    own = [frozenset(name.stems) for name in aligner.form.names]
    names = [
        name
        for number in range(window.first, window.last + 1)
        for name in cast.names(number)
        if not near.isdisjoint(range(name.start, name.start + len(name.text)))
    ]
    short = {initials(name.text.split()) for name in aligner.form.names}
    listed = _listed(names, own, aligner.index.text)
    return [
        name
        for name in names
        if claimed.isdisjoint(name.stems)
        and name.start not in listed
        and not (name.text.isupper() and name.text.lower() in short)
        and not cast.identity.any_same(own, [frozenset(name.stems)])
    ]


def _listed(names: Sequence[Name], own: Sequence[frozenset[str]], text: str) -> frozenset[int]:
    """Where the names stand that a list gives beside one of the claim's."""
    found: set[int] = set()
    for group in _lists(sorted(dict.fromkeys(names), key=lambda name: name.start), text):
        # "Marlow Marine, Port Lister" is no list, but says where.
        whole = len(group) > _PAIR or _CONJOINED.search(text, group[0].start, group[-1].start)
        if whole and any(frozenset(name.stems) in own for name in group):
            found |= {name.start for name in group}
    return frozenset(found)


def _in_place(name: Name, rival: Name, aligner: Aligner, window: Window) -> bool:
    """Whether the passage has `rival` between the same words as the claim has `name`."""
    own = [token.stem for token in aligner.form.tokens]
    theirs = [token.stem for token in window.tokens]
    at, place = own.index(name.stems[0]), theirs.index(rival.stems[0])
    before = own[max(0, at - 2) : at]
    if not before or before[-1] in _PLACES or before[-1:] != theirs[max(0, place - 1) : place]:
        return False
    if len(before) == 2 and before == theirs[max(0, place - 2) : place]:
        return True
    end, stop = at + len(name.stems), place + len(rival.stems)
    return own[end : end + 1] == theirs[stop : stop + 1]


def _stands_alike(name: Name, aligner: Aligner, window: Window) -> bool:
    """Whether a word next to `name` in the claim stands next to it in the passage, too."""
    form, book = aligner.form, aligner.lexicon.words
    own = next((term.position for term in form.terms if term.stem == name.stems[0]), None)
    if own is None:
        return True
    ranked = sorted(
        (abs(term.position - own), term.stem) for term in form.terms if term.stem not in name.stems
    )
    around = [word for _, word in ranked[:_NEIGHBOURS] if word in window.stems]
    places = window.places(frozenset(name.stems[:1]))
    places += window.places(_opening(name, aligner, window))
    beside = window.places(frozenset[str]().union(*(book.alike(word) for word in around)))
    return not around or any(abs(a - b) <= _BESIDE for a in places for b in beside)


def _opening(name: Name, aligner: Aligner, window: Window) -> frozenset[str]:
    """The first name of a list that has `name`: what is said of all stands beside that one."""
    cast = aligner.index.cast
    names = [n for number in range(window.first, window.last + 1) for n in cast.names(number)]
    for group in _lists(names, aligner.index.text):
        if any(other.stems == name.stems for other in group[1:]):
            return frozenset(group[0].stems[:1])
    return frozenset()


def order_objections(aligner: Aligner, alignment: Alignment) -> Iterator[Objection]:
    """Names that both have, but in another order, unless they have the same roles all the same."""
    form, window = aligner.form, alignment.window
    held = [name for name in form.names if all(word in window.stems for word in name.stems)]
    held = [
        name
        for name in held
        if not _belongs(name, form.claim.text) and not _is_set_in_both(name, aligner, window)
    ]
    places = [place for group in _lists(held, form.claim.text) for place in _places(group, window)]
    compares = _compares(form) and (alignment.order < 1 or _lacks_side(aligner, alignment))
    moved = places != sorted(places) and not aligner.roles.hold(window)
    moved = moved and not _ONE_OF.search(form.claim.text)
    if moved or compares:
        text = ", ".join(name.text for name in held) or "than"
        yield Objection(ObjectionKind.ORDER, text, "", strength=_ORDER)


def _lacks_side(aligner: Aligner, alignment: Alignment) -> bool:
    """Whether a passage is short of one of two that the claim compares: "in May than in June".

    It has not one word for itself of those behind "than", or it is one row and lacks a word.
    """
    own = aligner.statement
    if any(one.in_row for one in alignment.window.candidates) and alignment.missing:
        return alignment.window.first == alignment.window.last
    than = next((n for n, token in enumerate(own.tokens) if token.word == "than"), len(own.tokens))
    before = {token.stem for token in own.tokens[:than]}
    after = [t.stem for t in own.tokens[than + 1 :] if own.is_telling(t) and t.stem not in before]
    book, stems = aligner.lexicon.words, alignment.window.stems
    return bool(after) and all(book.alike(stem).isdisjoint(stems) for stem in after)


def _belongs(name: Name, text: str) -> bool:
    """Whether a name only says whose or where a thing is: "Ostrand's seats", "of the estate"."""
    end = name.start + len(name.text)
    return name.text.endswith(_POSSESSIVE) or text.startswith(_POSSESSIVE, end)


def _is_set_in_both(name: Name, aligner: Aligner, window: Window) -> bool:
    """Whether claim and passage both only say that it was there: "in Selston, Reed built"."""
    text = aligner.index.text
    there = (token.start for token in window.tokens if token.stem == name.stems[0])
    own = _is_setting(aligner.form.claim.text, name.start)
    return own and any(_is_setting(text, start) for start in there)


def _is_setting(text: str, start: int) -> bool:
    return bool(_SETTING.search(text[max(0, start - _LEAD) : start]))


def _lists(names: Sequence[Name], text: str) -> Iterator[list[Name]]:
    """Names in a row that "and" or commas join, as one: their order says nothing."""
    group: list[Name] = []
    for name in names:
        between = text[group[-1].start + len(group[-1].text) : name.start] if group else ""
        if group and not _JOINED.fullmatch(between):
            yield group
            group = []
        group.append(name)
    if group:
        yield group


def _places(names: Sequence[Name], window: Window) -> list[float]:
    """The first place of each name in the passage, in order."""
    return sorted(place for n in names for place in window.places(frozenset(n.stems[:1]))[:1])


def _compares(form: ClaimForm) -> bool:
    """Whether the claim says that one thing is more than another; "more than doubled" does not."""
    tokens = [token for token in form.tokens if not covered(token, form.hidden)]
    return any(
        before.word == "than"
        and after.stem not in _MULTIPLIED
        and not is_with_before(tokens, place)
        for place, (before, after) in enumerate(pairwise(tokens))
    )

"""Words of a claim that a passage has under another name, by pronoun or in short."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ...claims.lexicon import Lexicon
from ..reading.cast import NOBODY, Cast
from ..reading.form import ClaimForm
from ..reading.glossary import initials
from ..reading.names import Name
from ..reading.window import Window

Stems = frozenset[str]


def explained_words(form: ClaimForm, cast: Cast, window: Window, lexicon: Lexicon) -> Stems:
    """The stems of the claim's words that `window` lacks and yet speaks of.

    By another name that the source defines, initials, a nationality, a surname for a full name, or
    a pronoun or description that can mean no one else.
    """
    missing = {term.stem for term in form.terms} - window.stems
    if not missing:
        return frozenset()
    explained: set[str] = set()
    for words in (
        _by_definition(form, cast, window),
        _by_country(missing, window, lexicon),
        _by_label(form, window),
        _by_mention(form, cast, window, missing),
    ):
        explained.update(words)
    return frozenset(explained & missing)


def _by_definition(form: ClaimForm, cast: Cast, window: Window) -> Iterator[str]:
    """The electronic health card, where the source calls it "e-Pass"."""
    stems = frozenset(term.stem for term in form.terms)
    for known, other in cast.glossary.definitions(stems):
        if other <= window.stems:
            yield from known


def _by_country(missing: set[str], window: Window, lexicon: Lexicon) -> Iterator[str]:
    demonyms = lexicon.roles.demonyms
    for word in missing & demonyms.keys():
        if not demonyms[word].isdisjoint(window.stems):
            yield word


def _by_label(form: ClaimForm, window: Window) -> Iterator[str]:
    """Level 2, where the source writes "L2"."""
    for word, number in pairwise(form.tokens):
        if word.capital and number.word.isdigit() and word.word[0] + number.word in window.stems:
            yield from (word.stem, number.stem)


def _by_mention(form: ClaimForm, cast: Cast, window: Window, missing: set[str]) -> Iterator[str]:
    names = [
        (frozenset(name.stems), name.text)
        for name in form.names
        if not missing.isdisjoint(name.stems)
    ]
    if not names:
        return
    present = tuple(_present(cast, window))
    capitals = {token.word for token in window.tokens if token.capital}
    for stems, text in names:
        short = initials(text.split())
        acronym = len(short) > 1 and short in capitals
        spelled = text.isupper() and any(
            initials(other.text.split()) == text.lower() for other in _written(cast, window)
        )
        if acronym or spelled or cast.identity.any_same((stems,), present):
            yield from stems


def _written(cast: Cast, window: Window) -> Iterator[Name]:
    for number in range(window.first, window.last + 1):
        yield from cast.names(number)


def _present(cast: Cast, window: Window) -> Iterator[Stems]:
    """The names in a passage, and those that its parties can only mean."""
    for name in _written(cast, window):
        yield frozenset(name.stems)
    for number in range(window.first, window.last + 1):
        for frame in cast.frames(number):
            for party in frame.parties.values():
                meant = cast.meant(party, number) if party.anaphor else NOBODY
                if meant.certain:
                    yield from meant.names

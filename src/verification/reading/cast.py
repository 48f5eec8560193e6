"""Who appears in a source text: names, events, and what its pronouns and descriptions mean."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from ...claims.lexicon import Lexicon
from ...claims.words import Token
from .frames import Frame, find_frames
from .glossary import Glossary
from .identity import Identity
from .names import Name, find_names
from .phrases import Party
from .speech import Speech, find_speech

_PERSONAL = frozenset({"he", "she", "him", "her", "himself", "herself"})
_FEMALE = frozenset({"she", "her", "herself"})
_NEUTRAL = frozenset({"it", "itself"})
# So many sentences back a pronoun may point, and a description.
_PRONOUN_REACH = 2
_DESCRIPTION_REACH = 12
_NEAR = 12
_ROOT = 5

Stems = frozenset[str]


class Meant(NamedTuple):
    """The names that a party may mean; `certain` when the text leaves no other."""

    names: tuple[Stems, ...]
    certain: bool


NOBODY = Meant((), certain=False)


class Cast:
    """The names and events of one text, each sentence read when it is first asked for."""

    def __init__(
        self,
        text: str,
        tokens: Callable[[int], Sequence[Token]],
        lexicon: Lexicon,
        is_name: Callable[[str], bool],
    ) -> None:
        self._text = text
        self._is_name = is_name
        self._tokens = tokens
        self._lexicon = lexicon
        self._frames: dict[int, tuple[Frame, ...]] = {}
        self._speech: dict[int, tuple[Speech, ...]] = {}
        self._names: dict[int, tuple[Name, ...]] = {}
        self._meant: dict[int, Meant] = {}

    @cached_property
    def identity(self) -> Identity:
        """How the text's names compare with those of a claim."""
        return Identity(self.glossary, self._lexicon.roles)

    @cached_property
    def glossary(self) -> Glossary:
        """The other names that the text gives."""
        return Glossary(self._text, self._stems)

    def _stems(self, text: str) -> Stems:
        book = self._lexicon.words
        return frozenset(t.stem for t in book.tokens(text) if t.stem not in book.stop_words)

    def frames_of(self, text: str, tokens: Sequence[Token]) -> tuple[Frame, ...]:
        """The events of a claim about this text."""
        return find_frames(text, tokens, self._lexicon, self._is_name)

    def frames(self, number: int) -> tuple[Frame, ...]:
        """The events of a sentence."""
        known = self._frames.get(number)
        if known is None:
            known = self._frames[number] = self.frames_of(self._text, self._tokens(number))
        return known

    def stems(self, number: int) -> Stems:
        """The word stems of a sentence."""
        return frozenset(token.stem for token in self._tokens(number))

    def speech_of(self, text: str, tokens: Sequence[Token]) -> tuple[Speech, ...]:
        """The speakers of a claim about this text."""
        return find_speech(text, tokens, self._lexicon, self._is_name)

    def speech(self, number: int) -> tuple[Speech, ...]:
        """The speakers of a sentence."""
        known = self._speech.get(number)
        if known is None:
            known = self._speech[number] = self.speech_of(self._text, self._tokens(number))
        return known

    def names(self, number: int) -> tuple[Name, ...]:
        """The names in a sentence, in order."""
        known = self._names.get(number)
        if known is None:
            tokens, book = self._tokens(number), self._lexicon.words
            known = self._names[number] = find_names(self._text, tokens, book)
        return known

    def meant(self, party: Party, number: int) -> Meant:
        """The names that a party of sentence `number` stands for."""
        if party.names:
            return Meant(party.names, certain=True)
        if not party.anaphor:
            return NOBODY
        known = self._meant.get(party.start)
        if known is None:
            known = self._meant[party.start] = self._resolve(party, number)
        return known

    def _resolve(self, party: Party, number: int) -> Meant:
        words = party.text.lower().split()
        if words[-1] in ("former", "latter") and len(words) == 2:
            return self._of_two(party, number, first=words[-1] == "former")
        if words[0] in _PERSONAL and len(words) == 1:
            return self._person(party, number, words[0])
        if words[0] in _NEUTRAL and len(words) == 1:
            return self._thing(party, number)
        return self._described(party, number)

    def _before(self, party: Party, number: int, reach: int) -> Iterator[list[Name]]:
        """The names before a party: in its own sentence, then one sentence further back each."""
        yield [name for name in self.names(number) if name.start < party.start]
        for earlier in range(number - 1, max(-1, number - 1 - reach), -1):
            yield list(self.names(earlier))

    def _of_two(self, party: Party, number: int, *, first: bool) -> Meant:
        for names in self._before(party, number, _PRONOUN_REACH):
            pair = self._pair(names)
            if pair:
                chosen = pair[0] if first else pair[1]
                return Meant((frozenset(chosen.stems),), certain=True)
        return NOBODY

    def _pair(self, names: Sequence[Name]) -> tuple[Name, Name] | None:
        """The last two names that an "and" joins."""
        for one, other in reversed(list(pairwise(names))):
            if " and " in self._text[one.start + len(one.text) - 1 : other.start + 1]:
                return one, other
        return None

    def _person(self, party: Party, number: int, pronoun: str) -> Meant:
        for names in self._before(party, number, _PRONOUN_REACH):
            people = self._people(names, female=pronoun in _FEMALE)
            if people:
                return Meant((people[0],), certain=len(people) == 1)
        return NOBODY

    def _people(self, names: Sequence[Name], *, female: bool) -> list[Stems]:
        people: list[Stems] = []
        for name in names:
            fits = self._is_person(name) and self._is_female(name) in (None, female)
            if fits and not any(self.identity.same(frozenset(name.stems), p) for p in people):
                people.append(frozenset(name.stems))
        return people

    def _is_person(self, name: Name) -> bool:
        book, roles = self._lexicon.names, self._lexicon.roles
        words = name.text.lower().split()
        if not roles.shared.isdisjoint(name.stems) or words[0] in book.place_names:
            return False
        before = self._text[max(0, name.start - 4) : name.start].lower()
        return not before.endswith((" in ", " at ", "the "))

    def _is_female(self, name: Name) -> bool | None:
        """Whether a name or title is a woman's; None when neither tells."""
        roles = self._lexicon.roles
        before = self._text[max(0, name.start - 5) : name.start].lower().split()
        words = {*name.text.lower().replace(".", "").split()[:2], *(w.strip(".") for w in before)}
        if not words.isdisjoint(roles.female):
            return True
        return False if not words.isdisjoint(roles.male) else None

    def _thing(self, party: Party, number: int) -> Meant:
        for names in self._before(party, number, 1):
            things = [frozenset(name.stems) for name in names if not self._given(name)]
            if things:
                return Meant((things[0],), certain=False)
        return NOBODY

    def _given(self, name: Name) -> bool:
        return name.text.lower().split()[0] in self._lexicon.names.given_names

    def _described(self, party: Party, number: int) -> Meant:
        """Who was called what a description says: "the engineer" is the one who builds engines."""
        root = party.head[: max(_ROOT, len(party.head) - 3)]
        if len(root) < _ROOT:
            return NOBODY
        found: list[Stems] = []
        for earlier in range(number, max(-1, number - _DESCRIPTION_REACH), -1):
            for name in self._beside(root, earlier, party.start):
                if not any(self.identity.same(name, other) for other in found):
                    found.append(name)
        return Meant(tuple(found[:1]), certain=len(found) == 1)

    def _beside(self, root: str, number: int, end: int) -> Iterator[Stems]:
        """The name nearest to each word of sentence `number` that begins with `root`."""
        names = self.names(number)
        for token in self._tokens(number):
            if token.start >= end or not token.stem.startswith(root):
                continue
            near = [
                (abs(name.start - token.start), frozenset(name.stems))
                for name in names
                if token.stem not in name.stems
            ]
            if near:
                yield min(near, key=lambda pair: pair[0])[1]
                continue
            yield from self._by_pronoun(token, number)

    def _by_pronoun(self, token: Token, number: int) -> Iterator[Stems]:
        """Whom the pronoun before `token` means: "She was finishing a doctorate"."""
        before = [t for t in self._tokens(number) if t.start < token.start][-_NEAR:]
        for other in reversed(before):
            if other.word in _PERSONAL:
                party = Party(other.word, other.start, (), frozenset(), other.word, anaphor=True)
                meant = self._person(party, number, other.word)
                if meant.certain:
                    yield meant.names[0]
                return

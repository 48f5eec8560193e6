"""Whether a passage tells an event of the claim with the same parties in the same roles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import NamedTuple

from ...claims.lexicon import Lexicon
from ...claims.roles import RoleBook
from ..reading.cast import Cast
from ..reading.form import ClaimForm
from ..reading.frames import Frame
from ..reading.likeness import Likeness, likeness
from ..reading.phrases import Party
from ..reading.window import Window
from .objection import Objection, ObjectionKind

# How sure a difference is: both parties in each other's place, one of them, another one's name.
_BOTH, _ONE, _DENIED, _REPLACED, _BARE = 0.95, 0.85, 0.9, 0.8, 0.4

# Of what has no name, the wording alone may decide which of these it is.
_ACTED_ON = {"b", "thing"}


class RoleMatch(NamedTuple):
    """An event of the claim and one of a passage that tells the same or the contrary.

    `held` is true if every party that both name has the same role, and one of them is named.
    Else `claimed` stands in the claim where `found` stands in the passage; `swapped` marks a party
    that has another role there. `strength` is 0–1.
    """

    held: bool
    strength: float
    claimed: str = ""
    found: str = ""
    swapped: bool = False
    concept: str = ""
    needs: int = 1


class RoleChecks:
    """Compares the events of one claim with those of one source, sentence by sentence."""

    def __init__(self, form: ClaimForm, cast: Cast, lexicon: Lexicon) -> None:
        self._cast = cast
        self._lexicon = lexicon
        self._claimed = cast.frames_of(form.claim.text, form.tokens)
        self._known: dict[int, tuple[RoleMatch, ...]] = {}
        names = frozenset(word for name in form.names for word in name.stems)
        stops = lexicon.words.stop_words | names
        self._content = form.wanted.union(token.stem for token in form.tokens) - stops

    def matches(self, first: int, last: int) -> list[RoleMatch]:
        """What the sentences `first` to `last` of the source say of each event of the claim."""
        if not self._claimed:
            return []
        return [match for number in range(first, last + 1) for match in self._matches(number)]

    def _matches(self, number: int) -> tuple[RoleMatch, ...]:
        known = self._known.get(number)
        if known is None:
            known = self._known[number] = tuple(
                match if match.held else self._weighed(match, number)
                for own in self._claimed
                for theirs in self._cast.frames(number)
                for match in _Comparison(own, theirs, number, self._cast, self._lexicon).matches()
            )
        return known

    def _weighed(self, match: RoleMatch, number: int) -> RoleMatch:
        """A difference, doubted if its sentence hardly speaks of the claim's matter."""
        shared = len(self._content & self._cast.stems(number))
        return (
            match if shared >= match.needs else match._replace(strength=min(match.strength, _BARE))
        )

    def objections(self, window: Window) -> Iterator[Objection]:
        """Parties that a passage has in other roles than the claim, or others in their place."""
        found = self.matches(window.first, window.last)
        yield from _objections(found)
        if any(match.held for match in found):
            return
        for number in range(window.first, window.last + 1):
            yield from self._ruled_out(number)

    def _ruled_out(self, number: int) -> Iterator[Objection]:
        """Somebody whom the claim rules out, and whom the passage names beside it."""
        for frame in self._claimed:
            for party in frame.denied.values():
                names = [frozenset(name.stems) for name in self._cast.names(number)]
                if self._cast.identity.any_same(party.names, names):
                    yield Objection(
                        ObjectionKind.NAME, party.text, party.text, guard="role", strength=_BARE
                    )

    def hold(self, window: Window) -> bool:
        """Whether a passage tells an event of the claim with the same parties."""
        found = self.matches(window.first, window.last)
        return any(m.held and m.strength == 1 for m in found) and all(m.held for m in found)

    def clash(self, windows: Sequence[Window]) -> tuple[Window, Objection] | None:
        """The clearest difference in roles that no passage makes good, with its passage."""
        found = [(window, self.matches(window.first, window.last)) for window in windows]
        held = {match.concept for _, matches in found for match in matches if match.held}
        clashes = [
            (window, objection)
            for window, matches in found
            for objection in _objections([m for m in matches if m.concept not in held])
        ]
        return max(clashes, key=lambda pair: pair[1].strength, default=None)


def _objections(found: Sequence[RoleMatch]) -> Iterator[Objection]:
    held = {match.concept for match in found if match.held}
    for match in found:
        if not match.held and match.concept not in held:
            kind = ObjectionKind.ORDER if match.swapped else ObjectionKind.NAME
            yield Objection(
                kind,
                match.claimed,
                match.found,
                guard="role",
                replaced=match.strength >= _REPLACED,
                strength=match.strength,
            )


def _related(one: str, other: str) -> bool:
    return one == other or one.startswith(other + ".") or other.startswith(one + ".")


def _opposed(one: str, other: str, roles: RoleBook) -> bool:
    return roles.opposites.get(one) == other


class _Comparison:
    def __init__(
        self, own: Frame, theirs: Frame, number: int, cast: Cast, lexicon: Lexicon
    ) -> None:
        self._own = own
        self._theirs = theirs
        self._number = number
        self._cast = cast
        self._book = lexicon.words
        self._once = own.concept in lexicon.roles.once
        self._opposite = _opposed(own.concept, theirs.concept, lexicon.roles)

    def matches(self) -> Iterator[RoleMatch]:
        """The finding on the two events, if there is one."""
        if not (self._opposite or _related(self._own.concept, self._theirs.concept)):
            return
        if self._opposite != (self._own.negated != self._theirs.negated):
            match = self._reversed()
        else:
            match = self._swapped() or self._denied() or self._replaced() or self._held()
        if match:
            yield match._replace(concept=self._own.concept)

    def _reversed(self) -> RoleMatch | None:
        """The same party is said not to do it, or to do the opposite."""
        own, theirs = self._own.parties, self._theirs.parties
        if "a" not in own or "a" not in theirs or not own["a"].names:
            return None
        if self._like(own["a"], theirs["a"], strict=True) is not Likeness.SAME:
            return None
        sure = self._another_same("a") or (self._opposite and "thing" not in theirs)
        return RoleMatch(False, _REPLACED if sure else _BARE, own["a"].text, theirs["a"].text)

    def _swapped(self) -> RoleMatch | None:
        """A party of the claim that has another role in the passage."""
        own, theirs = self._own.parties, self._theirs.parties
        crossed = [
            (role, other)
            for role, other in permutations(sorted({*own, *theirs}), 2)
            if role in own and other in theirs and self._crosses(role, other)
        ]
        if not crossed:
            return None
        role, other = crossed[0]
        both = (other, role) in crossed or self._returns(other, role)
        strength = _BOTH if both else _ONE if self._another_same(role, other) else _BARE
        found = theirs.get(role) or theirs[other]
        text, needs = own[role].text, 0 if both else 1
        return RoleMatch(False, strength, text, found.text, swapped=True, needs=needs)

    def _crosses(self, role: str, other: str) -> bool:
        """Whether the claim's `role` is the passage's `other`, and not the same role there."""
        own, theirs = self._own.parties, self._theirs.parties
        if {role, other} == _ACTED_ON and not own[role].names:
            return False
        if self._like(own[role], theirs[other], strict=True) is not Likeness.SAME:
            return False
        apart = role not in theirs or self._like(own[role], theirs[role]) is Likeness.OTHER
        if not apart and not self._returns(other, role):
            return False
        return other not in own or self._like(own[other], theirs[other]) is not Likeness.SAME

    def _returns(self, role: str, other: str) -> bool:
        """Whether the claim's `role` is the passage's `other`, by a name or by all its words."""
        own, theirs = self._own.parties.get(role), self._theirs.parties.get(other)
        if own is None or theirs is None:
            return False
        told = own.stems == theirs.stems and bool(own.stems)
        return told or self._like(own, theirs, strict=True) is Likeness.SAME

    def _another_same(self, *roles: str) -> bool:
        own, theirs = self._own.parties, self._theirs.parties
        return any(
            self._like(own[role], theirs[role]) is Likeness.SAME
            for role in own.keys() & theirs.keys() - set(roles)
        )

    def _denied(self) -> RoleMatch | None:
        """A party that one side names and the other rules out."""
        for denying, naming, ours in (
            (self._own, self._theirs, True),
            (self._theirs, self._own, False),
        ):
            for role in sorted(denying.denied.keys() & naming.parties.keys()):
                ruled_out, named = denying.denied[role], naming.parties[role]
                one, other = (ruled_out, named) if ours else (named, ruled_out)
                certain = bool(one.names) or self._another_same(role)
                if certain and self._like(one, other, strict=True) is Likeness.SAME:
                    needs = 1 if self._another_same(role) else 2
                    return RoleMatch(False, _DENIED, one.text, other.text, needs=needs)
        return None

    def _replaced(self) -> RoleMatch | None:
        """Another party in a role of the claim.

        It contradicts where the event happens once to a thing, and the thing is the same.
        """
        own, theirs = self._own.parties, self._theirs.parties
        for role in sorted(own.keys() & theirs.keys()):
            if self._like(own[role], theirs[role]) is Likeness.OTHER:
                sure = role != "thing" and self._once and self._same_thing()
                strength = _REPLACED if sure else 0.0
                text, other = own[role].text, theirs[role].text
                needs = 0 if sure and own["thing"].names else 1
                return RoleMatch(False, strength, text, other, needs=needs)
        return None

    def _same_thing(self) -> bool:
        one, other = self._own.parties.get("thing"), self._theirs.parties.get("thing")
        return one is not None and other is not None and self._like(one, other) is Likeness.SAME

    def _held(self) -> RoleMatch | None:
        own, theirs = self._own.parties, self._theirs.parties
        same = [
            role
            for role in own.keys() & theirs.keys()
            if self._like(own[role], theirs[role], strict=bool(own[role].names)) is Likeness.SAME
        ]
        named = any(own[role].names for role in same)
        return RoleMatch(True, min(1.0, len(same) / 2)) if same and named else None

    def _like(self, one: Party, other: Party, *, strict: bool = False) -> Likeness:
        return likeness(one, other, self._number, self._cast, self._book, strict=strict)

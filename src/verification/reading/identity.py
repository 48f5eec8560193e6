"""Whether a claim and a source mean the same by two names."""

from __future__ import annotations

from collections.abc import Sequence

from ...claims.roles import RoleBook
from .glossary import Glossary

Stems = frozenset[str]


class Identity:
    """Compares names, which are sets of word stems, as one text uses them."""

    def __init__(self, glossary: Glossary, roles: RoleBook) -> None:
        self._glossary = glossary
        self._roles = roles

    def same(self, one: Stems, other: Stems) -> bool:
        """Whether both name the same: in short or in full, as initials, by alias or nationality.

        "Meridian" is Meridian Credit Union; Emil Brandl is not Kaspar Brandl.
        """
        known = self._glossary.others(one) | {one}
        found = self._glossary.others(other) | {other}
        if any(self._overlap(left, right) for left in known for right in found):
            return True
        return self._shares_country(one, other)

    def any_same(self, ones: Sequence[Stems], others: Sequence[Stems]) -> bool:
        """Whether one of `ones` is one of `others`."""
        return any(self.same(one, other) for one in ones for other in others)

    def _overlap(self, one: Stems, other: Stems) -> bool:
        left, right = one - self._roles.shared or one, other - self._roles.shared or other
        if left.isdisjoint(right):
            return False
        return not (left - right and right - left)

    def _shares_country(self, one: Stems, other: Stems) -> bool:
        groups = [self._roles.demonyms[word] for word in one if word in self._roles.demonyms]
        return any(not group.isdisjoint(other) for group in groups)

"""The filters of a list: what there is to choose, and how many there are of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from .model import NOT_APPLICABLE, Facet, FacetValue, Label, Tone

NOTHING = Label("none", "", Tone.MUTED)
"""The choice of what has no value of a kind."""


@dataclass(frozen=True, slots=True)
class FacetKind:
    """A way to filter and its choices. `name` is for machines, `title` for people."""

    name: str
    title: str
    labels: tuple[Label, ...]


class FacetCounts:
    """Counts the things of one list by each of `kinds`."""

    def __init__(self, kinds: Sequence[FacetKind]) -> None:
        self._kinds = kinds
        self._counts = [Counter[int]() for _ in kinds]

    def add(self, codes: Sequence[int]) -> None:
        """Count a thing by its value of each kind, in their order."""
        for counts, code in zip(self._counts, codes, strict=True):
            if code != NOT_APPLICABLE:
                counts[code] += 1

    @property
    def facets(self) -> tuple[Facet, ...]:
        """The filters with how many things each choice has."""
        return tuple(
            Facet(
                kind.name,
                kind.title,
                tuple(FacetValue(label, counts[i]) for i, label in enumerate(kind.labels)),
            )
            for kind, counts in zip(self._kinds, self._counts, strict=True)
        )

"""Places in a text that overlap."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar


class Placed(Protocol):
    """The part `[start, end)` of a text."""

    @property
    def start(self) -> int:
        """Where it begins."""
        ...

    @property
    def end(self) -> int:
        """Where it ends."""
        ...


_PlacedT = TypeVar("_PlacedT", bound=Placed)


def overlaps(one: Placed, others: Iterable[Placed]) -> bool:
    """Whether `one` has a character in common with any of `others`."""
    return any(other.start < one.end and one.start < other.end for other in others)


def apart(found: Iterable[_PlacedT]) -> tuple[_PlacedT, ...]:
    """Those of `found` that overlap none before them in it, in the order of the text."""
    taken = bytearray()
    kept: list[_PlacedT] = []
    for one in found:
        taken.extend(bytes(max(0, one.end - len(taken))))
        if taken.find(1, one.start, one.end) < 0:
            taken[one.start : one.end] = b"\x01" * (one.end - one.start)
            kept.append(one)
    return tuple(sorted(kept, key=lambda one: one.start))

"""What has been read of a source and does not depend on the claim, kept for the next claims."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from .index import TextIndex

K = TypeVar("K")
V = TypeVar("V")


class Kept(Generic[K, V]):
    """The latest `most` values of each source by key; they go when the source goes."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._of: WeakKeyDictionary[TextIndex, dict[K, V]] = WeakKeyDictionary()

    def get(self, index: TextIndex, key: K, make: Callable[[], V]) -> V:
        """The value of `key` for `index`, made at the first call."""
        values = self._of.get(index)
        if values is None:
            values = self._of[index] = {}
        known = values.get(key)
        if known is None:
            if len(values) >= self._most:
                del values[next(iter(values))]
            known = values[key] = make()
        return known

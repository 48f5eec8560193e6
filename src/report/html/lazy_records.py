"""Re-iterable records that are not kept in memory, and a join of two such lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Generic, TypeVar, overload

T = TypeVar("T")
MAX_KEPT = 5_000
"""Maximum number of records kept in memory; a longer list is read each time."""


class LazyRecords(Sequence[T]):
    """Records that `read` yields: kept if there are few, else read again for each iteration.

    Args:
        read: Reads it from its beginning; the records are the same each time.
        most_kept: Maximum number of records kept in memory.
    """

    def __init__(self, read: Callable[[], Iterator[T]], most_kept: int = MAX_KEPT) -> None:
        self._read = read
        self._most_kept = most_kept
        self._kept: list[T] | None = None
        self._count: int | None = None

    def __iter__(self) -> Iterator[T]:
        """Each record once."""
        return iter(self._kept) if self._kept is not None else self._reading()

    def _reading(self) -> Iterator[T]:
        kept: list[T] | None = []
        count = 0
        for count, one in enumerate(self._read(), start=1):
            if kept is not None:
                kept.append(one)
                if count > self._most_kept:
                    kept = None
            yield one
        self._kept, self._count = kept, count

    def __len__(self) -> int:
        """Number of records, counted once."""
        if self._count is None:
            for _ in self:
                pass
        return self._count or 0

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[T]: ...
    def __getitem__(self, at: int | slice) -> T | Sequence[T]:
        """Return one record or a slice; all records before it are read."""
        if isinstance(at, slice):
            return tuple(islice(self, *at.indices(len(self))))
        return next(islice(self, range(len(self))[at], None))


class KeyedRecords(Generic[T]):
    """Lookup of records by key, for keys that arrive in about the order of the records.

    Only records that were passed before their key was requested are kept.
    """

    def __init__(self, records: Iterable[tuple[str, T]]) -> None:
        self._coming = iter(records)
        self._passed: dict[str, T] = {}

    def take(self, key: str) -> T | None:
        """Return the record of `key` and forget it; None if there is none."""
        while key not in self._passed and (given := next(self._coming, None)) is not None:
            self._passed[given[0]] = given[1]
        return self._passed.pop(key, None)

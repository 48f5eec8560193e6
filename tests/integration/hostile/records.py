"""Records with words of a test's choice in every text that they hold, by their types alone.

A field that is added to a record is filled without anybody having to think of it.
"""

from __future__ import annotations

import builtins
import dataclasses
import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast
from zlib import crc32

from pydantic import BaseModel

T = TypeVar("T")

MOMENT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
DIGEST = "0" * 64
_DIGESTS = ("sha256", "text_sha256", "document_sha256", "reading_copy_sha256", "digest")


@cache
def _fields(kind: Any) -> tuple[tuple[str, Any], ...]:
    """The fields of a record with their types."""
    hints = typing.get_type_hints(kind, include_extras=True)
    names: Sequence[str] = (
        [one.name for one in dataclasses.fields(kind) if one.init]
        if dataclasses.is_dataclass(kind)
        else [*cast("type[BaseModel]", kind).model_fields]
    )
    return tuple((name, hints[name]) for name in names)


@dataclass(slots=True)
class Filler:
    """Makes records, element `n` of each outermost list with `words[n]` in all its texts.

    Ids of the same element are thereby the same everywhere, as in records that belong together.
    What stands once gets a text that depends on its name and on `turn`, so that with each turn all
    get another one. `given` are values by type, or by ``Record.field``. `filled` collects the
    names of the texts that were filled.
    """

    words: Sequence[str]
    turn: int = 0
    given: Mapping[object, object] = field(default_factory=dict[object, object])
    each: Mapping[object, Callable[[int], object]] = field(
        default_factory=dict[object, Callable[[int], object]]
    )
    filled: set[str] = field(default_factory=set[str])
    _at: int | None = None

    def make(self, kind: type[T]) -> T:
        """A record of `kind`."""
        return cast("T", self._made(kind, kind.__name__))

    def _made(self, kind: Any, name: str) -> Any:
        for known in (name, kind):
            if known in self.given:
                return self.given[known]
            if known in self.each:
                return self.each[known](self._at or 0)
        origin, args = typing.get_origin(kind), typing.get_args(kind)
        if origin in (types.UnionType, typing.Union):
            return self._made(next(arg for arg in args if arg is not types.NoneType), name)
        if origin is typing.Annotated:
            return self._made(args[0], name)
        if origin is typing.Literal:
            return args[0]
        if origin in (tuple, list, Sequence, frozenset):
            return self._sequence(origin, args, name)
        if origin in (dict, Mapping):
            return self._mapping(args, name)
        if dataclasses.is_dataclass(kind) or (
            isinstance(kind, type) and issubclass(kind, BaseModel)
        ):
            return self._record(kind)
        return self._value(kind, name)

    def _record(self, kind: Any) -> Any:
        name = kind.__name__
        return kind(**{one: self._made(type_, f"{name}.{one}") for one, type_ in _fields(kind)})

    def _sequence(self, origin: Any, args: tuple[Any, ...], name: str) -> Any:
        if origin is tuple and len(args) > 1 and args[1] is not Ellipsis:
            return tuple(self._made(arg, name) for arg in args)
        made: list[Any] = [self._made(args[0], name) for _ in self._elements()] if args else []
        match origin:
            case builtins.list:
                return made
            case builtins.frozenset:
                return frozenset(made)
            case _:
                return tuple(made)

    def _mapping(self, args: tuple[Any, ...], name: str) -> Any:
        if isinstance(args[0], type) and issubclass(args[0], Enum):
            return {key: self._made(args[1], name) for key in args[0]}
        return {self._made(args[0], name): self._made(args[1], name) for _ in self._elements()}

    def _elements(self) -> Iterator[None]:
        """As many as there are words in an outermost list, one in a list within."""
        if self._at is not None:
            yield
            return
        for n in range(len(self.words)):
            self._at = n
            yield
        self._at = None

    def _value(self, kind: Any, name: str) -> Any:
        n = self._at or 0
        if kind is str or kind is Any:
            return self._text(name)
        if kind is Path:
            return Path(self._text(name).replace("\0", "") or ".")
        if isinstance(kind, type) and issubclass(kind, Enum):
            members = [*kind]
            return members[n % len(members)]
        plain = {
            bool: n % 2 == 0,
            int: n + 1,
            float: 0.5,
            Decimal: Decimal("0.5"),
            datetime: MOMENT,
            date: MOMENT.date(),
            bytes: b"",
        }
        if kind not in plain:
            raise TypeError(f"{name}: nothing is known to make a {kind}")
        return plain[kind]

    def _text(self, name: str) -> str:
        if name.rpartition(".")[2] in _DIGESTS:
            return DIGEST
        self.filled.add(name)
        n = crc32(name.encode()) + self.turn if self._at is None else self._at
        return self.words[n % len(self.words)]

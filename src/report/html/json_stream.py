"""The elements of a large JSON file one by one, so that memory does not grow with the file."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TypeVar, cast

from pydantic import JsonValue

from ...base.records import adapter
from ...core.record_folder import damaged

T = TypeVar("T")

_CHUNK = 1 << 18
_DECODER = json.JSONDecoder()
_BLANKS = " \t\r\n"


def elements(
    path: Path, key: str, record: str = "run", *, optional: bool = False
) -> Iterator[JsonValue]:
    """The elements of the array at `key` of the object in `path`.

    Args:
        path: A file of a record directory.
        key: It is there unless it is `optional`.
        record: What the directory is the record of.
        optional: Whether there may be none.

    Raises:
        RunDirectoryError: The file cannot be read or is not such JSON.
    """
    with _reading(path, record) as reader:
        if reader.seek(key):
            yield from reader.elements()
        elif not optional:
            raise reader.fault(f"no {key!r}")


def items(path: Path, key: str) -> Iterator[tuple[str, JsonValue]]:
    """The members of the object at `key` of the object in `path`.

    Raises:
        RunDirectoryError: The file cannot be read or is not such JSON.
    """
    with _reading(path) as reader:
        if reader.seek(key):
            for name in reader.names():
                yield name, reader.value()


def value_at(path: Path, key: str, record: str = "run") -> JsonValue:
    """The value at `key` of the object in `path`, None if there is none.

    Raises:
        RunDirectoryError: The file cannot be read or is not such JSON.
    """
    with _reading(path, record) as reader:
        return reader.value() if reader.seek(key) else None


def record_of(kind: type[T], value: object, path: Path, record: str = "run") -> T:
    """`value`, which was read from `path`, as a `kind`.

    Raises:
        RunDirectoryError: It is none.
    """
    with damaged(path, record):
        return adapter(kind).validate_python(value)


@contextmanager
def _reading(path: Path, record: str = "run") -> Generator[_Reader]:
    with damaged(path, record), path.open(encoding="utf-8", newline="") as file:
        yield _Reader(file)


class _Reader:
    """A place in a JSON text of which only some is in memory."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self._text = ""
        self._at = 0

    def seek(self, key: str) -> bool:
        """Go to the value at `key` of the object that begins here; False if there is none."""
        for name in self.names():
            if name == key:
                return True
            self._skip()
        return False

    def names(self) -> Iterator[str]:
        """Yield each key of the object that begins here; read its value before the next key."""
        for _ in self._members("{", "}"):
            name = cast("str", self.value())
            self._take(":")
            yield name

    def elements(self) -> Iterator[JsonValue]:
        """The elements of the array that begins here."""
        for _ in self._members("[", "]"):
            yield self.value()

    def _members(self, opening: str, closing: str) -> Iterator[None]:
        self._take(opening)
        if self._peek() == closing:
            self._take(closing)
            return
        while True:
            yield
            if self._peek() == closing:
                self._take(closing)
                return
            self._take(",")

    def value(self) -> JsonValue:
        """The value that begins here."""
        self._peek()
        size = _CHUNK
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._at)
            except json.JSONDecodeError:
                if not self._more(size):
                    raise
            else:
                # A number that ends where the text in memory does may go on.
                if end < len(self._text) or not self._more(size):
                    self._at = end
                    return cast("JsonValue", value)
            size *= 2

    def _skip(self) -> None:
        """Pass over the value that begins here, piece by piece."""
        match self._peek():
            case "[":
                for _ in self.elements():
                    pass
            case "{":
                for _ in self.names():
                    self.value()
            case _:
                self.value()

    def _peek(self) -> str:
        while True:
            while self._at < len(self._text):
                if self._text[self._at] not in _BLANKS:
                    return self._text[self._at]
                self._at += 1
            if not self._more(_CHUNK):
                return ""

    def _take(self, mark: str) -> None:
        if self._peek() != mark:
            raise self.fault(f"expected {mark!r}")
        self._at += 1

    def fault(self, what: str) -> json.JSONDecodeError:
        """Return an error for this place."""
        return json.JSONDecodeError(what, self._text, self._at)

    def _more(self, size: int) -> bool:
        """Read on; what lies before this place is forgotten."""
        added = self._file.read(size)
        self._text = self._text[self._at :] + added
        self._at = 0
        return bool(added)

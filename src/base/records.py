"""Records to JSON and back, validated: frozen dataclasses and pydantic models alike."""

from __future__ import annotations

import functools
from typing import Any, TypeVar

from pydantic import TypeAdapter

T = TypeVar("T")


@functools.cache
def adapter(type_: Any) -> TypeAdapter[Any]:
    """The validator of `type_`, built once for each type."""
    return TypeAdapter(type_)


def to_json(type_: type[T], value: T, *, indent: int | None = 2) -> str:
    """`value` as JSON text. Keys keep the order of the fields."""
    return adapter(type_).dump_json(value, indent=indent).decode("utf-8")


def from_json(type_: type[T], text: str | bytes) -> T:
    """The record of `type_` in `text`.

    Raises:
        pydantic.ValidationError: `text` is not JSON or does not match.
    """
    return adapter(type_).validate_json(text)

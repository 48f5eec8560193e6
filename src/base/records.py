"""Records to JSON and back, validated: frozen dataclasses and pydantic models alike."""

from __future__ import annotations

import functools
import json
from typing import Any, TypeVar, cast

from pydantic import JsonValue, TypeAdapter, ValidationError

T = TypeVar("T")


@functools.cache
def adapter(type_: Any) -> TypeAdapter[Any]:
    """The validator of `type_`, built once for each type."""
    return TypeAdapter(type_)


def to_json(type_: type[T], value: T, *, indent: int | None = 2) -> str:
    """`value` as JSON text. Keys keep the order of the fields."""
    return adapter(type_).dump_json(value, indent=indent).decode("utf-8")


def json_values(text: str) -> dict[str, JsonValue]:
    """The values in a JSON object that `to_json` wrote."""
    return cast("dict[str, JsonValue]", json.loads(text))


def from_json(type_: type[T], text: str | bytes) -> T:
    """The record of `type_` in `text`.

    Raises:
        pydantic.ValidationError: `text` is not JSON or does not match.
    """
    return adapter(type_).validate_json(text)


def as_recorded(type_: type[T], value: T) -> T:
    """`value`, which anyone's code made, as it reads back from its record.

    What is meant is put right where the record leaves no doubt, such as a list for a tuple.

    Raises:
        ValueError: Its fields are not those of `type_`; the first that is wrong is named.
    """
    kind = adapter(type_)
    try:
        return kind.validate_json(kind.dump_json(value, warnings=False))
    except ValidationError as error:
        first = error.errors()[0]
        raise ValueError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from error

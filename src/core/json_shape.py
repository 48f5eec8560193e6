"""The shape of a JSON file that an agent fills: what is fixed, what may change, what may grow.

Places are named by JSON pointers (RFC 6901), for example ``/claims/c-3/verdict``.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, assert_never, cast

from pydantic import JsonValue

from ..base.errors import EditRefused
from ..base.registry import first_line

SLOT_START = "[TODO:"
MAX_TEXT_CHARS = 2_000_000
# Control characters other than tab, line feed and carriage return, and lone surrogates.
UNWANTED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Slot:
    """A leaf that the agent fills with one value: text, number, true, false or null.

    `text` is what stands there as long as it is open. `initial` is what the file starts with: the
    same, or a value that code has filled in. `max_chars` is the most characters that a text may
    have.
    """

    text: str
    max_chars: int
    may_be_empty: bool
    initial: JsonValue


@dataclass(frozen=True, slots=True)
class Fixed:
    """A value that may not change."""

    value: JsonValue


@dataclass(frozen=True, slots=True)
class Fields:
    """An object with exactly these keys, in any order."""

    fields: Mapping[str, Shape]


@dataclass(frozen=True, slots=True)
class Grows:
    """An array of one shape, at most `cap` elements; None as `initial` shows one example."""

    element: Shape
    cap: int
    initial: Sequence[JsonValue] | None = None


Shape: TypeAlias = Slot | Fixed | Fields | Grows


def open_slot(path: str, words: str, max_chars: int, *, may_be_empty: bool) -> Slot:
    """An open slot at `path`, which its text names: no two slots of a form have the same text."""
    text = f"{SLOT_START} {path}: {words}]"
    return Slot(text, max_chars, may_be_empty, text)


def parse_json(text: str) -> JsonValue:
    """`text` as JSON; duplicate keys, NaN and infinities are refused.

    Raises:
        EditRefused: It is not valid JSON, or longer than `MAX_TEXT_CHARS`.
    """
    if len(text) > MAX_TEXT_CHARS:
        raise EditRefused(f"the file would have more than {MAX_TEXT_CHARS:,} characters")
    try:
        data = json.loads(text, object_pairs_hook=_unique_keys, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise EditRefused(
            f"the file would not be valid JSON: line {error.lineno}, column {error.colno}: "
            f"{error.msg}",
            'inside a string write \\" for a quotation mark and \\n for a line break',
        ) from error
    except (ValueError, RecursionError) as error:
        raise EditRefused(f"the file would not be valid JSON: {first_line(str(error))}") from error
    return cast("JsonValue", data)


def plain_json(value: JsonValue) -> JsonValue:
    """`value` as it is read back from a file: enum members become their values."""
    return cast("JsonValue", json.loads(json.dumps(value)))


def dump_json(value: JsonValue) -> str:
    """`value` as the text of a file that is easy to edit: one leaf a line."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def child(path: str, key: str | int) -> str:
    """The JSON pointer of `key` under `path`."""
    return f"{path}/{str(key).replace('~', '~0').replace('/', '~1')}"


def initial_value(shape: Shape) -> JsonValue:
    """The value of a new file of `shape`."""
    match shape:
        case Slot():
            return shape.initial
        case Fixed():
            return shape.value
        case Fields():
            return {key: initial_value(field) for key, field in shape.fields.items()}
        case Grows():
            if shape.initial is not None:
                return list(shape.initial)
            return [initial_value(shape.element)]
        case _:
            assert_never(shape)


def outline(shape: Shape, path: str = "") -> Iterator[tuple[str, Slot | Fixed | Grows]]:
    """Every leaf and array at or below `path`; ``-`` stands for an array's element."""
    match shape:
        case Slot() | Fixed():
            yield path, shape
        case Fields():
            for key, field in shape.fields.items():
                yield from outline(field, child(path, key))
        case Grows():
            yield path, shape
            yield from outline(shape.element, child(path, "-"))
        case _:
            assert_never(shape)


def violations(
    shape: Shape, value: JsonValue, path: str = "", *, in_element: bool = False
) -> Iterator[str]:
    """How `value` departs from `shape`, one sentence each.

    Elements of growing arrays may still lack keys; `unfilled` reports those.
    """
    match shape:
        case Slot():
            yield from _slot_violations(shape, value, path)
        case Fixed():
            # As texts 1, 1.0 and true are three values.
            if json.dumps(value, sort_keys=True) != json.dumps(shape.value, sort_keys=True):
                yield f"{path} is fixed: leave it as it was"
        case Fields():
            yield from _field_violations(shape, value, path, in_element=in_element)
        case Grows():
            yield from _array_violations(shape, value, path)
        case _:
            assert_never(shape)


def unfilled(shape: Shape, value: JsonValue, path: str = "") -> Iterator[str]:
    """The open slots of a `value` without violations, one sentence each."""
    if isinstance(shape, Slot):
        if value == shape.text:
            yield f"{path} is not filled: {shape.text}"
        elif isinstance(value, str) and not value.strip() and not shape.may_be_empty:
            yield f"{path} is empty: {shape.text}"
    elif isinstance(shape, Fields) and isinstance(value, dict):
        for key, field in shape.fields.items():
            if key in value:
                yield from unfilled(field, value[key], child(path, key))
            else:
                yield f"{child(path, key)} is missing"
    elif isinstance(shape, Grows) and isinstance(value, list):
        example = initial_value(shape.element)
        for index, element in enumerate(value):
            if element == example:
                yield f"{child(path, index)} is still the example: fill it, or remove it"
            else:
                yield from unfilled(shape.element, element, child(path, index))


def _slot_violations(slot: Slot, value: JsonValue, path: str) -> Iterator[str]:
    if isinstance(value, dict | list):
        yield f"{path} takes one value (text, number, true, false or null), no list or object"
    elif isinstance(value, str) and value != slot.text:
        if len(value) > slot.max_chars:
            yield f"{path} has {len(value):,} characters: at most {slot.max_chars:,} are allowed"
        unwanted = UNWANTED.search(value)
        if unwanted:
            yield f"{path} holds the control character U+{ord(unwanted[0]):04X}: leave it out"
    elif isinstance(value, float) and not math.isfinite(value):
        yield f"{path} is not a finite number"


def _field_violations(
    shape: Fields, value: JsonValue, path: str, *, in_element: bool
) -> Iterator[str]:
    where = path or "the file"
    if not isinstance(value, dict):
        yield f"{where} must stay an object with the keys {', '.join(shape.fields)}"
        return
    for key in value:
        if key not in shape.fields:
            yield f"{child(path, key)} is not part of the form: use only its own keys"
    for key, field in shape.fields.items():
        if key in value:
            yield from violations(field, value[key], child(path, key), in_element=in_element)
        elif not in_element:
            yield f"{child(path, key)} is gone: keep every key of the form"


def _array_violations(shape: Grows, value: JsonValue, path: str) -> Iterator[str]:
    if not isinstance(value, list):
        yield f"{path} must stay a list"
        return
    if len(value) > shape.cap:
        yield f"{path} has {len(value)} elements: at most {shape.cap} are allowed"
        return
    for index, element in enumerate(value):
        yield from violations(shape.element, element, child(path, index), in_element=True)


def _unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result: dict[str, object] = {}
    for key, value in pairs:
        if key in result:
            raise ValueError(f"the key {key!r} stands twice in one object")
        result[key] = value
    return result


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is not a JSON number")

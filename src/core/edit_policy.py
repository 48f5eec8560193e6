"""The edits allowed in the file that an agent fills: what is fixed, may change or may grow.

Places of a JSON form are named by JSON pointers (RFC 6901), for example ``/claims/c-3/verdict``.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import TypeAlias, cast

from pydantic import JsonValue
from pydantic_core import to_json, to_jsonable_python

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
    return cast("JsonValue", to_jsonable_python(value))


def dump_json(value: JsonValue) -> str:
    """`value` as the text of a file that is easy to edit: one leaf a line."""
    return to_json(value, indent=2).decode("utf-8") + "\n"


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
            if not _is_same(value, shape.value):
                yield f"{path} is fixed: leave it as it was"
        case Fields():
            yield from _field_violations(shape, value, path, in_element=in_element)
        case Grows():
            yield from _array_violations(shape, value, path)


def _is_same(value: JsonValue, other: JsonValue) -> bool:
    """Whether two values are written alike: as texts 1, 1.0 and true are three values."""
    if isinstance(value, str) or isinstance(other, str):
        return value == other
    if type(value) is type(other) is int:
        return value == other
    return json.dumps(value, sort_keys=True) == json.dumps(other, sort_keys=True)


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
            # Most fields of a form of many claims: to name the place of each would take longest.
            if not isinstance(field, Fixed) or not _is_same(value[key], field.value):
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


MAX_PROBLEMS = 30
_MARKDOWN_SLOT = re.compile(r"\[TODO:(?:[^\[\]]|\[[^\[\]]*\])*\]")


def simulate_edit(before: str, old_string: str, new_string: str, replace_all: bool) -> str:
    """The text after an edit that replaces `old_string` by `new_string`.

    Raises:
        EditRefused: `old_string` is empty, does not occur, occurs more than once without
            `replace_all`, or the result would be longer than `MAX_TEXT_CHARS`.
    """
    if not old_string:
        raise EditRefused("old_string is empty", "name the text to replace")
    count = before.count(old_string)
    if count == 0:
        raise EditRefused("old_string does not occur in the file", "read the file and copy it")
    if count > 1 and not replace_all:
        raise EditRefused(
            f"old_string occurs {count} times", "add the lines around it so that it occurs once"
        )
    if len(before) + count * (len(new_string) - len(old_string)) > MAX_TEXT_CHARS:
        raise EditRefused(f"the file would have more than {MAX_TEXT_CHARS:,} characters")
    return before.replace(old_string, new_string)


@dataclass(frozen=True, slots=True)
class JsonSlots:
    """A JSON form: slots may change any number of times, named arrays grow, all else is fixed.

    The order of keys and white space are free. The text is valid JSON after each edit.
    """

    shape: Fields

    def check(self, before: str, after: str) -> None:  # noqa: ARG002 - the shape alone decides
        """Accept `after`, or raise `EditRefused` with the first thing that is wrong with it."""
        for violation in violations(self.shape, parse_json(after)):
            raise EditRefused(violation)

    def problems(self, text: str) -> tuple[str, ...]:
        """The problems of an unfinished form, at most 30 lines."""
        try:
            value = parse_json(text)
        except EditRefused as error:
            return (str(error),)
        broken = _bounded(violations(self.shape, value))
        return broken or _bounded(unfilled(self.shape, value))

    def initial_text(self) -> str:
        """A new file of this form."""
        return dump_json(initial_value(self.shape))


@dataclass(frozen=True, slots=True)
class MarkdownDraft:
    """A Markdown document: `headings` stay, in their order; others may be added between them.

    `headings` are whole heading lines (``## Findings``). `markers` are the slot texts of the
    template, none of which may be left in a finished text. `max_chars` bounds the characters of the
    whole text. Sections of `headings` need text, but for those in `may_be_empty`.
    """

    headings: tuple[str, ...]
    markers: tuple[str, ...]
    max_chars: int
    _: KW_ONLY
    may_be_empty: frozenset[str] = frozenset()

    @classmethod
    def of_template(cls, template: str, max_chars: int) -> MarkdownDraft:
        """The policy for filling `template`: its slots, and its headings without one."""
        markers = tuple(dict.fromkeys(_MARKDOWN_SLOT.findall(template)))
        headings = tuple(line for line in heading_lines(template) if SLOT_START not in line)
        return cls(headings, markers, max_chars)

    def revising(self, draft: str) -> MarkdownDraft:
        """The policy for revising `draft`: all its headings stay, and its length is allowed."""
        sections = _sections(draft)
        return replace(
            self,
            headings=tuple(heading for heading, _ in sections),
            max_chars=max(self.max_chars, len(draft)),
            may_be_empty=frozenset(heading for heading, filled in sections if not filled),
        )

    def check(self, before: str, after: str) -> None:
        """Accept the step from `before` to `after`, or raise `EditRefused` with the reason."""
        if len(after) > self.max_chars:
            raise EditRefused(
                f"the text would have {len(after):,} characters: at most {self.max_chars:,} "
                "are allowed"
            )
        new = set(UNWANTED.findall(after)) - set(UNWANTED.findall(before))
        if new:
            raise EditRefused(f"the text would hold the control character U+{ord(min(new)):04X}")
        rest = iter(heading_lines(after))
        for wanted in self.headings:
            if wanted not in rest:
                raise EditRefused(f"the heading {wanted!r} must stay, in its place and as it is")

    def problems(self, text: str) -> tuple[str, ...]:
        """The problems of an unfinished document, one line each."""
        try:
            self.check(text, text)
        except EditRefused as error:
            return (str(error),)
        if not text.strip():
            return ("the text is empty",)
        open_ = [f"not filled: {marker}" for marker in self.markers if marker in text]
        need_text = set(self.headings) - self.may_be_empty
        empty = [heading for heading, filled in _sections(text) if not filled]
        wanting = (f"the section {one!r} is empty" for one in empty if one in need_text)
        return _bounded([*open_, *wanting])


def heading_lines(text: str) -> tuple[str, ...]:
    """The headings of a Markdown text as lines (``## Findings``), without those in code blocks."""
    return tuple(heading for heading, _ in _sections(text))


def fill_slots(text: str, policy: JsonSlots, values: Mapping[str, JsonValue]) -> str:
    """`text` with `values` (JSON pointer -> value) written into its slots.

    A growing array is given whole, as a list. What is not named stays as it is.

    Raises:
        EditRefused: A pointer names no slot and no growing array, or the policy refuses a value.
    """
    data = parse_json(text)
    for path, value in values.items():
        shape: Shape | None = policy.shape
        place, key = data, ""
        for part in path.split("/")[1:]:
            if key and isinstance(place, dict):
                place = place.get(key)
            key = part.replace("~1", "/").replace("~0", "~")
            shape = shape.fields.get(key) if isinstance(shape, Fields) else None
        if not isinstance(shape, Slot | Grows) or not isinstance(place, dict):
            raise EditRefused(f"{path!r} names no slot", "name a slot or a growing list")
        place[key] = plain_json(value)
    for violation in violations(policy.shape, data):
        raise EditRefused(violation)
    return dump_json(data)


def _bounded(lines: Iterable[str]) -> tuple[str, ...]:
    found = list(lines)
    if len(found) <= MAX_PROBLEMS:
        return tuple(found)
    return (*found[:MAX_PROBLEMS], f"and {len(found) - MAX_PROBLEMS} more")


def _sections(text: str) -> list[tuple[str, bool]]:
    """Each heading outside code blocks, and whether any text stands under it or its children."""
    headings: list[str] = []
    filled: list[bool] = []
    open_: list[tuple[int, int]] = []  # level and index, outermost first
    fence = ""
    for line in text.split("\n"):
        mark = line.strip()[:3]
        heading = None if fence else _heading(line)
        if mark in ("```", "~~~"):
            fence = "" if fence == mark else fence or mark
        if heading is not None:
            level = heading.index(" ")
            open_ = [entry for entry in open_ if entry[0] < level]
            open_.append((level, len(headings)))
            headings.append(heading)
            filled.append(False)
        elif mark:
            for _, index in open_:
                filled[index] = True
    return list(zip(headings, filled, strict=True))


def _heading(line: str) -> str | None:
    """An ATX heading as ``## Title``, or None."""
    stripped = line.strip()
    title = stripped.lstrip("#")
    level = len(stripped) - len(title)
    if not 1 <= level <= 6 or title[:1] not in ("", " ", "\t") or line.startswith(("    ", "\t")):
        return None
    words = title.strip()
    unclosed = words.rstrip("#")
    # A closing sequence of hashes stands alone: "# C#" is about C#.
    if unclosed and unclosed[-1] not in " \t":
        unclosed = words
    return f"{'#' * level} {unclosed.rstrip()}"

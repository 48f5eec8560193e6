"""Forms made from pydantic models: every field a slot, every list one that grows.

The words of a slot come from the field: its description, the values that it may have, its length.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar, cast

from pydantic import BaseModel, JsonValue, ValidationError
from pydantic.errors import PydanticUserError

from ..base.errors import ReplyError, TemplateError
from ..base.registry import first_line
from .edit_policy import Fields, Grows, JsonSlots, Shape, Slot, child, open_slot, parse_json
from .templates import DEFAULT_SLOT_CHARS, JsonTemplate

MOST_ELEMENTS = 50
"""Of a list whose field sets no `max_length`."""

ModelT = TypeVar("ModelT", bound=BaseModel)
Schema: TypeAlias = Mapping[str, JsonValue]

_KINDS = {
    "string": "",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "null for none",
}
"""The words of a slot for each JSON Schema type."""


@dataclass(frozen=True, slots=True)
class ModelForm(Generic[ModelT]):
    """The form of a pydantic model: its first text and policy, and how it is read and filled.

    `defaulted` are the places, ``-`` for an element of a list, where null stands for the default.
    """

    model: type[ModelT]
    template: JsonTemplate
    defaulted: frozenset[str]

    def read(self, text: str) -> ModelT:
        """The filled form `text` as a record.

        Raises:
            ReplyError: A value cannot be read; the message names the first place.
        """
        data = _without(parse_json(text), self.defaulted, "")
        return read_reply(self.model, json.dumps(data))

    def values(self, filled: ModelT) -> dict[str, JsonValue]:
        """The values of `filled` for slots and growing lists, by JSON pointer."""
        data = cast("JsonValue", filled.model_dump(mode="json", by_alias=True))
        return dict(_values(self.template.policy.shape, data, ""))


def form_of(model: type[ModelT]) -> ModelForm[ModelT]:
    """The form that an agent fills in to make a `model`.

    A list starts with one example and may become empty. Null in a field with a default stands for
    that default.

    Raises:
        TemplateError: A field can be no part of a form: a mapping, a union of records, a tuple of
            fixed length, or a model within itself.
    """
    try:
        schema = model.model_json_schema()
    except PydanticUserError as error:
        message = f"{model.__name__}: {first_line(error.message)}"
        raise TemplateError(message, "use fields that JSON can hold") from error
    reader = _Reader(model.__name__, cast("Mapping[str, Schema]", schema.get("$defs", {})))
    shape = reader.shape(cast("Schema", schema), "")
    if not isinstance(shape, Fields) or not shape.fields:
        raise TemplateError(f"{model.__name__} has no fields to fill in")
    policy = JsonSlots(shape)
    template = JsonTemplate(policy.initial_text(), policy)
    return ModelForm(model, template, frozenset(reader.defaulted))


def _values(shape: Shape, data: JsonValue, path: str) -> Iterator[tuple[str, JsonValue]]:
    if isinstance(shape, Fields) and isinstance(data, dict):
        for key, field in shape.fields.items():
            if key in data:
                yield from _values(field, data[key], child(path, key))
    else:
        yield path, data


def _without(data: JsonValue, defaulted: frozenset[str], path: str) -> JsonValue:
    """`data` without the fields at `defaulted` places that hold null."""
    if isinstance(data, list):
        return [_without(one, defaulted, child(path, "-")) for one in data]
    if not isinstance(data, dict):
        return data
    places = {key: child(path, key) for key in data}
    return {
        key: _without(value, defaulted, places[key])
        for key, value in data.items()
        if value is not None or places[key] not in defaulted
    }


class _Reader:
    """Reads the JSON Schema of one model; `defaulted` is as in `ModelForm`."""

    def __init__(self, label: str, definitions: Mapping[str, Schema]) -> None:
        self._label = label
        self._definitions = definitions
        self._within: list[str] = []
        self.defaulted: set[str] = set()

    def shape(self, schema: Schema, path: str) -> Shape:
        reference = schema.get("$ref")
        if isinstance(reference, str):
            return self._definition(reference, schema, path)
        if "properties" in schema:
            fields = cast("Mapping[str, Schema]", schema["properties"])
            return Fields({key: self.shape(one, child(path, key)) for key, one in fields.items()})
        if schema.get("type") == "array" and "items" in schema and "prefixItems" not in schema:
            cap = schema.get("maxItems", MOST_ELEMENTS)
            # A list of plain values has its words from the list.
            element = {"description": schema.get("description", _name(path))}
            element |= cast("dict[str, JsonValue]", schema["items"])
            shape = self.shape(element, child(path, "-"))
            return Grows(shape, cap if isinstance(cap, int) else MOST_ELEMENTS)
        return self._slot(schema, path)

    def _definition(self, reference: str, schema: Schema, path: str) -> Shape:
        name = reference.rpartition("/")[2]
        if name in self._within:
            raise self._error(path, f"{name} stands within itself", "use a list of plain records")
        self._within.append(name)
        # The description of a type is for programmers; that of the field is for the agent.
        kind = {k: v for k, v in self._definitions[name].items() if k != "description"}
        shape = self.shape({**kind, **{k: v for k, v in schema.items() if k != "$ref"}}, path)
        self._within.pop()
        return shape

    def _slot(self, schema: Schema, path: str) -> Slot:
        choices = list(self._choices(schema))
        words = [word for choice in choices if (word := self._kind(choice, path))]
        limits = [one["maxLength"] for one in choices if "maxLength" in one]
        chars = max((limit for limit in limits if isinstance(limit, int)), default=None)
        if chars is not None:
            words.append(f"at most {chars:,} characters")
        empty = schema.get("default") == ""
        may_be_empty = empty or any(one.get("type") == "null" for one in choices)
        if empty:
            words.append("may be empty")
        elif schema.get("default") is not None:
            self.defaulted.add(path)
            words.append(f"null for {json.dumps(schema['default'], ensure_ascii=False)}")
        about = str(schema.get("description") or _name(path))
        told = " ".join([about, *(f"({word})" for word in words)])
        return open_slot(path, told, chars or DEFAULT_SLOT_CHARS, may_be_empty=may_be_empty)

    def _choices(self, schema: Schema) -> Iterator[Schema]:
        """The alternatives of a field, with references resolved."""
        reference = schema.get("$ref")
        if isinstance(reference, str):
            yield from self._choices(self._definitions[reference.rpartition("/")[2]])
        elif "anyOf" in schema:
            for choice in cast("Sequence[Schema]", schema["anyOf"]):
                yield from self._choices(choice)
        else:
            yield schema

    def _kind(self, schema: Schema, path: str) -> str:
        """The words of a slot for one alternative, "" for any text."""
        if "enum" in schema:
            return "one of " + ", ".join(map(str, cast("Sequence[object]", schema["enum"])))
        if "const" in schema:
            return str(schema["const"])
        kind = schema.get("type")
        if kind not in _KINDS:
            raise self._error(path, "a form has no place for such a field", "use a list of records")
        return _KINDS[str(kind)]

    def _error(self, path: str, message: str, hint: str) -> TemplateError:
        return TemplateError(f"{self._label}: {path or 'the model'}: {message}", hint)


def _name(path: str) -> str:
    """The last name of a place, as words."""
    return path.removesuffix("/-").rpartition("/")[2].replace("_", " ")


def read_reply(model: type[ModelT], text: str) -> ModelT:
    """The filled form `text` as a `model`.

    Raises:
        ReplyError: It cannot be read; the message names the first place and what is wrong.
    """
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = "/" + "/".join(str(part) for part in first["loc"])
        wrong = first_line(first["msg"]).removeprefix("Value error, ")
        raise ReplyError(f"{place}: {wrong}") from error

"""JSON Schema (2020-12) of what is written and read, made from the models themselves.

Descriptions are the docstrings of the models; a field has those sentences of its model's docstring
that name it, where it has no description of its own.
"""

from __future__ import annotations

import inspect
import json
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal, cast

from foureyes.base.files import adapter
from pydantic import JsonValue
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_SENTENCE_END = re.compile(r"(?<=[.:])\s+(?=[A-Z`(])")
_NOTES = re.compile(
    r"\s*\((?:decisions?|design|[\w -]*spec)\b[^)]*\)|, (?:see )?decisions? [\d, and]*\d"
)
Json = dict[str, JsonValue]


class Where(StrEnum):
    """Location of an artefact."""

    RUN = "run directory"
    REVIEW = "review directory"
    BOTH = "run and review directories"
    PACK = "evidence pack"
    BATCH = "batch directory"
    OUTPUT = "standard output"
    CALL = "result of a call"
    REGISTRY = "registry folder"
    USER = "your own file"

    @property
    def read_only(self) -> bool:
        """Whether users write it and foureyes only reads it."""
        return self in (Where.REGISTRY, Where.USER)


@dataclass(frozen=True, slots=True)
class Artefact:
    """An artefact with a schema.

    `files` is a glob pattern below its folder, or a command. `model` is the type of the whole
    artefact; of a file with `lines`, the type of each line. `about` describes it in a sentence.
    """

    name: str
    where: Where
    files: str
    model: Any
    about: str
    lines: bool = False

    @property
    def schema_file(self) -> str:
        """The name of its published schema."""
        return f"{self.name}.schema.json"


@dataclass(frozen=True, slots=True)
class Undescribed:
    """Files below a run or review directory, by a glob pattern, that have no schema, and why."""

    files: str
    why: str


def schema_of(artefact: Artefact) -> Json:
    """The schema of `artefact`; its `$id` is relative to wherever it is published."""
    mode: Literal["validation", "serialization"] = "serialization"
    if artefact.where.read_only:
        mode = "validation"
    schema = adapter(artefact.model).json_schema(mode=mode, schema_generator=_Described)
    more = str(schema.pop("description", ""))
    head: Json = {
        "$schema": DIALECT,
        "$id": artefact.schema_file,
        "$comment": artefact.where.value,
        "title": artefact.files,
        "description": f"{artefact.about}\n\n{more}".strip(),
    }
    schema.pop("title", None)
    return cast("Json", _without_notes({**head, **schema}))


def schema_text(artefact: Artefact) -> str:
    """The text of its published schema."""
    return json.dumps(schema_of(artefact), ensure_ascii=False, indent=1) + "\n"


class _Described(GenerateJsonSchema):
    """Schemas with what docstrings say, and without a title for each field."""

    def field_title_should_be_set(self, schema: object) -> bool:  # noqa: ARG002 - pydantic's own
        """Never: the field's name says enough."""
        return False

    def frozenset_schema(self, schema: core_schema.FrozenSetSchema) -> JsonSchemaValue:
        """Allow repeated values in input."""
        made = super().frozenset_schema(schema)
        if self.mode == "validation":
            made.pop("uniqueItems", None)
        return made

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> JsonSchemaValue:
        """With the docstring, which pydantic leaves out for dataclasses."""
        return _described(super().dataclass_schema(schema), schema["cls"])

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        """With descriptions for fields that have none."""
        return _described(super().model_schema(schema), schema["cls"])


def _described(schema: JsonSchemaValue, kind: type) -> JsonSchemaValue:
    doc = _docstring(kind)
    if doc:
        schema["description"] = doc
    properties = cast("dict[str, JsonSchemaValue]", schema.get("properties", {}))
    for name, of in properties.items():
        named = [said for said in _SENTENCE_END.split(doc) if f"`{name}`" in said]
        if named and "description" not in of:
            of["description"] = " ".join(named)
        elif "description" in of:
            of["description"] = " ".join(of["description"].split())
    return schema


def _docstring(kind: type[object]) -> str:
    """The docstring of `kind` itself, a line for each paragraph."""
    doc = kind.__dict__.get("__doc__") or ""
    paragraphs = inspect.cleandoc(doc).split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def _without_notes(value: JsonValue) -> JsonValue:
    """`value` with descriptions that name no numbered notes of those who write the program."""
    if isinstance(value, list):
        return [_without_notes(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        key: _NOTES.sub("", one)
        if key == "description" and isinstance(one, str)
        else _without_notes(one)
        for key, one in value.items()
    }

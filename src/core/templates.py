"""Agent templates: forms and documents created with open slots, and the policy that guards them.

Notation of a JSON template:

- A string ``[TODO: …]`` is a slot. The agent reads the words in it. The words ``may be empty``
  allow an empty string, ``at most N characters`` sets the longest text (4,000 without it).
- ``["[at most N]", example]`` is a growing list. The agent sees the example alone.
- An object with the one key ``[each claim]`` gets one entry for each claim, made from the example
  under that key. Code fills its fixed fields; a slot that code fills can be changed.
- Everything else is fixed.

Where several slots have the same words, the agent sees each with its place in the form.

In a Markdown template each ``[TODO: …]`` is a slot, and headings without one are fixed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import assert_never

from pydantic import JsonValue

from ..base.errors import EditRefused, TemplateError
from ..base.registry import meant, packaged_config
from .edit_policy import SLOT_START, JsonSlots, MarkdownDraft
from .json_shape import (
    Fields,
    Fixed,
    Grows,
    Shape,
    Slot,
    child,
    initial_value,
    outline,
    parse_json,
    plain_json,
    violations,
    with_slots,
)
from .prompts import ConfigFiles

EACH_CLAIM = "[each claim]"
DEFAULT_SLOT_CHARS = 4000
DEFAULT_DRAFT_CHARS = 200_000
_LIST_RULE = re.compile(r"\[at most ([1-9]\d{0,3})\]")
_SLOT_CHARS = re.compile(r"at most (\d[\d,]{0,8}) characters")

Claims = Mapping[str, Mapping[str, JsonValue]]


@dataclass(frozen=True, slots=True)
class JsonTemplate:
    """A form's first text, and what may change in it."""

    text: str
    policy: JsonSlots


@dataclass(frozen=True, slots=True)
class MarkdownTemplate:
    """A document's first text, and what may change in it."""

    text: str
    policy: MarkdownDraft


class TemplateLibrary:
    """The packaged templates, of which a user's folder may replace single files.

    A replaced template may change words and limits, not the structure that code reads.

    Args:
        folder: The user's folder, laid out as the packaged one.
        base: The packaged folder; None for `config/templates`.

    Raises:
        TemplateError: A file of the folder is unknown or broken, or lacks a slot.
    """

    def __init__(self, folder: Path | None = None, *, base: Traversable | None = None) -> None:
        packaged = base if base is not None else packaged_config() / "templates"
        self._packaged = ConfigFiles(packaged, None, TemplateError)
        self._files = ConfigFiles(packaged, folder, TemplateError)
        known = self._packaged.packaged()
        for name in self._files.replaced():
            if name not in known:
                raise TemplateError(
                    f"{self._files.label(name)!r} replaces no template", meant(name, known)
                )
            self._validate(name)

    def json_template(self, name: str, *, claims: Claims | None = None) -> JsonTemplate:
        """The form `name`, with one entry for each claim id in `claims`.

        A claim's mapping gives the values of its entry's fixed fields, and may fill slots and
        lists. `claims` is given exactly if the template has a ``[each claim]`` entry.

        Raises:
            TemplateError: The template is broken, or has no place for a given value.
        """
        form = _read_form(self._files, name, claims)
        policy = JsonSlots(name_slots(form.shape))
        if claims is not None and not form.has_claims:
            raise TemplateError(f"{self._files.label(name)}: there is no {EACH_CLAIM!r} entry")
        for violation in violations(policy.shape, initial_value(policy.shape)):
            raise TemplateError(f"{self._files.label(name)}: a value for {violation}")
        return JsonTemplate(policy.initial_text(), policy)

    def markdown_template(
        self, name: str, *, max_chars: int = DEFAULT_DRAFT_CHARS
    ) -> MarkdownTemplate:
        """The document `name`, of at most `max_chars` characters when it is filled.

        Raises:
            TemplateError: The template is broken.
        """
        text = self._files.text(name)
        return MarkdownTemplate(text, _document(text, self._files.label(name), max_chars))

    def _validate(self, name: str) -> None:
        label = self._files.label(name)
        if not name.endswith(".json"):
            _document(self._files.text(name), label, DEFAULT_DRAFT_CHARS)
            return
        sample: Claims = {EACH_CLAIM: {}}
        own = dict(outline(_read_form(self._files, name, sample).shape))
        wanted = dict(outline(_read_form(self._packaged, name, sample).shape))
        for path, part in wanted.items():
            if type(own.get(path)) is not type(part):
                raise TemplateError(f"{label}: {_kind(part)} {path} is missing", "put it back")
        for path, part in own.items():
            if path not in wanted:
                raise TemplateError(f"{label}: nothing reads {_kind(part)} {path}", "take it out")


@dataclass(frozen=True, slots=True)
class _Form:
    shape: Fields
    has_claims: bool


def _read_form(files: ConfigFiles, name: str, claims: Claims | None) -> _Form:
    label = files.label(name)
    try:
        data = parse_json(files.text(name))
    except EditRefused as error:
        raise TemplateError(f"{label}: {error.message}") from error
    reader = _FormReader(label, claims)
    shape = reader.shape(data, "")
    if not isinstance(shape, Fields):
        raise TemplateError(f"{label}: the template must be an object with slots")
    return _Form(shape, reader.has_claims)


class _FormReader:
    """Reads the notation of one JSON template."""

    def __init__(self, label: str, claims: Claims | None) -> None:
        self._label = label
        self._claims = claims
        self.has_claims = False

    def shape(self, data: JsonValue, path: str) -> Shape:
        if isinstance(data, str) and data.startswith("[TODO"):
            return self._slot(data, path)
        if isinstance(data, list):
            return self._list(data, path)
        if isinstance(data, dict) and EACH_CLAIM in data:
            return self._claim_entries(data, path)
        if isinstance(data, dict):
            return Fields({key: self.shape(part, child(path, key)) for key, part in data.items()})
        return Fixed(data)

    def _slot(self, text: str, path: str) -> Slot:
        if not (text.startswith(SLOT_START) and text.endswith("]")):
            raise self._error(path, "a slot is written '[TODO: …]'")
        limit = _SLOT_CHARS.search(text)
        chars = int(limit[1].replace(",", "")) if limit else DEFAULT_SLOT_CHARS
        return Slot(text, chars, "may be empty" in text, text)

    def _list(self, data: list[JsonValue], path: str) -> Shape:
        rule = _LIST_RULE.fullmatch(data[0]) if data and isinstance(data[0], str) else None
        if rule is not None:
            if len(data) != 2:
                raise self._error(path, "a growing list holds its rule and one example")
            return Grows(self.shape(data[1], child(path, "-")), int(rule[1]))
        if any(_has_slot(element) for element in data):
            raise self._error(path, "a list with slots begins with its rule '[at most N]'")
        return Fixed(data)

    def _claim_entries(self, data: dict[str, JsonValue], path: str) -> Fields:
        if len(data) != 1 or self._claims is None or self.has_claims:
            raise self._error(path, f"{EACH_CLAIM!r} stands alone, once, and needs claims")
        self.has_claims = True
        entry = self.shape(data[EACH_CLAIM], child(path, EACH_CLAIM))
        if not isinstance(entry, Fields):
            raise self._error(path, f"{EACH_CLAIM!r} must be an object")
        return Fields({id_: self._entry(entry, given) for id_, given in self._claims.items()})

    def _entry(self, entry: Fields, given: Mapping[str, JsonValue]) -> Fields:
        for key in given:
            if key not in entry.fields:
                raise self._error(child("", EACH_CLAIM), f"there is no field {key!r}")
        return Fields(
            {
                key: _filled(field, given[key]) if key in given else field
                for key, field in entry.fields.items()
            }
        )

    def _error(self, path: str, message: str) -> TemplateError:
        return TemplateError(f"{self._label}: {path or 'the file'}: {message}")


def _filled(shape: Shape, given: JsonValue) -> Shape:
    value = plain_json(given)
    if isinstance(shape, Slot):
        return replace(shape, initial=value)
    if isinstance(shape, Grows) and isinstance(value, list):
        return replace(shape, initial=value)
    return Fixed(value)


def name_slots(form: Fields) -> Fields:
    """`form` with its pointer in each slot text that occurs more than once.

    An edit has to name text that occurs once; so it can name the slot alone.
    """
    texts = Counter(part.text for _, part in outline(form) if isinstance(part, Slot))

    def named(slot: Slot, path: str) -> Slot:
        if texts[slot.text] == 1:
            return slot
        text = f"{SLOT_START} {path}: {slot.text.removeprefix(SLOT_START).lstrip()}"
        return replace(slot, text=text, initial=text if slot.initial == slot.text else slot.initial)

    return Fields(
        {key: with_slots(field, named, child("", key)) for key, field in form.fields.items()}
    )


def _kind(part: Slot | Fixed | Grows) -> str:
    match part:
        case Slot():
            return "the slot"
        case Fixed():
            return "the fixed value"
        case Grows():
            return "the growing list"
        case _:
            assert_never(part)


def _has_slot(data: JsonValue) -> bool:
    if isinstance(data, str):
        return data.startswith("[TODO")
    if isinstance(data, dict):
        return any(_has_slot(part) for part in data.values())
    return isinstance(data, list) and any(_has_slot(part) for part in data)


def _document(text: str, label: str, max_chars: int) -> MarkdownDraft:
    policy = MarkdownDraft.of_template(text, max_chars)
    if not policy.markers or not policy.headings:
        raise TemplateError(f"{label}: a document needs a heading and a slot '[TODO: …]'")
    return policy

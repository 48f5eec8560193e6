"""`sources.yaml`: what a user says about the files of a folder of sources."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, field_validator
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from ..base.complaints import mistake_text
from ..base.errors import SettingsError
from ..base.registry import unfit_yaml, yaml_problem
from .addresses import AddressError, parse_web_address

LISTING = "sources.yaml"
_MAX_BYTES = 1024 * 1024
_FORM = "write entries as - {file: a.md, url: https://…, title: …, published: 2024-05-01}"


class ListedFile(BaseModel):
    """One entry of `sources.yaml`.

    `file` is relative to the folder; `url` is the web address that the file answers for.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    file: str = Field(min_length=1)
    url: str = ""
    title: str = ""
    author: str = ""
    published: date | None = None

    @field_validator("url")
    @classmethod
    def _is_web_address(cls, url: str) -> str:
        try:
            parse_web_address(url) if url else None
        except AddressError as error:
            raise ValueError(error.message) from error
        return url

    @field_validator("published", mode="before")
    @classmethod
    def _is_whole_date(cls, value: object) -> object:
        # Without this, a number would be read as seconds since 1970.
        if value is None or value == "":
            return None
        if isinstance(value, date) or re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", str(value)):
            return value
        raise ValueError("write a whole date, as in 2024-05-01")


def read_listing(path: Path) -> list[tuple[int, ListedFile]]:
    """The entries of a `sources.yaml`, each with the line where it begins.

    Raises:
        SettingsError: The file is broken; file and line are named.
    """
    text = _read_text(path)
    name = str(path)
    if problem := unfit_yaml(text):
        raise SettingsError(f"{name!r}: {problem}", _FORM)
    # Every scalar stays text, so that a title may be a number. ruamel.yaml annotates only part of
    # these methods.
    loader = cast("Any", YAML(typ="base", pure=True))
    try:
        tree = loader.compose(text)
        entries = cast("object", loader.load(text))
    except YAMLError as error:
        raise _not_yaml(name, error) from error
    if tree is None:
        return []
    starts = [int(node.start_mark.line) + 1 for node in tree.value] if _is_list(entries) else []
    try:
        listed = TypeAdapter(list[ListedFile]).validate_python(entries)
    except ValidationError as error:
        raise _not_valid(name, starts, error) from error
    return list(zip(starts, listed, strict=True))


def _is_list(data: object) -> bool:
    return isinstance(data, list)


def _read_text(path: Path) -> str:
    name = repr(str(path))
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
    except OSError as error:
        raise SettingsError(f"cannot read {name}: {error.strerror}") from error
    if len(data) > _MAX_BYTES:
        raise SettingsError(f"{name} is larger than {_MAX_BYTES:,} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise SettingsError(f"{name}, line {line}: not UTF-8", "save it as UTF-8") from error


def _not_yaml(name: str, error: YAMLError) -> SettingsError:
    line, problem = yaml_problem(error)
    return SettingsError(f"{name!r}, line {line}: not valid YAML: {problem}", _FORM)


def _not_valid(name: str, starts: list[int], error: ValidationError) -> SettingsError:
    first = error.errors()[0]
    place = [*first["loc"]]
    line = starts[place[0]] if place and isinstance(place[0], int) else 1
    field = f"{place[1]}: " if len(place) > 1 else ""
    return SettingsError(f"{name!r}, line {line}: {field}{mistake_text(first)}", _FORM)

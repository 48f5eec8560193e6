"""The parts of a job: texts that a person names, and settings that hold on every worker."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ..base.files import MAX_DOCUMENT_BYTES, read_document
from ..base.registry import parse_yaml, validate
from .model import LoadedSettings
from .rules import require_same_settings
from .settings import load_settings

EntryT = TypeVar("EntryT", bound=BaseModel)
_TEXTS = ("brief", "draft", "document")


class GivenTexts(BaseModel):
    """Texts that stand in an entry, or in files beside the file of the entries."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    brief: str | None = Field(default=None, description="The text of a brief to run.")
    brief_file: Path | None = None
    draft: str | None = Field(default=None, description="The text of a draft to begin with.")
    draft_file: Path | None = None
    document: str | None = Field(
        default=None, description="The text of a document to check or review, in Markdown."
    )
    document_file: Path | None = Field(
        default=None, description="Or its file: Markdown, text, HTML, PDF or Word."
    )
    sources: tuple[str, ...] = Field(default=(), description="Folders, files and web addresses.")

    @model_validator(mode="after")
    def _has_one_text_each(self) -> Self:
        for name in _TEXTS:
            if {name, f"{name}_file"} <= self.given:
                raise ValueError(f"there are both {name} and {name}_file")
        return self

    @property
    def given(self) -> frozenset[str]:
        """The names of the texts and files that are there."""
        names = (name for text in _TEXTS for name in (text, f"{text}_file"))
        return frozenset(name for name in names if getattr(self, name) is not None)

    def require(self, task: str, named: str) -> None:
        """Refuse texts that `task` does not take; messages call it as it is `named`.

        Raises:
            ValueError: One is missing, or would be left aside.
        """
        documents = self.given & {"document", "document_file"}
        runs = task == "run"
        if bool(documents) == runs or bool(self.given - documents) != runs:
            wanted = "a brief, a draft or both" if runs else "a document"
            raise ValueError(f"{named} takes {wanted}, and nothing else")


def read_entries(
    path: Path, kind: type[EntryT], max_bytes: int = MAX_DOCUMENT_BYTES
) -> Iterator[tuple[str, EntryT]]:
    """Each line of the JSONL file `path`, with its place for messages.

    Raises:
        InputError: The file cannot be read, or a line is wrong.
    """
    for number, line in enumerate(read_document(path, max_bytes=max_bytes).split("\n"), start=1):
        if not line.strip():
            continue
        place = f"{path}, line {number}"
        yield place, validate(kind, line.encode(), place, "correct it")


def read_yaml(model: type[EntryT], path: Path) -> EntryT:
    """The YAML file `path` as a `model`.

    Raises:
        InputError: It cannot be read, or is wrong; the message names the first wrong place.
    """
    return validate(model, parse_yaml(read_document(path), str(path)), str(path))


def worker_settings(
    given: Mapping[str, object],
    digest: str,
    of: str,
    usd: Decimal | None,
    minutes: float | None = None,
) -> LoadedSettings:
    """The settings of a job on this machine, with the limits of `of`, where they are tighter.

    Raises:
        InputError: A setting is wrong, or they come to others than `digest` says.
    """
    loaded = load_settings(given)
    require_same_settings(loaded.settings, digest, of)
    limits: dict[str, Any] = {"budget_usd": usd, "max_minutes": minutes}
    for key, own in loaded.settings:
        if key in limits and own is not None:
            limits[key] = own if limits[key] is None else min(own, limits[key])
    return replace(loaded, settings=loaded.settings.model_copy(update=limits))

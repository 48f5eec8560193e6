"""The machine-readable card of a reader: its files with hashes, its labels, lengths and data."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from ...base.errors import InputError, mistake_text

CARD_FILE, MODEL_FILE, TOKENIZER_FILE = "card.json", "model.onnx", "tokenizer.json"

Label = Literal["supports", "contradicts", "neutral"]
_PAIR_FORMAT = "<s> passage </s></s> claim </s>"
"""Part of the identity: scores depend on it as much as on the weights."""


class _CardModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ModelFile(_CardModel):
    """A file that the scores depend on."""

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")
    bytes: int = Field(gt=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class DataSet(_CardModel):
    """A set that the model was trained on."""

    name: str
    rows: int = Field(gt=0)
    source: str
    licence: str


class ModelCard(_CardModel):
    """`config/models/card.json`.

    `labels` are the model's outputs in order. Lengths are in tokens; of a pair that is longer than
    `max_tokens` the passage is cut.
    """

    name: str
    licence: str
    labels: tuple[Label, Label, Label]
    max_tokens: int = Field(ge=16)
    max_claim_tokens: int = Field(ge=4)
    files: tuple[ModelFile, ...]
    quantisation: str
    base: str
    data: tuple[DataSet, ...]

    @model_validator(mode="after")
    def _complete(self) -> ModelCard:
        if len(set(self.labels)) != len(self.labels):
            raise ValueError("labels must be supports, contradicts and neutral, each once")
        missing = {MODEL_FILE, TOKENIZER_FILE} - {file.name for file in self.files}
        if missing:
            raise ValueError(f"files must name {min(missing)}")
        return self

    def identity(self) -> str:
        """A SHA-256 of all that determines the scores: files, labels, lengths and pair format."""
        digest = hashlib.sha256(
            f"{_PAIR_FORMAT}\n{self.labels}\n{self.max_tokens} {self.max_claim_tokens}".encode()
        )
        for file in sorted(self.files, key=lambda one: one.name):
            digest.update(f"\n{file.name} {file.sha256}".encode())
        return digest.hexdigest()


def load_card(folder: Path) -> ModelCard:
    """Read the card of the model in `folder`.

    Raises:
        InputError: It is missing or does not validate.
    """
    path = folder / CARD_FILE
    try:
        return ModelCard.model_validate_json(path.read_bytes())
    except OSError as error:
        raise broken(path, error.strerror or type(error).__name__) from error
    except ValidationError as error:
        raise broken(path, mistake_text(error.errors()[0])) from error


def check_files(folder: Path, card: ModelCard) -> None:
    """Compare the model's files with the hashes of its card.

    Raises:
        InputError: A file is missing, unreadable or another one; the message names it.
    """
    for file in card.files:
        path = folder / file.name
        try:
            with path.open("rb") as stream:
                found = hashlib.file_digest(stream, "sha256").hexdigest()
        except OSError as error:
            raise broken(path, error.strerror or type(error).__name__) from error
        if found != file.sha256:
            raise broken(path, f"its SHA-256 is {found[:12]}…, not {file.sha256[:12]}…")


def broken(path: Path, reason: str) -> InputError:
    """The error for a file of the model that cannot be used."""
    return InputError(
        f"cannot load the reader from {str(path)!r}: {reason}",
        "install foureyes again, or check without it: --reader none",
    )

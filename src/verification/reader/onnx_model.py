"""The model itself: ONNX files in a folder with a card, loaded at the first use.

What is used of the libraries is declared here: they bring no types that pyright could check.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal, Protocol, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from ...base.errors import InputError, mistake_text
from .model import StanceScores, TextPair

MOST_THREADS = 2
"""Threads that read at once by default: several processes often share a machine."""

_IDS, _PROBABILITIES = "ids", "probabilities"
_BEGIN, _SEPARATOR = "<s>", "</s>"
CARD_FILE, MODEL_FILE, TOKENIZER_FILE = "card.json", "model.onnx", "tokenizer.json"
Label = Literal["supports", "contradicts", "neutral"]
_PAIR_FORMAT = "<s> passage </s></s> claim </s>"
"""Part of the identity: scores depend on it as much as on the weights."""


class _Options(Protocol):
    intra_op_num_threads: int
    inter_op_num_threads: int
    log_severity_level: int
    enable_mem_pattern: bool
    enable_mem_reuse: bool


class _Array(Protocol):
    def tolist(self) -> list[list[float]]: ...


class _Session(Protocol):
    def run(self, names: Sequence[str], feed: Mapping[str, object]) -> Sequence[_Array]: ...


class _Runtime(Protocol):
    def SessionOptions(self) -> _Options: ...
    def InferenceSession(
        self, path: str, options: _Options, *, providers: Sequence[str]
    ) -> _Session: ...


class _Encoding(Protocol):
    ids: list[int]


class _Tokenizer(Protocol):
    def encode(self, text: str, *, add_special_tokens: bool) -> _Encoding: ...
    def token_to_id(self, token: str) -> int: ...


class _TokenizerClass(Protocol):
    def from_file(self, path: str) -> _Tokenizer: ...


class _Tokenizers(Protocol):
    Tokenizer: _TokenizerClass


class _Numpy(Protocol):
    def array(self, values: Sequence[int], *, dtype: str) -> object: ...


@dataclass(frozen=True, slots=True)
class _LoadedModel:
    card: ModelCard
    tokenizer: _Tokenizer
    session: _Session
    numpy: _Numpy

    def score(self, pair: TextPair) -> StanceScores:
        ids = self.numpy.array(self._encode(*pair), dtype="int64")
        ((row,),) = (array.tolist() for array in self.session.run([_PROBABILITIES], {_IDS: ids}))
        return StanceScores(**dict(zip(self.card.labels, row, strict=True)))

    def _encode(self, passage: str, claim: str) -> list[int]:
        claim_ids = self._tokens(claim)[: self.card.max_claim_tokens]
        begin = self.tokenizer.token_to_id(_BEGIN)
        end = self.tokenizer.token_to_id(_SEPARATOR)
        room = self.card.max_tokens - len(claim_ids) - 4
        return [begin, *self._tokens(passage)[:room], end, end, *claim_ids, end]

    def _tokens(self, text: str) -> list[int]:
        # One text at a time: a batch starts threads of the library's own, which do not survive a
        # fork. A lone surrogate is no text to the library.
        plain = text.encode("utf-8", "replace").decode("utf-8")
        return self.tokenizer.encode(plain, add_special_tokens=False).ids


class OnnxModel:
    """Computes scores by the model in `folder`; threads may share an object.

    Each pair is read by itself: batches were no faster, and what stands beside a pair can't change
    its scores.

    Args:
        folder: Where the files and their card are.
        threads: Pairs that are read at once; `MOST_THREADS` by default, fewer on fewer cores.
    """

    def __init__(self, folder: Path, threads: int | None = None) -> None:
        self.folder = folder
        self._threads = threads or min(MOST_THREADS, _cores())
        self._lock = threading.Lock()
        self._loaded: _LoadedModel | None = None

    @cached_property
    def card(self) -> ModelCard:
        """The model's card.

        Raises:
            InputError: It is missing or does not validate.
        """
        return load_card(self.folder)

    @cached_property
    def identity(self) -> str:
        """A SHA-256 of all that determines the scores.

        Raises:
            InputError: As for `card`.
        """
        return self.card.identity()

    def load(self) -> None:
        """Load the model now; the first `score` does the same.

        Raises:
            InputError: A file is missing, or another one than the card says; the message names it.
        """
        self._load()

    def score(self, pairs: Sequence[TextPair]) -> list[StanceScores]:
        """Scores of `pairs`, in their order.

        Raises:
            InputError: As for `load`.
        """
        model = self._load()
        if len(pairs) < 2 or self._threads == 1:
            return [model.score(pair) for pair in pairs]
        with ThreadPoolExecutor(self._threads, thread_name_prefix="foureyes-reader") as pool:
            return list(pool.map(model.score, pairs))

    def _load(self) -> _LoadedModel:
        with self._lock:
            if self._loaded is None:
                self._loaded = _load(self.folder, self.card)
            return self._loaded


def _load(folder: Path, card: ModelCard) -> _LoadedModel:
    check_files(folder, card)
    # The runtime reports its use to its vendor unless this stands before it is loaded; its own
    # function for it does not keep it from that.
    os.putenv("ORT_DISABLE_TELEMETRY", "1")
    runtime = cast("_Runtime", importlib.import_module("onnxruntime"))
    tokenizers = cast("_Tokenizers", importlib.import_module("tokenizers"))
    numpy = cast("_Numpy", importlib.import_module("numpy"))
    path = folder / TOKENIZER_FILE
    # Both libraries raise bare exceptions, or some of their own.
    try:
        tokenizer = tokenizers.Tokenizer.from_file(str(path))
        # Installers may link each file to a cache; the runtime refuses weights that lie elsewhere
        # than the model.
        path = (folder / MODEL_FILE).resolve()
        session = runtime.InferenceSession(
            str(path), _options(runtime), providers=["CPUExecutionProvider"]
        )
    except Exception as error:
        raise broken(path, " ".join(str(error).split())[:200]) from error
    return _LoadedModel(card, tokenizer, session, numpy)


def _options(runtime: _Runtime) -> _Options:
    options = runtime.SessionOptions()
    # Pairs are read side by side instead, which takes no waiting for each other.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Patterns are kept for each length of input, of which there are hundreds.
    options.enable_mem_pattern = False
    # Planning the reuse of buffers takes 2 s at loading with onnxruntime 1.31, and saves nothing.
    options.enable_mem_reuse = False
    return options


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS and Windows
        return os.cpu_count() or 1


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

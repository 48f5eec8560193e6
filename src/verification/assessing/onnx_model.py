"""An entailment model in ONNX that the user supplies; nothing is ever downloaded.

The libraries come with the extra ``onnx`` and are loaded with the first model, because few need
them. What is used of them is declared here: they bring no types.
"""

from __future__ import annotations

import importlib
import json
import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol, cast

from pydantic import BaseModel, ValidationError

from ...base.errors import InputError
from .entailment import Leaning

MODEL_FILE, TOKENIZER_FILE, CONFIG_FILE = "model.onnx", "tokenizer.json", "config.json"
_MOST_TOKENS = 512
_INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids"})
_LABELS = ("entailment", "neutral", "contradiction")


class _Config(BaseModel):
    """The part of a model's `config.json` that is read: the name of each of its outputs."""

    id2label: dict[int, str]


class _Input(Protocol):
    name: str


class _Session(Protocol):
    def get_inputs(self) -> Sequence[_Input]: ...
    def run(
        self, names: None, feed: Mapping[str, object]
    ) -> Sequence[Sequence[Sequence[float]]]: ...


class _Runtime(Protocol):
    def InferenceSession(self, path: str, *, providers: Sequence[str]) -> _Session: ...


class _Encoding(Protocol):
    ids: Sequence[int]
    attention_mask: Sequence[int]
    type_ids: Sequence[int]


class _Tokenizer(Protocol):
    def enable_truncation(self, most: int, *, strategy: str) -> None: ...
    def encode(self, text: str, pair: str) -> _Encoding: ...


class _TokenizerClass(Protocol):
    def from_file(self, path: str) -> _Tokenizer: ...


class _Tokenizers(Protocol):
    Tokenizer: _TokenizerClass


class _Numpy(Protocol):
    def array(self, values: Sequence[Sequence[int]], *, dtype: str) -> object: ...


class OnnxEntailment:
    """A classifier of text pairs: `model.onnx`, `tokenizer.json` and `config.json` in a folder.

    Its three labels are told by ``id2label`` of the configuration: entailment, neutral and
    contradiction, in any order and case.

    Args:
        folder: Where the files are.

    Raises:
        InputError: The extra is not installed, or the files are no such model.
    """

    def __init__(self, folder: Path) -> None:
        for name in (MODEL_FILE, TOKENIZER_FILE, CONFIG_FILE):
            if not (folder / name).is_file():
                raise InputError(f"{str(folder)!r} has no {name}", "name the folder of a model")
        # The runtime reports its use to its vendor unless this stands before it is loaded; its own
        # function for it does not keep it from that.
        os.putenv("ORT_DISABLE_TELEMETRY", "1")
        try:
            runtime = cast("_Runtime", importlib.import_module("onnxruntime"))
            tokenizers = cast("_Tokenizers", importlib.import_module("tokenizers"))
            self._numpy = cast("_Numpy", importlib.import_module("numpy"))
        except ImportError as error:
            raise InputError(
                f"an entailment model needs {error.name}", "install 'foureyes[onnx]'"
            ) from error
        self._places = _label_places(folder / CONFIG_FILE)
        try:
            self._tokenizer = tokenizers.Tokenizer.from_file(str(folder / TOKENIZER_FILE))
            self._session = runtime.InferenceSession(
                str(folder / MODEL_FILE), providers=["CPUExecutionProvider"]
            )
        # Both libraries raise bare exceptions, or some of their own.
        except Exception as error:
            reason = " ".join(str(error).split())[:200]
            raise InputError(f"cannot load the model in {str(folder)!r}: {reason}") from error
        # A long passage is cut, never the claim.
        self._tokenizer.enable_truncation(_MOST_TOKENS, strategy="only_first")
        self._inputs = [one.name for one in self._session.get_inputs()]
        if unknown := set(self._inputs) - _INPUTS:
            raise InputError(f"the model in {str(folder)!r} asks for {min(unknown)!r}")

    def __call__(self, premise: str, hypothesis: str) -> Leaning:
        """What the model says about the pair."""
        encoding = self._tokenizer.encode(premise, hypothesis)
        given = {
            "input_ids": encoding.ids,
            "attention_mask": encoding.attention_mask,
            "token_type_ids": encoding.type_ids,
        }
        feed = {name: self._numpy.array([given[name]], dtype="int64") for name in self._inputs}
        (logits,) = self._session.run(None, feed)[0]
        highest = max(logits)
        powers = [math.exp(float(logit) - highest) for logit in logits]
        entails, neutral, contradicts = (powers[at] / sum(powers) for at in self._places)
        return Leaning(entails, neutral, contradicts)


def _label_places(path: Path) -> tuple[int, ...]:
    """At which output each of the labels stands."""
    try:
        labels = _Config.model_validate(json.loads(path.read_text(encoding="utf-8"))).id2label
    except (ValidationError, ValueError) as error:
        raise InputError(f"{str(path)!r} names no labels (id2label)") from error
    places = {name.lower(): at for at, name in labels.items()}
    if set(places) != set(_LABELS):
        raise InputError(
            f"{str(path)!r}: the labels are {', '.join(sorted(places))}",
            f"name a model of {', '.join(_LABELS)}",
        )
    return tuple(places[label] for label in _LABELS)

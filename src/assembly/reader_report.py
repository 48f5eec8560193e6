"""Report on a reader: its files, and its speed on this machine."""

from __future__ import annotations

import time
from dataclasses import dataclass

from ..base.errors import InputError
from ..verification.reader.onnx_model import OnnxModel

_PAIRS = 8
# About 96 tokens with a claim: three sentences, as retrieval hands them over.
_PASSAGE = (
    "The bridge over the Aller was opened in June 1932 after three years of work and replaced a "
    "ferry that had carried passengers since 1871. It is 503 metres long, has four lanes for "
    "motor traffic and a path for pedestrians, and was designed for 12,000 vehicles a day. Since "
    "the repairs of 2014 the limit for lorries has been 40 tonnes; heavier ones take the motorway."
)
_CLAIM = "The bridge, which opened in 1932, is {} metres long and carries four lanes of traffic."


@dataclass(frozen=True, slots=True)
class ReaderFile:
    """A file of the reader with what its card says about it."""

    name: str
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ReaderReport:
    """The reader's files and its speed here.

    `problem` says why it cannot be loaded, "" if it was; the times are None then.
    """

    name: str = ""
    identity: str = ""
    files: tuple[ReaderFile, ...] = ()
    load_seconds: float | None = None
    ms_a_pair: float | None = None
    problem: str = ""


def report_reader(model: OnnxModel) -> ReaderReport:
    """Load `model`, if it is not, and measure how long it takes for a few pairs."""
    try:
        card = model.card
    except InputError as error:
        return ReaderReport(problem=str(error))
    files = tuple(ReaderFile(one.name, one.bytes, one.sha256) for one in card.files)
    try:
        load_seconds = _seconds_to_load(model)
        ms = _seconds_to_read(model) / _PAIRS * 1000
    except InputError as error:
        return ReaderReport(card.name, card.identity(), files, problem=str(error))
    return ReaderReport(card.name, card.identity(), files, load_seconds, ms)


def _seconds_to_load(model: OnnxModel) -> float:
    begun = time.perf_counter()
    model.load()
    return time.perf_counter() - begun


def _seconds_to_read(model: OnnxModel) -> float:
    pairs = [(_PASSAGE, _CLAIM.format(500 + number)) for number in range(_PAIRS)]
    model.score(pairs[:1])
    begun = time.perf_counter()
    model.score(pairs)
    return time.perf_counter() - begun

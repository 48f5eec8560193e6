"""Flaws of a document, and the lens that finds each kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from types import MappingProxyType

from ..base.vocabulary import Location, Severity


class Lens(StrEnum):
    """The three red reviewers of a document (document review spec, phase 1)."""

    TEXTUAL = "textual"
    ANALYTICAL = "analytical"
    STRATEGIC = "strategic"


class FlawKind(StrEnum):
    """Kinds of flaws that rules find."""

    BROKEN_REFERENCE = "broken_reference"
    DANGLING_NOTE = "dangling_note"
    UNDEFINED_ACRONYM = "undefined_acronym"
    INCONSISTENT_NAME = "inconsistent_name"
    INCONSISTENT_NUMBER = "inconsistent_number"
    ARITHMETIC_ERROR = "arithmetic_error"
    UNSUPPORTED_STATISTIC = "unsupported_statistic"
    UNSUPPORTED_CONCLUSION = "unsupported_conclusion"


LENSES: Mapping[FlawKind, Lens] = MappingProxyType(
    dict.fromkeys(tuple(FlawKind)[:4], Lens.TEXTUAL)
    | dict.fromkeys(tuple(FlawKind)[4:], Lens.ANALYTICAL)
)
"""The lens of each kind. Only a model looks through the strategic lens."""


@dataclass(frozen=True, slots=True)
class Flaw:
    """Something wrong at a place: `quote` is the document's text from `location.start` to `end`.

    `problem` is one sentence for the author. `related` are other places that it is about: the
    other value, the first of two equal passages.
    """

    kind: FlawKind
    quote: str
    location: Location
    problem: str
    severity: Severity
    _: KW_ONLY
    related: tuple[Location, ...] = ()

    @property
    def lens(self) -> Lens:
        """Lens through which flaws of this kind are found."""
        return LENSES[self.kind]

"""Two places of a document that cannot both be right."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from .figures import Place


class ContradictionKind(StrEnum):
    """Kind of contradiction within a document."""

    VALUE = "value"
    DATE = "date"
    GROUP = "group"
    ORDER = "order"
    WEEKDAY = "weekday"
    AGE = "age"


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two places of a document that disagree; `there` is None if one is wrong by itself.

    `here` is the place in doubt: the value that fewer places state, else the later one. `working`
    says in one line what was compared. `change` is how far `here` is off, relative to `there`.
    """

    kind: ContradictionKind
    here: Place
    there: Place | None
    working: str
    change: Fraction | None = None

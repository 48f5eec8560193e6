"""What the structure of a source says about a claim: a table's cell, a member of a list, a part."""

from __future__ import annotations

import re
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum

from ...claims.model import DateSpan, Quantity
from .form import ClaimForm, Slot
from .labels import Label

_CHANGE = re.compile(
    r"\b(?:from|between)\s+(?:\w+\s+)?\W?\d[^;:!?]{0,50}?\s(?:to|and)\s+(?:\w+\s+)?\W?(?=\d)",
    re.IGNORECASE,
)

# Scores and shares: "27–22", "25 of 26 shots".
_COUPLED = re.compile(r"\d[\d,.]*\s?(?:[-–:]|of|out of)\s?\d")
# What stands between a part and its whole: "three of the four".
PART_OF = re.compile(r" (?:out )?of (?:the |its |their |all |these )?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Record:
    """A number or date of a source with the words of its own clause.

    `part` marks one that the clause calls a part: "of whom 40".
    """

    value: Quantity | DateSpan
    label: Label
    part: bool = False

    @property
    def words(self) -> frozenset[str]:
        """The words of its clause."""
        return frozenset(self.label.words)


class RecordOutcome(StrEnum):
    """Whether a record says what the claim says, or something else in its place."""

    CONFIRMED = "confirmed"
    DENIED = "denied"


@dataclass(frozen=True, slots=True)
class RecordCheck:
    """A claim laid over a record of a source.

    `text[start:end]` is the record as written. `claimed` is the part of the claim that it answers
    and `found` what it gives; `change` is (claimed - found) / found for numbers. `complete` says
    that the record, with those beside it, leaves none of the claim's values or names open.
    `exchanged` is the claim's other value that belongs in this one's place, "" if there is none.
    `extreme` marks a record that settles what is called the most or the least.
    """

    outcome: RecordOutcome
    start: int
    end: int
    claimed: str
    found: str
    _: KW_ONLY
    slot: Slot | None = None
    change: float | None = None
    complete: bool = False
    exchanged: str = ""
    extreme: bool = False

    @property
    def denied(self) -> bool:
        """Whether the record contradicts the claim."""
        return self.outcome is RecordOutcome.DENIED


def free_slots(form: ClaimForm) -> list[Slot]:
    """The values of a claim without those of a change, a score or a share: "from 12 to 19".

    The words round two such values belong to both, so that they tell neither apart.
    """
    text = form.claim.text
    spans = [match.span() for one in (_CHANGE, _COUPLED) for match in one.finditer(text)]
    return [
        slot
        for slot in form.slots
        if not any(start <= slot.value.start <= end for start, end in spans)
    ]

"""A finding: what a checker holds against a place in the document."""

from __future__ import annotations

import hashlib
import re
from dataclasses import KW_ONLY, dataclass

from .vocabulary import IssueType, ReviewCriterion, Severity

_CLAIM_ID = re.compile(r"c-[0-9a-f]{8}")


@dataclass(frozen=True, slots=True)
class Location:
    """A place in the document's source text.

    `line` and `column` count from 1 in characters; `start` and `end` are half-open character
    offsets into the text as read (line ends kept); `section` is the heading path, ` > ` between.
    """

    line: int
    column: int
    start: int
    end: int
    section: str = ""

    def __str__(self) -> str:
        where = f"line {self.line}, column {self.column}"
        return f"{self.section}, {where}" if self.section else where


@dataclass(frozen=True, slots=True)
class Correction:
    """A replacement of `[start, end)` of the document that would settle the finding.

    Given only when everything else in the claim agrees with the source (decision 29).
    An empty `replacement` deletes the range.
    """

    start: int
    end: int
    replacement: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One issue. `id` is the same in each iteration in which the issue is found.

    `claim` is the document's own words; `problem`, `evidence` and `recommendation` are sentences
    for the analyst; `origin` names the checker that raised it. `related` are other places of the
    document that it is about: the figures that a sum rests on, the statement that it contradicts.
    `also` says what else is wrong with the same sentence, a line each.
    """

    id: str
    severity: Severity
    type: IssueType | ReviewCriterion
    claim: str
    problem: str
    _: KW_ONLY
    origin: str
    location: Location | None = None
    evidence: str = ""
    recommendation: str = ""
    claim_id: str | None = None
    correction: Correction | None = None
    related: tuple[Location, ...] = ()
    also: tuple[str, ...] = ()


def finding_id(type_: IssueType | ReviewCriterion, anchor: str) -> str:
    """The stable id of a finding of `type_` at `anchor`: a claim id, or the words of the place.

    White space, case and digits of the anchor are folded, so that a moved or renumbered place
    keeps its id. A claim id is taken as it is: its digits tell claims apart.
    """
    place = " ".join(anchor.casefold().split())
    if not _CLAIM_ID.fullmatch(place):
        place = re.sub(r"\d+", "#", place)
    return "f-" + hashlib.sha256(f"{type_}|{place}".encode()).hexdigest()[:10]

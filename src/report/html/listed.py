"""What a page of a review lists: a row, what a click shows, and its place in the text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..review_report import ReportedPlace
from .details import Details
from .model import Label, Mark, Name, Row


@dataclass(frozen=True, slots=True)
class Listed:
    """A finding or a claim; `mark` is None where its words do not stand in the document.

    What a click shows is only made when it is written: it is most of what there is to hold.
    """

    row: Row
    details: Callable[[], Details]
    mark: Mark | None


def marked(
    number: int, place: ReportedPlace, name: Name, label: Label, *, outside: bool = False
) -> Mark | None:
    """The mark of what stands at `place`, if it stands there."""
    if place.start is None or place.end is None:
        return None
    return Mark(number, place.start, place.end, name, label, outside)


def found_by(agent: str, *, by_rules: bool) -> str:
    """Who found something."""
    return "rules" if by_rules else agent

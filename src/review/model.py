"""What a review keeps of the findings that survived their defence."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.review_types import Defence, RedFinding


@dataclass(frozen=True, slots=True)
class CompiledFinding:
    """A finding that survived, as the review prints it, with its number: T-1, A-1, S-1.

    `merged` are the ids of findings that said the same of the same place.
    """

    number: str
    finding: RedFinding
    defence: Defence | None
    merged: tuple[str, ...] = ()

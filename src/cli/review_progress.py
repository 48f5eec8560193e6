"""Progress of a review: its phases, one below the other."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from rich.text import Text

from ..core.work import Progress
from ..review.types import ReviewPhase
from .terminal import safe

PHASES: Mapping[str, str] = MappingProxyType(
    {
        ReviewPhase.RED: "red reviewers look for what is wrong",
        ReviewPhase.DEFENCE: "blue defenders try to kill each finding",
        ReviewPhase.SMOKE: "smoke testers verify the quotations",
        ReviewPhase.CLAIMS: "claims are extracted",
        ReviewPhase.CLAIM_SMOKE: "smoke testers verify the claims",
        ReviewPhase.WEB: "claims are looked up",
    }
)
"""The phases that take time, in words."""


@dataclass(slots=True)
class Phase:
    """One phase: how many of its parts have begun, are done or failed, and its time."""

    name: str
    began: float
    begun: int = 0
    done: int = 0
    failed: int = 0
    ended: float | None = None


@dataclass(slots=True)
class ReviewBoard:
    """State of a review, updated by its events; `now` gives seconds on a steady clock."""

    now: Callable[[], float] = time.monotonic
    phases: list[Phase] = field(default_factory=list[Phase])
    note: str = ""

    def update(self, progress: Progress) -> None:
        """Take in one event."""
        if progress.event == "phase_started":
            self.phases.append(Phase(progress.detail, self.now()))
        elif self.phases:
            self._update_phase(self.phases[-1], progress)

    def _update_phase(self, phase: Phase, progress: Progress) -> None:
        match progress.event:
            case "part_started":
                phase.begun += 1
            case "part_ended":
                phase.done += 1
            case "part_failed":
                phase.failed += 1
                self.note = progress.detail
            case "phase_ended":
                phase.ended = self.now()
            case "turn_retried":
                self.note = progress.detail
            case _:
                pass

    def lines(self) -> Iterator[str]:
        """Each phase on a line, then the last thing that went wrong."""
        for phase in self.phases:
            yield self._line(phase)
        if self.note:
            yield safe(self.note)[:100]

    def _line(self, phase: Phase) -> str:
        seconds = (self.now() if phase.ended is None else phase.ended) - phase.began
        parts = [f"{phase.done} done"] if phase.done else []
        if working := phase.begun - phase.done - phase.failed:
            parts.append(f"{working} at work")
        if phase.failed:
            parts.append(f"{phase.failed} failed")
        mark = "…" if phase.ended is None else "✓"
        name = PHASES.get(phase.name, safe(phase.name))
        return f"{mark} {name}: {', '.join(parts) or 'by rules'}, {seconds:.1f} s"

    def __rich__(self) -> Text:
        """Return the lines as text; `rich.live.Live` asks again on each refresh."""
        return Text("\n".join(self.lines()))

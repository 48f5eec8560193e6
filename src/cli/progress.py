"""Progress of a run, review or check: in place on a terminal, else line by line."""

from __future__ import annotations

import logging
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType

import structlog
from rich.console import Console
from rich.live import Live
from rich.text import Text

from ..base.logs import set_up_logs
from ..base.printable import counted
from ..core.work import Progress
from ..review.types import ReviewPhase
from .terminal import safe

Notify = Callable[[Progress], None]

STATES = {
    "drafting": "writing",
    "drafted": "done",
    "draft_failed": "failed",
    "examining": "examining",
    "critic_failed": "failed",
    "judging": "judging",
    "judge_failed": "failed",
}
"""An agent's state by event; what is examined or judged shows its vote instead."""
VOTED = ("examined", "judged")
STEPS = {"gathering_evidence": "reading what is cited", "run_ended": "done"}
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


class Board(ABC):
    """State of a run or review in lines, updated by its events and drawn in place.

    `now` gives seconds on a steady clock.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self.now = now

    @abstractmethod
    def update(self, progress: Progress) -> None:
        """Take in one event."""

    @abstractmethod
    def lines(self) -> Iterator[str]:
        """The current state."""

    def __rich__(self) -> Text:
        """Return the lines as text; `rich.live.Live` asks again on each refresh."""
        return Text("\n".join(self.lines()))


@dataclass(slots=True)
class Agent:
    """One agent's line: its state, the iteration, since when, and how long it took."""

    name: str
    iteration: int
    started: float
    state: str = ""
    seconds: float | None = None
    notes: str = ""


class RunBoard(Board):
    """The agents of a run, in the order they first worked."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__(now)
        self.step = ""
        self.claims = ""
        self.agents: dict[str, Agent] = {}

    def update(self, progress: Progress) -> None:
        """Take in one event."""
        self.step = STEPS.get(progress.event, "")
        if progress.event == "evidence_gathered":
            self.claims = progress.detail
        if progress.agent:
            self._update_agent(progress)

    def _update_agent(self, progress: Progress) -> None:
        known = self.agents.get(progress.agent)
        if known is None or known.iteration != progress.iteration:
            known = Agent(progress.agent, progress.iteration, self.now())
            self.agents[progress.agent] = known
        if progress.event in VOTED:
            known.state, known.notes = progress.detail, ""
        elif progress.event in STATES:
            known.state, known.notes = STATES[progress.event], progress.detail
        else:
            known.notes = f"{progress.event.replace('_', ' ')} {progress.detail}".strip()
            return
        working = progress.event in ("drafting", "examining", "judging")
        known.seconds = None if working else self.now() - known.started

    def lines(self) -> Iterator[str]:
        """Each agent on a line, then what code does."""
        for agent in self.agents.values():
            seconds = self.now() - agent.started if agent.seconds is None else agent.seconds
            parts = [agent.state or "waiting", f"iteration {agent.iteration}", f"{seconds:.1f} s"]
            if agent.name == "fact_checker" and self.claims:
                parts.append(self.claims)
            if agent.notes:
                parts.append(agent.notes[:60])
            yield safe(f"{agent.name}: {', '.join(parts)}")
        if self.step:
            yield self.step


@dataclass(slots=True)
class Phase:
    """One phase: how many of its parts have begun, are done or failed, and its time."""

    name: str
    began: float
    begun: int = 0
    done: int = 0
    failed: int = 0
    ended: float | None = None


class ReviewBoard(Board):
    """The phases of a review, one below the other."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__(now)
        self.phases: list[Phase] = []
        self.note = ""

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


@contextmanager
def show_progress(*, quiet: bool, board: Callable[[], Board] = RunBoard) -> Generator[Notify]:
    """Show progress on standard error: live on a terminal, else one log line an event."""
    if quiet:
        set_up_logs(level=logging.ERROR)
        yield lambda _progress: None
    elif sys.stderr.isatty():
        shown, console = board(), Console(stderr=True)
        with Live(shown, console=console, refresh_per_second=8, transient=True) as live:
            # Now, because the live display has put itself before standard error.
            set_up_logs(level=logging.WARNING)

            def show(progress: Progress) -> None:
                """Draw at once: a state may be over before the next refresh."""
                shown.update(progress)
                live.refresh()

            yield show
    else:
        set_up_logs()
        yield log_progress


def log_progress(progress: Progress) -> None:
    """One log line for an event."""
    facts = {"agent": progress.agent, "detail": safe(progress.detail)}
    log = structlog.get_logger()
    known = {name: value for name, value in facts.items() if value}
    if progress.iteration:
        known["iteration"] = str(progress.iteration)
    log.info(progress.event, **known)


CLEAR_LINE = "\r\x1b[K"
_FIRST_SIGN, _BETWEEN, _TICK = 5.0, 30.0, 0.5


@contextmanager
def report_check_progress(name: str, fetching_s: float, *, quiet: bool) -> Generator[CheckProgress]:
    """Show on standard error that `name` is being checked, and how far it is.

    Until its sources are read, say that it may fetch for `fetching_s` seconds, unless that is 0.

    On a terminal in one line that is cleared at the end, else a line after five seconds and every
    half minute. An error ends the check that calls what this yields.
    """
    progress = CheckProgress(name, fetching_s)
    terminal, ended = sys.stderr.isatty(), threading.Event()
    ticker = threading.Thread(target=_tick, args=(progress, ended, terminal), daemon=True)
    if not quiet:
        ticker.start()
    try:
        yield progress
    except BaseException:
        progress.stop()
        raise
    finally:
        ended.set()
        if not quiet:
            ticker.join()
            if terminal:
                sys.stderr.write(CLEAR_LINE)


def _tick(progress: CheckProgress, ended: threading.Event, terminal: bool) -> None:
    began = time.monotonic()
    due = began + (0.0 if terminal else _FIRST_SIGN)
    while True:
        if time.monotonic() >= due:
            line = f"{progress.line()}, {time.monotonic() - began:.0f} s"
            sys.stderr.write(f"{CLEAR_LINE}{line}" if terminal else f"{line}\n")
            sys.stderr.flush()
            due = time.monotonic() + (0.0 if terminal else _BETWEEN)
        if ended.wait(_TICK):
            return


class CheckStopped(Exception):
    """Ends a check whose result is no longer needed."""


class CheckProgress:
    """Progress of the check of `name`; called from the checking thread."""

    def __init__(self, name: str, fetching_s: float) -> None:
        self._name, self._fetching_s = name, fetching_s
        self._done, self._of = 0, 0
        self._stopped = False

    def __call__(self, done: int, of: int) -> None:
        """Note that `done` of `of` claims are compared.

        Raises:
            CheckStopped: The check was stopped.
        """
        if self._stopped:
            raise CheckStopped
        self._done, self._of = done, of

    def stop(self) -> None:
        """End the check at its next call."""
        self._stopped = True

    def line(self) -> str:
        """Return the progress as one line."""
        far = f" (fetches for at most {self._fetching_s:,.0f} s)" if self._fetching_s else ""
        if self._of:
            far = f": {self._done:,} of {counted(self._of, 'claim')}"
        return f"foureyes: checking {safe(self._name)}{far}"

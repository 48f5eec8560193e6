"""Progress of a run: the agents side by side on a terminal, else log lines."""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

import structlog
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.text import Text

from ..base.counting import counted
from ..base.logs import set_up_logs
from ..core.work import Progress
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
STEPS = {
    "gathering_evidence": "reading what is cited",
    "run_ended": "done",
}


@dataclass(slots=True)
class Agent:
    """One agent's box: its state, the iteration, since when, and how long it took."""

    name: str
    iteration: int
    state: str
    started: float
    seconds: float | None = None
    notes: str = ""


@dataclass(slots=True)
class Board:
    """State of a run, updated by its events; `now` gives seconds on a steady clock."""

    now: Callable[[], float] = time.monotonic
    iteration: int = 0
    step: str = ""
    claims: str = ""
    agents: dict[str, Agent] = field(default_factory=dict[str, Agent])

    def update(self, progress: Progress) -> None:
        """Take in one event."""
        self.iteration = max(self.iteration, progress.iteration)
        self.step = STEPS.get(progress.event, "")
        if progress.event == "evidence_gathered":
            self.claims = progress.detail
        if progress.agent:
            self._update_agent(progress)

    def _update_agent(self, progress: Progress) -> None:
        known = self.agents.get(progress.agent)
        if known is None or known.iteration != progress.iteration:
            known = Agent(progress.agent, progress.iteration, "", self.now())
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

    def boxes(self) -> list[tuple[str, str]]:
        """Title and text of each agent's box, in the order they first worked."""
        return [(safe(agent.name), self._box(agent)) for agent in self.agents.values()]

    def _box(self, agent: Agent) -> str:
        seconds = self.now() - agent.started if agent.seconds is None else agent.seconds
        lines = [safe(agent.state) or "waiting", f"iteration {agent.iteration}, {seconds:.1f} s"]
        if agent.name == "fact_checker" and self.claims:
            lines.append(safe(self.claims))
        if agent.notes:
            lines.append(safe(agent.notes)[:60])
        return "\n".join(lines)

    def __rich__(self) -> RenderableType:
        """Return the boxes side by side; `rich.live.Live` asks again on each refresh."""
        boxes = [Panel(Text(text), title=Text(title), width=30) for title, text in self.boxes()]
        return Group(Columns(boxes), Text(self.step))


class LiveBoard(Protocol):
    """A live display that events update."""

    def update(self, progress: Progress) -> None:
        """Take in one event."""
        ...

    def __rich__(self) -> RenderableType:
        """Render the current state."""
        ...


@contextmanager
def show_progress(*, quiet: bool, board: Callable[[], LiveBoard] = Board) -> Generator[Notify]:
    """Show progress on standard error: live on a terminal, else one log line an event."""
    if quiet:
        set_up_logs(level=logging.ERROR)
        yield ignore
    elif sys.stderr.isatty():
        with live_display(board()) as notify:
            # Now, because the live display has put itself before standard error.
            set_up_logs(level=logging.WARNING)
            yield notify
    else:
        set_up_logs()
        yield log_progress


@contextmanager
def live_display(board: LiveBoard) -> Generator[Notify]:
    """The board, redrawn in place until the run ends."""
    with Live(board, console=Console(stderr=True), refresh_per_second=8, transient=True):
        yield board.update


def ignore(_progress: Progress) -> None:
    """Show nothing."""


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
def report_check_progress(name: str, *, quiet: bool) -> Generator[CheckProgress]:
    """Show on standard error that `name` is being checked, and how far it is.

    On a terminal in one line that is cleared at the end, else a line after five seconds and every
    half minute. An error ends the check that calls what this yields.
    """
    progress = CheckProgress(name)
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

    def __init__(self, name: str) -> None:
        self._name = name
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
        far = f": {self._done:,} of {counted(self._of, 'claim')}" if self._of else ""
        return f"foureyes: checking {safe(self._name)}{far}"

"""Progress of a run, review or check: in place on a terminal, else line by line."""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

import structlog
from rich.console import Console
from rich.live import Live
from rich.text import Text

from ..base.logs import set_up_logs
from ..base.printable import counted
from ..core.work import Progress
from . import terminal

Notify = Callable[[Progress], None]
_CODE = "foureyes"
_BEGINNINGS = ("drafting", "examining", "judging", "phase_started")
"""The events from which on seconds are counted."""


class Board:
    """The last event of each agent, or of code, in lines that are drawn in place.

    Args:
        now: The clock, in seconds.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._begun: dict[str, float] = {}
        self._lines: dict[str, str] = {}

    def update(self, progress: Progress) -> None:
        """Take in one event."""
        name = progress.agent or _CODE
        if progress.event in _BEGINNINGS or name not in self._begun:
            self._begun[name] = self._now()
        words = f"{progress.event.replace('_', ' ')} {progress.detail[:60]}".strip()
        iteration = f", iteration {progress.iteration}" if progress.iteration else ""
        seconds = self._now() - self._begun[name]
        self._lines[name] = terminal.safe(f"{name}: {words}{iteration}, {seconds:.1f} s")

    def __rich__(self) -> Text:
        """The lines as they are drawn."""
        return Text("\n".join(self._lines.values()))


@contextmanager
def show_progress(*, quiet: bool) -> Generator[Notify]:
    """Show progress on standard error: live on a terminal, else one log line an event."""
    if quiet:
        set_up_logs(level=logging.ERROR)
        yield lambda _progress: None
    elif sys.stderr.isatty():
        shown, console = Board(), Console(stderr=True)
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
    facts = {"agent": progress.agent, "detail": terminal.safe(progress.detail)}
    facts["iteration"] = str(progress.iteration or "")
    known = {name: value for name, value in facts.items() if value}
    structlog.get_logger().info(progress.event, **known)


CLEAR_LINE = "\r\x1b[K"
_FIRST_SIGN, _BETWEEN, _TICK = 5.0, 30.0, 0.5


@contextmanager
def report_check_progress(name: str, fetching_s: float, *, quiet: bool) -> Generator[CheckProgress]:
    """Show on standard error that `name` is being checked, and how far it is.

    Until its sources are read, say that it may fetch for `fetching_s` seconds, unless that is 0.

    On a terminal in one line that is cleared at the end, else a line after five seconds and every
    half minute. An error ends the check that calls what this yields.
    """
    progress, terminal = CheckProgress(name, fetching_s), sys.stderr.isatty()
    ticker = threading.Thread(target=progress.show, args=(terminal,), daemon=True)
    if not quiet:
        ticker.start()
    try:
        yield progress
    except BaseException:
        progress.stopped = True
        raise
    finally:
        progress.ended.set()
        if not quiet:
            ticker.join()
            if terminal:
                sys.stderr.write(CLEAR_LINE)


class CheckStopped(Exception):
    """Ends a check whose result is no longer needed."""


class CheckProgress:
    """Progress of the check of `name`; called from the checking thread."""

    def __init__(self, name: str, fetching_s: float) -> None:
        self._name, self._fetching_s = name, fetching_s
        self._done, self._of = 0, 0
        self.stopped, self.ended = False, threading.Event()

    def __call__(self, done: int, of: int) -> None:
        """Note that `done` of `of` claims are compared.

        Raises:
            CheckStopped: The check was stopped.
        """
        if self.stopped:
            raise CheckStopped
        self._done, self._of = done, of

    def show(self, terminal: bool) -> None:
        """Write the line again and again, until the check has ended."""
        began = time.monotonic()
        due = began + (0.0 if terminal else _FIRST_SIGN)
        while True:
            if time.monotonic() >= due:
                line = f"{self.line()}, {time.monotonic() - began:.0f} s"
                sys.stderr.write(f"{CLEAR_LINE}{line}" if terminal else f"{line}\n")
                sys.stderr.flush()
                due = time.monotonic() + (0.0 if terminal else _BETWEEN)
            if self.ended.wait(_TICK):
                return

    def line(self) -> str:
        """Return the progress as one line."""
        far = f" (fetches for at most {self._fetching_s:,.0f} s)" if self._fetching_s else ""
        if self._of:
            far = f": {self._done:,} of {counted(self._of, 'claim')}"
        return f"foureyes: checking {terminal.safe(self._name)}{far}"

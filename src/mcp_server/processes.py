"""Calls in processes of their own: forked from a warm process, watched, and always ended.

A call that nobody waits for any more must stop, also in the middle of a computation. Only a process
can be stopped there. A run or review is asked first and has a moment to record its end.
"""

from __future__ import annotations

import asyncio
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Literal

import anyio
import anyio.to_thread

from ..assembly.settings import telemetry_variables
from ..assembly.telemetry import exported
from ..base.errors import FoureyesError, InputError
from ..base.files import from_json, scratch_folder
from ..base.logs import quiet_logs
from ..base.printable import printable
from .service import Call, Service

MESSAGE = tuple[Literal["progress", "begun", "done", "failed"], str]
"""Of a worker: a line for people, its directory, the output as JSON, or why there is none."""


def work(pipe: Connection, call: Call, service: Service, folder: str) -> None:
    """Do `call` and report it through `pipe`, with `folder` for its temporary files.

    The whole of a process.
    """
    # Ctrl-C is for the server, which then ends its calls.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    tempfile.tempdir = folder
    quiet_logs()
    from ._worker import run_call

    try:
        traced = exported({**telemetry_variables(), **call.trace}, _remark)
        with suppress(asyncio.CancelledError), traced:
            asyncio.run(run_call(pipe, call, service, Path(folder)))
    finally:
        # The server does so too, unless it is gone.
        shutil.rmtree(folder, ignore_errors=True)


def _remark(text: str) -> None:
    """Say on standard error what is of no consequence for the call."""
    sys.stderr.write(f"foureyes: note: {printable(text)}\n")


FORKED = "forkserver" in get_all_start_methods()
MOST_WAITING = 200
"""Calls that may wait for a place; each holds its texts in memory."""
ASKED_SECONDS = 1.5
"""How long a run or review has to record its end before its process is killed."""
LATE_SECONDS = 30.0
"""How long a client may take to accept a line of progress, and a killed run to be recorded."""

OnProgress = Callable[[str], Awaitable[None]]


class CallFailed(FoureyesError):
    """A call came to no answer."""


class Processes:
    """Does calls, a bounded number at once, each in a process of its own."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self._context = get_context("forkserver") if FORKED else get_context("spawn")
        self._starting = threading.Lock()
        limits = service.limits
        self._quick = anyio.CapacityLimiter(limits.parallel_calls)
        self._long = anyio.CapacityLimiter(limits.parallel_runs)
        # Listening must never wait for a thread that listens to another call.
        self.listeners = anyio.CapacityLimiter(limits.parallel_calls + limits.parallel_runs)

    def warm_up(self) -> None:
        """Begin to load what calls need, in a process that theirs are copied from; returns at once.

        Standard output must not be the protocol's any more.
        """
        if FORKED:
            from multiprocessing import forkserver, resource_tracker

            self._context.set_forkserver_preload(["__main__", f"{__package__}._preload"])
            # Ctrl-C is for the server; while it loads, that process does not ignore it of itself.
            # To start the tracker unblocks it.
            resource_tracker.ensure_running()
            before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            forkserver.ensure_running()
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    async def do(self, call: Call, on_progress: OnProgress) -> str:
        """The output of `call` as JSON; `on_progress` gets a line for each step of a run or review.

        Cancelled, it ends the work before it returns.

        Raises:
            CallFailed: What it asks for cannot be done, took too long, or its process died.
            InputError: Too many calls wait.
        """
        limiter = self._long if call.is_long else self._quick
        if limiter.statistics().tasks_waiting >= MOST_WAITING:
            raise InputError("too many calls wait for a place", "call again later")
        limits = self.service.limits
        seconds = limits.run_minutes * 60 if call.is_long else limits.call_seconds
        async with limiter:
            return await _Work(self, call, on_progress).result(seconds)

    def start(self, call: Call, folder: str) -> tuple[BaseProcess, Connection]:
        """A process that does `call`, and the pipe through which it reports."""
        mine, theirs = self._context.Pipe()
        process = self._context.Process(
            target=work, args=(theirs, call, self.service, folder), daemon=True
        )
        # The module keeps a list of the processes started, which is no thing for two threads.
        with self._starting:
            process.start()
        theirs.close()
        return process, mine


@dataclass(slots=True)
class _Work:
    """One call in progress."""

    processes: Processes
    call: Call
    on_progress: OnProgress
    directory: str = ""
    ended: bool = False

    async def result(self, seconds: float) -> str:
        """The output; whatever happens, the process and its files are gone afterwards.

        Raises:
            CallFailed: There is none, or none within `seconds`.
        """
        with scratch_folder("mcp") as folder:
            process, pipe = await anyio.to_thread.run_sync(
                self.processes.start, self.call, str(folder)
            )
            try:
                # Counted from here: the first call waits for what it is copied from to be loaded.
                with anyio.move_on_after(seconds):
                    return await self._receive_result(pipe)
                raise self._failure(f"it took longer than {seconds:g} seconds, and was ended")
            finally:
                with anyio.CancelScope(shield=True):
                    await self._end(process, pipe)

    async def _receive_result(self, pipe: Connection) -> str:
        """The output, after the messages of progress."""
        while True:
            try:
                data = await anyio.to_thread.run_sync(
                    pipe.recv_bytes, abandon_on_cancel=True, limiter=self.processes.listeners
                )
            except (EOFError, OSError):
                raise CallFailed(
                    "its process ended without an answer", "see the server's log"
                ) from None
            kind, text = from_json(MESSAGE, data)
            self.ended = kind in ("done", "failed")
            match kind:
                case "progress":
                    with anyio.move_on_after(LATE_SECONDS):
                        await self.on_progress(text)
                case "begun":
                    self.directory = text
                case "done":
                    return text
                case "failed":
                    raise self._failure(text)

    def _failure(self, reason: str) -> CallFailed:
        """Why there is no output; of a run or review, which one it is."""
        name = f"{Path(self.directory).name}: " if self.directory else ""
        return CallFailed(f"{name}{reason}")

    async def _end(self, process: BaseProcess, pipe: Connection) -> None:
        """Let the process end, ask it to, or kill it."""
        if not self.ended and self.call.is_long:
            with suppress(OSError):
                pipe.send_bytes(b"end")
        if self.ended or self.call.is_long:
            await anyio.to_thread.run_sync(process.join, ASKED_SECONDS)
        if process.is_alive():
            process.kill()
        await anyio.to_thread.run_sync(process.join)
        process.close()

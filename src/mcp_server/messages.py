"""Messages between a call's process and the server, and the entry point of that process.

The server imports this and nothing of the engine, so that it starts at once.
"""

from __future__ import annotations

import asyncio
import shutil
import signal
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from multiprocessing.connection import Connection
from pathlib import Path

from ..assembly.settings import telemetry_variables
from ..base.logs import quiet_logs
from ..base.printable import printable
from .service import Call, Service


class MessageKind(StrEnum):
    """Kind of a worker's message: progress, its directory, or its end."""

    PROGRESS = "progress"
    BEGUN = "begun"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Message:
    """A message of the worker: a line for people, a directory, or the output as JSON."""

    kind: MessageKind
    text: str


def work(pipe: Connection, call: Call, service: Service, folder: str) -> None:
    """Do `call` and tell of it through `pipe`, with `folder` for its temporary files.

    The whole of a process.
    """
    # Ctrl-C is for the server, which then ends its calls.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    tempfile.tempdir = folder
    quiet_logs()
    from ..assembly.telemetry import exported
    from .worker import run_call

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

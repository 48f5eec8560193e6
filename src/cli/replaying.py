"""The command `run --replay`: a recorded run again, and where it departs from its record."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from ..assembly.model import LoadedSettings
from ..assembly.replaying import PreparedReplay, prepare_replay
from ..base.errors import RecordEnded, ReplayMismatch
from ..core.approval import ExitCode
from ..core.result import PipelineResult
from .outcome import result_json, show
from .progress import shown
from .running import Wanted
from .signals import run_until_stopped
from .terminal import complain, safe, say


def replay(run_dir: Path, loaded: LoadedSettings, wanted: Wanted) -> int:
    """Replay the run in `run_dir`; returns the exit code, which is the recorded run's own.

    A replay that departs returns 4; one whose record was broken off is cancelled there.
    """
    prepared: list[PreparedReplay] = []

    async def prepare_and_run() -> PipelineResult:
        with shown(quiet=wanted.quiet) as notify:
            prepared.append(await prepare_replay(run_dir, loaded))
            return await prepared[0].run(notify)

    try:
        result = run_until_stopped(prepare_and_run())
    except asyncio.CancelledError:
        sys.stderr.write("foureyes: cancelled; not approved\n")
        return ExitCode.CANCELLED
    except RecordEnded as error:
        sys.stderr.write(f"foureyes: cancelled; not approved: {safe(error.message)}\n")
        return ExitCode.CANCELLED
    except ReplayMismatch as error:
        complain(error)
        sys.stderr.write("".join(f"  {safe(line)}\n" for line in error.diff.splitlines()))
        return ExitCode.FAILED
    settings = prepared[0].settings
    code = result.exit_code_for(
        require_approval=settings.require_approval,
        require_independent=settings.require_independent,
    )
    if wanted.json:
        say(result_json(result, code))
    else:
        show(result)
        say(f"replay:   the same as {run_dir}")
    return code

"""The commands `run` and `resume`: from their input to the last line a person sees."""

from __future__ import annotations

import asyncio
import shlex
import sys
from collections.abc import Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from ..assembly.model import LoadedSettings, Origin, Settings
from ..assembly.plugins import CODE_KEYS
from ..assembly.replaying import PreparedReplay, prepare_replay
from ..assembly.runs import PreparedRun, RunInput, prepare_resume, prepare_run
from ..base.errors import FoureyesError, InputError, RecordEnded, ReplayMismatch
from ..base.files import read_document
from ..base.vocabulary import ExitCode, GateDecision, SearchName
from ..core.approval import RunStatus
from ..core.result import PipelineResult
from ..core.run_store import RunStore
from ..review.originals import read_as_text
from .commands import CommandGroup
from .options import (
    RESUME_OPTIONS,
    RUN_OPTIONS,
    Json,
    Quiet,
    Sources,
    argument,
    connection_flags,
    note_reader_off,
    option,
    with_settings,
)
from .outcome import print_result, result_json, stopped_json
from .progress import show_progress
from .signals import run_until_stopped
from .terminal import print_error, print_line, print_note, safe

Brief = Annotated[Path | None, argument("INPUT", "The brief, a text file.")]
Draft = Annotated[
    Path | None,
    option("--draft", "FILE", "Analyst: examine this draft in place of its first."),
]
ResumeDir = Annotated[
    Path | None, option("--resume", "RUN_DIR", "Go on with a run, as `resume` does.")
]
ReplayDir = Annotated[
    Path | None,
    option(
        "--replay",
        "RUN_DIR",
        "Run a recorded run again from its record alone, and say where it departs.",
    ),
]
RunDir = Annotated[Path, argument("RUN_DIR", "The run to go on with.")]

app = CommandGroup()


@dataclass(frozen=True, slots=True)
class OutputOptions:
    """Output options of a command."""

    json: bool
    quiet: bool


@app.command()
@with_settings(RUN_OPTIONS, traced=True)
def run(
    brief: Brief = None,
    draft: Draft = None,
    sources: Sources = None,
    resume_dir: ResumeDir = None,
    replay_dir: ReplayDir = None,
    *,
    loaded: LoadedSettings,
    json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Write an analysis of INPUT and have it examined until two critics approve."""
    output = OutputOptions(json, quiet)
    if replay_dir is not None:
        if brief or draft or sources or resume_dir:
            raise InputError("--replay takes no INPUT, draft, sources or --resume")
        return replay(replay_dir, loaded, output)
    if resume_dir is not None:
        if brief or draft or sources:
            raise InputError("--resume goes on with a run and takes no INPUT, draft or sources")
        return resume_run(resume_dir, loaded, output)
    inputs = RunInput(
        read_document(brief) if brief else None,
        read_as_text(draft) if draft else None,
        tuple(sources or ()),
        draft,
    )
    given = loaded.origin("analyst_max_websearches").origin is not Origin.DEFAULT
    if given and loaded.settings.search is SearchName.NONE:
        print_note("no search provider is configured: the allowance of web searches is not used")
    return RunCommand(loaded, output).run(prepare_run(inputs, loaded))


@app.command()
@with_settings(RESUME_OPTIONS, traced=True)
def resume(
    run_dir: RunDir, *, loaded: LoadedSettings, json: Json = False, quiet: Quiet = False
) -> int:
    """Go on with a run that was stopped; nothing that is finished runs again."""
    return resume_run(run_dir, loaded, OutputOptions(json, quiet))


def resume_run(run_dir: Path, loaded: LoadedSettings, output: OutputOptions) -> int:
    """Go on with the run in `run_dir`; returns the exit code."""
    return RunCommand(loaded, output).run(prepare_resume(run_dir, loaded))


class RunCommand:
    """One run from its preparation to its end, or until it is stopped."""

    def __init__(self, loaded: LoadedSettings, output: OutputOptions) -> None:
        self._loaded = loaded
        self._output = output
        self._run: PreparedRun | None = None
        self._had_ended = False

    def run(self, preparation: Coroutine[object, object, PreparedRun]) -> int:
        """Prepare, run, and print the result."""
        try:
            result = run_until_stopped(self._prepare_and_run(preparation))
        except asyncio.CancelledError:
            self._print_stopped()
            return ExitCode.CANCELLED
        except FoureyesError as error:
            if self._run is None:
                raise
            print_error(error)
            sys.stderr.write(f"foureyes: go on with: {self._resume_command()}\n")
            return ExitCode.FAILED
        settings = self._run.settings if self._run else self._loaded.settings
        note_reader_off(settings)
        code = print_end(result, settings, self._output)
        if not self._output.json:
            self._print_next_commands(result)
        if self._had_ended:
            print_note("this run had ended: nothing was done again and nothing changed")
        return code

    async def _prepare_and_run(
        self, preparation: Coroutine[object, object, PreparedRun]
    ) -> PipelineResult:
        with show_progress(quiet=self._output.quiet) as notify:
            self._run = await preparation
            self._had_ended = self._run.has_ended
            return await self._run.run(notify)

    def _print_next_commands(self, result: PipelineResult) -> None:
        if awaits_decision(result) and result.run_dir is not None:
            command = ["foureyes", "review-queue", str(result.run_dir)]
            print_line(f"decide with: {safe(shlex.join(command))}")
        if can_resume(result):
            print_line(f"go on with: {self._resume_command()}")

    def _print_stopped(self) -> None:
        text = "foureyes: cancelled; not approved"
        if self._run is None:
            sys.stderr.write(f"{text}; the run had not begun\n")
            return
        sys.stderr.write(f"{text}\nfoureyes: go on with: {self._resume_command()}\n")
        if self._output.json:
            manifest = RunStore.open(self._run.run_dir).manifest
            print_line(stopped_json(manifest, self._run.run_dir, ExitCode.CANCELLED))

    def _resume_command(self) -> str:
        """Return the resume command of this run, with the connection flags."""
        folder = str(self._run.run_dir if self._run else "")
        words = ["foureyes", "resume", folder, *connection_flags(self._loaded, CODE_KEYS)]
        return safe(shlex.join(words))


def awaits_decision(result: PipelineResult) -> bool:
    """Return whether the last iteration waits for a person."""
    last = result.iterations[-1].conclusion if result.iterations else None
    return last is not None and last.gate.decision is GateDecision.PENDING_REVIEW


def can_resume(result: PipelineResult) -> bool:
    """Return whether a resume could end otherwise, because something was left undone."""
    delivered = result.delivered
    undone = delivered is None or bool(delivered.failures)
    if delivered is not None and delivered.conclusion is not None:
        undone = undone or bool(delivered.conclusion.not_fetched)
    undone = undone or bool(result.unwritten)
    undone = undone or (result.settlement is not None and result.settlement.blocked)
    return undone or result.judge_failed or result.status is RunStatus.BUDGET_EXCEEDED


def replay(run_dir: Path, loaded: LoadedSettings, output: OutputOptions) -> int:
    """Replay the run in `run_dir`; returns the exit code, which is the recorded run's own.

    A replay that departs returns 4; one whose record was broken off is cancelled there.
    """
    prepared: list[PreparedReplay] = []

    async def prepare_and_run() -> PipelineResult:
        with show_progress(quiet=output.quiet) as notify:
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
        print_error(error)
        sys.stderr.write("".join(f"  {safe(line)}\n" for line in error.diff.splitlines()))
        return ExitCode.FAILED
    code = print_end(result, prepared[0].settings, output)
    if not output.json:
        print_line(f"replay:   the same as {run_dir}")
    return code


def print_end(result: PipelineResult, settings: Settings, output: OutputOptions) -> ExitCode:
    """Print the result of a run; returns the exit code that `settings` ask for."""
    code = result.exit_code_for(
        require_approval=settings.require_approval,
        require_independent=settings.require_independent,
    )
    if output.json:
        print_line(result_json(result, code))
    else:
        print_result(result)
    return code

"""The commands `run` and `resume`: from their input to the last line a person sees."""

from __future__ import annotations

import asyncio
import shlex
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from ..assembly.model import CODE_KEYS, LoadedSettings, Origin, Settings
from ..assembly.prepared_run import PreparedRun
from ..assembly.replaying import PreparedReplay, prepare_replay
from ..assembly.runs import RunInput, prepare_resume, prepare_run
from ..base.errors import FoureyesError, InputError, RecordEnded, ReplayMismatch, RunDirectoryError
from ..base.files import read_document
from ..base.vocabulary import ExitCode, FailCode, GateDecision, SearchName
from ..core.approval import RunStatus
from ..core.result import REPORT_FILE, PipelineResult, analysis_path
from ..core.run_analytics import AnalyticsTable
from ..core.run_store import RunStore
from ..report.evidence_pack import pack_digest
from ..report.run_text import pack_of, result_json, result_lines, stopped_json
from ..report.summary import SUMMARY_FILE, TABLE_LEGEND, used_table
from ..review.originals import read_as_text
from .commands import CommandGroup
from .options import (
    RESUME_OPTIONS,
    RUN_OPTIONS,
    OutputOptions,
    Sources,
    argument,
    connection_flags,
    note_reader_off,
    option,
    with_options,
)
from .progress import Notify, show_progress
from .terminal import (
    Column,
    print_error,
    print_line,
    print_lines,
    print_note,
    run_until_stopped,
    safe,
    show_table,
)

T = TypeVar("T")

app = CommandGroup()


class RunOptions(OutputOptions):
    """Options of a run beside its settings."""

    brief: Annotated[Path | None, argument("INPUT")] = None
    """The brief, a text file."""
    draft: Annotated[Path | None, option("FILE")] = None
    """Analyst: examine this draft in place of its first."""
    sources: Sources = None
    replay: Annotated[Path | None, option("RUN_DIR")] = None
    """Run a recorded run again from its record alone, and say where it departs."""


@app.command()
@with_options(RUN_OPTIONS, traced=True)
def run(options: RunOptions, loaded: LoadedSettings) -> int:
    """Write an analysis of INPUT and have it examined until two critics approve."""
    brief, draft = options.brief, options.draft
    if options.replay is not None:
        if brief or draft or options.sources:
            raise InputError("--replay takes no INPUT, draft or sources")
        return replay(options.replay, loaded, options)
    inputs = RunInput(
        read_document(brief) if brief else None,
        read_as_text(draft) if draft else None,
        tuple(options.sources or ()),
        draft,
    )
    given = loaded.origin("analyst_max_websearches").origin is not Origin.DEFAULT
    if given and loaded.settings.search is SearchName.NONE:
        print_note("no search provider is configured: the allowance of web searches is not used")
    return RunCommand(loaded, options).run(prepare_run(inputs, loaded))


class ResumeOptions(OutputOptions):
    """Options of `resume` beside settings."""

    run_dir: Annotated[Path, argument("RUN_DIR")]
    """The run to go on with."""


@app.command()
@with_options(RESUME_OPTIONS, traced=True)
def resume(options: ResumeOptions, loaded: LoadedSettings) -> int:
    """Go on with a run that was stopped; nothing that is finished runs again."""
    return resume_run(options.run_dir, loaded, options)


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

        async def work(notify: Notify) -> PipelineResult:
            self._run = await preparation
            self._had_ended = self._run.has_ended
            return await self._run.run(notify)

        result = carry_out(work, self._resume_command, self._print_stopped, self._output)
        settings = self._run.settings if self._run else self._loaded.settings
        note_reader_off(settings)
        code = print_end(result, settings, self._output)
        if not self._output.as_json:
            self._print_next_commands(result)
        if self._had_ended:
            print_note("this run had ended: nothing was done again and nothing changed")
        return code

    def _print_next_commands(self, result: PipelineResult) -> None:
        question = "decide with" if awaits_decision(result) else ""
        question = question or ("is that wrong? decide with" if is_contradicted(result) else "")
        if question:
            command = ["foureyes", "claims", "decide", str(result.run_dir)]
            print_line(f"{question}: {safe(shlex.join(command))}")
        if can_resume(result):
            print_line(f"go on with: {self._resume_command()}")

    def _print_stopped(self) -> None:
        if self._run is not None and self._output.as_json:
            manifest = RunStore.open(self._run.run_dir).manifest
            print_line(stopped_json(manifest, self._run.run_dir, ExitCode.CANCELLED))

    def _resume_command(self) -> str:
        """Return the resume command of this run, with the connection flags; "" before it began."""
        if self._run is None:
            return ""
        words = ["foureyes", "resume", str(self._run.run_dir)]
        return safe(shlex.join([*words, *connection_flags(self._loaded, CODE_KEYS)]))


def carry_out(
    work: Callable[[Notify], Coroutine[object, object, T]],
    resume_command: Callable[[], str | None],
    on_stop: Callable[[], None],
    output: OutputOptions,
    stopped: str = "cancelled; not approved",
) -> T:
    """Result of `work`, whose progress is shown.

    If it is stopped or fails, this prints how to go on and ends the command. `resume_command`
    returns "" while there is nothing to resume, and None if there never is; `on_stop` prints what
    else there is.
    """

    async def shown() -> T:
        with show_progress(quiet=output.quiet) as notify:
            return await work(notify)

    try:
        return run_until_stopped(shown())
    except asyncio.CancelledError:
        command = resume_command()
        then = "" if command is None else "; it had not begun"
        then = f"\nfoureyes: go on with: {command}" if command else then
        sys.stderr.write(f"foureyes: {stopped}{then}\n")
        on_stop()
        raise typer.Exit(ExitCode.CANCELLED) from None
    except FoureyesError as error:
        command = resume_command()
        if not command or isinstance(error, RunDirectoryError):
            raise
        print_error(error)
        sys.stderr.write(f"foureyes: go on with: {command}\n")
        raise typer.Exit(ExitCode.FAILED) from None


def awaits_decision(result: PipelineResult) -> bool:
    """Return whether the last iteration waits for a person."""
    last = result.iterations[-1].conclusion if result.iterations else None
    return last is not None and last.gate.decision is GateDecision.PENDING_REVIEW


def is_contradicted(result: PipelineResult) -> bool:
    """Return whether a contradiction, which a person may lift, bars the approval."""
    last = result.iterations[-1].conclusion if result.iterations else None
    return last is not None and last.gate.fail_code is FailCode.CONTRADICTION


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

    async def work(notify: Notify) -> PipelineResult:
        prepared.append(await prepare_replay(run_dir, loaded))
        return await prepared[0].run(notify)

    try:
        result = carry_out(work, lambda: None, lambda: None, output)
    except RecordEnded as error:
        sys.stderr.write(f"foureyes: cancelled; not approved: {safe(error.message)}\n")
        return ExitCode.CANCELLED
    except ReplayMismatch as error:
        print_error(error)
        sys.stderr.write("".join(f"  {safe(line)}\n" for line in error.diff.splitlines()))
        return ExitCode.FAILED
    code = print_end(result, prepared[0].settings, output)
    if not output.as_json:
        print_line(f"replay:   the same as {run_dir}")
    return code


def print_end(result: PipelineResult, settings: Settings, output: OutputOptions) -> ExitCode:
    """Print the result of a run; returns the exit code that `settings` ask for."""
    code = result.exit_code_for(
        require_approval=settings.require_approval, require_independent=settings.require_independent
    )
    if output.as_json:
        print_line(result_json(result, code))
    else:
        print_result(result)
    return code


def print_result(result: PipelineResult) -> None:
    """Print the end of a run on standard output."""
    print_lines(result_lines(result))
    print_figures(result.analytics.table())
    print_line()
    path = analysis_path(result.run_dir, result.best_iteration)
    if path is not None:
        print_line(f"analysis: {path}")
    report = result.run_dir / REPORT_FILE
    if report.exists():
        print_line(f"report:   {report}")
    print_line(f"summary:  {result.run_dir / SUMMARY_FILE}")
    pack = pack_of(result)
    if pack is not None:
        print_line(f"evidence: {pack}, digest {pack_digest(pack)}")


def print_figures(table: AnalyticsTable, *, examined: bool = True) -> None:
    """Print the figures of each agent; empty columns are left out.

    `examined` is false where there are no iterations and no votes.
    """
    columns, rows = used_table(table)
    first = 0 if examined else 1
    shown = [Column(name, right=name not in ("agent", "vote")) for name in columns[first:]]
    show_table(shown, (row[first:] for row in rows))
    if examined:
        print_line(TABLE_LEGEND)

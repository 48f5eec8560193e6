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
from ..report.summary import SUMMARY_FILE, TABLE_LEGEND
from ..review.originals import read_as_text
from . import terminal
from ._options import (
    RESUME_OPTIONS,
    RUN_OPTIONS,
    CommandGroup,
    OutputOptions,
    Sources,
    argument,
    connection_flags,
    option,
)
from ._progress import Notify, show_progress
from .terminal import Column

PreparedT = TypeVar("PreparedT")
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


@app.command(settings=RUN_OPTIONS, traced=True)
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
        terminal.note("no search provider is configured: the allowance of web searches is not used")
    return carry_run(prepare_run(inputs, loaded), loaded, options)


class ResumeOptions(OutputOptions):
    """Options of `resume` beside settings."""

    run_dir: Annotated[Path, argument("RUN_DIR")]
    """The run to go on with."""


@app.command(settings=RESUME_OPTIONS, traced=True)
def resume(options: ResumeOptions, loaded: LoadedSettings) -> int:
    """Go on with a run that was stopped; nothing that is finished runs again."""
    return resume_run(options.run_dir, loaded, options)


def resume_run(run_dir: Path, loaded: LoadedSettings, output: OutputOptions) -> int:
    """Go on with the run in `run_dir`; returns the exit code."""
    return carry_run(prepare_resume(run_dir, loaded), loaded, output)


def carry_run(
    preparation: Coroutine[object, object, PreparedRun],
    loaded: LoadedSettings,
    output: OutputOptions,
) -> int:
    """Carry a run to its end, or until it is stopped, and print the result."""

    def resume_command(run: PreparedRun) -> str:
        words = ["foureyes", "resume", str(run.run_dir)]
        return terminal.safe(shlex.join([*words, *connection_flags(loaded, CODE_KEYS)]))

    def print_stopped(run: PreparedRun) -> None:
        manifest = RunStore.open(run.run_dir).manifest
        terminal.line(stopped_json(manifest, run.run_dir, ExitCode.CANCELLED))

    async def work(run: PreparedRun, notify: Notify) -> tuple[bool, PipelineResult]:
        return run.has_ended, await run.run(notify)

    run, (had_ended, result) = carry_out(preparation, work, output, resume_command, print_stopped)
    output.note_reader_off(run.settings)
    code = print_end(result, run.settings, output)
    if not output.as_json:
        print_next_commands(result, resume_command(run))
    if had_ended:
        terminal.note("this run had ended: nothing was done again and nothing changed")
    return code


def print_next_commands(result: PipelineResult, resume_command: str) -> None:
    """Print what a person can do next: decide, or go on where a resume could end otherwise."""
    last = result.iterations[-1].conclusion if result.iterations else None
    question = ""
    if last is not None and last.gate.decision is GateDecision.PENDING_REVIEW:
        question = "decide with"
    elif last is not None and last.gate.fail_code is FailCode.CONTRADICTION:
        question = "is that wrong? decide with"
    if question:
        command = ["foureyes", "claims", "decide", str(result.run_dir)]
        terminal.line(f"{question}: {terminal.safe(shlex.join(command))}")
    delivered = result.delivered
    concluded = delivered.conclusion if delivered else None
    undone = (
        delivered is None
        or delivered.failures
        or (concluded is not None and concluded.not_fetched)
        or result.unwritten
        or (result.settlement is not None and result.settlement.blocked)
        or result.judge_failed
    )
    if undone or result.status is RunStatus.BUDGET_EXCEEDED:
        terminal.line(f"go on with: {resume_command}")


def carry_out(
    preparation: Coroutine[object, object, PreparedT],
    work: Callable[[PreparedT, Notify], Coroutine[object, object, T]],
    output: OutputOptions,
    resume_command: Callable[[PreparedT], str] | None = None,
    print_stopped: Callable[[PreparedT], None] | None = None,
    stopped: str = "cancelled; not approved",
) -> tuple[PreparedT, T]:
    """What was prepared, and the result of the `work` on it, whose progress is shown.

    If it is stopped or fails, this prints how to go on and ends the command. Without a
    `resume_command` it never goes on. `print_stopped` prints its record for `--json`.
    """
    begun: list[PreparedT] = []

    async def shown() -> T:
        with show_progress(quiet=output.quiet) as notify:
            begun.append(await preparation)
            return await work(begun[0], notify)

    def go_on() -> str:
        if resume_command is None or not begun:
            return ""
        return f"foureyes: go on with: {resume_command(begun[0])}\n"

    try:
        result = terminal.run_until_stopped(shown())
    except asyncio.CancelledError:
        lost = "; it had not begun" if resume_command and not begun else ""
        sys.stderr.write(f"foureyes: {stopped}{lost}\n{go_on()}")
        if begun and print_stopped and output.as_json:
            print_stopped(begun[0])
        raise typer.Exit(ExitCode.CANCELLED) from None
    except FoureyesError as error:
        command = go_on()
        if not command or isinstance(error, RunDirectoryError):
            raise
        terminal.error(error)
        sys.stderr.write(command)
        raise typer.Exit(ExitCode.FAILED) from None
    return begun[0], result


def replay(run_dir: Path, loaded: LoadedSettings, output: OutputOptions) -> int:
    """Replay the run in `run_dir`; returns the exit code, which is the recorded run's own.

    A replay that departs returns 4; one whose record was broken off is cancelled there.
    """
    try:
        replayed, result = carry_out(prepare_replay(run_dir, loaded), PreparedReplay.run, output)
    except RecordEnded as error:
        sys.stderr.write(f"foureyes: cancelled; not approved: {terminal.safe(error.message)}\n")
        return ExitCode.CANCELLED
    except ReplayMismatch as error:
        terminal.error(error)
        sys.stderr.write("".join(f"  {terminal.safe(line)}\n" for line in error.diff.splitlines()))
        return ExitCode.FAILED
    code = print_end(result, replayed.settings, output)
    if not output.as_json:
        terminal.line(f"replay:   the same as {run_dir}")
    return code


def print_end(result: PipelineResult, settings: Settings, output: OutputOptions) -> ExitCode:
    """Print the result of a run; returns the exit code that `settings` ask for."""
    code = result.exit_code_for(
        require_approval=settings.require_approval, require_independent=settings.require_independent
    )
    if output.as_json:
        terminal.line(result_json(result, code))
    else:
        print_result(result)
    return code


def print_result(result: PipelineResult) -> None:
    """Print the end of a run on standard output."""
    terminal.lines(result_lines(result))
    print_figures(result.analytics.table())
    terminal.line()
    path = analysis_path(result.run_dir, result.best_iteration)
    if path is not None:
        terminal.line(f"analysis: {path}")
    report = result.run_dir / REPORT_FILE
    if report.exists():
        terminal.line(f"report:   {report}")
    terminal.line(f"summary:  {result.run_dir / SUMMARY_FILE}")
    pack = pack_of(result)
    if pack is not None:
        terminal.line(f"evidence: {pack}, digest {pack_digest(pack)}")


def print_figures(table: AnalyticsTable, *, examined: bool = True) -> None:
    """Print the figures of each agent; empty columns are left out.

    `examined` is false where there are no iterations and no votes.
    """
    used, first = table.used(), 0 if examined else 1
    shown = [Column(name, right=name not in ("agent", "vote")) for name in used.columns[first:]]
    terminal.table(shown, (row[first:] for row in used.rows))
    if examined:
        terminal.line(TABLE_LEGEND)

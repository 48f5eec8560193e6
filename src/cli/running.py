"""The commands `run`, `resume` and `review`: from their input to the last line a person sees."""

from __future__ import annotations

import asyncio
import shlex
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from ..assembly.document_review import PreparedReview, prepare_review, prepare_review_resume
from ..assembly.model import CODE_KEYS, REVIEW_ROLES, LoadedSettings, Origin, Settings
from ..assembly.prepared_run import PreparedRun
from ..assembly.replaying import PreparedReplay, prepare_replay
from ..assembly.review_result import ReviewResult
from ..assembly.runs import RunInput, prepare_resume, prepare_run
from ..assembly.settings import flag_name, load_settings
from ..base.errors import FoureyesError, InputError, RecordEnded, ReplayMismatch, RunDirectoryError
from ..base.files import read_document
from ..base.vocabulary import ExitCode, GateDecision, SearchName, Severity
from ..core.approval import RunStatus
from ..core.result import REPORT_FILE, PipelineResult, analysis_path
from ..core.run_analytics import AnalyticsTable
from ..core.run_store import RunStore
from ..report.document_review import ANNOTATED_FILE, review_lines
from ..report.document_review import REPORT_FILE as REVIEW_REPORT
from ..report.evidence_pack import pack_digest
from ..report.review_report import ReviewOutcome, review_outcome, review_report
from ..report.run_text import pack_of, result_json, result_lines, stopped_json
from ..report.summary import SUMMARY_FILE, TABLE_LEGEND, used_table
from ..review.originals import read_as_text
from ..review.store import ReviewContents, ReviewStatus, ReviewStore, read_contents
from ..review.types import GateAnswer, GateChoice
from .commands import CommandGroup
from .options import (
    RESUME_OPTIONS,
    REVIEW_OPTIONS,
    REVIEW_RESUME_OPTIONS,
    RUN_OPTIONS,
    By,
    OutputOptions,
    Sources,
    argument,
    connection_flags,
    decider_name,
    note_reader_off,
    option,
    print_json,
    with_options,
)
from .progress import Notify, show_progress
from .terminal import (
    Column,
    ask_until_valid,
    is_interactive,
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
        if awaits_decision(result) and result.run_dir is not None:
            command = ["foureyes", "claims", "decide", str(result.run_dir)]
            print_line(f"decide with: {safe(shlex.join(command))}")
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
    if result.run_dir is not None:
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


REVIEW_EPILOG = (
    "Exit codes: 0 done (or stopped by you at the gate), 1 a finding at or above --fail-on, 2 "
    "waiting for your decision, or a part was not done, 3 a limit was reached, 4 failed or bad "
    "input, 130 cancelled."
)


class ReviewOptions(OutputOptions):
    """Options of a review beside its settings."""

    document: Annotated[Path | None, argument("DOC")] = None
    """A Markdown, text, HTML, PDF or Word file."""
    sources: Sources = None
    resume: Annotated[Path | None, option("DIR")] = None
    """Go on with the review in DIR."""
    yes: bool = False
    """Go on past the gate without being asked."""
    stop: bool = False
    """With --resume: end it at the gate."""
    by: By = None
    out: Annotated[Path | None, option("PATH")] = None
    """The folder for review directories. [default: reviews]"""
    fail_on: Severity | None = None
    """Exit 1 on findings of this severity or worse. [default: never]"""

    @property
    def answer(self) -> GateAnswer | None:
        """Decision on the compiled review that the flags give; None for none."""
        if not self.yes and not self.stop:
            return None
        return GateAnswer(GateChoice.GO_ON if self.yes else GateChoice.STOP, decider_name(self.by))


@app.command(epilog=REVIEW_EPILOG)
@with_options(REVIEW_OPTIONS, REVIEW_ROLES, traced=True)
def review(options: ReviewOptions, config: Path | None, flags: dict[str, object]) -> int:
    """Hold DOC against itself and, past the gate, its claims against sources.

    Three red reviewers look for what is wrong, a blue defender tries to kill each finding by the
    document's own words, and you see what survived. Going on, smoke testers verify every quotation,
    and the claims that the document rests on are looked up; what is found stands in an appendix and
    changes no finding.
    """
    if (options.document is None) == (options.resume is None):
        raise InputError("say what to review", "give one of DOC and --resume DIR")
    flags["out"] = options.out
    if options.yes and options.stop:
        raise InputError("--yes and --stop exclude each other", "give one of them")
    if options.stop and options.resume is None:
        raise InputError("--stop ends a review at its gate", "name it with --resume DIR")
    if options.resume is not None:
        _require_may_change(flags, options.sources)
    loaded = load_settings(flags, config=config)
    if options.document is None:
        preparation = prepare_review_resume(options.resume or Path(), loaded, options.answer)
    else:
        preparation = prepare_review(options.document, options.sources or (), loaded)
    return ReviewCommand(loaded, options).run(preparation, options.answer)


def _require_may_change(flags: dict[str, object], sources: list[str] | None) -> None:
    """Refuse what a review that has begun would not heed."""
    named = [name for name, value in flags.items() if value and name not in REVIEW_RESUME_OPTIONS]
    given = ["--sources"] if sources else [flag_name(name) for name in named]
    if given:
        raise InputError(
            f"{given[0]} cannot change a review that has begun", "leave it out, or begin another"
        )


class ReviewCommand:
    """A review of one command, from its preparation to the last line."""

    def __init__(self, loaded: LoadedSettings, options: ReviewOptions) -> None:
        self._loaded = loaded
        self._options = options
        self._review: PreparedReview | None = None

    def run(
        self, preparation: Coroutine[object, object, PreparedReview], answer: GateAnswer | None
    ) -> int:
        """Prepare, review, ask at the gate, and print the result; returns the exit code."""

        async def work(notify: Notify) -> ReviewResult:
            self._review = await preparation
            return await self._review.run(notify, answer)

        result = carry_out(
            work, self._resume_command, self._print_stopped, self._options, "cancelled"
        )
        waiting = result.status is ReviewStatus.AWAITING_DECISION
        if waiting and not self._options.as_json and is_interactive():
            choice = self._ask_decision(result)
            if choice is not None:
                given = GateAnswer(choice, decider_name(self._options.by))
                again = prepare_review_resume(result.review_dir, self._loaded, given)
                return self.run(again, given)
        return self._print_result(result)

    def _ask_decision(self, result: ReviewResult) -> GateChoice | None:
        """Show the compiled review and ask whether to continue; None postpones the decision."""
        print_lines(review_lines(review_report(result.contents)))
        print_line(f"report:    {result.review_dir / REVIEW_REPORT}")
        print_line()
        return ask_until_valid("go on? yes, stop (enter leaves it for later)", parse_gate_choice)

    def _print_result(self, result: ReviewResult) -> int:
        note_reader_off(self._review.settings if self._review else self._loaded.settings)
        code = result.exit_code_for(self._options.fail_on)
        if self._options.as_json:
            self._print_json(result.contents, result.review_dir, code)
            return code
        print_lines(review_lines(review_report(result.contents)))
        if len(result.figures.rows) > 1:
            print_figures(result.figures, examined=False)
            print_line()
        print_line(f"report:    {result.review_dir / REVIEW_REPORT}")
        if result.report_path is not None:
            print_line(f"page:      {result.report_path}")
        print_line(f"annotated: {result.review_dir / ANNOTATED_FILE}")
        match result.status:
            case ReviewStatus.AWAITING_DECISION:
                print_line(f"go on with: {self._resume_command()} --yes (or --stop)")
            case ReviewStatus.INCONCLUSIVE | ReviewStatus.BUDGET_EXCEEDED:
                print_line(f"go on with: {self._resume_command()}")
            case _:
                pass
        return code

    def _print_stopped(self) -> None:
        if self._review is not None and self._options.as_json:
            contents = read_contents(ReviewStore.open(self._review.review_dir))
            self._print_json(contents, self._review.review_dir, ExitCode.CANCELLED)

    def _print_json(self, contents: ReviewContents, review_dir: Path, code: int) -> None:
        print_json(ReviewOutcome, review_outcome(contents, review_dir, code))

    def _resume_command(self) -> str:
        """Return the resume command of this review, with connection flags and a `--yes`."""
        if self._review is None:
            return ""
        words = ["foureyes", "review", "--resume", str(self._review.review_dir)]
        yes = ["--yes"] if self._options.yes else []
        return safe(shlex.join([*words, *connection_flags(self._loaded), *yes]))


def parse_gate_choice(text: str) -> GateChoice:
    """A decision as a person types it.

    Raises:
        InputError: It is none.
    """
    word = text.casefold()
    if "yes".startswith(word) or word in ("go on", "go_on"):
        return GateChoice.GO_ON
    if "stop".startswith(word) or "no".startswith(word):
        return GateChoice.STOP
    raise InputError(f"{text[:40]!r} is neither yes nor stop")

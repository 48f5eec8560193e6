"""The command `review`: start or resume a document review, ask at its gate, print the result."""

from __future__ import annotations

import shlex
from collections.abc import Coroutine
from pathlib import Path
from typing import Annotated

from ..assembly.document_review import PreparedReview, prepare_review, prepare_review_resume
from ..assembly.model import REVIEW_ROLES, LoadedSettings
from ..assembly.review_result import ReviewResult
from ..assembly.settings import flag_name, load_settings
from ..base.errors import InputError
from ..base.vocabulary import ExitCode, Severity
from ..report.document_review import ANNOTATED_FILE, REPORT_FILE, review_lines
from ..report.review_report import ReviewOutcome, review_outcome, review_report
from ..review.store import ReviewStatus, ReviewStore, read_contents
from ..review.types import GateAnswer, GateChoice
from . import terminal
from ._options import (
    REVIEW_OPTIONS,
    REVIEW_RESUME_OPTIONS,
    By,
    CommandGroup,
    OutputOptions,
    Sources,
    argument,
    connection_flags,
    option,
)
from ._progress import Notify
from ._running import carry_out, print_figures

EPILOG = (
    "Exit codes: 0 done (or stopped by you at the gate), 1 a finding at or above --fail-on, 2 "
    "waiting for your decision, or a part was not done, 3 a limit was reached, 4 failed or bad "
    "input, 130 cancelled."
)

app = CommandGroup()


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
        return GateAnswer(
            GateChoice.GO_ON if self.yes else GateChoice.STOP, terminal.decider_name(self.by)
        )


@app.command(epilog=EPILOG, settings=REVIEW_OPTIONS, agents=REVIEW_ROLES, traced=True)
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
    return carry_review(preparation, options.answer, loaded, options)


def _require_may_change(flags: dict[str, object], sources: list[str] | None) -> None:
    """Refuse what a review that has begun would not heed."""
    named = [name for name, value in flags.items() if value and name not in REVIEW_RESUME_OPTIONS]
    given = ["--sources"] if sources else [flag_name(name) for name in named]
    if given:
        raise InputError(
            f"{given[0]} cannot change a review that has begun", "leave it out, or begin another"
        )


def carry_review(
    preparation: Coroutine[object, object, PreparedReview],
    answer: GateAnswer | None,
    loaded: LoadedSettings,
    options: ReviewOptions,
) -> int:
    """Carry a review to its end, ask at the gate, and print the result."""

    def resume_command(review: PreparedReview) -> str:
        words = ["foureyes", "review", "--resume", str(review.review_dir)]
        yes = ["--yes"] if options.yes else []
        return terminal.safe(shlex.join([*words, *connection_flags(loaded), *yes]))

    def print_stopped(review: PreparedReview) -> None:
        contents = read_contents(ReviewStore.open(review.review_dir))
        outcome = review_outcome(contents, review.review_dir, ExitCode.CANCELLED)
        options.print_json(ReviewOutcome, outcome)

    async def work(review: PreparedReview, notify: Notify) -> ReviewResult:
        return await review.run(notify, answer)

    review, result = carry_out(
        preparation, work, options, resume_command, print_stopped, "cancelled"
    )
    waiting = result.status is ReviewStatus.AWAITING_DECISION
    if waiting and not options.as_json and terminal.is_interactive():
        terminal.lines(review_lines(review_report(result.contents)))
        terminal.line(f"report:    {result.review_dir / REPORT_FILE}")
        terminal.line()
        question = "go on? yes, stop (enter leaves it for later)"
        choice = terminal.ask(question, parse_gate_choice)
        if choice is not None:
            given = GateAnswer(choice, terminal.decider_name(options.by))
            again = prepare_review_resume(result.review_dir, loaded, given)
            return carry_review(again, given, loaded, options)
    options.note_reader_off(review.settings)
    code = result.exit_code_for(options.fail_on)
    if options.as_json:
        options.print_json(ReviewOutcome, review_outcome(result.contents, result.review_dir, code))
    else:
        print_result(result, resume_command(review))
    return code


def print_result(result: ReviewResult, resume_command: str) -> None:
    """Print the end of a review, its files, and how it goes on."""
    terminal.lines(review_lines(review_report(result.contents)))
    if len(result.figures.rows) > 1:
        print_figures(result.figures, examined=False)
        terminal.line()
    terminal.line(f"report:    {result.review_dir / REPORT_FILE}")
    if result.report_path is not None:
        terminal.line(f"page:      {result.report_path}")
    terminal.line(f"annotated: {result.review_dir / ANNOTATED_FILE}")
    match result.status:
        case ReviewStatus.AWAITING_DECISION:
            terminal.line(f"go on with: {resume_command} --yes (or --stop)")
        case ReviewStatus.INCONCLUSIVE | ReviewStatus.BUDGET_EXCEEDED:
            terminal.line(f"go on with: {resume_command}")
        case _:
            pass


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

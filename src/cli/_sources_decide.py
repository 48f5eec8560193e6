"""The commands `sources gaps`, `override` and `review`: what a person decides on sources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated, TypeAlias

from ..assembly.model import LoadedSettings
from ..assembly.sources import run_scores, score_urls
from ..base.errors import InputError
from ..base.printable import counted
from ..base.vocabulary import ExitCode
from ..core.record_folder import program_version
from ..report.wording import explain_score, gap_line
from ..sources.scoring.appraisal import (
    SourceRating,
    decide_gap,
    override_source,
    parse_decision,
    rated_source,
    rating,
)
from ..sources.scoring.gaps import GapDecision, GapMemory, gap_decisions, open_gaps, parse_choice
from ..sources.scoring.model import Appraisal, Gap, GapChoice, GapType, Override, RatedSource
from . import terminal
from ._options import By, CommandGroup, JsonOptions, RunDirOptions, argument, option
from ._sources import SCORE_OPTIONS, fetch_code
from .terminal import Column

GAP_SETTINGS = (*SCORE_OPTIONS, "memory")
COLUMNS = ("gap", "decision", Column("found", 1), Column("what to do", 1))

app = CommandGroup()


@dataclass(frozen=True, slots=True)
class GapsOutcome:
    """Output of `sources gaps --json`.

    `open` are the gaps that are to be raised. `decisions` are all that were made in the run, or by
    this command without one. `memory` is the file with the table.
    """

    foureyes: str
    exit_code: int
    topic: str
    gaps: tuple[Gap, ...]
    open: tuple[GapType, ...]
    decisions: tuple[GapDecision, ...]
    memory: str | None


Answer: TypeAlias = tuple[GapType, GapChoice, date | None]
"""A gap, what is chosen about it, and until when it is deferred."""


class Session:
    """The gaps of a run or of addresses, what was decided about them, and where that is kept."""

    def __init__(self, found: Appraisal, run_dir: Path | None, memory: Path | None) -> None:
        self.found = found
        self.run_dir = run_dir
        self.memory = memory
        self.today = datetime.now(UTC).date()
        self.decisions = gap_decisions(run_dir).all() if run_dir else ()

    def open_gaps(self) -> tuple[Gap, ...]:
        """The gaps to raise."""
        return open_gaps(self.found.gaps, self.found.topic, self.decisions, as_of=self.today)

    def decide(self, answer: Answer, by: str | None, why: str = "") -> None:
        """Record an answer."""
        gap, choice, until = answer
        kept: dict[str, Path | None] = {"run_dir": self.run_dir, "memory": self.memory}
        who = terminal.decider_name(by)
        made = decide_gap(self.found, gap, choice, by=who, why=why, until=until, **kept)
        self.decisions = (*self.decisions, made)


class GapOptions(JsonOptions):
    """Options of `sources gaps`."""

    targets: Annotated[list[str], argument("RUN_DIR|URL")]
    """A run directory, or addresses."""
    accept: Annotated[list[GapType] | None, option("GAP")] = None
    """Accept the gap. Repeatable."""
    defer: Annotated[list[GapType] | None, option("GAP")] = None
    """Raise a gap again later. Repeatable."""
    until: Annotated[str | None, option("DAY")] = None
    """For --defer: YYYY-MM-DD."""
    research: Annotated[list[GapType] | None, option("GAP")] = None
    """Look for more sources. Repeatable."""
    why: Annotated[str, option("TEXT")] = ""
    """The reason."""
    by: By = None

    def answers(self) -> list[Answer]:
        """The answers that are given.

        Raises:
            InputError: The day is none, or nothing is deferred to it.
        """
        if self.until is not None and not self.defer:
            raise InputError("--until needs --defer", "add --defer GAP")
        day = read_day(self.until) if self.until is not None else None
        given = {
            (GapChoice.ACCEPT, None): self.accept,
            (GapChoice.DEFER, day): self.defer,
            (GapChoice.RESEARCH_MORE, None): self.research,
        }
        return [(gap, how, until) for (how, until), named in given.items() for gap in named or ()]


@app.command(settings=GAP_SETTINGS)
def gaps(options: GapOptions, loaded: LoadedSettings) -> int:
    """Show what the sources of a run, or at addresses, lack, and record what you decide about it.

    On a terminal you are asked about each open gap. Exits 1 if a gap is open, 2 if an address was
    not fetched.
    """
    answers = options.answers()
    session = open_session(options.targets, loaded)
    if session.memory is not None and (open_now := session.open_gaps()):
        GapMemory(session.memory).register(open_now, session.found.topic, on=session.today)
    for answer in answers:
        session.decide(answer, options.by, options.why)
    if not options.as_json and not answers and terminal.is_interactive():
        ask_about(session, options.by)
    raised, rated = session.open_gaps(), session.found.rated
    code = ExitCode.OK if session.run_dir else fetch_code(one.source for one in rated)
    if raised:
        code = ExitCode.NOT_APPROVED
    if options.as_json:
        outcome = GapsOutcome(
            foureyes=program_version(),
            exit_code=int(code),
            topic=session.found.topic,
            gaps=session.found.gaps,
            open=tuple(gap.type for gap in raised),
            decisions=session.decisions,
            memory=str(session.memory) if session.memory else None,
        )
        options.print_json(GapsOutcome, outcome)
    else:
        show(session)
    return code


def open_session(targets: Sequence[str], loaded: LoadedSettings) -> Session:
    """The gaps of the one run directory, or of the addresses.

    Raises:
        InputError: What was given is neither.
    """
    named = loaded.settings.memory
    memory = named if isinstance(named, Path) else None
    if len(targets) == 1 and Path(targets[0]).is_dir():
        run_dir = Path(targets[0])
        return Session(run_scores(run_dir, loaded), run_dir, memory)
    for target in targets:
        if ":" not in target:
            raise InputError(
                f"{target!r} is neither a run directory nor an address",
                "give one run directory, or addresses",
            )
    found, _ = terminal.run_until_stopped(score_urls(targets, loaded))
    return Session(found, None, memory)


def read_day(text: str) -> date:
    """A day as a person writes it.

    Raises:
        InputError: It is none.
    """
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InputError(f"{text!r} is not a day", "write YYYY-MM-DD") from None


def ask_about(session: Session, by: str | None) -> None:
    """Ask a person about each open gap."""
    for gap in session.open_gaps():
        terminal.line(gap_line(gap))
        choice = terminal.ask(
            "research more, defer or accept? (enter leaves it open)", parse_choice
        )
        if choice is None:
            continue
        until = None
        if choice is GapChoice.DEFER:
            until = terminal.ask("until? (YYYY-MM-DD, enter for no day)", read_day)
        session.decide((gap.type, choice, until), by)
        terminal.line()


def show(session: Session) -> None:
    """The gaps as a table."""
    found = session.found
    terminal.line(f"topic: {found.topic or 'none'}; {counted(len(found.rated), 'source')}")
    if not found.gaps:
        terminal.line("no gaps")
        return
    last = {each.gap: each for each in session.decisions if each.topic == found.topic}
    rows = [
        (gap.type, decision_text(last.get(gap.type)), gap.trigger, gap.suggestion)
        for gap in found.gaps
    ]
    terminal.table(COLUMNS, rows, gap=1)
    if session.open_gaps():
        terminal.lines(
            ("", "answer with --research GAP, --defer GAP [--until DAY] or --accept GAP")
        )


def decision_text(decision: GapDecision | None) -> str:
    """Describe the decision about a gap."""
    if decision is None:
        return "open"
    until = f" until {decision.deferred_until}" if decision.deferred_until else ""
    words = {
        GapChoice.RESEARCH_MORE: "research more",
        GapChoice.DEFER: f"deferred{until}",
        GapChoice.ACCEPT: "accepted",
    }
    return f"{words[decision.choice]}, {decision.by}"


class OverrideOptions(RunDirOptions):
    """Options of `sources override`."""

    url: Annotated[str, argument("URL")]
    """A source of the run."""
    decision: Annotated[str, argument("DECISION")]
    """'approve tier 2' or 'reject source'."""
    why: Annotated[str, option("TEXT")]
    """The reason."""
    by: By = None


@app.command(settings=("registry_dir",))
def override(options: OverrideOptions, loaded: LoadedSettings) -> None:
    """Record your decision on a source of a run; it holds whenever scores are computed again."""
    rated = rated_source(run_scores(options.run_dir, loaded, cited=False), options.url)
    who, why = terminal.decider_name(options.by), options.why
    made = override_source(options.run_dir, rated, options.decision, by=who, why=why)
    options.print_record(Override, made, [decision_line(rated, made)])


class ReviewOptions(RunDirOptions):
    """Options of `sources review`."""

    by: By = None


@app.command(settings=("registry_dir",))
def review(options: ReviewOptions, loaded: LoadedSettings) -> int:
    """Go through the sources that the delivered draft cites and that need a person's decision.

    On a terminal you are asked about each; in a pipe they are listed. Exits 1 if some wait.
    """
    run_dir = options.run_dir
    found = run_scores(run_dir, loaded)
    if options.as_json:
        ratings = tuple(map(rating, found.undecided))
        options.print_json(tuple[SourceRating, ...], ratings)
    elif not found.undecided:
        terminal.line("no source waits for a decision")
    elif terminal.is_interactive():
        found = ask_about_sources(run_dir, found, options.by) or run_scores(run_dir, loaded)
    else:
        for rated in found.undecided:
            terminal.lines(explain_score(rated))
        terminal.line(
            "decide with: foureyes sources override RUN_DIR URL 'approve tier N' --why TEXT"
        )
    return ExitCode.NOT_APPROVED if found.undecided else ExitCode.OK


def ask_about_sources(run_dir: Path, found: Appraisal, by: str | None) -> None:
    """Ask about each source that waits."""
    for rated in found.undecided:
        terminal.lines(explain_score(rated))
        words = terminal.ask("'approve tier N' or 'reject source'? (enter skips)", decision_words)
        why = terminal.ask("why?", str) if words else None
        if words and why:
            made = override_source(run_dir, rated, words, by=terminal.decider_name(by), why=why)
            terminal.line(decision_line(rated, made))
            terminal.line()


def decision_words(answer: str) -> str:
    """`answer`, if it is a decision.

    Raises:
        InputError: It is none.
    """
    parse_decision(answer)
    return answer


def decision_line(rated: RatedSource, made: Override) -> str:
    """A decision in words."""
    decided = f"approved as {made.tier.name}" if made.tier else "rejected"
    was = f"{rated.score.computed_tier.name} by its score of {rated.score.total}"
    return f"{made.url}: {decided} by {made.by} (was {was}): {made.why}"

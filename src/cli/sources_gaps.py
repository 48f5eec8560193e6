"""The command `sources gaps`: what sources lack, and what a person decides about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated, TypeAlias

from ..assembly.model import LoadedSettings
from ..assembly.source_scores import decide_gap, run_scores, score_urls
from ..base.counting import counted
from ..base.errors import InputError
from ..base.vocabulary import ExitCode
from ..core.record_folder import program_version
from ..report.wording import gap_line
from ..sources.scoring.appraisal import Appraisal
from ..sources.scoring.gaps import (
    Gap,
    GapChoice,
    GapDecision,
    GapMemory,
    GapType,
    gap_decisions,
    open_gaps,
    parse_choice,
)
from .commands import CommandGroup
from .options import Json, argument, option, print_json, require_choice, with_settings
from .person import By, ask_until_valid, decider_name, is_interactive
from .signals import run_until_stopped
from .sources_score import SCORE_OPTIONS, fetch_code
from .tables import Column, show_table
from .terminal import print_line, print_lines

GAP_OPTIONS = (*SCORE_OPTIONS, "memory")
COLUMNS = (Column("gap"), Column("decision"), Column("found", 1), Column("what to do", 1))

Targets = Annotated[list[str], argument("RUN_DIR|URL", "A run directory, or addresses.")]
Accept = Annotated[list[str] | None, option("--accept", "GAP", "Accept the gap. Repeatable.")]
Defer = Annotated[
    list[str] | None, option("--defer", "GAP", "Raise a gap again later. Repeatable.")
]
Until = Annotated[str | None, option("--until", "DAY", "For --defer: YYYY-MM-DD.")]
Research = Annotated[
    list[str] | None, option("--research", "GAP", "Look for more sources. Repeatable.")
]
Why = Annotated[str, option("--why", "TEXT", "The reason.")]

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

    def remember(self) -> None:
        """Put the open gaps into the memory table."""
        gaps = self.open_gaps()
        if self.memory is not None and gaps:
            GapMemory(self.memory).register(gaps, self.found.topic, on=self.today)

    def decide(self, answer: Answer, by: str, why: str) -> None:
        """Record an answer."""
        gap, choice, until = answer
        run_dir, memory = self.run_dir, self.memory
        decision = decide_gap(
            self.found, gap, choice, by=by, why=why, until=until, run_dir=run_dir, memory=memory
        )
        self.decisions = (*self.decisions, decision)


@app.command(short_help="Show what sources lack, and decide about it.")
@with_settings(GAP_OPTIONS)
def gaps(
    targets: Targets,
    accept: Accept = None,
    defer: Defer = None,
    until: Until = None,
    research: Research = None,
    why: Why = "",
    by: By = None,
    *,
    loaded: LoadedSettings,
    json: Json = False,
) -> int:
    """Show what the sources of a run, or at addresses, lack, and record what you decide about it.

    On a terminal you are asked about each open gap. Exits 1 if a gap is open, 2 if an address was
    not fetched.
    """
    answers = tuple(read_answers(accept or (), defer or (), research or (), until))
    session = open_session(targets, loaded)
    session.remember()
    for answer in answers:
        session.decide(answer, decider_name(by), why)
    if not json and not answers and is_interactive():
        ask_about(session, by)
    code = exit_code(session)
    if json:
        print_json(GapsOutcome, outcome(session, code))
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
    scored = run_until_stopped(score_urls(targets, loaded))
    return Session(scored.appraisal, None, memory)


def read_answers(
    accept: Sequence[str], defer: Sequence[str], research: Sequence[str], until: str | None
) -> Iterator[Answer]:
    """The answers given by flags.

    Raises:
        InputError: A gap or the day is not what it should be.
    """
    if until is not None and not defer:
        raise InputError("--until needs --defer", "add --defer GAP")
    day = read_day(until) if until is not None else None
    for flag, names, choice, until_day in (
        ("--accept", accept, GapChoice.ACCEPT, None),
        ("--defer", defer, GapChoice.DEFER, day),
        ("--research", research, GapChoice.RESEARCH_MORE, None),
    ):
        for name in names:
            gap = GapType(require_choice(flag, name, tuple(GapType)))
            yield gap, choice, until_day


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
        print_line(gap_line(gap))
        choice = ask_until_valid(
            "research more, defer or accept? (enter leaves it open)", parse_choice
        )
        if choice is None:
            continue
        until = None
        if choice is GapChoice.DEFER:
            until = ask_until_valid("until? (YYYY-MM-DD, enter for no day)", read_day)
        session.decide((gap.type, choice, until), decider_name(by), "")
        print_line()


def exit_code(session: Session) -> ExitCode:
    """1 if a gap is open, else for addresses what fetching them gave, else 0."""
    if session.open_gaps():
        return ExitCode.NOT_APPROVED
    if session.run_dir is not None:
        return ExitCode.OK
    return fetch_code(rated.source for rated in session.found.rated)


def outcome(session: Session, code: ExitCode) -> GapsOutcome:
    """The gaps for `--json`."""
    return GapsOutcome(
        foureyes=program_version(),
        exit_code=int(code),
        topic=session.found.topic,
        gaps=session.found.gaps,
        open=tuple(gap.type for gap in session.open_gaps()),
        decisions=session.decisions,
        memory=str(session.memory) if session.memory else None,
    )


def show(session: Session) -> None:
    """The gaps as a table."""
    found = session.found
    print_line(f"topic: {found.topic or 'none'}; {counted(len(found.rated), 'source')}")
    if not found.gaps:
        print_line("no gaps")
        return
    last = {each.gap: each for each in session.decisions if each.topic == found.topic}
    rows = [
        (gap.type, decision_text(last.get(gap.type)), gap.trigger, gap.suggestion)
        for gap in found.gaps
    ]
    show_table(COLUMNS, rows, gap=1)
    if session.open_gaps():
        print_lines(("", "answer with --research GAP, --defer GAP [--until DAY] or --accept GAP"))


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

"""The commands `claims list` and `decide`: what a document claims, and what a run leaves to you."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Annotated

from ..assembly.model import LoadedSettings
from ..assembly.reviewing import ReviewAnswer, decide_claims, read_answers
from ..assembly.reviewing import review_queue as queue_of
from ..base.errors import InputError
from ..base.printable import counted
from ..base.vocabulary import ExitCode
from ..claims.detect import detect_claims
from ..claims.lexicon import load_lexicon
from ..claims.model import Claim
from ..core.record_folder import program_version
from ..core.review_queue import GATE, ReviewChoice, ReviewItem, ReviewQueue
from ..core.run_store import RunStore
from ..documents.parse import parse_document
from ..report.summary import gate_line, gate_rule_line
from ..review.originals import read_as_text
from ..verification.model import GateResult
from . import terminal
from ._options import RESUME_OPTIONS, By, CommandGroup, JsonOptions, OutputOptions, argument, option
from ._running import resume_run
from .terminal import Cell, Column

COLUMNS = (
    Column("line", right=True),
    "kind",
    "category",
    "checked by",
    Column("claim", 1),
)


MEANINGS = {
    ReviewChoice.ACCEPT: "it holds",
    ReviewChoice.REJECT: "it goes back to the author",
    ReviewChoice.EXCLUDE: "it needs no check",
}

app = CommandGroup()


class ListOptions(JsonOptions):
    """Options of `claims list`."""

    document: Annotated[Path, argument("DOC")]
    """A Markdown, text or HTML file."""
    statements: Annotated[bool, option(None, "--all")] = False
    """List uncited statements without a number too, if they look worth checking."""


@app.command("list", settings=("as_of", "registry_dir"))
def list_(options: ListOptions, loaded: LoadedSettings) -> None:
    """List the claims of DOC: kind, category, who can check it, names and numbers."""
    as_of = loaded.settings.as_of or datetime.now(UTC).date()
    lexicon = load_lexicon(loaded.settings.registry_dir)
    parsed = parse_document(read_as_text(options.document), lexicon.document_words)
    found = detect_claims(parsed, lexicon, as_of=as_of, statements=options.statements)
    if options.as_json:
        options.print_json(tuple[Claim, ...], found)
        return
    if found:
        terminal.table(COLUMNS, map(row, found))
    terminal.line(summary(found))


def row(claim: Claim) -> Sequence[Cell]:
    """A claim as the cells of its line."""
    return (
        str(claim.location.line),
        claim.kind,
        claim.topic,
        f"nobody: {claim.exclusion}" if claim.exclusion else claim.route,
        [(claim.text, ""), *((note, "dim") for note in notes(claim))],
    )


def notes(claim: Claim) -> Iterator[str]:
    """Yield further facts about the claim, one a line."""
    marks = (claim.materiality, claim.temporality, claim.polarity, f"cited: {claim.citation_state}")
    yield " · ".join(mark.lower() for mark in marks)
    if claim.entities:
        yield "; ".join(
            f"{entity.text} ({entity.type})" if entity.type else entity.text
            for entity in claim.entities
        )


def summary(claims: Sequence[Claim]) -> str:
    """Count the claims, and those that are not checkable."""
    excluded = sum(bool(claim.exclusion) for claim in claims)
    return f"{counted(len(claims), 'claim')}, {excluded:,} of them not checkable"


@dataclass(frozen=True, slots=True)
class ReviewOutcome:
    """Output of `claims decide --json`. `gate` includes the decisions; `waiting` lists subjects."""

    foureyes: str
    exit_code: int
    run_dir: str
    iteration: int
    gate: GateResult
    waiting: tuple[str, ...]
    items: tuple[ReviewItem, ...]


class DecideOptions(OutputOptions):
    """Options of `claims decide`."""

    run_dir: Annotated[Path, argument("RUN_DIR")]
    """A run whose gate says pending_review, or that has a contradicted claim."""
    accept: Annotated[list[str] | None, option("ID")] = None
    """The claim holds. Repeatable."""
    reject: Annotated[list[str] | None, option("ID")] = None
    """Back to the author. Repeatable."""
    exclude: Annotated[list[str] | None, option("ID")] = None
    """The claim needs no check. Repeatable."""
    note: Annotated[str, option("TEXT")] = ""
    """The reason."""
    decisions: Annotated[Path | None, option("FILE")] = None
    """YAML or JSON: a list of entries with claim, decision and note."""
    on: Annotated[bool, option(None, "--continue")] = False
    """Go on with the run once nothing waits."""
    by: By = None

    def answers(self) -> list[ReviewAnswer]:
        """The decisions that are given, each with its reason.

        Raises:
            InputError: A reason is missing, or the file cannot be used.
        """
        given = {
            ReviewChoice.ACCEPT: self.accept,
            ReviewChoice.REJECT: self.reject,
            ReviewChoice.EXCLUDE: self.exclude,
        }
        answers = [
            ReviewAnswer(id_, choice, self.note)
            for choice, ids in given.items()
            for id_ in ids or ()
        ]
        if answers and not self.note.strip():
            raise InputError("a decision needs a reason", "say why with --note TEXT")
        return [*answers, *(read_answers(self.decisions, self.note) if self.decisions else ())]


@app.command(settings=RESUME_OPTIONS, traced=True)
def decide(options: DecideOptions, loaded: LoadedSettings) -> int:
    """Show what the gate of RUN_DIR leaves to a person or finds contradicted, and decide.

    On a terminal you are asked about each. Exits 1 if some wait, else 0; with --continue as the
    run does.
    """
    run_dir, answers = options.run_dir, options.answers()
    who = terminal.decider_name(options.by) if answers else ""
    queue = decide_claims(run_dir, answers, by=who) if answers else queue_of(run_dir)
    if not answers and not options.as_json and queue.waiting and terminal.is_interactive():
        queue = ask_about_items(run_dir, queue, options.by)
    elif not options.as_json:
        print_queue(queue)
    if options.on and not queue.waiting:
        return resume_run(run_dir, loaded, options)
    if options.on:
        left = counted(len(queue.waiting), "decision is", "decisions are")
        terminal.note(f"{left} still to be made: the run does not go on")
    code = ExitCode.NOT_APPROVED if queue.waiting else ExitCode.OK
    if options.as_json:
        outcome = ReviewOutcome(
            foureyes=program_version(),
            exit_code=int(code),
            run_dir=str(run_dir),
            iteration=queue.iteration,
            gate=queue.gate,
            waiting=tuple(item.subject for item in queue.waiting),
            items=queue.items,
        )
        options.print_json(ReviewOutcome, outcome)
    else:
        print_next_step(run_dir, queue)
    return code


def ask_about_items(run_dir: Path, queue: ReviewQueue, by: str | None) -> ReviewQueue:
    """Ask a person about each thing that waits, and record each answer at once."""
    print_gate(queue)
    for item in queue.waiting:
        terminal.lines(item_lines(item))
        choice = terminal.ask(
            f"{', '.join(item.options)}? (enter skips)", partial(parse_choice, item)
        )
        why = terminal.ask("why?", str) if choice else None
        if choice and why:
            answer = ReviewAnswer(item.subject, choice, why)
            queue = decide_claims(run_dir, [answer], by=terminal.decider_name(by))
        if not queue.waiting:
            break
    print_gate(queue)
    return queue


def parse_choice(item: ReviewItem, text: str) -> ReviewChoice:
    """A choice as a person types it.

    Raises:
        InputError: It is none, or not one for this item.
    """
    for choice in item.options:
        if choice.startswith(text.casefold()):
            return choice
    raise InputError(f"{text[:40]!r} is none of {', '.join(item.options)}")


def print_queue(queue: ReviewQueue) -> None:
    """The queue of a run, the gate last."""
    for item in queue.items:
        terminal.lines(item_lines(item))
    print_gate(queue)


def print_gate(queue: ReviewQueue) -> None:
    """The gate of the iteration with the decisions so far."""
    terminal.line(f"iteration {queue.iteration}, {gate_line(queue.gate)}")
    terminal.line(gate_rule_line(queue.gate))
    terminal.line()


def item_lines(item: ReviewItem) -> Iterator[str]:
    """An item for a person: claim, verdict, why, evidence, what they may say."""
    place = "" if item.line is None else f" line {item.line}"
    weight = " (load-bearing)" if item.load_bearing and item.subject != GATE else ""
    yield f"{item.subject}{place}{weight}: {item.verdict}"
    yield f"  {item.text}"
    yield f"  why: {item.reason}"
    for one in item.evidence:
        yield f'  {one.stance}: "{one.quote}" ({one.url})'
    if item.decision is not None:
        yield f"  {item.decision.reason}"
    else:
        yield f"  {'; '.join(f'{choice}: {MEANINGS[choice]}' for choice in item.options)}"
    yield ""


def print_next_step(run_dir: Path, queue: ReviewQueue) -> None:
    """Print the next step."""
    command = f"foureyes claims decide {run_dir}"
    session = RunStore.open(run_dir).manifest.resumed
    made = [item.decision for item in queue.items if item.decision is not None]
    if queue.waiting:
        terminal.line(
            f"{len(queue.waiting)} to decide: {command} --accept ID --reject ID --note WHY"
        )
    elif any(one.sitting >= session for one in made):
        terminal.line(f"go on with: {command} --continue")
    else:
        terminal.line("nothing waits for a decision")

"""The command `review-queue`: what a run leaves to a person, and what they decide about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from ..assembly.model import LoadedSettings
from ..assembly.reviewing import ReviewAnswer, decide_claims, review_queue
from ..base.complaints import mistake_text
from ..base.counting import counted
from ..base.errors import InputError
from ..base.files import read_document
from ..base.records import to_json
from ..base.registry import parse_yaml
from ..core.approval import ExitCode
from ..core.record_folder import program_version
from ..core.run_store import RunStore
from ..report.summary import gate_line, gate_rule_line
from ..verification.gate.review import ReviewItem, ReviewQueue
from ..verification.ledger.decisions import GATE, ReviewChoice
from ..verification.model import GateResult
from .person import ask_until_valid, decider_name, is_interactive
from .running import OutputOptions, resume_run
from .terminal import print_line, print_note

MEANINGS = {
    ReviewChoice.ACCEPT: "it holds",
    ReviewChoice.REJECT: "it goes back to the author",
    ReviewChoice.EXCLUDE: "it needs no check",
}


@dataclass(frozen=True, slots=True)
class ReviewOutcome:
    """Output of `review-queue --json`. `gate` includes the decisions; `waiting` lists subjects."""

    foureyes: str
    exit_code: int
    run_dir: str
    iteration: int
    gate: GateResult
    waiting: tuple[str, ...]
    items: tuple[ReviewItem, ...]


@dataclass(frozen=True, slots=True)
class DecisionInput:
    """The decisions of a command line, by their flags; `note` is the reason for each."""

    accept: tuple[str, ...] = ()
    reject: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    note: str = ""
    file: Path | None = None
    by: str | None = None

    def answers(self) -> tuple[ReviewAnswer, ...]:
        """All of them, those of the file last.

        Raises:
            InputError: The file is none of decisions, or a decision has no reason.
        """
        flags = (
            (ReviewChoice.ACCEPT, self.accept),
            (ReviewChoice.REJECT, self.reject),
            (ReviewChoice.EXCLUDE, self.exclude),
        )
        named = [ReviewAnswer(id_, choice, self.note) for choice, ids in flags for id_ in ids]
        if named and not self.note.strip():
            raise InputError("a decision needs a reason", "say why with --note TEXT")
        return (*named, *(read_answers(self.file, self.note) if self.file else ()))


class FileDecision(BaseModel):
    """An entry of a file of decisions."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    claim: str
    decision: ReviewChoice
    note: str = ""


def read_answers(path: Path, note: str) -> Iterator[ReviewAnswer]:
    """Read the decisions in a YAML or JSON file; `note` is the default reason.

    Raises:
        InputError: It cannot be read, or is no list of decisions.
    """
    try:
        entries = TypeAdapter(list[FileDecision]).validate_python(
            parse_yaml(read_document(path), str(path))
        )
    except ValidationError as error:
        first = error.errors()[0]
        place = ": ".join(str(part) for part in first["loc"])
        raise InputError(
            f"{path}: {place + ': ' if place else ''}{mistake_text(first)}",
            "write a list of entries with claim, decision and note",
        ) from error
    for entry in entries:
        yield ReviewAnswer(entry.claim, entry.decision, entry.note or note)


def review(
    run_dir: Path, given: DecisionInput, loaded: LoadedSettings, output: OutputOptions, *, on: bool
) -> int:
    """Show the queue of a run, record decisions, and resume the run if `on`."""
    answers = given.answers()
    queue = (
        decide_claims(run_dir, answers, by=decider_name(given.by))
        if answers
        else review_queue(run_dir)
    )
    if not answers and not output.json and queue.waiting and is_interactive():
        queue = ask_about_items(run_dir, queue, given.by)
    elif not output.json:
        print_queue(queue)
    if on and not queue.waiting:
        return resume_run(run_dir, loaded, output)
    code = ExitCode.NOT_APPROVED if queue.waiting else ExitCode.OK
    if on:
        left = counted(len(queue.waiting), "decision is", "decisions are")
        print_note(f"{left} still to be made: the run does not go on")
    if output.json:
        print_line(outcome_json(run_dir, queue, code))
    else:
        print_next_step(run_dir, queue)
    return code


def ask_about_items(run_dir: Path, queue: ReviewQueue, by: str | None) -> ReviewQueue:
    """Ask a person about each thing that waits, and record each answer at once."""
    print_gate(queue)
    for item in queue.waiting:
        for line in item_lines(item):
            print_line(line)
        choice = ask_until_valid(
            f"{', '.join(item.options)}? (enter skips)", partial(parse_choice, item)
        )
        why = ask_until_valid("why?", str) if choice else None
        if choice and why:
            answer = ReviewAnswer(item.subject, choice, why)
            queue = decide_claims(run_dir, [answer], by=decider_name(by))
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
        for line in item_lines(item):
            print_line(line)
    print_gate(queue)


def print_gate(queue: ReviewQueue) -> None:
    """The gate of the iteration with the decisions so far."""
    print_line(f"iteration {queue.iteration}, {gate_line(queue.gate)}")
    print_line(gate_rule_line(queue.gate))
    print_line()


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
    command = f"foureyes review-queue {run_dir}"
    sitting = RunStore.open(run_dir).manifest.resumed
    made = [item.decision for item in queue.items if item.decision is not None]
    if queue.waiting:
        print_line(f"{len(queue.waiting)} to decide: {command} --accept ID --reject ID --note WHY")
    elif any(one.sitting >= sitting for one in made):
        print_line(f"go on with: {command} --continue")
    else:
        print_line("nothing waits for a decision")


def outcome_json(run_dir: Path, queue: ReviewQueue, code: ExitCode) -> str:
    """The queue for `--json`."""
    outcome = ReviewOutcome(
        foureyes=program_version(),
        exit_code=int(code),
        run_dir=str(run_dir),
        iteration=queue.iteration,
        gate=queue.gate,
        waiting=tuple(item.subject for item in queue.waiting),
        items=queue.items,
    )
    return to_json(ReviewOutcome, outcome, indent=None)

"""The command `review-queue`: what a run leaves to a person, and what they decide about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from ..assembly.model import LoadedSettings
from ..assembly.reviewing import ReviewAnswer, decide_claims, review_queue
from ..base.complaints import said
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
from .person import ask, at_a_terminal, who
from .running import Wanted, go_on
from .terminal import remark, say

MEANINGS = {
    ReviewChoice.ACCEPT: "it holds",
    ReviewChoice.REJECT: "it goes back to the author",
    ReviewChoice.EXCLUDE: "it needs no check",
}


@dataclass(frozen=True, slots=True)
class ReviewOutcome:
    """What `review-queue --json` prints. `gate` is with the decisions; `waiting` are subjects."""

    foureyes: str
    exit_code: int
    run_dir: str
    iteration: int
    gate: GateResult
    waiting: tuple[str, ...]
    items: tuple[ReviewItem, ...]


@dataclass(frozen=True, slots=True)
class Given:
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
    """The decisions in a YAML or JSON file; `note` stands in for those without their own.

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
            f"{path}: {place + ': ' if place else ''}{said(first)}",
            "write a list of entries with claim, decision and note",
        ) from error
    for entry in entries:
        yield ReviewAnswer(entry.claim, entry.decision, entry.note or note)


def review(run_dir: Path, given: Given, loaded: LoadedSettings, wanted: Wanted, *, on: bool) -> int:
    """Show the queue of a run, take decisions, and go on with the run if `on`."""
    answers = given.answers()
    queue = decide_claims(run_dir, answers, by=who(given.by)) if answers else review_queue(run_dir)
    if not answers and not wanted.json and queue.waiting and at_a_terminal():
        queue = walked(run_dir, queue, given.by)
    elif not wanted.json:
        show(queue)
    if on and not queue.waiting:
        return go_on(run_dir, loaded, wanted)
    code = ExitCode.NOT_APPROVED if queue.waiting else ExitCode.OK
    if on:
        left = counted(len(queue.waiting), "decision is", "decisions are")
        remark(f"{left} still to be made: the run does not go on")
    if wanted.json:
        say(outcome_json(run_dir, queue, code))
    else:
        tell_next(run_dir, queue)
    return code


def walked(run_dir: Path, queue: ReviewQueue, by: str | None) -> ReviewQueue:
    """Ask a person about each thing that waits, and record each answer at once."""
    show_gate(queue)
    for item in queue.waiting:
        for line in told(item):
            say(line)
        choice = ask(f"{', '.join(item.options)}? (enter skips)", partial(chosen, item))
        why = ask("why?", str) if choice else None
        if choice and why:
            answer = ReviewAnswer(item.subject, choice, why)
            queue = decide_claims(run_dir, [answer], by=who(by))
        if not queue.waiting:
            break
    show_gate(queue)
    return queue


def chosen(item: ReviewItem, text: str) -> ReviewChoice:
    """A choice as a person types it.

    Raises:
        InputError: It is none, or not one for this item.
    """
    for choice in item.options:
        if choice.startswith(text.casefold()):
            return choice
    raise InputError(f"{text[:40]!r} is none of {', '.join(item.options)}")


def show(queue: ReviewQueue) -> None:
    """The queue of a run, the gate last."""
    for item in queue.items:
        for line in told(item):
            say(line)
    show_gate(queue)


def show_gate(queue: ReviewQueue) -> None:
    """The gate of the iteration with the decisions so far."""
    say(f"iteration {queue.iteration}, {gate_line(queue.gate)}")
    say(gate_rule_line(queue.gate))
    say()


def told(item: ReviewItem) -> Iterator[str]:
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


def tell_next(run_dir: Path, queue: ReviewQueue) -> None:
    """What to do now."""
    command = f"foureyes review-queue {run_dir}"
    sitting = RunStore.open(run_dir).manifest.resumed
    made = [item.decision for item in queue.items if item.decision is not None]
    if queue.waiting:
        say(f"{len(queue.waiting)} to decide: {command} --accept ID --reject ID --note WHY")
    elif any(one.sitting >= sitting for one in made):
        say(f"go on with: {command} --continue")
    else:
        say("nothing waits for a decision")


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

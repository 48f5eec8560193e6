"""The review queue of a run and the decisions on it: `foureyes claims decide`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict, RootModel

from ..base.errors import InputError, RunDirectoryError
from ..base.registry import load_registry_file, meant
from ..core.approval import RunStatus
from ..core.iteration import (
    GATE_FILE,
    LEDGER_FILE,
    UNREVIEWED_FILE,
    ClaimsFile,
    claims_name,
    decisions_in,
)
from ..core.record_folder import require_record
from ..core.review_queue import (
    GATE,
    ReviewCase,
    ReviewChoice,
    ReviewDecision,
    ReviewQueue,
    basis_of,
    require_allowed,
)
from ..core.review_queue import review_queue as queue_of
from ..core.run_store import RunStore
from ..verification.model import GateResult, Ledger
from ..verification.policy import GateProfiles
from .jobs import read_yaml
from .record_config import REPLAY_FILE
from .rules import copied_rules

ENDED = (
    *(RunStatus.APPROVED, RunStatus.REVIEWED, RunStatus.INCONCLUSIVE),
    *(RunStatus.MAX_ITERATIONS, RunStatus.STALLED),
)
"""The ends after which the last iteration is whole."""


@dataclass(frozen=True, slots=True)
class ReviewAnswer:
    """A decision as a person gives it: on the claim with the id `subject`, or on ``gate``."""

    subject: str
    choice: ReviewChoice
    why: str

    def __post_init__(self) -> None:
        """Take a choice as plain text, too: type checkers are not everyone's.

        Raises:
            InputError: It is none.
        """
        if self.choice not in tuple(ReviewChoice):
            raise InputError(f"{self.choice!r} is none of {', '.join(ReviewChoice)}")
        object.__setattr__(self, "choice", ReviewChoice(self.choice))


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
    for entry in read_yaml(RootModel[list[FileDecision]], path).root:
        yield ReviewAnswer(entry.claim, entry.decision, entry.note or note)


def review_queue(run_dir: str | Path) -> ReviewQueue:
    """The review queue of the run in `run_dir`.

    Raises:
        RunDirectoryError: It is no run directory, is damaged, or has not come to an end.
        InputError: It has no evidence gate.
        StorageError: The record of decisions is damaged.
    """
    store = RunStore.open(Path(run_dir))
    return queue_of(_case(store), decisions_in(store.path).all())


def decide_claims(run_dir: str | Path, answers: Iterable[ReviewAnswer], *, by: str) -> ReviewQueue:
    """Record a person's decisions, all or none; they count when the run goes on.

    Args:
        run_dir: The run; its gate must leave it to a person.
        answers: The decisions. A later one on the same claim takes the place of an earlier one.
        by: Who decides.

    Returns:
        The queue with the decisions, and the gate as it will be.

    Raises:
        InputError: There is nothing to decide, no such claim, or who or why is missing.
        TransitionRefused: The claim is supported already, or cites no source to accept it by.
        RunDirectoryError: The run directory is in use, damaged, or of a run under way.
        StorageError: The record cannot be read or written.
    """
    store = RunStore.open(Path(run_dir))
    with store.lock():
        case = _case(store)
        record = decisions_in(store.path)
        queue = queue_of(case, record.all())
        if not queue.is_open:
            raise InputError(
                f"{str(run_dir)!r} does not wait for a person: "
                f"its gate says {queue.before.decision}",
                "people decide where it says pending_review, or on what it finds contradicted",
            )
        given = tuple(answers)
        counts = Counter(answer.subject for answer in given)
        for subject, count in counts.items():
            if count > 1:
                raise InputError(f"{subject} is decided twice", "give one decision on each")
        session = store.manifest.resumed
        made = [_decision(answer, case, queue, by.strip(), session) for answer in given]
        if made:
            record.add(*made)
        return queue_of(case, record.all())


def _decision(
    answer: ReviewAnswer, case: ReviewCase, queue: ReviewQueue, by: str, session: int
) -> ReviewDecision:
    why = " ".join(answer.why.split())
    if not by or not why:
        raise InputError(f"the decision on {answer.subject} needs who decides and why", "give both")
    if answer.subject == GATE:
        basis = _gate_basis(answer.choice, queue)
    else:
        entries = {entry.claim_id: entry for entry in case.ledger.entries}
        if answer.subject not in entries:
            hint = meant(answer.subject, entries, "see `foureyes claims decide RUN_DIR`")
            named = f"iteration {case.ledger.iteration} has no claim {answer.subject!r}"
            raise InputError(named, hint)
        entry = entries[answer.subject]
        require_allowed(entry, answer.choice)
        basis = basis_of(entry)
    now, iteration = datetime.now(UTC), case.ledger.iteration
    said = answer.subject, answer.choice, by
    return ReviewDecision(*said, now, why, iteration, basis, session)


def _gate_basis(choice: ReviewChoice, queue: ReviewQueue) -> str:
    found = next((item for item in queue.items if item.subject == GATE), None)
    if found is None:
        raise InputError(
            "the gate asks nothing beyond single claims", "decide on the claims that it lists"
        )
    if choice not in found.options:
        raise InputError("the gate is accepted or rejected", "exclude is for claims")
    return found.basis


def _case(store: RunStore) -> ReviewCase:
    """The last iteration of a run that has come to an end."""
    manifest = store.manifest
    if (store.path / REPLAY_FILE).exists():
        raise RunDirectoryError(
            f"{str(store.path)!r} is a replay, which cannot go on", "decide in the run on record"
        )
    if manifest.status not in ENDED:
        raise RunDirectoryError(
            f"{str(store.path)!r} has not come to an end: {manifest.status or 'under way'}",
            "go on with it first: `foureyes resume`",
        )
    if not manifest.mode.fact_checks or not manifest.iterations:
        raise InputError(f"{str(store.path)!r} has no evidence gate", "the run had no fact checker")
    number = manifest.iterations[-1].iteration
    unreviewed = f"verify/{UNREVIEWED_FILE}"
    name = unreviewed if (store.path / unreviewed).exists() else f"verify/{LEDGER_FILE}"
    ledger = require_record(Ledger, store.path / name)
    if ledger.iteration != number:
        raise RunDirectoryError(
            f"{name} is of iteration {ledger.iteration}, and run.json ends with {number}",
            "go on with the run: `foureyes resume` writes it anew",
        )
    claims = require_record(ClaimsFile, store.path / "iterations" / claims_name(number))
    folder = copied_rules(store.path).get("registry_dir")
    return ReviewCase(
        ledger,
        require_record(GateResult, store.path / "verify" / GATE_FILE),
        load_registry_file(GateProfiles, "gate.yaml", folder if isinstance(folder, Path) else None),
        claims.language,
        claims.assessments,
    )

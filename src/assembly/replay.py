"""A recorded run as the parts of a new one: its answers, sources, limits and time stamps."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from ..agents.rules import Clock, utc_now
from ..backends.replay import OPEN_ENDS, ReplayBackend
from ..base.errors import RecordEnded, ReplayMismatch
from ..base.printable import first_difference
from ..core.agent_calls import DRAFTER, JUDGE, critic_step, draft_key, judge_key
from ..core.approval import SETTLEMENT_FILE, RunStatus, Settlement, SettlementCase
from ..core.artefacts import Analysis, Judgement
from ..core.budget import Budget
from ..core.config import BudgetConfig
from ..core.gate_policy import GateCase
from ..core.iteration import (
    GATE_FILE,
    ClaimsFile,
    FetchedSources,
    IterationOutcome,
    Recovery,
    claims_name,
    outcome_name,
    recorded_failure,
    recovery_name,
    sources_step,
)
from ..core.record_folder import entry_name, read_record
from ..core.run_store import RunStore
from ..core.tasks import AgentResult, Error, Success, TurnLimits
from ..core.work import DraftWork, Examination, IterationWork, JudgeWork, Progress
from ..documents.model import Document
from ..verification.model import GateResult, PolicyVerdict

STAMPED = {
    "reviewer": "iterations/reviewer_feedback_iteration_{}.json",
    "fact_checker": "iterations/fact_check_iteration_{}.json",
    "judge": "judgement.json",
}
"""The file of each agent that has a time stamp; ``{}`` is the iteration."""

T = TypeVar("T")
U = TypeVar("U")
RecordT = TypeVar("RecordT")


class _Stamped(BaseModel):
    timestamp: datetime


class Replay:
    """A recorded run that answers in place of models, network, limits and clock.

    `cut_short` tells that the replay has come to where a time limit stopped the recorded run.

    Args:
        run_dir: The recorded run.

    Raises:
        RunDirectoryError: It is missing, damaged, or from a newer version.
    """

    def __init__(self, run_dir: Path) -> None:
        self.store = RunStore.open(run_dir)
        self.backend = ReplayBackend(run_dir)
        self.cut_short = False
        self._iterations: dict[str, int] = {}
        self._answered: set[str] = set()

    def track_iterations(self, notify: Callable[[Progress], None]) -> Callable[[Progress], None]:
        """`notify`, which from now on also tells the clocks which iteration an agent works in."""

        def notify_and_track(progress: Progress) -> None:
            self._iterations[progress.agent] = progress.iteration
            notify(progress)

        return notify_and_track

    def clock(self, agent: str) -> Clock:
        """The time that the record gives for the file that `agent` writes next.

        Where the record has no such file, the present time.
        """

        def now() -> datetime:
            name = STAMPED[agent].format(self._iterations.get(agent, 0))
            stamped = read_record(_Stamped, self.store.path / name)
            return stamped.timestamp if stamped is not None else utc_now()

        return now

    def sources(self, iteration: int, document: Document) -> FetchedSources:
        """The sources that the recorded run fetched for the cited addresses.

        Raises:
            ReplayMismatch: The document is not the recorded one, or cites other addresses.
            RecordEnded: The recorded run had come no further.
        """
        name, key = sources_step(iteration, document)
        kept = self.kept((name, key), FetchedSources)
        if kept is not None:
            return kept
        # Sources that the network kept back are not in the journal of a run that ended there.
        claims = read_record(ClaimsFile, self.store.path / "iterations" / claims_name(iteration))
        if claims is None:
            raise self._ended(name)
        now, before = "\n".join(document.cited_urls()), "\n".join(claims.sources)
        if now != before:
            changed = f"{name} departs from the record; changed: the cited addresses"
            raise self._mismatch(changed, first_difference(before, now))
        recovery = read_record(Recovery, self.store.path / "iterations" / recovery_name(iteration))
        return FetchedSources(tuple(claims.sources.values()), 0, recovery or Recovery())

    def kept(self, step: tuple[str, str], kind: type[RecordT]) -> RecordT | None:
        """The journalled result of a step, its name and key; None if there is none."""
        return read_record(kind, self.store.journal / entry_name(*step))

    def unsearched(self, iteration: int) -> tuple[str, ...]:
        """Why the search provider could not be asked in the recorded run, up to `iteration`."""
        outcome = self._outcome(iteration)
        return outcome.unsearched if outcome is not None else ()

    def _outcome(self, iteration: int) -> IterationOutcome | None:
        path = self.store.path / "iterations" / outcome_name(iteration)
        return read_record(IterationOutcome, path)

    def examination(self, critic: str, work: IterationWork) -> Examination | Error:
        """The recorded answer of a user's critic, or its failure.

        Raises:
            ReplayMismatch: It was asked about another draft or other evidence.
            RecordEnded: The recorded run had come no further.
        """
        name = critic_step(critic, work)
        self._answered.add(name)
        kept = self.kept((name, work.fingerprint()), Examination)
        if kept is not None:
            return kept
        outcome = self._outcome(work.iteration)
        if outcome is None:
            raise self._ended(name)
        if critic not in outcome.failures:
            departs = f"{name} departs from the record: it was asked about something else"
            raise self._mismatch(departs)
        return recorded_failure(outcome.failures[critic])

    async def write(self, work: DraftWork) -> AgentResult[Analysis]:
        """The recorded draft of a user's analyst, or its failure.

        Raises:
            ReplayMismatch: It was asked for something else.
            RecordEnded: The recorded run had come no further.
        """
        return self._step(f"{work.iteration}/{DRAFTER}", draft_key(work), Analysis, "draft_failed")

    async def judge(self, work: JudgeWork) -> AgentResult[Judgement]:
        """The recorded judgement of a user's judge, or its failure.

        Raises:
            ReplayMismatch: It was asked about something else.
            RecordEnded: The recorded run had come no further.
        """
        return self._step(f"{work.iteration}/{JUDGE}", judge_key(work), Judgement, "judge_failed")

    def _step(self, name: str, key: str, kind: type[RecordT], failed: str) -> AgentResult[RecordT]:
        self._answered.add(name)
        kept = self.kept((name, key), kind)
        if kept is not None:
            return Success(kept)
        iteration = int(name.partition("/")[0])
        for event in self.store.events():
            if event.event == failed and event.iteration == iteration:
                return recorded_failure(event.detail)
        if self.store.manifest.status in OPEN_ENDS:
            raise self._ended(name)
        raise self._mismatch(f"{name} departs from the record: it was asked for something else")

    def answered(self, turn: str) -> bool:
        """Whether the answer that `turn` is of was taken from the record as a whole."""
        return any(turn == name or turn.startswith(f"{name}/") for name in self._answered)

    def gate_word(self, policy: str, case: GateCase) -> PolicyVerdict:
        """The recorded answer of the user's gate policy, which is called `policy`.

        Raises:
            ReplayMismatch: It was not asked about this iteration.
            RecordEnded: The recorded run had come no further.
        """
        for folder in (f"verify/iteration_{case.iteration}", "verify"):
            kept = read_record(GateResult, self.store.path / folder / GATE_FILE)
            if kept and kept.policy and kept.policy.iteration == case.iteration:
                return replace(kept.policy, policy=policy)
        step = f"the gate policy's word on iteration {case.iteration}"
        if all(one.iteration != case.iteration for one in self.store.manifest.iterations):
            raise self._ended(step)
        raise self._mismatch(f"{step} is not on record")

    async def settle(self, case: SettlementCase) -> Settlement:
        """The recorded answer of the settlement policy.

        Raises:
            ReplayMismatch: It was not asked about this iteration.
        """
        kept = read_record(Settlement, self.store.path / "verify" / SETTLEMENT_FILE)
        if kept is None or kept.iteration != case.iteration:
            step = f"the settlement of iteration {case.iteration}"
            raise self._mismatch(f"{step} departs from the record: its policy was not asked")
        return kept

    def _ended(self, step: str) -> RecordEnded:
        return RecordEnded(f"the record of {str(self.store.path)!r} ends before {step}")

    def _mismatch(self, message: str, diff: str = "") -> ReplayMismatch:
        return ReplayMismatch(message, f"recorded in {str(self.store.path)!r}", diff)

    def budget(self) -> Budget:
        """Limits that are passed where they were passed in the recorded run."""
        return _RecordedBudget(self)


@dataclass(frozen=True, slots=True)
class RecordedCritic:
    """A `Critic` of the user's own whose answers a run on record gives."""

    name: str
    replay: Replay

    async def examine(self, work: IterationWork) -> Examination | Error:
        """The recorded answer."""
        return self.replay.examination(self.name, work)


class _RecordedBudget(Budget):
    """No limits of its own; refuses and breaks off as the record says."""

    def __init__(self, replay: Replay) -> None:
        super().__init__(BudgetConfig())
        self._replay = replay

    def reserve(self, name: str, limits: TurnLimits) -> None:
        refusal = self._replay.backend.refusal(name)
        if refusal is not None:
            raise refusal
        super().reserve(name, limits)

    async def within_time(self, work: Awaitable[T], late: U) -> T | U:
        manifest = self._replay.store.manifest
        try:
            return await work
        except RecordEnded:
            if manifest.status is not RunStatus.BUDGET_EXCEEDED and not manifest.judge_failed:
                raise
            self._replay.cut_short = True
            return late

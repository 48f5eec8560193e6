"""What was done in a run or a review from when to when, out of its events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

from ...core.record_folder import RunEvent


class Doing(StrEnum):
    """What is done in a stretch of time."""

    DRAFTING = "drafting"
    GATHERING = "gathering_evidence"
    EXAMINING = "examining"
    JUDGING = "judging"
    SETTLING = "settling"
    PHASE = "phase"
    PART = "part"
    TURN = "turn"


_STARTS: Mapping[str, Doing] = MappingProxyType(
    {
        **{doing.value: doing for doing in tuple(Doing)[:5]},
        **{f"{doing}_started": doing for doing in tuple(Doing)[5:]},
    }
)
_ENDS: Mapping[str, Doing] = MappingProxyType(
    {
        "drafted": Doing.DRAFTING,
        "draft_failed": Doing.DRAFTING,
        "evidence_gathered": Doing.GATHERING,
        "examined": Doing.EXAMINING,
        "critic_failed": Doing.EXAMINING,
        "judged": Doing.JUDGING,
        "judge_failed": Doing.JUDGING,
        "settled": Doing.SETTLING,
        "phase_ended": Doing.PHASE,
        "part_ended": Doing.PART,
        "part_failed": Doing.PART,
        "turn_ended": Doing.TURN,
    }
)
_NAMED = frozenset({Doing.PHASE, Doing.PART, Doing.TURN})
"""What the first words of its events' details name."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Something that an agent did. `ended` is None where it was broken off.

    `name` is the phase, the part or the turn's task, "" for the others. `attempt` counts from 1:
    what was broken off may be done again. `outcome` is what the last event says.
    """

    doing: Doing
    agent: str
    iteration: int
    name: str
    attempt: int
    started: datetime
    ended: datetime | None = None
    outcome: str = ""

    def holds(self, turn: Stretch) -> bool:
        """Whether `turn`, of the same agent, began in this stretch."""
        within = self.started <= turn.started and (self.ended is None or turn.started <= self.ended)
        return within and turn.agent == self.agent


_BY_TURNS = frozenset({Doing.DRAFTING, Doing.EXAMINING, Doing.JUDGING, Doing.PART})
"""What is done by turns of its agent."""


def stretches(events: Iterable[RunEvent]) -> tuple[Stretch, ...]:
    """The stretches of `events`, in the order in which they began.

    A resumed run tells again of what it has in its journal. That is left out: nobody did anything.
    """
    found: list[Stretch] = []
    attempts: dict[tuple[Doing, str, int, str], list[int]] = {}
    for event in events:
        doing = _STARTS.get(event.event)
        if doing is not None:
            name = event.detail if doing in _NAMED else ""
            key = (doing, event.agent, event.iteration, name)
            numbers = attempts.setdefault(key, [])
            numbers.append(len(found))
            found.append(Stretch(*key, len(numbers), event.at))
        elif (doing := _ENDS.get(event.event)) is not None:
            name, _, rest = event.detail.partition(": ") if doing in _NAMED else ("", "", "")
            numbers = attempts.get((doing, event.agent, event.iteration, name), [])
            if numbers:
                last = numbers[-1]
                outcome = rest if doing in _NAMED else event.detail
                found[last] = replace(found[last], ended=event.at, outcome=outcome)
    return tuple(_without_retold(found))


def _without_retold(found: Sequence[Stretch]) -> Iterator[Stretch]:
    """`found` without what was finished before and took no turn when it was told again."""
    turns = [one for one in found if one.doing is Doing.TURN]
    finished: set[tuple[Doing, str, int, str]] = set()
    for one in found:
        key = (one.doing, one.agent, one.iteration, one.name)
        if one.doing in _BY_TURNS and key in finished and not any(one.holds(t) for t in turns):
            continue
        if one.ended is not None:
            finished.add(key)
        yield one

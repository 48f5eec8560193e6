"""Activities of a run or a review with their times, rebuilt from its events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

from ...core.record_folder import RunEvent


class ActivityKind(StrEnum):
    """Kind of an activity."""

    DRAFTING = "drafting"
    GATHERING = "gathering_evidence"
    EXAMINING = "examining"
    JUDGING = "judging"
    SETTLING = "settling"
    PHASE = "phase"
    PART = "part"
    TURN = "turn"


_STARTS: Mapping[str, ActivityKind] = MappingProxyType(
    {
        **{kind.value: kind for kind in tuple(ActivityKind)[:5]},
        **{f"{kind}_started": kind for kind in tuple(ActivityKind)[5:]},
    }
)
_ENDS: Mapping[str, ActivityKind] = MappingProxyType(
    {
        "drafted": ActivityKind.DRAFTING,
        "draft_failed": ActivityKind.DRAFTING,
        "evidence_gathered": ActivityKind.GATHERING,
        "examined": ActivityKind.EXAMINING,
        "critic_failed": ActivityKind.EXAMINING,
        "judged": ActivityKind.JUDGING,
        "judge_failed": ActivityKind.JUDGING,
        "settled": ActivityKind.SETTLING,
        "phase_ended": ActivityKind.PHASE,
        "part_ended": ActivityKind.PART,
        "part_failed": ActivityKind.PART,
        "turn_ended": ActivityKind.TURN,
    }
)
_NAMED = frozenset({ActivityKind.PHASE, ActivityKind.PART, ActivityKind.TURN})
"""Kinds whose events name a phase, part or task first in their details."""


@dataclass(frozen=True, slots=True)
class RecordedActivity:
    """One activity of an agent. `ended` is None if it was interrupted.

    `name` is the phase, the part or the turn's task, "" for the other kinds. `attempt` counts from
    1, since an interrupted activity may be repeated. `outcome` comes from the last event.
    """

    kind: ActivityKind
    agent: str
    iteration: int
    name: str
    attempt: int
    started: datetime
    ended: datetime | None = None
    outcome: str = ""

    def holds(self, turn: RecordedActivity) -> bool:
        """Return whether `turn`, of the same agent, began during this activity."""
        within = self.started <= turn.started and (self.ended is None or turn.started <= self.ended)
        return within and turn.agent == self.agent


_BY_TURNS = frozenset(
    {ActivityKind.DRAFTING, ActivityKind.EXAMINING, ActivityKind.JUDGING, ActivityKind.PART}
)
"""Activities that consist of turns of their agent."""


def recorded_activities(events: Iterable[RunEvent]) -> tuple[RecordedActivity, ...]:
    """Return the activities of `events`, in the order in which they began.

    A resumed run emits events again for steps in its journal. Those are left out, because nothing
    was done.
    """
    found: list[RecordedActivity] = []
    attempts: dict[tuple[ActivityKind, str, int, str], list[int]] = {}
    for event in events:
        kind = _STARTS.get(event.event)
        if kind is not None:
            name = event.detail if kind in _NAMED else ""
            key = (kind, event.agent, event.iteration, name)
            numbers = attempts.setdefault(key, [])
            numbers.append(len(found))
            found.append(RecordedActivity(*key, len(numbers), event.at))
        elif (kind := _ENDS.get(event.event)) is not None:
            name, _, rest = event.detail.partition(": ") if kind in _NAMED else ("", "", "")
            numbers = attempts.get((kind, event.agent, event.iteration, name), [])
            if numbers:
                last = numbers[-1]
                outcome = rest if kind in _NAMED else event.detail
                found[last] = replace(found[last], ended=event.at, outcome=outcome)
    return tuple(_without_repeats(found))


def _without_repeats(found: Sequence[RecordedActivity]) -> Iterator[RecordedActivity]:
    """Yield `found` without repeated activities that were finished before and had no turn."""
    turns = [one for one in found if one.kind is ActivityKind.TURN]
    finished: set[tuple[ActivityKind, str, int, str]] = set()
    for one in found:
        key = (one.kind, one.agent, one.iteration, one.name)
        if one.kind in _BY_TURNS and key in finished and not any(one.holds(t) for t in turns):
            continue
        if one.ended is not None:
            finished.add(key)
        yield one

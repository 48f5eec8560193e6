"""What a temporal expression is: its kind, its normal form and the time that it means."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time
from decimal import Decimal
from enum import StrEnum

Moment = datetime | time


class TemporalKind(StrEnum):
    """What a temporal expression denotes."""

    DATE = "date"
    TIME = "time"
    DATETIME = "datetime"
    DURATION = "duration"
    PERIOD = "period"
    SET = "set"


@dataclass(frozen=True, slots=True)
class Interval:
    """From `start` until before `end`; None is open. Both are times of day if no day is given.

    A period written as a range ("2007 to 2009") ends where its last part begins: that part belongs
    to the range, but how much of it is meant depends on the sentence.
    """

    start: Moment | None
    end: Moment | None


@dataclass(frozen=True, slots=True)
class Temporal:
    """A temporal expression of a text; `[start, end)` are offsets into it.

    `timex` is its normal form after TIMEX3 (``2019-01-02``, ``XXXX-10-02``, ``P3W``,
    ``XXXX-WXX-1T16``; ranges as ``(first,last)``). `readings` are the intervals it may mean, the
    one before the reference moment first: "Tuesday" and "2 October" have two, a duration or a set
    none. `seconds` is the nominal length of a duration (a month is 30 days, a year 365).
    `relative` is true if the readings depend on the reference moment.
    """

    kind: TemporalKind
    timex: str
    text: str
    start: int
    end: int
    readings: tuple[Interval, ...] = ()
    seconds: Decimal | None = None
    relative: bool = False

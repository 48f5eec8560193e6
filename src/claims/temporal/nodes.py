"""The parts of temporal expressions, as the time grammar puts them together."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import MAXYEAR, date, datetime, time, timedelta
from decimal import Decimal
from enum import StrEnum

from ..lexicon import Lexicon
from .model import Interval

_DAY_SECONDS = 86_400
_MONTH_SECONDS = 30 * _DAY_SECONDS


class NodeKind(StrEnum):
    """What a part of a temporal expression stands for."""

    DATE = "date"
    PERIOD = "period"
    TIME = "time"
    TIMES = "times"
    MOMENT = "moment"
    STRETCH = "stretch"
    DURATION = "duration"
    SET = "set"


@dataclass(frozen=True, slots=True)
class Length:
    """A duration: calendar months and seconds are kept apart.

    `nominal` is the whole in seconds, a month taken as 30 days and a year as 365.
    """

    months: Decimal
    seconds: Decimal
    nominal: Decimal

    @classmethod
    def of(cls, months: Decimal, seconds: Decimal) -> Length:
        """The length of one unit or a multiple of it."""
        return cls(months, seconds, months * _MONTH_SECONDS + seconds)

    def plus(self, other: Length) -> Length:
        """Both together."""
        return Length(
            self.months + other.months, self.seconds + other.seconds, self.nominal + other.nominal
        )

    def added(self, moment: datetime, sign: int = 1) -> datetime:
        """`moment` moved by this length; months keep the day of the month where they can."""
        moved = add_months(moment, sign * int(self.months))
        return moved + timedelta(seconds=sign * float(self.seconds))


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day; `fixed` if it says which half of the day is meant."""

    hour: int
    minute: int = 0
    second: int | None = None
    fixed: bool = False
    minutes_given: bool = False

    @property
    def time(self) -> time:
        """The time of day, 24:00 as midnight."""
        return time(self.hour % 24, self.minute, self.second or 0)

    @property
    def timex(self) -> str:
        """As in ``T08``, ``T08:30``, ``T08:00:31``."""
        text = f"T{self.hour:02}"
        if self.minutes_given or self.minute:
            text += f":{self.minute:02}"
        return text if self.second is None else f"{text}:{self.second:02}"

    def later(self) -> Clock:
        """The same on the other half of the day."""
        return Clock((self.hour + 12) % 24, self.minute, self.second, True, self.minutes_given)


@dataclass(frozen=True, slots=True)
class Partial:
    """The parts of a day that are written out."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None


@dataclass(frozen=True, slots=True)
class Node:
    """A part of a temporal expression; a `weak` one counts only beside another.

    `edges` are the points that the beginning, middle or end of a period means in a range.
    """

    start: int
    end: int
    kind: NodeKind
    timex: str
    readings: tuple[Interval, ...] = ()
    relative: bool = False
    weak: bool = False
    partial: Partial | None = None
    clock: Clock | None = None
    length: Length | None = None
    daypart: str = ""
    edges: tuple[datetime, ...] = ()


@dataclass(frozen=True, slots=True)
class Context:
    """What a text is read with: the text in lower case and as written, and the reference moment."""

    low: str
    text: str
    now: datetime
    lexicon: Lexicon

    @property
    def today(self) -> datetime:
        """The beginning of the reference day."""
        return datetime.combine(self.now.date(), time())


def midnight(day: date) -> datetime:
    """The beginning of `day`."""
    return datetime.combine(day, time())


def one_day(start: datetime) -> Interval:
    """The day that begins at `start`."""
    return Interval(start, start + timedelta(1))


def add_months(moment: datetime, months: int) -> datetime:
    """`moment` moved by calendar months, at most to the last day of the month."""
    index = moment.year * 12 + moment.month - 1 + months
    year, month = min(max(index // 12, 1), MAXYEAR - 1), index % 12 + 1
    for day in (moment.day, 30, 29, 28):
        try:
            return moment.replace(year=year, month=month, day=min(day, moment.day))
        except ValueError:
            continue
    return moment.replace(year=year, month=month, day=28)


def month_of(year: int, month: int, months: int = 1) -> Interval:
    """`months` calendar months from the given one on."""
    start = datetime(year, month, 1)
    return Interval(start, add_months(start, months))


def year_of(year: int, years: int = 1) -> Interval:
    """`years` calendar years from the given one on."""
    return month_of(year, 1, 12 * years)


def week_of(day: datetime, weeks: int = 1) -> Interval:
    """`weeks` weeks, from the Monday of the week of `day` on."""
    start = midnight(day.date()) - timedelta(day.weekday())
    return Interval(start, start + timedelta(7 * weeks))


def iso_week(day: datetime) -> str:
    """As in ``2018-W33``."""
    year, week, _ = day.isocalendar()
    return f"{year:04}-W{week:02}"


def dates_of(partial: Partial, now: datetime) -> tuple[Interval, ...]:
    """The days that a date without a year, month or both may mean: the last and the next one."""
    today = midnight(now.date())
    if partial.weekday is not None and partial.month is None and partial.day is None:
        ahead = (partial.weekday - today.weekday()) % 7
        following = today + timedelta(ahead)
        return one_day(following - timedelta(7)), one_day(following)
    days = sorted(_matching_days(partial, today))
    before = [day for day in days if day < today][-1:]
    after = [day for day in days if day >= today][:1]
    return tuple(one_day(day) for day in (*before, *after))


def _matching_days(partial: Partial, today: datetime) -> list[datetime]:
    found: list[datetime] = []
    day = partial.day or 1
    if partial.month is not None:
        years = [partial.year] if partial.year else range(today.year - 8, today.year + 9)
        months = [(year, partial.month) for year in years]
    else:
        steps = [add_months(today.replace(day=1), shift) for shift in range(-14, 15)]
        months = [(step.year, step.month) for step in steps]
    for year, month in months:
        try:
            one = datetime(year, month, day)
        except ValueError:
            continue
        free = partial.weekday is None or partial.month is not None
        if free or one.weekday() == partial.weekday:
            found.append(one)
    return found


def date_timex(partial: Partial) -> str:
    """As in ``2019-01-02``, ``XXXX-10-02``, ``XXXX-XX-18``, ``XXXX-WXX-3``."""
    if partial.weekday is not None and partial.month is None:
        return f"XXXX-WXX-{partial.weekday + 1}"
    year = f"{partial.year:04}" if partial.year else "XXXX"
    month = f"{partial.month:02}" if partial.month else "XX"
    return f"{year}-{month}-{partial.day:02}"

"""How neighbouring parts of a temporal expression belong together."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, time, timedelta

from .clock_expressions import in_part, pair_node
from .day_expressions import day_node
from .model import Interval
from .nodes import Clock, Context, Node, NodeKind, Partial, month_of, one_day
from .words import WEEKDAYS

_LONGEST_GLUE = 24
_AT = re.compile(r"(?:t$|,? ?(?:at|@|for|around|about|by|on)? ?(?:the )?|-| ?- ?|\) ?-)$")
_ON = re.compile(r"(?:,? (?:on |of |in )?(?:the )?|, ?)$")
_FROM = re.compile(r"(?:,? (?:from |between )?|, ?)$")
_TO = re.compile(r" ?(?:-|–|—|~) ?$| (?:to|until|till|til|through|thru|up to) (?:the )?$")
_AND = re.compile(r" and (?:the )?$")
_LEAD = re.compile(r"\b(?:from|between|beginning|starting)(?: the)? $")
_BETWEEN = re.compile(r"\bbetween(?: the)? $")
_SHIFT = re.compile(r" (?P<way>before|after|from|since|prior to|following) (?:the )?$")
_STARTING = re.compile(r",? (?:starting|from|beginning|commencing)(?: from| on)? (?:the )?$")
_FOR = re.compile(r" for (?:the )?$")
_BOUND = re.compile(
    r",? (?P<way>before|after|by|until|till|later than|earlier than|since|no later than) $"
)
_DAYS = (NodeKind.DATE, NodeKind.PERIOD)
_MEALS = frozenset({"breakfast", "lunch", "lunchtime", "dinner", "dinnertime", "brunch"})

_Rule = Callable[[Context, Node, Node, str], Node | None]


def join(context: Context, one: Node, two: Node) -> Node | None:
    """The one expression that two neighbours make, None if they make none."""
    if two.start - one.end > _LONGEST_GLUE:
        return None
    glue = context.low[one.end : two.start]
    if "\n" in glue.strip(" ") and one.kind is not NodeKind.DATE:
        return None
    for rule in _RULES:
        both = rule(context, one, two, glue)
        if both:
            return both
    return None


def time_in_part(context: Context, one: Node, two: Node) -> Node | None:
    """The time in the part of the day beside it, None if the two are not that."""
    if two.start - one.end > _LONGEST_GLUE:
        return None
    return _time_in_part(context, one, two, context.low[one.end : two.start])


def _span(one: Node, two: Node) -> tuple[int, int]:
    return min(one.start, two.start), max(one.end, two.end)


def _with_lead(context: Context, one: Node, two: Node, pattern: re.Pattern[str]) -> tuple[int, int]:
    start, end = _span(one, two)
    lead = pattern.search(context.low, max(0, start - 16), start)
    if lead and lead[0].startswith(("beginning", "starting")):
        lead = None
    return (lead.start() if lead else start), end


def _times_to_times(context: Context, one: Node, two: Node, glue: str) -> Node | None:
    if one.kind is not NodeKind.TIME or two.kind is not NodeKind.TIME:
        return None
    between = _AND.match(glue) and _BETWEEN.search(context.low, max(0, one.start - 16), one.start)
    if not (_TO.match(glue) or between) or not one.clock or not two.clock:
        return None
    lead = _LEAD.search(context.low, max(0, one.start - 16), one.start)
    if one.weak and two.weak and not (lead and one.clock.minutes_given):
        return None
    return pair_node(_with_lead(context, one, two, _LEAD), one.clock, two.clock)


def _time_in_part(context: Context, one: Node, two: Node, glue: str) -> Node | None:
    """The time in the part of the day beside it: "8 in the evening", "tonight at 10"."""
    if glue.strip(" ,") not in ("", "at", "around", "about", "by"):
        return None
    clocked, part = (one, two) if two.daypart else (two, one)
    if not part.daypart or not clocked.clock or clocked.kind not in (NodeKind.TIME, NodeKind.TIMES):
        return None
    if part.kind is NodeKind.PERIOD or clocked.daypart:
        return None
    bare = clocked.weak and part.kind is NodeKind.TIMES
    if bare and not context.low.startswith(("in ", "at ", "tonight", "this "), part.start):
        return None
    if clocked.kind is NodeKind.TIMES:
        return _pair_in_part(one, two, clocked, part)
    clock = in_part(clocked.clock, part.daypart)
    if part.kind is NodeKind.TIMES:
        fixed = replace(clock, fixed=True)
        readings = (Interval(fixed.time, None),)
        start, end = _span(one, two)
        return Node(start, end, NodeKind.TIME, fixed.timex, readings, clock=fixed)
    return _moment(_span(one, two), replace(part, daypart=""), fixed_clock=clock)


def _pair_in_part(one: Node, two: Node, clocked: Node, part: Node) -> Node | None:
    pair = clocked.readings[-1 if part.daypart in ("afternoon", "evening", "night") else 0]
    start, end = _span(one, two)
    if part.kind is NodeKind.TIMES:
        return Node(start, end, NodeKind.TIMES, clocked.timex, (pair,), clock=clocked.clock)
    day = replace(part, daypart="")
    return _stretch((start, end), day, replace(clocked, readings=(pair,)))


def _moment(span: tuple[int, int], day: Node, *, fixed_clock: Clock) -> Node | None:
    clocks = (fixed_clock,) if fixed_clock.fixed else (fixed_clock, fixed_clock.later())
    readings = [
        Interval(datetime.combine(date.start, clock.time), None)
        for date in day.readings
        for clock in clocks
        if isinstance(date.start, datetime)
    ]
    timex = day.timex.split("T")[0] + fixed_clock.timex
    return Node(*span, NodeKind.MOMENT, timex, tuple(readings), day.relative, clock=fixed_clock)


def _stretch(span: tuple[int, int], day: Node, times: Node) -> Node:
    readings = [
        _on(date.start, pair)
        for date in day.readings
        for pair in times.readings
        if isinstance(date.start, datetime)
    ]
    base = day.timex.split("T")[0]
    timex = times.timex
    shown = base + timex if timex.startswith("T") else re.sub(r"(?<=[(,])T", base + "T", timex)
    return Node(
        *span, NodeKind.STRETCH, shown, tuple(readings), day.relative, daypart=times.daypart
    )


def _on(day: datetime, pair: Interval) -> Interval:
    start = datetime.combine(day, pair.start) if isinstance(pair.start, time) else None
    end = datetime.combine(day, pair.end) if isinstance(pair.end, time) else None
    if start and end and end <= start:
        end += timedelta(1)
    return Interval(start, end)


def _day_and_time(context: Context, one: Node, two: Node, glue: str) -> Node | None:
    """A day with its time, in either order."""
    timed = (NodeKind.TIME, NodeKind.TIMES)
    if one.kind is NodeKind.DATE and two.kind in timed:
        day, times = one, two
        fits = (
            _AT.match(glue) if two.kind is NodeKind.TIME else _AT.match(glue) or _FROM.match(glue)
        )
    elif two.kind is NodeKind.DATE and one.kind in timed:
        day, times = two, one
        fits = _ON.match(glue) or glue.strip() in ("", ",", "on", "of")
    else:
        return None
    if not fits or (day.weak and times.weak) or times.daypart in _MEALS:
        return None
    if (
        times.weak
        and times.kind is NodeKind.TIME
        and day is one
        and not re.search(r"at |around |about |, |\w $", glue + " ")
    ):
        return None
    span = _span(one, two)
    if times.kind is NodeKind.TIMES:
        if times is one:
            span = _with_lead(context, one, two, _LEAD)
        return _stretch(span, day, times)
    if not times.clock:
        return None
    # ISO 8601 writes both days and nights: 2021-05-03T10:20.
    iso = replace(times.clock, fixed=times.clock.fixed or glue == "t")
    return _moment(span, day, fixed_clock=iso)


def _part_and_times(_context: Context, one: Node, two: Node, glue: str) -> Node | None:
    """The hours within a part of a day: "Monday morning from 10 am to 12 pm"."""
    if one.kind is not NodeKind.STRETCH or not one.daypart or not _FROM.match(glue):
        return None
    if two.kind is not NodeKind.TIMES or two.daypart:
        return None
    return _stretch(_span(one, two), replace(one, daypart=""), two)


def _bounded_time(_context: Context, one: Node, two: Node, glue: str) -> Node | None:
    """A day and a time that bounds it: "tomorrow before 5 pm"."""
    way = _BOUND.match(glue)
    if not way or one.kind is not NodeKind.DATE or two.kind is not NodeKind.TIME or not two.clock:
        return None
    at = _moment(_span(one, two), one, fixed_clock=two.clock)
    if not at:
        return None
    after = way["way"] in ("after", "later than", "since")
    readings = tuple(
        Interval(one.start, None) if after else Interval(None, one.start) for one in at.readings
    )
    return replace(at, kind=NodeKind.STRETCH, readings=readings, clock=None)


def _days_to_days(context: Context, one: Node, two: Node, glue: str) -> Node | None:
    """Two days or periods and what lies between them."""
    if one.kind not in _DAYS or two.kind not in _DAYS or (one.weak and two.weak):
        return None
    to = _TO.match(glue)
    if not to and not (
        _AND.match(glue) and _BETWEEN.search(context.low, max(0, one.start - 16), one.start)
    ):
        return None
    one, two = _completed(context, one, two)
    pairs = _pairs(one, two)
    if not pairs and one.readings and two.readings:
        return None
    span = _with_lead(context, one, two, _LEAD)
    timex = f"({one.timex},{two.timex})"
    return Node(*span, NodeKind.PERIOD, timex, pairs, one.relative or two.relative)


def _completed(context: Context, one: Node, two: Node) -> tuple[Node, Node]:
    """The two ends of a range with the month and the year that only one of them has."""
    first, last = one.partial, two.partial
    if not first or not last:
        return one, two
    if last.year and not first.year and first.month and first.weekday is None:
        year = last.year
        if last.month and first.month > last.month:
            year -= 1
        one = _of(context, one, replace(first, year=year))
    elif first.year and not last.year and last.month and last.weekday is None:
        year = first.year + (first.month is not None and last.month < first.month)
        two = _of(context, two, replace(last, year=year))
    elif last.month and first.month is None and first.day and first.weekday is None:
        one = _of(context, one, replace(first, month=last.month, year=last.year))
    elif first.month and last.month is None and last.day and last.weekday is None:
        two = _of(context, two, replace(last, month=first.month, year=first.year))
    return one, two


def _of(context: Context, node: Node, partial: Partial) -> Node:
    if partial.day:
        return day_node(context, (node.start, node.end), partial)
    if partial.year and partial.month:
        timex = f"{partial.year:04}-{partial.month:02}"
        return replace(
            node, timex=timex, readings=(month_of(partial.year, partial.month),), relative=False
        )
    return node


def _pairs(one: Node, two: Node) -> tuple[Interval, ...]:
    """Each beginning with the first end after it."""
    ends, begins = _edges(two), _edges(one)
    found: list[Interval] = []
    for begin in begins:
        later = [end for end in ends if end >= begin]
        if not later and two.partial and not two.partial.year:
            later = [_next(ends[-1], begin, two.partial)] if ends else []
        if later:
            found.append(Interval(begin, min(later)))
    return tuple(found)


def _edges(node: Node) -> list[datetime]:
    starts = [one.start for one in node.readings if isinstance(one.start, datetime)]
    return list(node.edges) or starts


def _next(end: datetime, begin: datetime, partial: Partial) -> datetime:
    if partial.weekday is not None and partial.month is None:
        return end + timedelta(7 * ((begin - end).days // 7 + 1))
    return end.replace(year=begin.year + (end.replace(year=begin.year, day=1) < begin))


def _moments(context: Context, one: Node, two: Node, glue: str) -> Node | None:
    """From one moment to another, or to a time of the same day."""
    if NodeKind.MOMENT not in (one.kind, two.kind):
        return None
    if not (
        _TO.match(glue)
        or (_AND.match(glue) and _BETWEEN.search(context.low, max(0, one.start - 16), one.start))
    ):
        return None
    span = _with_lead(context, one, two, _LEAD)
    relative = one.relative or two.relative
    timex = f"({one.timex},{two.timex})"
    if one.kind is NodeKind.MOMENT and two.kind is NodeKind.TIME and two.clock:
        clock = two.clock
        found = [
            _on(r.start, Interval(r.start.time(), clock.time))
            for r in one.readings
            if isinstance(r.start, datetime)
        ]
        return Node(*span, NodeKind.STRETCH, timex, tuple(found), relative)
    if one.kind is NodeKind.TIME and one.clock and two.readings:
        at = two.readings[0].start
        if not isinstance(at, datetime):
            return None
        starts = datetime.combine(at, one.clock.time)
        if starts > at:
            return None
        return Node(*span, NodeKind.STRETCH, timex, (Interval(starts, at),), relative)
    days = (NodeKind.DATE, NodeKind.PERIOD)
    if one.kind in days or two.kind in days or one.kind is two.kind:
        pairs = _pairs(one, two)
        whole = one.kind is NodeKind.DATE or one.kind is NodeKind.PERIOD
        kind = NodeKind.PERIOD if whole else NodeKind.STRETCH
        return Node(*span, kind, timex, pairs, relative)
    return None


def _weekday_in_week(context: Context, one: Node, two: Node, glue: str) -> Node | None:
    """A weekday of the week named before it: "next week Monday"."""
    if one.kind is not NodeKind.PERIOD or glue not in (" ", " on ", ", ", "'s ", "’s "):
        return None
    partial = two.partial
    if "-W" not in one.timex or len(one.readings) != 1 or not partial:
        return None
    monday = one.readings[0].start
    if partial.weekday is None or partial.day or not isinstance(monday, datetime):
        return None
    if one.timex.endswith("WE") or context.low[two.start : two.end] not in WEEKDAYS:
        return None
    day = monday + timedelta(partial.weekday)
    timex = f"{day:%Y-%m-%d}"
    return Node(one.start, two.end, NodeKind.DATE, timex, (one_day(day),), one.relative)


def _shifted(context: Context, one: Node, two: Node, glue: str) -> Node | None:
    """A duration before or after a day: "two weeks from tomorrow"."""
    way = _SHIFT.match(glue)
    kinds = (NodeKind.DATE, NodeKind.MOMENT, NodeKind.PERIOD)
    if one.kind is not NodeKind.DURATION or not one.length or two.kind not in kinds:
        return None
    if _STARTING.match(glue) and (not way or _for_before(context, one)):
        return _lasting(context, one, two)
    if not way or not two.readings:
        return None
    sign = -1 if way["way"] in ("before", "prior to") else 1
    length, start = one.length, one.start
    if context.low.endswith("in ", max(0, start - 3), start):
        start -= 3
    moved = [
        length.added(reading.start, sign)
        for reading in two.readings
        if isinstance(reading.start, datetime)
    ]
    if "T" not in one.timex and two.kind is not NodeKind.MOMENT:
        readings = tuple(one_day(day) for day in moved)
        timex = f"{moved[0]:%Y-%m-%d}" if moved else ""
        return Node(start, two.end, NodeKind.DATE, timex, readings, two.relative)
    readings = tuple(Interval(day, None) for day in moved)
    timex = f"{moved[0]:%Y-%m-%dT%H:%M:%S}" if moved else ""
    return Node(start, two.end, NodeKind.MOMENT, timex, readings, two.relative)


def _for_before(context: Context, node: Node) -> bool:
    return context.low.endswith("for ", max(0, node.start - 4), node.start)


def _lasting(context: Context, one: Node, two: Node) -> Node | None:
    if not one.length or two.kind is not NodeKind.DATE:
        return None
    length = one.length
    start = one.start - (
        len("for ")
        if _for_before(context, one)
        and "from" in context.low[one.end : two.start].split()[:2]
        and "starting" not in context.low[one.end : two.start]
        else 0
    )
    found = tuple(
        Interval(reading.start, length.added(reading.start))
        for reading in two.readings
        if isinstance(reading.start, datetime)
    )
    timex = f"({two.timex},,{one.timex})"
    return Node(start, two.end, NodeKind.PERIOD, timex, found, two.relative)


def _time_lasting(context: Context, one: Node, two: Node, glue: str) -> Node | None:
    """A time and how long from then on: "from 10 am for 3 hours"."""
    if two.kind is not NodeKind.DURATION or not two.length or not _FOR.match(glue):
        return None
    if one.kind not in (NodeKind.TIME, NodeKind.MOMENT) or one.weak:
        return None
    readings: list[Interval] = []
    for reading in one.readings:
        begin = reading.start
        if isinstance(begin, datetime):
            readings.append(Interval(begin, two.length.added(begin)))
        elif begin is not None:
            base = datetime.combine(context.today, begin)
            readings.append(Interval(begin, two.length.added(base).time()))
    kind = NodeKind.TIMES if one.kind is NodeKind.TIME else NodeKind.STRETCH
    span = _with_lead(context, one, two, _LEAD)
    return Node(*span, kind, f"({one.timex},,{two.timex})", tuple(readings), one.relative)


def _set_at(_context: Context, one: Node, two: Node, glue: str) -> Node | None:
    """A repeated day and its time: "every Monday at 4 pm", "6 am every day"."""
    sets = [node for node in (one, two) if node.kind is NodeKind.SET]
    times = [node for node in (one, two) if node.kind is NodeKind.TIME]
    if len(sets) != 1 or len(times) != 1 or glue.strip(" ,") not in ("", "at"):
        return None
    base = "" if sets[0].timex in ("P1D", "TMO", "TAF", "TEV", "TNI") else sets[0].timex
    return Node(*_span(one, two), NodeKind.SET, base + times[0].timex)


_RULES: tuple[_Rule, ...] = (
    _times_to_times,
    _time_in_part,
    _weekday_in_week,
    _bounded_time,
    _days_to_days,
    _moments,
    _day_and_time,
    _part_and_times,
    _shifted,
    _time_lasting,
    _set_at,
)

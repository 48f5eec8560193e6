"""Times of day and parts of the day in plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, time, timedelta

from .model import Interval
from .nodes import Clock, Context, Node, NodeKind
from .words import SPELLED, day_number

_HOUR_WORD = r"(?:twelve|eleven|ten|one|two|three|four|five|six|seven|eight|nine)"
_HALVES = r"(?:[ap] ?\. ?m ?\.|[ap]\.?m\b|[ap] m\b)"
_MINUTE_WORD = (
    r"(?:(?:twenty|thirty|forty|fifty)(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?"
    r"|oh (?:one|two|three|four|five|six|seven|eight|nine)"
    r"|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen)\b"
)
_HOUR = rf"(?:\d{{1,2}}|{_HOUR_WORD})(?![\w])"
_O_CLOCK = r" ?(?:o ?['’]? ?clock)\b"
_TIME = re.compile(
    rf"(?:(?<![\w.,:$€£/])(?<!\d-)|(?<=\dt))(?P<at>at )?(?:"
    rf"(?P<h>\d{{1,2}})(?P<sep>[:.])(?P<m>[0-5]\d)(?![\d%])(?::(?P<s>[0-5]\d)(?!\d))?(?: ?"
    rf"(?P<ap>{_HALVES}))?(?![\d/:])(?!\.\d)(?:{_O_CLOCK})?"
    rf"|(?P<h2>\d{{1,2}}) ?(?P<ap2>{_HALVES}|(?<=\d)[ap]\b)"
    rf"|(?P<h3>\d{{1,2}}?)(?P<m3>[0-5]\d) ?(?P<ap3>{_HALVES})"
    rf"|(?P<h4>\d{{1,2}}|{_HOUR_WORD}){_O_CLOCK}(?: ?(?P<ap4>{_HALVES}))?"
    rf"|(?P<h5>{_HOUR_WORD}) (?P<m5>{_MINUTE_WORD})(?: minutes)?(?: ?(?P<ap5>{_HALVES}))?"
    rf"(?! (?:percent|per|million|thousand|hundred|people|years?|days?)\b)"
    rf"|(?P<h6>{_HOUR_WORD}) ?(?P<ap6>{_HALVES})"
    rf"|(?P<past>half|(?:a )?quarter|(?:{SPELLED}|\d{{1,2}})(?: ?min(?:ute)?s?)?) "
    rf"(?P<dir>past|to|after|before|till) (?P<h7>\d{{1,2}}(?!\d)"
    rf"|{_HOUR_WORD}\b)(?:{_O_CLOCK})?(?: ?(?P<ap7>{_HALVES}))?"
    r"|(?P<name>noon|midnight|midday|mid-day|noontime)\b"
    r")"
)
_BARE = re.compile(
    rf"(?:\b(?P<at>at|around|about|circa|by|before|after|until|till|than) |, |(?<=\d )|(?<=\w )|^)"
    rf"(?P<h>\d{{1,2}}|{_HOUR_WORD})(?![\w:/%$-]|[.,]\d| ?(?:percent|million|per)\b)"
)
_MILITARY = re.compile(
    r"(?<![\w.,/$-])(?P<h>[01]\d|2[0-3])(?P<m>[0-5]\d)(?= ?- ?[012]\d[0-5]\d(?!\d))"
    r"|(?<=\d\d\d\d-)(?P<h2>[01]\d|2[0-3])(?P<m2>[0-5]\d)(?!\d)"
)
_YEARS = re.compile(r"(?:19|20)\d\d ?- ?(?:19|20)\d\d")
_PAIR = re.compile(
    rf"(?<![\w.,:/$-])(?P<lead>from |between )?(?P<h>\d{{1,2}}|{_HOUR_WORD})(?::(?P<m>[0-5]\d))?"
    rf"(?: ?(?:-|–|—|~) ?| to | and | until | till )(?P<h2>\d{{1,2}}|{_HOUR_WORD})"
    rf"(?::(?P<m2>[0-5]\d))?(?: ?(?P<ap>{_HALVES})|{_O_CLOCK})?(?![\w/:%$-]|[.,]\d)"
)
_DAYPART = re.compile(
    r"\b(?:(?:in|during|at|on) (?:the )?|the )?(?:(?P<mod>early|late|later|earlier"
    r"|mid)[ -](?:in the )?)?"
    r"(?P<part>morning|afternoon|evening|night|nighttime|daytime|lunch ?time|dinner ?time"
    r"|breakfast ?time|business hours?|mealtime|breakfast|brunch|lunch|dinner)\b(?!s\b|['’]s)"
)
_DAYPART_WORDS = re.compile(
    r"\b(?:this (?P<mod>early |late )?(?P<part>morning|afternoon|evening)|(?P<ton>tonight"
    r"|tonite)|(?P<lastn>last night))\b"
)
_HALF = re.compile(r"(?<=[a-z] )[ap]m\b")
_AMPM_OF_PART = {"morning": False, "afternoon": True, "evening": True, "night": True}
_NAMES = {"noon": 12, "midday": 12, "mid-day": 12, "noontime": 12, "midnight": 0}
_NOON = 12
_LAST_HOUR = 24


def find_times(context: Context) -> Iterator[Node]:
    """The times and the parts of the day of a text; bare hours are weak."""
    for match in _TIME.finditer(context.low):
        clock = _clock(match)
        if clock:
            weak = match["sep"] == "." and not match["ap"] and not match["at"]
            weak = weak or bool(match["h5"] and not match["ap5"] and not match["at"])
            start = match.start() if match["sep"] == "." else _core_start(match)
            yield time_node((start, match.end()), clock, weak=weak)
    for match in _MILITARY.finditer(context.low):
        if _YEARS.search(context.low, max(0, match.start() - 5), match.end() + 7):
            continue
        number = "2" if match["h2"] else ""
        clock = Clock(int(match["h" + number]), int(match["m" + number]), minutes_given=True)
        yield time_node(match.span(), clock)
    yield from _bare_hours(context)
    yield from _pairs(context)
    yield from _dayparts(context)


def _core_start(match: re.Match[str]) -> int:
    return match.end("at") if match["at"] else match.start()


def _clock(match: re.Match[str]) -> Clock | None:
    groups = match.groupdict()
    if groups["name"]:
        return Clock(_NAMES[groups["name"]], fixed=True)
    if groups["past"]:
        return _past(groups)
    number = next(n for n in ("", "2", "3", "4", "5", "6") if groups.get("h" + n))
    hour = day_number(groups["h" + number] or "0")
    written = groups.get("m" + number)
    minute = day_number(written.removeprefix("oh ")) if written else 0
    second = int(groups["s"]) if groups["s"] else None
    half = groups.get("ap" + number) or ""
    if hour > _LAST_HOUR or minute > 59 or (half and hour > _NOON and half[0] == "a"):
        return None
    return halved(Clock(hour, minute, second, minutes_given=bool(written)), half)


def _past(groups: dict[str, str | None]) -> Clock | None:
    past, hour = groups["past"] or "", day_number(groups["h7"] or "0")
    number = past.split(" min")[0].removesuffix("min").strip()
    minutes = 30 if past == "half" else 15 if past.endswith("quarter") else day_number(number)
    unclear = groups["dir"] == "to" and past == number and minutes not in (5, 10, 15, 20, 25, 30)
    if unclear or (groups["dir"] == "to" and past.isdigit() and minutes <= _NOON):
        return None
    if groups["dir"] in ("to", "before", "till"):
        hour, minutes = (hour - 1) % 24 or (12 if hour == 1 else 0), 60 - minutes
    if not 0 <= minutes <= 59 or hour > _LAST_HOUR:
        return None
    return halved(Clock(hour, minutes, minutes_given=True), groups["ap7"] or "")


def halved(clock: Clock, half: str) -> Clock:
    """`clock` in the half of the day that "am" or "pm" names."""
    hour = clock.hour
    if half:
        hour = hour % _NOON + (_NOON if half[0] == "p" else 0) if hour <= _NOON else hour
    fixed = bool(half) or hour > _NOON or hour == 0
    return Clock(hour, clock.minute, clock.second, fixed, clock.minutes_given)


def time_node(span: tuple[int, int], clock: Clock, *, weak: bool = False) -> Node:
    """A time of day with its readings: both halves of the day if none is named."""
    clocks = (clock,) if clock.fixed else (clock, clock.later())
    readings = tuple(Interval(one.time, None) for one in clocks)
    return Node(*span, NodeKind.TIME, clock.timex, readings, weak=weak, clock=clock)


def _bare_hours(context: Context) -> Iterator[Node]:
    for match in _BARE.finditer(context.low):
        hour = day_number(match["h"])
        if 0 < hour <= _LAST_HOUR:
            after = context.low[match.end() : match.end() + 2]
            weak = match["at"] != "at" or after not in (".", "", "?", "!", ". ")
            yield time_node((match.start("h"), match.end()), halved(Clock(hour), ""), weak=weak)


def _pairs(context: Context) -> Iterator[Node]:
    """Two hours that share what marks them as times: "5 to 6pm", "Monday 3-8"."""
    for match in _PAIR.finditer(context.low):
        first, last = day_number(match["h"]), day_number(match["h2"])
        if not (0 <= first <= _LAST_HOUR and 0 < last <= _LAST_HOUR):
            continue
        one = Clock(first, int(match["m"] or 0), minutes_given=bool(match["m"]))
        two = Clock(last, int(match["m2"] or 0), minutes_given=bool(match["m2"]))
        marked = match["ap"] or match["m"] or match["m2"] or "clock" in match[0]
        yield pair_node(match.span(), one, halved(two, match["ap"] or ""), weak=not marked)


def pair_node(span: tuple[int, int], one: Clock, two: Clock, *, weak: bool = False) -> Node:
    """The hours from `one` to `two`; a half of the day at the end holds for the beginning too."""
    if two.fixed and not one.fixed:
        after_noon = two.hour >= _NOON and one.hour < _NOON
        if after_noon and one.hour + _NOON < (two.hour or _LAST_HOUR):
            one = one.later()
    elif one.fixed and not two.fixed and two.time <= one.time:
        two = two.later()
    pairs = [(one, two)]
    if not one.fixed and not two.fixed:
        if two.time <= one.time:
            two = two.later()
            pairs = [(one, two)]
        elif two.hour <= _NOON:
            pairs.append((one.later(), two.later()))
    readings = tuple(Interval(first.time, last.time) for first, last in pairs)
    timex = f"({one.timex},{two.timex})"
    return Node(*span, NodeKind.TIMES, timex, readings, weak=weak, clock=one)


def _dayparts(context: Context) -> Iterator[Node]:
    for match in _DAYPART.finditer(context.low):
        name = match["part"].replace(" ", "")
        part = context.lexicon.file.calendar.dayparts[name]
        meal = name in ("breakfast", "brunch", "lunch", "dinner")
        start, end = time(part.first), _end(part.last)
        code = "T" + part.code
        if context.low.endswith("good ", 0, match.start()):
            continue
        if match["mod"] and not meal:
            if match["mod"].startswith("earl"):
                end = time((part.first + min(part.last, 24)) // 2)
            elif match["mod"].startswith("late"):
                start = time((part.first + min(part.last, 24)) // 2)
        readings = (Interval(start, end),)
        begin = match.start()
        meal = meal and not context.low.endswith(("after ", "before "), 0, begin)
        yield Node(begin, match.end(), NodeKind.TIMES, code, readings, weak=meal, daypart=name)
    for match in _DAYPART_WORDS.finditer(context.low):
        yield _today_part(context, match)
    for match in _HALF.finditer(context.low):
        name = "morning" if match[0] == "am" else "afternoon"
        part = context.lexicon.file.calendar.dayparts[name]
        span = (Interval(time(part.first), _end(part.last)),)
        yield Node(*match.span(), NodeKind.TIMES, "T" + part.code, span, weak=True, daypart=name)


def _end(hour: int) -> time:
    return time(23, 59, 59) if hour >= _LAST_HOUR else time(hour)


def _today_part(context: Context, match: re.Match[str]) -> Node:

    name = match["part"] or "night"
    part = context.lexicon.file.calendar.dayparts[name]
    day = context.today - timedelta(1 if match["lastn"] else 0)
    span = Interval(datetime.combine(day, time(part.first)), datetime.combine(day, _end(part.last)))
    timex = f"{day:%Y-%m-%d}T{part.code}"
    return Node(*match.span(), NodeKind.STRETCH, timex, (span,), relative=True, daypart=name)


def in_part(clock: Clock, part: str) -> Clock:
    """`clock` in the half of the day that a part of the day belongs to."""
    late = _AMPM_OF_PART.get(part)
    if late is None or clock.fixed:
        return clock
    hour = clock.hour % _NOON
    if part == "night" and hour < 6:
        late = False
    return Clock(
        hour + (_NOON if late else 0), clock.minute, clock.second, True, clock.minutes_given
    )

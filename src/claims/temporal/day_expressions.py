"""Days in plain text: written out, numeric, by weekday, relative to today, by holiday."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from .model import Interval
from .nodes import Context, Node, NodeKind, Partial, date_timex, dates_of, midnight, one_day
from .words import (
    ORDINAL,
    ORDINAL_WORD,
    SPELLED,
    WEEKDAY,
    WEEKDAYS,
    YEAR,
    YEAR_WORDS,
    day_number,
    short_year,
    year_number,
)

MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)(?![a-z])"
)
_DIGITS = r"\d{1,2}(?![\d:%]|[.,]\d| ?(?:[ap]\.?m|o.?clock)\b)"
_DAY = rf"(?:{ORDINAL}|{_DIGITS}|{ORDINAL_WORD}|{SPELLED})"
_YEAR = rf"(?:{YEAR}|{YEAR_WORDS})"
_WEEKDAY_BEFORE = rf"(?:(?:this|next|last|coming) )?(?:(?P<wd>{WEEKDAY})\.?,? ?(?:the )?)?"
_YEAR_AFTER = (
    rf"(?: ?, ?(?:in |of )?(?P<y>{_YEAR})|(?: of | in |[ /-]+)(?P<y2>{_YEAR})"
    r"|(?: of |,? ['’])(?P<y3>\d\d)(?!\d))?"
)
_MONTH_DAY = re.compile(
    rf"\b{_WEEKDAY_BEFORE}(?P<mon>{MONTH})\.?[ /-]{{0,2}}(?:the )?(?P<day>{_DAY})"
    rf"(?: ?\((?:{WEEKDAY})\))?{_YEAR_AFTER}"
)
_DAY_MONTH = re.compile(
    rf"(?<![\w.,/$€£-])(?<![$€£] ){_WEEKDAY_BEFORE}(?P<the>the )?(?P<day>{_DAY})[ -]?"
    rf"(?:day )?(?:of )?"
    rf"(?P<mon>{MONTH})\.?{_YEAR_AFTER}"
)
_YEAR_FIRST = re.compile(
    rf"(?<!\d)(?:(?P<y>{YEAR})(?P<s>[ /-])(?P<mon>{MONTH})(?P=s)(?P<day>\d{{1,2}})(?!\d)"
    rf"|(?P<mon2>{MONTH})-(?P<y2>{YEAR})-(?P<day2>\d{{1,2}})(?!\d)"
    rf"|(?P<day3>\d{{1,2}})-(?P<y3>{YEAR})-(?P<mon3>{MONTH}))"
)
_NUMERIC = re.compile(
    rf"{_WEEKDAY_BEFORE}(?:(?<![\d.])(?<!\d[/,])(?<!\d-)(?P<iso>{YEAR})(?P<s>[-/. ])"
    rf"(?P<m>\d\d?)(?P=s)"
    r"(?P<d>\d\d?)(?!\d)|(?<![\d.])(?<!\d[/,])(?<!\d\d\d\d-\d\d-)(?P<a>\d\d?)(?P<s2>[-/.])"
    r"(?P<b>\d\d?)(?P=s2)(?P<c>\d{4}|\d\d)(?![\d]|[/-]\d))"
)
_COMPACT = re.compile(
    r"(?<![\w.,])(?P<y>(?:19|20)\d\d)(?P<m>0[1-9]|1[0-2])(?P<d>[0-3]\d)(?!\d|[.,]\d)"
)
_SLASHED = re.compile(
    rf"{_WEEKDAY_BEFORE}(?<![\w/.,$])(?P<a>\d\d?)/(?P<b>\d\d?)(?![\w/%]"
    rf"|[.,]\d)(?:, ?(?P<y>{YEAR}))?"
)
_DOTTED = re.compile(
    r"(?<=\bon )(?P<a>1[0-2]|0?[1-9])\.(?P<b>[0-3]?\d)(?![\w.%])(?! ?(?:[ap]\.?m|percent))"
)
_WEEKDAY_DAY = re.compile(
    rf"\b(?P<wd>{WEEKDAY})\.?,? (?:the )?(?P<day>{ORDINAL}|\d{{1,2}})(?![\w:/%-]|[.,]\d"
    rf"| ?[ap]\.?m| o)"
)
_THE_DAY = re.compile(
    r"\b(?:on )?the (?P<day>\d{1,2}(?:st|nd|rd|th)|(?:twenty|thirty)[ -][a-z]+)\b"
    r"(?=(?: of)? this month|[.,;!?]?\s*$|[.,;!?] | at |, ?\d| to | - | (?:between|from|until|till"
    r"|through) )"
)
_THIS_MONTH = re.compile(r"(?: of)? this month")
_SHORT_NAMES = frozenset({"mon", "sat", "sun", "wed"})
_NAMED_DAY = re.compile(
    rf"\b(?:(?P<rel>next|last|this|coming|past|previous|following|upcoming)"
    rf"(?: (?P<week>week))?(?:'s|’s)? (?P<wd>{WEEKDAY})"
    rf"|(?P<wd2>{WEEKDAY})(?: ?(?:of|on|,)? ?(?:the )?(?P<rel2>next|last|this|following"
    rf"|previous|coming) week)?)"
)
_WEEK_DAY_OF = re.compile(
    rf"\bon (?P<wd>{WEEKDAY}) of (?:the )?(?P<rel>next|last|this|following|previous) week\b"
)
_RELATIVE_DAY = re.compile(
    r"\b(?:(?:the )?day (?P<bt>before yesterday|after (?:tomorrow|tmrw?))"
    r"|(?P<plain>today|tomorrow|tmrw?|yesterday|otd)"
    r"|the (?P<next>next|following|previous|last|same|current) day(?! of\b)"
    r"|the day (?P<ba>before|after)(?! \w)|(?P<this>the day)(?! (?:after|before|of|when|that"
    r"|to|off)\b)"
    r"|(?P<cur>current day|this day))\b(?! of (?:each|every))"
)
_PLAIN_DAYS = {"today": 0, "otd": 0, "tomorrow": 1, "tmr": 1, "tmrw": 1, "yesterday": -1}
_LATER = frozenset({"next", "following", "upcoming", "coming"})
_EARLIER = frozenset({"last", "past", "previous"})
_NOW = re.compile(
    r"\b(?:right now|now|at present|at the present time|at this (?:time|moment)"
    r"|at the (?:minute|moment)|as soon as possible|asap|presently)\b(?!-)"
)
_TO_DATE = re.compile(r"\b(?P<to>to|till|until) (?:the )?date\b")
_DAY_RANGE = re.compile(
    rf"(?<![\w.,/$€£-])(?:(?P<lead>from |between )?(?:the )?(?P<a>{_DAY}) ?(?:-|–|—|~|to"
    rf"|through|thru|until|till|and) ?(?:the )?(?P<b>{_DAY}) ?(?:day )?(?:of )?"
    rf"(?P<mon>{MONTH})\.?{_YEAR_AFTER}"
    rf"|(?P<lead2>from |between |on )?(?P<mon2>{MONTH})\.? (?P<a2>\d\d?(?:st|nd|rd|th)?"
    rf"|{ORDINAL_WORD}) ?(?:-|–|—|~|to|through|thru|until|till"
    rf"|and) ?(?:the )?(?P<b2>{_DAY})(?![\w/-])(?:,? (?P<z>{YEAR}))?)"
)
_END_OF_DAY = re.compile(r"\b(?:(?:the )?end of (?:the )?day|(?:the )?eod)\b")
_MAY_NOT_BE_MONTH = re.compile(
    r"(?:may|march) (?:one|two|three|four|five|six|seven|eight|nine|ten)\b(?! o)"
)
_LONGEST_YEAR = 4


def find_days(context: Context) -> Iterator[Node]:
    """The days of a text."""
    for pattern, read in _READERS:
        for match in pattern.finditer(context.low):
            node = read(context, match)
            if node:
                yield node
    yield from _holidays(context)


def day_node(context: Context, span: tuple[int, int], partial: Partial) -> Node:
    """The day that the parts written at `span` make, whether or not the calendar has it."""
    kind, timex = NodeKind.DATE, date_timex(partial)
    if partial.year and partial.month and partial.day:
        try:
            days = (one_day(datetime(partial.year, partial.month, partial.day)),)
        except ValueError:
            days = ()
        return Node(*span, kind, timex, days, partial=partial)
    days = dates_of(partial, context.now)
    return Node(*span, kind, timex, days, relative=True, partial=partial)


def _written(context: Context, match: re.Match[str]) -> Node | None:
    month, day = context.lexicon.file.months[match["mon"]], day_number(match["day"])
    if not 1 <= day <= 31 or _MAY_NOT_BE_MONTH.fullmatch(match[0]):
        return None
    year = match["y"] or match["y2"]
    number = year_number(year) if year else short_year(match["y3"]) if match["y3"] else None
    start = match.start()
    return day_node(context, (start, match.end()), Partial(number, month, day))


def _year_first(context: Context, match: re.Match[str]) -> Node | None:
    number = "" if match["mon"] else "2" if match["mon2"] else "3"
    month = context.lexicon.file.months[match["mon" + number]]
    day = int(match["day" + number])
    partial = Partial(int(match["y" + number]), month, day)
    return day_node(context, match.span(), partial) if 1 <= day <= 31 else None


def _numeric(context: Context, match: re.Match[str]) -> Node | None:
    if match["iso"]:
        year, month, day = int(match["iso"]), int(match["m"]), int(match["d"])
    else:
        one, two, last = int(match["a"]), int(match["b"]), match["c"]
        if len(last) < _LONGEST_YEAR and match["s2"] != "/":
            return None
        day_first = match["s2"] == "." or one > 12
        day, month = (one, two) if day_first and two <= 12 else (two, one)
        year = int(last) if len(last) == _LONGEST_YEAR else short_year(last)
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    return day_node(context, match.span(), Partial(year, month, day))


def _compact(context: Context, match: re.Match[str]) -> Node | None:
    partial = Partial(int(match["y"]), int(match["m"]), int(match["d"]))
    return day_node(context, match.span(), partial)


def _slashed(context: Context, match: re.Match[str]) -> Node | None:
    one, two = int(match["a"]), int(match["b"])
    month, day = (two, one) if one > 12 else (one, two)
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    groups = match.groupdict()
    year = groups.get("y")
    return day_node(context, match.span(), Partial(int(year) if year else None, month, day))


def _weekday_day(context: Context, match: re.Match[str]) -> Node | None:
    day, weekday = day_number(match["day"]), WEEKDAYS[match["wd"]]
    if not 1 <= day <= 31:
        return None
    # In the reference month if the weekday fits there, else in the nearest months where it does.
    try:
        here = context.today.replace(day=day)
    except ValueError:
        here = None
    span, timex = match.span(), f"XXXX-WXX-{weekday + 1}"
    if here and here.weekday() == weekday:
        return Node(*span, NodeKind.DATE, f"{here:%Y-%m-%d}", (one_day(here),), relative=True)
    days = dates_of(Partial(day=day, weekday=weekday), context.now)
    return Node(*span, NodeKind.DATE, timex, days, relative=True)


def _the_day(context: Context, match: re.Match[str]) -> Node | None:
    if not match["day"][0].isdigit() and not re.fullmatch(ORDINAL_WORD, match["day"]):
        return None
    day = day_number(match["day"])
    start = match.start() + (3 if match[0].startswith("on ") else 0)
    if not match[0].startswith("on ") and not match["day"][0].isdigit():
        return None
    here = _THIS_MONTH.match(context.low, match.end())
    if not here:
        weak = not match[0].startswith("on ") and not context.low.endswith(" of ", 0, start)
        node = day_node(context, (start, match.end()), Partial(day=day)) if 1 <= day <= 31 else None
        return _weakened(node) if node and weak else node
    now = context.today
    span = start, here.end()
    return day_node(context, span, Partial(now.year, now.month, day))


def _weakened(node: Node) -> Node:
    return replace(node, weak=True)


def _named_day(context: Context, match: re.Match[str]) -> Node | None:
    groups = match.groupdict()
    rel = groups.get("rel") or groups.get("rel2")
    written = groups.get("wd") or groups.get("wd2") or ""
    if not rel and written in _SHORT_NAMES and not _is_day_name(context, match):
        return None
    weekday = WEEKDAYS[written]
    if not rel:
        return day_node(context, match.span(), Partial(weekday=weekday))
    in_week = bool(groups.get("week") or groups.get("rel2"))
    day = _relative_weekday(context.today, weekday, rel, in_week=in_week)
    return _resolved(match.span(), day)


def _is_day_name(context: Context, match: re.Match[str]) -> bool:
    """Whether "sat" and "sun" are written as names: with a capital or in capitals."""
    return context.text[match.start()].isupper() and not context.low.endswith(
        "the ", 0, match.start()
    )


def _relative_weekday(today: datetime, weekday: int, rel: str, *, in_week: bool) -> datetime:
    here = today + timedelta(weekday - today.weekday())
    if rel in ("coming", "upcoming") and not in_week:
        return today + timedelta((weekday - today.weekday() - 1) % 7 + 1)
    if rel == "past":
        return today - timedelta((today.weekday() - weekday - 1) % 7 + 1)
    return here + timedelta(7 * ((rel in _LATER) - (rel in _EARLIER)))


def _resolved(span: tuple[int, int], day: datetime) -> Node:
    return Node(*span, NodeKind.DATE, f"{day:%Y-%m-%d}", (one_day(day),), relative=True)


def _relative_day(context: Context, match: re.Match[str]) -> Node | None:
    days = 0
    if match["plain"]:
        days = _PLAIN_DAYS[match["plain"]]
    elif match["bt"]:
        days = -2 if match["bt"].startswith("before") else 2
    elif match["next"]:
        days = (match["next"] in _LATER) - (match["next"] in _EARLIER)
    elif match["ba"]:
        days = -1 if match["ba"] == "before" else 1
    return _resolved(match.span(), context.today + timedelta(days))


def _now(context: Context, match: re.Match[str]) -> Node | None:
    if match[0] == "now" and context.low.startswith(" that", match.end()):
        return None
    now = (Interval(context.now, None),)
    return Node(*match.span(), NodeKind.MOMENT, "PRESENT_REF", now, relative=True)


def _to_date(context: Context, match: re.Match[str]) -> Node | None:
    start = match.end() - len("date")
    if match["to"] == "to" and not context.low.endswith(
        tuple(context.lexicon.file.months), 0, match.start()
    ):
        return None
    return Node(
        start, match.end(), NodeKind.DATE, "PRESENT_REF", (one_day(context.today),), relative=True
    )


def _day_range(context: Context, match: re.Match[str]) -> Node | None:
    """Two days of one month: "November 18-19", "9 to 12 of June"."""
    tail = "2" if match["mon2"] else ""
    first, last = day_number(match["a" + tail]), day_number(match["b" + tail])
    month = context.lexicon.file.months[match["mon" + tail]]
    joined = re.search(r"\band\b", match[0])
    if not 1 <= first < last <= 31 or (joined and match["lead" + tail] != "between "):
        return None
    written = match["z"] or match["y"] or match["y2"]
    year = year_number(written) if written else short_year(match["y3"]) if match["y3"] else None
    parts = [Partial(year, month, day) for day in (first, last)]
    one, two = (day_node(context, match.span(), part) for part in parts)
    pairs = zip(one.readings, two.readings, strict=False)
    spans = tuple(Interval(a.start, b.start) for a, b in pairs)
    return Node(*match.span(), NodeKind.PERIOD, f"({one.timex},{two.timex})", spans, not year)


def _end_of_day(context: Context, match: re.Match[str]) -> Node | None:
    end = context.today + timedelta(hours=23, minutes=59, seconds=59)
    timex = f"{end:%Y-%m-%dT%H:%M:%S}"
    return Node(*match.span(), NodeKind.MOMENT, timex, (Interval(end, None),), relative=True)


def _holidays(context: Context) -> Iterator[Node]:
    for match in context.lexicon.holidays.finditer(context.low):
        name = match["name"].replace("’", "'")
        rule = context.lexicon.file.calendar.holidays[name]
        year = match["year"]
        span = match.span()
        years = [int(year)] if year else range(context.now.year - 2, context.now.year + 3)
        days = [midnight(holiday_date(rule, one)) for one in years]
        if year:
            yield Node(*span, NodeKind.DATE, f"{days[0]:%Y-%m-%d}", (one_day(days[0]),))
            continue
        before = [day for day in days if day < context.today][-1:]
        after = [day for day in days if day >= context.today][:1]
        rel = match["rel"]
        picked = after if rel in _LATER else before if rel in _EARLIER else before + after
        timex = f"{picked[0]:%Y-%m-%d}" if rel in _LATER | _EARLIER else f"XXXX-{rule}"
        readings = tuple(one_day(day) for day in picked)
        yield Node(*span, NodeKind.DATE, timex, readings, relative=True)


def holiday_date(rule: str, year: int) -> datetime:
    """The day of a holiday's rule in a year: ``12-25``, ``11-4-4`` (fourth Friday), ``easter-2``.

    The second form is month, which one (-1 for the last) and weekday (0 for Monday), with an
    optional ``+1`` day after it.
    """
    if rule.startswith("easter"):
        return _easter(year) + timedelta(int(rule.removeprefix("easter") or 0))
    month, _, rest = rule.partition("-")
    if "#" not in rest:
        return datetime(year, int(month), int(rest))
    which, _, tail = rest.partition("#")
    weekday, _, more = tail.partition("+")
    return nth_weekday(year, int(month), int(which), int(weekday)) + timedelta(int(more or 0))


def nth_weekday(year: int, month: int, which: int, weekday: int) -> datetime:
    """The `which`-th (-1: the last) `weekday` of a month."""
    first = datetime(year, month, 1)
    day = first + timedelta((weekday - first.weekday()) % 7)
    if which > 0:
        return day + timedelta(7 * (which - 1))
    later = day + timedelta(28)
    return later if later.month == month else later - timedelta(7)


def _easter(year: int) -> datetime:
    """Easter Sunday by the Gregorian computus (Butcher)."""
    century, rest = divmod(year, 100)
    golden = year % 19
    leap, left = divmod(century, 4)
    moon = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + century - leap - moon + 15) % 30
    weekday = (32 + 2 * left + 2 * (rest // 4) - epact - rest % 4) % 7
    shift = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * shift + 114, 31)
    return datetime(year, month, day + 1)


_Reader = Callable[[Context, re.Match[str]], Node | None]
_READERS: tuple[tuple[re.Pattern[str], _Reader], ...] = (
    (_MONTH_DAY, _written),
    (_DAY_MONTH, _written),
    (_YEAR_FIRST, _year_first),
    (_NUMERIC, _numeric),
    (_COMPACT, _compact),
    (_SLASHED, _slashed),
    (_DOTTED, _slashed),
    (_WEEKDAY_DAY, _weekday_day),
    (_THE_DAY, _the_day),
    (_WEEK_DAY_OF, _named_day),
    (_NAMED_DAY, _named_day),
    (_RELATIVE_DAY, _relative_day),
    (_NOW, _now),
    (_TO_DATE, _to_date),
    (_DAY_RANGE, _day_range),
    (_END_OF_DAY, _end_of_day),
)

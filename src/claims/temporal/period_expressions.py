"""Weeks, months, quarters, years and longer periods in plain text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from fractions import Fraction

from .day_expressions import MONTH
from .model import Interval
from .nodes import (
    Context,
    Length,
    Node,
    NodeKind,
    Partial,
    add_months,
    iso_week,
    month_of,
    one_day,
    week_of,
    year_of,
)
from .nth_expressions import NTH, ORDINALS, find_nth
from .words import (
    COUNT,
    ORDINAL,
    UNIT,
    UNIT_OF,
    VAGUE,
    YEAR,
    YEAR_WORDS,
    day_number,
    length_of,
    short_year,
    spelled_number,
    year_number,
)

_REL = r"next|last|this|current|previous|past|coming|upcoming|following|same|that|prior|preceding"
_LATER = frozenset({"next", "coming", "upcoming", "following"})
_EARLIER = frozenset({"last", "previous", "past", "prior", "preceding"})
_FIRST_YEAR, _LAST_YEAR = 1, 9900
_MONTH_YEAR = re.compile(
    rf"(?<![\w])(?:(?P<mon>{MONTH})\.?(?: ?, ?|-|/| of | in | )(?:(?P<y>{YEAR}"
    rf"|{YEAR_WORDS})(?![\d]|-\d\d?\b)|of (?P<y2>\d\d)\b|['’](?P<y3>\d\d)\b)"
    rf"|(?P<y4>{YEAR})[ /,-]{{1,2}}(?P<mon2>{MONTH})|(?<![/-])(?P<m>0?[1-9]"
    rf"|1[0-2])[-/](?P<y5>{YEAR}))(?!-\d)"
)
_MONTH = re.compile(
    rf"\b(?:(?P<rel>{_REL}|this coming) )?(?P<mon>{MONTH})(?:'s"
    rf"|’s)?(?:,? (?:of )?(?P<rely>next|last|this) year)?"
)
_MONTH_CUE = re.compile(
    r"(?:\b(?:in|of|during|since|until|till|by|from|to|and|between|before|after|through"
    r"|early|late|mid|last|next|this|the|on|for|month|weeks?) |[-–—(])$"
)
_YEAR = re.compile(
    rf"(?<![\w.,/$€£#:-])(?:(?:the )?(?P<word>year |cy ?"
    rf"|calendar year )?(?P<y>{YEAR})(?![\w%/:]|[.,]\d|-\d)"
    rf"|(?P<yw>{YEAR_WORDS})(?! (?:people|dollars|percent|euros|pounds)))"
)
_FOLLOWING = re.compile(r" ([a-z]{3,}s)\b(?<!ss)")
_NOT_PLURAL = frozenset({"was", "has", "this", "its", "his", "does", "sales"})
_YEAR_RANGE = re.compile(
    rf"(?<![\w.,/$€£#+-])(?P<lead>from |between )?(?P<a>{YEAR}) ?[-–—~/] ?(?P<b>{YEAR}"
    rf"|\d\d(?!\d))(?![\d%/]|[.,]\d|-\d)"
)
_DECADE = re.compile(
    r"(?<![\w])(?:the )?(?:(?P<y>1[0-9]\d0|20\d0)['’]?s"
    r"|['’]?(?P<s>[1-9]0)['’]?s|(?P<w>(?:nineteen |twenty )?(?:twenties|thirties|forties"
    r"|fifties|sixties|seventies|eighties|nineties)))\b"
)
_DECADE_WORDS = {
    word: 10 * n
    for n, word in enumerate(
        [
            "twenties",
            "thirties",
            "forties",
            "fifties",
            "sixties",
            "seventies",
            "eighties",
            "nineties",
        ],
        2,
    )
}
_CENTURY = re.compile(rf"\b(?P<n>{ORDINAL})[ -]+century\b")
_FISCAL = re.compile(
    rf"\b(?:(?P<rel>this|last|next|current|previous|the) )?(?P<kind>fiscal(?: year)?"
    rf"|financial year|school year|academic year|calendar year|fy|sy"
    rf"|cy)(?:(?: of)? ?['’]?(?P<y>{YEAR}|\d\d(?!\d))(?:[/–-]\d\d(?!\d))?)?\b"
)
_QUARTER = re.compile(
    rf"(?<![\w])(?:(?P<y>{YEAR})[ ,-]{{1,2}}(?P<k>q|h)(?P<n>[1-4])\b|(?P<k2>q"
    rf"|h)(?P<n2>[1-4])(?:(?:,? (?:of )?|[-/ ])(?:(?P<y2>{YEAR})|['’]?(?P<y4>\d\d)\b)"
    rf"|(?: of)? (?P<rel>last|next|this) year)?"
    rf"|(?P<the>the )?(?P<o>first|second|third|fourth|last|1st|2nd|3rd"
    rf"|4th)[ -](?P<k3>quarter|half)(?:,? (?:of |in )?(?:the )?(?:year )?(?P<y3>{YEAR})"
    rf"| of (?:the )?(?:(?P<rel3>last|next|this) )?year)"
    rf"|(?P<rel2>next|last|this)(?: year)?(?:'s|’s)? (?P<o2>first|second|third|fourth|1st"
    rf"|2nd|3rd|4th) (?P<k4>quarter|half))(?![\w])"
)
_WEEK_NUMBER = re.compile(rf"\b(?:the )?week (?P<n>\d\d?)(?!\d)(?:(?: of|,)? (?P<y>{YEAR}))?")
_RELATIVE = re.compile(
    rf"\b(?P<the>the )?(?P<rel>{_REL}) (?:(?P<n>{COUNT}|{VAGUE}) )?(?P<u>calendar year"
    rf"|{UNIT})(?P<more> (?:and|,) {COUNT} {UNIT})?"
    rf"|\b(?P<n2>{COUNT}|{VAGUE}) (?P<rel2>next|last|upcoming|previous|coming|past"
    rf"|following) (?P<u2>{UNIT})"
)
_THE_UNIT = re.compile(
    r"\b(?P<the>the )(?P<u>week|month|year|weekend|quarter)(?! (?:[12]\d\d\d|\d\d?\b|ahead"
    r"|long|round|of|after next|beginning|commencing|starting|to date))(?! ?-)\b"
    r"|\b(?P<we>weekend)\b"
)
_AFTER_NEXT = re.compile(r"\b(?:the )?(?P<u>week|month|year|weekend) after next\b")
_TO_DATE = re.compile(
    r"\b(?:(?:the )?(?P<u>year|month|week|quarter)[ -]to[ -]date|(?P<a>ytd|mtd))\b"
)
_SEASON = re.compile(
    rf"\b(?:(?:the )?(?P<rel>next|last|this|previous|coming) )?(?P<s>spring|summer|autumn"
    rf"|fall|winter)(?:(?:,| of)? (?P<y>{YEAR}))?\b(?! (?:from|to|by|in|into|below|short|for|back))"
)
# "The fall came from paper" is a loss.
_IN_THE = re.compile(r"\b(?:in|during|by|since|until|till|from|for|before|after) the $")
_REST = re.compile(
    r"\b(?:the )?rest of (?:the |this |my |the current )(?P<u>day|week|month|year|quarter)\b"
)
_SEASONS = {"spring": "SP", "summer": "SU", "autumn": "FA", "fall": "FA", "winter": "WI"}
_WORKING = frozenset({"WD"})
_BEFORE_VERB = (
    "will ",
    "would ",
    "to ",
    "n't ",
    "not ",
    "can ",
    "could ",
    "may ",
    "might ",
    "should ",
)


def find_periods(context: Context) -> Iterator[Node]:
    """The periods of a text that are longer than a day."""
    for pattern, read in _READERS:
        for match in pattern.finditer(context.low):
            node = read(context, match)
            if node:
                yield node


def _period(span: tuple[int, int], timex: str, *readings: Interval, relative: bool = False) -> Node:
    return Node(*span, NodeKind.PERIOD, timex, readings, relative)


def _month_year(context: Context, match: re.Match[str]) -> Node | None:
    months = context.lexicon.file.months
    month = int(match["m"]) if match["m"] else months[match["mon"] or match["mon2"]]
    two = match["y2"] or match["y3"]
    year = short_year(two) if two else year_number(match["y"] or match["y4"] or match["y5"])
    span = month_of(year, month)
    node = _period(match.span(), f"{year:04}-{month:02}", span)
    return _with_partial(node, Partial(year, month))


def _with_partial(node: Node, partial: Partial, *, weak: bool = False) -> Node:
    return replace(node, partial=partial, weak=weak)


def _month(context: Context, match: re.Match[str]) -> Node | None:
    month, now, rel = context.lexicon.file.months[match["mon"]], context.now, match["rel"]
    if rel in ("same", "that", "past"):
        rel = None
    if match["rely"]:
        year = now.year + {"next": 1, "last": -1}.get(match["rely"], 0)
        return _period(match.span(), f"{year}-{month:02}", month_of(year, month), relative=True)
    if rel:
        ahead = rel in _LATER or rel == "this coming"
        year = now.year + (ahead and now.month >= month) - (rel in _EARLIER and now.month <= month)
        span = match.span()
        return _period(span, f"{year}-{month:02}", month_of(year, month), relative=True)
    node = _period(match.span(), f"XXXX-{month:02}", *_months(now, month), relative=True)
    return _with_partial(node, Partial(month=month), weak=not _sure_month(context, match))


def _months(now: datetime, month: int) -> tuple[Interval, Interval]:
    year = now.year + (now.month > month)
    return month_of(year - 1, month), month_of(year, month)


def _sure_month(context: Context, match: re.Match[str]) -> bool:
    """Whether a name that is also a word or a first name ("may", "march", "sun") is a month."""
    if len(match["mon"]) > len("march") or match["mon"] in ("april", "july", "june"):
        return True
    before = context.low[max(0, match.start() - 12) : match.start()]
    written = context.text[match.start("mon")].isupper()
    ambiguous = match["mon"] in ("may", "march", "mar", "dec", "jan", "sep", "jun")
    cued = bool(_MONTH_CUE.search(before))
    if match["mon"] in ("may", "march") and not written:
        return bool(
            re.search(r"\b(?:in|of|during|since|until|till|early|late|next|last) $", before)
        )
    return cued or (written and not ambiguous)


def _year(context: Context, match: re.Match[str]) -> Node | None:
    year = year_number(match["y"] or match["yw"])
    start = match.start()
    if (match[0].startswith("the ") and match["word"] != "year ") or match[0].startswith("the "):
        start += len("the ")
    following = _FOLLOWING.match(context.low, match.end())
    if year % 50 == 0 and not match["word"] and following and following[1] not in _NOT_PLURAL:
        return None
    known = match["word"] or not context.low.startswith((" percent", " dollars"), match.end())
    node = _period((start, match.end()), f"{year:04}", year_of(year))
    return _with_partial(node, Partial(year=year)) if known else None


def _year_range(_context: Context, match: re.Match[str]) -> Node | None:
    first, last = int(match["a"]), int(match["b"])
    if len(match["b"]) == 2:
        if " " in match[0][len(match["lead"] or "") :]:
            return None
        last += first - first % 100
        if 1 <= int(match["b"]) <= 12 and not match["lead"]:
            return None
    if last <= first:
        return None
    span = Interval(datetime(first, 1, 1), datetime(last, 1, 1))
    return _period(match.span(), f"({first},{last})", span)


def _decade(_context: Context, match: re.Match[str]) -> Node | None:
    if match["y"]:
        first = int(match["y"])
    elif match["s"]:
        first = 1900 + int(match["s"])
    else:
        head, _, tail = match["w"].rpartition(" ")
        first = (2000 if head == "twenty" else 1900) + _DECADE_WORDS[tail]
    start = match.start() + (len("the ") if match[0].startswith("the ") else 0)
    readings = [Interval(datetime(first, 1, 1), datetime(first + 10, 1, 1))]
    timex = f"{first // 10:03}X"
    return _period((start, match.end()), timex, *readings)


def _century(_context: Context, match: re.Match[str]) -> Node | None:
    first = (day_number(match["n"]) - 1) * 100
    if not 0 < first < _LAST_YEAR:
        return None
    return _period(match.span(), f"{first // 100:02}XX", year_of(first, 100))


def _fiscal(context: Context, match: re.Match[str]) -> Node | None:
    if not match["y"] and (not match["rel"] or match["kind"] == "fiscal"):
        return None
    if match["y"]:
        year = int(match["y"]) + (2000 if len(match["y"]) == 2 else 0)
        start = match.start("kind") if match["rel"] else match.start()
    else:
        year = context.now.year + {"next": 1, "last": -1, "previous": -1}.get(match["rel"], 0)
        start = match.start("kind") if match["rel"] == "the" else match.start()
    code = {"f": "FY", "s": "SY", "a": "SY", "c": ""}[match["kind"][0]]
    readings = () if code else (year_of(year),)
    return _period((start, match.end()), f"{code}{year}", *readings, relative=not match["y"])


def _quarter(context: Context, match: re.Match[str]) -> Node | None:
    kind = (match["k"] or match["k2"] or match["k3"] or match["k4"])[0]
    which = match["n"] or match["n2"]
    number = int(which) if which else ORDINALS[match["o"] or match["o2"]]
    months = 3 if kind == "q" else 6
    number = 12 // months if number == -1 else number
    if number * months > 12:
        return None
    rel = match["rel"] or match["rel2"] or match["rel3"]
    written = match["y"] or match["y2"] or match["y3"]
    now = context.now.year
    month = months * (number - 1) + 1
    if match["y4"]:
        written = str(short_year(match["y4"]))
    if written or rel:
        year = int(written) if written else now + {"next": 1, "last": -1}.get(rel or "", 0)
        years = (year,)
    elif match["k3"]:
        years = (now,)
    else:
        later = now + (context.now.month > month)
        years = (later - 1, later)
    start = match.start()
    if match["the"] and written:
        start = match.end("the")
    readings = [month_of(year, month, months) for year in years]
    shown = f"{years[0]:04}" if len(years) == 1 else "XXXX"
    timex = f"{shown}-{kind.upper()}{number}"
    return _period((start, match.end()), timex, *readings, relative=not written)


def _week_number(context: Context, match: re.Match[str]) -> Node | None:
    number = int(match["n"])
    year = int(match["y"]) if match["y"] else context.now.year
    if not 1 <= number <= 53:
        return None
    monday = week_of(datetime(year, 1, 4)).start
    if not isinstance(monday, datetime):
        return None
    begin = monday + timedelta(7 * (number - 1))
    start = match.start() + (len("the ") if match[0].startswith("the ") else 0)
    span = Interval(begin, begin + timedelta(7))
    return _period((start, match.end()), f"{year}-W{number:02}", span, relative=not match["y"])


def _relative(context: Context, match: re.Match[str]) -> Node | None:
    rel, unit = match["rel"] or match["rel2"], match["u"] or match["u2"]
    counted = match["n"] or match["n2"]
    unit = unit.removeprefix("calendar ")
    letter, months, seconds = UNIT_OF[unit]
    sign = 1 if rel in _LATER else -1 if rel in _EARLIER else 0
    start = match.start()
    one = not counted and unit.rstrip("s") + "s" != unit
    keep = (one and sign > 0 and (months >= 120)) or (unit == "day" and rel != "past")
    if match["the"] and not keep:
        start = match.end("the")
    if (unit in ("day", "night") and one) or _is_verb(context, match, rel):
        return None
    short = months == 0 and seconds <= 3600
    fortnight = letter == "2W" and sign
    if not one or (short and sign) or fortnight:
        return _counted(context, match, start, counted or "1", unit, sign)
    if short:
        return None
    if letter in _WORKING:
        day = _working(context.today, length_of(Fraction(1), unit)[0], sign)
        timex = f"{day:%Y-%m-%d}"
        return Node(start, match.end(), NodeKind.DATE, timex, (one_day(day),), relative=True)
    span = unit_around(context.today, unit.removesuffix("s"), sign)
    return _period((start, match.end()), _unit_timex(unit, span), span, relative=True)


def _is_verb(context: Context, match: re.Match[str], rel: str) -> bool:
    """Whether "last" is what something does: "the course will last three weeks"."""
    return rel == "last" and context.low.endswith(_BEFORE_VERB, 0, match.start())


def _counted(
    context: Context, match: re.Match[str], start: int, counted: str, unit: str, sign: int
) -> Node | None:
    """The next or the last `counted` units; whole days begin tomorrow and end today."""
    if not sign:
        return None
    length, form = length_of(spelled_number(counted.strip()), unit)
    if match["more"]:
        more = re.fullmatch(rf" (?:and|,) (?P<n>{COUNT}) (?P<u>{UNIT})", match["more"])
        if more:
            further, shown = length_of(spelled_number(more["n"]), more["u"])
            length = length.plus(further)
            form += shown
    short = "T" in form
    base = context.now if short else context.today
    if UNIT_OF[unit][0] == "3M":
        quarter = unit_around(context.today, "quarter", 1 if sign > 0 else 0).start
        base = quarter if isinstance(quarter, datetime) else base
    elif sign > 0 and not short:
        base += timedelta(1)
    ends = sorted(
        (
            base,
            _working(base, length, sign)
            if UNIT_OF[unit][0] in _WORKING
            else length.added(base, sign),
        )
    )
    kind = NodeKind.STRETCH if short else NodeKind.PERIOD
    shape = "%Y-%m-%dT%H:%M:%S" if short else "%Y-%m-%d"
    timex = f"({ends[0]:{shape}},{ends[1]:{shape}},P{form})"
    return Node(start, match.end(), kind, timex, (Interval(*ends),), True)


def _working(base: datetime, length: Length, sign: int) -> datetime:
    left, day = min(int(length.seconds) // 86_400, 1000), base
    while left > 0:
        day += timedelta(sign)
        left -= day.weekday() < 5
    return day


def unit_around(today: datetime, unit: str, shift: int) -> Interval:
    """The calendar unit that `today` lies in, or one `shift` units away."""
    if UNIT_OF[unit][0] == "W":
        return week_of(today + timedelta(7 * shift))
    if unit == "weekend":
        saturday = today + timedelta(5 - today.weekday() + 7 * shift)
        return Interval(saturday, saturday + timedelta(2))
    if unit == "day":
        return one_day(today + timedelta(shift))
    months = UNIT_OF[unit][1] or 1
    year = today.year - today.year % (months // 12) if months >= 12 else today.year
    month = 1 if months >= 12 else (today.month - 1) // months * months + 1
    start = add_months(datetime(max(year, 1), month, 1), shift * months)
    return Interval(start, add_months(start, months))


def _unit_timex(unit: str, span: Interval) -> str:
    start = span.start
    if not isinstance(start, datetime):
        return ""
    if UNIT_OF[unit][0] == "W":
        return iso_week(start)
    if unit == "weekend":
        return iso_week(start) + "-WE"
    months = UNIT_OF[unit][1]
    if months == 1:
        return f"{start:%Y-%m}"
    if months == 3:
        return f"{start.year:04}-Q{start.month // 3 + 1}"
    return f"{start.year:04}" if months == 12 else f"{start.year // 10:03}X"


def _the_unit(context: Context, match: re.Match[str]) -> Node | None:
    unit = match["u"] or match["we"]
    span = unit_around(context.today, unit, 0)
    return _period(match.span(), _unit_timex(unit, span), span, relative=True)


def _after_next(context: Context, match: re.Match[str]) -> Node | None:
    span = unit_around(context.today, match["u"], 2)
    return _period(match.span(), _unit_timex(match["u"], span), span, relative=True)


def _to_date(context: Context, match: re.Match[str]) -> Node | None:
    unit = match["u"] or {"y": "year", "m": "month"}[match["a"][0]]
    begin = unit_around(context.today, unit, 0)
    span = Interval(begin.start, context.today)
    start = match.start() + (len("the ") if match[0].startswith("the ") else 0)
    return _period((start, match.end()), _unit_timex(unit, begin), span, relative=True)


def _rest(context: Context, match: re.Match[str]) -> Node | None:
    """What is left of the running day, week, month or year."""
    whole = unit_around(context.today, match["u"], 0)
    timex = _unit_timex(match["u"], whole) if match["u"] != "day" else f"{context.now:%Y-%m-%d}"
    begin = context.now if match["u"] == "day" else context.today
    kind = NodeKind.STRETCH if match["u"] == "day" else NodeKind.PERIOD
    return Node(*match.span(), kind, timex, (Interval(begin, whole.end),), relative=True)


def _season(context: Context, match: re.Match[str]) -> Node | None:
    rel = match["rel"]
    year = (
        f"{context.now.year + {'next': 1, 'coming': 1, 'last': -1, 'previous': -1}.get(rel, 0)}-"
        if rel
        else ""
    )
    if match["y"]:
        year = match["y"] + "-"
    if match["s"] == "fall" and not year and not _IN_THE.search(context.low, 0, match.start()):
        return None
    if (
        match["s"] == "spring"
        and not year
        and context.low.endswith(("a ", "to "), 0, match.start())
    ):
        return None
    span = match.span()
    return _period(span, year + _SEASONS[match["s"]], relative=bool(rel))


_Reader = Callable[[Context, re.Match[str]], Node | None]
_READERS: tuple[tuple[re.Pattern[str], _Reader], ...] = (
    (_MONTH_YEAR, _month_year),
    (_MONTH, _month),
    (_YEAR, _year),
    (_YEAR_RANGE, _year_range),
    (_DECADE, _decade),
    (_CENTURY, _century),
    (_FISCAL, _fiscal),
    (_QUARTER, _quarter),
    (NTH, find_nth),
    (_WEEK_NUMBER, _week_number),
    (_RELATIVE, _relative),
    (_THE_UNIT, _the_unit),
    (_AFTER_NEXT, _after_next),
    (_TO_DATE, _to_date),
    (_SEASON, _season),
    (_REST, _rest),
)

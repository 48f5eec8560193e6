"""Words around a temporal expression that narrow it, move it or leave one end open."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, time, timedelta

from .model import Interval
from .nodes import Context, Node, NodeKind, add_months, iso_week, one_day, week_of

_REACH = 34
_LONGEST_MONTH = 31
_PART = re.compile(
    r"\b(?:(?P<of>beginning|start|end|middle|close) of (?:the )?|(?P<mod>early|late|mid"
    r"|earlier|later)(?: in)?[ -](?:the )?)$"
)
_OF_DAY = re.compile(r"\b(?:the )?(?P<of>end|beginning|start) of (?:the )?$")
_AGO = re.compile(r" (?:ago|earlier)\b(?! than)")
_LATER = re.compile(r" (?:later|hence|from now)\b(?! than)(?! in)(?! this)(?! that)")
_IN = re.compile(r"\b(?P<w>in|within|in the next)(?: the)?(?: next)? $")
_WEEK_OF = re.compile(
    r"\b(?:the )?(?:week|wk) (?:of|beginning|commencing|starting)(?: the| on)? $|\bw/c (?:the )?$"
)
_NOW_OR = re.compile(
    r"(?: and| or) (?P<way>later|after|before|earlier|onwards?|newer|older|prior)\b(?! than"
    r"| ?\d| (?:the|that|this)\b)"
)
_AFTER = (
    r"(?:any ?time )?(?:no |not )?(?P<after>after|since|later than|greater than|more than"
    r"|starting(?: from| on)?|beginning(?: on)?"
    r"|as early as|as of|any time from|any time after|following|from as early as|> ?=?|>=)"
)
_BEFORE = (
    r"(?P<before>no later than|before|until|till|til|by|prior to|earlier than|less than|as late as"
    r"|ending(?: on)?|on or before|< ?=?)"
)
_OPEN = re.compile(rf"(?:^|(?<=[^\w]))(?:{_BEFORE}|{_AFTER}) ?(?:the )?$")
_MORE = re.compile(r"\b(?P<way>more than|less than|at least|at most|over|under) $")
_APPROX = re.compile(
    r"(?<!how )(?<!what )\b(?:around|about|circa|approximately|roughly) (?:the )?$"
)
_INCLUSIVE = frozenset({"since", "starting", "beginning", "as early as", "as of", "any time from"})


def narrowed(context: Context, node: Node) -> Node:
    """`node` with the words that belong to it before it is joined to others."""
    if node.kind is NodeKind.DURATION and not node.weak:
        return _moved(context, node)
    before = context.low[max(0, node.start - _REACH) : node.start]
    offset = node.start - len(before)
    week = _WEEK_OF.search(before)
    if week and node.kind is NodeKind.DATE and node.readings:
        return _week_of(node, offset + week.start())
    if node.kind is NodeKind.DATE:
        edge = _OF_DAY.search(before)
        return _edge_of_day(node, offset + edge.start(), edge["of"]) if edge else node
    part = _PART.search(before)
    if node.kind is NodeKind.PERIOD and part and not node.timex.startswith("("):
        return _part_of(context, node, offset + part.start(), part[1] or part[2])
    return node


def _moved(context: Context, node: Node) -> Node:
    """A duration that says when: "two weeks ago", "in 5 minutes", "within an hour"."""
    length, low = node.length, context.low
    if length is None:
        return node
    ago, later = _AGO.match(low, node.end), _LATER.match(low, node.end)
    inside = _IN.search(low, max(0, node.start - 16), node.start)
    if not (ago or later or inside):
        return node
    days = "T" not in node.timex
    base = context.today if days else context.now
    moment = length.added(base, -1 if ago else 1)
    suffix = ago or later
    start, end = node.start, suffix.end() if suffix else node.end
    if inside and not (ago or later):
        start = inside.start()
        if not _says_when(context, node):
            return node
    shape = "%Y-%m-%d" if days else "%Y-%m-%dT%H:%M:%S"
    timex = format(moment, shape)
    if inside and inside["w"] == "within" and not (ago or later):
        kind = NodeKind.PERIOD if days else NodeKind.STRETCH
        timex = f"({base:{shape}},{timex},{node.timex})"
        return Node(start, end, kind, timex, (Interval(base, moment),), True)
    kind = NodeKind.DATE if days else NodeKind.MOMENT
    reading = one_day(moment) if days else Interval(moment, None)
    return Node(start, end, kind, timex, (reading,), True)


def _says_when(context: Context, node: Node) -> bool:
    """Whether "in" before a duration counts from now: "in two weeks", not "in 5 years of work"."""
    return not context.low.startswith((" of ", " since "), node.end)


def _week_of(node: Node, start: int) -> Node:
    weeks = tuple(week_of(one.start) for one in node.readings if isinstance(one.start, datetime))
    first = weeks[0].start
    timex = iso_week(first) if isinstance(first, datetime) else node.timex
    return Node(start, node.end, NodeKind.PERIOD, timex, weeks, node.relative)


def _edge_of_day(node: Node, start: int, edge: str) -> Node:
    clock = time(23, 59, 59) if edge == "end" else time()
    readings = tuple(
        Interval(datetime.combine(one.start, clock), None)
        for one in node.readings
        if isinstance(one.start, datetime)
    )
    timex = f"{node.timex}T{clock:%H:%M:%S}"
    return Node(start, node.end, NodeKind.MOMENT, timex, readings, node.relative)


def _part_of(context: Context, node: Node, start: int, word: str) -> Node:
    which = (
        "mid"
        if word in ("mid", "middle")
        else "end"
        if word in ("end", "late", "later", "close")
        else "start"
    )
    readings = tuple(
        _slice(one, which, absolute=not node.relative or node.partial is not None)
        for one in node.readings
    )
    if word == "earlier" and node.relative:
        readings = tuple(
            _until_now(one, part, context.today)
            for one, part in zip(node.readings, readings, strict=True)
        )
    edges = tuple(_edge(one, which) for one in node.readings if one.start and one.end)
    return replace(node, start=start, readings=readings, partial=None, edges=edges)


def _until_now(whole: Interval, part: Interval, today: datetime) -> Interval:
    """What is over of the first part of a period that goes on: "earlier this year"."""
    begin, end, half = whole.start, whole.end, part.end
    if not (isinstance(begin, datetime) and isinstance(end, datetime) and begin < today < end):
        return part
    if (end - begin).days > _LONGEST_MONTH or not isinstance(half, datetime):
        return Interval(begin, today)
    return Interval(begin, min(today, half))


def _edge(whole: Interval, which: str) -> datetime:
    """The point that the beginning, the middle or the end of a period is."""
    start, end = whole.start, whole.end
    if not isinstance(start, datetime) or not isinstance(end, datetime):
        return datetime.min
    if which == "mid":
        return start + timedelta((end - start).days // 2)
    return start if which == "start" else end


def _slice(whole: Interval, which: str, *, absolute: bool) -> Interval:
    start, end = whole.start, whole.end
    if not isinstance(start, datetime) or not isinstance(end, datetime):
        return whole
    days = (end - start).days
    if days <= 7:
        cuts = start + timedelta(3), start + timedelta(3)
    elif days <= 31:
        cuts = (
            start + timedelta(9 if which == "mid" else 15),
            start + timedelta(20 if which == "mid" else 15),
        )
    elif absolute or which == "mid":
        third = max(1, (end.year - start.year) * 12 + end.month - start.month) // 3
        cuts = add_months(start, third), add_months(start, 2 * third)
    else:
        half = ((end.year - start.year) * 12 + end.month - start.month) // 2
        cuts = add_months(start, half), add_months(start, half)
    if which == "start":
        return Interval(start, cuts[0])
    return Interval(*cuts) if which == "mid" else Interval(cuts[1], end)


def qualified(context: Context, node: Node) -> Node:
    """`node` with the words around it that leave an end open or say how exact it is."""
    if node.kind is NodeKind.SET:
        return node
    low = context.low
    before = low[max(0, node.start - _REACH) : node.start]
    offset = node.start - len(before)
    if node.kind is NodeKind.DURATION:
        more = _MORE.search(before)
        wanted = more and more["way"] in ("more than", "less than")
        return replace(node, start=offset + more.start()) if more and wanted else node
    suffix = _NOW_OR.match(low, node.end)
    if suffix and node.kind in (NodeKind.DATE, NodeKind.PERIOD):
        after = suffix["way"] in ("later", "after", "onward", "onwards", "newer")
        return _open(node, (node.start, suffix.end()), after=after, inclusive=True)
    approx = _APPROX.search(before)
    if approx and node.kind in (NodeKind.TIME, NodeKind.DATE, NodeKind.MOMENT):
        return replace(node, start=offset + approx.start())
    return _bounded(node, before, offset)


def _bounded(node: Node, before: str, offset: int) -> Node:
    word = _OPEN.search(before)
    if not word or (node.readings and (node.readings[0].start is None)):
        return node
    after = word["after"] or ""
    plain = len(after) > 0
    if after in ("more than", "less than", "following") and node.kind is not NodeKind.DATE:
        return node
    if word["before"] == "less than":
        return node
    head = after.split(" from")[0].split(" on")[0]
    inclusive = head in _INCLUSIVE or (head.startswith(">") and "=" in head)
    start = offset + word.start()
    return _open(node, (start, node.end), after=plain, inclusive=inclusive)


def _open(node: Node, span: tuple[int, int], *, after: bool, inclusive: bool) -> Node:
    readings = tuple(
        _side(one, after=after, inclusive=inclusive, node=node) for one in node.readings
    )
    if node.edges and not (after and inclusive):
        readings = tuple(Interval(at, None) if after else Interval(None, at) for at in node.edges)
    kinds = {NodeKind.DATE: NodeKind.PERIOD, NodeKind.TIME: NodeKind.TIMES}
    kinds[NodeKind.MOMENT] = NodeKind.STRETCH
    kind = kinds.get(node.kind, node.kind)
    return replace(node, start=span[0], end=span[1], kind=kind, readings=readings)


def _side(one: Interval, *, after: bool, inclusive: bool, node: Node) -> Interval:
    if not after:
        return Interval(None, one.start)
    whole = node.kind in (NodeKind.PERIOD, NodeKind.TIMES) and one.end and not inclusive
    return Interval(one.end if whole else one.start, None)

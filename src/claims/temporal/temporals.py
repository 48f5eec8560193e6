"""All temporal expressions of plain text, with their normal form and the time that they mean.

Days, periods, times and durations are found one by one; neighbours that belong together are then
joined ("tomorrow at 8", "from 5 to 6 pm", "two weeks before Easter") and qualified ("before 2019",
"early this month").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from ..lexicon import Lexicon
from ..scan import scan
from .clock_expressions import find_times
from .day_expressions import find_days
from .duration_expressions import find_durations, find_sets
from .joining import join, time_in_part
from .model import Temporal, TemporalKind
from .nodes import Context, Node, NodeKind
from .period_expressions import find_periods
from .qualifying import narrowed, qualified

_NO_REFERENCE = datetime(2000, 1, 1)
_KINDS = {
    NodeKind.DATE: TemporalKind.DATE,
    NodeKind.PERIOD: TemporalKind.PERIOD,
    NodeKind.TIME: TemporalKind.TIME,
    NodeKind.TIMES: TemporalKind.PERIOD,
    NodeKind.MOMENT: TemporalKind.DATETIME,
    NodeKind.STRETCH: TemporalKind.PERIOD,
    NodeKind.DURATION: TemporalKind.DURATION,
    NodeKind.SET: TemporalKind.SET,
}


def find_temporals(text: str, lexicon: Lexicon, reference: datetime | None) -> tuple[Temporal, ...]:
    """The temporal expressions of `text`, in order, none overlapping; offsets are into `text`.

    `reference` is the moment that "today" and "last year" are counted from (decision 27: the
    document's date). Without one such expressions are found but have no readings.
    """
    context = Context(scan(text, lexicon).low, text, reference or _NO_REFERENCE, lexicon)
    nodes = _chosen(context)
    # Parts of the day first, so that "Monday before 10 in the morning" ends in the right half.
    nodes = _folded(context, nodes, time_in_part)
    joined = _folded(context, [narrowed(context, node) for node in nodes], join)
    kept = _apart([qualified(context, node) for node in joined if not node.weak])
    return tuple(_temporal(text, node, known=reference is not None) for node in kept)


def _folded(
    context: Context, nodes: Iterable[Node], rule: Callable[[Context, Node, Node], Node | None]
) -> list[Node]:
    """`nodes` with neighbours put together as long as `rule` makes one of two."""
    folded: list[Node] = []
    for node in nodes:
        last = node
        while folded and (both := rule(context, folded[-1], last)):
            last = both
            folded.pop()
        folded.append(last)
    return folded


def _chosen(context: Context) -> list[Node]:
    """The longest of the parts found at each place; weak ones fill what is left."""
    found: list[Node] = []
    for finder in (find_days, find_periods, find_times, find_durations, find_sets):
        found.extend(finder(context))
    strong = _apart(node for node in found if not node.weak)
    return _filled(strong, _apart(node for node in found if node.weak))


def _apart(nodes: Iterable[Node]) -> list[Node]:
    kept: list[Node] = []
    for node in sorted(nodes, key=lambda node: (node.start, -node.end)):
        if not kept or node.start >= kept[-1].end:
            kept.append(node)
    return kept


def _filled(strong: Sequence[Node], weak: Sequence[Node]) -> list[Node]:
    kept: list[Node] = []
    rest = iter(strong)
    ahead = next(rest, None)
    for node in weak:
        while ahead and ahead.end <= node.start:
            kept.append(ahead)
            ahead = next(rest, None)
        if not ahead or node.end <= ahead.start:
            kept.append(node)
    if ahead:
        kept.append(ahead)
    kept.extend(rest)
    return kept


def _temporal(text: str, node: Node, *, known: bool) -> Temporal:
    if node.relative and not known:
        node = replace(node, readings=())
    return Temporal(
        kind=_KINDS[node.kind],
        timex=node.timex,
        text=text[node.start : node.end],
        start=node.start,
        end=node.end,
        readings=node.readings,
        seconds=node.length.nominal if node.length and node.kind is NodeKind.DURATION else None,
        relative=node.relative,
    )

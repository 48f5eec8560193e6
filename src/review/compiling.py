"""The findings that survive their defence, as one numbered review (review spec, phase 2)."""

from __future__ import annotations

import bisect
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from ..documents.model import Document
from ..redteam.model import Lens
from .originals import Original
from .types import CompiledFinding, Defence, DefenceOutcome, RedFinding

LETTERS: Mapping[Lens, str] = MappingProxyType(
    {Lens.TEXTUAL: "T", Lens.ANALYTICAL: "A", Lens.STRATEGIC: "S"}
)
"""The first letter of the numbers of a lens's findings."""


def compile_findings(
    findings: Iterable[RedFinding], defences: Mapping[str, Defence], document: Document
) -> tuple[CompiledFinding, ...]:
    """Leave out what was killed, make one of equal ones, put the worst first, and number them.

    Two findings are equal if they name the same issue and their quotes overlap, unless rules found
    both. The finding of rules stands for both, else the worse one, with the severity of the worse.
    Numbers count within a lens. A finding without a defence stands as it is.
    """
    standing = [
        finding
        for finding in findings
        if (defence := defences.get(finding.id)) is None
        or defence.outcome is not DefenceOutcome.KILLED
    ]
    standing.sort(key=lambda one: (one.severity.rank, one.line, one.lens, one.id))
    counts: Counter[Lens] = Counter()
    compiled: list[CompiledFinding] = []
    for finding, merged in _grouped(standing, document):
        counts[finding.lens] += 1
        number = f"{LETTERS[finding.lens]}-{counts[finding.lens]}"
        compiled.append(CompiledFinding(number, finding, defences.get(finding.id), merged))
    return tuple(compiled)


def _grouped(
    findings: Sequence[RedFinding], document: Document
) -> Iterable[tuple[RedFinding, tuple[str, ...]]]:
    """Each finding that stands for itself, with the ids of those that say the same."""
    spans = {finding.id: span_of(finding.quote, finding.line, document) for finding in findings}
    groups: list[list[RedFinding]] = []
    for finding in findings:
        for group in groups:
            if all(_is_same(one, finding, spans) for one in group):
                group.append(finding)
                break
        else:
            groups.append([finding])
    return map(_headed, groups)


def _headed(group: Sequence[RedFinding]) -> tuple[RedFinding, tuple[str, ...]]:
    """The one that stands for a group, which begins with the worst, and the ids of the others.

    What a model said of it may be dropped later, what rules found must not go with it.
    """
    head = next((one for one in group if one.by_rules), group[0])
    others = tuple(one.id for one in group if one.id != head.id)
    return replace(head, severity=group[0].severity), others


def _is_same(
    one: RedFinding, other: RedFinding, spans: Mapping[str, tuple[int, int] | None]
) -> bool:
    if one.issue.casefold() != other.issue.casefold() or (one.by_rules and other.by_rules):
        return False
    here, there = spans[one.id], spans[other.id]
    if here is None or there is None:
        return one.quote == other.quote
    return overlap(here, there)


def span_of(quote: str, line: int, document: Document | Original) -> tuple[int, int] | None:
    """Where `quote` stands in `document`: beginning in `line` (from 1) if it does, else anywhere.

    White space in the quote stands for any. None if it is not there, or only in several other
    lines.
    """
    words = quote.split()
    if not words:
        return None
    pattern = re.compile(r"\s++".join(map(re.escape, words)))
    text, starts = document.text, document.line_starts
    if 0 < line <= len(starts):
        end = starts[line] if line < len(starts) else len(text)
        here = pattern.search(text, starts[line - 1])
        if here is not None and here.start() < end:
            return here.span()
    first = pattern.search(text)
    alone = first is not None and pattern.search(text, first.start() + 1) is None
    return first.span() if first is not None and alone else None


def line_of(offset: int, document: Document | Original) -> int:
    """The line (from 1) of the character at `offset`."""
    return bisect.bisect_right(document.line_starts, offset)


def overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two half-open stretches of a text share a character."""
    return one[0] < other[1] and other[0] < one[1]

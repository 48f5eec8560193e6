"""Which citation an uncited sentence carries: the last one before it (decision 43)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from ..base.vocabulary import CitationState
from .model import BlockKind, ScopedCitation

_CARRIES = frozenset(
    {
        BlockKind.PARAGRAPH,
        BlockKind.LIST_ITEM,
        BlockKind.BLOCK_QUOTE,
        BlockKind.TABLE_ROW,
    }
)
# Notes and reference entries stand outside the order in which a text is read.
_ASIDE = frozenset({BlockKind.FOOTNOTE, BlockKind.FRONT_MATTER})
_OF_SECTION = re.compile(
    r"\b(?:in|of|throughout) this (?:section|chapter|part|subsection)\b", re.IGNORECASE
)

Scope = tuple[ScopedCitation, ...]


class _Part(Protocol):
    @property
    def kind(self) -> BlockKind: ...
    @property
    def level(self) -> int: ...
    @property
    def table(self) -> int | None: ...
    @property
    def lead(self) -> int | None: ...
    @property
    def source_line(self) -> bool: ...
    @property
    def texts(self) -> Sequence[str]: ...


def carry(parts: Sequence[_Part], scopes: list[list[Scope]]) -> None:
    """Give each sentence without a citation the last one before it in its section.

    What a heading cites, or a sentence that speaks for "this section", holds for its subsections
    as well; other citations end at the next heading or listing, and reach into a table only from
    the paragraph right above it. Changes `scopes` in place.
    """
    open_: list[tuple[int, Scope]] = [(0, ())]
    last: Scope = ()
    for number, part in enumerate(parts):
        if part.level:
            while len(open_) > 1 and open_[-1][0] >= part.level:
                open_.pop()
            last = _as_carried(scopes[number][-1]) or open_[-1][1]
            open_.append((part.level, last))
            continue
        if part.kind in _ASIDE or (part.kind is BlockKind.REFERENCE and not part.source_line):
            continue
        # A listing, and a table that nothing leads in, are the document's own matter.
        if part.kind is BlockKind.CODE or (
            part.kind is BlockKind.TABLE_HEADER and part.lead is None
        ):
            last = open_[-1][1]
        for at, scope in enumerate(scopes[number]):
            own = _as_carried(scope)
            if own:
                last = own
                if _OF_SECTION.search(part.texts[at]):
                    open_[-1] = (open_[-1][0], own)
            elif not scope and part.kind in _CARRIES:
                scopes[number][at] = last


def _as_carried(scope: Scope) -> Scope:
    """The citations that stand in the sentence itself, as carried ones."""
    return tuple(
        ScopedCitation(one.citation, CitationState.CARRIED)
        for one in scope
        if one.state is CitationState.DIRECT
    )

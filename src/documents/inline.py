"""The visible text of one block, each character with the place it comes from."""

from __future__ import annotations

import bisect
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVar


class Span(NamedTuple):
    """A half-open range of characters."""

    start: int
    end: int

    def inside(self, start: int, end: int) -> Span:
        """This range as one of the piece that `[start, end)` cuts out."""
        return Span(self.start - start, min(self.end, end) - start)


def trimmed(text: str, span: Span) -> Span:
    """`span` of `text` without the white space at its ends; empty if there is nothing else."""
    start, end = span
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end)


def blank(text: str, spans: Iterable[Span], mark: str = "\x00") -> str:
    """`text` with every character of `spans` replaced by `mark`; the length stays."""
    ordered = sorted(spans)
    if not ordered:
        return text
    parts: list[str] = []
    done = 0
    for start, end in ordered:
        if end > done:
            start = max(start, done)
            parts += (text[done:start], mark * (end - start))
            done = end
    parts.append(text[done:])
    return "".join(parts)


@dataclass(frozen=True, slots=True)
class Link:
    """A link: its range in the visible text and in the document.

    `key` is the label of a reference-style link, "" for the other styles.
    """

    span: Span
    source: Span
    target: str
    key: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """A footnote mark, or (with `label` "") something set as superscript."""

    span: Span
    source: Span
    label: str


@dataclass(frozen=True, slots=True)
class InlineText:
    """A block's visible text before citation markers are taken out.

    `offsets[i]` is the document offset of `text[i]`. `leads` and `trails` widen a character to the
    markup that opens before it and closes after it. `lines` are the places in `text` where a
    source line begins; `styled` the emphasised ranges; `cells` the cells of a table row.
    """

    text: str = ""
    offsets: array[int] = field(default_factory=lambda: array("i"))
    leads: dict[int, int] = field(default_factory=dict[int, int])
    trails: dict[int, int] = field(default_factory=dict[int, int])
    links: list[Link] = field(default_factory=list[Link])
    notes: list[Note] = field(default_factory=list[Note])
    code: list[Span] = field(default_factory=list[Span])
    styled: list[Span] = field(default_factory=list[Span])
    lines: list[int] = field(default_factory=list[int])
    cells: list[Span] = field(default_factory=list[Span])

    def source(self, span: Span) -> Span:
        """The document range of `text[span]`, with the markup around it; `span` is not empty."""
        first, last = span.start, span.end - 1
        start = self.leads.get(first, self.offsets[first])
        return Span(start, self.trails.get(last, self.offsets[last] + 1))

    def split(self, starts: Sequence[int]) -> list[InlineText]:
        """The pieces that begin at `starts` (ascending, the first is 0).

        Markup that crosses the end of a piece stays with the piece in which it begins.
        """
        ends = [*starts[1:], len(self.text)]
        leads = _dealt(self.leads.items(), starts, lambda item: item[0])
        trails = _dealt(self.trails.items(), starts, lambda item: item[0])
        links = _dealt(self.links, starts, lambda link: link.span.start)
        notes = _dealt(self.notes, starts, lambda note: note.span.start)
        code = _dealt(self.code, starts, lambda span: span.start)
        styled = _dealt(self.styled, starts, lambda span: span.start)
        return [
            InlineText(
                self.text[start:end],
                self.offsets[start:end],
                {at - start: place for at, place in leads[number]},
                {at - start: place for at, place in trails[number]},
                [replace(link, span=link.span.inside(start, end)) for link in links[number]],
                [replace(note, span=note.span.inside(start, end)) for note in notes[number]],
                [span.inside(start, end) for span in code[number]],
                [span.inside(start, end) for span in styled[number]],
            )
            for number, (start, end) in enumerate(zip(starts, ends, strict=True))
        ]


T = TypeVar("T")


def _dealt(items: Iterable[T], starts: Sequence[int], at: Callable[[T], int]) -> list[list[T]]:
    """`items` by the piece they stand in."""
    dealt: list[list[T]] = [[] for _ in starts]
    for item in items:
        dealt[bisect.bisect_right(starts, at(item)) - 1].append(item)
    return dealt

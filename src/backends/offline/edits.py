"""Changes of a draft that leave the rest of it as it is."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from ...base.vocabulary import Correction
from ...documents.inline import Span
from ...documents.model import BlockKind, Document, Sentence


class EditSheet:
    """Collects the changes of one revision of `document`.

    Args:
        document: What is revised.
        table_words: How a sentence may name the table that follows it.

    Attributes:
        dropped: The indices of the sentences that go, with their citation markers.
    """

    def __init__(self, document: Document, table_words: re.Pattern[str]) -> None:
        self.document = document
        self.dropped = set[int]()
        self._table_words = table_words
        self._edits: list[Correction] = []

    def replace(self, start: int, end: int, text: str) -> None:
        """Put `text` in place of `[start, end)`; the first of two overlapping changes stands."""
        if not any(edit.start < end and start < edit.end for edit in self._edits):
            self._edits.append(Correction(start, end, text))

    def insert(self, at: int, text: str) -> None:
        """Put `text` before the character at `at`."""
        self._edits.append(Correction(at, at, text))

    def apply(self) -> str:
        """The document with the changes made."""
        self._drop_what_led_up()
        gone = [self._with_empty_line(span) for span in _merged(self._removals())]
        kept = [e for e in self._edits if not any(a <= e.start and e.end <= b for a, b in gone)]
        edits = [*(Correction(*span, "") for span in gone), *kept]
        text, at = self.document.text, 0
        pieces: list[str] = []
        for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
            pieces += (text[at : edit.start], edit.replacement)
            at = edit.end
        return "".join([*pieces, text[at:]])

    def _drop_what_led_up(self) -> None:
        """Drop the head of a table without rows, and "There are three reasons:" without reasons."""
        groups: dict[int, list[Sentence]] = defaultdict(list)
        for sentence in self.document.sentences:
            # No list has the number of a table.
            for group in (sentence.list_id, sentence.table):
                if group is not None:
                    groups[group].append(sentence)
        for group, members in groups.items():
            parts = {one.index for one in members if one.kind is not BlockKind.TABLE_HEADER}
            if not parts or not parts <= self.dropped:
                continue
            first = members[0].index
            self.dropped.update(one.index for one in members)
            lead = self.document.sentences[first - 1]
            names_table = members[0].table == group and self._table_words.search(lead.text)
            is_before = first > 0 and lead.kind is BlockKind.PARAGRAPH
            if is_before and (lead.text.endswith(":") or names_table):
                self.dropped.add(lead.index)

    def _removals(self) -> Iterator[Span]:
        for _, block in groupby(self.document.sentences, key=lambda sentence: sentence.block):
            sentences = list(block)
            gone = [sentence for sentence in sentences if sentence.index in self.dropped]
            if gone and len(gone) == len(sentences):
                yield self._whole_block(sentences)
            elif gone:
                last = max(s.index for s in sentences if s.index not in self.dropped)
                yield from (self._sentence(one, at_end=one.index > last) for one in gone)

    def _whole_block(self, sentences: Sequence[Sentence]) -> Span:
        """The lines of a block, unless another one has a part of them."""
        first, last = sentences[0], sentences[-1]
        start = self.document.text.rfind("\n", 0, first.start) + 1
        end = self.line_end(last.end)
        if last.kind is BlockKind.TABLE_HEADER:
            # The line of dashes belongs to it.
            end = self.line_end(end)
        shared = any(
            other.start < end and start < other.end and other.index not in self.dropped
            for other in self.document.sentences
        )
        return Span(first.start, last.end) if shared else Span(start, end)

    def line_end(self, offset: int) -> int:
        """Where the line with `offset` ends, its line feed included."""
        newline = self.document.text.find("\n", offset)
        return len(self.document.text) if newline < 0 else newline + 1

    def _with_empty_line(self, span: Span) -> Span:
        """`span` with the empty line after it if another one stands before it."""
        text = self.document.text
        after = text[span.end : self.line_end(span.end)]
        before = text[: span.start].rstrip(" \t")
        doubled = before.endswith(("\n\n", "\r\n\r\n")) and after and not after.strip()
        return Span(span.start, span.end + len(after)) if doubled else span

    def _sentence(self, sentence: Sentence, *, at_end: bool) -> Span:
        """One sentence with the space after it, or before it if nothing of its block follows."""
        text = self.document.text
        start, end = _without_open_marks(text, sentence.start, sentence.end)
        # The end of an emphasis follows the sentence before it.
        at_end = at_end or end < sentence.end
        while at_end and start > 0 and text[start - 1].isspace():
            start -= 1
        while not at_end and end < len(text) and text[end].isspace():
            end += 1
        return Span(start, end)


def _without_open_marks(text: str, start: int, end: int) -> tuple[int, int]:
    """`[start, end)` without marks of an emphasis that only begins or only ends in it."""
    for mark in "*_":
        inner = text[start:end]
        if mark not in inner.strip(mark):
            opening = len(inner) - len(inner.lstrip(mark))
            closing = len(inner) - len(inner.rstrip(mark))
            if not (opening and closing):
                start, end = start + opening, end - closing
    return start, end


def _merged(spans: Iterable[Span]) -> list[Span]:
    """Removals with those joined that overlap or touch."""
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span.start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return merged

"""Markdown as the offline agents write it, and changes that leave the rest of a draft as it is."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

from ...core.brief import CitingStyle
from ...core.work import Material
from ...documents.model import BlockKind, Document, Sentence


@dataclass(frozen=True, slots=True)
class Edit:
    """`text` in place of the document's `[start, end)`."""

    start: int
    end: int
    text: str


class EditSheet:
    """Collects the changes of one revision of `document`.

    Args:
        document: What is revised.
        table_words: How a sentence may name the table that follows it.
    """

    def __init__(self, document: Document, table_words: re.Pattern[str]) -> None:
        self.document = document
        self._table_words = table_words
        self._dropped: set[int] = set()
        self._edits: list[Edit] = []
        self._blocks: dict[int, list[Sentence]] = defaultdict(list)
        for sentence in document.sentences:
            self._blocks[sentence.block].append(sentence)

    @property
    def dropped(self) -> frozenset[int]:
        """The indices of the sentences that go."""
        return frozenset(self._dropped)

    def drop(self, sentence: Sentence) -> None:
        """Take out a sentence with its citation markers."""
        self._dropped.add(sentence.index)

    def replace(self, start: int, end: int, text: str) -> None:
        """Put `text` in place of `[start, end)`; the first of two overlapping changes stands."""
        if not any(edit.start < end and start < edit.end for edit in self._edits):
            self._edits.append(Edit(start, end, text))

    def insert(self, at: int, text: str) -> None:
        """Put `text` before the character at `at`."""
        self._edits.append(Edit(at, at, text))

    def apply(self) -> str:
        """The document with the changes made."""
        self._drop_lead_ins()
        removals = _merged(self._removals())
        kept = [edit for edit in self._edits if not any(_within(edit, gone) for gone in removals)]
        text, at = self.document.text, 0
        pieces: list[str] = []
        for edit in sorted([*removals, *kept], key=lambda edit: (edit.start, edit.end)):
            pieces += (text[at : edit.start], edit.text)
            at = edit.end
        return "".join([*pieces, text[at:]])

    def _drop_lead_ins(self) -> None:
        """A line such as "There are three reasons:" goes with all that it leads up to."""
        groups: dict[tuple[str, int], list[Sentence]] = defaultdict(list)
        for sentence in self.document.sentences:
            if sentence.list_id is not None:
                groups["list", sentence.list_id].append(sentence)
            if sentence.table is not None:
                groups["table", sentence.table].append(sentence)
        for (kind, _), members in groups.items():
            lead = self.document.sentences[members[0].index - 1]
            leads_up = lead.text.endswith(":") or (
                kind == "table" and self._table_words.search(lead.text) is not None
            )
            counted = [s for s in members if s.kind is not BlockKind.TABLE_HEADER]
            if (
                leads_up
                and lead.kind is BlockKind.PARAGRAPH
                and lead.index < members[0].index
                and all(member.index in self._dropped for member in counted)
            ):
                self._dropped.add(lead.index)

    def _removals(self) -> Iterator[Edit]:
        for sentences in self._blocks.values():
            gone = [sentence for sentence in sentences if sentence.index in self._dropped]
            if gone and len(gone) == len(sentences):
                yield self._whole_block(sentences)
            elif gone:
                last = max(s.index for s in sentences if s.index not in self._dropped)
                yield from (self._sentence(one, at_end=one.index > last) for one in gone)

    def _whole_block(self, sentences: Sequence[Sentence]) -> Edit:
        """The lines of a block; the last row of a table takes the table's head with it."""
        text = self.document.text
        first, last = sentences[0], sentences[-1]
        start = text.rfind("\n", 0, first.start) + 1
        if first.table is not None and first.header is not None and self._no_row_left(first.table):
            head = self.document.sentences[first.header]
            start = text.rfind("\n", 0, head.start) + 1
        newline = text.find("\n", last.end)
        end = len(text) if newline < 0 else newline + 1
        others = self._others_between(start, end, {s.index for s in sentences}, first.table)
        if others:
            return Edit(first.start, last.end, "")
        return Edit(start, self._past_empty_line(start, end), "")

    def _no_row_left(self, table: int) -> bool:
        return all(
            sentence.index in self._dropped
            for sentence in self.document.sentences
            if sentence.table == table and sentence.kind is BlockKind.TABLE_ROW
        )

    def _others_between(self, start: int, end: int, own: set[int], table: int | None) -> bool:
        """Whether another sentence stands on the lines `[start, end)`."""
        return any(
            sentence.start < end
            and start < sentence.end
            and sentence.index not in own
            and (table is None or sentence.table != table)
            for sentence in self.document.sentences
        )

    def _past_empty_line(self, start: int, end: int) -> int:
        """`end`, or past the empty line there if another stands before `start`."""
        text = self.document.text
        before = text[:start].rstrip(" \t")
        after = text[end : text.find("\n", end) + 1]
        doubled = before.endswith(("\n\n", "\r\n\r\n")) and after and not after.strip()
        return end + len(after) if doubled else end

    def _sentence(self, sentence: Sentence, *, at_end: bool) -> Edit:
        """One sentence with the space after it, or before it if nothing of its block follows."""
        text = self.document.text
        start, end = _without_open_marks(text, sentence.start, sentence.end)
        # The end of an emphasis follows the sentence before it.
        at_end = at_end or end < sentence.end
        while at_end and start > 0 and text[start - 1].isspace():
            start -= 1
        while not at_end and end < len(text) and text[end].isspace():
            end += 1
        return Edit(start, end, "")


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


def _within(edit: Edit, gone: Edit) -> bool:
    return gone.start <= edit.start and edit.end <= gone.end


def _merged(edits: Iterable[Edit]) -> list[Edit]:
    """Removals with overlapping ones joined."""
    merged: list[Edit] = []
    for edit in sorted(edits, key=lambda edit: edit.start):
        if merged and edit.start <= merged[-1].end:
            merged[-1] = Edit(merged[-1].start, max(merged[-1].end, edit.end), "")
        else:
            merged.append(edit)
    return merged


_SPECIAL = re.compile(r"([\\`*_\[\]<>|~])")
_BLOCK_START = re.compile(r"(?m)^(\s*)([#+=-]|\d+[.)](?=\s))")


def escape_markdown(text: str) -> str:
    """`text` such that Markdown shows it as it is, on one line."""
    line = _SPECIAL.sub(r"\\\1", " ".join(text.split()))
    return _BLOCK_START.sub(r"\1\\\2", line)


class Citations:
    """Numbers sources in the order of first citation and writes markers for them."""

    def __init__(self, materials: Sequence[Material], style: CitingStyle) -> None:
        self._materials = materials
        self._style = style
        self._numbers: dict[int, int] = {}

    def cited(self, text: str, material: int) -> str:
        """The sentence `text`, escape_markdown, with a citation of its source at its end."""
        return cite_sentence(text, self._marker(material))

    def reference_list(self) -> str:
        """The cited sources, one a line; a footnote's line is its definition."""
        return "\n".join(
            self._reference(number, self._materials[material])
            for material, number in self._numbers.items()
        )

    def _marker(self, material: int) -> str:
        number = self._numbers.setdefault(material, len(self._numbers) + 1)
        match self._style:
            case CitingStyle.NUMBERED:
                return f"[{number}]"
            case CitingStyle.FOOTNOTES:
                return f"[^{number}]"
            case CitingStyle.INLINE:
                return f"({inline_link(self._materials[material])})"
            case _:
                assert_never(self._style)

    def _reference(self, number: int, material: Material) -> str:
        marks = {CitingStyle.FOOTNOTES: f"[^{number}]:", CitingStyle.NUMBERED: f"{number}."}
        return f"{marks.get(self._style, '-')} {link(material)}"


def cite_sentence(text: str, marker: str) -> str:
    """The sentence `text`, escape_markdown, with the citation `marker` before its full stop."""
    plain = escape_markdown(text)
    if plain.endswith((".", "!")):
        return f"{plain[:-1]} {marker}{plain[-1]}"
    return f"{plain} {marker}"


def inline_link(material: Material) -> str:
    """A citation inside a sentence: a web address as it is, a file by its title."""
    is_web = re.fullmatch(r"https?://[^\s()<>]+", material.url) is not None
    return material.url if is_web else link(material)


def link(material: Material) -> str:
    """A Markdown link to a source, by its title."""
    title = escape_markdown(material.title or material.url)
    return f"[{title}]({link_target(material)})"


def link_target(material: Material) -> str:
    """The address of a source as the target of a link."""
    address = material.url
    if re.search(r"[\s()<>]", address):
        return f"<{address.replace('<', '%3C').replace('>', '%3E')}>"
    return address

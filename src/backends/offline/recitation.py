"""Citations of a given draft: another source in place of one, in the draft's own manner."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ...core.types import Material
from ...documents.model import BlockKind, Citation, CitationForm, Sentence
from .edits import EditSheet
from .writing import inline_link, link

_LIST_ENTRY = re.compile(r"[ \t]*(?:(?P<dotted>\d+)[.)]|\[(?P<bracketed>\d+)\])[ \t]")
_ENTRY = re.compile(
    r"[ \t]{0,3}(?:\[\^(?P<note>[^\]\s]+)\]:|(?P<dotted>\d+)[.)](?=[ \t])"
    r"|\[(?P<bracketed>\d+)\]:?(?=[ \t]))"
)
_KEYED = (CitationForm.NUMERIC, CitationForm.FOOTNOTE)


class Recitation:
    """Writes citations into a draft.

    Args:
        sheet: Where changes are collected.
        materials: The sources that may be cited.
    """

    def __init__(self, sheet: EditSheet, materials: Sequence[Material]) -> None:
        self._sheet = sheet
        self._document = sheet.document
        self._materials = materials
        self._new_labels: dict[str, str] = {}
        self._exchanged_away: set[int] = set()
        forms = Counter(citation.form for citation in self._document.citations)
        self._form = next((form for form, _ in forms.most_common() if form in _KEYED), None)
        if forms and self._form and forms[self._form] < forms.total() / 2:
            self._form = None

    def cite(self, sentence: Sentence, material: Material) -> None:
        """Add a citation of `material` at the end of a sentence."""
        text = self._document.text
        end = sentence.end
        while end > sentence.start and text[end - 1].isspace():
            end -= 1
        at = end - 1 if text[end - 1] in ".!" else end
        self._sheet.insert(at, f" {self.marker(material)}")

    def exchange(self, citations: Iterable[Citation], material: Material) -> bool:
        """Let each citation lead to `material` instead; False if one is of a form that cannot."""
        changes = [(citation, self._exchanged(citation, material)) for citation in citations]
        for citation, text in changes:
            if text is not None:
                self._sheet.replace(citation.start, citation.end, text)
                self._exchanged_away.add(citation.index)
        return bool(changes) and all(text is not None for _, text in changes)

    def marker(self, material: Material) -> str:
        """A citation of `material` in the draft's manner."""
        if self._form is None:
            return f"({inline_link(material)})"
        label = self._label(material)
        if label is None:
            return f"({inline_link(material)})"
        return f"[^{label}]" if self._form is CitationForm.FOOTNOTE else f"[{label}]"

    def drop_orphans(self) -> None:
        """Take entries out of the reference list that nothing cites any more.

        The entry of a numbered list goes only from its end, so that no other changes its number.
        """
        gone, left = self._labels()
        lines = list(_entry_lines(self._document.text))
        last_dotted = max((line.start for line in lines if line.dotted), default=-1)
        for line in reversed(lines):
            is_orphan = line.label in gone - left
            if is_orphan and (not line.dotted or line.start == last_dotted):
                self._sheet.replace(line.start, line.end, "")
                if line.dotted:
                    last_dotted = max(
                        (o.start for o in lines if o.dotted and o.start < line.start), default=-1
                    )

    def _labels(self) -> tuple[set[str], set[str]]:
        """The labels of citations that go, and of those that stay."""
        gone: set[str] = set()
        left = set(self._new_labels.values())
        for sentence, scopes in zip(self._document.sentences, self._document.scopes, strict=True):
            for scoped in scopes:
                citation = self._document.citations[scoped.citation]
                away = sentence.index in self._sheet.dropped
                away = away or citation.index in self._exchanged_away
                if citation.form in _KEYED:
                    (gone if away else left).add(citation.label)
        return gone, left

    def _exchanged(self, citation: Citation, material: Material) -> str | None:
        if citation.form in _KEYED and "](" not in citation.raw:
            label = self._label(material)
            if label is None:
                return f"({inline_link(material)})"
            own = re.escape(citation.label)
            return re.sub(rf"(?<!\w){own}(?!\w)", lambda _: label, citation.raw, count=1)
        if citation.form is CitationForm.AUTHOR_YEAR:
            return None
        before = self._document.text[citation.start - 1 : citation.start]
        if "](" in citation.raw and before != "(":
            return f"{citation.raw[: citation.raw.rindex('](')]}]{_address(material)}"
        return inline_link(material)

    def _label(self, material: Material) -> str | None:
        """The label of `material` in the reference list, which gets a new entry if need be."""
        for citation in self._document.citations:
            if citation.target == material.url and citation.form in _KEYED:
                return citation.label
        if material.url not in self._new_labels:
            label = self._new_entry(material)
            if label is None:
                return None
            self._new_labels[material.url] = label
        return self._new_labels[material.url]

    def _new_entry(self, material: Material) -> str | None:
        """Add an entry after the last one; None if there is no list of a known form."""
        footnotes = self._form is CitationForm.FOOTNOTE
        kind = BlockKind.FOOTNOTE if footnotes else BlockKind.REFERENCE
        last = next((s for s in reversed(self._document.sentences) if s.kind is kind), None)
        if last is None:
            return None
        text = self._document.text
        start = text.rfind("\n", 0, last.start) + 1
        newline = text.find("\n", last.end)
        end = len(text) if newline < 0 else newline
        number = str(self._next_number())
        entry = _LIST_ENTRY.match(text, start, end)
        if footnotes:
            line = f"[^{number}]: {link(material)}"
        elif entry and entry["dotted"]:
            line = f"{number}. {link(material)}"
        elif entry:
            line = f"[{number}] {link(material)}"
        else:
            return None
        apart = "\n\n" if text[:start].endswith("\n\n") and entry and entry["bracketed"] else "\n"
        self._sheet.insert(end, apart + line)
        return number

    def _next_number(self) -> int:
        labels = [int(c.label) for c in self._document.citations if c.label.isdigit()]
        listed = [
            int(entry["dotted"] or entry["bracketed"])
            for line in self._document.text.splitlines()
            if (entry := _LIST_ENTRY.match(line)) and self._form is CitationForm.NUMERIC
        ]
        return max([*labels, *listed, 0]) + 1 + len(self._new_labels)


class _EntryLine(NamedTuple):
    """A one-line entry of a reference list, `[start, end)` with its line end."""

    label: str
    dotted: bool
    start: int
    end: int


def _entry_lines(text: str) -> Iterator[_EntryLine]:
    start = 0
    for line in text.splitlines(keepends=True):
        end = start + len(line)
        entry = _ENTRY.match(line)
        if entry and text[end : end + 1] not in (" ", "\t"):
            label = entry["note"] or entry["bracketed"] or entry["dotted"]
            yield _EntryLine(label, entry["dotted"] is not None, start, end)
        start = end


def _address(material: Material) -> str:
    whole = link(material)
    return whole[whole.rindex("](") + 1 :]

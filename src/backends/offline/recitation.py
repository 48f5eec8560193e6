"""Citations of a given draft: another source in place of one, in the draft's own manner."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from ...base.vocabulary import CitationState
from ...core.work import Material
from ...documents.model import BlockKind, Citation, CitationForm, Document, Sentence
from .edits import EditSheet, inline_link, link, link_target

_ENTRY = re.compile(
    r"[ \t]{0,3}(?:\[\^(?P<note>[^\]\s]+)\]:|(?P<dotted>\d+)[.)](?=[ \t])"
    r"|\[(?P<bracketed>\d+)\]:?(?=[ \t]))"
)
_KEYED = (CitationForm.NUMERIC, CitationForm.FOOTNOTE)
_LISTED = (BlockKind.REFERENCE, BlockKind.FOOTNOTE)


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
        self._entries = tuple(_entries(self._document))
        self._form = _usual_form(self._document)

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
        label = self._label(material) if self._form else None
        if label is None:
            return f"({inline_link(material)})"
        return f"[^{label}]" if self._form is CitationForm.FOOTNOTE else f"[{label}]"

    def drop_orphans(self) -> None:
        """Take entries out of the reference list that nothing cites any more.

        The entry of a numbered list goes only from its end, so that no other changes its number.
        """
        gone, left = self._labels()
        trailing = True
        for entry in reversed(self._entries):
            is_orphan = entry.label in gone - left
            if is_orphan and (trailing or not entry.dotted):
                self._sheet.replace(entry.start, entry.end, "")
            trailing = trailing and is_orphan

    def _labels(self) -> tuple[set[str], set[str]]:
        """The labels of citations that go, and of those that stay."""
        gone: set[str] = set()
        left = set(self._new_labels.values())
        for sentence in self._document.sentences:
            for scoped in self._document.covering(sentence.index):
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
            words = citation.raw[: citation.raw.rindex("](")]
            return f"{words}]({link_target(material)})"
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
        text = self._document.text
        alike = [entry for entry in self._entries if entry.note == footnotes]
        if not alike:
            return None
        last = alike[-1]
        number = str(self._next_number())
        if footnotes:
            line = f"[^{number}]: {link(material)}"
        elif last.dotted:
            line = f"{number}. {link(material)}"
        else:
            line = f"[{number}] {link(material)}"
        ended = text[: last.end].endswith("\n")
        apart = "\n" if text[: last.start].endswith("\n\n") and len(alike) > 1 else ""
        self._sheet.insert(last.end, f"{apart}{line}\n" if ended else f"\n{apart}{line}")
        return number

    def _next_number(self) -> int:
        labels = [citation.label for citation in self._document.citations]
        labels += [entry.label for entry in self._entries]
        numbers = [int(label) for label in labels if label.isdigit()]
        return max([*numbers, 0]) + 1 + len(self._new_labels)


def _usual_form(document: Document) -> CitationForm | None:
    """Numbers or footnotes, if at least half of the citations in the text are such."""
    forms = Counter(
        document.citations[scoped.citation].form
        for sentence, scopes in zip(document.sentences, document.scopes, strict=True)
        for scoped in scopes
        if sentence.kind not in _LISTED and scoped.state is CitationState.DIRECT
    )
    form = next((form for form, _ in forms.most_common() if form in _KEYED), None)
    return form if form is not None and 2 * forms[form] >= forms.total() else None


class _Entry(NamedTuple):
    """An entry of the reference list: the document's `[start, end)`, whole lines."""

    label: str
    note: bool
    dotted: bool
    start: int
    end: int


def _entries(document: Document) -> Iterator[_Entry]:
    listed = (s for s in document.sentences if s.kind in _LISTED)
    for _, group in groupby(listed, key=lambda sentence: sentence.block):
        sentences = list(group)
        start = document.text.rfind("\n", 0, sentences[0].start) + 1
        newline = document.text.find("\n", sentences[-1].end)
        end = len(document.text) if newline < 0 else newline + 1
        entry = _ENTRY.match(document.text, start, end)
        if entry:
            label = entry["note"] or entry["bracketed"] or entry["dotted"]
            is_note, is_dotted = entry["note"] is not None, entry["dotted"] is not None
            yield _Entry(label, is_note, is_dotted, start, end)

"""Targets of citation keys: reference lists, footnotes and link definitions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from .authors import AuthorYear, entry_keys
from .model import Citation, Document

# Of so many works of one author and year only the first are told apart.
MAX_SAME_KEY = 20
# A shorter title stands in entries of other works, too.
LEAST_TITLE = 2
# Characters kept of a footnote of several paragraphs.
MAX_TEXT = 2000


@dataclass(frozen=True, slots=True)
class Reference:
    """An entry's text without its label, and the address it names, if any."""

    text: str
    target: str | None


# "Endline survey: https://…": a short title that the text cites the work by.
_TITLED = re.compile(r"(?P<title>[^\W\d_a-z][^:\n]{1,40}):\s")
# "lund2024", "lund_2024a", "lund2024wells".
_KEY = re.compile(r"(?P<name>[^\W\d_][^\W\d]*?[_:-]?)(?P<year>(?:1[5-9]|20)\d\d[a-z]?)(?![0-9])")


@dataclass(frozen=True, slots=True)
class References:
    """Every entry of the document, by label and by author and year. Labels are folded.

    The first entry of a label stands.
    """

    _labels: dict[str, Reference] = field(default_factory=dict[str, Reference])
    _notes: dict[str, Reference] = field(default_factory=dict[str, Reference])
    _titles: dict[str, Reference] = field(default_factory=dict[str, Reference])
    _works: dict[tuple[str, str], list[Reference]] = field(
        default_factory=dict[tuple[str, str], list[Reference]]
    )

    def add_entry(self, label: str, reference: Reference) -> None:
        """Add an entry of a reference list; `label` may be ""."""
        if label:
            self._labels.setdefault(fold_label(label), reference)
        titled = _TITLED.match(reference.text)
        if titled and reference.target:
            self._titles.setdefault(fold_label(titled["title"]), reference)
        keys = entry_keys(reference.text)
        for name in keys.names:
            for year in keys.years:
                works = self._works.setdefault((name, year), [])
                if len(works) < MAX_SAME_KEY:
                    works.append(reference)

    def add_note(self, label: str, reference: Reference) -> None:
        """Add a footnote, or a further paragraph of one."""
        key = fold_label(label)
        before = self._notes.get(key)
        if before is not None:
            text = f"{before.text} {reference.text}".strip()[:MAX_TEXT]
            reference = Reference(text, before.target or reference.target)
        self._notes[key] = reference

    def label(self, label: str) -> Reference | None:
        """The entry labelled `label` ("1", "Smith20")."""
        key = fold_label(label)
        return self._labels.get(key) or self._notes.get(key)

    def note(self, label: str) -> Reference | None:
        """The footnote `label`; authors mix the two styles, so a list entry also counts."""
        key = fold_label(label)
        return self._notes.get(key) or self._labels.get(key)

    def titled(self, title: str) -> Reference | None:
        """The entry that explains a short title: "Register: https://…"."""
        return self._titles.get(fold_label(title))

    def key(self, key: str) -> Reference | None:
        """The entry for ``[@key]``: the one labelled so, else that of the author and year in it."""
        if found := self.label(key):
            return found
        parts = _KEY.match(key.casefold())
        works = self._works.get((parts["name"].strip("_:-"), parts["year"])) if parts else None
        return works[0] if works else None

    def work(self, work: AuthorYear) -> Reference | None:
        """The entry for `work`: all its authors as written, else the first one's surname."""
        for name in (work.whole, work.first):
            if found := self._works.get((name, work.year)):
                return _best(found, work)
        return None


def _best(found: Sequence[Reference], work: AuthorYear) -> Reference:
    names = re.findall(r"[^\W\d_]{3,}", work.whole)
    return max(found, key=lambda entry: sum(name in entry.text.casefold() for name in names))


def fold_label(label: str) -> str:
    """`label` for comparison; a leading caret or "@" does not count."""
    return " ".join(label.casefold().lstrip("^@").split())


def with_named_works(document: Document, titles: Mapping[str, str]) -> Document:
    """`document` with the entries that name a work and no address led to the work at hand.

    `titles` are those of the works by address. An entry names a work if it has all words of its
    title, or of its file's name, in a row.
    """
    names = [
        (f" {' '.join(words)} ", url)
        for url, title in titles.items()
        for words in (_words(title), _words(url.rpartition("/")[2].rpartition(".")[0]))
        if len(words) >= LEAST_TITLE
    ]

    def led(citation: Citation) -> Citation:
        if citation.target is not None or not citation.reference:
            return citation
        text = f" {' '.join(_words(citation.reference))} "
        found = max(
            (one for one in names if one[0] in text), key=lambda one: len(one[0]), default=None
        )
        return replace(citation, target=found[1]) if found else citation

    return replace(document, citations=tuple(map(led, document.citations)))


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())

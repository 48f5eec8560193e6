"""The demands of a brief, read by rules, and the sections of an analysis that answers it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from pydantic import RootModel

from ..base.registry import RegistryModel, complete, load_registry_file
from ..documents.language import detect_language


@dataclass(frozen=True, slots=True)
class Assignment:
    """Assignment of a document: the questions of its brief, and the brief's own text."""

    questions: tuple[str, ...] = ()
    text: str = ""


BRIEF_FILE = "brief.yaml"

_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+(?P<title>[^\n]*?)[ \t]*#*[ \t]*")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+(?P<text>.*)")
_LABEL = re.compile(
    r"[*_]{0,2}(?P<label>[^\W\d_][^:\n]{0,40}?)[*_]{0,2}:[*_]{0,2}[ \t]*(?P<rest>.*)"
)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_RANGE = re.compile(r"(\d[\d,.]*)\s*(?:to|bis|à|a|-|–)\s*(\d[\d,.]*)\s+(\w+)")
_LENGTH = re.compile(r"(\d[\d,.]*)\s+(\w+)")


class CitingStyle(StrEnum):
    """How the brief wants sources cited."""

    NUMBERED = "numbered"
    FOOTNOTES = "footnotes"
    INLINE = "inline"


class BriefLabels(RegistryModel):
    """The words that introduce a part of a brief."""

    questions: tuple[str, ...]
    audience: tuple[str, ...]
    sections: tuple[str, ...]


class BriefRules(RegistryModel):
    """`config/registry/brief.yaml`."""

    labels: BriefLabels
    generic_titles: tuple[str, ...]
    length_units: tuple[str, ...]
    at_most: tuple[str, ...]
    about: tuple[str, ...]
    about_margin: float
    footnotes: tuple[str, ...]
    inline: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Brief:
    """A brief's demands.

    `questions` is never empty for a brief with text: without a question mark in it, its own
    sentences are the tasks. `min_words` and `max_words` bound the length, None without a bound.
    """

    title: str
    questions: tuple[str, ...]
    _: KW_ONLY
    sections: tuple[str, ...] = ()
    min_words: int | None = None
    max_words: int | None = None
    citing: CitingStyle = CitingStyle.NUMBERED


@dataclass(slots=True)
class _Reader:
    """Sorts the lines of a brief under their labels; wrapped lines join the entry they go on."""

    labels: dict[str, str]
    titles: list[str] = field(default_factory=list[str])
    entries: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    heading_label: str = ""
    list_label: str = ""
    in_list: bool = False
    open_entry: str | None = None

    def read(self, line: str) -> None:
        """Take one line."""
        heading = _HEADING.fullmatch(line)
        if not line.strip():
            self.open_entry = None
        elif heading:
            self._heading(heading["title"])
        else:
            item = _ITEM.fullmatch(line)
            text = (item["text"] if item else line).strip()
            label = _LABEL.fullmatch(text)
            name = self.labels.get(_folded(label["label"])) if label else None
            if label and name:
                rest = label["rest"].strip()
                self.open_entry, self.list_label = None, "" if rest else name
                if rest:
                    self._add(name, rest)
            elif self.open_entry is not None and not item:
                self.entries[self.open_entry][-1] += f" {text}"
            else:
                # Prose after the list that a label announces belongs to no label.
                if not item and (self.list_label or self.in_list):
                    self.list_label, self.heading_label = "", ""
                self.in_list = item is not None
                self._add(self.list_label or self.heading_label, text)

    def sentences(self, label: str) -> list[str]:
        """The sentences under `label`, "" for those under none."""
        entries = self.entries.get(label, ())
        parts = (part.strip() for entry in entries for part in _SENTENCE_END.split(entry))
        return [part for part in parts if part]

    def _heading(self, title: str) -> None:
        self.open_entry, self.list_label, self.in_list = None, "", False
        self.heading_label = self.labels.get(_folded(title), "")
        if not self.heading_label:
            self.titles.append(title.strip())

    def _add(self, name: str, text: str) -> None:
        self.entries.setdefault(name, []).append(text)
        self.open_entry = name


def _folded(label: str) -> str:
    return " ".join(label.casefold().strip(" :*_#").split())


def _names(entries: Iterable[str]) -> list[str]:
    names = (name.strip(" .\"'“”*_") for entry in entries for name in re.split("[,;]", entry))
    return [name for name in names if name]


def _is_formal(sentence: str, rules: BriefRules) -> bool:
    """Whether a sentence is about length or citing, and so not a task of its own."""
    folded = sentence.casefold()
    return _length(folded, rules) != (None, None) or _citing(folded, rules) != CitingStyle.NUMBERED


def _citing(folded: str, rules: BriefRules) -> CitingStyle:
    if _mentions(folded, rules.footnotes):
        return CitingStyle.FOOTNOTES
    return CitingStyle.INLINE if _mentions(folded, rules.inline) else CitingStyle.NUMBERED


def _mentions(folded: str, phrases: Iterable[str]) -> bool:
    return any(re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", folded) for phrase in phrases)


def _length(folded: str, rules: BriefRules) -> tuple[int | None, int | None]:
    """Lower and upper bound of the length in words."""
    for low, high, unit in _RANGE.findall(folded):
        if unit in rules.length_units:
            return _count(low), _count(high)
    for match in _LENGTH.finditer(folded):
        if match[2] not in rules.length_units:
            continue
        before, count = folded[max(0, match.start() - 20) : match.start()], _count(match[1])
        if _ends_with(before, rules.about):
            margin = rules.about_margin
            return round(count * (1 - margin)), round(count * (1 + margin))
        if _ends_with(before, rules.at_most):
            return None, count
    return None, None


def _ends_with(text: str, phrases: Iterable[str]) -> bool:
    return any(re.search(rf"(?<!\w){re.escape(phrase)}\.?\s*$", text) for phrase in phrases)


def _count(digits: str) -> int:
    return int(re.sub(r"\D", "", digits))


WORDING_FILE = "wording.yaml"
_FALLBACK = "en"


class SectionKind(StrEnum):
    """The purpose of a section of the analysis."""

    OVERVIEW = "overview"
    QUESTION = "question"
    TOPIC = "topic"
    GAPS = "gaps"
    SOURCES = "sources"


class Wording(RegistryModel):
    """The fixed words of an analysis in one language; `name` is the language's English name."""

    name: str
    overview: str
    overview_names: tuple[str, ...]
    gaps: str
    gaps_names: tuple[str, ...]
    sources: str
    sources_names: tuple[str, ...]
    note: str
    no_passage: str
    no_judgement: str
    no_gaps: str
    unanswered: str
    unconfirmed: str
    nothing_left: str


class Wordings(RootModel[Annotated[dict[str, Wording], complete((_FALLBACK,))]]):
    """`config/registry/wording.yaml`: the wording of each language, by its ISO 639-1 code."""

    def of(self, language: str) -> Wording:
        """The wording for `language`, English where there is none."""
        return self.root.get(language, self.root[_FALLBACK])


@dataclass(frozen=True, slots=True)
class OutlineSection:
    """A heading of the analysis; `topic` is the question or the title that it deals with."""

    heading: str
    kind: SectionKind
    topic: str


@dataclass(frozen=True, slots=True)
class BriefReading:
    """How briefs are read: their rules, and the fixed words of an analysis by language."""

    rules: BriefRules
    wordings: Wordings

    def brief(self, text: str) -> Brief:
        """The demands of the brief `text`."""
        table = {word.casefold(): name for name, words in self.rules.labels for word in words}
        rules, reader = self.rules, _Reader(table)
        for line in text.splitlines():
            reader.read(line)
        asked, prose = reader.sentences("questions"), reader.sentences("")
        generic = {title.casefold() for title in rules.generic_titles}
        titles = [title for title in reader.titles if _folded(title) not in generic]
        questions = asked or [part for part in prose if part.endswith("?")]
        questions = questions or [part for part in prose if not _is_formal(part, rules)] or titles
        low, high = _length(text.casefold(), rules)
        return Brief(
            title=_heading(next(iter([*titles, *questions]), "").rstrip(".:; "), most=120),
            questions=tuple(dict.fromkeys(questions)),
            sections=tuple(dict.fromkeys(_names(reader.entries.get("sections", ())))),
            min_words=low,
            max_words=high,
            citing=_citing(text.casefold(), rules),
        )

    def assignment(self, text: str) -> Assignment:
        """The demands of the brief `text` on a document, for its critique."""
        return Assignment(self.brief(text).questions, text)

    def wording(self, text: str) -> Wording:
        """The wording in the language of the brief `text` (decision 28)."""
        return self.wordings.of(detect_language(text))


def load_brief_reading(folder: Path | None = None) -> BriefReading:
    """Load `brief.yaml` and `wording.yaml` from `folder` or the packaged registry.

    Raises:
        RegistryError: A file is broken or does not validate.
    """
    return BriefReading(
        load_registry_file(BriefRules, BRIEF_FILE, folder),
        load_registry_file(Wordings, WORDING_FILE, folder),
    )


def outline(brief: Brief, wording: Wording) -> tuple[OutlineSection, ...]:
    """The sections of an analysis for `brief`, in order.

    The required sections stand as the brief names them. Sections for gaps and for sources come
    last where the brief does not name its own.
    """
    if brief.sections:
        named = {
            SectionKind.OVERVIEW: wording.overview_names,
            SectionKind.GAPS: wording.gaps_names,
            SectionKind.SOURCES: wording.sources_names,
        }
        middle = [
            OutlineSection(
                _heading(name),
                next((k for k, of in named.items() if _folded(name) in of), SectionKind.TOPIC),
                name,
            )
            for name in brief.sections
        ]
    else:
        middle = [OutlineSection(wording.overview, SectionKind.OVERVIEW, brief.title)]
        middle += [
            OutlineSection(_heading(question), SectionKind.QUESTION, question)
            for question in brief.questions
        ]
    kinds = {section.kind for section in middle}
    if SectionKind.GAPS not in kinds:
        middle.append(OutlineSection(wording.gaps, SectionKind.GAPS, wording.gaps))
    if SectionKind.SOURCES not in kinds:
        middle.append(OutlineSection(wording.sources, SectionKind.SOURCES, wording.sources))
    middle.sort(key=lambda section: section.kind is SectionKind.SOURCES)
    distinct: dict[str, OutlineSection] = {}
    for section in middle:
        distinct.setdefault(section.heading.casefold(), section)
    return tuple(distinct.values())


def _heading(text: str, most: int = 100) -> str:
    """`text` on one line, as a heading of at most so many characters, cut at a word."""
    line = " ".join(text.split()).strip("#").strip()
    if len(line) > most:
        line = line[:most].rsplit(" ", 1)[0].rstrip(",;: ") + " …"
    return line[:1].upper() + line[1:]

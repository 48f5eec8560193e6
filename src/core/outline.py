"""The sections of an analysis: those the brief requires, or one for each of its questions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from pydantic import RootModel, field_validator

from ..base.registry import RegistryModel, load_registry_file
from ..documents.language import detect_language
from ..verification.quality.critique import Commission
from .brief import BRIEF_FILE, Brief, BriefRules, parse_brief

WORDING_FILE = "wording.yaml"
_FALLBACK = "en"
_MAX_HEADING = 100


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


class Wordings(RootModel[dict[str, Wording]]):
    """`config/registry/wording.yaml`: the wording of each language, by its ISO 639-1 code."""

    @field_validator("root")
    @classmethod
    def _has_fallback(cls, root: dict[str, Wording]) -> dict[str, Wording]:
        if _FALLBACK not in root:
            raise ValueError(f"the wording for {_FALLBACK!r} is missing")
        return root

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
        return parse_brief(text, self.rules)

    def commission(self, text: str) -> Commission:
        """The demands of the brief `text` on a document, for its critique."""
        return Commission(self.brief(text).questions, text)

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
        middle = [_required(name, wording) for name in brief.sections]
    else:
        middle = [OutlineSection(wording.overview, SectionKind.OVERVIEW, brief.title)]
        middle += [
            OutlineSection(_heading(question), SectionKind.QUESTION, question)
            for question in brief.questions
        ]
    kinds = {section.kind for section in middle}
    sources = [section for section in middle if section.kind is SectionKind.SOURCES]
    body = [section for section in middle if section.kind is not SectionKind.SOURCES]
    if SectionKind.GAPS not in kinds:
        body.append(OutlineSection(wording.gaps, SectionKind.GAPS, wording.gaps))
    if not sources:
        sources = [OutlineSection(wording.sources, SectionKind.SOURCES, wording.sources)]
    return _distinct([*body, *sources])


def _required(name: str, wording: Wording) -> OutlineSection:
    folded = name.casefold().strip()
    if folded in wording.overview_names:
        kind = SectionKind.OVERVIEW
    elif folded in wording.gaps_names:
        kind = SectionKind.GAPS
    elif folded in wording.sources_names:
        kind = SectionKind.SOURCES
    else:
        kind = SectionKind.TOPIC
    return OutlineSection(_heading(name), kind, name)


def _heading(text: str) -> str:
    """`text` on one line, as a heading of at most 100 characters."""
    line = " ".join(text.split()).strip("#").strip()
    if len(line) > _MAX_HEADING:
        line = line[:_MAX_HEADING].rsplit(" ", 1)[0] + " …"
    return line[:1].upper() + line[1:]


def _distinct(sections: list[OutlineSection]) -> tuple[OutlineSection, ...]:
    unique = {section.heading.casefold(): section for section in reversed(sections)}
    return tuple(section for section in sections if unique[section.heading.casefold()] is section)

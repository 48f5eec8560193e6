"""The first draft: for each section the sentences of the sources that serve it, each cited."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.outline import OutlineSection, SectionKind, Wording, outline
from ...core.work import AnalystInput
from .excerpts import Excerpt, find_excerpts
from .extraction import Extraction, ExtractionFile
from .planning import Plan, Planner
from .relevance import Relevance
from .rules import OfflineRules
from .writing import Citations, escaped


def write_draft(inputs: AnalystInput, rules: OfflineRules) -> str:
    """An extractive analysis: every sentence of it is in a source, word for word, and cited.

    Questions of the brief without a passage are listed in the section for gaps.
    """
    brief = rules.reading.brief(inputs.brief)
    wording = rules.reading.wording(inputs.brief)
    extraction, lexicon = rules.extraction, rules.lexicon
    sections = outline(brief, wording)
    excerpts = find_excerpts(inputs.materials, extraction, lexicon)
    relevance = Relevance(excerpts, extraction, lexicon.words)
    plan = Planner(brief, sections, extraction.file, relevance).plan()
    citations = Citations(inputs.materials, brief.citing)
    bodies = {
        index: _gaps(plan, wording, extraction)
        if section.kind is SectionKind.GAPS
        else _body(section, plan.chosen.get(index, ()), citations)
        or _excuse(section, wording, extraction.file)
        for index, section in enumerate(sections)
        if section.kind is not SectionKind.SOURCES
    }
    parts = [f"# {escaped(brief.title)}", f"*{escaped(wording.note)}*"]
    for index, section in enumerate(sections):
        body = bodies.get(index) or citations.reference_list() or escaped(wording.no_passage)
        parts.append(f"## {section.heading}\n\n{body}")
    return "\n\n".join(parts) + "\n"


def _body(section: OutlineSection, excerpts: Sequence[Excerpt], citations: Citations) -> str:
    """A section's text, "" if there is nothing for it."""
    if section.kind is SectionKind.OVERVIEW:
        return "\n".join(f"- {citations.cited(e.text, e.material)}" for e in excerpts)
    paragraphs: dict[int, list[str]] = {}
    for excerpt in excerpts:
        sentence = citations.cited(excerpt.text, excerpt.material)
        paragraphs.setdefault(excerpt.material, []).append(sentence)
    return "\n\n".join(" ".join(sentences) for sentences in paragraphs.values())


def _gaps(plan: Plan, wording: Wording, extraction: Extraction) -> str:
    """The questions without a passage, and those that ask for a judgement."""
    judgement = extraction.judgement_questions
    unanswered = [
        question.text
        for question in plan.questions
        if not question.answers or judgement.search(question.text)
    ]
    if not unanswered:
        return escaped(wording.no_gaps)
    listed = "\n".join(f"- {escaped(text)}" for text in unanswered)
    return f"{escaped(wording.unanswered)}\n\n{listed}"


def _excuse(section: OutlineSection, wording: Wording, rules: ExtractionFile) -> str:
    """Why a section holds nothing."""
    asks_judgement = section.topic.casefold().strip() in rules.judgement
    return escaped(wording.no_judgement if asks_judgement else wording.no_passage)

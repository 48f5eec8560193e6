"""Structure and coverage: does the document have what the brief asks for?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ...base.counting import counted
from ...base.vocabulary import ReviewCriterion, Severity
from ...core.outline import SectionKind, outline
from ...documents.model import BlockKind, Section
from .excerpts import content_stems
from .graded import Grade, GradedText, Issue, worst_first

_WORD = re.compile(r"[^\W_]+(?:['’.,-][^\W_]+)*")
_NUMBERING = re.compile(r"^\s*(?:\d+(?:\.\d+)*[.)]?|[A-Z][.)]|[IVX]+\.)\s+")
_UNCOUNTED = (BlockKind.REFERENCE, BlockKind.FOOTNOTE, BlockKind.CODE, BlockKind.FRONT_MATTER)


def grade_structure(text: GradedText) -> Grade:
    """Required sections there, filled and in order; headings in steps; length kept."""
    places = _required_places(text)
    issues = worst_first(
        [
            *_missing_sections(places),
            *_empty_sections(text, [place for _, place in places if place]),
            *_order(places),
            *_heading_steps(text),
            *_length(text),
        ]
    )
    found = sum(place is not None for _, place in places)
    words = _word_count(text)
    required = (
        f"{found} of {counted(len(places), 'required section')}"
        if places
        else "no required sections"
    )
    reason = (
        f"{required}; {counted(words, 'word')}; {counted(len(text.document.sections), 'heading')}."
    )
    strength = ""
    if places and not issues:
        strength = "All required sections are there, filled and in order."
    return Grade(ReviewCriterion.STRUCTURE, text.score(issues), reason, issues, strength)


def grade_coverage(text: GradedText) -> Grade:
    """Each question of the brief dealt with in a section, or named as open."""
    answers = [_answer(text, question) for question in text.brief.questions]
    issues = [issue for answer in answers for issue in answer.issues]
    if answers and all(answer.share == 0.0 for answer in answers):
        issues = [
            Issue(
                Severity.HIGH,
                "",
                "No question of the brief is dealt with.",
                "Answer the brief's questions, or list each as open.",
                "; ".join(text.brief.questions)[:400],
            )
        ]
    dealt = sum(answer.share == 1.0 for answer in answers)
    score = sum(answer.share for answer in answers) / len(answers) if answers else 1.0
    questions = counted(len(answers), "question of the brief is", "questions of the brief are")
    reason = f"{dealt} of {questions} dealt with, judged by the words they share with a section."
    strength = "Each question of the brief is dealt with." if dealt == len(answers) else ""
    issues = worst_first(issues)
    return Grade(ReviewCriterion.COVERAGE, round(score, 2), reason, issues, strength)


def missing_sections(text: GradedText) -> tuple[str, ...]:
    """The required sections that no heading names."""
    return tuple(name for name, place in _required_places(text) if place is None)


def open_questions(text: GradedText) -> tuple[str, ...]:
    """The questions of the brief that are neither dealt with nor named as open."""
    return tuple(q for q in text.brief.questions if _answer(text, q).share < 1.0)


def is_empty(text: GradedText, section: Section) -> bool:
    """Whether nothing at all stands under a heading."""
    return not text.within(section) and not _holds_text(text, section)


def _required_places(text: GradedText) -> list[tuple[str, Section | None]]:
    """Each required section with the heading that names it."""
    wanted = set(text.brief.sections)
    places: list[tuple[str, Section | None]] = []
    for section in outline(text.brief, text.wording):
        if section.topic not in wanted:
            continue
        found = _find_section(text, section.topic)
        listed = section.kind is SectionKind.SOURCES and any(
            s.kind in (BlockKind.REFERENCE, BlockKind.FOOTNOTE) for s in text.document.sentences
        )
        if found is not None or not listed:
            places.append((section.topic, found))
    return places


def _find_section(text: GradedText, name: str) -> Section | None:
    wanted = _plain(name)
    for section in text.document.sections:
        if _plain(section.title) == wanted:
            return section
    stems = content_stems(name, text.lexicon.words)
    least = text.rubric.structure.heading_match
    best: tuple[float, Section] | None = None
    for section in text.document.sections:
        shared = stems & content_stems(section.title, text.lexicon.words)
        share = len(shared) / len(stems) if stems else 0.0
        if share >= least and (best is None or share > best[0]):
            best = (share, section)
    return best[1] if best else None


def _plain(title: str) -> str:
    return " ".join(_WORD.findall(_NUMBERING.sub("", title))).casefold()


def _missing_sections(places: Sequence[tuple[str, Section | None]]) -> Iterator[Issue]:
    for name, place in places:
        if place is None:
            yield Issue(
                Severity.HIGH,
                "",
                f"The brief requires a section {name!r}; no heading of the document names it.",
                f"Add a section {name!r}.",
                f"Brief, required sections: {name}",
            )


def _empty_sections(text: GradedText, required: Sequence[Section]) -> Iterator[Issue]:
    for section in text.document.sections:
        if not is_empty(text, section):
            continue
        severity = Severity.HIGH if section in required else Severity.MEDIUM
        heading = text.document.text[section.start : section.end].strip().splitlines()[0]
        yield Issue(
            severity,
            heading,
            f"The section {section.title!r} is empty.",
            "Fill it, or say in a sentence why there is nothing to say.",
        )


def _holds_text(text: GradedText, section: Section) -> bool:
    """Whether lines without sentences, such as an image or a rule, stand under the heading."""
    lines = text.document.text[section.start : section.end].strip().splitlines()[1:]
    return any(line.strip(" -=*_#") for line in lines)


def _order(places: Sequence[tuple[str, Section | None]]) -> Iterator[Issue]:
    starts = [place.start for _, place in places if place is not None]
    if starts != sorted(starts):
        yield Issue(
            Severity.LOW,
            "",
            "The required sections stand in another order than the brief gives them.",
            f"Use the order {', '.join(name for name, _ in places)}.",
        )


def _heading_steps(text: GradedText) -> Iterator[Issue]:
    sections = text.document.sections
    for above, section in pairwise(sections):
        if section.level > above.level + 1:
            heading = text.document.text[section.start : section.end].strip().splitlines()[0]
            yield Issue(
                Severity.LOW,
                heading,
                f"The heading skips a level: {above.level} is followed by {section.level}.",
                f"Make it a heading of level {above.level + 1}.",
            )
            return


def _length(text: GradedText) -> Iterator[Issue]:
    brief, rules, words = text.brief, text.rubric.structure, _word_count(text)
    if brief.max_words is not None and words > brief.max_words:
        small = words <= brief.max_words * (1 + rules.length_margin)
        yield Issue(
            Severity.LOW if small else Severity.MEDIUM,
            "",
            f"The document has {words:,} words; the brief allows {brief.max_words:,}.",
            f"Cut about {words - brief.max_words:,} words.",
        )
    if brief.min_words is not None and words < brief.min_words:
        small = words >= brief.min_words * (1 - rules.length_margin)
        yield Issue(
            Severity.LOW if small else Severity.MEDIUM,
            "",
            f"The document has {words:,} words; the brief asks for at least {brief.min_words:,}.",
            "Say more on the questions of the brief.",
        )
    if words >= rules.needs_headings and len(text.document.sections) < 2:
        yield Issue(
            Severity.LOW, "", f"{words:,} words stand without headings.", "Divide the text."
        )


def _word_count(text: GradedText) -> int:
    return sum(
        len(_WORD.findall(s.text)) for s in text.document.sentences if s.kind not in _UNCOUNTED
    )


@dataclass(frozen=True, slots=True)
class _Answer:
    """How a question is dealt with: `share` is 1, 0.5 or 0."""

    share: float
    issues: tuple[Issue, ...] = ()


def _answer(text: GradedText, question: str) -> _Answer:
    stems = content_stems(question, text.lexicon.words)
    if not stems or _named_as_open(text, question):
        return _Answer(1.0)
    rules = text.rubric.coverage
    in_section = max((_overlap(stems, own) for own in text.section_stems), default=0.0)
    in_document = _overlap(stems, text.stems)
    if in_section >= rules.in_section or in_document >= rules.in_document:
        return _Answer(1.0)
    hardly = in_section < rules.hardly_in_section and in_document < rules.hardly_in_document
    issue = Issue(
        Severity.MEDIUM if hardly else Severity.LOW,
        "",
        f"No section {'deals' if hardly else 'fully deals'} with the brief's question: {question}",
        "Answer it where the reader will look for it, or list it as open.",
        f"The section nearest to it shares {in_section:.0%} of its words.",
    )
    return _Answer(0.0 if hardly else 0.5, (issue,))


def _named_as_open(text: GradedText, question: str) -> bool:
    wanted = _plain(question)
    return any(wanted in _plain(sentence.text) for sentence in text.document.sentences)


def _overlap(stems: frozenset[str], present: frozenset[str]) -> float:
    return len(stems & present) / len(stems)

"""The revision: findings applied to a draft, and what was missed in it added."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...base.vocabulary import ReviewCriterion
from ...core.work import AnalystInput
from ...documents.model import Section
from .citing import cite_sentence, escape_markdown, marker_in
from .edits import EditSheet
from .excerpts import Excerpt, Relevance, find_excerpts
from .findings import apply_findings
from .grading import GradedText, is_empty, missing_sections, open_questions, parse_for_grading
from .rules import OfflineRules

_MOST_SENTENCES = 3


def revise(inputs: AnalystInput, rules: OfflineRules) -> str:
    """`inputs.draft` with `inputs.findings` applied; what no finding touches stays byte for byte.

    A finding with a correction is corrected. A dead citation is exchanged only for a source that
    says the sentence word for word. What cannot be confirmed becomes an open question; only what is
    contradicted and has no repair goes, and with it an uncited sentence that refers back to it.
    Headings stay. Sections that the revision emptied say so. Missing or empty sections and
    questions without an answer are filled from the sources, where a finding asks for it and they
    hold a passage.
    """
    text, unconfirmed = apply_findings(inputs, rules)
    graded = parse_for_grading(inputs.brief, text, rules)
    criteria = {finding.type for finding in inputs.findings}
    adder = _Adder(graded, inputs)
    if ReviewCriterion.STRUCTURE in criteria:
        adder.fill(section for section in graded.document.sections if is_empty(graded, section))
        adder.add_sections(missing_sections(graded))
    else:
        before = parse_for_grading(inputs.brief, inputs.draft, rules)
        adder.excuse({one.title for one in before.document.sections if is_empty(before, one)})
    if ReviewCriterion.COVERAGE in criteria:
        adder.answer(open_questions(graded))
    if unconfirmed:
        adder.list_as_open(graded.wording.unconfirmed, unconfirmed)
    return adder.text()


class _Adder:
    def __init__(self, graded: GradedText, inputs: AnalystInput) -> None:
        extraction, lexicon = graded.rules.extraction, graded.rules.lexicon
        self._graded = graded
        self._document, self._wording = graded.document, graded.wording
        self._sheet = EditSheet(graded.document, extraction.table_words)
        self._materials = inputs.materials
        present = " ".join(graded.document.text.split())
        fresh = [
            excerpt
            for excerpt in find_excerpts(inputs.materials, extraction, lexicon)
            if " ".join(escape_markdown(excerpt.text).split())[:-1] not in present
        ]
        self._relevance = Relevance(fresh, extraction, lexicon.words)
        self._used: set[str] = set()

    def text(self) -> str:
        """The draft with what was added."""
        return self._sheet.apply()

    def excuse(self, empty_before: Iterable[str]) -> None:
        """Say in sections that are empty now that nothing of them could be confirmed."""
        known = set(empty_before)
        for section in self._document.sections:
            if is_empty(self._graded, section) and section.title not in known:
                self._put_under(section, escape_markdown(self._wording.nothing_left))

    def fill(self, sections: Iterable[Section]) -> None:
        """Give each of `sections`, which are empty, what the sources have on its title."""
        for section in sections:
            self._put_under(section, self._on(section.title))

    def add_sections(self, names: Iterable[str]) -> None:
        """Add the sections `names`, in order, before the list of sources."""
        for name in names:
            self._add_section(name, self._on(name))

    def answer(self, questions: Iterable[str]) -> None:
        """Answer each question in a section of its own, or list it as open."""
        unanswered: list[str] = []
        for question in questions:
            hits = self._relevance.answers(self._relevance.query(question))
            written = self._write([hit.excerpt for hit in hits])
            if written:
                self._add_section(escape_markdown(question), written)
            else:
                unanswered.append(escape_markdown(question))
        if unanswered:
            self.list_as_open(self._wording.unanswered, unanswered)

    def list_as_open(self, lead: str, questions: Sequence[str]) -> None:
        """List `questions`, which are Markdown, in the section for gaps, which may be new."""
        listed = "\n".join(f"- {question}" for question in questions)
        text = f"{escape_markdown(lead)}\n\n{listed}"
        section = self._named((self._wording.gaps.casefold(), *self._wording.gaps_names))
        if section is None:
            self._add_section(self._wording.gaps, text)
            return
        body = self._document.text[section.start : section.end].rstrip()
        end = min(section.start + len(body) + 1, len(self._document.text))
        self._sheet.insert(end, f"\n{text}\n")

    def _on(self, title: str) -> str:
        fitting = self._relevance.fitting(self._relevance.query(title))
        return self._write(fitting) or escape_markdown(self._wording.no_passage)

    def _write(self, excerpts: Sequence[Excerpt]) -> str:
        """The first few of `excerpts` that are not in the text yet, each cited."""
        fresh = [e for e in excerpts if e.text not in self._used][:_MOST_SENTENCES]
        self._used.update(e.text for e in fresh)
        return " ".join(
            cite_sentence(e.text, marker_in(self._document, self._materials[e.material]))
            for e in fresh
        )

    def _put_under(self, section: Section, text: str) -> None:
        """Write `text` right below a heading's line."""
        newline = self._document.text.find("\n", section.start)
        at = len(self._document.text) if newline < 0 else newline + 1
        self._sheet.insert(at, f"\n{text}\n")

    def _add_section(self, heading: str, text: str) -> None:
        """Add a section before the list of sources, else at the end."""
        before = self._named((self._wording.sources.casefold(), *self._wording.sources_names))
        whole = self._document.text
        at = len(whole) if before is None else whole.rfind("\n", 0, before.start) + 1
        apart = "" if whole[:at].endswith("\n\n") else "\n"
        end = "" if before is None else "\n"
        self._sheet.insert(at, f"{apart}## {heading}\n\n{text}\n{end}")

    def _named(self, names: Iterable[str]) -> Section | None:
        wanted = set(names)
        sections = self._document.sections
        return next((one for one in sections if one.title.casefold() in wanted), None)

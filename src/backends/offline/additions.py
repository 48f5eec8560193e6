"""Additions of a revision: sections that are missing or empty, and questions left open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ...base.vocabulary import ReviewCriterion
from ...core.brief import Wording
from ...core.work import AnalystInput
from ...documents.model import Document, Section
from .edits import EditSheet
from .excerpts import Excerpt, find_excerpts
from .grading import GradedText, is_empty, missing_sections, open_questions, parse_for_grading
from .recitation import Recitation
from .relevance import Relevance
from .rules import OfflineRules
from .writing import cite_sentence, escape_markdown

_MOST_SENTENCES = 3


def complete(
    text: str, inputs: AnalystInput, rules: OfflineRules, unconfirmed: Sequence[str] = ()
) -> str:
    """`text`, a revised draft, with what the reviewer missed in it and nothing left empty.

    Statements that are `unconfirmed` are listed as open questions. Sections that the revision
    emptied say so. Missing or empty sections and questions without an answer are filled from the
    sources, where a finding asks for it and they hold a passage.
    """
    graded = parse_for_grading(inputs.brief, text, rules)
    before = parse_for_grading(inputs.brief, inputs.draft, rules)
    criteria = {finding.type for finding in inputs.findings}
    adder = _Adder(graded, inputs)
    if ReviewCriterion.STRUCTURE in criteria:
        adder.fill(section for section in graded.document.sections if is_empty(graded, section))
        adder.add_sections(missing_sections(graded))
    else:
        empty = {s.title for s in before.document.sections if is_empty(before, s)}
        adder.excuse(
            section
            for section in graded.document.sections
            if is_empty(graded, section) and section.title not in empty
        )
    if ReviewCriterion.COVERAGE in criteria:
        adder.answer(open_questions(graded))
    if unconfirmed:
        adder.ask(unconfirmed)
    return adder.text()


class _Adder:
    def __init__(self, graded: GradedText, inputs: AnalystInput) -> None:
        extraction, lexicon = graded.rules.extraction, graded.rules.lexicon
        self._document: Document = graded.document
        self._wording: Wording = graded.wording
        self._sheet = EditSheet(graded.document, extraction.table_words)
        self._materials = inputs.materials
        self._recitation = Recitation(self._sheet, inputs.materials)
        excerpts = find_excerpts(inputs.materials, extraction, lexicon)
        present = " ".join(graded.document.text.split())
        fresh = [
            e for e in excerpts if " ".join(escape_markdown(e.text).split())[:-1] not in present
        ]
        self._relevance = Relevance(fresh, extraction, lexicon.words)
        self._rules = extraction
        self._used: set[str] = set()

    def text(self) -> str:
        return self._sheet.apply()

    def excuse(self, sections: Iterator[Section]) -> None:
        """Say in each of `sections` that nothing of it could be confirmed."""
        for section in sections:
            self._sheet.insert(
                self._under(section), f"\n{escape_markdown(self._wording.nothing_left)}\n"
            )

    def fill(self, sections: Iterator[Section]) -> None:
        """Give each of `sections`, which are empty, what the sources have on its title."""
        for section in sections:
            self._sheet.insert(self._under(section), f"\n{self._on(section.title)}\n")

    def add_sections(self, names: Sequence[str]) -> None:
        """Add the sections `names`, in order, before the list of sources."""
        for name in names:
            self._sheet.insert(self._before_sources(), f"## {name}\n\n{self._on(name)}\n\n")

    def answer(self, questions: Sequence[str]) -> None:
        """Answer each question where its subject stands, or list it as open."""
        unanswered: list[str] = []
        for question in questions:
            query = self._relevance.query(question)
            excerpts = [hit.excerpt for hit in self._relevance.answers(query)]
            home = self._home(question)
            written = self._write(excerpts)
            if written and home is not None:
                self._sheet.insert(self._end_of(home), f"\n{written}\n")
            else:
                unanswered.append(question)
        if unanswered:
            self._list_as_open(self._wording.unanswered, map(escape_markdown, unanswered))

    def ask(self, statements: Sequence[str]) -> None:
        """List `statements`, which are Markdown, as open."""
        self._list_as_open(self._wording.unconfirmed, statements)

    def _on(self, title: str) -> str:
        query = self._relevance.query(title)
        scored = [(self._relevance.fit(query, e), e) for e in self._relevance.excerpts]
        fitting = sorted((p for p in scored if p[0] >= self._rules.belongs), key=lambda p: -p[0])
        return self._write([e for _, e in fitting]) or escape_markdown(self._wording.no_passage)

    def _write(self, excerpts: Sequence[Excerpt]) -> str:
        """The first few of `excerpts` that are not in the text yet, each cited."""
        fresh = [e for e in excerpts if e.text not in self._used][:_MOST_SENTENCES]
        self._used.update(e.text for e in fresh)
        return " ".join(
            cite_sentence(e.text, self._recitation.marker(self._materials[e.material]))
            for e in fresh
        )

    def _home(self, question: str) -> Section | None:
        stems = self._relevance.query(question).stems
        best: tuple[float, Section | None] = (0.0, None)
        for section in self._document.sections:
            if section.level > 1:
                shared, _ = self._relevance.covered(
                    stems, self._relevance.query(section.title).stems
                )
                best = max(best, (shared, section), key=lambda pair: pair[0])
        return best[1]

    def _list_as_open(self, lead: str, questions: Iterable[str]) -> None:
        listed = "\n".join(f"- {question}" for question in questions)
        text = f"{escape_markdown(lead)}\n\n{listed}\n"
        names = (self._wording.gaps.casefold(), *self._wording.gaps_names)
        for section in self._document.sections:
            if section.title.casefold() in names:
                self._sheet.insert(self._end_of(section), f"\n{text}")
                return
        at = self._before_sources()
        lead_in = "" if self._document.text[:at].endswith("\n\n") else "\n"
        end = "\n" if at < len(self._document.text) else ""
        self._sheet.insert(at, f"{lead_in}## {self._wording.gaps}\n\n{text}{end}")

    def _under(self, section: Section) -> int:
        """The place right below a heading's line."""
        newline = self._document.text.find("\n", section.start)
        return len(self._document.text) if newline < 0 else newline + 1

    def _end_of(self, section: Section) -> int:
        """The place after the last line of a section that is not empty."""
        text = self._document.text
        end = section.end if section.end == len(text) else self._line_start(section.end)
        body = text[section.start : end]
        return min(section.start + len(body.rstrip()) + 1, len(text))

    def _before_sources(self) -> int:
        """Where a new section goes: before the list of sources, else at the end."""
        names = (self._wording.sources.casefold(), *self._wording.sources_names)
        for section in self._document.sections:
            if section.title.casefold() in names:
                return self._line_start(section.start)
        return len(self._document.text)

    def _line_start(self, offset: int) -> int:
        return self._document.text.rfind("\n", 0, offset) + 1

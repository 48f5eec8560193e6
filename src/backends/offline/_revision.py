"""The revision: findings applied to a draft, of which nothing else is changed, and gaps filled."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import groupby

from ...base.vocabulary import (
    CitationState,
    Correction,
    Finding,
    IssueType,
    ReviewCriterion,
    Severity,
)
from ...core.work import AnalystInput, Material
from ...documents.inline import Span
from ...documents.model import BlockKind, Citation, Document, Section, Sentence
from ...documents.parse import parse_document
from ...verification.severity import is_closed, is_unread
from ._drafting import (
    Excerpt,
    Relevance,
    cite_sentence,
    escape_markdown,
    exchanged,
    find_excerpts,
    marker_in,
)
from ._grading import GradedText, is_empty, missing_sections, open_questions
from ._rules import OfflineRules


class EditSheet:
    """Collects the changes of one revision of `document`.

    Args:
        document: What is revised.
        table_words: How a sentence may name the table that follows it.

    Attributes:
        dropped: The indices of the sentences that go, with their citation markers.
    """

    def __init__(self, document: Document, table_words: re.Pattern[str]) -> None:
        self.document = document
        self.dropped = set[int]()
        self._table_words = table_words
        self._edits: list[Correction] = []

    def replace(self, start: int, end: int, text: str) -> None:
        """Put `text` in place of `[start, end)`; the first of two overlapping changes stands."""
        if not any(edit.start < end and start < edit.end for edit in self._edits):
            self._edits.append(Correction(start, end, text))

    def insert(self, at: int, text: str) -> None:
        """Put `text` before the character at `at`."""
        self._edits.append(Correction(at, at, text))

    def apply(self) -> str:
        """The document with the changes made."""
        self._drop_what_led_up()
        gone = [self._with_empty_line(span) for span in _merged(self._removals())]
        kept = [e for e in self._edits if not any(a <= e.start and e.end <= b for a, b in gone)]
        edits = [*(Correction(*span, "") for span in gone), *kept]
        text, at = self.document.text, 0
        pieces: list[str] = []
        for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
            pieces += (text[at : edit.start], edit.replacement)
            at = edit.end
        return "".join([*pieces, text[at:]])

    def _drop_what_led_up(self) -> None:
        """Drop the head of a table without rows, and "There are three reasons:" without reasons."""
        groups: dict[int, list[Sentence]] = defaultdict(list)
        for sentence in self.document.sentences:
            # No list has the number of a table.
            for group in (sentence.list_id, sentence.table):
                if group is not None:
                    groups[group].append(sentence)
        for group, members in groups.items():
            parts = {one.index for one in members if one.kind is not BlockKind.TABLE_HEADER}
            if not parts or not parts <= self.dropped:
                continue
            first = members[0].index
            self.dropped.update(one.index for one in members)
            lead = self.document.sentences[first - 1]
            names_table = members[0].table == group and self._table_words.search(lead.text)
            is_before = first > 0 and lead.kind is BlockKind.PARAGRAPH
            if is_before and (lead.text.endswith(":") or names_table):
                self.dropped.add(lead.index)

    def _removals(self) -> Iterator[Span]:
        for _, block in groupby(self.document.sentences, key=lambda sentence: sentence.block):
            sentences = list(block)
            gone = [sentence for sentence in sentences if sentence.index in self.dropped]
            if gone and len(gone) == len(sentences):
                yield self._whole_block(sentences)
            elif gone:
                last = max(s.index for s in sentences if s.index not in self.dropped)
                yield from (self._sentence(one, at_end=one.index > last) for one in gone)

    def _whole_block(self, sentences: Sequence[Sentence]) -> Span:
        """The lines of a block, unless another one has a part of them."""
        first, last = sentences[0], sentences[-1]
        start = self.document.text.rfind("\n", 0, first.start) + 1
        end = self.line_end(last.end)
        if last.kind is BlockKind.TABLE_HEADER:
            # The line of dashes belongs to it.
            end = self.line_end(end)
        shared = any(
            other.start < end and start < other.end and other.index not in self.dropped
            for other in self.document.sentences
        )
        return Span(first.start, last.end) if shared else Span(start, end)

    def line_end(self, offset: int) -> int:
        """Where the line with `offset` ends, its line feed included."""
        newline = self.document.text.find("\n", offset)
        return len(self.document.text) if newline < 0 else newline + 1

    def _with_empty_line(self, span: Span) -> Span:
        """`span` with the empty line after it if another one stands before it."""
        text = self.document.text
        after = text[span.end : self.line_end(span.end)]
        before = text[: span.start].rstrip(" \t")
        doubled = before.endswith(("\n\n", "\r\n\r\n")) and after and not after.strip()
        return Span(span.start, span.end + len(after)) if doubled else span

    def _sentence(self, sentence: Sentence, *, at_end: bool) -> Span:
        """One sentence with the space after it, or before it if nothing of its block follows."""
        text = self.document.text
        start, end = _without_open_marks(text, sentence.start, sentence.end)
        # The end of an emphasis follows the sentence before it.
        at_end = at_end or end < sentence.end
        while at_end and start > 0 and text[start - 1].isspace():
            start -= 1
        while not at_end and end < len(text) and text[end].isspace():
            end += 1
        return Span(start, end)


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


def _merged(spans: Iterable[Span]) -> list[Span]:
    """Removals with those joined that overlap or touch."""
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span.start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return merged


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
    reviser = _Reviser(inputs, rules)
    unconfirmed = reviser.unconfirmed()
    graded = GradedText(inputs.brief, reviser.text(), rules)
    criteria = {finding.type for finding in inputs.findings}
    adder = _Adder(graded, inputs)
    empty = [section for section in graded.document.sections if is_empty(graded, section)]
    if ReviewCriterion.STRUCTURE in criteria:
        for section in empty:
            adder.put_under(section, adder.on(section.title))
        for name in missing_sections(graded):
            adder.add_section(name, adder.on(name))
    else:
        before = GradedText(inputs.brief, inputs.draft, rules)
        known = {one.title for one in before.document.sections if is_empty(before, one)}
        for section in empty:
            if section.title not in known:
                adder.put_under(section, escape_markdown(graded.wording.nothing_left))
    if ReviewCriterion.COVERAGE in criteria:
        adder.answer(open_questions(graded))
    adder.list_as_open(graded.wording.unconfirmed, unconfirmed)
    return adder.sheet.apply()


class _Adder:
    def __init__(self, graded: GradedText, inputs: AnalystInput) -> None:
        extraction, lexicon = graded.rules.extraction, graded.rules.lexicon
        self._document, self._wording = graded.document, graded.wording
        self.sheet = EditSheet(graded.document, extraction.table_words)
        self._materials = inputs.materials
        present = " ".join(graded.document.text.split())
        fresh = [
            excerpt
            for excerpt in find_excerpts(inputs.materials, extraction, lexicon)
            if " ".join(escape_markdown(excerpt.text).split())[:-1] not in present
        ]
        self._relevance = Relevance(fresh, extraction, lexicon)
        self._used: set[str] = set()

    def answer(self, questions: Iterable[str]) -> None:
        """Answer each question in a section of its own, or list it as open."""
        unanswered: list[str] = []
        for question in questions:
            heading = escape_markdown(question)
            if written := self._write(self._relevance.answers(question)):
                self.add_section(heading, written)
            else:
                unanswered.append(heading)
        self.list_as_open(self._wording.unanswered, unanswered)

    def list_as_open(self, lead: str, questions: Sequence[str]) -> None:
        """List `questions`, which are Markdown, in the section for gaps, which may be new."""
        if not questions:
            return
        listed = "\n".join(f"- {question}" for question in questions)
        lead = escape_markdown(lead)
        text = f"{lead}\n\n{listed}"
        section = self._named(self._wording.gaps, self._wording.gaps_names)
        if section is None:
            self.add_section(self._wording.gaps, text)
            return
        whole = self._document.text
        # A section ends where the title of the next one begins, behind its marks.
        last = section.end if section.end == len(whole) else whole.rfind("\n", 0, section.end)
        body = whole[section.start : last].rstrip()
        joins = lead in body and body.rpartition("\n")[2].startswith("- ")
        self.sheet.insert(section.start + len(body), f"\n{listed}" if joins else f"\n\n{text}")

    def on(self, title: str) -> str:
        """What the sources have on a title."""
        fitting = self._relevance.fitting(title)
        return self._write(fitting) or escape_markdown(self._wording.no_passage)

    def _write(self, excerpts: Iterable[Excerpt]) -> str:
        """The first few of `excerpts` that are not in the text yet, each cited."""
        fresh = [e for e in excerpts if e.text not in self._used][:_MOST_SENTENCES]
        self._used.update(e.text for e in fresh)
        written = (
            cite_sentence(one, marker_in(self._document, self._materials[e.material]))
            for e in fresh
            for one in e.sentences
        )
        return " ".join(dict.fromkeys(written))

    def put_under(self, section: Section, text: str) -> None:
        """Write `text` right below a heading's line."""
        self.sheet.insert(self.sheet.line_end(section.start), f"\n{text}\n")

    def add_section(self, heading: str, text: str) -> None:
        """Add a section before the list of sources, else at the end."""
        before = self._named(self._wording.sources, self._wording.sources_names)
        whole = self._document.text
        at = len(whole) if before is None else whole.rfind("\n", 0, before.start) + 1
        apart = "" if whole[:at].endswith("\n\n") else "\n"
        end = "" if before is None else "\n"
        self.sheet.insert(at, f"{apart}## {heading}\n\n{text}\n{end}")

    def _named(self, name: str, names: Sequence[str]) -> Section | None:
        wanted = {name.casefold(), *names}
        sections = self._document.sections
        return next((one for one in sections if one.title.casefold() in wanted), None)


_SAME = str.maketrans({"\u2018": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-"})


_FALSE = {IssueType.FABRICATED, IssueType.VERIFIED_FALSE, IssueType.NUMERIC_ERROR}
_REFUTED = _FALSE | {IssueType.ALTERED_QUOTE, IssueType.ARITHMETIC}
"""The sentences of such a finding go."""
_CONFLICT = {IssueType.INTERNAL_CONTRADICTION, ReviewCriterion.CONSISTENCY}
"""Those go that no source says word for word."""
_MISCITED = {IssueType.DEAD_CITATION, IssueType.MISATTRIBUTED, IssueType.UNVERIFIABLE}
"""The citation is exchanged, or they become open questions; unsourced ones get a citation."""
_FORM = {IssueType.INCOMPLETE_CITATION, ReviewCriterion.CITATION_DENSITY}
"""A citation is added, or they stay as they are."""
_SETTLED = _REFUTED | _CONFLICT | _MISCITED | _FORM | {IssueType.UNSOURCED}
"""Every other finding is settled by what the revision adds, or by a person."""


class _Reviser:
    """Applies the findings; what none of them touches stays byte for byte."""

    def __init__(self, inputs: AnalystInput, rules: OfflineRules) -> None:
        self._document = parse_document(inputs.draft, rules.lexicon.document_words)
        self._sheet = EditSheet(self._document, rules.extraction.table_words)
        self._sources = [
            (one, _folded(" ".join(s.text for s in parse_document(one.text).sentences)))
            for one in inputs.materials
        ]
        self._refers_back = rules.extraction.refers_back.get(self._document.language)
        self._cited: set[int] = set()
        self._fabricated: set[int] = set()
        self._corrected: set[Correction] = set()
        self._refuted: set[int] = set()
        for finding in sorted(inputs.findings, key=lambda finding: finding.severity.rank):
            self._apply(finding)

    def unconfirmed(self) -> list[str]:
        """What goes without being refuted, as questions with the address of a source, if any."""
        questions: list[str] = []
        for index in sorted(self._sheet.dropped - self._refuted):
            sentence = self._document.sentences[index]
            targets = [f"`{one.target}`" for one in self._citations(sentence) if one.target]
            named = ", ".join(dict.fromkeys(targets))
            asked = escape_markdown(sentence.text.rstrip(".! "))
            # Words in the bracket, so that the file in it is no citation.
            questions.append(f"{asked} (cited: {named})?" if named else f"{asked}?")
        return questions

    def text(self) -> str:
        """The revised draft."""
        self._drop_hanging()
        return self._sheet.apply()

    def _apply(self, finding: Finding) -> None:
        if finding.correction is not None:
            self._correct(finding, finding.correction)
        elif finding.type in _SETTLED and not _may_settle_itself(finding):
            for sentence in self._sentences(finding):
                self._settle(finding, sentence)

    def _correct(self, finding: Finding, correction: Correction) -> None:
        # One mark may settle two findings of a claim.
        if correction in self._corrected:
            return
        self._corrected.add(correction)
        if correction.start == correction.end:
            # What is added is a citation, and one is enough.
            cited = {sentence.index for sentence in self._sentences(finding)}
            if cited and cited <= self._cited:
                return
            self._cited |= cited
        self._sheet.replace(correction.start, correction.end, correction.replacement)

    def _settle(self, finding: Finding, sentence: Sentence) -> None:
        refutes = finding.type in _REFUTED | _CONFLICT
        if refutes:
            goes = finding.type in _REFUTED or self._source_of(sentence) is None
        else:
            # A low finding never rejects alone: a general statement may stand as it is.
            stays = finding.type in _FORM or finding.severity is Severity.LOW
            goes = not (self._cite(finding, sentence) or stays)
        if goes:
            self._sheet.dropped.add(sentence.index)
        if goes and refutes:
            self._refuted.add(sentence.index)
        if finding.type is IssueType.FABRICATED:
            self._fabricated.add(sentence.index)

    def _cite(self, finding: Finding, sentence: Sentence) -> bool:
        """Whether a source says the sentence word for word, which is cited from now on.

        It takes the place of the citations at fault, if there are any.
        """
        if sentence.index in self._cited:
            return True
        citations = self._citations(sentence)
        named = f"{finding.problem} {finding.evidence}"
        at_fault = [one for one in citations if one.target and one.target in named] or citations
        material = self._source_of(sentence, besides={one.target for one in at_fault})
        if material is None:
            return False
        self._cited.add(sentence.index)
        replaced = at_fault if finding.type in _MISCITED else []
        changes = [(one, exchanged(self._document, one, material)) for one in replaced]
        for citation, text in changes:
            if text is not None:
                self._sheet.replace(citation.start, citation.end, text)
        if not changes or any(text is None for _, text in changes):
            written = self._document.text[sentence.start : sentence.end].rstrip()
            stop = sentence.start + len(written) - written.endswith((".", "!"))
            self._sheet.insert(stop, f" {marker_in(self._document, material)}")
        return True

    def _source_of(
        self, sentence: Sentence, besides: Container[str | None] = ()
    ) -> Material | None:
        """The first source, not at an address of `besides`, that says the sentence."""
        wanted = _folded(sentence.text).rstrip(".! ")
        for material, text in self._sources:
            if wanted and wanted in text and material.url not in besides:
                return material
        return None

    def _sentences(self, finding: Finding) -> Iterator[Sentence]:
        """The sentences that a finding is about."""
        place = finding.location
        if place is None:
            return
        for sentence in self._document.sentences:
            overlaps = sentence.start < place.end and place.start < sentence.end
            kind = sentence.kind
            if overlaps and kind.makes_claims and kind is not BlockKind.FOOTNOTE:
                yield sentence

    def _citations(self, sentence: Sentence) -> Sequence[Citation]:
        """The citations that stand in the sentence itself."""
        return [
            self._document.citations[scoped.citation]
            for scoped in self._document.scopes[sentence.index]
            if scoped.state is CitationState.DIRECT
        ]

    def _drop_hanging(self) -> None:
        """Drop uncited sentences that hang in the air without the one before them, which goes.

        After a fabricated result that is all that is built on it: every uncited sentence up to the
        next cited one. After others it is what refers back in so many words.
        """
        pattern, dropped = self._refers_back, self._sheet.dropped
        gone_from: int | None = None
        built_on_it = False
        for sentence in self._document.sentences:
            follows = gone_from == sentence.block
            built_on_it = follows and built_on_it
            if sentence.index in dropped:
                built_on_it = built_on_it or sentence.index in self._fabricated
            elif follows and not self._citations(sentence):
                refers = pattern is not None and pattern.match(sentence.text) is not None
                if built_on_it or refers:
                    dropped.add(sentence.index)
            gone_from = sentence.block if sentence.index in dropped else None


def _may_settle_itself(finding: Finding) -> bool:
    """Whether it is about a page that may answer in the next iteration."""
    if finding.type is not IssueType.UNVERIFIABLE or not is_unread(finding):
        return False
    low = finding.severity is Severity.LOW
    return low or (finding.severity is Severity.MEDIUM and not is_closed(finding))


def _folded(text: str) -> str:
    """`text` without what may differ: white space, case and forms of quotes."""
    return " ".join(text.translate(_SAME).casefold().split())

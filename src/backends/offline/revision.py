"""The revision: each finding applied to the draft, missing sections added, nothing else changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from ...base.vocabulary import (
    CitationState,
    Correction,
    Finding,
    IssueType,
    ReviewCriterion,
    Severity,
)
from ...core.brief import Wording
from ...core.work import AnalystInput, Material
from ...documents.model import BlockKind, Citation, Document, Section, Sentence
from ...documents.parse import parse_document
from ...verification.severity import is_closed, is_unread
from .edits import EditSheet, cite_sentence, escape_markdown
from .excerpts import Excerpt, Relevance, find_excerpts
from .grading import GradedText, is_empty, missing_sections, open_questions, parse_for_grading
from .recitation import Recitation
from .rules import ExtractionFile, OfflineRules

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


_SAME = str.maketrans({"\u2018": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-"})
_SENTENCES = (
    BlockKind.PARAGRAPH,
    BlockKind.LIST_ITEM,
    BlockKind.TABLE_ROW,
    BlockKind.BLOCK_QUOTE,
)


def revise(inputs: AnalystInput, rules: OfflineRules) -> str:
    """`inputs.draft` with `inputs.findings` applied; what no finding touches stays byte for byte.

    A finding with a correction is corrected. A dead citation is exchanged only for a source that
    says the sentence word for word. What cannot be confirmed becomes an open question; only what is
    contradicted and has no repair goes, and with it an uncited sentence that refers back to it.
    Headings stay.
    """
    document = parse_document(inputs.draft, rules.lexicon.document_words)
    reviser = _Reviser(document, inputs, rules.extraction)
    for finding in sorted(inputs.findings, key=lambda finding: finding.severity.rank):
        reviser.apply(finding)
    return complete(reviser.text(), inputs, rules, reviser.unconfirmed())


class _Attempt(StrEnum):
    """The first attempt, with the sources that say the sentence word for word."""

    NOTHING = "nothing"
    CITE = "cite"  # add a citation of one
    RECITE = "recite"  # let the citation at fault lead to one instead
    LOOK_UP = "look_up"  # keep the sentence as it is if there is one


@dataclass(frozen=True, slots=True)
class _Remedy:
    """How a finding without a correction is settled: `drop` takes the sentence out, else it stays.

    The sentence goes only if the attempt comes to nothing. With `ask` it stands among the open
    questions from then on: what rules cannot confirm may well be true.
    """

    attempt: _Attempt
    drop: bool
    ask: bool = False


_LEAVE = _Remedy(_Attempt.NOTHING, drop=False)
_DROP = _Remedy(_Attempt.NOTHING, drop=True)
_RECITE = _Remedy(_Attempt.RECITE, drop=True, ask=True)
_LOOK_UP = _Remedy(_Attempt.LOOK_UP, drop=True)
_CITE = _Remedy(_Attempt.CITE, drop=False)
_REMEDIES: Mapping[IssueType | ReviewCriterion, _Remedy] = {
    IssueType.UNSOURCED: _Remedy(_Attempt.CITE, drop=True, ask=True),
    IssueType.DEAD_CITATION: _RECITE,
    IssueType.MISATTRIBUTED: _RECITE,
    IssueType.UNVERIFIABLE: _RECITE,
    IssueType.FABRICATED: _DROP,
    IssueType.VERIFIED_FALSE: _DROP,
    IssueType.NUMERIC_ERROR: _DROP,
    IssueType.ALTERED_QUOTE: _DROP,
    IssueType.ARITHMETIC: _DROP,
    IssueType.INTERNAL_CONTRADICTION: _LOOK_UP,
    IssueType.INCOMPLETE_CITATION: _CITE,
    ReviewCriterion.CITATION_DENSITY: _CITE,
    ReviewCriterion.CONSISTENCY: _LOOK_UP,
}
"""Every other finding is settled by what `additions` adds, or by a person."""
# A low finding never rejects alone: a general statement may stand without a source.
_STAYS_IF_LOW = {
    IssueType.UNSOURCED: _CITE,
    IssueType.DEAD_CITATION: _LEAVE,
    IssueType.UNVERIFIABLE: _Remedy(_Attempt.RECITE, drop=False),
}


def _choose_remedy(finding: Finding) -> _Remedy:
    """Choose what to do about the sentences of `finding`."""
    low = finding.severity is Severity.LOW
    if finding.type is IssueType.UNVERIFIABLE and is_unread(finding):
        # What did not answer may do so in the next iteration.
        waits = finding.severity is Severity.MEDIUM and not is_closed(finding)
        return _LEAVE if low or waits else _RECITE
    if low and isinstance(finding.type, IssueType) and finding.type in _STAYS_IF_LOW:
        return _STAYS_IF_LOW[finding.type]
    return _REMEDIES.get(finding.type, _LEAVE)


class _Reviser:
    def __init__(self, document: Document, inputs: AnalystInput, rules: ExtractionFile) -> None:
        self._document = document
        self._sheet = EditSheet(document, rules.table_words)
        self._recitation = Recitation(self._sheet, inputs.materials)
        self._verbatim = _VerbatimIndex(inputs.materials)
        self._refers_back = rules.refers_back.get(document.language)
        self._recited: set[int] = set()
        self._fabricated: set[int] = set()
        self._corrected: set[Correction] = set()
        self._asked: set[int] = set()
        self._refused: set[int] = set()

    def text(self) -> str:
        """The revised draft."""
        for sentence in list(self._hanging()):
            self._sheet.drop(sentence)
        self._recitation.drop_orphans()
        return self._sheet.apply()

    def unconfirmed(self) -> tuple[str, ...]:
        """The statements that were not confirmed, each with the address of its source, if any."""
        return tuple(
            self._question(self._document.sentences[index])
            for index in sorted(self._asked - self._refused)
        )

    def _question(self, sentence: Sentence) -> str:
        targets = [one.target for one in self._citations(sentence) if one.target]
        named = ", ".join(f"`{target}`" for target in dict.fromkeys(targets))
        asked = escape_markdown(sentence.text.rstrip(".! "))
        # Words in the bracket, so that the file in it is no citation.
        return f"{asked} (cited: {named})?" if named else f"{asked}?"

    def apply(self, finding: Finding) -> None:
        """Settle one finding as far as rules can."""
        correction = finding.correction
        if correction is not None:
            self._correct(finding, correction)
            return
        found = _choose_remedy(finding)
        for sentence in self._sentences(finding):
            settled = self._attempt(found.attempt, finding, sentence)
            if found.drop and not settled:
                self._sheet.drop(sentence)
                (self._asked if found.ask else self._refused).add(sentence.index)
            if finding.type is IssueType.FABRICATED:
                self._fabricated.add(sentence.index)

    def _correct(self, finding: Finding, correction: Correction) -> None:
        # One mark may settle two findings of a claim.
        if correction in self._corrected:
            return
        self._corrected.add(correction)
        if correction.start == correction.end:
            # What is added is a citation, and one is enough.
            cited = {sentence.index for sentence in self._sentences(finding)}
            if cited and cited <= self._recited:
                return
            self._recited |= cited
        self._sheet.replace(correction.start, correction.end, correction.replacement)

    def _attempt(self, attempt: _Attempt, finding: Finding, sentence: Sentence) -> bool:
        """Whether the sources settle the finding."""
        match attempt:
            case _Attempt.NOTHING:
                return False
            case _Attempt.CITE:
                return self._cite(sentence)
            case _Attempt.RECITE:
                return self._recite(sentence, finding)
            case _Attempt.LOOK_UP:
                return self._verbatim.find(sentence.text) is not None
            case _:
                assert_never(attempt)

    def _sentences(self, finding: Finding) -> Iterator[Sentence]:
        """The sentences that a finding is about."""
        place = finding.location
        if place is None:
            return
        for sentence in self._document.sentences:
            overlaps = sentence.start < place.end and place.start < sentence.end
            if overlaps and sentence.kind in _SENTENCES:
                yield sentence

    def _cite(self, sentence: Sentence) -> bool:
        """Cite a source that says the sentence word for word, if there is one."""
        if sentence.index in self._recited:
            return True
        cited = frozenset(c.target for c in self._citations(sentence) if c.target)
        material = self._verbatim.find(sentence.text, besides=cited)
        if material is None:
            return False
        self._recitation.cite(sentence, material)
        self._recited.add(sentence.index)
        return True

    def _recite(self, sentence: Sentence, finding: Finding) -> bool:
        """Let the citations at fault lead to a source that says the sentence word for word."""
        if sentence.index in self._recited:
            return True
        citations = self._citations(sentence)
        named = f"{finding.problem} {finding.evidence}"
        at_fault = [c for c in citations if c.target and c.target in named] or citations
        targets = frozenset(c.target for c in at_fault if c.target)
        material = self._verbatim.find(sentence.text, besides=targets)
        if material is None:
            return False
        if not self._recitation.exchange(at_fault, material):
            self._recitation.cite(sentence, material)
        self._recited.add(sentence.index)
        return True

    def _citations(self, sentence: Sentence) -> list[Citation]:
        """The citations that stand in the sentence itself."""
        return [
            self._document.citations[scoped.citation]
            for scoped in self._document.scopes[sentence.index]
            if scoped.state is CitationState.DIRECT
        ]

    def _hanging(self) -> Iterator[Sentence]:
        """Uncited sentences that hang in the air without the one before them, which goes.

        After a fabricated result that is all that is built on it: every uncited sentence up to the
        next cited one. After others it is what refers back in so many words.
        """
        pattern = self._refers_back
        gone_before: Sentence | None = None
        built_on_it = False
        for sentence in self._document.sentences:
            follows = gone_before is not None and gone_before.block == sentence.block
            built_on_it = follows and built_on_it
            if sentence.index in self._sheet.dropped:
                built_on_it = built_on_it or sentence.index in self._fabricated
                gone_before = sentence
                continue
            refers = pattern is not None and pattern.match(sentence.text) is not None
            hangs = follows and (built_on_it or refers) and not self._citations(sentence)
            if hangs:
                yield sentence
            gone_before = sentence if hangs else None


class _VerbatimIndex:
    """Finds sentences in the sources; white space, case and forms of quotes do not matter."""

    def __init__(self, materials: Sequence[Material]) -> None:
        self._materials = materials
        self._texts = [_folded(_plain(material.text)) for material in materials]

    def find(self, sentence: str, *, besides: frozenset[str] = frozenset()) -> Material | None:
        """The first source, not at an address of `besides`, that holds `sentence`."""
        wanted = _folded(sentence).rstrip(".! ")
        for material, text in zip(self._materials, self._texts, strict=True):
            if wanted and wanted in text and material.url not in besides:
                return material
        return None


def _plain(text: str) -> str:
    """The words of a source without its markup."""
    return " ".join(sentence.text for sentence in parse_document(text).sentences)


def _folded(text: str) -> str:
    return " ".join(text.translate(_SAME).casefold().split())

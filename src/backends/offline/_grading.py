"""The rubric of the offline reviewer and judge: each criterion graded by rules or left open."""

from __future__ import annotations

import bisect
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, islice

from ...base.printable import counted
from ...base.vocabulary import ReviewCriterion, Severity
from ...claims.model import QuantityKind
from ...claims.quantities import find_slots
from ...claims.words import content_stems
from ...core.brief import SectionKind, outline
from ...documents.model import BlockKind, Section, Sentence
from ...documents.parse import parse_document
from ...redteam.model import FlawKind, Lens
from ...redteam.reading import Reading
from ...redteam.team import find_flaws
from ._rules import OfflineRules

_WORD = re.compile(r"[^\W_]+(?:['’.,-][^\W_]+)*")
_NUMBERING = re.compile(r"^\s*(?:\d+(?:\.\d+)*[.)]?|[A-Z][.)]|[IVX]+\.)\s+")
_DIGIT = re.compile(r"\d")
_USE_ONE = "Find out which is right and use it in both places."
_SPELL_OUT = "Spell it out where it first stands."
_UNCOUNTED = (BlockKind.REFERENCE, BlockKind.FOOTNOTE, BlockKind.CODE, BlockKind.FRONT_MATTER)
_NOT_GRADED = {
    ReviewCriterion.HEDGING: "Rules cannot judge whether confidence fits the evidence.",
    ReviewCriterion.REASONING: "Rules cannot judge whether conclusions follow from the evidence; "
    "this needs a reader.",
}


@dataclass(frozen=True, slots=True)
class Issue:
    """A fault of the draft; `quote` is the document's own words, "" for the whole of it."""

    severity: Severity
    quote: str
    problem: str
    recommendation: str
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class Grade:
    """A criterion graded: `score` 0–1, None with the reason why rules cannot judge it."""

    criterion: ReviewCriterion
    score: float | None
    reason: str
    issues: tuple[Issue, ...] = ()
    strength: str = ""


class GradedText:
    """A parsed draft with its brief and the rules, as the checks of the rubric use them."""

    def __init__(self, brief: str, draft: str, rules: OfflineRules) -> None:
        self.document = parse_document(draft, rules.lexicon.document_words)
        self.brief = rules.reading.brief(brief)
        self.wording = rules.reading.wording(brief)
        self.rules = rules

    @cached_property
    def reading(self) -> Reading:
        """The draft as the red team's rules read it."""
        return Reading(self.document, self.rules.lexicon, self.rules.red_team)

    @cached_property
    def section_stems(self) -> tuple[frozenset[str], ...]:
        """The words that carry meaning under each heading, its own included."""
        sections = self.document.sections
        return tuple(
            self.content(" ".join((one.title, *(s.text for s in self.within(one)))))
            for one in sections
        )

    @cached_property
    def stems(self) -> frozenset[str]:
        """The words that carry meaning in the whole document."""
        return self.content(" ".join(sentence.text for sentence in self.document.sentences))

    @cached_property
    def _starts(self) -> list[int]:
        return [sentence.start for sentence in self.document.sentences]

    def within(self, section: Section) -> tuple[Sentence, ...]:
        """The sentences under a heading, those under its subheadings included."""
        first = bisect.bisect_left(self._starts, section.start)
        last = bisect.bisect_left(self._starts, section.end)
        return tuple(
            s for s in self.document.sentences[first:last] if s.kind is not BlockKind.HEADING
        )

    def content(self, words: str) -> frozenset[str]:
        """Those of `words` that carry meaning, as they are compared."""
        return content_stems(words, self.rules.lexicon.words)

    def graded(
        self, criterion: ReviewCriterion, reason: str, issues: Sequence[Issue], strength: str = ""
    ) -> Grade:
        """A criterion whose score is 1 less the weight of each issue, at least 0."""
        lost = sum(self.rules.rubric.weights[issue.severity] for issue in issues)
        return Grade(criterion, round(max(0.0, 1.0 - lost), 2), reason, tuple(issues), strength)


def grade(text: GradedText) -> tuple[Grade, ...]:
    """Grade every criterion of the rubric."""
    return (
        grade_structure(text),
        grade_coverage(text),
        grade_density(text),
        grade_consistency(text),
        grade_readability(text),
        *(Grade(criterion, None, reason) for criterion, reason in _NOT_GRADED.items()),
    )


def grade_consistency(text: GradedText) -> Grade:
    """Look for two values of the same thing in the document, each pair an issue."""
    issues = _flaws(text, Lens.ANALYTICAL, FlawKind.INCONSISTENT_NUMBER, _USE_ONE)
    found = counted(len(issues), "value differs", "values differ") if issues else "No value differs"
    reason = f"{found} from what the document says elsewhere of the same thing."
    return text.graded(ReviewCriterion.CONSISTENCY, reason, issues)


def grade_readability(text: GradedText) -> Grade:
    """Look for abbreviations that are never spelled out."""
    issues = _flaws(text, Lens.TEXTUAL, FlawKind.UNDEFINED_ACRONYM, _SPELL_OUT)
    found = counted(len(issues), "abbreviation is", "abbreviations are") if issues else "None is"
    reason = f"Only abbreviations were looked at. {found} never spelled out."
    return text.graded(ReviewCriterion.READABILITY, reason, issues)


def _flaws(text: GradedText, lens: Lens, kind: FlawKind, fix: str) -> list[Issue]:
    """The flaws of one kind that the red team's rules find."""
    return [
        Issue(flaw.severity, flaw.quote, flaw.problem, fix)
        for flaw in find_flaws(text.reading, lens)
        if flaw.kind is kind
    ]


def grade_structure(text: GradedText) -> Grade:
    """Check that the required sections are there and filled, and the limits of length."""
    places = _required_places(text)
    required = [place for _, place in places if place]
    missing = [_missing_section(name) for name, place in places if place is None]
    words = sum(
        len(_WORD.findall(s.text)) for s in text.document.sentences if s.kind not in _UNCOUNTED
    )
    issues = [*missing, *_empty_sections(text, required), *_length(text, words)]
    sections = counted(len(places), "required section")
    found = f"{len(required)} of {sections}" if places else "no required sections"
    headings = counted(len(text.document.sections), "heading")
    reason = f"{found}; {counted(words, 'word')}; {headings}."
    strength = "All required sections are there and filled." if places and not issues else ""
    return text.graded(ReviewCriterion.STRUCTURE, reason, issues, strength)


def grade_coverage(text: GradedText) -> Grade:
    """Each question of the brief dealt with in a section, or named as open."""
    answers = [_answer(text, question) for question in text.brief.questions]
    shares = [share for share, _ in answers]
    issues = [issue for _, issue in answers if issue is not None]
    if shares and not any(shares):
        issues = [
            Issue(
                Severity.HIGH,
                "",
                "No question of the brief is dealt with.",
                "Answer the brief's questions, or list each as open.",
                "; ".join(text.brief.questions)[:400],
            )
        ]
    dealt = shares.count(1.0)
    score = sum(shares) / len(shares) if shares else 1.0
    questions = counted(len(shares), "question of the brief is", "questions of the brief are")
    reason = f"{dealt} of {questions} dealt with, judged by the words they share with a section."
    strength = "Each question of the brief is dealt with." if dealt == len(shares) else ""
    return Grade(ReviewCriterion.COVERAGE, round(score, 2), reason, tuple(issues), strength)


def missing_sections(text: GradedText) -> tuple[str, ...]:
    """The required sections that no heading names."""
    return tuple(name for name, place in _required_places(text) if place is None)


def open_questions(text: GradedText) -> tuple[str, ...]:
    """The questions of the brief that are neither dealt with nor named as open."""
    return tuple(q for q in text.brief.questions if _answer(text, q)[0] < 1.0)


def is_empty(text: GradedText, section: Section) -> bool:
    """Whether nothing at all stands under a heading, not even an image."""
    lines = text.document.text[section.start : section.end].strip().splitlines()[1:]
    return not text.within(section) and not any(line.strip(" -=*_#") for line in lines)


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
    stems = text.content(name)
    shares = [
        len(stems & text.content(section.title)) / max(1, len(stems))
        for section in text.document.sections
    ]
    best = max(shares, default=0.0)
    fits = best >= text.rules.rubric.structure.heading_match
    return text.document.sections[shares.index(best)] if fits else None


def _plain(title: str) -> str:
    return " ".join(_WORD.findall(_NUMBERING.sub("", title))).casefold()


def _missing_section(name: str) -> Issue:
    return Issue(
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
        yield Issue(
            Severity.HIGH if section in required else Severity.MEDIUM,
            text.document.text[section.start : section.end].strip().splitlines()[0],
            f"The section {section.title!r} is empty.",
            "Fill it, or say in a sentence why there is nothing to say.",
        )


def _length(text: GradedText, words: int) -> Iterator[Issue]:
    low, high, margin = (
        text.brief.min_words,
        text.brief.max_words,
        text.rules.rubric.structure.length_margin,
    )
    if high is not None and words > high:
        severity = Severity.LOW if words / high - 1 <= margin else Severity.MEDIUM
        problem = f"The document has {words:,} words; the brief allows {high:,}."
        yield Issue(severity, "", problem, f"Cut about {words - high:,} words.")
    if low is not None and words < low:
        severity = Severity.LOW if 1 - words / low <= margin else Severity.MEDIUM
        problem = f"The document has {words:,} words; the brief asks for at least {low:,}."
        yield Issue(severity, "", problem, "Say more on the questions of the brief.")


def _answer(text: GradedText, question: str) -> tuple[float, Issue | None]:
    """How far a question is dealt with, 1, 0.5 or 0, and what is wrong."""
    wanted, stems = _plain(question), text.content(question)
    if not stems or any(wanted in _plain(sentence.text) for sentence in text.document.sentences):
        return 1.0, None
    rules = text.rules.rubric.coverage
    in_section = max((len(stems & own) for own in text.section_stems), default=0) / len(stems)
    in_document = len(stems & text.stems) / len(stems)
    if in_section >= rules.in_section or in_document >= rules.in_document:
        return 1.0, None
    hardly = in_section < rules.hardly_in_section and in_document < rules.hardly_in_document
    issue = Issue(
        Severity.MEDIUM if hardly else Severity.LOW,
        "",
        f"No section {'deals' if hardly else 'fully deals'} with the brief's question: {question}",
        "Answer it where the reader will look for it, or list it as open.",
        f"The section nearest to it shares {in_section:.0%} of its words.",
    )
    return (0.0 if hardly else 0.5), issue


def grade_density(text: GradedText) -> Grade:
    """Whether sentences with figures, dates and quotations carry a citation."""
    factual = list(_factual(text))
    cited_words = {_numbers(s) for s in factual if text.document.covering(s.index)}
    # A sentence with the figures of a cited one needs no citation, nor does one that has its own.
    bare = [s for s in factual if _numbers(s) not in cited_words]
    backed = len(factual) - len(bare)
    share = backed / len(factual) if factual else 1.0
    enough = share >= text.rules.rubric.citation_density.enough
    issues = () if enough else tuple(_bare_sections(text, bare, factual))
    with_facts = "with a figure, date or quotation"
    those = counted(len(factual), f"sentence {with_facts} is", f"sentences {with_facts} are")
    reason = f"{backed} of {those} cited."
    strength = reason if factual and not bare else ""
    return Grade(ReviewCriterion.CITATION_DENSITY, round(share, 2), reason, issues, strength)


def _factual(text: GradedText) -> Iterator[Sentence]:
    """The sentences that state a figure, date or quotation as a fact."""
    file, density = text.rules.lexicon.file, text.rules.rubric.citation_density
    supposing = (file.hypothetical, file.estimate.phrases, file.own_future)
    quoting = {quote.sentence for quote in text.document.quotes}
    for sentence in text.document.sentences:
        words = sentence.text
        if not sentence.kind.makes_claims or sentence.kind is BlockKind.FOOTNOTE:
            continue
        supposed = words.endswith("?") or any(one.search(words) for one in supposing)
        supposed = supposed or density.about_itself.match(words)
        if sentence.index in quoting or (not supposed and _has_figure(text, words)):
            yield sentence


def _has_figure(text: GradedText, words: str) -> bool:
    quantities, dates = find_slots(words, text.rules.lexicon)
    counts = (q.text for q in quantities if q.kind is not QuantityKind.ORDINAL)
    return any(_DIGIT.search(figure) for figure in (*counts, *(date.text for date in dates)))


def _numbers(sentence: Sentence) -> frozenset[str]:
    return frozenset(re.findall(r"\d[\d,.]*\d|\d", sentence.text))


def _bare_sections(
    text: GradedText, bare: list[Sentence], factual: list[Sentence]
) -> Iterator[Issue]:
    """One issue for each section with uncited figures, quoting the first of them."""
    rules = text.rules.rubric.citation_density
    counts = Counter(sentence.section for sentence in factual)
    groups = groupby(bare, key=lambda sentence: sentence.section)
    for section, group in islice(groups, rules.most_issues):
        sentences = list(group)
        weak = rules.bare_section <= len(sentences) == counts[section]
        yield Issue(
            Severity.MEDIUM if weak else Severity.LOW,
            text.document.text[sentences[0].start : sentences[0].end].strip(),
            f"{len(sentences)} of {counts[section]} sentences with figures in "
            f"{section[-1] if section else 'the document'!r} carry no citation.",
            "Cite a source directly after each, or leave the figure out.",
        )

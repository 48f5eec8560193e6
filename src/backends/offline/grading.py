"""The rubric of the offline reviewer and judge: each criterion graded by rules or left open."""

from __future__ import annotations

import bisect
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, islice

from ...base.printable import counted
from ...base.vocabulary import ReviewCriterion, Severity
from ...claims.model import QuantityKind
from ...claims.quantities import find_slots
from ...claims.words import content_stems
from ...core.brief import Brief, SectionKind, Wording, outline
from ...documents.model import BlockKind, Document, Section, Sentence
from ...documents.parse import parse_document
from ...redteam.model import FlawKind, Lens
from ...redteam.reading import Reading
from ...redteam.team import find_flaws
from .rules import OfflineRules

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


@dataclass(frozen=True)
class GradedText:
    """A parsed draft with its brief and the rules, as the checks of the rubric use them."""

    document: Document
    brief: Brief
    wording: Wording
    rules: OfflineRules

    @cached_property
    def reading(self) -> Reading:
        """The draft as the red team's rules read it."""
        rules = self.rules
        return Reading(self.document, rules.lexicon, rules.red_team)

    @cached_property
    def section_stems(self) -> tuple[frozenset[str], ...]:
        """The words that carry meaning under each heading, its own included."""
        return tuple(
            content_stems(
                " ".join((section.title, *(s.text for s in self.within(section)))),
                self.rules.lexicon.words,
            )
            for section in self.document.sections
        )

    @cached_property
    def stems(self) -> frozenset[str]:
        """The words that carry meaning in the whole document."""
        text = " ".join(sentence.text for sentence in self.document.sentences)
        return content_stems(text, self.rules.lexicon.words)

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

    def score(self, issues: Iterable[Issue]) -> float:
        """1 less the weight of each issue, at least 0."""
        lost = sum(self.rules.rubric.weights[issue.severity] for issue in issues)
        return round(max(0.0, 1.0 - lost), 2)


def parse_for_grading(brief: str, draft: str, rules: OfflineRules) -> GradedText:
    """Parse `draft` and `brief` for grading."""
    return GradedText(
        document=parse_document(draft, rules.lexicon.document_words),
        brief=rules.reading.brief(brief),
        wording=rules.reading.wording(brief),
        rules=rules,
    )


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
    return Grade(ReviewCriterion.CONSISTENCY, text.score(issues), reason, issues)


def grade_readability(text: GradedText) -> Grade:
    """Look for abbreviations that are never spelled out."""
    issues = _flaws(text, Lens.TEXTUAL, FlawKind.UNDEFINED_ACRONYM, _SPELL_OUT)
    found = counted(len(issues), "abbreviation is", "abbreviations are") if issues else "None is"
    reason = f"Only abbreviations were looked at. {found} never spelled out."
    return Grade(ReviewCriterion.READABILITY, text.score(issues), reason, issues)


def _flaws(text: GradedText, lens: Lens, kind: FlawKind, fix: str) -> tuple[Issue, ...]:
    """The flaws of one kind that the red team's rules find."""
    return tuple(
        Issue(flaw.severity, flaw.quote, flaw.problem, fix)
        for flaw in find_flaws(text.reading, lens)
        if flaw.kind is kind
    )


def grade_structure(text: GradedText) -> Grade:
    """Check that the required sections are there and filled, and the limits of length."""
    places = _required_places(text)
    required = [place for _, place in places if place]
    missing = [_missing_section(name) for name, place in places if place is None]
    issues = _worst_first([*missing, *_empty_sections(text, required), *_length(text)])
    sections = counted(len(places), "required section")
    found = f"{len(required)} of {sections}" if places else "no required sections"
    words, headings = _word_count(text), len(text.document.sections)
    reason = f"{found}; {counted(words, 'word')}; {counted(headings, 'heading')}."
    strength = "All required sections are there and filled." if places and not issues else ""
    return Grade(ReviewCriterion.STRUCTURE, text.score(issues), reason, issues, strength)


def grade_coverage(text: GradedText) -> Grade:
    """Each question of the brief dealt with in a section, or named as open."""
    answers = [_answer(text, question) for question in text.brief.questions]
    shares = [share for share, _ in answers]
    issues = [issue for _, found in answers for issue in found]
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
    return Grade(ReviewCriterion.COVERAGE, round(score, 2), reason, _worst_first(issues), strength)


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
    words = text.rules.lexicon.words
    stems = content_stems(name, words)
    shares = [
        len(stems & content_stems(section.title, words)) / max(1, len(stems))
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
        severity = Severity.HIGH if section in required else Severity.MEDIUM
        heading = text.document.text[section.start : section.end].strip().splitlines()[0]
        yield Issue(
            severity,
            heading,
            f"The section {section.title!r} is empty.",
            "Fill it, or say in a sentence why there is nothing to say.",
        )


def _length(text: GradedText) -> Iterator[Issue]:
    low, high, words = text.brief.min_words, text.brief.max_words, _word_count(text)
    if high is not None and words > high:
        problem = f"The document has {words:,} words; the brief allows {high:,}."
        yield _wrong_length(text, words / high - 1, problem, f"Cut about {words - high:,} words.")
    if low is not None and words < low:
        problem = f"The document has {words:,} words; the brief asks for at least {low:,}."
        fix = "Say more on the questions of the brief."
        yield _wrong_length(text, 1 - words / low, problem, fix)


def _wrong_length(text: GradedText, off: float, problem: str, fix: str) -> Issue:
    slight = off <= text.rules.rubric.structure.length_margin
    return Issue(Severity.LOW if slight else Severity.MEDIUM, "", problem, fix)


def _word_count(text: GradedText) -> int:
    return sum(
        len(_WORD.findall(s.text)) for s in text.document.sentences if s.kind not in _UNCOUNTED
    )


def _answer(text: GradedText, question: str) -> tuple[float, list[Issue]]:
    """How far a question is dealt with, 1, 0.5 or 0, and what is wrong."""
    stems = content_stems(question, text.rules.lexicon.words)
    if not stems or _named_as_open(text, question):
        return 1.0, []
    rules = text.rules.rubric.coverage
    in_section = max((_overlap(stems, own) for own in text.section_stems), default=0.0)
    in_document = _overlap(stems, text.stems)
    if in_section >= rules.in_section or in_document >= rules.in_document:
        return 1.0, []
    hardly = in_section < rules.hardly_in_section and in_document < rules.hardly_in_document
    issue = Issue(
        Severity.MEDIUM if hardly else Severity.LOW,
        "",
        f"No section {'deals' if hardly else 'fully deals'} with the brief's question: {question}",
        "Answer it where the reader will look for it, or list it as open.",
        f"The section nearest to it shares {in_section:.0%} of its words.",
    )
    return (0.0 if hardly else 0.5), [issue]


def _named_as_open(text: GradedText, question: str) -> bool:
    wanted = _plain(question)
    return any(wanted in _plain(sentence.text) for sentence in text.document.sentences)


def _overlap(stems: frozenset[str], present: frozenset[str]) -> float:
    return len(stems & present) / len(stems)


def grade_density(text: GradedText) -> Grade:
    """Whether sentences with figures, dates and quotations carry a citation."""
    factual = list(_factual(text))
    cited_words = {_numbers(s) for s in factual if text.document.covering(s.index)}
    bare = [
        s for s in factual if not text.document.covering(s.index) and _numbers(s) not in cited_words
    ]
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
    file = text.rules.lexicon.file
    supposing = (file.hypothetical, file.estimate.phrases, file.own_future)
    quoting = {quote.sentence for quote in text.document.quotes}
    for sentence in text.document.sentences:
        words = sentence.text
        if not sentence.kind.makes_claims or sentence.kind is BlockKind.FOOTNOTE:
            continue
        supposed = words.endswith("?") or any(one.search(words) for one in supposing)
        supposed = supposed or text.rules.rubric.citation_density.about_itself.match(words)
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
    for section, group in islice(
        groupby(bare, key=lambda sentence: sentence.section), rules.most_issues
    ):
        sentences = list(group)
        none_cited = len(sentences) == counts[section]
        weak = none_cited and len(sentences) >= rules.bare_section
        yield Issue(
            Severity.MEDIUM if weak else Severity.LOW,
            text.document.text[sentences[0].start : sentences[0].end].strip(),
            f"{len(sentences)} of {counts[section]} sentences with figures in "
            f"{section[-1] if section else 'the document'!r} carry no citation.",
            "Cite a source directly after each, or leave the figure out.",
        )


def _worst_first(issues: Sequence[Issue]) -> tuple[Issue, ...]:
    """`issues` by severity; equals keep their order."""
    return tuple(sorted(issues, key=lambda issue: issue.severity.rank))

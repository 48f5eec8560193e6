"""Citation density, hedging and readability: how the sentences are written and backed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby, islice

from ...base.counting import counted
from ...base.vocabulary import ReviewCriterion, Severity
from ...claims.lexicon import phrase_pattern
from ...claims.model import QuantityKind
from ...claims.quantity.quantities import find_slots
from ...documents.model import BlockKind, Sentence
from .graded import Grade, GradedText, Issue, worst_first

_WORD = re.compile(r"[^\W_]+(?:['’.,-][^\W_]+)*")
_ACRONYM = re.compile(r"(?<![\w./@#-])[A-Z][A-Z0-9]{1,5}(?=s?(?![\w/@-]))")
_DIGIT = re.compile(r"\d")


def grade_density(text: GradedText) -> Grade:
    """Whether sentences with figures, dates and quotations carry a citation."""
    factual = [s for s in text.document.sentences if _is_factual(text, s)]
    cited_words = {_numbers(s) for s in factual if text.document.covering(s.index)}
    bare = [
        s for s in factual if not text.document.covering(s.index) and _numbers(s) not in cited_words
    ]
    backed = len(factual) - len(bare)
    share = backed / len(factual) if factual else 1.0
    enough = share >= text.rubric.citation_density.enough
    issues = () if enough else tuple(_bare_sections(text, bare, factual))
    with_facts = "with a figure, date or quotation"
    those = counted(len(factual), f"sentence {with_facts} is", f"sentences {with_facts} are")
    reason = f"{backed} of {those} cited."
    strength = reason if factual and not bare else ""
    return Grade(ReviewCriterion.CITATION_DENSITY, round(share, 2), reason, issues, strength)


def grade_hedging(text: GradedText) -> Grade:
    """Stacked hedges, witnesses without a name, and certainty without evidence."""
    rules = text.rubric.hedging
    hedges, weasels, overclaims = map(
        phrase_pattern, (rules.hedges, rules.weasels, rules.overclaims)
    )
    issues: list[Issue] = []
    hedged = 0
    for sentence in text.prose:
        found = hedges.findall(sentence.text)
        hedged += bool(found)
        cited = bool(text.document.covering(sentence.index))
        if len(found) >= rules.stacked and _crowded(sentence.text, hedges):
            issues.append(_hedging(text, sentence, "It hedges twice over", "Keep one hedge."))
        if not cited and (weasel := weasels.search(sentence.text)):
            problem = f"{weasel[0]!r} names no witness"
            fix = "Name and cite them, or leave it out."
            issues.append(_hedging(text, sentence, problem, fix, Severity.MEDIUM))
        if not cited and (overclaim := overclaims.search(sentence.text)):
            problem = f"{overclaim[0]!r} claims a certainty that nothing cited bears out"
            issues.append(_hedging(text, sentence, problem, "State the evidence instead."))
    share = hedged / len(text.prose) if text.prose else 0.0
    if len(text.prose) >= rules.few and share > rules.share:
        problem = f"{hedged} of {len(text.prose)} sentences hedge: it is unclear what is sure."
        issues.append(Issue(Severity.LOW, "", problem, "Say plainly what is known."))
    those = counted(len(text.prose), "sentence hedges", "sentences hedge")
    reason = f"{hedged} of {those}; {counted(len(issues), 'place')} to settle."
    return Grade(ReviewCriterion.HEDGING, text.score(issues), reason, worst_first(issues))


def grade_readability(text: GradedText) -> Grade:
    """Lengths of sentences and paragraphs, and abbreviations that are never spelled out."""
    lengths = [len(_WORD.findall(sentence.text)) for sentence in text.prose]
    mean = sum(lengths) / len(lengths) if lengths else 0.0
    most = text.rubric.readability.most_issues
    issues = [
        *islice(_long_sentences(text, lengths), most),
        *islice(_long_paragraphs(text), most),
        *islice(_undefined_acronyms(text), most),
    ]
    if mean > text.rubric.readability.mean_sentence:
        problem = f"Sentences have {mean:.0f} words on average."
        issues.append(Issue(Severity.LOW, "", problem, "Break up the longest ones."))
    reason = f"{mean:.0f} words a sentence on average, {max(lengths, default=0)} in the longest."
    return Grade(ReviewCriterion.READABILITY, text.score(issues), reason, tuple(issues))


def _is_factual(text: GradedText, sentence: Sentence) -> bool:
    """Whether the sentence states a figure, date or quotation as a fact."""
    if not sentence.kind.makes_claims or sentence.kind is BlockKind.FOOTNOTE:
        return False
    if sentence.index in text.quoting:
        return True
    supposed = text.supposing.search(sentence.text) or text.about_itself.match(sentence.text)
    if sentence.text.endswith("?") or supposed:
        return False
    quantities, dates = find_slots(sentence.text, text.lexicon)
    figures = [
        q for q in quantities if q.kind is not QuantityKind.ORDINAL and _DIGIT.search(q.text)
    ]
    return bool(figures) or any(_DIGIT.search(date.text) for date in dates)


def _numbers(sentence: Sentence) -> frozenset[str]:
    return frozenset(re.findall(r"\d[\d,.]*\d|\d", sentence.text))


def _bare_sections(
    text: GradedText, bare: list[Sentence], factual: list[Sentence]
) -> Iterator[Issue]:
    """One issue for each section with uncited figures, quoting the first of them."""
    rules = text.rubric.citation_density
    counts = Counter(sentence.section for sentence in factual)
    for section, group in islice(
        groupby(bare, key=lambda sentence: sentence.section), rules.most_issues
    ):
        sentences = list(group)
        none_cited = len(sentences) == counts[section]
        weak = none_cited and len(sentences) >= rules.bare_section
        yield Issue(
            Severity.MEDIUM if weak else Severity.LOW,
            text.source(sentences[0]),
            f"{len(sentences)} of {counts[section]} sentences with figures in "
            f"{section[-1] if section else 'the document'!r} carry no citation.",
            "Cite a source directly after each, or leave the figure out.",
        )


def _hedging(
    text: GradedText,
    sentence: Sentence,
    problem: str,
    recommendation: str,
    severity: Severity = Severity.LOW,
) -> Issue:
    return Issue(severity, text.source(sentence), f"{problem}.", recommendation)


def _crowded(sentence: str, hedges: re.Pattern[str]) -> bool:
    """Whether two hedges stand in one clause."""
    return any(len(hedges.findall(clause)) > 1 for clause in re.split(r"[,;:()]", sentence))


def _long_sentences(text: GradedText, lengths: list[int]) -> Iterator[Issue]:
    longest = text.rubric.readability.longest_sentence
    for sentence, length in zip(text.prose, lengths, strict=True):
        if length > longest:
            problem = f"The sentence has {length} words."
            yield Issue(Severity.LOW, text.source(sentence), problem, "Break it up.")


def _long_paragraphs(text: GradedText) -> Iterator[Issue]:
    longest = text.rubric.readability.longest_paragraph
    for _, group in groupby(text.prose, key=lambda sentence: sentence.block):
        sentences = list(group)
        length = sum(len(_WORD.findall(sentence.text)) for sentence in sentences)
        if length > longest:
            problem = f"The paragraph that begins here has {length} words."
            yield Issue(Severity.LOW, text.source(sentences[0]), problem, "Break it up.")


def _undefined_acronyms(text: GradedText) -> Iterator[Issue]:
    rules = text.rubric.readability
    everything = " ".join(sentence.text for sentence in text.document.sentences)
    first: dict[str, Sentence] = {}
    uses: Counter[str] = Counter()
    for sentence in text.prose:
        for match in _ACRONYM.finditer(sentence.text):
            uses[match[0]] += 1
            first.setdefault(match[0], sentence)
    for acronym, count in uses.items():
        if count < rules.acronym_uses or acronym in rules.known_acronyms:
            continue
        spelled = re.search(rf"\({acronym}s?\)|\b{acronym}s? \([A-Za-z]", everything)
        if spelled is None:
            yield Issue(
                Severity.LOW,
                text.source(first[acronym]),
                f"The abbreviation {acronym!r} is used {count} times and never spelled out.",
                f"Spell out {acronym!r} where it first stands.",
            )

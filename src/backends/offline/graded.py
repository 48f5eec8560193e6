"""What grading a draft starts from, and what it gives."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from ...base.vocabulary import ReviewCriterion, Severity
from ...claims.lexicon import Lexicon, phrase_pattern
from ...core.brief import Brief
from ...core.outline import Wording
from ...documents.model import BlockKind, Document, Section, Sentence
from ...documents.parse import parse_document
from .excerpts import content_stems
from .rubric import Rubric
from .rules import OfflineRules


@dataclass(frozen=True, slots=True)
class Issue:
    """Something to settle; `quote` is the document's own words, "" for the whole of it."""

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
    """The draft and the brief as the checks of the rubric see them."""

    document: Document
    brief: Brief
    wording: Wording
    rubric: Rubric
    lexicon: Lexicon

    @cached_property
    def prose(self) -> tuple[Sentence, ...]:
        """The sentences that a reader reads: no headings, references, tables or code."""
        kinds = (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.BLOCK_QUOTE)
        return tuple(s for s in self.document.sentences if s.kind in kinds)

    @cached_property
    def quoting(self) -> frozenset[int]:
        """The sentences that hold a quotation, by index."""
        return frozenset(quote.sentence for quote in self.document.quotes)

    @cached_property
    def supposing(self) -> re.Pattern[str]:
        """Words of supposition, estimate and plan: what follows is not stated as a fact."""
        file = self.lexicon.file
        return phrase_pattern((*file.hypothetical, *file.estimate.phrases, *file.own_future))

    @cached_property
    def about_itself(self) -> re.Pattern[str]:
        """How a sentence begins that speaks of the document itself."""
        return phrase_pattern(self.rubric.citation_density.about_itself)

    @cached_property
    def section_stems(self) -> tuple[frozenset[str], ...]:
        """The words that carry meaning under each heading, its own included."""
        return tuple(
            content_stems(
                " ".join((section.title, *(s.text for s in self.within(section)))),
                self.lexicon.words,
            )
            for section in self.document.sections
        )

    @cached_property
    def stems(self) -> frozenset[str]:
        """The words that carry meaning in the whole document."""
        text = " ".join(sentence.text for sentence in self.document.sentences)
        return content_stems(text, self.lexicon.words)

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

    def source(self, sentence: Sentence) -> str:
        """A sentence as it stands in the draft, with its markup."""
        return self.document.text[sentence.start : sentence.end].strip()

    def score(self, issues: Iterable[Issue]) -> float:
        """1 less the weight of each issue, at least 0."""
        lost = sum(self.rubric.weights[issue.severity] for issue in issues)
        return round(max(0.0, 1.0 - lost), 2)


def graded_text(brief: str, draft: str, rules: OfflineRules) -> GradedText:
    """`draft` parsed, with what `brief` asks of it."""
    return GradedText(
        document=parse_document(draft),
        brief=rules.reading.brief(brief),
        wording=rules.reading.wording(brief),
        rubric=rules.rubric,
        lexicon=rules.lexicon,
    )


def worst_first(issues: Sequence[Issue]) -> tuple[Issue, ...]:
    """`issues` by severity; equals keep their order."""
    return tuple(sorted(issues, key=lambda issue: issue.severity.rank))

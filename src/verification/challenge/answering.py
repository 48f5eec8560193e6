"""Questions answered from the snapshots by code.

An answer is a value of a source with which the question makes a statement that the engine finds
supported by that source. Nothing else is needed of the claim.
"""

from __future__ import annotations

import re
from dataclasses import replace

from ...base.vocabulary import CitationState, Stance, Verdict
from ...claims.model import CitedAddress, DateSpan, Quantity
from ..assessing.elsewhere import likely_sources
from ..assessing.lookup import find_passages
from ..judge import judge
from ..model import Evidence, Passage
from ..passages.figures import find_figures
from ..passages.retrieval import SourceText, terms
from ..registry import Registry
from ..source_index import SourceIndex
from .checking import values_agree
from .model import Answer, Asked, Question, Reply
from .policy import ChallengePolicy
from .statements import statement

# A date that needs another day to be one: it may be the very one that is asked for.
_POINTING = re.compile(
    r"\b(?:this|last|next|that|the same|the following|the previous) "
    r"(?:year|month|quarter|week|spring|summer|autumn|fall|winter|season)\b",
    re.IGNORECASE,
)


class SnapshotAnswerer:
    """Reads the snapshots by rule, and answers only what it is sure of."""

    name = "snapshots"

    def __init__(self, registry: Registry, policy: ChallengePolicy) -> None:
        self._registry = registry
        self._policy = policy
        self._numbers = registry.verification.numbers

    def read(self, question: Question, sources: SourceIndex) -> tuple[Answer, ...]:
        """An answer from each of the likeliest sources that gives just one.

        Raises:
            SnapshotError: A readable source has no text.
        """
        if question.asks is Asked.NAME:
            # Who does what cannot be told by rule as surely as how many and when.
            return ()
        answers: list[Answer] = []
        for url in likely_sources(question.bare, sources):
            readable = sources.readable(url)
            if readable is not None:
                snapshot, index = readable
                answers += self._from(question, url, snapshot.sha256, index)
        return tuple(answers)

    def _from(self, question: Question, url: str, sha256: str, index: SourceText) -> list[Answer]:
        """The one value that this source gives; none if it gives several, or none."""
        found: list[Answer] = []
        for words, certain in self._values(question, index).items():
            span = self._supported(question, words, index)
            if span is None or words not in index.text[slice(*span)]:
                continue
            if any(not self._agree(words, other.said) for other in found):
                return []
            quote = index.text[slice(*span)]
            evidence = Evidence(url, sha256, quote, *span, Stance.NEUTRAL)
            reply = Answer(question.id, self.name, Reply.FOUND, said=words, evidence=evidence)
            found.append(replace(reply, certain=certain))
        return found[:1]

    def _supported(
        self, question: Question, words: str, index: SourceText
    ) -> tuple[int, int] | None:
        """Where the source states that `words` are the answer."""
        claim = statement(question.filled(words), self._registry.lexicon)
        judgement = judge(claim, index, self._registry)
        if judgement.verdict is Verdict.SUPPORTED and judgement.decided:
            return judgement.start, judgement.end
        return None

    def _values(self, question: Question, index: SourceText) -> dict[str, bool]:
        """Candidate answers from passages near the question, each with its certainty.

        A candidate is certain only in a passage about the question that states no other value of
        the sort.
        """
        shown = [value.text for value in find_figures(question.bare, self._registry.lexicon)]
        wanted = set(terms(question.bare))
        values: dict[str, bool] = {}
        for unit in index.best_units(question.bare, self._policy.units):
            written = index.text[unit.start : unit.end]
            offered = {
                value.text: value
                for value in find_figures(written, self._registry.lexicon)
                if _is_sort(question, value)
                and not any(self._agree(value.text, words) for words in shown)
            }
            held = len(wanted & set(terms(unit.text))) / len(wanted) if wanted else 0.0
            certain = len(offered) == 1 and held >= self._policy.coverage
            if question.asks is Asked.DATE:
                certain = certain and not _POINTING.search(written)
            for words, value in offered.items():
                # A date counted from another one is no answer in itself.
                if isinstance(value, Quantity) or not (value.relative or value.yearless):
                    values[words] = certain or values.get(words, False)
        return values

    def _agree(self, words: str, other: str) -> bool:
        return values_agree(words, other, self._registry.lexicon, self._numbers)


def question_passages(
    question: Question, sources: SourceIndex, registry: Registry, *, most: int
) -> tuple[Passage, ...]:
    """The `most` passages of all sources that hold most of the question's words, best first.

    Raises:
        SnapshotError: A readable source has no text.
    """
    asked = statement(question.bare, registry.lexicon)
    cited = (CitedAddress(url, CitationState.DIRECT, "") for url in sorted(sources.sources.sources))
    everywhere = replace(asked, cited=tuple(cited))
    return find_passages(everywhere, sources, registry.verification, k=most)


def _is_sort(question: Question, value: Quantity | DateSpan) -> bool:
    if isinstance(value, DateSpan):
        return question.asks is Asked.DATE
    return question.asks is Asked.NUMBER and value.kind is question.kind

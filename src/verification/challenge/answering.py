"""Questions answered from the snapshots by code.

An answer is a value of a source with which the question makes a statement that the engine finds
supported by that source. Nothing else is needed of the claim.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...base.vocabulary import Stance, Verdict
from ...claims.model import DateSpan, Quantity
from ..assessing.elsewhere import likely_sources
from ..judging.alignment import Aligner
from ..judging.judge import judge
from ..model import Evidence
from ..reading.form import claim_form, covered
from ..reading.index import SourceIndex, TextIndex
from ..reading.names import find_names
from ..reading.window import Window
from ..registry import Registry
from .checking import same_words, values_agree
from .model import Answer, Asked, Question, Reply
from .policy import ChallengePolicy
from .statements import statement

_WINDOWS = 4


class SnapshotAnswerer:
    """`Answerer` that reads the snapshots by rule, and answers only what it is sure of."""

    name = "snapshots"

    def __init__(self, registry: Registry, policy: ChallengePolicy) -> None:
        self._registry = registry
        self._policy = policy

    async def answer(
        self, questions: Sequence[Question], sources: SourceIndex
    ) -> tuple[Answer, ...]:
        """As `read`, of every question."""
        return tuple(one for question in questions for one in self.read(question, sources))

    def read(self, question: Question, sources: SourceIndex) -> tuple[Answer, ...]:
        """An answer from each of the likeliest sources that gives just one.

        Raises:
            SnapshotError: A readable source has no text.
        """
        bare = claim_form(statement(question.text, self._registry.lexicon), self._registry.lexicon)
        answers: list[Answer] = []
        for url in likely_sources(bare, sources, self._registry):
            readable = sources.readable(url)
            if readable is not None:
                snapshot, index = readable
                answers += self._from(question, url, snapshot.sha256, index)
        return tuple(answers)

    def _from(self, question: Question, url: str, sha256: str, index: TextIndex) -> list[Answer]:
        """The one value that this source gives; none if it gives several, or none."""
        found: list[Answer] = []
        for words in self._values(question, index):
            span = self._supported(question, words, index)
            if span is None or words not in index.text[slice(*span)]:
                continue
            if any(not self._same(question, words, other.said) for other in found):
                return []
            quote = index.text[slice(*span)]
            evidence = Evidence(url, sha256, quote, *span, Stance.NEUTRAL)
            found.append(Answer(question.id, self.name, Reply.FOUND, said=words, evidence=evidence))
        return found[:1]

    def _supported(
        self, question: Question, words: str, index: TextIndex
    ) -> tuple[int, int] | None:
        """Where the source states that `words` are the answer."""
        lexicon = self._registry.lexicon
        form = claim_form(statement(question.filled(words), lexicon), lexicon)
        judgement = judge(form, index, lexicon, self._registry.verification)
        if judgement.verdict is Verdict.SUPPORTED and judgement.decided:
            return judgement.start, judgement.end
        return None

    def _values(self, question: Question, index: TextIndex) -> list[str]:
        """The words of the source that may be the answer, those of the nearest passages first."""
        lexicon = self._registry.lexicon
        form = claim_form(statement(question.text, lexicon), lexicon)
        aligner = Aligner(form, index, lexicon, self._registry.verification)
        windows = [one.window for one in aligner.alignments()[:_WINDOWS]]
        told = {
            words: None for window in windows for words in self._offered(question, window, index)
        }
        return list(told)[: self._policy.values]

    def _offered(self, question: Question, window: Window, index: TextIndex) -> Iterator[str]:
        if question.asks is Asked.NAME:
            numbers = window.numbers()
            tokens = [token for token in window.tokens if not covered(token, numbers)]
            for name in find_names(index.text, tokens, self._registry.lexicon.words):
                if name.text not in question.text:
                    yield name.text
            return
        for candidate in window.candidates:
            if _is_sort(question, candidate.value):
                yield candidate.value.text

    def _same(self, question: Question, words: str, other: str) -> bool:
        lexicon = self._registry.lexicon
        if question.asks is Asked.NAME:
            return same_words(words, other, lexicon)
        return values_agree(words, other, lexicon, self._registry.verification.numbers)


def _is_sort(question: Question, value: Quantity | DateSpan) -> bool:
    if isinstance(value, DateSpan):
        return question.asks is Asked.DATE and not (value.relative or value.yearless)
    return question.asks is Asked.NUMBER and value.kind is question.kind

"""Questions, replies and records of a challenge.

A question repeats the claim except for the one value that it asks for. An answer therefore cannot
depend on the claim's value.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from enum import StrEnum

from ...base.vocabulary import ChallengeStep, Verdict
from ...claims.model import DateSpan, Quantity, QuantityKind
from ...sources.model import Source
from ..model import Evidence


class Asked(StrEnum):
    """Kind of value that a question asks for."""

    NUMBER = "number"
    DATE = "date"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class Question:
    """A claim with one of its values replaced by `text[start:end]`, which asks for it.

    `kind` and `unit` are those of the number asked for.
    """

    id: str
    asks: Asked
    text: str
    start: int
    end: int
    kind: QuantityKind | None = None
    unit: str = ""

    @property
    def bare(self) -> str:
        """The question without the words that ask, but for what is measured."""
        measured = self.unit if self.kind is QuantityKind.MEASURE else ""
        return f"{self.text[: self.start]}{measured}{self.text[self.end :].rstrip('?')}"

    def filled(self, words: str) -> str:
        """The statement that is true if `words` are the answer."""
        return f"{self.text[: self.start]}{words}{self.text[self.end :].rstrip('?')}."


@dataclass(frozen=True, slots=True)
class Probe:
    """A question with what the claim says there; no answerer is shown more than the question.

    A name is its words as written.
    """

    claim_id: str
    question: Question
    claimed: Quantity | DateSpan | str

    @property
    def words(self) -> str:
        """Words of the claim at that place, as written."""
        return self.claimed if isinstance(self.claimed, str) else self.claimed.text


class Reply(StrEnum):
    """Kind of reply from an answerer: an answer, not stated in the sources, or none."""

    FOUND = "found"
    NOT_STATED = "not_stated"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to the question `question_id`.

    One that is found has its words in `said` and the place that states it in `evidence`, whose
    quote holds them; an answer for which this is not so counts for nothing. One that is not
    `certain` may confirm a claim, and cannot stand against it.
    """

    question_id: str
    by: str
    reply: Reply
    _: KW_ONLY
    said: str = ""
    evidence: Evidence | None = None
    reason: str = ""
    certain: bool = True


@dataclass(frozen=True, slots=True)
class Searched:
    """One query for counter-evidence: the addresses it led to, or why there was no answer."""

    claim_id: str
    by: str
    query: str
    urls: tuple[str, ...] = ()
    failure: str = ""


@dataclass(frozen=True, slots=True)
class ChallengeReplies:
    """Replies to an iteration's challenges from outside: from a model or a search provider.

    The journal stores them, so that a repeated conclusion uses the same replies. `sources` are
    those that the searches found. `failures` state who gave no answer, and why. `fetches` counts
    fetches over the network.
    """

    answers: tuple[Answer, ...] = ()
    searches: tuple[Searched, ...] = ()
    sources: tuple[Source, ...] = ()
    failures: tuple[str, ...] = ()
    fetches: int = 0

    def __add__(self, other: ChallengeReplies) -> ChallengeReplies:
        return ChallengeReplies(
            (*self.answers, *other.answers),
            (*self.searches, *other.searches),
            tuple({source.url: source for source in (*self.sources, *other.sources)}.values()),
            (*self.failures, *other.failures),
            self.fetches + other.fetches,
        )


NO_REPLIES = ChallengeReplies()


class AnswerOutcome(StrEnum):
    """An answer beside what the claim says: the same, another, none in the sources, or unclear."""

    CONFIRMS = "confirms"
    DIFFERS = "differs"
    SILENT = "silent"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """An answer and what code made of it."""

    answer: Answer
    outcome: AnswerOutcome


@dataclass(frozen=True, slots=True)
class QuestionRecord:
    """A question, what the claim says there, and every answer to it."""

    question: Question
    claimed: str
    answers: tuple[CheckedAnswer, ...]


@dataclass(frozen=True, slots=True)
class Contrary:
    """A place of a source that contradicts a claim, found by `step`; `reason` says in what."""

    claim_id: str
    step: ChallengeStep
    evidence: Evidence
    reason: str


@dataclass(frozen=True, slots=True)
class ClaimLink:
    """Two claims of the document that cannot both be true, and why; the lower id comes first."""

    claim_id: str
    other_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class ClaimChallenge:
    """Everything that one claim was put to, and its verdict before and after."""

    claim_id: str
    before: Verdict
    after: Verdict
    reason: str
    _: KW_ONLY
    questions: tuple[QuestionRecord, ...] = ()
    searches: tuple[Searched, ...] = ()
    contrary: tuple[Contrary, ...] = ()


@dataclass(frozen=True, slots=True)
class ChallengeRecord:
    """`challenge.json`: the challenges of one iteration.

    `claims` are those that were challenged or lowered, in document order.
    """

    iteration: int
    steps: tuple[ChallengeStep, ...]
    claims: tuple[ClaimChallenge, ...] = ()
    links: tuple[ClaimLink, ...] = ()
    failures: tuple[str, ...] = ()

"""What the evidence of a run is made with: its sources, its rules, and whom it asks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from datetime import date
from typing import Protocol, TypeAlias, TypeVar

from ..base.errors import FoureyesError
from ..base.vocabulary import ResearchMode
from ..claims.document_day import day_written
from ..documents.model import Document
from ..sources.model import SourceSet
from ..sources.scoring.model import Appraisal
from ..sources.scoring.rules import ScoringRegistry
from ..verification.challenge.model import Answer, Question
from ..verification.passages.retrieval import SourceIndex
from ..verification.registry import Registry
from .brief import Assignment
from .gate_policy import GatePolicyRunner
from .iteration import RecordedRun
from .record_folder import journal_result
from .review_queue import ReviewDecision
from .source_tools import SourceReader
from .tasks import Error
from .work import RunServices

T = TypeVar("T")
Asking: TypeAlias = Callable[[], Awaitable[T | Error]]


class AnswersUnavailable(FoureyesError):
    """An answerer has no answers to give, which tells nothing about any claim."""


class Answerer(Protocol):
    """Answers questions from the sources, without having seen the claims (decision 40)."""

    @property
    def name(self) -> str:
        """Who answers, as the record has it."""
        ...

    async def answer(
        self, questions: Sequence[Question], sources: SourceIndex
    ) -> tuple[Answer, ...]:
        """Answers, any number for a question; a question may stay without.

        Raises:
            AnswersUnavailable: There are none to be had.
        """
        ...


AnswererMaker: TypeAlias = Callable[[int, RunServices], Answerer]
"""Makes the answerer of an iteration."""


@dataclass(frozen=True, slots=True)
class EvidenceParts:
    """The parts of one run's `DocumentEvidence`.

    `reader` reads the run's sources, and its fetcher is open. Every age is measured at `as_of`
    (decision 16). `max_fetches` bounds what code fetches in the whole run, `max_webfetches` what
    checkers ask for in one iteration (decision 17). `recorded` is a run on record, which gives the
    sources and answers in place of network, provider and model.

    `appraise` scores the sources of an iteration by `scoring`; without them claims have no tiers.
    `mode` is that of the gate's profile `research`, None for `document`. `decisions` are people's
    about claims, in the order in which they were made, `gatekeeper` is the user's gate policy.
    `assignment` are the demands on the drafts. `answerer` makes the model's answerer of the
    challenges' questions; None leaves them to code. The run has at most `iterations`, None if that
    is not known. `works` are the titles of the given sources by address: an entry of a draft's list
    may name a source by its title alone.
    """

    reader: SourceReader
    registry: Registry
    _: KW_ONLY
    as_of: date
    max_fetches: int = 200
    max_webfetches: int = 20
    recorded: RecordedRun | None = None
    appraise: Callable[[SourceSet], Appraisal] | None = None
    scoring: ScoringRegistry | None = None
    mode: ResearchMode | None = None
    decisions: Sequence[ReviewDecision] = ()
    gatekeeper: GatePolicyRunner | None = None
    assignment: Assignment = field(default_factory=Assignment)
    answerer: AnswererMaker | None = None
    iterations: int | None = None
    works: Mapping[str, str] = field(default_factory=dict[str, str])

    async def ask(
        self, services: RunServices, step: tuple[str, str], kind: type[T], ask: Asking[T] | None
    ) -> T | None:
        """The journalled result of `ask`, or where nobody can be asked that of the run on record.

        None without either, and where asking failed.
        """
        answer: T | Error | None = None
        if ask is not None:
            answer = await services.steps.step(*step, kind, ask)
        elif self.recorded is not None and (known := self.recorded.kept(step, kind)) is not None:
            answer = await journal_result(services.steps, step, kind, known)
        return None if isinstance(answer, Error) else answer

    def day_of(self, document: Document) -> date:
        """The day of `document`, `as_of` if it does not tell its own."""
        return day_written(document, self.registry.lexicon) or self.as_of

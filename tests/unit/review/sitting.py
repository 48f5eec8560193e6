"""Sittings of a review over agents that do what a test says: the real protocols."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from foureyes.assembly.record_config import ignore
from foureyes.core.config import BudgetConfig
from foureyes.core.tasks import AgentResult, Error, FailureKind, Success, TurnUsage
from foureyes.engine.local import open_run
from foureyes.redteam.model import load_rules
from foureyes.review.extraction import SmokeTest
from foureyes.review.phases import DocumentPhases, ReviewTeam
from foureyes.review.pipeline import ReviewEnd, ReviewPipeline
from foureyes.review.store import ReviewContents, ReviewStore, read_contents
from foureyes.review.types import (
    Defence,
    DefenceContext,
    DefenceOutcome,
    ExtractedClaim,
    ExtractionContext,
    GateAnswer,
    GateChoice,
    RedFinding,
    RedReviewContext,
    ReviewConfig,
    SmokeContext,
)
from foureyes.verification.registry import load_registry
from support.reviews import PLAN, open_review

REGISTRY = load_registry()
RED_TEAM = load_rules()
ContextT = TypeVar("ContextT")
AnswerT = TypeVar("AnswerT")
USAGE = TurnUsage(messages=1)


class Agent(Generic[ContextT, AnswerT]):
    """An agent that answers as `answer` does, or fails where that returns an `Error`."""

    def __init__(self, name: str, answer: Callable[[ContextT], AnswerT | Error]) -> None:
        self.agent_name = name
        self.asked: list[ContextT] = []
        self._answer = answer

    async def process(self, context: ContextT) -> AgentResult[AnswerT]:
        """The answer."""
        self.asked.append(context)
        await asyncio.sleep(0)
        answer = self._answer(context)
        return answer if isinstance(answer, Error) else Success(answer, USAGE)


REFUSED = Error(FailureKind.REFUSED, "the model refused")


def nothing_found(_context: RedReviewContext) -> tuple[RedFinding, ...]:
    """A red reviewer that adds nothing."""
    return ()


def nothing_added(_context: ExtractionContext) -> tuple[ExtractedClaim, ...]:
    """An extractor that adds nothing."""
    return ()


def survived(context: DefenceContext) -> Defence:
    """A defender that finds nothing to say."""
    return Defence(context.inputs.finding.id, DefenceOutcome.SURVIVED, "Nothing answers it.")


def verified(_context: SmokeContext) -> Mapping[str, str]:
    """A tester that lets everything pass."""
    return {}


@dataclass(frozen=True, slots=True)
class Sitting:
    """A sitting of a review without the web, over agents that a test has chosen."""

    store: ReviewStore
    end: ReviewEnd
    contents: ReviewContents


async def sit(
    folder: Path,
    *,
    red: Callable[[RedReviewContext], tuple[RedFinding, ...] | Error] = nothing_found,
    blue: Callable[[DefenceContext], Defence | Error] = survived,
    smoke: Callable[[SmokeContext], Mapping[str, str] | Error] = verified,
    text: str = PLAN,
) -> Sitting:
    """Review `text` in `folder`, past the gate; a review that is there is gone on with."""
    store = open_review(folder, text)
    extractor = Agent[ExtractionContext, tuple[ExtractedClaim, ...]]("extractor", nothing_added)
    team = ReviewTeam(Agent("red", red), Agent("blue", blue), Agent("smoke", smoke), extractor)
    test = SmokeTest(store.original().document, REGISTRY, store.manifest.as_of)
    with open_run(store) as engine:
        pipeline = ReviewPipeline(
            store,
            DocumentPhases(team, RED_TEAM, ReviewConfig(web=False), test),
            None,
            steps=engine.steps,
            analytics=engine.analytics,
            budget=engine.budget(BudgetConfig(), priced=True),
            notify=ignore,
        )
        end = await pipeline.run(GateAnswer(GateChoice.GO_ON, "a test"))
    return Sitting(store, end, read_contents(store))

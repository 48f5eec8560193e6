"""Documents to review, and agents of a review that do what a test says: the real protocols."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Generic, TypeVar

from foureyes.assembly.analysis import review_document_sync
from foureyes.assembly.record_config import ignore
from foureyes.assembly.review_result import ReviewResult
from foureyes.core.config import BudgetConfig
from foureyes.core.tasks import AgentResult, Error, FailureKind, Success, TurnUsage
from foureyes.engine.local import open_run
from foureyes.redteam.model import load_rules
from foureyes.review.agent_runner import ReviewTeam
from foureyes.review.config import ReviewConfig
from foureyes.review.originals import Original, OriginalKind
from foureyes.review.phases import FindingPhases
from foureyes.review.pipeline import ReviewEnd, ReviewPhases, ReviewPipeline
from foureyes.review.smoke import SmokeTest
from foureyes.review.store import ReviewContents, ReviewInputs, ReviewStore, read_contents
from foureyes.review.types import (
    Defence,
    DefenceContext,
    DefenceOutcome,
    GateAnswer,
    GateChoice,
    RedFinding,
    RedReviewContext,
    SmokeAnswer,
    SmokeContext,
    SmokeVerdict,
)
from foureyes.verification.registry import load_registry

REGISTRY = load_registry()
RED_TEAM = load_rules()
AS_OF = date(2026, 1, 2)

PLAN = """# Harbour renewal plan

## 1. Aim

The board proposes to renew the old quay. Traffic rose from 40 to 50 boats, a rise of 30 %. The cost
of the quay is $48 million. See Section 7 for details.

## 2. Costs

The cost of the quay is $38 million. The XKB met twice. The XKB approved the plan [2]. The crane of
the quay can lift 40 tonnes and was built in 1998.

## References

[1] Port of Example. https://example.org/port
"""
SOURCE = """# The quay

The crane of the quay can lift 60 tonnes and was built in 1998. The cost of the quay is $38 million.
"""
FAULTS = (
    "arithmetic_error",
    "inconsistent_number",
    "broken_reference",
    "dangling_note",
    "undefined_acronym",
)
"""What is wrong with `PLAN`, as rules see it."""

ContextT = TypeVar("ContextT")
AnswerT = TypeVar("AnswerT")
USAGE = TurnUsage(messages=1)


def write_plan(folder: Path, text: str = PLAN) -> Path:
    """The plan in `folder`, with a folder of sources beside it."""
    (folder / "sources").mkdir(parents=True)
    (folder / "sources" / "quay.md").write_text(SOURCE, encoding="utf-8")
    path = folder / "plan.md"
    path.write_text(text, encoding="utf-8")
    return path


def reviewed(
    folder: Path, *, yes: bool = True, no_web: bool = False, verify_background: bool = False
) -> ReviewResult:
    """The review of the plan in `folder`, without the network."""
    return review_document_sync(
        write_plan(folder),
        sources=[folder / "sources"],
        yes=yes,
        out=folder / "reviews",
        fetch="none",
        as_of="2026-01-02",
        no_web=no_web,
        verify_background=verify_background,
    )


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


def survived(context: DefenceContext) -> Defence:
    """A defender that finds nothing to say."""
    return Defence(context.inputs.finding.id, DefenceOutcome.SURVIVED, "Nothing answers it.")


def verified(context: SmokeContext) -> tuple[SmokeAnswer, ...]:
    """A tester that lets everything pass."""
    return tuple(SmokeAnswer(item.id, SmokeVerdict.VERIFIED) for item in context.inputs.items)


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
    smoke: Callable[[SmokeContext], tuple[SmokeAnswer, ...] | Error] = verified,
    text: str = PLAN,
) -> Sitting:
    """Review `text` in `folder`, past the gate; a review that is there is gone on with."""
    store = open_review(folder, text)
    team = ReviewTeam(Agent("red", red), Agent("blue", blue), Agent("smoke", smoke))
    document = store.original().document
    test = SmokeTest(document, REGISTRY, store.manifest.as_of)
    findings = FindingPhases(document, team, RED_TEAM, ReviewConfig(web=False), test)
    with open_run(store) as engine:
        pipeline = ReviewPipeline(
            store,
            ReviewPhases(findings, None, None),
            steps=engine.steps,
            analytics=engine.analytics,
            budget=engine.budget(BudgetConfig(), priced=True),
            notify=ignore,
        )
        end = await pipeline.run(GateAnswer(GateChoice.GO_ON, "a test"))
    return Sitting(store, end, read_contents(store))


def open_review(folder: Path, text: str = PLAN) -> ReviewStore:
    """The one review directory in `folder`, made if there is none."""
    known = [path.parent for path in folder.glob("*/review.json")]
    if known:
        return ReviewStore.open(known[0])
    data = text.encode()
    digest = hashlib.sha256(data).hexdigest()
    original = Original("plan.md", OriginalKind.MARKDOWN, digest, text)
    inputs = ReviewInputs(original, data, AS_OF, "test", independent=True, web=False)
    return ReviewStore.create(folder, inputs, BudgetConfig(), now=datetime.now(UTC))

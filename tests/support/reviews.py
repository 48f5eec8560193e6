"""Documents to review, and agents of a review that do what a test says: the real protocols."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from foureyes.assembly.document_review import ReviewResult, review_document_sync
from foureyes.core.review_contexts import DefenceContext, RedReviewContext, SmokeContext
from foureyes.core.review_types import (
    Defence,
    DefenceOutcome,
    RedFinding,
    SmokeAnswer,
    SmokeVerdict,
)
from foureyes.core.types import AgentResult, Error, FailureKind, Success, TurnUsage

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

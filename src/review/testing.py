"""Smoke tests by testers who share what there is to test (phases 3 and 4a-v)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from .asking import ITERATION, Panel, ReviewAgent, in_parallel
from .model import ReviewPhase
from .types import SmokeAnswer, SmokeContext, SmokeInput, SmokeItem, SmokeVerdict


@dataclass(frozen=True, slots=True)
class Testers:
    """So many smoke testers of the document with this text."""

    agent: ReviewAgent[SmokeContext, tuple[SmokeAnswer, ...]]
    number: int
    document: str

    async def failures(
        self, phase: ReviewPhase, name: str, items: Sequence[SmokeItem], panel: Panel
    ) -> dict[str, str]:
        """Why items failed, by their ids; `name` is what the shares are called.

        What code found a fault in has failed and is not handed out; a tester may fail more.

        Raises:
            FoureyesError: The review cannot go on.
        """
        failed = {item.id: item.fault for item in items if item.fault}
        shares = _shares([item for item in items if not item.fault], self.number)
        answers = await in_parallel(
            [
                partial(self._test, phase, f"{name}-{number}", share, panel)
                for number, share in enumerate(shares, start=1)
            ],
            at_once=self.number,
        )
        return failed | {
            answer.id: answer.reason
            for share in answers
            for answer in share or ()
            if answer.verdict is SmokeVerdict.FAILED
        }

    async def _test(
        self, phase: ReviewPhase, name: str, share: tuple[SmokeItem, ...], panel: Panel
    ) -> tuple[SmokeAnswer, ...] | None:
        context = SmokeContext(
            iteration=ITERATION,
            max_iterations=ITERATION,
            services=panel.services,
            name=name,
            inputs=SmokeInput(self.document, share),
        )
        return await panel.ask(phase, name, self.agent, context)


def _shares(items: Sequence[SmokeItem], number: int) -> list[tuple[SmokeItem, ...]]:
    """`items` in at most `number` shares of about equal size."""
    count = min(number, len(items))
    return [tuple(items[first::count]) for first in range(count)]

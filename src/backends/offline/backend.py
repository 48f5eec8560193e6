"""The backend that needs no key, no model and no network: rules fill the templates."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

import anyio.to_thread
from pydantic import JsonValue

from ...base.errors import ReplyError
from ...base.files import write_atomic
from ...core.edit_policy import JsonSlots, fill_slots
from ...core.tasks import AgentTask, Error, Turn, TurnUsage
from ...core.work import AnalystInput, FactCheckInput, JudgeInput, ReviewerInput
from ...review.types import DefenceInput, ExtractionInput, RedReviewInput, SmokeInput, WebCheckInput
from .analyst import write_analysis
from .claims import extract_claims, verify_claims
from .fact_checker import check_facts
from .graded import graded_text
from .judge import judge
from .red_reviewer import review_lens
from .reviewer import review
from .rules import load_offline_rules
from .smoke_tester import hold_items


class OfflineBackend:
    """Fills every agent's template by rules. The same inputs always give the same text.

    Args:
        registry_dir: A folder whose files replace packaged rules, as for the setting of that name.

    Raises:
        RegistryError: A file is broken or does not validate.
    """

    def __init__(self, registry_dir: Path | None = None) -> None:
        self._rules = load_offline_rules(registry_dir)

    @property
    def name(self) -> str:
        """``offline``."""
        return "offline"

    @property
    def independent(self) -> bool:
        """False: its critics judge by rules (decision 10)."""
        return False

    async def run(self, task: AgentTask[object], folder: Path) -> Turn | Error:
        """Fill `folder/task.file_name` and return its text. It never fails.

        Raises:
            ReplyError: The task is none that rules can do.
            EditRefused: The template lacks a slot.
        """
        started, cpu = time.perf_counter(), time.thread_time()

        def work() -> tuple[str, float]:
            begun = time.thread_time()
            text = _filled(task, task.offline()) if task.offline else self._fill(task)
            write_atomic(folder / task.file_name, text, durable=False)
            return text, time.thread_time() - begun

        text, used = await anyio.to_thread.run_sync(work)
        cpu_s = used + time.thread_time() - cpu
        return Turn(text, TurnUsage(wall_s=time.perf_counter() - started, cpu_s=cpu_s))

    def _fill(self, task: AgentTask[object]) -> str:
        match task.inputs:
            case AnalystInput() as inputs:
                return write_analysis(inputs, self._rules)
            case ReviewerInput() as inputs:
                text = graded_text(inputs.brief, inputs.draft, self._rules)
                return _filled(task, review(text, inputs.critique))
            case FactCheckInput() as inputs:
                return _filled(task, check_facts(inputs))
            case JudgeInput() as inputs:
                text = graded_text(inputs.brief, inputs.draft, self._rules)
                return _filled(task, judge(inputs, text))
            case RedReviewInput() as inputs:
                return _filled(task, review_lens(inputs))
            case DefenceInput() as inputs:
                return _filled(task, self._rules.defence.defend(inputs))
            case SmokeInput() as inputs:
                return _filled(task, hold_items(inputs))
            case ExtractionInput():
                return _filled(task, extract_claims())
            case WebCheckInput() as inputs:
                return _filled(task, verify_claims(inputs))
            case _:
                raise ReplyError(f"there are no offline rules for {type(task.inputs).__name__}")


def _filled(task: AgentTask[object], values: Mapping[str, JsonValue]) -> str:
    if not isinstance(task.policy, JsonSlots):
        raise ReplyError(f"{task.name} is no form with slots")
    return fill_slots(task.template, task.policy, values)

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
from . import forms
from .drafting import write_draft
from .grading import parse_for_grading
from .revision import revise
from .rules import load_offline_rules


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
        """False: its critics judge by rules."""
        return False

    async def run(self, task: AgentTask[object], folder: Path) -> Turn | Error:
        """Fill `folder/task.file_name` and return its text. It never fails.

        Raises:
            ReplyError: Rules cannot do the task.
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
                write = revise if inputs.draft else write_draft
                return write(inputs, self._rules)
            case ReviewerInput() as inputs:
                text = parse_for_grading(inputs.brief, inputs.draft, self._rules)
                return _filled(task, forms.review(text, inputs.critique))
            case FactCheckInput() as inputs:
                return _filled(task, forms.check_facts(inputs))
            case JudgeInput() as inputs:
                text = parse_for_grading(inputs.brief, inputs.draft, self._rules)
                return _filled(task, forms.judge(inputs, text))
            case RedReviewInput() as inputs:
                return _filled(task, forms.review_lens(inputs))
            case DefenceInput() as inputs:
                return _filled(task, forms.defend(inputs))
            case SmokeInput() as inputs:
                return _filled(task, forms.test_items(inputs))
            case ExtractionInput():
                return _filled(task, forms.extract_claims())
            case WebCheckInput() as inputs:
                return _filled(task, forms.verify_claims(inputs))
            case _:
                raise ReplyError(f"there are no offline rules for {type(task.inputs).__name__}")


def _filled(task: AgentTask[object], values: Mapping[str, JsonValue]) -> str:
    if not isinstance(task.policy, JsonSlots):
        raise ReplyError(f"{task.name} is no form with slots")
    return fill_slots(task.template, task.policy, values)

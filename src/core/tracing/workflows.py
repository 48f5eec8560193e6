"""Runs, reviews and checks, and the steps that they have."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING

from ...base.errors import RecordEnded
from ...base.vocabulary import Verdict
from ..tasks import Error
from .api import CANCELLED, FAILED, Value, fail, instruments, opened

if TYPE_CHECKING:
    from opentelemetry.trace import Span


class Workflow(StrEnum):
    """The kinds of our traces: `gen_ai.workflow.name`."""

    RUN = "foureyes.run"
    REVIEW = "foureyes.review"
    CHECK = "foureyes.check"


class WorkflowSpan:
    """A run, a review or a check that is under way."""

    def __init__(self, name: Workflow, span: Span | None) -> None:
        self._name = name
        self._span = span
        self._started = time.perf_counter()
        self._status = ""

    def ended(self, status: str, verdicts: Mapping[Verdict, int], iterations: int = 0) -> None:
        """Tell how it ended, and how many claims of what it delivers have each verdict."""
        self._status = status
        if self._span is not None:
            self._span.set_attributes({"foureyes.status": status})
            if iterations:
                self._span.set_attributes({"foureyes.iterations": iterations})
            if status == FAILED:
                fail(self._span, FAILED)
        if (measured := instruments()) is not None:
            common = {"gen_ai.workflow.name": self._name.value, "foureyes.status": status}
            if iterations:
                measured.iterations.record(iterations, common)
            for verdict, count in verdicts.items():
                measured.claims.add(count, {**common, "foureyes.verdict": verdict.value})

    def broke_off(self, error: BaseException) -> None:
        """Tell that an exception ended it."""
        stopped = not isinstance(error, Exception) or isinstance(error, RecordEnded)
        self.ended(CANCELLED if stopped else FAILED, {})

    def measure(self) -> None:
        """Record how long it took."""
        if (measured := instruments()) is not None:
            seconds = time.perf_counter() - self._started
            named = {"gen_ai.workflow.name": self._name.value, "foureyes.status": self._status}
            wrong = {"error.type": self._status} if self._status in (FAILED, CANCELLED) else {}
            measured.workflows.record(seconds, {**named, **wrong})


@contextmanager
def workflow(name: Workflow, *, run_id: str = "", mode: str = "") -> Generator[WorkflowSpan]:
    """The whole of a run, a review or a check.

    Args:
        name: Which of them.
        run_id: The id in its manifest, "" without a directory.
        mode: The mode of a run.
    """
    attributes = {
        "gen_ai.operation.name": "invoke_workflow",
        "gen_ai.workflow.name": name.value,
        "foureyes.run.id": run_id,
        "foureyes.mode": mode,
    }
    with opened(f"invoke_workflow {name}", attributes) as span:
        traced = WorkflowSpan(name, span)
        try:
            yield traced
        except BaseException as error:
            traced.broke_off(error)
            raise
        finally:
            traced.measure()


@contextmanager
def step(name: str, *, iteration: int = 0, about: str = "") -> Generator[None]:
    """A part of a workflow; `about` is what of several it is, such as a phase."""
    attributes: dict[str, Value] = {"foureyes.iteration": iteration} if iteration else {}
    with opened(name, {**attributes, "foureyes.step": about}):
        yield


@contextmanager
def asking(agent: str, iteration: int) -> Generator[Callable[[object], None]]:
    """Asking an agent, a critic of the user's own too; call what is given with the answer."""
    named = {"gen_ai.agent.name": agent, "foureyes.iteration": iteration}
    with opened(f"ask {agent}", named) as span:

        def answered(answer: object) -> None:
            if span is not None and isinstance(answer, Error):
                fail(span, answer.kind)

        yield answered

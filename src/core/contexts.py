"""The context of each agent in an iteration. Paths are relative to the run."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path

from ..base.finding import Finding
from .work import (
    AnalystInput,
    EvidenceTools,
    IterationEvidence,
    IterationWork,
    JudgeInput,
    ResearchTools,
    ReviewerInput,
    RunServices,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseContext:
    """The context of every agent. `iteration` counts from 1 to at most `max_iterations`."""

    iteration: int
    max_iterations: int
    services: RunServices


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalystContext(BaseContext):
    """The analyst's turn: where the analysis goes, and what it is made from."""

    analysis_output_path: Path
    inputs: AnalystInput
    research: ResearchTools | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewerContext(BaseContext):
    """The reviewer's turn."""

    analysis_input_path: Path
    feedback_output_path: Path
    inputs: ReviewerInput


@dataclass(frozen=True, slots=True, kw_only=True)
class FactCheckerContext(BaseContext):
    """The fact checker's turns: the claims of one iteration with what code found for them.

    `max_webfetches` and `max_searches` are how many further pages and queries it may ask for.
    `previous_fact_check` is the text of the last iteration's artefact, "" if there is none.
    """

    analysis_input_path: Path
    fact_check_output_path: Path
    evidence: IterationEvidence
    source_tools: EvidenceTools | None
    as_of: date
    max_webfetches: int = 20
    max_searches: int = 0
    previous_fact_check_path: Path | None = None
    previous_fact_check: str = ""
    previous_findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeContext(BaseContext):
    """The judge's turn over the delivered iteration."""

    analysis_input_path: Path
    judgement_output_path: Path
    inputs: JudgeInput


@dataclass(frozen=True, slots=True, kw_only=True)
class CriticContext(BaseContext):
    """The turn of a declared agent: the iteration that it examines."""

    work: IterationWork

"""What can be set: agents, modes and budgets, validated and frozen."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from ..base.vocabulary import FetchMode, Strictness


class Config(BaseModel):
    """Base of every configuration: frozen, and unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Effort(StrEnum):
    """How much a model thinks before it answers; models without such a choice take no notice."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    XHIGH = "xhigh"
    MAX = "max"


class BaseAgentConfig(Config):
    """What every agent has. `retries` counts further attempts after a failure that may pass.

    `max_turns` (answers of the model), `timeout_s` and `max_cost_usd` bound one turn of the agent.
    """

    model: str | None = None
    effort: Effort | None = None
    max_turns: int = Field(default=60, ge=1)
    timeout_s: float = Field(default=900.0, gt=0)
    max_cost_usd: Decimal | None = Field(default=None, gt=0)
    retries: int = Field(default=2, ge=0, le=10)
    allowed_tools: tuple[str, ...] = ("Read", "Edit", "TodoWrite")


class AnalystConfig(BaseAgentConfig):
    """The analyst. `max_websearches` is its allowance of `search_sources` calls a turn."""

    max_websearches: int = Field(default=20, ge=0)
    max_chars: int = Field(default=200_000, ge=1000)
    allowed_tools: tuple[str, ...] = ("Read", "Edit", "TodoWrite", "WebFetch", "WebSearch")


class ReviewerConfig(BaseAgentConfig):
    """The reviewer, with a strictness of its own (decision 2)."""

    strictness: Strictness = Strictness.NORMAL


class FactCheckerConfig(BaseAgentConfig):
    """The fact checker. `max_webfetches` is its allowance of extra fetches an iteration.

    `max_searches` is what the run may ask the search provider, 0 where there is none.
    Batches hold at most `batch_claims` claims and `batch_bytes` of template (design, section 4).
    """

    max_iterations: int = Field(default=3, ge=1)
    max_webfetches: int = Field(default=20, ge=0)
    max_searches: int = Field(default=0, ge=0)
    strictness: Strictness = Strictness.NORMAL
    batch_claims: int = Field(default=10, ge=1, le=50)
    batch_bytes: int = Field(default=16 * 1024, ge=2048)
    allowed_tools: tuple[str, ...] = ("WebFetch", "WebSearch", "Read", "Edit", "TodoWrite")


class JudgeConfig(BaseAgentConfig):
    """The judge."""


class PipelineMode(StrEnum):
    """Which agents take part (decision 11)."""

    ANALYZE = "analyze"
    ANALYZE_AND_REVIEW = "analyze_and_review"
    ANALYZE_REVIEW_WITH_FACT_CHECK = "analyze_review_with_fact_check"
    ANALYZE_REVIEW_AND_JUDGE = "analyze_review_and_judge"
    FULL_EVALUATION = "full_evaluation"

    @property
    def reviews(self) -> bool:
        """Whether the reviewer takes part."""
        return self is not PipelineMode.ANALYZE

    @property
    def fact_checks(self) -> bool:
        """Whether the fact checker and the gate take part."""
        return self in (
            PipelineMode.ANALYZE_REVIEW_WITH_FACT_CHECK,
            PipelineMode.FULL_EVALUATION,
        )

    @property
    def judges(self) -> bool:
        """Whether the judge takes part."""
        return self in (PipelineMode.ANALYZE_REVIEW_AND_JUDGE, PipelineMode.FULL_EVALUATION)


class BudgetConfig(Config):
    """Limits of a whole run (decision 15). None means no limit."""

    max_usd: Decimal | None = Field(default=None, gt=0)
    max_minutes: float | None = Field(default=None, gt=0)
    max_tokens: int | None = Field(default=None, gt=0)
    max_turns: int | None = Field(default=None, gt=0)
    max_tool_calls: int | None = Field(default=None, gt=0)


class PipelineConfig(Config):
    """One run of the loop."""

    mode: PipelineMode = PipelineMode.ANALYZE_AND_REVIEW
    max_iterations: int = Field(default=3, ge=1, le=50)
    fetch: FetchMode = FetchMode.LIVE
    max_fetches: int = Field(default=200, ge=0)
    require_approval: bool = False
    require_independent: bool = False
    analyst: AnalystConfig = AnalystConfig()
    reviewer: ReviewerConfig = ReviewerConfig()
    fact_checker: FactCheckerConfig = FactCheckerConfig()
    judge: JudgeConfig = JudgeConfig()
    budgets: BudgetConfig = BudgetConfig()

"""Settings of agents, modes and budgets, validated and frozen."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field, field_validator

from ..base.vocabulary import FetchMode, ResearchMode, Strictness


class Config(BaseModel):
    """Base of every configuration: frozen, and unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Effort(StrEnum):
    """How much a model thinks before it answers; models without such a choice take no notice."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    XHIGH = "xhigh"
    MAX = "max"


TOOL_ALIASES: Mapping[str, str] = {
    "WebFetch": "fetch_source",
    "WebSearch": "search_sources",
    "Grep": "grep_document",
}
"""The CLI's own tools that reach further than a checker may, and ours that stand for them."""

ALWAYS_ALLOWED = ("Read", "Edit")
"""An agent reads what it is given and fills its file by these."""

SOURCE_TOOLS = ("find_passages", "read_source", "fetch_source", "search_sources")
"""Ours that open the sources of a run with a fact check."""

KNOWN_TOOLS = (*ALWAYS_ALLOWED, "TodoWrite", *TOOL_ALIASES, "grep_document", *SOURCE_TOOLS)


class BaseAgentConfig(Config):
    """Settings of every agent. `retries` counts further attempts after a failure that may pass.

    `max_turns` (answers of the model), `timeout_s` (seconds) and `max_cost_usd` (dollars) bound one
    turn of the agent. `allowed_tools` are what it may have where its task offers it; each costs
    room in every request, `TodoWrite` 9.8 kB.
    """

    model: str | None = None
    effort: Effort | None = None
    max_turns: int = Field(default=60, ge=1)
    timeout_s: float = Field(default=900.0, gt=0)
    max_cost_usd: Decimal | None = Field(default=None, gt=0)
    retries: int = Field(default=2, ge=0, le=10)
    allowed_tools: tuple[str, ...] = ("Read", "Edit", "Grep")

    @field_validator("allowed_tools")
    @classmethod
    def _known(cls, tools: tuple[str, ...]) -> tuple[str, ...]:
        """Nobody is to believe that a tool is there which is not."""
        for tool in tools:
            if tool not in KNOWN_TOOLS:
                raise ValueError(
                    f"no agent can have {tool!r}: choose from {', '.join(KNOWN_TOOLS)}"
                )
        for tool in ALWAYS_ALLOWED:
            if tool not in tools:
                raise ValueError(f"an agent cannot work without {tool!r}")
        return tools

    def allows(self, tool: str) -> bool:
        """Whether the agent may have `tool`, also by its alias."""
        return any(TOOL_ALIASES.get(name, name) == tool for name in self.allowed_tools)


class AnalystConfig(BaseAgentConfig):
    """The analyst.

    `max_websearches` is its allowance of `search_sources` calls a turn, `max_chars` the longest
    analysis in characters.
    """

    max_websearches: int = Field(default=20, ge=0)
    max_chars: int = Field(default=200_000, ge=1000)
    allowed_tools: tuple[str, ...] = ("Read", "Edit", "WebFetch", "WebSearch")


class ReviewerConfig(BaseAgentConfig):
    """The reviewer, with a strictness of its own."""

    strictness: Strictness = Strictness.NORMAL


class FactCheckerConfig(BaseAgentConfig):
    """The fact checker. `max_webfetches` counts the extra fetches it may make an iteration.

    `max_searches` is how many queries the run may put to the search provider, 0 where there is
    none. Batches hold at most `batch_claims` claims and `batch_bytes` bytes of template.
    """

    max_webfetches: int = Field(default=20, ge=0)
    max_searches: int = Field(default=0, ge=0)
    strictness: Strictness = Strictness.NORMAL
    batch_claims: int = Field(default=10, ge=1, le=50)
    batch_bytes: int = Field(default=16 * 1024, ge=2048)
    allowed_tools: tuple[str, ...] = ("WebFetch", "WebSearch", "Read", "Edit", "Grep")


class JudgeConfig(BaseAgentConfig):
    """The judge."""


class PipelineMode(StrEnum):
    """Which agents take part."""

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
    """Limits of a whole run, all of whose agents count together. None means no limit.

    `max_usd` bounds dollars, `max_minutes` minutes of work, `max_tokens` tokens read and written,
    `max_turns` turns of agents, and `max_tool_calls` calls of tools. Each is above 0.
    """

    max_usd: Decimal | None = Field(default=None, gt=0)
    max_minutes: float | None = Field(default=None, gt=0)
    max_tokens: int | None = Field(default=None, gt=0)
    max_turns: int | None = Field(default=None, gt=0)
    max_tool_calls: int | None = Field(default=None, gt=0)


class PipelineConfig(Config):
    """One run of the loop.

    `research_mode` chooses the gate's profile `research`; None stands for `document`. The run has
    at most `max_iterations` drafts and fetches `max_fetches` addresses. `require_approval` and
    `require_independent` decide the exit code only.
    """

    mode: PipelineMode = PipelineMode.ANALYZE_AND_REVIEW
    research_mode: ResearchMode | None = None
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

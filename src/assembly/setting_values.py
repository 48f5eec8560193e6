"""The settings as keywords, for editors and type checkers; `Settings` says what each is.

Written by `python tools/setting_values.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Literal, TypedDict

from ..base.vocabulary import ChallengeStep, FetchMode, ResearchMode, SettlementMode, Strictness
from ..core.config import Effort, PipelineMode
from .model import ReaderName


class SettingValues(TypedDict, total=False):
    """Settings by name: a misspelt one is refused by type checkers, and else by the call.

    `model`, `effort`, `max_turns` and `max_cost_usd` are for all agents, ``agent=value`` for one,
    or a mapping of agents.
    """

    no_web: bool
    verify_background: bool
    defenders: int
    testers: int
    mode: (
        PipelineMode
        | Literal[
            "analyze",
            "analyze_and_review",
            "analyze_review_with_fact_check",
            "analyze_review_and_judge",
            "full_evaluation",
        ]
    )
    with_fact_checker: bool
    research_mode: ResearchMode | Literal["standard", "frontier", "discovery"] | None
    max_iterations: int
    model: str | Sequence[str] | Mapping[str, str] | None
    effort: Effort | str | Sequence[str] | Mapping[str, str] | None
    max_turns: int | str | Sequence[str] | Mapping[str, int] | None
    max_cost_usd: Decimal | float | str | Sequence[str] | Mapping[str, float] | None
    base_url: str | None
    api_key_env: str | None
    max_parallel: int | None
    fetch: FetchMode | Literal["live", "frozen", "none"]
    source_cache: Path | str | Literal["auto", "none"]
    max_fetches: int
    fetch_timeout_total: float
    search_url: str | None
    search_key_env: str | None
    max_searches: int
    knowledge_base: Path | str | None
    robots: bool
    allowed_hosts: Sequence[str]
    reader: ReaderName | Literal["packaged", "none"]
    skip_challenges: Sequence[
        ChallengeStep
        | Literal["questions", "counter_evidence", "falsification", "links", "sources", "disputes"]
    ]
    as_of: date | str | None
    topic: str | None
    memory: Path | str | Literal["none"]
    analyst_max_websearches: int
    reviewer_strictness: Strictness | Literal["lenient", "normal", "strict"]
    fact_checker_max_webfetches: int
    fact_checker_strictness: Strictness | Literal["lenient", "normal", "strict"]
    analyst_prompt: Path | str | None
    prompts_dir: Path | str | None
    templates_dir: Path | str | None
    registry_dir: Path | str | None
    settlement_mode: SettlementMode | Literal["observe", "enforce", "strict"]
    settlement_timeout_s: float
    require_approval: bool
    require_independent: bool
    budget_usd: Decimal | float | str | None
    budget_tokens: int | None
    budget_turns: int | None
    budget_tool_calls: int | None
    max_minutes: float | None
    out: Path | str

"""The settings of a document review's agents, validated and frozen."""

from __future__ import annotations

from pydantic import Field

from ..core.config import BaseAgentConfig, BudgetConfig, Config


class RedReviewerConfig(BaseAgentConfig):
    """The three red reviewers."""

    model: str | None = "opus"


class BlueDefenderConfig(BaseAgentConfig):
    """The defenders, one for each finding; at most `parallel` at once."""

    model: str | None = "sonnet"
    parallel: int = Field(default=4, ge=1, le=32)


class SmokeTesterConfig(BaseAgentConfig):
    """The smoke testers of findings and of claims, who share what there is to test."""

    model: str | None = "sonnet"
    testers: int = Field(default=3, ge=1, le=8)


class ClaimExtractorConfig(BaseAgentConfig):
    """The claim extractor; it never has the web (document review spec, safety constraint 1).

    A long document is extracted in parts of at most `part_chars` characters with `part_claims`
    claims that code found.
    """

    model: str | None = "opus"
    part_chars: int = Field(default=30_000, ge=1_000)
    part_claims: int = Field(default=60, ge=1, le=100)


class WebVerifierConfig(BaseAgentConfig):
    """The web verifiers, each with a batch of claims (5 to 10, review spec, open questions)."""

    model: str | None = "sonnet"
    allowed_tools: tuple[str, ...] = ("WebSearch", "WebFetch", "Read", "Edit")
    batch_claims: int = Field(default=8, ge=5, le=10)
    max_webfetches: int = Field(default=20, ge=0)
    max_searches: int = Field(default=10, ge=0)


class ReviewConfig(Config):
    """One document review. `web` false leaves phase 4 out (decision 41)."""

    web: bool = True
    verify_background: bool = False
    red_reviewer: RedReviewerConfig = RedReviewerConfig()
    blue_defender: BlueDefenderConfig = BlueDefenderConfig()
    smoke_tester: SmokeTesterConfig = SmokeTesterConfig()
    claim_extractor: ClaimExtractorConfig = ClaimExtractorConfig()
    web_verifier: WebVerifierConfig = WebVerifierConfig()
    budgets: BudgetConfig = BudgetConfig()

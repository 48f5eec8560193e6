"""The settings of a document review; `Settings` has them beside those of an analysis."""

from __future__ import annotations

from decimal import Decimal

from pydantic import Field

from ..core.config import Config, Effort
from ..review.config import BlueDefenderConfig, SmokeTesterConfig


class ReviewSettings(Config):
    """What can be set of a review alone."""

    no_web: bool = Field(
        default=False,
        description="Review: end after the smoke test; nothing is looked up and no claim verified.",
    )
    verify_background: bool = Field(
        default=False,
        description="Review: look up background claims too, not only those the document rests on.",
    )
    defenders: int = Field(
        default=BlueDefenderConfig().parallel,
        ge=1,
        le=32,
        description="Review: most blue defenders at work at once; there is one for each finding.",
    )
    testers: int = Field(
        default=SmokeTesterConfig().testers,
        ge=1,
        le=8,
        description="Review: how many smoke testers share what there is to test.",
    )
    red_reviewer_model: str | None = Field(default=None, description="Red reviewers: their model.")
    blue_defender_model: str | None = Field(
        default=None, description="Blue defenders: their model."
    )
    smoke_tester_model: str | None = Field(default=None, description="Smoke testers: their model.")
    claim_extractor_model: str | None = Field(
        default=None, description="Claim extractor: its model."
    )
    web_verifier_model: str | None = Field(default=None, description="Web verifiers: their model.")
    red_reviewer_effort: Effort | None = Field(
        default=None, description="Red reviewers: how much their model thinks."
    )
    blue_defender_effort: Effort | None = Field(
        default=None, description="Blue defenders: how much their model thinks."
    )
    smoke_tester_effort: Effort | None = Field(
        default=None, description="Smoke testers: how much their model thinks."
    )
    claim_extractor_effort: Effort | None = Field(
        default=None, description="Claim extractor: how much its model thinks."
    )
    web_verifier_effort: Effort | None = Field(
        default=None, description="Web verifiers: how much their model thinks."
    )
    red_reviewer_max_turns: int | None = Field(
        default=None, ge=1, description="Red reviewers: most answers of their model in one turn."
    )
    blue_defender_max_turns: int | None = Field(
        default=None, ge=1, description="Blue defenders: most answers of their model in one turn."
    )
    smoke_tester_max_turns: int | None = Field(
        default=None, ge=1, description="Smoke testers: most answers of their model in one turn."
    )
    claim_extractor_max_turns: int | None = Field(
        default=None, ge=1, description="Claim extractor: most answers of its model in one turn."
    )
    web_verifier_max_turns: int | None = Field(
        default=None, ge=1, description="Web verifiers: most answers of their model in one turn."
    )
    red_reviewer_max_cost_usd: Decimal | None = Field(
        default=None, gt=0, description="Red reviewers: dollars that one turn may cost."
    )
    blue_defender_max_cost_usd: Decimal | None = Field(
        default=None, gt=0, description="Blue defenders: dollars that one turn may cost."
    )
    smoke_tester_max_cost_usd: Decimal | None = Field(
        default=None, gt=0, description="Smoke testers: dollars that one turn may cost."
    )
    claim_extractor_max_cost_usd: Decimal | None = Field(
        default=None, gt=0, description="Claim extractor: dollars that one turn may cost."
    )
    web_verifier_max_cost_usd: Decimal | None = Field(
        default=None, gt=0, description="Web verifiers: dollars that one turn may cost."
    )

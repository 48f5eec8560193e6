"""`config/registry/web_review.yaml`: what phase 4b reads and believes."""

from __future__ import annotations

from pydantic import Field

from ..base.registry import RegistryModel

WEB_REVIEW_FILE = "web_review.yaml"


class WebReviewPolicy(RegistryModel):
    """The whole of the file."""

    hits: int = Field(ge=1, le=20)
    tier: int = Field(ge=1, le=5)
    same_time_days: int = Field(ge=0)

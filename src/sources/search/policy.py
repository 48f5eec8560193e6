"""The settings of searching: `config/registry/search.yaml`."""

from __future__ import annotations

from pydantic import Field, NonNegativeFloat, PositiveFloat, PositiveInt

from ...base.registry import RegistryModel

SEARCH_FILE = "search.yaml"


class Transfer(RegistryModel):
    """Bounds of one question to a provider, in seconds and bytes; the file explains them."""

    connect: PositiveFloat
    read: PositiveFloat
    attempt: PositiveFloat
    body_bytes: PositiveInt
    attempts: PositiveInt
    first_wait: NonNegativeFloat
    longest_wait: NonNegativeFloat
    jitter: NonNegativeFloat
    retry_after_cap: NonNegativeFloat


class LikenessWords(RegistryModel):
    """The words by which near-equal queries are known; the file explains each list."""

    fillers: frozenset[str]
    openings: tuple[str, ...]
    not_plural: frozenset[str]
    case_matters: frozenset[str]
    measures: frozenset[str]


class SearchPolicy(RegistryModel):
    """The whole of `search.yaml`."""

    transfer: Transfer
    hits: int = Field(ge=1, le=20)
    excerpt_characters: PositiveInt
    query_characters: int = Field(ge=20, le=200)
    cache_days: NonNegativeFloat
    anthropic_model: str = Field(min_length=1)
    anthropic_tokens: PositiveInt
    likeness: LikenessWords

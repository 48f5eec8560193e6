"""The settings of fetching, reading and searching: `fetch.yaml` and `search.yaml`."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal, Self
from urllib.parse import quote

from pydantic import (
    AfterValidator,
    Field,
    NonNegativeFloat,
    PositiveFloat,
    PositiveInt,
    model_validator,
)

from ..base.registry import RegistryModel, expression
from ..base.vocabulary import SourceState


class ResolverRule(RegistryModel):
    """One service: citations that match `pattern` as a whole are asked for at `address`.

    ``{0}``, ``{1}`` … in `address` stand for the groups of `pattern`.
    """

    name: str = Field(min_length=1)
    pattern: Annotated[str, AfterValidator(expression)]
    address: str = Field(pattern=r"^https?://")


@dataclass(frozen=True, slots=True)
class Resolved:
    """Where to ask for a citation; `service` is "" where it is its own address."""

    address: str
    service: str = ""


def resolve(target: str, rules: tuple[ResolverRule, ...]) -> Resolved:
    """Where `target` is to be asked for, by the first rule that matches.

    A fragment, as in a link to a part of an archived page, is left out.
    """
    cited = target.strip()
    for rule in rules:
        match = re.fullmatch(rule.pattern, cited.partition("#")[0], re.I)
        if match is not None:
            parts = (quote(part or "", safe="/:?&=%+,;@()~!*'") for part in match.groups())
            return Resolved(rule.address.format(*parts), rule.name)
    return Resolved(target)


Lower = Annotated[str, AfterValidator(str.casefold), Field(min_length=1)]


class MetadataRules(RegistryModel):
    """Where pages in many languages and of many makers say what; `fetch.yaml` explains the keys."""

    months: dict[Lower, int]
    published_labels: tuple[Lower, ...]
    modified_labels: tuple[Lower, ...]
    page_foot_labels: tuple[Lower, ...]
    title_names: tuple[Lower, ...]
    author_names: tuple[Lower, ...]
    published_names: tuple[Lower, ...]
    modified_names: tuple[Lower, ...]
    site_names: tuple[Lower, ...]
    tracking_parameters: tuple[Lower, ...]
    foreign_parts: tuple[Lower, ...]
    site_parts: tuple[Lower, ...]
    byline_classes: tuple[Lower, ...]


def fold_words(text: str) -> str:
    """The words of `text` for comparison: no case, no apostrophes, no punctuation."""
    return " ".join(
        re.sub(r"[\W_]+", " ", re.sub(r"['`\u00b4\u2018\u2019]", "", text.casefold())).split()
    )


Folded = Annotated[str, AfterValidator(fold_words), Field(min_length=1)]


FETCH_FILE = "fetch.yaml"


class TextKind(StrEnum):
    """The ways in which text is read out of bytes."""

    HTML = "html"
    PDF = "pdf"
    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"
    CSV = "csv"


class Timeouts(RegistryModel):
    """Seconds. `attempt` bounds one attempt with all its redirects, `source` all attempts together.

    A host at which requests have run out of time for `host` in all is asked no more in a run.
    """

    connect: PositiveFloat
    read: PositiveFloat
    attempt: PositiveFloat
    source: PositiveFloat
    host: PositiveFloat
    extraction: PositiveFloat


class Limits(RegistryModel):
    """The largest answer that is read, before and after decompression, and the longest text.

    `spare_bytes` bounds the files of the named folders, all together, that a check reads beside
    those that the document cites.
    """

    sent_bytes: PositiveInt
    decoded_bytes: PositiveInt
    markup_bytes: PositiveInt
    text_characters: PositiveInt
    redirects: int = Field(ge=0, le=50)
    url_characters: PositiveInt
    spare_bytes: PositiveInt = 4 * 1024 * 1024


class PolitenessPolicy(RegistryModel):
    """Requests at one time to one host and in total; seconds between two starts at one host."""

    per_host: PositiveInt
    in_total: PositiveInt
    interval: NonNegativeFloat


class RetryPolicy(RegistryModel):
    """Attempts in all, and the waits between them in seconds."""

    attempts: PositiveInt
    first_wait: NonNegativeFloat
    longest_wait: NonNegativeFloat
    jitter: NonNegativeFloat
    retry_after_cap: NonNegativeFloat


class CachePolicy(RegistryModel):
    """How long a shared snapshot stands for the live page, in seconds, and how many bytes are kept.

    Younger than `fresh` it is used without a request, up to `longest` if the server says that the
    page has not changed.
    """

    fresh: NonNegativeFloat
    longest: NonNegativeFloat
    most_bytes: PositiveInt


class PageRule(RegistryModel):
    """How a page that is not the source is recognised; the file explains the fields."""

    state: Literal[
        SourceState.SOFT_404, SourceState.BLOCKED, SourceState.PAYWALLED, SourceState.NO_TEXT
    ]
    reason: str = Field(min_length=1)
    titled_characters: int = Field(ge=0)
    phrased_characters: int = Field(ge=0)
    titles: frozenset[Folded] = frozenset()
    phrases: tuple[Folded, ...] = ()


class FetchPolicy(RegistryModel):
    """The whole of `fetch.yaml`."""

    user_agent: str = Field(min_length=1)
    accept_language: str = Field(min_length=1)
    timeouts: Timeouts
    limits: Limits
    politeness: PolitenessPolicy
    retries: RetryPolicy
    cache: CachePolicy
    control_names: tuple[str, ...]
    refused_ports: frozenset[int]
    media_types: dict[str, TextKind]
    suffixes: dict[str, TextKind]
    fillers: frozenset[Folded]
    page_rules: tuple[PageRule, ...]
    declared_paywall_characters: int = Field(ge=0)
    metadata: MetadataRules
    resolvers: tuple[ResolverRule, ...] = ()

    def fingerprint(self) -> str:
        """The same text for equal policies, in every process."""
        return json.dumps(self.model_dump(), default=sorted, sort_keys=True)

    @model_validator(mode="after")
    def _titles_hold_no_fillers(self) -> Self:
        for rule in self.page_rules:
            for title in rule.titles:
                if found := self.fillers.intersection(title.split()):
                    raise ValueError(f"the title {title!r} holds the filler {min(found)!r}")
        return self


SEARCH_FILE = "search.yaml"


class Transfer(RetryPolicy):
    """Bounds of one question to a provider, in seconds and bytes; the file explains them."""

    connect: PositiveFloat
    read: PositiveFloat
    attempt: PositiveFloat
    body_bytes: PositiveInt


class SearchPolicy(RegistryModel):
    """The whole of `search.yaml`."""

    transfer: Transfer
    hits: int = Field(ge=1, le=20)
    excerpt_characters: PositiveInt
    query_characters: int = Field(ge=20, le=200)
    cache_days: NonNegativeFloat
    anthropic_model: str = Field(min_length=1)
    anthropic_tokens: PositiveInt

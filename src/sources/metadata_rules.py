"""Where pages say what they are: the part `metadata` of `config/registry/fetch.yaml`."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from ..base.registry import RegistryModel

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
    excerpt_names: tuple[Lower, ...]
    site_names: tuple[Lower, ...]
    tracking_parameters: tuple[Lower, ...]
    foreign_parts: tuple[Lower, ...]
    site_parts: tuple[Lower, ...]
    byline_classes: tuple[Lower, ...]

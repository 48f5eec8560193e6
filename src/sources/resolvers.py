"""Identifiers and archived copies to the addresses at which public services answer for them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import quote

from pydantic import AfterValidator, Field

from ..base.registry import RegistryModel


def _compiles(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"not a regular expression: {error}") from error
    return pattern


class ResolverRule(RegistryModel):
    """One service: citations that match `pattern` as a whole are asked for at `address`.

    ``{0}``, ``{1}`` … in `address` stand for the groups of `pattern`.
    """

    name: str = Field(min_length=1)
    pattern: Annotated[str, AfterValidator(_compiles)]
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

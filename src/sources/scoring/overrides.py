"""A person's decisions on sources, laid over scores, and the file of people's records."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from ...base.errors import InputError
from ...base.files import RecordFile
from ..addresses import address_key
from .model import Override, SourceScore, Tier, domain_tier_of

OVERRIDES_FILE = "source_overrides.json"

_TIER = re.compile(
    r"(?:approve|accept|use|set|assign)(?: as| it as)? (?:tier |t)([1-5])(?: instead)?",
    re.IGNORECASE,
)
_REJECT = re.compile(r"(?:reject|drop|refuse)(?: (?:this |the )?source)?", re.IGNORECASE)
_FORM = "say 'approve tier 2', 'use tier 3 instead' or 'reject source'"


def parse_decision(words: str) -> Tier | None:
    """The tier that a person gives in `words`, None if they reject the source.

    Raises:
        InputError: The words say neither.
    """
    plain = " ".join(words.split()).rstrip(".!")
    if match := _TIER.fullmatch(plain):
        return Tier(int(match[1]))
    if _REJECT.fullmatch(plain):
        return None
    raise InputError(f"{plain[:80]!r} is no decision on a source", _FORM)


def override_for(score: SourceScore, words: str, *, by: str, at: datetime, why: str) -> Override:
    """The record of a person's decision on `score`.

    Raises:
        InputError: The words are no decision, or who or why is missing.
    """
    if not by.strip() or not why.strip():
        raise InputError("an override needs who decides and why", "give both")
    tier = parse_decision(words)
    return Override(score.url, tier, by.strip(), at.astimezone(UTC), why.strip(), score=score.total)


def apply_overrides(
    scores: Iterable[SourceScore], overrides: Iterable[Override]
) -> tuple[SourceScore, ...]:
    """The scores with each source's latest override; score, parts and flags stay as computed.

    A rejected source is neither reliable nor authoritative, and an approved tier decides the
    domain tier.
    """
    latest = {address_key(one.url): one for one in sorted(overrides, key=lambda one: one.at)}

    def decided(score: SourceScore) -> SourceScore:
        override = latest.get(address_key(score.url))
        if override is None:
            return score
        if override.tier is None:
            return replace(score, override=override, authoritative=False, reliable=False)
        return replace(score, override=override, domain_tier=domain_tier_of(override.tier))

    return tuple(map(decided, scores))


def overrides_in(folder: Path) -> RecordFile[Override]:
    """The overrides kept in a run or project folder."""
    return RecordFile(folder / OVERRIDES_FILE, tuple[Override, ...])

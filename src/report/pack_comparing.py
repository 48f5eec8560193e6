"""Comparison of two versions of a file, which names the differing places."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TypeAlias, cast

from pydantic import JsonValue

from ..base.counting import counted
from ..base.differences import first_difference
from .evidence_pack import Difference, PackCheck
from .wording import shortened

MOST_NAMED = 25
"""Maximum number of differences named for one file."""
SHOWN_CHARS = 160
MAX_PARSED_BYTES = 64 * 1024 * 1024
"""Larger files are compared as text, which takes a tenth of the memory."""
_BY_CLAIM = ("claims", "assessments")
_MISSING = "nothing"
_SCORES = (".supported", ".contradicted")
NEAR = 0.02
"""Probabilities (0–1) of the fitted decision this near are equal: floating point differs by
processor."""


def compare(
    check: PackCheck,
    member: str,
    recorded: str,
    found: str,
    *,
    other_version: bool = False,
    apart: Sequence[str] = (),
) -> Iterator[Difference]:
    """The differences between a member's text as `recorded` and as it was `found` to follow.

    `apart` are the keys at the top of JSON that need not agree.
    """
    if recorded == found:
        return
    before, now = _parsed(recorded), _parsed(found)
    if before is None or now is None:
        yield _by_text(check, member, recorded, found, other_version)
        return
    if apart and isinstance(before, dict) and isinstance(now, dict):
        before, now = _without(before, apart), _without(now, apart)
    named = list(islice(_walk("", before, now, ""), MOST_NAMED))
    for place, claim_id, old, new in named:
        yield Difference(check, member, place, old, new, claim_id, other_version)
    if not named and not apart and before == now:
        yield _by_text(check, member, recorded, found, other_version)


def shown(value: JsonValue) -> str:
    """A value on one line, shortened."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return shortened(text, SHOWN_CHARS)


def _by_text(
    check: PackCheck, member: str, recorded: str, found: str, other_version: bool
) -> Difference:
    lines = [line for line in first_difference(recorded, found).splitlines() if line]
    old = next((line[1:] for line in lines[2:] if line.startswith("-")), "")
    new = next((line[1:] for line in lines[2:] if line.startswith("+")), "")
    place = next((line.strip("@ ") for line in lines if line.startswith("@@")), "")
    return Difference(check, member, place, shown(old), shown(new), other_version=other_version)


def _parsed(text: str) -> JsonValue:
    """`text` as JSON; None if it is none."""
    if len(text) > MAX_PARSED_BYTES:
        return None
    try:
        return cast("JsonValue", json.loads(text))
    except (ValueError, RecursionError):
        return None


def _without(value: dict[str, JsonValue], keys: Sequence[str]) -> dict[str, JsonValue]:
    return {key: each for key, each in value.items() if key not in keys}


_Found: TypeAlias = tuple[str, str, str, str]


def _walk(place: str, before: JsonValue, now: JsonValue, claim_id: str) -> Iterator[_Found]:
    """Place, claim, and both values of everything that differs."""
    if isinstance(before, dict) and isinstance(now, dict):
        yield from _walk_object(place, before, now, claim_id)
    elif isinstance(before, list) and isinstance(now, list):
        yield from _walk_list(place, before, now, claim_id)
    elif _is_score(place) and _are_near(before, now):
        return
    elif before != now or type(before) is not type(now):
        yield place, claim_id, shown(before), shown(now)


def _is_score(place: str) -> bool:
    return place.startswith("assessments") and place.endswith(_SCORES)


def _are_near(before: JsonValue, now: JsonValue) -> bool:
    """Return whether two probabilities may come from one reader on two processors."""
    if not (isinstance(before, float) and isinstance(now, float)):
        return False
    return abs(before - now) <= NEAR


def _walk_object(
    place: str, before: dict[str, JsonValue], now: dict[str, JsonValue], claim_id: str
) -> Iterator[_Found]:
    claim_id = _claim_of(before) or _claim_of(now) or claim_id
    for key in dict.fromkeys([*before, *now]):
        inner = f"{place}.{key}" if place else key
        claim = key if place in _BY_CLAIM else claim_id
        if key not in now:
            yield inner, claim, shown(before[key]), _MISSING
        elif key not in before:
            yield inner, claim, _MISSING, shown(now[key])
        else:
            yield from _walk(inner, before[key], now[key], claim)


def _walk_list(
    place: str, before: list[JsonValue], now: list[JsonValue], claim_id: str
) -> Iterator[_Found]:
    if len(before) != len(now):
        were, are = (counted(len(one), "entry", "entries") for one in (before, now))
        yield place, claim_id, were, are
    for index, (old, new) in enumerate(zip(before, now, strict=False)):
        claim = _claim_of(old, "id") if place in _BY_CLAIM else ""
        yield from _walk(f"{place}[{index}]", old, new, claim or claim_id)


def _claim_of(value: JsonValue, key: str = "claim_id") -> str:
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""

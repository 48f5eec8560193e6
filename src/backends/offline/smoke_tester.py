"""The offline smoke tester: what code compared is its answer."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from ...core.json_shape import child
from ...review.types import SmokeInput, SmokeVerdict

_LONGEST = 600


def hold_items(inputs: SmokeInput) -> Mapping[str, JsonValue]:
    """The slots of the items form, by JSON pointer: failed is what code has found a fault in."""
    values: dict[str, JsonValue] = {}
    for item in inputs.items:
        place = child("/items", item.id)
        verdict = SmokeVerdict.FAILED if item.fault else SmokeVerdict.VERIFIED
        values[f"{place}/verdict"] = verdict.value
        values[f"{place}/reason"] = item.fault[:_LONGEST]
    return values

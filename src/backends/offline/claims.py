"""The offline claim extractor and web verifier: what code found stands, and nothing is added."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from ...core.json_shape import child
from ...review.types import WEB_VERDICTS, WebCheckInput

# What the form takes.
_LONGEST_REASON = 800


def extract_claims() -> Mapping[str, JsonValue]:
    """The slots of an extraction by JSON pointer: code's claims with code's classes."""
    return {"/added_claims": []}


def verify_claims(inputs: WebCheckInput) -> Mapping[str, JsonValue]:
    """The slots of one batch by JSON pointer; what code settled stands in the form already."""
    values: dict[str, JsonValue] = {}
    for work in inputs.claims:
        assessment = work.assessment
        if assessment.decided:
            continue
        place = child("/claims", work.claim.id)
        values[f"{place}/verdict"] = WEB_VERDICTS[assessment.verdict].value
        values[f"{place}/passage"] = ""
        values[f"{place}/other_passage"] = ""
        values[f"{place}/reason"] = assessment.reason[:_LONGEST_REASON] or "Compared by code."
    return values

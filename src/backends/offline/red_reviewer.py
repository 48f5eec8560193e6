"""The offline red reviewer: what rules know is reported by code, so that its form stays empty."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from ...review.types import RedReviewInput


def review_lens(inputs: RedReviewInput) -> Mapping[str, JsonValue]:
    """The slots of the findings form, by JSON pointer."""
    found = len(inputs.known)
    return {
        "/summary": f"Checked through the {inputs.lens} lens by rules, which found "
        f"{found or 'nothing'}{'' if found else ' to report'}; no language model was used, so "
        "nothing was looked for beyond them.",
        "/findings": [],
    }

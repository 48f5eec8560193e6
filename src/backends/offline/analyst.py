"""The offline analyst: an extractive draft, and its revision by the checkers' findings."""

from __future__ import annotations

from ...core.work import AnalystInput
from .drafting import write_draft
from .revision import revise
from .rules import OfflineRules


def write_analysis(inputs: AnalystInput, rules: OfflineRules) -> str:
    """The whole document: a first draft, or the last version with its findings applied."""
    return revise(inputs, rules) if inputs.draft else write_draft(inputs, rules)

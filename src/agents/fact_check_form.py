"""The fact checker's form for some claims: what code found stands in it, the rest is open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from ..core.templates import TemplateLibrary
from ..core.types import ClaimWork, IterationEvidence
from .fact_check_files import CLAIM_CHARS, clipped, describe_citations

TEMPLATE = "agents/fact-checker/fact_check.json"


def form_entries(
    works: Sequence[ClaimWork], evidence: IterationEvidence
) -> Mapping[str, Mapping[str, JsonValue]]:
    """For each claim the fields that code fills.

    A claim that code decided comes with its slots filled; the agent may lower the verdict.
    """
    return {work.claim.id: _entry(work, evidence) for work in works}


def _entry(work: ClaimWork, evidence: IterationEvidence) -> dict[str, JsonValue]:
    claim, assessment = work.claim, work.assessment
    cited = "; ".join(describe_citations(claim, evidence.sources)) or "no source"
    entry: dict[str, JsonValue] = {
        "claim": clipped(claim.text, CLAIM_CHARS),
        "where": str(claim.location),
        "cited": clipped(cited, CLAIM_CHARS),
        "found_by_code": f"{assessment.verdict}: {clipped(assessment.reason, CLAIM_CHARS)}",
    }
    if assessment.decided:
        entry["verdict"] = assessment.verdict.value
        entry["passage"] = ""
        entry["reason"] = "settled by code"
    return entry


def entry_bytes(
    templates: TemplateLibrary, works: Sequence[ClaimWork], evidence: IterationEvidence
) -> int:
    """The size of the form for `works` as a file, in bytes."""
    form = templates.json_template(TEMPLATE, claims=form_entries(works, evidence))
    return len(form.text.encode())

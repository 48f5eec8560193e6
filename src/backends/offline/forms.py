"""The forms that code fills from results it has already: fact checks and the forms of a review."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from pydantic import JsonValue

from ...base.vocabulary import Recommendation, Severity, Verdict
from ...core.json_shape import child
from ...core.work import FactCheckInput
from ...review.types import (
    WEB_VERDICTS,
    DefenceInput,
    DefenceOutcome,
    RedReviewInput,
    SmokeInput,
    SmokeVerdict,
    WebCheckInput,
)

Slots = Mapping[str, JsonValue]
"""Values for the slots of a form, by JSON pointer."""

# Limits of the forms.
_LONGEST_REASON = 800
_LONGEST_FAULT = 600


def check_facts(inputs: FactCheckInput) -> Slots:
    """Give every claim of the batch the verdict and reason that code found."""
    values: dict[str, JsonValue] = {"/additional_claims": [], "/issues": []}
    counts: Counter[Verdict] = Counter()
    for work in inputs.claims:
        assessment = work.assessment
        place = child("/claims", work.claim.id)
        counts[assessment.verdict] += 1
        values[f"{place}/verdict"] = assessment.verdict.value
        values[f"{place}/passage"] = ""
        values[f"{place}/reason"] = assessment.reason or "Compared by code."
    findings = [finding for work in inputs.claims for finding in work.assessment.findings]
    severe = any(finding.severity.at_least(Severity.HIGH) for finding in findings)
    values["/recommendation"] = (Recommendation.REJECT if severe else Recommendation.APPROVE).value
    verdicts = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
    values["/recommendation_reason"] = f"Compared by code, without a language model: {verdicts}."
    return values


def review_lens(inputs: RedReviewInput) -> Slots:
    """Leave the list of findings empty: code reports those of the rules itself."""
    found = len(inputs.known)
    return {
        "/summary": f"Checked through the {inputs.lens} lens by rules, which found "
        f"{found or 'nothing'}{'' if found else ' to report'}; no language model was used, so "
        "nothing was looked for beyond them.",
        "/findings": [],
    }


def defend(inputs: DefenceInput) -> Slots:
    """Let the finding survive: only a reader can tell whether the document answers it."""
    place = child("/defences", inputs.finding.id)
    return {
        f"{place}/outcome": DefenceOutcome.SURVIVED.value,
        f"{place}/words": "",
        f"{place}/argument": "Rules defend nothing; no language model was used.",
    }


def test_items(inputs: SmokeInput) -> Slots:
    """Fail exactly the items in which code found a fault."""
    values: dict[str, JsonValue] = {}
    for item in inputs.items:
        place = child("/items", item.id)
        verdict = SmokeVerdict.FAILED if item.fault else SmokeVerdict.VERIFIED
        values[f"{place}/verdict"] = verdict.value
        values[f"{place}/reason"] = item.fault[:_LONGEST_FAULT]
    return values


def extract_claims() -> Slots:
    """Add no claim to those that code detected, and keep their classes."""
    return {"/added_claims": []}


def verify_claims(inputs: WebCheckInput) -> Slots:
    """Repeat code's verdict for every claim of the batch that the form does not hold already."""
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

"""The offline fact checker: the engine's verdicts written into the fact-check form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from pydantic import JsonValue

from ...base.vocabulary import Recommendation, Severity, Verdict
from ...core.json_shape import child
from ...core.work import FactCheckInput


def check_facts(inputs: FactCheckInput) -> Mapping[str, JsonValue]:
    """The slots of one batch, by JSON pointer.

    Every claim keeps the verdict that code gave it; what code left undecided stays undecided, with
    its reason.
    """
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
    given = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
    values["/recommendation_reason"] = f"Compared by code, without a language model: {given}."
    return values

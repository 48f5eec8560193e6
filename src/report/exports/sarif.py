"""SARIF 2.1.0 (OASIS): findings for code scanning and editors."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from pydantic import JsonValue

from ...base.finding import Correction, Finding
from ...base.printable import visible
from ...base.vocabulary import FailCode, IssueType, ReviewCriterion
from ...verification.model import Evidence, GateResult
from .json_text import Streamed
from .model import ExaminedDocument, Json
from .sarif_parts import (
    FINGERPRINT,
    LEVELS,
    RANKS,
    SarifRun,
    artifact,
    evidence_place,
    message,
    place,
    related,
    sarif,
)

RULES: Mapping[str, str] = MappingProxyType(
    {
        IssueType.UNSOURCED: "A factual claim without a source",
        IssueType.FABRICATED: "A result of the author's own without anything to show for it",
        IssueType.VERIFIED_FALSE: "The source states otherwise",
        IssueType.NUMERIC_ERROR: "A number that differs from the source's",
        IssueType.UNVERIFIABLE: "Nothing that can be read settles the claim",
        IssueType.DEAD_CITATION: "The cited source is not there",
        IssueType.ALTERED_QUOTE: "A quotation that differs from its source",
        IssueType.MISATTRIBUTED: "The cited source has nothing on the claim",
        IssueType.OUTDATED: "Right when written, and no longer",
        IssueType.MISSING_CONTEXT: "The source says more, which changes the meaning",
        IssueType.INCOMPLETE_CITATION: "A citation that names no address",
        IssueType.INTERNAL_CONTRADICTION: "Two places of the document that cannot both be right",
        IssueType.ARITHMETIC: "Figures that do not come out",
        IssueType.ERROR: "Something that could not be examined",
        ReviewCriterion.STRUCTURE: "Sections, order or length are not as asked",
        ReviewCriterion.COVERAGE: "A question of the brief without an answer",
        ReviewCriterion.CITATION_DENSITY: "Too few citations",
        ReviewCriterion.HEDGING: "The text is surer, or less sure, than its evidence",
        ReviewCriterion.CONSISTENCY: "Places that differ from each other",
        ReviewCriterion.READABILITY: "Hard to read",
        ReviewCriterion.REASONING: "A conclusion that does not follow",
        ReviewCriterion.GATE: "The evidence gate did not pass",
        ReviewCriterion.QUALITY: "Below the bar of the critique",
        FailCode.READER_PIPELINE: "Too few sources could be read",
        FailCode.INSUFFICIENT_EVIDENCE: "Too little evidence, or too few sources",
        FailCode.SOURCE_DIVERSITY: "Too few reliable sources",
        FailCode.VERIFICATION_INCONCLUSIVE: "Too few claims could be verified",
        FailCode.OPEN_SLOT: "A claim that nobody answered for",
        FailCode.CONTRADICTION: "An open contradiction",
        FailCode.COVERAGE: "Too few claims are supported",
        FailCode.QUOTE: "A checker quoted what is not in the source",
        FailCode.CIRCULARITY: "Only circular sources",
        FailCode.QUALITY_GATE: "The critique's score is too low for an approval",
        FailCode.GATE_POLICY: "The user's own gate policy objects",
    }
)
"""Every rule with its short description: the issue types, the criteria, the gate's fail codes."""

_INDEX = {id_: number for number, id_ in enumerate(RULES)}


def sarif_log(
    documents: Sequence[ExaminedDocument],
    accepted: Mapping[str, Collection[str]] = MappingProxyType({}),
    *,
    foureyes: str,
    failures: Sequence[str] = (),
) -> Mapping[str, Streamed]:
    """What was found in `documents`, and the failures of their gates, as one log of one run.

    Findings whose ids are `accepted` under their document's path are there, suppressed. `failures`
    are documents that could not be examined, in a line each. `foureyes` is the version of the
    program. Columns count code points.
    """
    results = (
        result
        for number, document in enumerate(documents)
        for result in _results(document, number, accepted.get(document.path, ()))
    )
    run = SarifRun(
        foureyes,
        RULES,
        [{"location": artifact(document.path)} for document in documents],
        results,
        warnings=[line for document in documents for line in document.unfinished],
        failures=failures,
    )
    return sarif([run])


def _results(examined: ExaminedDocument, number: int, accepted: Collection[str]) -> Iterator[Json]:
    wanted = {finding.claim_id for finding in examined.findings}
    evidence = {e.claim_id: e.evidence for e in examined.entries if e.claim_id in wanted}
    for finding in examined.findings:
        result = _result(finding, examined, number, evidence.get(finding.claim_id or "", ()))
        if finding.id in accepted:
            reason = "accepted in the baseline"
            result["suppressions"] = [{"kind": "external", "justification": reason}]
        yield result
    gate = examined.gate
    if gate is not None and gate.fail_code is not None:
        yield _gate_result(gate, gate.fail_code, examined, number)


def _result(
    finding: Finding, examined: ExaminedDocument, number: int, evidence: Iterable[Evidence]
) -> Json:
    said = " ".join(
        sentence.rstrip(".") + "." for sentence in (finding.problem, finding.evidence) if sentence
    )
    properties: Json = {"severity": finding.severity.value, "origin": finding.origin}
    if finding.claim_id:
        properties["claimId"] = finding.claim_id
    if finding.recommendation:
        properties["recommendation"] = visible(finding.recommendation)
    fixes: Json = {}
    if finding.correction is not None:
        fixes["fixes"] = [_fix(finding.correction, examined)]
    return {
        "ruleId": finding.type.value,
        "ruleIndex": _INDEX[finding.type.value],
        "level": LEVELS[finding.severity],
        "rank": RANKS[finding.severity],
        "message": message(said),
        "locations": [place(finding.location, examined.text, examined.path, number)],
        "partialFingerprints": {FINGERPRINT: finding.id},
        "properties": properties,
        **related([*_own_places(finding, examined, number), *map(evidence_place, evidence)]),
        **fixes,
    }


def _gate_result(gate: GateResult, code: FailCode, examined: ExaminedDocument, number: int) -> Json:
    return {
        "ruleId": code.value,
        "ruleIndex": _INDEX[code.value],
        "level": "error",
        "message": message(f"{gate.reason}; would change with {gate.would_change}"),
        "locations": [place(None, examined.text, examined.path, number)],
        "partialFingerprints": {FINGERPRINT: f"gate/{gate.profile}/{code.value}"},
        "properties": {"profile": gate.profile, "rule": gate.rule},
    }


def _own_places(finding: Finding, examined: ExaminedDocument, number: int) -> Iterator[Json]:
    for location in finding.related:
        there = place(location, examined.text, examined.path, number)
        yield {**there, "message": {"text": "another place of the document that this is about"}}


def _fix(correction: Correction, examined: ExaminedDocument) -> JsonValue:
    return {
        "description": {"text": "what the source states"},
        "artifactChanges": [
            {
                "artifactLocation": artifact(examined.path),
                "replacements": [
                    {
                        "deletedRegion": {
                            "charOffset": correction.start,
                            "charLength": correction.end - correction.start,
                        },
                        "insertedContent": {"text": correction.replacement},
                    }
                ],
            }
        ],
    }

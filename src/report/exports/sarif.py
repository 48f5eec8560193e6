"""SARIF 2.1.0 (OASIS): findings for code scanning and editors."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from pydantic import JsonValue

from ...base.finding import Correction, Finding, Location
from ...base.printable import visible
from ...base.vocabulary import FailCode, IssueType, ReviewCriterion, Severity
from ...verification.model import Evidence, GateResult
from .model import ExaminedDocument, Json, uri_reference

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
FINGERPRINT = "foureyesFinding/v1"
"""The key of a finding's fingerprint; its value stays as it is when lines move."""
LEVELS: Mapping[Severity, str] = MappingProxyType(
    {
        Severity.CRITICAL: "error",
        Severity.HIGH: "error",
        Severity.MEDIUM: "warning",
        Severity.LOW: "note",
    }
)
RANKS: Mapping[Severity, float] = MappingProxyType(
    {Severity.CRITICAL: 100.0, Severity.HIGH: 75.0, Severity.MEDIUM: 50.0, Severity.LOW: 25.0}
)
"""SARIF's `rank`: 0 to 100, the higher the more important."""
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
) -> Json:
    """What was found in `documents`, and the failures of their gates, as one log of one run.

    Findings whose ids are `accepted` under their document's path are there, suppressed. `failures`
    are documents that could not be examined, in a line each. `foureyes` is the version of the
    program. Columns count code points.
    """
    results = [
        result
        for number, document in enumerate(documents)
        for result in _results(document, number, accepted.get(document.path, ()))
    ]
    notices = [(line, "warning") for document in documents for line in document.unfinished]
    notices += [(line, "error") for line in failures]
    notifications: list[JsonValue] = [
        {"level": level, "message": {"text": visible(line)}} for line, level in notices
    ]
    driver: Json = {
        "name": "foureyes",
        "semanticVersion": foureyes,
        "rules": [_rule(id_, text) for id_, text in RULES.items()],
    }
    run: Json = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "artifacts": [{"location": _artifact(document.path)} for document in documents],
        "invocations": [
            {"executionSuccessful": not failures, "toolExecutionNotifications": notifications}
        ],
        "results": [*results],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _results(examined: ExaminedDocument, number: int, accepted: Collection[str]) -> Iterator[Json]:
    entries = examined.entries()
    for finding in examined.findings:
        entry = entries.get(finding.claim_id or "")
        result = _result(finding, examined, number, entry.evidence if entry else ())
        if finding.id in accepted:
            reason = "accepted in the baseline"
            result["suppressions"] = [{"kind": "external", "justification": reason}]
        yield result
    gate = examined.gate
    if gate is not None and gate.fail_code is not None:
        yield _gate_result(gate, gate.fail_code, examined, number)


def _rule(id_: str, text: str) -> Json:
    name = "".join(word.capitalize() for word in id_.split("_"))
    return {"id": id_, "name": name, "shortDescription": {"text": text}}


def _result(
    finding: Finding, examined: ExaminedDocument, number: int, evidence: Iterable[Evidence]
) -> Json:
    message = " ".join(
        sentence.rstrip(".") + "." for sentence in (finding.problem, finding.evidence) if sentence
    )
    properties: Json = {"severity": finding.severity.value, "origin": finding.origin}
    if finding.claim_id:
        properties["claimId"] = finding.claim_id
    if finding.recommendation:
        properties["recommendation"] = visible(finding.recommendation)
    result: Json = {
        "ruleId": finding.type.value,
        "ruleIndex": _INDEX[finding.type.value],
        "level": LEVELS[finding.severity],
        "rank": RANKS[finding.severity],
        "message": {"text": visible(message)},
        "locations": [_location(finding.location, examined, number)],
        "partialFingerprints": {FINGERPRINT: finding.id},
        "properties": properties,
    }
    related = [*_own_places(finding, examined, number), *_evidence(evidence)]
    if related:
        result["relatedLocations"] = [
            {"id": number, **place} for number, place in enumerate(related, start=1)
        ]
    if finding.correction is not None:
        result["fixes"] = [_fix(finding.correction, examined)]
    return result


def _gate_result(gate: GateResult, code: FailCode, examined: ExaminedDocument, number: int) -> Json:
    return {
        "ruleId": code.value,
        "ruleIndex": _INDEX[code.value],
        "level": "error",
        "message": {"text": visible(f"{gate.reason}; would change with {gate.would_change}")},
        "locations": [_location(None, examined, number)],
        "partialFingerprints": {FINGERPRINT: f"gate/{gate.profile}/{code.value}"},
        "properties": {"profile": gate.profile, "rule": gate.rule},
    }


def _artifact(path: str) -> Json:
    return {"uri": uri_reference(path), "uriBaseId": "%SRCROOT%"}


def _location(location: Location | None, examined: ExaminedDocument, number: int) -> Json:
    region: Json = {"startLine": 1} if location is None else _region(location, examined.text)
    artifact: Json = {**_artifact(examined.path), "index": number}
    return {"physicalLocation": {"artifactLocation": artifact, "region": region}}


def _region(location: Location, text: str) -> Json:
    end_line, end_column = _position(text, location)
    return {
        "startLine": location.line,
        "startColumn": location.column,
        "endLine": end_line,
        "endColumn": end_column,
        "charOffset": location.start,
        "charLength": location.end - location.start,
        "snippet": {"text": visible(text[location.start : location.end])},
    }


def _position(text: str, location: Location) -> tuple[int, int]:
    """Line and column (from 1) behind the last character of `location`."""
    inside = text[location.start : location.end]
    breaks = inside.count("\n")
    if not breaks:
        return location.line, location.column + len(inside)
    return location.line + breaks, len(inside) - inside.rfind("\n")


def _own_places(finding: Finding, examined: ExaminedDocument, number: int) -> Iterator[Json]:
    for location in finding.related:
        place = _location(location, examined, number)
        yield {**place, "message": {"text": "another place of the document that this is about"}}


def _evidence(evidence: Iterable[Evidence]) -> Iterator[Json]:
    for item in evidence:
        yield {
            "physicalLocation": {
                "artifactLocation": {"uri": uri_reference(item.url)},
                "region": {
                    "charOffset": item.start,
                    "charLength": item.end - item.start,
                    "snippet": {"text": visible(item.quote)},
                },
            },
            "message": {"text": f"{item.stance.value}, in the snapshot {item.sha256}"},
        }


def _fix(correction: Correction, examined: ExaminedDocument) -> Json:
    return {
        "description": {"text": "what the source states"},
        "artifactChanges": [
            {
                "artifactLocation": _artifact(examined.path),
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

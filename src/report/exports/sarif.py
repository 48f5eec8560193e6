"""SARIF 2.1.0 (OASIS): findings for code scanning and editors."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from types import MappingProxyType

from pydantic import JsonValue

from ...base.finding import Correction, Finding, Location
from ...base.printable import visible
from ...base.vocabulary import Drift, FailCode, IssueType, ReviewCriterion, Severity
from ...review.types import WebVerdict
from ...verification.model import Evidence, GateResult
from ..review_report import CheckedClaim
from .documents import FLAWS, NamedFinding, ReviewedDocument
from .json_text import Streamed
from .model import ExaminedDocument, Json, uri_reference

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
    """Return one log with the findings in `documents` and the failures of their gates.

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
    cited_claims = {finding.claim_id for finding in examined.findings}
    evidence = {e.claim_id: e.evidence for e in examined.entries if e.claim_id in cited_claims}
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
        "message": message(_sentences([finding.problem, finding.evidence])),
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


_BRACKET = re.compile(r"[\[\]]")
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


@dataclass(frozen=True, slots=True)
class SarifRun:
    """One run of a log.

    `rules` are ids with their short descriptions. `warnings` list unchecked parts and `failures`
    documents that could not be examined, one a line. `category` distinguishes the runs of one log,
    and `about` describes this one.
    """

    foureyes: str
    rules: Mapping[str, str]
    artifacts: Sequence[Json]
    results: Iterator[JsonValue]
    _: KW_ONLY
    warnings: Sequence[str] = ()
    failures: Sequence[str] = ()
    category: str = ""
    about: str = ""


def sarif(runs: Sequence[SarifRun]) -> Mapping[str, Streamed]:
    """The log of `runs`. Columns count code points."""
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(run) for run in runs]}


def _run(run: SarifRun) -> Mapping[str, Streamed]:
    notices = [(line, "warning") for line in run.warnings]
    notices += [(line, "error") for line in run.failures]
    notifications: list[JsonValue] = [
        {"level": level, "message": message(line)} for line, level in notices
    ]
    driver: Json = {
        "name": "foureyes",
        "semanticVersion": run.foureyes,
        "rules": [_rule(id_, text) for id_, text in run.rules.items()],
    }
    written: dict[str, Streamed] = {"tool": {"driver": driver}}
    if run.category:
        details: Json = {"id": run.category}
        if run.about:
            details["description"] = message(run.about)
        written["automationDetails"] = details
    invocation: Json = {
        "executionSuccessful": not run.failures,
        "toolExecutionNotifications": notifications,
    }
    return {
        **written,
        "columnKind": "unicodeCodePoints",
        "artifacts": [*run.artifacts],
        "invocations": [invocation],
        "results": run.results,
    }


def artifact(path: str) -> Json:
    """The file `path` below the root of what is examined."""
    return {"uri": uri_reference(path), "uriBaseId": "%SRCROOT%"}


def place(location: Location | None, text: str, path: str, number: int) -> Json:
    """`location` in the text of the artifact `number`, which is `path`; None is the whole of it."""
    region: Json = {"startLine": 1} if location is None else _region(location, text)
    return {
        "physicalLocation": {
            "artifactLocation": {**artifact(path), "index": number},
            "region": region,
        }
    }


def evidence_place(item: Evidence) -> Json:
    """The words of a source that bear on a finding, in its extracted text."""
    return {
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


def related(places: Sequence[Json]) -> Json:
    """`places` as the numbered places that a result is related to; nothing without any."""
    numbered: list[JsonValue] = [{"id": n, **one} for n, one in enumerate(places, start=1)]
    return {"relatedLocations": numbered} if numbered else {}


def _rule(id_: str, text: str) -> Json:
    name = "".join(word.capitalize() for word in id_.split("_"))
    return {"id": id_, "name": name, "shortDescription": {"text": text}}


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


def message(text: str) -> Json:
    """Make a message with the text `text`, without placeholders or links (SARIF 3.11.5-6)."""
    said = visible(text).replace("{", "{{").replace("}", "}}")
    return {"text": _BRACKET.sub(r"\\\g<0>", said) if "](" in said else said}


CLAIM_RULES: Mapping[str, tuple[str, Severity]] = MappingProxyType(
    {
        "claim_contradicted": ("An authoritative source says otherwise", Severity.HIGH),
        "claim_disputed": ("Sources do not agree on the claim", Severity.MEDIUM),
        "claim_outdated": ("Right once, and no longer", Severity.MEDIUM),
    }
)
"""Rules for claims that were looked up, with their severities."""
_FLAW_INDEX = {id_: number for number, id_ in enumerate(FLAWS)}
_CLAIM_INDEX = {id_: number for number, id_ in enumerate(CLAIM_RULES)}


def review_sarif(document: ReviewedDocument, *, foureyes: str) -> Mapping[str, Streamed]:
    """Return the review as one log.

    The first run contains the findings. The external verification changes none of them and is a
    separate run, which begins with the reading order (review spec, safety constraints 2 and 8).
    """
    artifacts = list(_artifacts(document))
    runs = [
        SarifRun(
            foureyes,
            FLAWS,
            artifacts,
            (_finding(one, document) for one in document.findings),
            warnings=document.unfinished,
            category="foureyes/review/",
        )
    ]
    if document.appendix is not None:
        rules = {id_: text for id_, (text, _) in CLAIM_RULES.items()}
        unread = [f"not read: {one.url}: {one.reason}" for one in document.appendix.unread]
        runs.append(
            SarifRun(
                foureyes,
                rules,
                artifacts,
                _claims(document),
                warnings=unread,
                category="foureyes/review/external-verification/",
                about=document.appendix.reading_order,
            )
        )
    return sarif(runs)


def _artifacts(document: ReviewedDocument) -> Iterator[Json]:
    """Yield the file of all places; after a reading copy also the original document."""
    yield {"location": artifact(document.path)}
    if document.path != document.original:
        yield {"location": artifact(document.original)}


def _finding(one: NamedFinding, document: ReviewedDocument) -> JsonValue:
    finding = one.finding
    said = [finding.problem]
    places: list[Json] = []
    if finding.defence is not None:
        said.append(f"Defence ({finding.defence.outcome}): {finding.defence.argument}")
        words = document.found(finding.defence.quote)
        if words is not None:
            there = place(words, document.text, document.path, 0)
            places.append({**there, "message": {"text": "said for the document"}})
    properties: Json = {
        "number": finding.number,
        "lens": finding.lens.value,
        "issue": visible(finding.issue),
        "severity": finding.severity.value,
        "place": visible(finding.place.where),
        "byRules": finding.by_rules,
    }
    if finding.doubt:
        properties["doubt"] = visible(finding.doubt)
    if finding.sha256:
        properties["sealedSha256"] = finding.sha256
    location = document.location(finding.place)
    return {
        "ruleId": one.flaw,
        "ruleIndex": _FLAW_INDEX[one.flaw],
        "level": LEVELS[finding.severity],
        "rank": RANKS[finding.severity],
        "message": message(_sentences(said)),
        "locations": [place(location, document.text, document.path, 0)],
        "partialFingerprints": {FINGERPRINT: one.fingerprint},
        "properties": properties,
        **related(places),
    }


def _claims(document: ReviewedDocument) -> Iterator[JsonValue]:
    assert document.appendix is not None
    for one in document.appendix.checked:
        rule = _rule_of(one)
        if rule is not None:
            yield _claim(one, rule, document)


def _rule_of(claim: CheckedClaim) -> str | None:
    match claim.result.verdict:
        case WebVerdict.CONTRADICTED:
            return "claim_contradicted"
        case WebVerdict.DISPUTED:
            return "claim_disputed"
        case WebVerdict.CONFIRMED | WebVerdict.UNVERIFIABLE:
            return "claim_outdated" if claim.result.drift is Drift.OUTDATED else None


def _claim(one: CheckedClaim, rule: str, document: ReviewedDocument) -> JsonValue:
    severity = CLAIM_RULES[rule][1]
    result = one.result
    said = [f"“{one.claim.statement}”: {result.reason}", result.temporal_note]
    location = document.location(one.claim.place)
    return {
        "ruleId": rule,
        "ruleIndex": _CLAIM_INDEX[rule],
        "level": LEVELS[severity],
        "rank": RANKS[severity],
        "message": message(_sentences(said)),
        "locations": [place(location, document.text, document.path, 0)],
        "partialFingerprints": {FINGERPRINT: f"{rule}/{one.claim.id}"},
        "properties": {
            "claimId": one.claim.id,
            "verdict": result.verdict.value,
            "drift": result.drift.value,
            "place": visible(one.claim.place.where),
        },
        **related([evidence_place(source.evidence) for source in result.sources]),
    }


def _sentences(said: list[str]) -> str:
    return " ".join(one.rstrip(".") + "." for one in said if one)

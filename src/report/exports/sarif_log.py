"""SARIF 2.1.0 (OASIS): the findings of checks and runs, and what every log is made of."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from pydantic import JsonValue

from ...base.printable import visible
from ...base.registry import RegistryModel, packaged_file
from ...base.vocabulary import Drift, Finding, Location, Severity
from ...core.record_folder import program_version
from ...review.types import WebVerdict
from ...verification.model import Evidence
from ..review_report import CheckedClaim
from .documents import ExportedRecord, NamedFinding, ReviewedDocument
from .model import ExaminedDocument, Json, Streamed, json_pieces, uri_reference

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
FINGERPRINT = "foureyesFinding/v1"
"""The key of a finding's fingerprint; its value stays as it is when lines move."""
_LEVELS: Mapping[Severity, tuple[str, float]] = {
    Severity.CRITICAL: ("error", 100.0),
    Severity.HIGH: ("error", 75.0),
    Severity.MEDIUM: ("warning", 50.0),
    Severity.LOW: ("note", 25.0),
}
"""SARIF's `level` and `rank` (0 to 100, the higher the more important)."""
_BRACKET = re.compile(r"[\[\]]")


class SarifRules(RegistryModel):
    """Rules with their short descriptions, in the order of their indexes.

    `document` are those of runs and checks, `review` those of reviews, and `outside` those of
    claims that were looked up.
    """

    document: dict[str, str]
    review: dict[str, str]
    outside: dict[str, str]


def sarif_rules() -> SarifRules:
    """The rules of every log."""
    return packaged_file(SarifRules, "report/sarif_rules.yaml")


@cache
def _index(rule: str) -> int:
    """The index of a rule among those of its run."""
    every = sarif_rules()
    for rules in (every.review, every.outside, every.document):
        if rule in rules:
            return [*rules].index(rule)
    raise KeyError(rule)


def sarif_log(
    documents: Iterable[ExaminedDocument],
    accepted: Mapping[str, Collection[str]] = MappingProxyType({}),
    *,
    failures: Sequence[str] = (),
) -> Iterator[str]:
    """Yield one log with the findings in `documents` and the failures of their gates.

    Findings whose ids are `accepted` under their document's path are there, suppressed. `failures`
    are documents that could not be examined, in a line each. Columns count code points. `documents`
    are gone through several times.
    """
    results = (
        result
        for number, document in enumerate(documents)
        for result in _results(document, number, accepted.get(document.path, ()))
    )
    paths = [document.path for document in documents]
    warnings = [line for document in documents for line in document.unfinished]
    return log_pieces(
        [log_run(sarif_rules().document, paths, results, warnings=warnings, failures=failures)]
    )


def _results(examined: ExaminedDocument, number: int, accepted: Collection[str]) -> Iterator[Json]:
    file = LogFile(examined.path, examined.text, number)
    cited_claims = {finding.claim_id for finding in examined.findings}
    evidence = {e.claim_id: e.evidence for e in examined.entries if e.claim_id in cited_claims}
    for finding in examined.findings:
        result = _finding(finding, file, evidence.get(finding.claim_id or "", ()))
        if finding.id in accepted:
            reason = "accepted in the baseline"
            result["suppressions"] = [{"kind": "external", "justification": reason}]
        yield result
    gate = examined.gate
    if gate is not None and gate.fail_code is not None:
        code = gate.fail_code.value
        text = f"{gate.reason}; would change with {gate.would_change}"
        properties: Json = {"profile": gate.profile, "rule": gate.rule}
        place, fingerprint = file.place(None), f"gate/{gate.profile}/{code}"
        yield log_result(code, None, text, place, fingerprint, properties)


def _finding(finding: Finding, file: LogFile, evidence: Iterable[Evidence]) -> Json:
    properties: Json = {"severity": finding.severity.value, "origin": finding.origin}
    if finding.claim_id:
        properties["claimId"] = finding.claim_id
    if finding.recommendation:
        properties["recommendation"] = visible(finding.recommendation)
    about = "another place of the document that this is about"
    others = (file.place(one, about) for one in finding.related)
    result = log_result(
        finding.type.value,
        finding.severity,
        sentences(finding.problem, finding.evidence),
        file.place(finding.location),
        finding.id,
        properties,
        [*others, *map(evidence_place, evidence)],
    )
    if (correction := finding.correction) is not None:
        length = correction.end - correction.start
        replacement: Json = {
            "deletedRegion": {"charOffset": correction.start, "charLength": length},
            "insertedContent": {"text": correction.replacement},
        }
        change: Json = {"artifactLocation": _artifact(file.path), "replacements": [replacement]}
        text = "what the source states"
        result["fixes"] = [{"description": {"text": text}, "artifactChanges": [change]}]
    return result


@dataclass(frozen=True, slots=True)
class LogFile:
    """The document that results are about: the artifact `number` of its run."""

    path: str
    text: str
    number: int = 0

    def place(self, location: Location | None, message: str = "") -> Json:
        """Return `location` as a place of the file, or all of it for None."""
        region: Json = {"startLine": 1} if location is None else self._region(location)
        artifact: Json = {**_artifact(self.path), "index": self.number}
        place: Json = {"physicalLocation": {"artifactLocation": artifact, "region": region}}
        return {**place, "message": {"text": message}} if message else place

    def _region(self, location: Location) -> Json:
        inside = self.text[location.start : location.end]
        breaks = inside.count("\n")
        column = len(inside) - inside.rfind("\n") if breaks else location.column + len(inside)
        return {
            "startLine": location.line,
            "startColumn": location.column,
            "endLine": location.line + breaks,
            "endColumn": column,
            "charOffset": location.start,
            "charLength": location.end - location.start,
            "snippet": {"text": visible(inside)},
        }


def log_pieces(runs: Sequence[Mapping[str, Streamed]]) -> Iterator[str]:
    """Yield a log of `runs`."""
    return json_pieces({"$schema": SCHEMA, "version": "2.1.0", "runs": [*runs]})


def log_run(
    rules: Mapping[str, str],
    paths: Iterable[str],
    results: Iterator[JsonValue],
    details: Json | None = None,
    *,
    warnings: Iterable[str] = (),
    failures: Sequence[str] = (),
) -> Mapping[str, Streamed]:
    """One run of a log.

    `rules` are ids with their short descriptions. `warnings` list unchecked parts and `failures`
    documents that could not be examined, one a line. `details` distinguish the runs of one log.
    """
    notices = [(line, "warning") for line in warnings]
    notices += [(line, "error") for line in failures]
    notes: list[JsonValue] = [{"level": level, "message": message(line)} for line, level in notices]
    described: list[JsonValue] = [_rule(id_, text) for id_, text in rules.items()]
    driver: Json = {"name": "foureyes", "semanticVersion": program_version(), "rules": described}
    invocation: Json = {"executionSuccessful": not failures, "toolExecutionNotifications": notes}
    return {
        "tool": {"driver": driver},
        **({"automationDetails": details} if details else {}),
        "columnKind": "unicodeCodePoints",
        "artifacts": [{"location": _artifact(path)} for path in paths],
        "invocations": [invocation],
        "results": results,
    }


def _rule(id_: str, text: str) -> Json:
    name = "".join(word.capitalize() for word in id_.split("_"))
    return {"id": id_, "name": name, "shortDescription": {"text": text}}


def log_result(
    rule: str,
    severity: Severity | None,
    text: str,
    place: Json,
    fingerprint: str,
    properties: Json,
    related: Sequence[Json] = (),
) -> Json:
    """One result at `place`; without a severity it is an error without a rank."""
    level, rank = _LEVELS[severity] if severity is not None else ("error", None)
    result: Json = {"ruleId": rule, "ruleIndex": _index(rule), "level": level}
    if rank is not None:
        result["rank"] = rank
    result |= {
        "message": message(text),
        "locations": [place],
        "partialFingerprints": {FINGERPRINT: fingerprint},
        "properties": properties,
    }
    if related:
        result["relatedLocations"] = [{"id": n, **one} for n, one in enumerate(related, start=1)]
    return result


def _artifact(path: str) -> Json:
    """The file `path` below the root of what is examined."""
    return {"uri": uri_reference(path), "uriBaseId": "%SRCROOT%"}


def evidence_place(item: Evidence) -> Json:
    """The words of a source that bear on a finding, in its extracted text."""
    region: Json = {
        "charOffset": item.start,
        "charLength": item.end - item.start,
        "snippet": {"text": visible(item.quote)},
    }
    artifact: Json = {"uri": uri_reference(item.url)}
    return {
        "physicalLocation": {"artifactLocation": artifact, "region": region},
        "message": {"text": f"{item.stance.value}, in the snapshot {item.sha256}"},
    }


def message(text: str) -> Json:
    """Make a message with the text `text`, without placeholders or links (SARIF 3.11.5-6)."""
    said = visible(text).replace("{", "{{").replace("}", "}}")
    return {"text": _BRACKET.sub(r"\\\g<0>", said) if "](" in said else said}


def sentences(*said: str) -> str:
    """Each non-empty text as one sentence, with one full stop at its end."""
    return " ".join(one.rstrip(".") + "." for one in said if one)


def export(record: ExportedRecord) -> Iterator[str]:
    """Yield the log of the document of `record`."""
    document = record.document
    if isinstance(document, ReviewedDocument):
        return review_sarif(document)
    return sarif_log([document])


def review_sarif(document: ReviewedDocument) -> Iterator[str]:
    """Return the review as one log.

    The first run contains the findings. The external verification changes none of them and is a
    separate run, which begins with the reading order (review spec, safety constraints 2 and 8).
    Places are in the first file; after a reading copy, the original document is listed, too.
    """
    paths = [*dict.fromkeys((document.path, document.original))]
    file = LogFile(document.path, document.text)
    findings = (_reviewed_finding(one, document, file) for one in document.findings)
    details: Json = {"id": "foureyes/review/"}
    runs = [log_run(sarif_rules().review, paths, findings, details, warnings=document.unfinished)]
    if (appendix := document.appendix) is not None:
        results = (
            _looked_up(one, rule, document, file)
            for one in appendix.checked
            if (rule := _rule_of(one)) is not None
        )
        unread = [f"not read: {one.url}: {one.reason}" for one in appendix.unread]
        order = message(appendix.reading_order)
        details = {"id": "foureyes/review/external-verification/", "description": order}
        runs.append(log_run(sarif_rules().outside, paths, results, details, warnings=unread))
    return log_pieces(runs)


def _reviewed_finding(one: NamedFinding, document: ReviewedDocument, file: LogFile) -> Json:
    finding, defence = one.finding, one.finding.defence
    answer, words = "", None
    if defence is not None:
        answer = f"Defence ({defence.outcome}): {defence.argument}"
        words = document.found(defence.quote)
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
    return log_result(
        one.flaw,
        finding.severity,
        sentences(finding.problem, answer),
        file.place(document.location(finding.place)),
        one.fingerprint,
        properties,
        [file.place(words, "said for the document")] if words is not None else (),
    )


def _rule_of(claim: CheckedClaim) -> str | None:
    match claim.result.verdict:
        case WebVerdict.CONTRADICTED:
            return "claim_contradicted"
        case WebVerdict.DISPUTED:
            return "claim_disputed"
        case WebVerdict.CONFIRMED | WebVerdict.UNVERIFIABLE:
            return "claim_outdated" if claim.result.drift is Drift.OUTDATED else None


def _looked_up(one: CheckedClaim, rule: str, document: ReviewedDocument, file: LogFile) -> Json:
    result, claim = one.result, one.claim
    return log_result(
        rule,
        Severity.HIGH if rule == "claim_contradicted" else Severity.MEDIUM,
        sentences(f"“{claim.statement}”: {result.reason}", result.temporal_note),
        file.place(document.location(claim.place)),
        f"{rule}/{claim.id}",
        {
            "claimId": claim.id,
            "verdict": result.verdict.value,
            "drift": result.drift.value,
            "place": visible(claim.place.where),
        },
        [evidence_place(source.evidence) for source in result.sources],
    )

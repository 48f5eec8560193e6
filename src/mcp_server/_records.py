"""Runs and reviews on record: their list, state, verdicts, and their files as resources."""

from __future__ import annotations

import base64
import difflib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

import mcp_types as types

from ..base.errors import InputError
from ..base.files import storage_errors
from ..base.registry import meant
from ..base.vocabulary import GateDecision, Severity
from ..core.approval import RunStatus
from ..core.iteration import IterationOutcome
from ..core.record_folder import read_record
from ..core.run_analytics import AnalyticsFile
from ..core.run_store import RUN_FOLDER, Manifest
from ..report.html.run_files import RunFiles
from ..report.review_report import review_report
from ..report.summary import headline
from ..review.store import REVIEW_FOLDER, ReviewManifest, ReviewStatus, ReviewStore, read_contents
from .inputs import ExplainVerdict, GetRun
from .outputs import OpenFinding, RecordKind, RunState, VerdictExplained
from .service import CallContext, Service

ROOT = "foureyes://runs/"
TEMPLATE = ROOT + "{name}/{+path}"
MOST_BYTES = 8_000_000
"""The largest file that is read; a larger one is for the disk."""

MEDIA_TYPES: Mapping[str, str] = {
    ".md": "text/markdown",
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".html": "text/html",
    ".zip": "application/zip",
}
BINARY = frozenset({".zip"})

_KNOWN = re.compile(
    r"[a-z_]+\.(?:md|json|jsonl|html|zip)"
    r"|iterations/[a-z_]+_iteration_[0-9]+\.(?:md|json)"
    r"|verify/(?:iteration_[0-9]+/)?[a-z_]+\.json"
)
# These describe the machine and who pays, and nothing of the document.
_WITHHELD = frozenset({"config.json", "versions.json", "replay.json"})
_MAIN = (
    *("summary.md", "report.md", "report.html", "annotated.md"),
    *("verify/claim_ledger.json", "verify/evidence_gate_result.json"),
)

ANALYTICS_FILE = "analytics.json"
MOST_FINDINGS = 20
_UNDER_WAY = "under way, or broken off"
_MARKS = {RecordKind.RUN: RUN_FOLDER.manifest_file, RecordKind.REVIEW: REVIEW_FOLDER.manifest_file}

RECORDS_A_PAGE = 10


def is_known(name: str) -> bool:
    """Whether `name` is a file that a run or review may have and that may be read."""
    return _KNOWN.fullmatch(name) is not None and name not in _WITHHELD


def uri_of(directory: Path, name: str) -> str:
    """The address of the file `name` of a directory."""
    return f"{ROOT}{directory.name}/{name}"


def files_of(directory: Path) -> Iterator[str]:
    """The files of a run or review that can be read, by name."""
    places = (directory, directory / "iterations", directory / "verify")
    for folder in (*places, *sorted(directory.glob("verify/iteration_*"))):
        for path in sorted(folder.glob("*.*")):
            name = path.relative_to(directory).as_posix()
            if is_known(name) and readable_file(directory, name) is not None:
                yield name


def readable_file(directory: Path, name: str) -> Path | None:
    """The file, None if there is no ordinary one in the directory itself."""
    path = directory / name
    try:
        inside = path.resolve(strict=True) == directory.resolve(strict=True) / name
    except (OSError, RuntimeError):
        return None
    return path if inside and path.is_file() else None


def resources_of(directory: Path) -> tuple[str, ...]:
    """The addresses of the files of a run or review that tell most, drafts included."""
    drafts = (name for name in files_of(directory) if name.startswith("iterations/analysis_"))
    main = (name for name in _MAIN if readable_file(directory, name) is not None)
    return tuple(uri_of(directory, name) for name in (*main, *drafts))


def records(service: Service) -> dict[str, tuple[RecordKind, Path]]:
    """Every run and review that the server may report by its name, the newest first."""
    paths = [path for folder in service.folders if folder.is_dir() for path in folder.iterdir()]
    return {
        path.name: (kind, path)
        for path in sorted(paths, key=lambda path: path.name, reverse=True)
        for kind, mark in _MARKS.items()
        # A link could lead out of the folder.
        if not path.is_symlink() and (path / mark).is_file()
    }


def find_record(
    service: Service, name: str, kinds: Sequence[RecordKind] = tuple(RecordKind)
) -> tuple[RecordKind, Path]:
    """The run or review `name`, of one of `kinds`.

    Raises:
        InputError: There is none.
    """
    known = {other: one for other, one in records(service).items() if one[0] in kinds}
    if name in known:
        return known[name]
    fit = list(known)
    close = difflib.get_close_matches(name, fit, 3) or fit[:3]
    hint = f"there are {', '.join(close)}" if close else "there are none yet"
    raise InputError(f"there is no {' or '.join(kinds)} {name!r}", hint)


async def get_run(call: GetRun, context: CallContext) -> RunState:
    """How a run or review stands.

    Raises:
        FoureyesError: There is none, or its directory is damaged.
    """
    kind, path = find_record(context.service, call.name)
    return run_state(path) if kind is RecordKind.RUN else review_state(path)


def run_state(path: Path) -> RunState:
    """How the run in `path` stands, from its files alone.

    Raises:
        RunDirectoryError: It is damaged.
    """
    files = RunFiles(path)
    manifest = files.manifest
    number = manifest.best_iteration
    outcome = files.outcome(number) if number else None
    findings = outcome.findings if outcome else ()
    gate = files.gate(number) if number else None
    analytics = files.analytics()
    status = manifest.status
    return _state(
        RecordKind.RUN,
        path,
        manifest,
        analytics,
        [
            OpenFinding.of(one, line=one.location and one.location.line, text=one.claim)
            for one in findings
        ],
        headline=headline(status, manifest.approval_basis) if status else _UNDER_WAY,
        approved=status is RunStatus.APPROVED,
        iterations=len(manifest.iterations),
        iteration=number,
        gate=gate,
        not_done=tuple(_not_done(outcome)) if outcome else (),
        next_step=_next_of_run(manifest, gate.decision if gate else None),
    )


def review_state(path: Path) -> RunState:
    """How the review in `path` stands, from its files alone.

    Raises:
        RunDirectoryError: It is damaged, or a sealed finding was changed.
    """
    store = ReviewStore.open(path)
    manifest = store.manifest
    report = review_report(read_contents(store))
    worst = sorted(report.findings, key=lambda finding: finding.severity.rank)
    return _state(
        RecordKind.REVIEW,
        path,
        manifest,
        read_record(AnalyticsFile, path / ANALYTICS_FILE, "review"),
        [
            OpenFinding.of(one, id=one.number, type=one.issue, line=one.place.line, text=one.quote)
            for one in worst
        ],
        headline=(manifest.status or _UNDER_WAY).replace("_", " "),
        approved=False,
        not_done=tuple(f"{one.phase}, {one.part}: {one.reason}" for one in report.not_done),
        next_step=_next_of_review(manifest.status),
    )


def _state(
    kind: RecordKind,
    path: Path,
    manifest: Manifest | ReviewManifest,
    analytics: AnalyticsFile | None,
    findings: Sequence[OpenFinding],
    **fields: object,
) -> RunState:
    """The state of the run or review in `path`; `fields` are what its manifest has not."""
    cost = analytics.total.cost_usd if analytics else None
    counts = Counter(one.severity for one in findings)
    return RunState.of(
        manifest,
        **fields,
        severities={severity: counts[severity] for severity in Severity},
        findings=tuple(findings[:MOST_FINDINGS]),
        more_findings=max(0, len(findings) - MOST_FINDINGS),
        name=path.name,
        kind=kind,
        cost_usd=None if cost is None else float(cost),
        active_seconds=analytics.active_s if analytics else 0.0,
        directory=str(path),
        resources=resources_of(path),
    )


def _not_done(outcome: IterationOutcome) -> Iterator[str]:
    yield from (f"{critic} failed: {why}" for critic, why in outcome.failures.items())
    yield from (f"not fetched: {url}" for url in outcome.not_fetched[:MOST_FINDINGS])


def _next_of_run(manifest: Manifest, gate: GateDecision | None) -> str:
    """The next step for a run that was not approved, "" if there is none."""
    match manifest.status:
        case None | RunStatus.CANCELLED | RunStatus.FAILED:
            return "run_pipeline with resume goes on with it, unless it is under way"
        case RunStatus.BUDGET_EXCEEDED:
            return "run_pipeline with resume goes on with it once the server is given more"
        case RunStatus.INCONCLUSIVE if gate is GateDecision.PENDING_REVIEW:
            return "a person decides: foureyes claims decide DIRECTORY"
        case RunStatus.INCONCLUSIVE:
            return "run_pipeline with resume does again what failed"
        case _:
            return ""


def _next_of_review(status: ReviewStatus | None) -> str:
    match status:
        case ReviewStatus.COMPLETED | ReviewStatus.STOPPED:
            return ""
        case ReviewStatus.BUDGET_EXCEEDED:
            return "review_document with resume goes on with it once the server is given more"
        case ReviewStatus.AWAITING_DECISION:
            return "a person reads the findings; review_document with resume and go_on goes on"
        case _:
            return "review_document with resume goes on with it, unless it is under way"


def list_resources(service: Service, after: str) -> types.ListResourcesResult:
    """The files of the newest runs and reviews, or of those older than `after`."""
    older = (path for _, path in records(service).values() if not after or path.name < after)
    page = list(islice(older, RECORDS_A_PAGE + 1))
    shown = page[:RECORDS_A_PAGE]
    return types.ListResourcesResult(
        resources=[_listed(path, name) for path in shown for name in files_of(path)],
        next_cursor=shown[-1].name if len(page) > len(shown) else None,
    )


def _listed(directory: Path, name: str) -> types.Resource:
    path = directory / name
    with storage_errors(path, "read"):
        size = path.stat().st_size
    return types.Resource(
        uri=uri_of(directory, name),
        name=f"{directory.name}: {name}",
        mime_type=MEDIA_TYPES[path.suffix],
        size=size,
    )


def read_resource(service: Service, uri: str) -> types.ReadResourceResult:
    """The contents of one file.

    Raises:
        InputError: There is no such resource, or it is too large.
        StorageError: The file cannot be read.
    """
    name, slash, file = uri.removeprefix(ROOT).partition("/")
    if not (uri.startswith(ROOT) and slash and name and is_known(file)):
        raise InputError(f"there is no resource {uri[:200]!r}", f"they are {TEMPLATE}")
    path = readable_file(find_record(service, name)[1], file)
    if path is None:
        raise InputError(f"{name} has no file {file!r}", "see resources/list")
    with storage_errors(path, "read"), path.open("rb") as opened:
        data = opened.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise InputError(
            f"{file} is larger than {MOST_BYTES:,} bytes", f"read it from {str(path)!r}"
        )
    kind = MEDIA_TYPES[path.suffix]
    if path.suffix in BINARY:
        blob = base64.b64encode(data).decode("ascii")
        content = types.BlobResourceContents(uri=uri, mime_type=kind, blob=blob)
        return types.ReadResourceResult(contents=[content])
    text = data.decode("utf-8", "replace")
    return types.ReadResourceResult(
        contents=[types.TextResourceContents(uri=uri, mime_type=kind, text=text)]
    )


async def explain_verdict(call: ExplainVerdict, context: CallContext) -> VerdictExplained:
    """The line of a claim in the ledger of the draft that a run delivers.

    Raises:
        InputError: There is no such run or claim, or the run had no fact checker.
        RunDirectoryError: The run directory is damaged.
    """
    files = RunFiles(find_record(context.service, call.run, [RecordKind.RUN])[1])
    iteration = files.manifest.best_iteration or max(files.drafts, default=0)
    ids: list[str] = []
    for checked in files.claims(iteration):
        entry = checked.entry
        if entry.claim_id == call.claim:
            return VerdictExplained.of(
                checked,
                entry,
                run=files.path.name,
                iteration=iteration,
                claim=entry.claim_id,
                line=entry.location.line,
                section=entry.location.section,
                citation=entry.citation_state,
                findings=entry.finding_ids,
            )
        ids.append(entry.claim_id)
    if not ids:
        raise InputError(f"{call.run} has no ledger", "the run had no fact checker, or no end yet")
    hint = meant(call.claim, ids, "see verify/claim_ledger.json of the run")
    raise InputError(f"iteration {iteration} of {call.run} has no claim {call.claim!r}", hint)

"""The sources of a packed run: bytes, the text read out of them, and the quotes in the text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ..base.errors import SnapshotError
from ..base.records import to_json
from ..core.artefacts import EvidenceRecord, FactCheck
from ..core.evidence_records import MAP_FILE
from ..report.evidence_pack import Difference, PackCheck
from ..report.pack_comparing import shown
from ..sources.model import Snapshot, Source
from ..sources.reading import reread, same_reading
from ..verification.model import Evidence, Ledger, Passage
from ..verification.quality.evidence_map import ClaimEvidenceMap
from .packed_run import PackedRun

_NAME = re.compile(r"[0-9a-f]{64}")
_PARTS = ("txt", "json")
LEDGER = "claim_ledger.json"


def snapshot_differences(run: PackedRun) -> Iterator[Difference]:
    """Snapshots whose bytes, text or metadata are not what they say they are."""
    names = {path.name for path in run.store.sources.glob("*")}
    snapshots = {name for name in names if _NAME.fullmatch(name)}
    for name in sorted(names):
        sha256, _, suffix = name.partition(".")
        if name in snapshots:
            yield from _snapshot(run, name)
        elif sha256 not in snapshots or suffix not in _PARTS:
            yield _differs(f"sources/{name}", "a part of a snapshot", "a file of another name")
    for iteration in run.iterations():
        for source in run.claims(iteration).sources.values():
            yield from _cited(run, source, iteration)


def snapshot_count(run: PackedRun) -> int:
    """How many snapshots there are."""
    return sum(bool(_NAME.fullmatch(path.name)) for path in run.store.sources.glob("*"))


def _snapshot(run: PackedRun, sha256: str) -> Iterator[Difference]:
    member = f"sources/{sha256}"
    try:
        body = run.snapshots.get(sha256)
        member = f"sources/{sha256}.json"
        stored = run.snapshots.snapshot(sha256)
        member = f"sources/{sha256}.txt"
        text = run.snapshots.text(sha256)
    except SnapshotError as error:
        yield _differs(member, "what its hash says", str(error))
        return
    found_text, found = reread(body, stored, run.policy)
    yield from run.compare(PackCheck.SNAPSHOTS, f"sources/{sha256}.txt", text, found_text)
    recorded, now = to_json(Snapshot, stored), to_json(Snapshot, found)
    yield from run.compare(PackCheck.SNAPSHOTS, f"sources/{sha256}.json", recorded, now)


def _cited(run: PackedRun, source: Source, iteration: int) -> Iterator[Difference]:
    """Compare the snapshot in the list of claims with the stored one."""
    kept = source.snapshot
    if kept is None:
        return
    try:
        stored = run.snapshots.snapshot(kept.sha256)
        if kept == stored or same_reading(
            kept, reread(run.snapshots.get(kept.sha256), kept, run.policy)[1]
        ):
            return
        found = to_json(Snapshot, stored)
    except SnapshotError as error:
        found = str(error)
    member = f"iterations/claims_iteration_{iteration}.json"
    recorded, apart = to_json(Snapshot, kept), ("url_chain", "fetched_at", "headers", "status")
    for one in run.compare(PackCheck.SNAPSHOTS, member, recorded, found, apart):
        yield replace(one, place=f"sources.{source.url}.snapshot.{one.place}")


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quote with where it is said to stand, and where in the pack that is said."""

    member: str
    claim_id: str
    sha256: str
    quote: str
    start: int
    end: int


def quotes(run: PackedRun) -> Iterator[Quoted]:
    """Every quote of a source in the pack."""
    for iteration in run.iterations():
        name = f"iterations/claims_iteration_{iteration}.json"
        for id_, assessment in run.claims(iteration).assessments.items():
            yield from _quoted(name, id_, assessment.evidence)
            yield from _quoted(name, id_, assessment.passages)
        name = f"iterations/fact_check_iteration_{iteration}.json"
        if (run.folder / name).exists():
            check = run.record(FactCheck, name)
            for id_, verdict in check.claims.items():
                yield from _quoted(name, id_, verdict.evidence)
            for claim in check.additional_claims:
                yield from _quoted(name, "", [claim.evidence] if claim.evidence else [])
    yield from _verify_quotes(run)


def _verify_quotes(run: PackedRun) -> Iterator[Quoted]:
    """The quotes of ledgers and evidence maps."""
    for path in sorted((run.folder / "verify").rglob(LEDGER)):
        name = path.relative_to(run.folder).as_posix()
        for entry in run.record(Ledger, name).entries:
            yield from _quoted(name, entry.claim_id, entry.evidence)
    for path in sorted((run.folder / "verify").rglob(MAP_FILE)):
        name = path.relative_to(run.folder).as_posix()
        for claim in run.record(ClaimEvidenceMap, name).claims:
            for one in claim.evidence:
                yield Quoted(name, claim.claim_id, one.source_id, one.snippet, one.start, one.end)


def quote_differences(run: PackedRun, quoted: Iterable[Quoted]) -> Iterator[Difference]:
    """Quotes that do not stand in their snapshot at their offsets."""
    for one in quoted:
        try:
            found = run.snapshots.text(one.sha256)[max(0, one.start) : max(0, one.end)]
        except SnapshotError as error:
            found = f"no text: {error}"
        if found != one.quote:
            place = f"{one.sha256}[{one.start}:{one.end}]"
            yield Difference(
                PackCheck.QUOTES, one.member, place, shown(one.quote), shown(found), one.claim_id
            )


def _quoted(
    member: str, claim_id: str, records: Iterable[Evidence | Passage | EvidenceRecord]
) -> Iterator[Quoted]:
    for one in records:
        quote = one.text if isinstance(one, Passage) else one.quote
        yield Quoted(member, claim_id, one.sha256, quote, one.start, one.end)


def _differs(member: str, recorded: str, found: str) -> Difference:
    return Difference(PackCheck.SNAPSHOTS, member, "", recorded, found)

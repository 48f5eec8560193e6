"""Sections of NIST SP 800-63 reviewed whole, offline: places, accounts, time and memory.

FOUREYES_DATA=../shared/data python benchmarks/review_nist.py

Each section, and all of them in one document, is reviewed in a process of its own through
`review_document`, without a model or the network. Counted are findings and claims whose quote does
not stand at its place, in the red lenses and the claim detector alone and in the whole review, and
whatever the review does not account for: a finding that is neither held, merged, killed nor
dropped, a claim that is neither passed nor dropped, a finding without its heading in the report,
an annotated copy that without its notes is not the document. Time is CPU time, memory the peak of
the process; what an empty review takes is told apart.
"""

from __future__ import annotations

import asyncio
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

from foureyes import review_document
from foureyes.claims.detect import detect_claims
from foureyes.documents.model import Document
from foureyes.documents.parse import parse_document
from foureyes.redteam.model import Lens, load_rules
from foureyes.redteam.reading import Reading
from foureyes.redteam.team import find_flaws
from foureyes.review.extraction import SmokeTest
from foureyes.review.store import ReviewContents, ReviewStatus, ReviewStore
from foureyes.review.types import RedFindings, ReviewPhase
from foureyes.verification.registry import Registry, load_registry
from measure import rows

AS_OF = date(2026, 11, 1)
_EMPTY = "# Nothing\n\nThere is nothing here.\n"


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What came of one document; `misplaced` and `unaccounted` are told in words."""

    size: int
    findings: int
    claims: int
    misplaced: list[str]
    unaccounted: list[str]
    rules_s: float
    review_s: float
    peak_mb: float


def review(path: Path) -> Reviewed:
    """Review the document at `path` by rules alone, then through the library call."""
    text = path.read_text("utf-8")
    registry = load_registry()
    started = time.process_time()
    document = parse_document(text)
    misplaced = [*_flaws(document, registry), *_detected(document, registry)]
    rules_s = time.process_time() - started
    started = time.process_time()
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        result = asyncio.run(
            review_document(
                path, yes=True, out=folder, fetch="none", as_of=AS_OF, verify_background=True
            )
        )
        review_s = time.process_time() - started
        contents = result.contents
        unaccounted = [] if result.status is ReviewStatus.COMPLETED else [result.reason]
        unaccounted += _unaccounted(contents, result.review_dir)
    misplaced += _misplaced(contents, registry)
    claims = contents.extraction.claims if contents.extraction else ()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Reviewed(
        len(text.encode()), len(result.findings), len(claims), misplaced, unaccounted,
        rules_s, review_s, peak,
    )  # fmt: skip


def _flaws(document: Document, registry: Registry) -> Iterator[str]:
    reading = Reading(document, registry.lexicon, load_rules())
    for lens in Lens:
        for flaw in find_flaws(reading, lens):
            at = flaw.location
            if document.text[at.start : at.end] != flaw.quote or not flaw.quote:
                yield f"{flaw.kind} at {at}"


def _detected(document: Document, registry: Registry) -> Iterator[str]:
    for claim in detect_claims(document, registry.lexicon, as_of=AS_OF):
        at = claim.location
        place = document.location(at.start, at.end)
        if (place.line, place.column) != (at.line, at.column) or at.start >= at.end:
            yield f"claim {claim.id} at {at}"
        for quantity in claim.quantities if claim.anchors else ():
            start, end = claim.source_span(quantity.start, quantity.end)
            if document.text[start] != quantity.text[0] or start < at.start or end > at.end:
                yield f"figure {quantity.text!r} of claim {claim.id}"


def _misplaced(contents: ReviewContents, registry: Registry) -> Iterator[str]:
    """Findings and claims of the review whose quote is not in their line."""
    document = contents.original.document
    test = SmokeTest(document, registry, AS_OF)
    for one in contents.findings:
        if fault := test.quote_fault(one.finding.quote, one.finding.line):
            yield f"{one.number}: {fault}"
    for claim in contents.extraction.claims if contents.extraction else ():
        if fault := test.quote_fault(claim.quote, claim.line):
            yield f"claim {claim.id}: {fault}"


def _unaccounted(contents: ReviewContents, folder: Path) -> Iterator[str]:
    """What one phase has and no other, and what the reports lack."""
    red = ReviewStore.open(folder).phase(ReviewPhase.RED, RedFindings)
    compiled, tested = contents.compiled, contents.tested
    if red is None or compiled is None or tested is None:
        yield "a phase was not reached"
        return
    known = {one.finding.id for one in (*compiled.findings, *compiled.killed)}
    known |= {each for one in compiled.findings for each in one.merged}
    yield from (f"red finding {one.id}" for one in red.findings if one.id not in known)
    known = {one.number for one in tested.findings}
    known |= {one.finding.number for one in tested.dropped}
    yield from (one.number for one in compiled.findings if one.number not in known)
    extracted, claims = contents.extraction, contents.claims
    if extracted is None or claims is None:
        yield "the claims were not reached"
        return
    known = {one.id for one in claims.claims} | {one.claim.id for one in claims.dropped}
    yield from (f"claim {one.id}" for one in extracted.claims if one.id not in known)
    report = (folder / "report.md").read_text("utf-8")
    for one in contents.findings:
        if report.count(f"#### {one.number} ") != 1:
            yield f"heading of {one.number}"


def measured(text: str, folder: Path, name: str) -> Reviewed:
    """`text` reviewed in a process of its own."""
    path = folder / f"{name}.md"
    path.write_text(text, "utf-8")
    command = [sys.executable, __file__, "--one", str(path)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return Reviewed(**json.loads(done.stdout.splitlines()[-1]))


def main() -> None:
    """Review every section, and all of them as one."""
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(asdict(review(Path(sys.argv[2])))))
        return
    sections = {row["id"]: row["markdown"] for row in rows("e2e_nist_sp80063.dev.jsonl")}
    print("python benchmarks/review_nist.py")
    size = sum(len(text.encode()) for text in sections.values())
    print(f"sections of NIST SP 800-63: n = {len(sections)}, {size / 1000:.0f} kB\n")
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        results = [
            measured(text, folder, f"section-{number}")
            for number, text in enumerate(sections.values())
        ]
        whole = measured("\n\n".join(sections.values()), folder, "whole")
        empty = measured(_EMPTY, folder, "empty")
    _tell(results, whole, empty)


def _tell(results: list[Reviewed], whole: Reviewed, empty: Reviewed) -> None:
    every = [*results, whole]
    size = sum(one.size for one in results)
    print(f"reviews that ended: {len(every)} of {len(every)}")
    print(f"findings held: {sum(one.findings for one in results)} in the sections,"
          f" {whole.findings} in all of them as one")  # fmt: skip
    print(f"claims: {sum(one.claims for one in results)} and {whole.claims}")
    for what, told in (
        ("quotes not at their place", [each for one in every for each in one.misplaced]),
        ("not accounted for", [each for one in every for each in one.unaccounted]),
    ):
        print(f"{what}: {len(told)} {told[:5] if told else ''}")
    rules = sum(one.rules_s for one in results) / size * 100_000
    reviews = sum(one.review_s - empty.review_s for one in results) / size * 100_000
    print(f"CPU s per 100 kB, sections: lenses and claims {rules:.2f}, whole review {reviews:.1f}")
    print(
        f"CPU s per 100 kB, as one: lenses and claims {whole.rules_s / whole.size * 1e5:.2f},"
        f" whole review {(whole.review_s - empty.review_s) / whole.size * 1e5:.1f}"
    )
    print(
        f"peak MB: empty {empty.peak_mb:.0f}, worst section"
        f" {max(one.peak_mb for one in results):.0f}, as one {whole.peak_mb:.0f}, that is"
        f" {(whole.peak_mb - empty.peak_mb) / whole.size * 1e5:.0f} per 100 kB above empty"
    )
    print(f"CPU s of an empty review: {empty.review_s:.1f}")


if __name__ == "__main__":
    main()

"""CPU time and memory of a ledger of many claims: built, weighed, gated, written, packed, opened.

python benchmarks/scale.py [1000 10000 100000]

The whole conclusion is what a run makes of an iteration after its checkers, with the map, the
critique, the gaps and all files as text, and without the challenges, which are bounded by number.
Claims and the pages that they cite, one for every five claims, are made by `simulation`, so that no
two are alike; every claim has a quote from each of two pages. Each size is measured in a process of
its own, whose peak memory includes the claims and pages themselves. The bars are for 100,000.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TypeVar

from foureyes.assembly.materials import open_fetcher
from foureyes.assembly.settings import load_settings
from foureyes.assembly.sources import SourceAppraiser
from foureyes.base.files import to_json
from foureyes.base.vocabulary import (
    ChallengeStep,
    CitationState,
    Location,
    SourceState,
    Stance,
    Verdict,
)
from foureyes.claims.detect import detect_claims
from foureyes.claims.model import Claim
from foureyes.core._ledger_stage import with_history
from foureyes.core.approval import RunStatus
from foureyes.core.artefacts import ArtefactFile
from foureyes.core.budget import Budget
from foureyes.core.config import BudgetConfig, PipelineConfig, PipelineMode
from foureyes.core.evidence import DocumentEvidence
from foureyes.core.evidence_parts import EvidenceParts
from foureyes.core.iteration import GATE_FILE, LEDGER_FILE, PreparedEvidence
from foureyes.core.record_folder import PlainSteps
from foureyes.core.run_analytics import RunAnalytics
from foureyes.core.run_store import RunInputs, RunStore
from foureyes.core.source_tools import SourceReader
from foureyes.core.work import IterationEvidence, RunServices
from foureyes.documents.parse import parse_document
from foureyes.report.evidence_pack import write_pack
from foureyes.report.pack_reading import unpack
from foureyes.sources.local_files import LocalSources
from foureyes.sources.model import Snapshot, Source, SourceSet
from foureyes.sources.scoring.appraisal import appraise
from foureyes.sources.scoring.rules import load_scoring
from foureyes.sources.snapshot_store import SnapshotStore
from foureyes.verification.gate.decision import decide_gate, read_statistics
from foureyes.verification.ledger.binding import Scales, weigh_ledger
from foureyes.verification.ledger.building import build_ledger
from foureyes.verification.ledger.confidence import source_credibility
from foureyes.verification.model import ClaimAssessment, Evidence, GateResult, Ledger
from foureyes.verification.registry import load_registry
from simulation.generator import Generator

SIZES = (1_000, 10_000, 100_000)
CLAIMS_A_SOURCE = 5
MOST_SECONDS, MOST_MB = 60, 2048
# Ten times the claims may take so many times as long: caches fill, and machines have other work.
LINEAR = 14
AS_OF = date(2026, 3, 1)
FETCHED = datetime(2026, 2, 1, tzinfo=UTC)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class World:
    """Claims with what code found for each, and the sources they cite."""

    claims: tuple[Claim, ...]
    assessments: tuple[ClaimAssessment, ...]
    sources: SourceSet


def make(count: int) -> World:
    """So many claims."""
    statements, pages = _material(count)
    sources: dict[str, Source] = {}
    texts: dict[str, str] = {}
    for number, text in enumerate(pages):
        url = f"https://site{number}.example/page"
        sha = hashlib.sha256(text.encode()).hexdigest()
        title = text.partition("\n")[0]
        snapshot = Snapshot(
            sha, sha, (url,), FETCHED, 200, "text/plain", len(text), title=title, language="en"
        )
        sources[url] = Source(url, SourceState.OK, "read", snapshot)
        texts[sha] = text
    template, *_ = detect_claims(
        parse_document("The bridge has 5 towers."), load_registry().lexicon, as_of=AS_OF
    )
    urls = list(sources)
    claims: list[Claim] = []
    assessments: list[ClaimAssessment] = []
    place = 0
    for number, said in enumerate(statements):
        claim = replace(
            template,
            id=f"c-{number:08x}",
            text=said,
            location=Location(number + 1, 1, place, place + len(said)),
        )
        place += len(said) + 1
        cited = [urls[number % len(urls)], urls[number * 7919 % len(urls)]]
        evidence = tuple(_evidence(sources[url], texts, number) for url in dict.fromkeys(cited))
        verdict = Verdict.SUPPORTED if number % 10 else Verdict.UNVERIFIABLE
        claims.append(claim)
        assessments.append(
            ClaimAssessment(
                claim.id, verdict, CitationState.DIRECT, "one passage states it", evidence=evidence
            )
        )
    return World(tuple(claims), tuple(assessments), SourceSet(sources, texts))


def _material(count: int) -> tuple[list[str], list[str]]:
    """Claims, and the texts of pages."""
    maker = Generator(1, [f"127.0.0.{number}" for number in range(2, 9)])
    statements: list[str] = []
    pages: list[str] = []
    number = 0
    while len(statements) < count:
        report = maker.report(f"r{number}", [])
        number += 1
        said = [one.text for one in report.statements]
        statements += said
        pages += ["\n\n".join([report.brief, *said[at : at + 4]]) for at in (0, 4, 7)]
    return statements[:count], pages[: count // CLAIMS_A_SOURCE]


def _evidence(source: Source, texts: dict[str, str], number: int) -> Evidence:
    sha = source.snapshot.sha256 if source.snapshot else ""
    text = texts[sha]
    start = text.find(". ", number % len(text) // 2) + 2
    end = min(len(text), start + 90)
    return Evidence(source.url, sha, text[start:end], start, end, Stance.SUPPORTS)


def measured(count: int) -> dict[str, float]:
    """Seconds of every step, and the peak memory in MB."""
    registry, scoring = load_registry(), load_scoring()
    world = make(count)
    sources, claims, assessments = world.sources, world.claims, world.assessments
    took: dict[str, float] = {}

    def timed(step: str, work: Callable[[], T]) -> T:
        started = time.process_time()
        made = work()
        took[step] = time.process_time() - started
        return made

    appraisal = timed("score sources", lambda: appraise(sources, scoring, as_of=AS_OF))
    standings = timed(
        "tell sources apart", lambda: source_credibility(sources, appraisal, scoring, frozenset())
    )
    built = timed("build", lambda: build_ledger(claims, assessments))
    scales = Scales(standings, registry.lexicon.words, scoring.rules.confidence, as_of=AS_OF)
    weighed = timed("weigh", lambda: weigh_ledger(built, claims, assessments, scales))
    by_id = {one.claim_id: one for one in assessments}
    ledger = timed("history", lambda: with_history(weighed, engine=by_id))
    reads = timed("reads", lambda: read_statistics(sources.sources.values(), standings))
    gate = timed("gate", lambda: decide_gate(ledger, registry.gate, reads=reads))
    took["ledger and gate"] = sum(took.values())
    with tempfile.TemporaryDirectory() as folder:
        store = _run_directory(Path(folder), sources)
        timed("write", lambda: store.write_verify(_files(ledger, gate), previous=None))
        pack = Path(folder) / "pack.zip"
        timed("pack", lambda: write_pack(store.path, pack))
        again = Path(folder) / "again"
        again.mkdir()
        opened = timed("unpack and compare", lambda: unpack(pack, again))
        assert not opened.differences
        took["pack in MB"] = pack.stat().st_size / 1e6
    took["peak MB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return took


def concluded(count: int) -> dict[str, float]:
    """Seconds and peak memory in MB of the whole conclusion of an iteration."""
    return asyncio.run(_concluded(count))


async def _concluded(count: int) -> dict[str, float]:
    registry, scoring = load_registry(), load_scoring()
    registry = registry.without(tuple(ChallengeStep))
    world = make(count)
    settings = load_settings({"source_cache": "none", "memory": "none"}).settings
    with tempfile.TemporaryDirectory() as folder:
        store = _run_directory(Path(folder), world.sources)
        async with open_fetcher(store.sources, settings, LocalSources([])) as fetcher:
            parts = EvidenceParts(
                SourceReader(fetcher, SnapshotStore(store.sources)),
                registry,
                as_of=AS_OF,
                appraise=SourceAppraiser(scoring, as_of=AS_OF, topic="claims"),
                scoring=scoring,
            )
            stage = DocumentEvidence(parts)
            document = parse_document("# Many claims\n")
            by_id = {one.claim_id: one for one in world.assessments}
            evidence = IterationEvidence(document, world.claims, by_id, world.sources)
            budget = Budget(BudgetConfig())
            services = RunServices(
                PlainSteps(), RunAnalytics(), budget, lambda _progress: None, store.path
            )
            started = time.process_time()
            prepared = PreparedEvidence(1, evidence, None)
            await stage.conclude(prepared, by_id, services)
            took = time.process_time() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"whole conclusion": took, "its peak MB": peak}


def _run_directory(folder: Path, sources: SourceSet) -> RunStore:
    """An ended run with a copy of every source."""
    store = RunStore.create(
        folder,
        RunInputs("# Many claims\n", AS_OF),
        PipelineConfig(),
        mode=PipelineMode.ANALYZE_REVIEW_WITH_FACT_CHECK,
        now=FETCHED,
    )
    copies = store.sources
    for source in sources.sources.values():
        if source.snapshot is not None:
            sha = source.snapshot.sha256
            for suffix in ("", ".txt"):
                (copies / f"{sha}{suffix}").write_text(sources.texts[sha], "utf-8")
            (copies / f"{sha}.json").write_text(to_json(Snapshot, source.snapshot), "utf-8")
    store.update(status=RunStatus.MAX_ITERATIONS)
    return store


def _files(ledger: Ledger, gate: GateResult) -> list[ArtefactFile]:
    return [
        ArtefactFile(LEDGER_FILE, to_json(Ledger, ledger) + "\n"),
        ArtefactFile(GATE_FILE, to_json(GateResult, gate) + "\n"),
    ]


def main() -> None:
    """Print a column for each size."""
    if sys.argv[1:2] == ["--one"]:
        count = int(sys.argv[2])
        print(json.dumps(concluded(count) if "conclude" in sys.argv else measured(count)))
        return
    sizes = [int(argument) for argument in sys.argv[1:]] or list(SIZES)
    columns = [_in_a_child(size) | _in_a_child(size, "conclude") for size in sizes]
    print(f"python benchmarks/scale.py {' '.join(map(str, sizes))}\n")
    print(f"{'claims':<24}" + "".join(f"{size:>12,}" for size in sizes))
    for name in columns[0]:
        print(f"{name:<24}" + "".join(f"{column[name]:>12.2f}" for column in columns))
    for verdict in _verdicts(sizes, columns):
        print(verdict)


def _in_a_child(size: int, *what: str) -> dict[str, float]:
    command = [sys.executable, __file__, "--one", str(size), *what]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


def _verdicts(sizes: list[int], columns: list[dict[str, float]]) -> Iterator[str]:
    last, seconds = columns[-1], [column["ledger and gate"] for column in columns]
    fast = seconds[-1] <= MOST_SECONDS and last["peak MB"] <= MOST_MB
    yield f"at most {MOST_SECONDS} s and {MOST_MB} MB: {'holds' if fast else 'MISSED'}"
    for one, other, before, after in zip(sizes, sizes[1:], seconds, seconds[1:], strict=False):
        linear = after / before <= LINEAR * other / one / 10
        yield f"linear from {one:,} to {other:,}: {'holds' if linear else 'MISSED'}"


if __name__ == "__main__":
    main()

"""What the challenges do to claims of documents with planted errors whose sources are served here.

FOUREYES_DATA=../shared/data python benchmarks/challenge.py [--all]
python benchmarks/challenge.py --simulated 60 [--all]

Each document is checked by code, and every claim of its ledger challenged by code alone: once as
the check left it, once as a fact checker would leave it who calls everything supported that code
could not settle. Printed are, with 95 % Wilson intervals, how many right claims were lowered, how
many wrong claims that were called supported, and the answers to the questions. ``--all`` lists what
was lowered, linked and answered otherwise. ``--simulated`` takes so many generated documents, whose
every claim is known to be true or false, in place of those of the data folder.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from corpus import Gold, gold_of, matched
from foureyes.assembly.materials import open_fetcher
from foureyes.assembly.settings import load_settings
from foureyes.base.vocabulary import CitationState, Stance, Verdict
from foureyes.documents.model import Document
from foureyes.documents.parse import parse_document
from foureyes.sources.local_files import LocalSources
from foureyes.sources.model import SourceSet
from foureyes.sources.snapshot_store import SnapshotStore
from foureyes.verification.challenge.challenge import ChallengeCase, Challenged, challenge_ledger
from foureyes.verification.check import CheckReport, check_document
from foureyes.verification.model import ClaimAssessment, Ledger, LedgerEntry, WeighedEvidence
from foureyes.verification.passages.retrieval import SourceIndex
from foureyes.verification.policy import ChallengePolicy
from foureyes.verification.registry import Registry, load_registry
from measure import corpus_served, line
from simulated import SITES, planted_kinds
from simulation.generator import Generator, Report
from simulation.server import serving

_AS_OF = date(2026, 3, 1)


@dataclass(frozen=True, slots=True)
class Trial:
    """A gold claim with its verdict before and after the challenges."""

    case: str
    gold: Gold
    before: Verdict
    after: LedgerEntry

    @property
    def lowered(self) -> bool:
        """Whether the verdict changed."""
        return self.before is not self.after.verdict


def main() -> None:
    """Challenge generated documents, or those of the data folder."""
    if "--simulated" in sys.argv:
        simulated(int(sys.argv[sys.argv.index("--simulated") + 1]))
    else:
        corpus()


def simulated(count: int) -> None:
    """Challenge `count` generated documents both ways and print how true and false ones fared."""
    registry = load_registry()
    policy = everything(registry)
    fared: Counter[tuple[str, bool, bool]] = Counter()
    with serving(SITES) as sites:
        maker = Generator(7, sites.hosts)
        for number in range(count):
            report = maker.report(f"r{number}", planted_kinds(number))
            sites.add(report.pages)
            document = parse_document(report.text)
            sources = asyncio.run(fetched(document, sites.hosts))
            checked = check_document(document, sources, registry, as_of=_AS_OF)
            for name, ledger in ledgers(checked).items():
                result = challenged(document, checked, ledger, sources, registry, policy)
                fared += faring(report, name, ledger, result)
    print(f"python benchmarks/challenge.py --simulated {count}\n")
    for name in ("as checked", "all waved through"):
        for true, told in ((True, "true claims"), (False, "false claims called supported")):
            lowered, stood = fared[name, true, True], fared[name, true, False]
            print(line(f"{name}: {told}, lowered", lowered, lowered + stood))


def faring(
    report: Report, name: str, ledger: Ledger, result: Challenged
) -> Counter[tuple[str, bool, bool]]:
    """How many true claims, and false ones that were called supported, were lowered or not."""
    fared: Counter[tuple[str, bool, bool]] = Counter()
    for before, after in zip(ledger.entries, result.ledger.entries, strict=True):
        start, end = before.location.start, before.location.end
        own = [s for s in report.statements if s.start < end and start < s.start + len(s.text)]
        if not own or not (own[0].true or before.verdict is Verdict.SUPPORTED):
            continue
        lowered = before.verdict is not after.verdict
        fared[name, own[0].true, lowered] += 1
        if lowered and "--all" in sys.argv:
            print(f"{own[0].kind}: {before.verdict} -> {after.verdict}: {after.text}")
            print(f"    {after.reason}")
    return fared


def everything(registry: Registry) -> ChallengePolicy:
    """The packaged policy, for every claim."""
    every = {"decided": True, "background": True, "claims": 1000}
    return registry.challenge.model_copy(update=every)


def corpus() -> None:
    """Challenge every document of the data folder both ways and print the figures."""
    registry = load_registry()
    policy = everything(registry)
    trials: dict[str, list[Trial]] = {"as checked": [], "all waved through": []}
    records: list[Challenged] = []
    seconds, documents = 0.0, 0
    for case, port in corpus_served():
        draft = (case / "draft.md").read_text("utf-8").replace("{PORT}", str(port))
        document = parse_document(draft)
        sources = asyncio.run(fetched(document, [f"127.0.0.1:{port}"]))
        report = check_document(document, sources, registry, as_of=_AS_OF)
        documents += 1
        for name, ledger in ledgers(report).items():
            began = time.process_time()
            result = challenged(document, report, ledger, sources, registry, policy)
            seconds += time.process_time() - began
            records.append(result)
            trials[name] += tried(case, report, ledger, result, draft)
            if "--all" in sys.argv:
                show(case.name, name, result)
    if documents:
        print(f"python benchmarks/challenge.py\ncorpus: {documents} documents\n")
        for name, found in trials.items():
            print_figures(name, found)
        outcomes = Counter(
            checked.outcome
            for result in records
            for claim in result.record.claims
            for question in claim.questions
            for checked in question.answers
        )
        asked = sum(len(c.questions) for result in records for c in result.record.claims)
        told = ", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items()))
        print(f"questions: {asked}; answers: {told}")
        print(f"seconds of CPU a document: {seconds / documents / 2:.1f}")


async def fetched(document: Document, hosts: Sequence[str]) -> SourceSet:
    """What the document cites."""
    settings = load_settings(
        {"allowed_hosts": tuple(hosts), "source_cache": "none"}, environ={}
    ).settings
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "sources"
        async with open_fetcher(folder, settings, LocalSources([])) as fetcher:
            found = await fetcher.fetch_all(document.cited_urls(), limit=200)
        return SnapshotStore(folder).source_set(found)


def ledgers(report: CheckReport) -> dict[str, Ledger]:
    """The ledger of the check, and that of a fact checker who waves everything through."""
    by_id = {one.claim_id: one for one in report.assessments}
    waved = (waved_through(entry, by_id[entry.claim_id]) for entry in report.ledger.entries)
    return {
        "as checked": report.ledger,
        "all waved through": replace(report.ledger, entries=tuple(waved)),
    }


def waved_through(entry: LedgerEntry, assessment: ClaimAssessment) -> LedgerEntry:
    """The entry, supported by its nearest passage where code could not settle it."""
    open_ = entry.verdict is Verdict.UNVERIFIABLE and not assessment.decided
    if not open_ or entry.citation_state is CitationState.NONE or not assessment.passages:
        return entry
    first = assessment.passages[0]
    place = first.url, first.sha256, first.text, first.start, first.end
    support = WeighedEvidence(*place, Stance.SUPPORTS)
    return replace(entry, verdict=Verdict.SUPPORTED, evidence=(support,))


def challenged(
    document: Document,
    report: CheckReport,
    ledger: Ledger,
    sources: SourceSet,
    registry: Registry,
    policy: ChallengePolicy,
) -> Challenged:
    """The ledger after the challenges."""
    index = SourceIndex(sources, registry.lexicon)
    settled = {one.claim_id for one in report.assessments if one.decided}
    case = ChallengeCase(ledger, report.claims, index, settled, topic=document.title)
    return challenge_ledger(case, replace(registry, challenge=policy))


def tried(
    case: Path, report: CheckReport, ledger: Ledger, result: Challenged, draft: str
) -> list[Trial]:
    """The gold claims of a document that match a claim, with what became of it."""
    before = {entry.claim_id: entry.verdict for entry in ledger.entries}
    after = {entry.claim_id: entry for entry in result.ledger.entries}
    found: list[Trial] = []
    for gold in gold_of(case):
        claim, _ = matched(gold, report, draft)
        if claim is not None:
            found.append(Trial(case.name, gold, before[claim.id], after[claim.id]))
    return found


def print_figures(name: str, trials: list[Trial]) -> None:
    """One way's figures."""
    right = [t for t in trials if t.gold.verdict == "supported"]
    passed = [
        t for t in trials if t.before is Verdict.SUPPORTED and "supported" not in t.gold.accepted
    ]
    print(f"{name}: n = {len(trials)} gold claims")
    print(line("right claims lowered", sum(t.lowered for t in right), len(right)))
    print(
        line("wrong claims called supported, lowered", sum(t.lowered for t in passed), len(passed))
    )
    if "--all" in sys.argv:
        for t in trials:
            if t.lowered:
                print(f"  {t.case}:{t.gold.line} {t.gold.verdict} {t.before} -> {t.after.verdict}")
                print(f"      {t.after.text}\n      {t.after.reason}")
                for item in t.after.evidence:
                    if item.sought:
                        print(f"      {item.url}: {item.quote[:200]!r}")
    print()


def show(case: str, name: str, result: Challenged) -> None:
    """What was linked, and answered otherwise."""
    texts = {entry.claim_id: entry.text for entry in result.ledger.entries}
    for link in result.record.links:
        print(f"{case} {name}: LINK {link.reason}")
        print(f"    {texts[link.claim_id]}\n    {texts[link.other_id]}")
    for claim in result.record.claims:
        for question in claim.questions:
            for one in question.answers:
                print(f"{case} {name}: {one.outcome}: {question.question.text}")
                print(f"    claim: {question.claimed}; answer: {one.answer.said}")


if __name__ == "__main__":
    main()

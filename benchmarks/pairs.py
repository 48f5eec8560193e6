"""How often the engine alone judges a claim and its source as two people did.

FOUREYES_DATA=../shared/data python benchmarks/pairs.py

Prints the three-way accuracy, the share of bad claims that were passed as supported, the share of
true ones supported, each with its 95 % Wilson interval, and a table by kind. Says so and stops
when the data is absent: it is not part of the project.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime

from foureyes.base.vocabulary import SourceState, Verdict
from foureyes.documents.parse import parse_document
from foureyes.sources.model import Snapshot, Source, SourceSet
from foureyes.verification.check import check_document
from foureyes.verification.registry import Registry, load_registry
from measure import line, rows

NAME = "pairs.dev.jsonl"
URL = "https://example.org/source"
AS_OF = date(2026, 1, 1)


@dataclass(frozen=True, slots=True)
class Pair:
    """A claim, the text it cites, and what two people said of them."""

    kind: str
    claim: str
    text: str
    label: Verdict


def load() -> list[Pair]:
    """The pairs of the data folder."""
    return [
        Pair(row["kind"], row["claim"], row["source_text"], Verdict(row["label"]))
        for row in rows(NAME)
    ]


def judge(pair: Pair, registry: Registry) -> Verdict:
    """The engine's verdict on a document that holds the claim and cites the text."""
    snapshot = Snapshot(
        "0" * 64,
        "0" * 64,
        (URL,),
        datetime(2026, 1, 1, tzinfo=UTC),
        200,
        "text/html",
        len(pair.text),
    )
    source = Source(URL, SourceState.OK, "given", snapshot)
    sources = SourceSet({URL: source}, {snapshot.sha256: pair.text})
    draft = f"{pair.claim.rstrip('.')} ({URL}).\n"
    report = check_document(parse_document(draft), sources, registry, as_of=AS_OF)
    verdicts = {assessment.verdict for assessment in report.assessments}
    if Verdict.CONTRADICTED in verdicts:
        return Verdict.CONTRADICTED
    return Verdict.SUPPORTED if verdicts == {Verdict.SUPPORTED} else Verdict.UNVERIFIABLE


def report(results: Iterable[tuple[Pair, Verdict]]) -> None:
    """Print the figures."""
    results = list(results)
    true = [(pair, verdict) for pair, verdict in results if pair.label is Verdict.SUPPORTED]
    bad = [(pair, verdict) for pair, verdict in results if pair.label is not Verdict.SUPPORTED]
    right = [pair.label is verdict for pair, verdict in results]
    print(line("three-way accuracy", sum(right), len(results)))
    passed = sum(verdict is Verdict.SUPPORTED for _, verdict in bad)
    print(line("bad claims passed as supported", passed, len(bad)))
    supported = sum(verdict is Verdict.SUPPORTED for _, verdict in true)
    print(line("true claims supported", supported, len(true)))
    denied = sum(verdict is Verdict.CONTRADICTED for _, verdict in true)
    print(line("true claims contradicted", denied, len(true)))
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    for pair, verdict in results:
        kinds[pair.kind][f"{pair.label.value} -> {verdict.value}"] += 1
    print()
    for kind, counts in kinds.items():
        cells = ", ".join(f"{name}: {count}" for name, count in sorted(counts.items()))
        print(f"{kind:<28} {cells}")


def main() -> None:
    """Judge every pair and print the figures."""
    pairs, registry = load(), load_registry()
    print(f"python benchmarks/pairs.py\n{NAME}: n = {len(pairs)}\n")
    report((pair, judge(pair, registry)) for pair in pairs)


if __name__ == "__main__":
    main()

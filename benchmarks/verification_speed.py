"""How long the exact checks of a claim take in a source, and what preparing the source costs.

python benchmarks/verification_speed.py

CPU time on one core. The sources are made here from invented parts: reports of sections with prose,
lists and tables, from 10 kB to 10 MB. Each claim is one of several kinds (true, wrong number,
wrong name, reworded, of a table row, on something else) and is put to the source once; a fresh
index is used for each size, so that what is read only when a claim needs it is paid here. The
splitting of the source is reported apart. What the reader adds is in `foureyes doctor`.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from foureyes.claims.detect import detect_claims
from foureyes.claims.model import Claim
from foureyes.documents.parse import parse_document
from foureyes.verification.judge import judge
from foureyes.verification.passages.retrieval import SourceText
from foureyes.verification.reader.model import NoReader
from foureyes.verification.registry import Registry, load_registry

COMMAND = "python benchmarks/verification_speed.py"
SIZES = (10_000, 20_000, 100_000, 200_000, 1_000_000, 10_000_000)
CLAIMS, FEW, LARGE = 120, 24, 1_000_000
AS_OF = date(2026, 1, 1)

FIRMS = [a + b for a in ("Nor", "Hal", "Ost", "Vel", "Kar", "Bri") for b in ("wick", "den", "mere")]
THINGS = (
    "ferry",
    "bridge",
    "clinic",
    "orchard",
    "refinery",
    "library",
    "tramway",
    "reservoir",
    "quarry",
    "school",
)
ACTS = (
    "carried",
    "treated",
    "produced",
    "sold",
    "repaired",
    "lent",
    "inspected",
    "insured",
    "stored",
    "planted",
)
GOODS = (
    "passengers",
    "patients",
    "tonnes",
    "volumes",
    "wagons",
    "meters",
    "samples",
    "pupils",
    "crates",
    "trees",
)
PLACES = (
    "Alden",
    "Brisk",
    "Corran",
    "Dolmar",
    "Eastry",
    "Fenby",
    "Garth",
    "Holm",
    "Istra",
    "Jorvik",
    "Kelso",
    "Lorne",
)
FILLER = (
    "The board will decide on the next steps after it has heard the users.",
    "Nobody was hurt, and the inspector found no fault with the wiring.",
    "Costs rose as the winter was long and the contractor came late.",
    "A second report on the state of the foundations is expected in spring.",
    "The union asked for higher wages; the management offered shorter shifts.",
    "Visitors praised the new signs but complained about the car park.",
)


def report(size: int, seed: int = 7) -> tuple[str, list[str]]:
    """A text of about `size` characters, and true statements about it from all its parts."""
    rng, length, number = random.Random(seed), 0, 0
    parts: list[str] = []
    facts: list[str] = []
    while length < size:
        number += 1
        section, told = _section(rng, number)
        parts.append(section)
        facts += told
        length += len(section)
    return "".join(parts), facts


def _section(rng: random.Random, number: int) -> tuple[str, list[str]]:
    firm, thing, place = rng.choice(FIRMS), rng.choice(THINGS), rng.choice(PLACES)
    name = f"{firm} {place}"
    told: list[str] = []
    lines = [f"{number}. The {thing} of {name}\n\n"]
    for _ in range(6):
        act, good, year = rng.choice(ACTS), rng.choice(GOODS), rng.randint(1990, 2025)
        count, share = rng.randint(1_000, 900_000), rng.randint(2, 60)
        fact = f"In {year} the {thing} of {name} {act} {count:,} {good}, {share} per cent more."
        told.append(fact)
        lines.append(f"{fact} {rng.choice(FILLER)} ")
    lines.append("\n\n| Place | 2023 | 2024 |\n|---|---|---|\n")
    for row in rng.sample(PLACES, 4):
        left, right = rng.randint(100, 9_000), rng.randint(100, 9_000)
        lines.append(f"| {row} | {left:,} | {right:,} |\n")
    lines.append("\n")
    return "".join(lines), told


def claims(facts: Sequence[str], registry: Registry) -> list[Claim]:
    """Claims of all kinds, each the only one of a document."""
    rng = random.Random(11)
    made: list[Claim] = []
    for number in range(CLAIMS):
        text = _altered(rng.choice(facts), number % 6, rng)
        found = detect_claims(parse_document(f"{text}\n"), registry.lexicon, as_of=AS_OF)
        made += [replace(claim, cited=()) for claim in found[:1]]
    return made


def _altered(fact: str, kind: int, rng: random.Random) -> str:
    match kind:
        case 0:
            return fact
        case 1:
            return fact.replace("per cent more", "per cent less").replace(",", "", 1)
        case 2:
            return fact.replace(" of ", f" of {rng.choice(FIRMS)} ", 1)
        case 3:
            return f"Growth of {rng.randint(2, 60)} % was reported for {fact[8:40]}."
        case 4:
            return f"{rng.choice(PLACES)} had {rng.randint(100, 9000):,} in 2024."
        case _:
            return "The minister of fisheries resigned over 14 undeclared boats in March 2022."


def _milliseconds(source: SourceText, asked: Sequence[Claim], registry: Registry) -> list[float]:
    spent: list[float] = []
    for claim in asked:
        start = time.process_time()
        judge(claim, source, registry)
        spent.append((time.process_time() - start) * 1000)
    return spent


def main() -> None:
    """Print building and asking times by size."""
    registry = load_registry().with_reader(NoReader())
    print(f"{COMMAND}\n")
    print("size        build ms  per kB |  claim ms: min  median     p95     max     n")
    for size in SIZES:
        text, facts = report(size)
        asked = claims(facts, registry)[: FEW if size >= LARGE else CLAIMS]
        start = time.process_time()
        source = SourceText(text, registry.lexicon)
        built = (time.process_time() - start) * 1000
        spent = sorted(_milliseconds(source, asked, registry))
        late = spent[int(len(spent) * 0.95)]
        print(
            f"{len(text):>10,} {built:>9.1f} {built / len(text) * 1000:>7.3f} |"
            f" {spent[0]:>13.2f} {statistics.median(spent):>7.2f} {late:>7.2f}"
            f" {spent[-1]:>7.2f} {len(spent):>5}"
        )


if __name__ == "__main__":
    main()

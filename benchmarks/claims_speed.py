"""How fast claims are read from Markdown, and that the cost grows with the length alone.

python benchmarks/claims_speed.py [--most BYTES]

CPU time on one core for parsing a document and detecting its claims, and the most memory that
Python allocated in it (in a run of its own, as tracing slows it down). The documents are repeated
from three kinds of text until they have the size: the drafts of `corpus` and the publications of
`e2e_nist_sp80063` if the data is there (FOUREYES_DATA), with other digits each time so that no two
sentences are the same, and reports made here from invented parts. The bar: 100 kB/s, aim 200.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import statistics
import time
import tracemalloc
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

from foureyes.claims.detect import detect_claims
from foureyes.claims.lexicon import Lexicon, load_lexicon
from foureyes.documents.parse import parse_document
from verification_speed import report

COMMAND = "python benchmarks/claims_speed.py"
SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
# So many runs for a size; a document of 10 MB is read once.
RUNS = {10_000: 7, 100_000: 5, 1_000_000: 2}
TRACED = 1_000_000
AS_OF = date(2026, 1, 1)
_DIGIT = re.compile(r"(?<=\d)\d")


def texts() -> Iterator[tuple[str, Sequence[str]]]:
    """The kinds of text: name, and the documents that are repeated."""
    data = Path(os.environ.get("FOUREYES_DATA", "../shared/data"))
    drafts = [path.read_text("utf-8") for path in sorted(data.glob("corpus/case*/draft.md"))]
    yield "corpus drafts", drafts
    nist = data / "e2e_nist_sp80063.dev.jsonl"
    lines = nist.read_text("utf-8").splitlines() if nist.is_file() else []
    yield "e2e_nist", [json.loads(line)["markdown"] for line in lines]
    yield "invented reports", [report(8_000, seed)[0] for seed in range(4)]


def document(parts: Sequence[str], size: int, seed: int = 5) -> str:
    """`parts` repeated with other digits until there are `size` bytes."""
    rng, made, length = random.Random(seed), list[str](), 0
    while length < size:
        for part in parts:
            changed = _DIGIT.sub(lambda _: str(rng.randrange(10)), part)
            made.append(changed)
            length += len(changed.encode())
    return "\n\n".join(made).encode()[:size].decode(errors="ignore")


def seconds(text: str, lexicon: Lexicon) -> tuple[float, int]:
    """CPU time for one reading, and how many claims there are."""
    start = time.process_time()
    found = detect_claims(parse_document(text), lexicon, as_of=AS_OF)
    return time.process_time() - start, len(found)


def peak(text: str, lexicon: Lexicon) -> float:
    """The most memory allocated while reading, in MB."""
    tracemalloc.start()
    seconds(text, lexicon)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most / 1e6


def main() -> None:
    """Print the rate for each kind of text and size."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--most", type=int, default=SIZES[-1], help="the largest size, in bytes")
    most = parser.parse_args().most
    lexicon = load_lexicon()
    seconds("Warm-up: 12 boats were sold in 2024.\n", lexicon)
    print(f"{COMMAND}\n")
    print("text                   bytes  claims |   s: min  median     max |    kB/s | peak MB")
    for name, parts in texts():
        if not parts:
            print(f"{name:<16} not measured, the data is absent (set FOUREYES_DATA)")
            continue
        for size in (size for size in SIZES if size <= most):
            text = document(parts, size)
            read = [seconds(text, lexicon) for _ in range(RUNS.get(size, 1))]
            spent = [one for one, _ in read]
            middle = statistics.median(spent)
            memory = f"{peak(text, lexicon):7.1f}" if size <= TRACED else "      -"
            print(
                f"{name:<16} {size:>11,} {read[0][1]:>7} | {min(spent):>8.3f} {middle:>7.3f}"
                f" {max(spent):>7.3f} | {size / middle / 1000:>7.1f} | {memory}",
                flush=True,
            )


if __name__ == "__main__":
    main()

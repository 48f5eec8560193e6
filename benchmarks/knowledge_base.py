"""The knowledge base in figures: indexing, one changed file, searching by claim.

    python benchmarks/knowledge_base.py [--documents 10000] [--folder FOLDER] [--claims 300]
                                        [--pages 300]

Without a folder, documents are made up from a fixed seed: words drawn by a Zipf law, every tenth
sentence a fact about an invented name. Claims are facts of random documents in other words: some
words left out, plurals and word order changed.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from foureyes.base.registry import load_registry_file
from foureyes.sources.knowledge.base import KnowledgeBase
from foureyes.sources.policy import FETCH_FILE, FetchPolicy

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from support.pdf import pdf

SYLLABLES = ("ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe", "ri", "so")
FACTS = (
    "{name} opened {count} stations in {year}.",
    "The harbour of {name} was dredged to {count} metres in {year}.",
    "In {year}, {name} employed {count} people at its northern plant.",
    "{name} reported a loss of {count} million euros for {year}.",
)
ASKED = (
    "{name} has opened {count} station during {year}",
    "In {year} {name} harbour was dredged to a depth of {count} metres",
    "{count} people were employed by {name} at the northern plant in {year}",
    "For {year} {name} reported losses of {count} million euros",
)


def word(rng: random.Random, syllables: int) -> str:
    """An invented word."""
    return "".join(rng.choice(SYLLABLES) for _ in range(syllables))


class Maker:
    """Documents of invented words, and the claims that their facts answer."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.words = [word(self.rng, 1 + n % 3) for n in range(20_000)]
        self.weights = [1 / (rank + 1) for rank in range(len(self.words))]
        self.claims: list[tuple[str, str]] = []

    def document(self, name: str) -> str:
        """Four paragraphs with a fact in each."""
        filler = self.rng.choices(self.words, self.weights, k=480)
        lines = [f"# Report {name}", ""]
        for start in range(0, len(filler), 120):
            block = filler[start : start + 120]
            sentences = [
                " ".join(block[at : at + 12]).capitalize() + "." for at in range(0, 120, 12)
            ]
            sentences.insert(self.rng.randrange(10), self.fact(name))
            lines += [" ".join(sentences), ""]
        return "\n".join(lines)

    def fact(self, document: str) -> str:
        """A fact of `document`; the claim that asks for it is kept."""
        which = self.rng.randrange(len(FACTS))
        name = " ".join(word(self.rng, 3).capitalize() for _ in range(2))
        values = {
            "name": name,
            "count": self.rng.randrange(2, 9000),
            "year": self.rng.randrange(1950, 2026),
        }
        self.claims.append((document, ASKED[which].format(**values)))
        return FACTS[which].format(**values)


def as_html(text: str) -> bytes:
    """A page of about 30 kB with menus around the document's paragraphs."""
    menu = "".join(f'<li><a href="/{n}">Menu entry {n}</a></li>' for n in range(120))
    body = "".join(f"<p>{part}</p>" for part in text.split("\n\n") for _ in range(5))
    return (
        f"<html><head><title>Page</title></head><body><nav><ul>{menu}</ul></nav>"
        f"<article><h1>Page</h1>{body}</article><footer><ul>{menu}</ul></footer></body></html>"
    ).encode()


def as_pdf(text: str) -> bytes:
    """A PDF of ten pages with 40 lines each."""
    words = text.split()
    lines = [" ".join(words[at : at + 10]) for at in range(0, 400, 10)]
    return pdf([[line.replace("(", "").replace(")", "") for line in lines]] * 10)


def pages_figures(folder: Path, count: int, policy: FetchPolicy) -> None:
    """Index HTML pages and PDF files and print what each takes."""
    maker = Maker(5)
    for kind, make in (("html", as_html), ("pdf", as_pdf)):
        below = folder / kind
        below.mkdir(parents=True)
        for number in range(count):
            (below / f"{number}.{kind}").write_bytes(make(maker.document(str(number))))
        cpu = time.process_time()
        report = KnowledgeBase(folder / f"{kind}.sqlite3").add(below, policy)
        each = (time.process_time() - cpu) * 1000 / max(1, report.indexed)
        size = sum(path.stat().st_size for path in below.iterdir()) / count / 1000
        print(f"{kind}: {each:.1f} ms CPU a file, n = {report.indexed}, {size:.0f} kB each")


def make_folder(folder: Path, count: int) -> list[tuple[str, str]]:
    """Write the documents; returns each claim with the document that has it."""
    maker = Maker(7)
    for number in range(count):
        below = folder / f"part{number % 40:02}"
        below.mkdir(parents=True, exist_ok=True)
        name = f"part{number % 40:02}/{number:05}.{'md' if number % 2 else 'txt'}"
        (folder / name).write_text(maker.document(name), encoding="utf-8")
    old = time.time() - 60
    for path in folder.rglob("*.*"):
        os.utime(path, (old, old))
    return maker.claims


def interval(hits: int, count: int) -> str:
    """A share with its 95 % Wilson interval."""
    share, z = hits / count, 1.96
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count**2)) / (1 + z * z / count)
    return f"{share:.3f} [{middle - half:.3f}, {middle + half:.3f}], n = {count}"


def timed(action: str, base: KnowledgeBase, folder: Path, policy: FetchPolicy) -> None:
    """Index `folder` and print what that took."""
    started, cpu = time.perf_counter(), time.process_time()
    report = base.add(folder, policy)
    wall, used = time.perf_counter() - started, time.process_time() - cpu
    print(
        f"{action}: {wall:.2f} s wall, {used:.2f} s CPU; indexed {report.indexed:,}, unchanged "
        f"{report.unchanged:,}, removed {report.removed:,}, skipped {len(report.skipped):,}, "
        f"passages {report.passages:,}"
    )


def sentences(folder: Path) -> Iterator[tuple[str, str]]:
    """Claims for a folder of one's own: long lines of its text files."""
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".md", ".txt"):
            for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
                if len(line) > 80 and not line.startswith(("|", "#", "[")):
                    yield path.relative_to(folder).as_posix(), line[:300]


def search_figures(base: KnowledgeBase, claims: list[tuple[str, str]], count: int) -> None:
    """Search and print times and shares."""
    chosen = random.Random(11).sample(claims, min(count, len(claims)))
    times: list[float] = []
    cpu: list[float] = []
    first = found = 0
    for document, claim in chosen:
        started, used = time.perf_counter(), time.process_time()
        paths = [passage.path for passage in base.search(claim, 5)]
        times.append((time.perf_counter() - started) * 1000)
        cpu.append((time.process_time() - used) * 1000)
        first += paths[:1] == [document]
        found += document in paths
    cuts = statistics.quantiles(times, n=20)
    middle = statistics.median(times)
    print(
        f"search: median {middle:.1f} ms, p95 {cuts[18]:.1f} ms, max {max(times):.1f} ms; CPU "
        f"median {statistics.median(cpu):.1f} ms, p95 {statistics.quantiles(cpu, n=20)[18]:.1f} ms"
    )
    print(f"  right document first: {interval(first, len(chosen))}")
    print(f"  right document in five: {interval(found, len(chosen))}")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--claims", type=int, default=300)
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    print("command:", *sys.argv)
    policy = load_registry_file(FetchPolicy, FETCH_FILE)
    with tempfile.TemporaryDirectory() as name:
        folder = given.folder or Path(name) / "documents"
        claims = list(sentences(folder)) if given.folder else make_folder(folder, given.documents)
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        print(f"data: {given.folder or 'made up, seed 7'}, {size / 1e6:.1f} MB")
        index = Path(name) / "index.sqlite3"
        base = KnowledgeBase(index)
        timed("first indexing", base, folder, policy)
        timed("nothing changed", base, folder, policy)
        if not given.folder:
            changed = folder / "part00" / "00000.txt"
            changed.write_text(changed.read_text(encoding="utf-8") + "\nOne more line.\n", "utf-8")
            timed("one file changed", base, folder, policy)
        search_figures(base, claims, given.claims)
        pages_figures(Path(name) / "pages", given.pages, policy)
        print(f"index: {index.stat().st_size / 1e6:.1f} MB")
    print(f"peak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    main()

"""What the batched fact check asks of a model: requests, tokens and cost for a claim.

python benchmarks/claude_batches.py

The real SDK and CLI against a loopback server with a model that plays by rule, so nothing is paid.
Tokens are counted as one for three bytes of the request, more than any tokenizer makes of it.
"""

from __future__ import annotations

import asyncio
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from foureyes.assembly.runs import RunInput, prepare_run
from foureyes.assembly.settings import load_settings
from support.messages_server import MessagesServer, Request, ToolCall, tokens
from support.model_rules import Asks, Plan, plays

COMMAND = "python benchmarks/claude_batches.py"
CLAIMS_PER_SOURCE = 5
INPUT_USD, OUTPUT_USD = 3.0, 15.0
CACHE_READ, CACHE_WRITE = 0.1, 1.25
"""List price of a million tokens of the fact checker's model, and the factors of its cache."""
MAX_TOKENS = 60_000
FILLER = "The quay was extended twice, and the council has debated a third time. " * 120
TOWNS = ("Arnsund", "Belmora", "Castrel", "Dunwick", "Elverby", "Farsund", "Grenholm", "Hallvik")


@dataclass(frozen=True, slots=True)
class Figures:
    """What one run took."""

    claims: int
    seconds: float
    requests: Sequence[Request]

    def sessions(self) -> list[list[Request]]:
        """The requests of each batch, in order."""
        ordered = sorted(self.requests, key=lambda request: (request.turn, request.started))
        return [list(group) for _, group in groupby(ordered, key=lambda request: request.turn)]

    def dollars(self, *, cached: bool) -> float:
        """The input's and output's price; with a cache each request pays for what is new."""
        total = 0.0
        for session in self.sessions():
            known = 0
            for request in session:
                size = tokens(request.size_bytes)
                fresh = size - known if cached else size
                paid = CACHE_WRITE * fresh + CACHE_READ * known if cached else float(size)
                total += paid * INPUT_USD
                known = size
            answers = session[-1].body["messages"]
            said = sum(len(str(m["content"])) for m in answers if m["role"] == "assistant")
            total += tokens(said) * OUTPUT_USD
        return total / 1_000_000


def write_case(folder: Path, claims: int) -> tuple[Path, str]:
    """Sources and a draft with `claims` claims, two in five worded unlike their source."""
    sources = folder / "sources"
    sources.mkdir()
    lines: list[str] = []
    listed: list[str] = []
    for number, start in enumerate(range(0, claims, CLAIMS_PER_SOURCE), start=1):
        town = f"{TOWNS[number % len(TOWNS)]} {number}"
        facts: list[str] = []
        for fact in range(min(CLAIMS_PER_SOURCE, claims - start)):
            amount, year = 1000 * number + 37 * fact, 2000 + fact
            facts.append(f"The port of {town} handled {amount} containers in {year}.")
            loose = f"Some {amount} containers passed through {town}'s quays in {year}."
            lines.append(f"{(loose if fact % 3 == 0 else facts[-1])[:-1]} [{number}].\n")
        text = "\n\n".join([f"# {town}", FILLER, *facts, FILLER, ""])
        (sources / f"port-{number}.md").write_text(text, encoding="utf-8")
        listed.append(f"[{number}] [{town}](port-{number}.md)")
    return sources, "\n".join(["# Harbours\n\n## Figures\n", *lines, "## Sources\n", *listed, ""])


def asks_little(files: Mapping[str, str]) -> list[ToolCall]:
    """`find_passages` for each claim that code left open."""
    left = re.findall(r"## (c-\S+) .*?(?=\n## |\Z)", files["passages.md"], re.S)
    return [ToolCall("mcp__foureyes__find_passages", {"claim_id": claim}) for claim in left]


def asks_all(files: Mapping[str, str]) -> list[ToolCall]:
    """Every call that the allowances grant: passages twice for each claim, eight long readings."""
    hashes = re.findall(r"snapshot ([0-9a-f]{64})", files["passages.md"])
    reads = [
        ToolCall("mcp__foureyes__read_source", {"sha256": hashes[n % len(hashes)], "offset": 0})
        for n in range(8)
        if hashes
    ]
    return [*asks_little(files), *asks_little(files), *reads]


async def measure(claims: int, asks: Asks) -> Figures:
    """Run the main job over `claims` claims."""
    with MessagesServer() as server, tempfile.TemporaryDirectory() as name:
        server.default = plays(Plan(asks=asks))
        sources, draft = write_case(Path(name), claims)
        flags: dict[str, object] = {
            "backend": "claude",
            "base_url": server.url,
            "api_key_env": "KEY",
            "with_fact_checker": True,
            "max_iterations": 1,
            "out": Path(name) / "runs",
            "as_of": "2026-01-02",
        }
        loaded = load_settings(flags, environ={"KEY": "dummy"}, folder=Path(name))
        inputs = RunInput("# Harbours\n", draft, (str(sources),))
        run = await prepare_run(inputs, loaded)
        started = time.perf_counter()
        await run.run(lambda _progress: None)
        seconds = time.perf_counter() - started
        requests = [request for request in server.requests if "fact_checker" in request.turn]
    return Figures(claims, seconds, requests)


def report(name: str, figures: Figures) -> None:
    """Print one line of figures."""
    sizes = sorted(tokens(request.size_bytes) for request in figures.requests)
    batches = len(figures.sessions())
    plain, cached = figures.dollars(cached=False), figures.dollars(cached=True)
    print(
        f"{name:>10} {figures.claims:>6} {batches:>7} {len(sizes):>8} {sizes[0]:>7} "
        f"{statistics.median(sizes):>8.0f} {sizes[-1]:>7} {plain / figures.claims:>9.4f} "
        f"{cached / figures.claims:>9.4f} {figures.seconds:>6.1f}"
    )
    if sizes[-1] > MAX_TOKENS:
        print(f"over the bar of {MAX_TOKENS} tokens a request")


def main() -> None:
    """Measure 20 and 200 claims."""
    print(f"{COMMAND}  (n = 1 run each)")
    print(
        f"{'asks':>10} {'claims':>6} {'batches':>7} {'requests':>8} {'min':>7} {'median':>8} "
        f"{'max tok':>7} {'$/claim':>9} {'cached':>9} {'s':>6}"
    )
    for claims in (20, 200):
        report("passages", asyncio.run(measure(claims, asks_little)))
    report("everything", asyncio.run(measure(20, asks_all)))


if __name__ == "__main__":
    main()

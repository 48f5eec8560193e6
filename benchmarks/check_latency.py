"""How long a cited claim takes from its address to its verdict, fetching from this machine.

python benchmarks/check_latency.py

A site of its own serves reports of 5 to 200 kB as web pages. Each claim is first checked alone by
`check_async`: a document of one sentence that cites one page, so the wall time is that of fetching
the page, reading it, judging and scoring the source, with the registries loaded once more each
time. Then each claim cites three pages, of which one has it, and documents of 1 to 50 claims that
cite a page each are checked whole. No address is asked for twice, so that nothing is kept from
before. The bar: the 95th percentile of one claim under 2 s.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import sys
import time
from collections import Counter
from dataclasses import dataclass
from html import escape
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from foureyes import CheckResult, check_async
from support.http_site import HttpSite
from verification_speed import report

COMMAND = "python benchmarks/check_latency.py"
PAGES = (5_000, 20_000, 50_000, 100_000, 200_000)
CLAIMS = 120
DOCUMENTS = (1, 10, 50)
RUNS = 3
CITED = 3
# A visit has addresses of its own: of the first check, of the single claims, of the documents.
FIRST_OF_DOCUMENTS = CITED + 1
VISITS = range(FIRST_OF_DOCUMENTS + len(DOCUMENTS) * RUNS)


@dataclass(frozen=True, slots=True)
class Cited:
    """A claim, the address of the page that has it, and how long that is."""

    claim: str
    url: str
    size: int

    def text(self, *others: str, visit: int) -> str:
        """The claim with its citations, under addresses of this visit alone."""
        return f"{self.claim} ({' '.join(f'{url}/{visit}' for url in (self.url, *others))})."


def put(site: HttpSite) -> list[Cited]:
    """Pages on `site`, with a claim of each."""
    rng, cited = random.Random(3), list[Cited]()
    for number in range(CLAIMS):
        size = PAGES[number % len(PAGES)]
        text, facts = report(size, seed=number)
        body = "".join(f"<p>{escape(part)}</p>\n" for part in text.split("\n\n") if part.strip())
        page = f"<html><head><title>Report {number}</title></head><body>{body}</body></html>"
        for visit in VISITS:
            site.page(f"/{number}/{visit}", page)
        url = site.url(f"/{number}")
        cited.append(Cited(rng.choice(facts).rstrip("."), url, size))
    return cited


async def timed(text: str, site: HttpSite) -> tuple[float, CheckResult]:
    """The wall time of one check."""
    start = time.perf_counter()
    result = await check_async(text, allowed_hosts=(site.authority,))
    return time.perf_counter() - start, result


def line(name: str, spent: list[float]) -> str:
    """One row of the table."""
    late = sorted(spent)[int(len(spent) * 0.95)]
    return (
        f"{name:<28} {len(spent):>4} {min(spent):>8.3f} {statistics.median(spent):>8.3f}"
        f" {late:>8.3f} {max(spent):>8.3f}"
    )


async def one_by_one(cited: list[Cited], site: HttpSite) -> None:
    """Print the times of claims that cite one page, and of those that cite several."""
    for count in (1, CITED):
        spent, verdicts = dict[int, list[float]](), Counter[str]()
        for number, one in enumerate(cited):
            others = (cited[(number + step) % CLAIMS].url for step in range(1, count))
            seconds, result = await timed(one.text(*others, visit=count), site)
            spent.setdefault(one.size, []).append(seconds)
            verdicts.update(claim.verdict.value for claim in result.report.assessments)
        if count == 1:
            for size, times in sorted(spent.items()):
                print(line(f"one claim, page of {size // 1000} kB", times))
        times = [one for times in spent.values() for one in times]
        print(line(f"one claim, {count} page{'s' * (count > 1)} cited", times))
        print(f"  verdicts: {dict(verdicts)}", flush=True)


async def measure() -> None:
    """Print the table."""
    async with HttpSite() as site:
        cited = put(site)
        await timed(cited[0].text(visit=0), site)
        print(f"{COMMAND}\n\nwall time in s                  n      min   median      p95      max")
        await one_by_one(cited, site)
        for count in DOCUMENTS:
            runs: list[float] = []
            for run in range(RUNS):
                visit = DOCUMENTS.index(count) * RUNS + run + FIRST_OF_DOCUMENTS
                text = "\n\n".join(one.text(visit=visit) for one in cited[:count])
                runs.append((await timed(text, site))[0])
            print(line(f"document of {count} claims", runs))
            print(line("  of it for each claim", [one / count for one in runs]))


if __name__ == "__main__":
    asyncio.run(measure())

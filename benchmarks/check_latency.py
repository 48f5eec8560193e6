"""How long a cited claim takes from its address to its verdict, fetching from this machine.

python benchmarks/check_latency.py

A site of its own serves reports of 5 to 200 kB as web pages. Each claim is first checked alone by
`check_async`: a document of one sentence that cites one page, so the wall time is that of fetching
the page, reading it, judging and scoring the source, with the registries loaded once more each
time. Then documents of 1 to 50 claims that cite a page each are checked whole. The bar: the 95th
percentile of one claim under 2 s.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import sys
import time
from collections import Counter
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


def put(site: HttpSite) -> list[tuple[int, str]]:
    """Pages on `site`; gives for each claim the length of its page and the claim with citation."""
    rng, cited = random.Random(3), list[tuple[int, str]]()
    for number in range(CLAIMS):
        size = PAGES[number % len(PAGES)]
        text, facts = report(size, seed=number)
        body = "".join(f"<p>{escape(part)}</p>\n" for part in text.split("\n\n") if part.strip())
        page = f"<html><head><title>Report {number}</title></head><body>{body}</body></html>"
        url = site.page(f"/{number}.html", page)
        cited.append((size, f"{rng.choice(facts).rstrip('.')} ({url})."))
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


async def measure() -> None:
    """Print the table."""
    async with HttpSite() as site:
        cited = put(site)
        await timed(cited[0][1], site)
        print(f"{COMMAND}\n\nwall time in s                  n      min   median      p95      max")
        alone, verdicts = dict[int, list[float]](), Counter[str]()
        for size, text in cited:
            spent, result = await timed(text, site)
            alone.setdefault(size, []).append(spent)
            verdicts.update(one.verdict.value for one in result.report.assessments)
        for size, times in sorted(alone.items()):
            print(line(f"one claim, page of {size // 1000} kB", times))
        print(line("one claim, all pages", [one for times in alone.values() for one in times]))
        print(f"verdicts: {dict(verdicts)}\n")
        for count in DOCUMENTS:
            text = "\n\n".join(claim for _, claim in cited[:count])
            runs = [(await timed(text, site))[0] for _ in range(RUNS)]
            print(line(f"document of {count} claims", runs))
            print(line("  of it for each claim", [one / count for one in runs]))


if __name__ == "__main__":
    asyncio.run(measure())

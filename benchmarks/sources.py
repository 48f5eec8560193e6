"""What fetching does with hostile addresses, hostile sites and many addresses at once.

FOUREYES_DATA=../shared/data python benchmarks/sources.py

Addresses that must not be fetched are judged with a name server of our own, on loopback; where the
data is absent this says so and goes on.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from foureyes.base.registry import load_registry_file
from foureyes.base.vocabulary import SourceState
from foureyes.sources.failure import AddressRefused
from foureyes.sources.fetcher import Fetcher
from foureyes.sources.guard import Guard
from foureyes.sources.policy import FETCH_FILE, FetchPolicy
from foureyes.sources.snapshot_store import SharedStore, SnapshotStore
from support.http_site import HttpSite, Request, head
from unit.sources.dns_server import DnsServer
from unit.sources.fetch_child import FetchPlan, fetch_apart
from unit.sources.state_site import state_site

COMMAND = "python benchmarks/sources.py"
ADDRESSES = "ssrf_urls.dev.jsonl"
PUBLIC, PRIVATE = "93.184.215.14", "10.0.0.7"
HOSTS, URLS, LATENCY = 20, 200, 0.05
Z = 1.96


@dataclass(frozen=True, slots=True)
class Labelled:
    """An address, and whether a guard is to `block` it, to `allow` it or to look it up first."""

    url: str
    label: str


def main() -> None:
    """Print every figure."""
    print(COMMAND)
    policy = load_registry_file(FetchPolicy, FETCH_FILE)
    asyncio.run(guard_section(policy))
    with TemporaryDirectory() as folder:
        asyncio.run(states_section(policy, Path(folder)))
    with TemporaryDirectory() as folder:
        asyncio.run(politeness_section(policy, Path(folder)))


async def guard_section(policy: FetchPolicy) -> None:
    """How many addresses of each label are refused."""
    path = Path(os.environ.get("FOUREYES_DATA", "../shared/data")) / ADDRESSES
    if not path.is_file():
        print(f"{ADDRESSES}: not measured, there is no {path} (set FOUREYES_DATA)")
        return
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    labelled = [Labelled(row["url"], row["label"]) for row in rows]
    print(f"\n{ADDRESSES}: n = {len(labelled)}")
    for name, label, wanted, answer in (
        ("block recall", "block", True, PUBLIC),
        ("allow recall", "allow", False, PUBLIC),
        ("refused once the name leads inside", "needs_resolution", True, PRIVATE),
    ):
        urls = [one.url for one in labelled if one.label == label]
        refused = await refusals(urls, policy, answer)
        wrong = [url for url, found in zip(urls, refused, strict=True) if found is not wanted]
        print(line(name, len(urls) - len(wrong), len(urls)))
        for url in wrong:
            print(f"    {'not ' if wanted else ''}refused: {url[:100]!r}")


async def states_section(policy: FetchPolicy, folder: Path) -> None:
    """How many pages of a site that shows every state are told right, and in what memory."""
    timeouts = policy.timeouts.model_copy(update={"read": 3, "attempt": 10})
    retries = policy.retries.model_copy(update={"attempts": 1})
    politeness = policy.politeness.model_copy(update={"interval": 0})
    changes = {"timeouts": timeouts, "retries": retries, "politeness": politeness}
    async with state_site(folder / "tls") as site:
        urls = tuple(page.url for page in site.pages)
        warm_up = tuple(page.url for page in site.pages if page.state is SourceState.OK)[:5]
        quick = policy.model_copy(update=changes)
        plan = FetchPlan(folder / "store", quick, site.allowed, site.trusted, warm_up, urls)
        outcome = await fetch_apart(plan, folder)
    found = {source.url: source.state for source in outcome.sources}
    wrong = [page for page in site.pages if found[page.url] is not page.state]
    states = len({page.state for page in site.pages})
    print(f"\nsite of our own: n = {len(urls)} pages, {states} states, all at one time")
    print(line("told right", len(urls) - len(wrong), len(urls)))
    for page in wrong:
        print(f"    {page.name}: {found[page.url]}, not {page.state}")
    above = (outcome.peak_kb - outcome.idle_kb) / 1024
    print(f"{'highest memory above idle':<40} {above:.1f} MB (at most 64)")
    print(f"{'wall time':<40} {outcome.seconds:.1f} s")


async def politeness_section(policy: FetchPolicy, folder: Path) -> None:
    """The wall time of 200 addresses of 20 hosts, and the requests of a second run."""
    load = os.getloadavg()[0]
    async with AsyncExitStack() as stack:
        sites = [
            await stack.enter_async_context(HttpSite(host=f"127.0.0.{number}"))
            for number in range(2, 2 + HOSTS)
        ]
        urls = [put(site, number) for number in range(URLS // HOSTS) for site in sites]
        guard = Guard(policy, allowed_hosts=[site.authority for site in sites])
        async with Fetcher(SnapshotStore(folder / "warm"), policy, guard) as fetcher:
            # The libraries and the languages' model are loaded once in a process.
            await fetcher.fetch(put(sites[0], URLS))
        seconds: list[float] = []
        requests: list[int] = []
        for run in ("first", "second"):
            before = sum(len(site.requests) for site in sites)
            shared = SharedStore(folder / "shared", policy.cache)
            store = SnapshotStore(folder / run)
            started = time.perf_counter()
            async with Fetcher(store, policy, guard, shared=shared) as fetcher:
                found = await fetcher.fetch_all(urls, limit=URLS)
            seconds.append(time.perf_counter() - started)
            requests.append(sum(len(site.requests) for site in sites) - before)
            readable = sum(source.state.readable for source in found)
    least = (URLS // HOSTS - 1) * policy.politeness.interval + LATENCY
    print(f"\n{URLS} addresses of {HOSTS} hosts on loopback, {LATENCY * 1000:.0f} ms latency")
    print(f"{'readable':<40} {readable} of {URLS}")
    print(f"{'least that politeness demands':<40} {least:.2f} s")
    times = f"{seconds[0]:.2f} s = {seconds[0] / least:.2f} x (at most 1.3)"
    print(f"{'wall time, first run':<40} {times}")
    print(f"{'wall time, second run':<40} {seconds[1]:.2f} s")
    print(f"{'requests, first and second run':<40} {requests[0]} and {requests[1]}")
    print(f"{'load of the machine before':<40} {load:.1f} on {os.cpu_count()} cores")


def put(site: HttpSite, number: int) -> str:
    """A page of its own that takes its time to come."""
    body = f"<title>Pier {number}</title><p>Pier {number} of {site.host} is 62 metres long."

    async def answer(_: Request, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(LATENCY)
        sent = {"Content-Type": "text/html", "Content-Length": str(len(body))}
        writer.write(head(200, sent) + body.encode())

    return site.handle(f"/pier/{number}", answer)


async def refusals(urls: Iterable[str], policy: FetchPolicy, answer: str) -> Sequence[bool]:
    """Which of `urls` are refused where every name leads to `answer`."""
    async with DnsServer(default=[answer]) as names:
        guard = Guard(policy, resolver=names.resolve)
        return [await is_refused(url, guard) for url in urls]


async def is_refused(url: str, guard: Guard) -> bool:
    """Whether `guard` refuses `url` before or after it has looked the name up."""
    try:
        address = guard.require(url if "://" in url else f"https://{url.lstrip('/')}")
        await guard.checked_addresses(address.host, address.port)
    except AddressRefused:
        return True
    return False


def line(name: str, hits: int, n: int) -> str:
    """One share with its 95 % interval by Wilson's score."""
    share, spread = (hits / n if n else math.nan), Z * Z / max(n, 1)
    middle = (share + spread / 2) / (1 + spread)
    half = Z * math.sqrt(max(0.0, share * (1 - share)) / max(n, 1) + spread / (4 * max(n, 1)))
    low, high = max(0.0, middle - half / (1 + spread)), min(1.0, middle + half / (1 + spread))
    return f"{name:<40} {hits:>4} / {n:<4} {share:6.3f}  [{low:.3f}, {high:.3f}]"


if __name__ == "__main__":
    main()

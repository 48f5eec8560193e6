from __future__ import annotations

from collections.abc import AsyncGenerator

import anyio
import pytest
from foureyes.datatypes import SourceState
from foureyes.sources.fetcher import Fetcher
from foureyes.sources.guard import Guard
from foureyes.sources.policy import FetchPolicy
from foureyes.sources.snapshot_store import SnapshotStore
from support.http_site import HttpSite

RULES = """User-agent: *
Disallow: /private
Disallow: /*.pdf$
Allow: /private/open

User-agent: foureyes
Disallow: /not-for-checkers
Disallow: /private
Allow: /private/open
"""


@pytest.fixture
async def polite(
    store: SnapshotStore, policy: FetchPolicy, guard: Guard
) -> AsyncGenerator[Fetcher]:
    async with Fetcher(store, policy, guard, robots=True) as opened:
        yield opened


def text(site: HttpSite, path: str, body: str = "She is 62 m long.") -> str:
    return site.page(path, body, media_type="text/plain")


@pytest.mark.parametrize(
    ("path", "state"),
    [
        ("/a", SourceState.OK),
        ("/private", SourceState.REFUSED_BY_POLICY),
        ("/private/b", SourceState.REFUSED_BY_POLICY),
        ("/private/open", SourceState.OK),
        ("/not-for-checkers/c", SourceState.REFUSED_BY_POLICY),
    ],
)
async def test_what_a_host_forbids_is_not_asked_for(
    site: HttpSite, polite: Fetcher, path: str, state: SourceState
) -> None:
    text(site, "/robots.txt", RULES)
    source = await polite.fetch(text(site, path))
    assert source.state is state
    refused = state is SourceState.REFUSED_BY_POLICY
    assert site.paths() == ["/robots.txt", *([] if refused else [path])]
    assert ("robots.txt of 127.0.0.1 does not allow it" in source.reason) is refused


async def test_rules_are_read_once_for_all_addresses_of_a_host(
    site: HttpSite, polite: Fetcher
) -> None:
    text(site, "/robots.txt", RULES)
    urls = [text(site, f"/{number}") for number in range(6)]
    found = await polite.fetch_all(urls, limit=9)
    assert {source.state for source in found} == {SourceState.OK}
    assert site.paths().count("/robots.txt") == 1


async def test_a_redirect_is_judged_by_the_rules_too(site: HttpSite, polite: Fetcher) -> None:
    text(site, "/robots.txt", RULES)
    source = await polite.fetch(site.redirect("/a", "/private/x"))
    assert source.state is SourceState.REFUSED_BY_POLICY


@pytest.mark.parametrize(
    ("status", "state"),
    [
        (404, SourceState.OK),
        (403, SourceState.OK),
        (500, SourceState.NOT_FETCHED),
        (429, SourceState.NOT_FETCHED),
    ],
)
async def test_missing_rules_allow_and_unreadable_rules_do_not(
    site: HttpSite, polite: Fetcher, status: int, state: SourceState
) -> None:
    site.page("/robots.txt", status=status)
    source = await polite.fetch(text(site, "/a"))
    assert source.state is state
    if state is SourceState.NOT_FETCHED:
        assert "robots.txt of 127.0.0.1 could not be read" in source.reason


async def test_a_delay_that_a_host_asks_for_is_kept(site: HttpSite, polite: Fetcher) -> None:
    text(site, "/robots.txt", "User-agent: *\nCrawl-delay: 0.4\n")
    urls = [text(site, f"/{number}") for number in range(3)]
    started = anyio.current_time()
    await polite.fetch_all(urls, limit=9)
    assert anyio.current_time() - started >= 1.1


async def test_who_waits_for_rules_reads_them_after_a_cancelled_reader(
    site: HttpSite, polite: Fetcher
) -> None:
    text(site, "/robots.txt", RULES)
    first, second = text(site, "/a"), text(site, "/b")
    async with anyio.create_task_group() as group:
        with anyio.move_on_after(0):
            await polite.fetch(first)
        group.start_soon(polite.fetch, second)
    assert "/b" in site.paths()


async def test_without_the_option_rules_are_not_asked_for(site: HttpSite, fetcher: Fetcher) -> None:
    await fetcher.fetch(text(site, "/a"))
    assert site.paths() == ["/a"]

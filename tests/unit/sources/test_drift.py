from __future__ import annotations

from pathlib import Path

import pytest
from foureyes.sources.drift import Change, QuoteNow, SourceDrift, diff_sources
from foureyes.sources.fetcher import Fetcher
from foureyes.sources.guard import Guard
from foureyes.sources.policy import FetchPolicy
from foureyes.sources.snapshot_store import SnapshotStore
from support.http_site import HttpSite

OLD = "The Kestrel class.\nShe is 62 metres long.\nHer crew is “34”."
QUOTE = "She is 62 metres long."


async def drift(
    tmp_path: Path, policy: FetchPolicy, site: HttpSite, path: str, quotes: tuple[str, ...] = ()
) -> SourceDrift:
    """Fetch `path` for a run, then compare; the site answers the second time with what is next."""
    guard = Guard(policy, allowed_hosts=[site.authority])
    stored, live = SnapshotStore(tmp_path / "run"), SnapshotStore(tmp_path / "live")
    async with Fetcher(stored, policy, guard) as fetcher:
        source = await fetcher.fetch(site.url(path))
    assert source.snapshot is not None
    async with Fetcher(live, policy, guard) as fetcher:
        (found,) = await diff_sources(stored, live, fetcher, {source.snapshot.sha256: quotes})
    return found


def put(site: HttpSite, *bodies: str) -> None:
    for body in bodies:
        site.page("/a", body, media_type="text/plain; charset=utf-8")


async def test_a_page_that_is_as_it_was_is_unchanged(
    tmp_path: Path, policy: FetchPolicy, site: HttpSite
) -> None:
    put(site, OLD, OLD.replace("“34”", '"34"') + "\n")
    found = await drift(tmp_path, policy, site, "/a", (QUOTE, 'is "34"'))
    assert (found.change, found.reason) == (Change.UNCHANGED, "its text is the same")
    assert [quote.stands for quote in found.quotes] == [True, True]
    assert (found.removed, found.added, found.lost) == ((), (), ())


async def test_a_changed_page_shows_what_became_of_each_quote(
    tmp_path: Path, policy: FetchPolicy, site: HttpSite
) -> None:
    put(site, OLD, OLD.replace("62", "64").replace("class.", "class. " + "word " * 60))
    found = await drift(tmp_path, policy, site, "/a", (QUOTE, "Her crew is"))
    assert found.change is Change.CHANGED
    assert found.quotes == (
        QuoteNow(QUOTE, False),
        QuoteNow("Her crew is", True),
    )
    assert found.removed == ("The Kestrel class.", QUOTE)
    assert found.added[0].endswith("…")


async def test_a_page_that_is_gone_takes_its_quotes_with_it(
    tmp_path: Path, policy: FetchPolicy, site: HttpSite
) -> None:
    put(site, OLD)
    site.page("/a", status=410)
    found = await drift(tmp_path, policy, site, "/a", (QUOTE,))
    assert (found.change, found.reason) == (Change.GONE, "the server answered 410 Gone")
    assert [quote.quote for quote in found.lost] == [QUOTE]


async def test_a_page_that_has_moved_is_compared_where_it_is(
    tmp_path: Path, policy: FetchPolicy, site: HttpSite
) -> None:
    put(site, OLD)
    site.redirect("/a", "/b", 301)
    new = site.page("/b", OLD, media_type="text/plain; charset=utf-8")
    found = await drift(tmp_path, policy, site, "/a", (QUOTE,))
    assert (found.change, found.lost) == (Change.MOVED, ())
    assert found.reason == f"now at {new}; its text is the same"


async def test_a_page_that_cannot_be_had_now_is_not_compared(
    tmp_path: Path, policy: FetchPolicy, site: HttpSite
) -> None:
    put(site, OLD)
    site.page("/a", status=403)
    found = await drift(tmp_path, policy, site, "/a", (QUOTE,))
    assert (found.change, found.quotes) == (Change.NOT_COMPARED, ())


async def test_nothing_near_a_lost_quote_is_shown_where_nothing_is_alike(
    tmp_path: Path, policy: FetchPolicy, site: HttpSite
) -> None:
    put(site, OLD, "Zzz.")
    found = await drift(tmp_path, policy, site, "/a", (QUOTE,))
    assert found.quotes == (QuoteNow(QUOTE, False),)


async def test_only_web_sources_that_were_read_are_compared(
    tmp_path: Path, policy: FetchPolicy, site: HttpSite, guard: Guard
) -> None:
    stored = SnapshotStore(tmp_path / "run")
    async with Fetcher(stored, policy, guard) as fetcher:
        await fetcher.fetch(site.page("/gone", status=404))
    async with Fetcher(SnapshotStore(tmp_path / "live"), policy, guard) as fetcher:
        assert await diff_sources(stored, SnapshotStore(tmp_path), fetcher, {}) == ()
    assert [source.url for source in stored.sources()] == [site.url("/gone")]


@pytest.mark.parametrize("size", [20_000])
@pytest.mark.usefixtures("uncounted")
async def test_long_texts_are_compared_in_time(
    tmp_path: Path, policy: FetchPolicy, site: HttpSite, size: int
) -> None:
    lines = [f"Line {number} of the table is {number * 7}." for number in range(size)]
    put(site, "\n".join(lines), "\n".join(f"{line} Now." for line in lines))
    found = await drift(tmp_path, policy, site, "/a", (lines[5],))
    assert found.change is Change.CHANGED
    assert len(found.removed) == len(found.added) == 5

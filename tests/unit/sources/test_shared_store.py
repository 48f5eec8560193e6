from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from foureyes import StorageError
from foureyes.datatypes import FetchMode, Snapshot, Source, SourceState
from foureyes.sources.fetcher import Fetcher
from foureyes.sources.guard import Guard
from foureyes.sources.policy import CachePolicy, FetchPolicy
from foureyes.sources.snapshot_store import SharedStore, SnapshotStore, sha256_hex
from support.http_site import HttpSite, Request, head

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
POLICY = CachePolicy(fresh=3600, longest=86400, most_bytes=4_500)
WRITER = Path(__file__).with_name("shared_writer.py")
URL = "https://tarvia.example/a"


def source_of(body: str, url: str, cache_control: str) -> Source:
    digest = sha256_hex(body.encode())
    given = (("cache-control", cache_control),)
    snapshot = Snapshot(digest, digest, (url,), NOW, 200, "text/plain", len(body), headers=given)
    return Source(url, SourceState.OK, "read", snapshot)


def keep(
    store: SharedStore, body: str, url: str = URL, now: datetime = NOW, cache_control: str = ""
) -> None:
    source = source_of(body, url, cache_control)
    store.keep(source, body.encode(), body, now)


@pytest.fixture
def shared(tmp_path: Path) -> SharedStore:
    return SharedStore(tmp_path / "shared", POLICY)


def test_what_was_kept_is_found_by_its_address_and_read_back(shared: SharedStore) -> None:
    keep(shared, "62 m")
    kept = shared.find(f"{URL}#crew", NOW)
    assert kept is not None
    assert (kept.source.url, kept.confirmed) == (f"{URL}#crew", NOW)
    assert shared.load(kept, NOW) == (b"62 m", "62 m")
    assert shared.find("https://tarvia.example/b", NOW) is None


@pytest.mark.parametrize(
    ("wishes", "age", "fresh"),
    [
        ("", 3599, True),
        ("", 3600, False),
        ("", -1, False),
        ("public, max-age=60", 59, True),
        ("public, max-age=60", 60, False),
        ("max-age=99999", 3600, False),
        ("no-cache", 1, False),
    ],
)
def test_a_copy_is_fresh_for_as_long_as_policy_and_server_allow(
    shared: SharedStore, wishes: str, age: int, fresh: bool
) -> None:
    keep(shared, "62 m", cache_control=wishes)
    kept = shared.find(URL, NOW)
    assert kept is not None
    assert kept.is_fresh(NOW + timedelta(seconds=age), POLICY) is fresh


def test_what_may_not_be_stored_or_is_too_old_is_not_found(shared: SharedStore) -> None:
    keep(shared, "secret", cache_control="private, no-store")
    assert shared.find(URL, NOW) is None
    keep(shared, "62 m")
    assert shared.find(URL, NOW + timedelta(days=2)) is None


def test_scopes_do_not_answer_for_each_other(tmp_path: Path, shared: SharedStore) -> None:
    keep(shared, "62 m")
    assert SharedStore(tmp_path / "shared", POLICY, "other").find(URL, NOW) is None


def spoil(folder: Path, content: bytes = b"") -> None:
    """Put `content` in the place of what was kept, behind its record."""
    for path in folder.glob("??/*"):
        path.write_bytes(path.read_bytes().partition(b"\n")[0] + b"\n" + content)


@pytest.mark.parametrize("damage", [b"changed", b""])
def test_a_damaged_or_missing_copy_is_a_miss(
    tmp_path: Path, shared: SharedStore, damage: bytes
) -> None:
    keep(shared, "62 m")
    kept = shared.find(URL, NOW)
    assert kept is not None
    spoil(tmp_path / "shared", damage)
    assert shared.load(kept, NOW) is None
    assert shared.find(URL, NOW) is None


def files(folder: Path) -> int:
    return len(list((folder / "shared").glob("??/*")))


def test_the_least_used_go_when_there_is_too_much(tmp_path: Path, shared: SharedStore) -> None:
    for number in range(4):
        later = NOW + timedelta(minutes=number)
        keep(shared, f"{number}" * 150, f"{URL}{number}", later)
    first = shared.find(f"{URL}0", NOW)
    assert first is not None
    shared.load(first, NOW + timedelta(minutes=9))
    shared.evict(NOW + timedelta(minutes=10))
    left = [number for number in range(4) if shared.find(f"{URL}{number}", NOW)]
    assert (left, files(tmp_path)) == ([0, 2, 3], 3)


def test_what_is_too_old_and_what_crashes_left_is_removed(
    tmp_path: Path, shared: SharedStore
) -> None:
    keep(shared, "old")
    keep(shared, "young", f"{URL}2", NOW + timedelta(days=1))
    keep(shared, "old", f"{URL}3", NOW + timedelta(days=1))
    left = tmp_path / "shared/ab/.abcd.part"
    left.parent.mkdir(exist_ok=True)
    left.write_bytes(b"half")
    os.utime(left, (0, 0))
    shared.evict(NOW + timedelta(days=1, hours=1))
    assert shared.find(URL, NOW) is None
    assert shared.find(f"{URL}2", NOW) is not None
    assert files(tmp_path) == 2
    assert not left.exists()


def test_a_folder_that_is_none_is_an_error(tmp_path: Path, shared: SharedStore) -> None:
    (tmp_path / "shared").write_bytes(b"no folder")
    with pytest.raises(StorageError, match="shared"):
        shared.find(URL, NOW)


async def test_many_processes_share_a_folder_and_any_may_be_killed(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    policy = POLICY.model_copy(update={"most_bytes": 40_000})
    writers = [
        await asyncio.create_subprocess_exec(sys.executable, str(WRITER), str(folder), str(seed))
        for seed in range(4)
    ]
    deadline = time.monotonic() + 20
    while files(tmp_path) < 20:
        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)
    for writer in writers[:3]:
        await asyncio.sleep(0.2)
        writer.send_signal(signal.SIGKILL)
    await asyncio.sleep(0.2)
    writers[3].terminate()
    for writer in writers:
        await writer.wait()
    store = SharedStore(folder, policy)
    now = datetime.now(UTC)
    found = [kept for n in range(200) if (kept := store.find(f"{URL}{n}", now))]
    read = [store.load(kept, now) for kept in found]
    assert len([contents for contents in read if contents is not None]) > 0
    for contents in filter(None, read):
        assert contents[0].decode() == contents[1]
    store.evict(now)
    assert sum(path.stat().st_size for path in folder.glob("??/*")) < policy.most_bytes


async def run(
    folder: Path, policy: FetchPolicy, shared: SharedStore | None, url: str, site: HttpSite
) -> tuple[Source, SnapshotStore, int]:
    """Fetch `url` in a run of its own."""
    store = SnapshotStore(folder)
    guard = Guard(policy, allowed_hosts=[site.authority])
    async with Fetcher(store, policy, guard, shared=shared) as fetcher:
        source = await fetcher.fetch(url)
    return source, store, fetcher.fetches


def conditional(etag: str, body: str) -> bytes:
    sent = {"ETag": etag, "Content-Type": "text/plain", "Content-Length": str(len(body))}
    return head(200, sent) + body.encode()


async def test_a_second_run_needs_no_request_and_holds_a_copy_of_its_own(
    tmp_path: Path, policy: FetchPolicy, site: HttpSite
) -> None:
    shared = SharedStore(tmp_path / "shared", policy.cache)
    url = site.page("/a", "She is 62 m long.", media_type="text/plain")
    first, _, fetched = await run(tmp_path / "1", policy, shared, url, site)
    second, store, free = await run(tmp_path / "2", policy, shared, url, site)
    assert (fetched, free, len(site.requests)) == (1, 0, 1)
    assert second == first
    assert second.snapshot is not None
    assert store.text(second.snapshot.sha256) == "She is 62 m long."
    assert store.get(second.snapshot.sha256) == b"She is 62 m long."


async def test_of_runs_that_want_a_page_at_once_one_fetches_it(
    tmp_path: Path, policy: FetchPolicy, site: HttpSite
) -> None:
    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.1)
        writer.write(conditional('"1"', "She is 62 m long."))

    url = site.handle("/a", answer)

    async def one(number: int) -> Source:
        shared = SharedStore(tmp_path / "shared", policy.cache)
        return (await run(tmp_path / str(number), policy, shared, url, site))[0]

    found = await asyncio.gather(*map(one, range(4)))
    assert {source.state for source in found} == {SourceState.OK}
    assert len(site.requests) == 1


async def test_who_cannot_lock_the_store_fetches_without_it(
    tmp_path: Path, policy: FetchPolicy, site: HttpSite
) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared/turns").write_text("no folder")
    shared = SharedStore(tmp_path / "shared", policy.cache)
    url = site.page("/a", "62 m", media_type="text/plain")
    source, _, fetched = await run(tmp_path / "1", policy, shared, url, site)
    assert (source.state, fetched) == (SourceState.OK, 1)


async def test_a_copy_that_is_not_fresh_is_confirmed_or_replaced(
    tmp_path: Path, policy: FetchPolicy, site: HttpSite
) -> None:
    stale = policy.model_copy(update={"cache": policy.cache.model_copy(update={"fresh": 0})})
    shared = SharedStore(tmp_path / "shared", stale.cache)
    page = {"etag": '"1"', "body": "She is 62 m long."}

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        known = request.headers.get("if-none-match") == page["etag"]
        writer.write(head(304, {}) if known else conditional(page["etag"], page["body"]))

    url = site.handle("/a", answer)
    first, _, _ = await run(tmp_path / "1", stale, shared, url, site)
    second, store, fetched = await run(tmp_path / "2", stale, shared, url, site)
    assert (site.requests[1].headers["if-none-match"], fetched) == ('"1"', 1)
    assert first.snapshot is not None
    assert second.snapshot is not None
    assert second.snapshot.fetched_at > first.snapshot.fetched_at
    assert store.text(second.snapshot.sha256) == "She is 62 m long."
    page.update(etag='"2"', body="She is 63 m long.")
    third, store, _ = await run(tmp_path / "3", stale, shared, url, site)
    assert third.snapshot is not None
    assert store.text(third.snapshot.sha256) == "She is 63 m long."


async def test_a_copy_that_is_gone_is_loaded_again(
    tmp_path: Path, policy: FetchPolicy, site: HttpSite
) -> None:
    stale = policy.model_copy(update={"cache": policy.cache.model_copy(update={"fresh": 0})})

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        known = "if-modified-since" in request.headers
        date = {"Last-Modified": "Sun, 01 Nov 2026 00:00:00 GMT", "Content-Type": "text/plain"}
        writer.write(head(304, {}) if known else head(200, date) + b"62 m")

    url = site.handle("/a", answer)
    for number, used in enumerate([stale, stale, policy, policy]):
        shared = SharedStore(tmp_path / "shared", used.cache)
        source, _, _ = await run(tmp_path / str(number), used, shared, url, site)
        assert source.state is SourceState.OK
        spoil(tmp_path / "shared")
    assert [("if-modified-since" in r.headers) for r in site.requests] == [
        *(False, True, False),
        *(False, False),
    ]


async def test_a_frozen_run_takes_what_was_shared_however_old(
    tmp_path: Path, policy: FetchPolicy, site: HttpSite
) -> None:
    stale = policy.model_copy(update={"cache": policy.cache.model_copy(update={"fresh": 0})})
    shared = SharedStore(tmp_path / "shared", stale.cache)
    url = site.page("/a", "62 m", media_type="text/plain")
    await run(tmp_path / "1", stale, shared, url, site)
    store = SnapshotStore(tmp_path / "2")
    async with Fetcher(store, stale, Guard(stale), mode=FetchMode.FROZEN, shared=shared) as frozen:
        assert (await frozen.fetch(url)).state is SourceState.OK
        spoil(tmp_path / "shared")
        assert (await frozen.fetch(url)).state is SourceState.OK
    async with Fetcher(
        SnapshotStore(tmp_path / "3"), stale, Guard(stale), mode=FetchMode.FROZEN, shared=shared
    ) as late:
        assert (await late.fetch(url)).reason == "its snapshot is gone from the shared store"
    assert len(site.requests) == 1


async def test_a_run_does_without_a_shared_store_that_cannot_be_used(
    tmp_path: Path, policy: FetchPolicy, site: HttpSite, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "shared").write_text("a file")
    url = site.page("/a", "62 m", media_type="text/plain")
    shared = SharedStore(tmp_path / "shared", policy.cache)
    source, _, _ = await run(tmp_path / "1", policy, shared, url, site)
    assert source.state is SourceState.OK
    assert "sources are not shared" in capsys.readouterr().out

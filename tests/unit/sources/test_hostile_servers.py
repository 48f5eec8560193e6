"""Servers that are broken or mean harm: each has its state, in bounded time and memory."""

from __future__ import annotations

import gzip
import resource
import zlib

import anyio
import pytest
from foureyes.datatypes import SourceState
from foureyes.sources.fetcher import Fetcher
from foureyes.sources.guard import Guard
from foureyes.sources.policy import FetchPolicy
from foureyes.sources.snapshot_store import SnapshotStore
from support.http_site import Handler, HttpSite, endless, writes

OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


@pytest.mark.parametrize(
    ("handler", "state", "reason"),
    [
        (writes(), SourceState.SERVER_ERROR, "broke off"),
        (writes(b"hello\r\n\r\n"), SourceState.SERVER_ERROR, "broke the protocol"),
        (writes(OK + b"Content-Length: 99\r\n\r\nhalf"), SourceState.SERVER_ERROR, "broke off"),
        (
            writes(OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n"),
            SourceState.SERVER_ERROR,
            "broke the protocol",
        ),
        (
            writes(OK + b"Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\nhalf"),
            SourceState.SERVER_ERROR,
            "damaged compressed data",
        ),
        (
            writes(OK + b"Content-Encoding: br\r\nContent-Length: 4\r\n\r\nhalf"),
            SourceState.UNSUPPORTED_TYPE,
            "'br'",
        ),
        (writes(OK + b"Content-Length: 99999999999\r\n\r\n"), SourceState.TOO_LARGE, "larger than"),
        (writes(b"", pause=3), SourceState.TIMEOUT, "fell silent"),
        (writes(OK, pause=3), SourceState.TIMEOUT, "fell silent"),
        (endless(OK + b"\r\n", b"<p>x", 0.05), SourceState.TIMEOUT, "in full in time"),
        (endless(OK, b"X: y\r\n", 0.05), SourceState.TIMEOUT, "in full in time"),
        (endless(OK, b"X: " + b"y" * 9999 + b"\r\n"), SourceState.SERVER_ERROR, "protocol"),
        (
            endless(b"", b"HTTP/1.1 103 Early Hints\r\n\r\n", 0.05),
            SourceState.TIMEOUT,
            "in full in time",
        ),
    ],
)
async def test_a_server_that_misbehaves_is_named(
    site: HttpSite,
    store: SnapshotStore,
    policy: FetchPolicy,
    guard: Guard,
    handler: Handler,
    state: SourceState,
    reason: str,
) -> None:
    once = policy.retries.model_copy(update={"attempts": 1})
    policy = policy.model_copy(update={"retries": once})
    url = site.handle("/a", handler)
    async with Fetcher(store, policy, guard) as fetcher:
        with anyio.fail_after(2.5):
            source = await fetcher.fetch(url)
    assert source.state is state
    assert reason in source.reason
    assert "\n" not in source.reason


def small(policy: FetchPolicy, **limits: int) -> FetchPolicy:
    return policy.model_copy(update={"limits": policy.limits.model_copy(update=limits)})


@pytest.mark.parametrize("encoding", ["gzip", "gzip, gzip"])
async def test_a_decompression_bomb_stops_at_the_bound(
    site: HttpSite, store: SnapshotStore, policy: FetchPolicy, guard: Guard, encoding: str
) -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    megabyte = b"0" * 1_000_000
    body = b"".join(packer.compress(megabyte) for _ in range(200)) + packer.flush()
    if encoding == "gzip, gzip":
        body = gzip.compress(body)
    url = site.page("/a", body, headers={"Content-Encoding": encoding})
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    async with Fetcher(store, small(policy, decoded_bytes=8_000_000), guard) as fetcher:
        source = await fetcher.fetch(url)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert source.state is SourceState.TOO_LARGE
    assert "8,000,000 bytes" in source.reason
    assert grown < 64 * 1024


async def test_a_body_without_end_stops_at_the_bound(
    site: HttpSite, store: SnapshotStore, policy: FetchPolicy, guard: Guard
) -> None:
    url = site.handle("/a", endless(OK + b"\r\n", b"<p>words</p>" * 9999))
    async with Fetcher(store, small(policy, sent_bytes=1_000_000), guard) as fetcher:
        source = await fetcher.fetch(url)
    assert source.state is SourceState.TOO_LARGE


async def test_text_that_takes_too_long_to_read_is_given_up(
    site: HttpSite, store: SnapshotStore, policy: FetchPolicy, guard: Guard
) -> None:
    hasty = policy.timeouts.model_copy(update={"extraction": 0.01})
    url = site.page("/a", "<table><tr><td>Hull<td>62 m</table>" * 20_000)
    policy = policy.model_copy(update={"timeouts": hasty})
    async with Fetcher(store, policy, guard) as fetcher:
        source = await fetcher.fetch(url)
    assert source.state is SourceState.NO_TEXT
    assert source.reason == "reading its text took longer than 0.01 s"


async def test_text_beyond_its_bound_is_cut_and_the_reason_says_so(
    site: HttpSite, store: SnapshotStore, policy: FetchPolicy, guard: Guard
) -> None:
    url = site.page("/a", "word " * 100, media_type="text/plain")
    async with Fetcher(store, small(policy, text_characters=50), guard) as fetcher:
        source = await fetcher.fetch(url)
    assert source.state is SourceState.OK
    assert source.reason == "50 characters of text were read; the rest is beyond the limit"


async def test_terminal_escapes_do_not_reach_the_text(
    site: HttpSite, fetcher: Fetcher, store: SnapshotStore
) -> None:
    source = await fetcher.fetch(
        site.page("/a", "\x1b]0;owned\x07She is \x1b[31m62 m\x1b[0m long.", media_type="text/plain")
    )
    assert source.snapshot is not None
    assert store.text(source.snapshot.sha256) == "She is 62 m long."


async def test_all_sources_together_take_no_longer_than_is_allowed(
    site: HttpSite, store: SnapshotStore, policy: FetchPolicy, guard: Guard
) -> None:
    patient = policy.timeouts.model_copy(update={"read": 5, "attempt": 5})
    policy = policy.model_copy(update={"timeouts": patient})
    urls = [site.hang(f"/{number}") for number in range(6)]
    begun = anyio.current_time()
    async with Fetcher(store, policy, guard, seconds=0.4) as fetcher:
        sources = await fetcher.fetch_all(urls, limit=10)
        later = await fetcher.fetch(site.page("/later", "later"))
    assert anyio.current_time() - begun < 2
    reason = "fetching all sources took over 0.4 s"
    assert {(one.state, one.reason) for one in (*sources, later)} == {(SourceState.TIMEOUT, reason)}

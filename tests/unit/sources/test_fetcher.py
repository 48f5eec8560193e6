from __future__ import annotations

import asyncio
import gzip
import socket
import ssl
from collections.abc import AsyncGenerator, Sequence
from datetime import UTC, date, datetime
from pathlib import Path

import anyio
import pytest
from foureyes import SnapshotError, StorageError
from foureyes.datatypes import FetchMode, Source, SourceState
from foureyes.sources.fetcher import Fetcher
from foureyes.sources.guard import Guard
from foureyes.sources.local_files import LocalSources
from foureyes.sources.policy import FetchPolicy
from foureyes.sources.snapshot_store import SnapshotStore, sha256_hex
from support.http_site import HttpSite, Request, certificate
from support.pdf import pdf

ARTICLE = (
    "<html><head><title>Kestrel class</title></head><body><h1>Kestrel class</h1><p>The Kestrel "
    "class is a coastal patrol vessel. She is 62 metres long and has a crew of 34. The first of "
    "class was laid down in the spring and is now at sea with the squadron, which uses her on "
    "most days of the week, in all weathers, for the protection of the fishery.</p></body></html>"
)


async def test_a_page_becomes_a_stored_snapshot(
    site: HttpSite, fetcher: Fetcher, store: SnapshotStore
) -> None:
    url = site.page("/a", ARTICLE, headers={"ETag": '"7"', "Set-Cookie": "id=1"})
    before = datetime.now(UTC)
    source = await fetcher.fetch(f"{url}#crew")
    assert (source.url, source.state) == (f"{url}#crew", SourceState.OK)
    snapshot = source.snapshot
    assert snapshot is not None
    assert before <= snapshot.fetched_at <= datetime.now(UTC)
    assert snapshot.sha256 == sha256_hex(ARTICLE.encode())
    assert (snapshot.url_chain, snapshot.status) == ((url,), 200)
    assert (snapshot.title, snapshot.language) == ("Kestrel class", "en")
    assert snapshot.headers == (("content-type", "text/html; charset=utf-8"), ("etag", '"7"'))
    assert store.get(snapshot.sha256) == ARTICLE.encode()
    assert "62 metres long" in store.text(snapshot.sha256)


@pytest.mark.parametrize(
    ("body", "media_type", "name"),
    [
        (pdf([["She is 62 metres long."]]), "application/pdf", "application/pdf"),
        (b"She is 62 metres long.", "text/plain", "text/plain"),
        (b"She is 62 metres long.", "Text/Markdown; charset=utf-8", "text/markdown"),
        (b'{"length": "She is 62 metres long."}', "application/json", "application/json"),
        (b"what\nShe is 62 metres long.", "text/csv", "text/csv"),
        (b"She is 62 metres long.", "application/octet-stream", "text/plain"),
    ],
)
async def test_every_kind_of_text_is_read(
    site: HttpSite,
    fetcher: Fetcher,
    store: SnapshotStore,
    body: bytes,
    media_type: str,
    name: str,
) -> None:
    source = await fetcher.fetch(site.page("/a", body, media_type=media_type))
    assert source.snapshot is not None
    assert (source.state, source.snapshot.media_type) == (SourceState.OK, name)
    assert "She is 62 metres long." in store.text(source.snapshot.sha256)


@pytest.mark.parametrize(
    ("status", "state", "requests"),
    [
        (400, SourceState.BLOCKED, 1),
        (401, SourceState.BLOCKED, 1),
        (402, SourceState.PAYWALLED, 1),
        (403, SourceState.BLOCKED, 1),
        (404, SourceState.DEAD, 1),
        (408, SourceState.TIMEOUT, 2),
        (410, SourceState.DEAD, 1),
        (429, SourceState.RATE_LIMITED, 2),
        (451, SourceState.BLOCKED, 1),
        (500, SourceState.SERVER_ERROR, 2),
        (501, SourceState.SERVER_ERROR, 1),
        (503, SourceState.SERVER_ERROR, 2),
        (304, SourceState.SERVER_ERROR, 1),
        (999, SourceState.BLOCKED, 1),
    ],
)
async def test_a_status_has_its_state_and_transient_ones_are_tried_again(
    site: HttpSite, fetcher: Fetcher, status: int, state: SourceState, requests: int
) -> None:
    source = await fetcher.fetch(site.page("/a", "An error.", status=status))
    assert (source.state, len(site.requests)) == (state, requests)
    assert str(status) in source.reason
    assert source.snapshot is None


@pytest.mark.parametrize(
    ("body", "media_type", "state"),
    [
        ("<title>Page not found</title><p>Sorry.</p>", "text/html", SourceState.SOFT_404),
        ("<p>Subscribe to continue reading</p>", "text/html", SourceState.PAYWALLED),
        ("<title>Before you continue</title><p>Cookies?</p>", "text/html", SourceState.NO_TEXT),
        ("<title>Just a moment...</title><p>Wait.</p>", "text/html", SourceState.BLOCKED),
        ("<img src=a.png>", "text/html", SourceState.NO_TEXT),
        ("%PDF-1.4 broken", "application/pdf", SourceState.NO_TEXT),
    ],
)
async def test_what_was_sent_in_place_of_the_source_is_stored_but_not_read(
    site: HttpSite,
    fetcher: Fetcher,
    store: SnapshotStore,
    body: str,
    media_type: str,
    state: SourceState,
) -> None:
    source = await fetcher.fetch(site.page("/a", body, media_type=media_type))
    assert source.state is state
    assert source.snapshot is not None
    assert store.get(source.snapshot.sha256) == body.encode()
    assert store.source_set([source]).readable(source.url) is None


@pytest.mark.parametrize(
    ("body", "media_type", "state"),
    [
        (b"", "text/html", SourceState.NO_TEXT),
        (b"\x89PNG", "image/png", SourceState.UNSUPPORTED_TYPE),
        (b"PK\x03\x04\x00", "application/octet-stream", SourceState.UNSUPPORTED_TYPE),
    ],
)
async def test_what_holds_no_text_is_named(
    site: HttpSite, fetcher: Fetcher, body: bytes, media_type: str, state: SourceState
) -> None:
    assert (await fetcher.fetch(site.page("/a", body, media_type=media_type))).state is state


async def test_a_server_that_recovers_is_read(site: HttpSite, fetcher: Fetcher) -> None:
    site.page("/a", status=503)
    url = site.page("/a", ARTICLE)
    assert (await fetcher.fetch(url)).state is SourceState.OK
    assert site.paths() == ["/a", "/a"]


@pytest.mark.parametrize(
    ("wait", "state", "requests"),
    [
        ("0", SourceState.OK, 2),
        ("3600", SourceState.RATE_LIMITED, 1),
        ("Fri, 01 Jan 2100 00:00:00 GMT", SourceState.RATE_LIMITED, 1),
        ("Fri, 01 Jan 2100 00:00:00", SourceState.RATE_LIMITED, 1),
        ("Sat, 01 Jan 2000 00:00:00 GMT", SourceState.OK, 2),
        ("soon", SourceState.OK, 2),
    ],
)
async def test_a_wait_that_the_server_asks_for_is_kept_up_to_a_bound(
    site: HttpSite, fetcher: Fetcher, wait: str, state: SourceState, requests: int
) -> None:
    site.page("/a", status=429, headers={"Retry-After": wait})
    url = site.page("/a", ARTICLE)
    source = await fetcher.fetch(url)
    assert (source.state, len(site.requests)) == (state, requests)


async def test_the_asked_wait_is_waited(site: HttpSite, fetcher: Fetcher) -> None:
    site.page("/a", status=503, headers={"Retry-After": "1"})
    url = site.page("/a", ARTICLE)
    started = anyio.current_time()
    assert (await fetcher.fetch(url)).state is SourceState.OK
    assert anyio.current_time() - started >= 0.95


@pytest.mark.parametrize(
    ("status", "target", "state"),
    [
        (302, "/b", SourceState.OK),
        (301, "/b", SourceState.MOVED),
        (308, "/b", SourceState.MOVED),
        (301, "/a/", SourceState.OK),
        (301, "/a?from=x", SourceState.OK),
        (302, "/", SourceState.SOFT_404),
        (301, "/index.html", SourceState.SOFT_404),
        (302, "http://169.254.169.254/latest/meta-data", SourceState.REFUSED_BY_POLICY),
        (302, "//localhost/", SourceState.REFUSED_BY_POLICY),
        (302, "file:///etc/passwd", SourceState.REFUSED_BY_POLICY),
        (302, "http://[x/", SourceState.SERVER_ERROR),
        (302, "/gone", SourceState.DEAD),
        (302, "/a", SourceState.REDIRECT_LOOP),
    ],
)
async def test_a_redirect_is_followed_and_judged(
    site: HttpSite, fetcher: Fetcher, status: int, target: str, state: SourceState
) -> None:
    for path in ("/b", "/a/", "/a?from=x", "/", "/index.html"):
        site.page(path, ARTICLE)
    source = await fetcher.fetch(site.redirect("/a", target, status))
    assert source.state is state
    if source.state.readable:
        assert source.snapshot is not None
        assert source.snapshot.url_chain == (site.url("/a"), site.url(target))


async def test_a_move_is_remembered_over_later_hops(site: HttpSite, fetcher: Fetcher) -> None:
    site.redirect("/b", "/c", 302)
    site.page("/c", ARTICLE)
    source = await fetcher.fetch(site.redirect("/a", "/b", 301))
    assert source.state is SourceState.MOVED
    assert source.reason == f"moved permanently to {site.url('/c')}"


async def test_redirects_are_bounded(site: HttpSite, fetcher: Fetcher) -> None:
    for number in range(12):
        site.redirect(f"/{number}", f"/{number + 1}")
    site.page("/12", ARTICLE)
    assert (await fetcher.fetch(site.url("/2"))).state is SourceState.OK
    source = await fetcher.fetch(site.url("/1"))
    assert (source.state, source.reason) == (SourceState.REDIRECT_LOOP, "more than 10 redirects")


@pytest.mark.parametrize(
    ("url", "state"),
    [
        ("http://localhost/", SourceState.REFUSED_BY_POLICY),
        ("ftp://tarvia.example/a", SourceState.REFUSED_BY_POLICY),
        ("mailto:ann@tarvia.example", SourceState.REFUSED_BY_POLICY),
        ("https://ann:pw@tarvia.example/", SourceState.REFUSED_BY_POLICY),
        ("http://127.0.0.1:1/", SourceState.REFUSED_BY_POLICY),
        ("notes.md", SourceState.REFUSED_BY_POLICY),
        ("", SourceState.REFUSED_BY_POLICY),
    ],
)
async def test_an_address_that_may_not_be_fetched_is_refused(
    fetcher: Fetcher, url: str, state: SourceState
) -> None:
    assert (await fetcher.fetch(url)).state is state
    assert fetcher.fetches == 0


@pytest.fixture
async def names(
    store: SnapshotStore, policy: FetchPolicy, site: HttpSite
) -> AsyncGenerator[Fetcher]:
    """A fetcher for which names lead to loopback, nowhere, or to one after the other."""
    flips = {"flips.example": [["93.184.215.14", "127.0.0.1"], ["127.0.0.1"]]}

    async def resolve(host: str, port: int) -> Sequence[str]:
        if host == "gone.example":
            raise socket.gaierror(socket.EAI_NONAME, "unknown")
        return flips[host].pop(0) if host in flips else ["127.0.0.1"]

    allowed = [f"site.example:{site.port}", f"free.example:{site.port}"]
    guard = Guard(policy, allowed_hosts=allowed, resolver=resolve)
    async with Fetcher(store, policy, guard) as opened:
        yield opened


async def test_a_name_keeps_its_place_in_the_request(site: HttpSite, names: Fetcher) -> None:
    site.page("/a", ARTICLE)
    source = await names.fetch(f"http://site.example:{site.port}/a")
    assert source.state is SourceState.OK
    assert site.requests[0].headers["host"] == f"site.example:{site.port}"


async def test_a_host_that_does_not_exist_is_dead(names: Fetcher) -> None:
    assert (await names.fetch("https://gone.example/a")).state is SourceState.DEAD


async def test_a_name_that_leads_to_this_machine_is_refused(site: HttpSite, names: Fetcher) -> None:
    site.page("/a", ARTICLE)
    for host in ("tarvia.example", "flips.example", "flips.example"):
        source = await names.fetch(f"http://{host}:{site.port}/a")
        assert source.state is SourceState.REFUSED_BY_POLICY
        assert "this machine" in source.reason
    assert site.requests == []


async def test_a_redirect_to_a_name_that_leads_to_this_machine_is_refused(
    site: HttpSite, names: Fetcher
) -> None:
    site.redirect("/a", f"http://flips.example:{site.port}/b")
    source = await names.fetch(f"http://site.example:{site.port}/a")
    assert source.state is SourceState.REFUSED_BY_POLICY
    assert site.paths() == ["/a"]


async def test_another_host_by_permanent_redirect_is_a_move(site: HttpSite, names: Fetcher) -> None:
    site.redirect("/a", f"http://free.example:{site.port}/a", 301)
    site.page("/a", ARTICLE)
    assert (await names.fetch(f"http://site.example:{site.port}/a")).state is SourceState.MOVED


async def test_a_closed_port_is_a_server_error(store: SnapshotStore, policy: FetchPolicy) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        authority = f"127.0.0.1:{taken.getsockname()[1]}"
        async with Fetcher(store, policy, Guard(policy, allowed_hosts=[authority])) as fetcher:
            source = await fetcher.fetch(f"http://{authority}/a")
    assert source.state is SourceState.SERVER_ERROR
    assert source.reason == "127.0.0.1 refuses connections"


async def test_a_certificate_that_nobody_vouches_for_is_a_tls_error(
    store: SnapshotStore, policy: FetchPolicy, tmp_path: Path
) -> None:
    context, public = certificate(tmp_path, "127.0.0.1")
    async with HttpSite(tls=context) as site:
        url = site.page("/a", ARTICLE)
        guard = Guard(policy, allowed_hosts=[site.authority])
        async with Fetcher(store, policy, guard) as fetcher:
            refused = await fetcher.fetch(url)
        trusting = ssl.create_default_context(cafile=public)
        async with Fetcher(store, policy, guard, tls=trusting) as fetcher:
            trusted = await fetcher.fetch(url)
    assert (refused.state, trusted.state) == (SourceState.TLS_ERROR, SourceState.OK)
    assert "self-signed certificate" in refused.reason


async def test_a_certificate_is_checked_for_the_name_and_not_for_the_address(
    store: SnapshotStore, policy: FetchPolicy, tmp_path: Path
) -> None:
    async def resolve(host: str, port: int) -> Sequence[str]:
        return ["127.0.0.1"]

    context, public = certificate(tmp_path, "site.example")
    trusting = ssl.create_default_context(cafile=public)
    async with HttpSite(tls=context) as site:
        site.page("/a", ARTICLE)
        guard = Guard(policy, allowed_hosts=["site.example", "other.example"], resolver=resolve)
        async with Fetcher(store, policy, guard, tls=trusting) as fetcher:
            right = await fetcher.fetch(f"https://site.example:{site.port}/a")
            wrong = await fetcher.fetch(f"https://other.example:{site.port}/a")
    assert (right.state, wrong.state) == (SourceState.OK, SourceState.TLS_ERROR)
    assert "other.example" in wrong.reason


async def test_a_server_without_tls_is_a_tls_error(site: HttpSite, fetcher: Fetcher) -> None:
    source = await fetcher.fetch(site.url("/a").replace("http:", "https:"))
    assert source.state is SourceState.TLS_ERROR


async def test_a_read_source_is_free_and_a_failed_one_is_tried_again(
    site: HttpSite, fetcher: Fetcher
) -> None:
    good, late = site.page("/good", ARTICLE), site.page("/late", status=404)
    site.page("/late", ARTICLE)
    first = await fetcher.fetch_all([good, late], limit=9)
    second = await fetcher.fetch_all([good, late], limit=9)
    assert [source.state for source in first] == [SourceState.OK, SourceState.DEAD]
    assert [source.state for source in second] == [SourceState.OK, SourceState.OK]
    assert (site.paths(), fetcher.fetches) == (["/good", "/late", "/late"], 3)


async def test_sources_come_back_in_order(site: HttpSite, fetcher: Fetcher) -> None:
    urls = [site.page(f"/{number}", f"Text {number}", media_type="text/plain") for number in "cab"]
    found = await fetcher.fetch_all([*urls, urls[0], f"{urls[1]}#x"], limit=9)
    assert [source.url for source in found] == [*urls, f"{urls[1]}#x"]
    assert fetcher.fetches == 3


async def test_beyond_the_limit_nothing_is_fetched(site: HttpSite, fetcher: Fetcher) -> None:
    urls = [site.page(f"/{number}", ARTICLE) for number in range(4)]
    stored = await fetcher.fetch(urls[0])
    found = await fetcher.fetch_all([*urls, "http://localhost/"], limit=2)
    assert [source.state for source in found] == [
        SourceState.OK,
        SourceState.OK,
        SourceState.OK,
        SourceState.NOT_FETCHED,
        SourceState.REFUSED_BY_POLICY,
    ]
    assert found[0] == stored
    assert found[3].reason == "the limit of fetches is used up"
    assert (await fetcher.fetch(urls[3])).state is SourceState.OK


async def test_requests_to_a_host_are_bounded_and_go_in_parallel(
    site: HttpSite, fetcher: Fetcher
) -> None:
    async def slow(_: Request, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.05)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n62 m")

    urls = [site.handle(f"/{number}", slow) for number in range(8)]
    found = await fetcher.fetch_all(urls, limit=9)
    assert {source.state for source in found} == {SourceState.OK}
    assert site.most_at_one_time == 2


async def test_one_address_asked_for_twice_at_a_time_is_fetched_once(
    site: HttpSite, fetcher: Fetcher
) -> None:
    url = site.page("/a", status=404)
    async with anyio.create_task_group() as group:
        for part in range(5):
            group.start_soon(fetcher.fetch, f"{url}#{part}")
    assert len(site.requests) == 1


async def test_a_cancelled_fetch_passes_its_place_to_who_waits(
    site: HttpSite, fetcher: Fetcher
) -> None:
    async def silence(_: Request, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(3)

    url = site.handle("/a", silence)
    site.page("/a", ARTICLE)
    found: list[Source] = []

    async def wait() -> None:
        found.append(await fetcher.fetch(url))

    async with anyio.create_task_group() as group:
        with anyio.move_on_after(0.2) as scope:
            group.start_soon(wait)
            await fetcher.fetch(url)
        assert scope.cancelled_caught
    assert [source.state for source in found] == [SourceState.OK]


async def test_nothing_is_remembered_between_requests(site: HttpSite, fetcher: Fetcher) -> None:
    first = site.page("/a", ARTICLE, headers={"Set-Cookie": "id=1; Path=/"})
    site.redirect("/b", "/c")
    site.page("/c", ARTICLE, headers={"Set-Cookie": "id=2; Path=/"})
    await fetcher.fetch(first)
    await fetcher.fetch(site.url("/b"))
    for request in site.requests:
        assert {"cookie", "authorization", "referer"} & request.headers.keys() == set()
    assert site.requests[0].headers["user-agent"].endswith("foureyes; checks cited sources)")


async def test_a_proxy_of_the_environment_is_not_used(
    site: HttpSite, fetcher: Fetcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    assert (await fetcher.fetch(site.page("/a", ARTICLE))).state is SourceState.OK


def local_fetcher(root: Path, policy: FetchPolicy, mode: FetchMode = FetchMode.LIVE) -> Fetcher:
    (root / "docs").mkdir(exist_ok=True)
    (root / "docs/a.md").write_text("# Kestrel\nShe is 62 m long.")
    (root / "docs/sources.yaml").write_text(
        "- {file: a.md, url: https://tarvia.example/a, author: I. Dorn, published: 2024-05-01}\n"
    )
    store = SnapshotStore(root / "sources")
    return Fetcher(store, policy, Guard(policy), local=LocalSources([root / "docs"]), mode=mode)


@pytest.mark.parametrize(
    ("url", "chain"),
    [
        ("a.md", ("a.md",)),
        ("https://tarvia.example/a#x", ("https://tarvia.example/a#x", "a.md")),
    ],
)
async def test_a_local_file_is_a_source_without_the_network(
    tmp_path: Path, policy: FetchPolicy, url: str, chain: tuple[str, ...]
) -> None:
    async with local_fetcher(tmp_path, policy) as fetcher:
        (source,) = await fetcher.fetch_all([url], limit=0)
    assert source.state is SourceState.OK
    snapshot = source.snapshot
    assert snapshot is not None
    assert (snapshot.url_chain, snapshot.status) == (chain, None)
    assert (snapshot.title, snapshot.author) == ("Kestrel", "I. Dorn")
    assert (snapshot.published, snapshot.media_type) == (date(2024, 5, 1), "text/markdown")


async def test_a_local_file_that_is_missing_is_dead(tmp_path: Path, policy: FetchPolicy) -> None:
    async with local_fetcher(tmp_path, policy) as fetcher:
        assert (await fetcher.fetch("b.md")).state is SourceState.DEAD
        assert (await fetcher.fetch("../secret")).state is SourceState.REFUSED_BY_POLICY


async def test_a_local_file_that_grew_too_large_is_too_large(
    tmp_path: Path, policy: FetchPolicy
) -> None:
    limits = policy.limits.model_copy(update={"decoded_bytes": 10})
    async with local_fetcher(tmp_path, policy.model_copy(update={"limits": limits})) as fetcher:
        assert (await fetcher.fetch("a.md")).state is SourceState.TOO_LARGE


async def test_without_fetching_only_files_and_stored_snapshots_are_read(
    tmp_path: Path, policy: FetchPolicy
) -> None:
    async with local_fetcher(tmp_path, policy, FetchMode.NONE) as fetcher:
        found = await fetcher.fetch_all(["a.md", "https://tarvia.example/b"], limit=9)
    assert [source.state for source in found] == [SourceState.OK, SourceState.NOT_FETCHED]
    assert found[1].reason == "fetching is switched off"


async def test_a_frozen_run_reads_the_store_and_local_files_alone(
    tmp_path: Path, policy: FetchPolicy, site: HttpSite, store: SnapshotStore, fetcher: Fetcher
) -> None:
    urls = [site.page("/a", ARTICLE), site.page("/gone", status=404)]
    live = await fetcher.fetch_all(urls, limit=9)
    async with local_fetcher(tmp_path, policy, FetchMode.FROZEN) as frozen:
        found = await frozen.fetch_all([*urls, site.url("/new"), "a.md"], limit=9)
    assert found[:2] == live
    assert [source.state for source in found[2:]] == [SourceState.NOT_FETCHED, SourceState.OK]
    assert site.paths() == ["/a", "/gone"]


async def test_a_disk_that_refuses_is_an_error_and_not_a_state(
    tmp_path: Path, policy: FetchPolicy, site: HttpSite, guard: Guard
) -> None:
    (tmp_path / "sources").write_text("a file")
    urls = [site.page("/a", ARTICLE), site.page("/b", ARTICLE)]
    async with Fetcher(SnapshotStore(tmp_path / "sources"), policy, guard) as fetcher:
        with pytest.raises(StorageError):
            await fetcher.fetch_all(urls, limit=9)


async def test_a_damaged_folder_is_an_error_and_not_a_state(
    tmp_path: Path, site: HttpSite, fetcher: Fetcher
) -> None:
    urls = [site.page("/a", ARTICLE), site.page("/b", ARTICLE)]
    await fetcher.fetch_all(urls, limit=9)
    for entry in (tmp_path / "sources/index").iterdir():
        entry.write_text("{}")
    with pytest.raises(SnapshotError):
        await fetcher.fetch_all(urls, limit=9)


async def test_a_fetcher_is_opened_before_it_is_used(
    store: SnapshotStore, policy: FetchPolicy, guard: Guard, site: HttpSite
) -> None:
    with pytest.raises(RuntimeError, match="async with"):
        await Fetcher(store, policy, guard).fetch(site.url("/a"))


async def test_compressed_pages_are_read(site: HttpSite, fetcher: Fetcher) -> None:
    body = gzip.compress(ARTICLE.encode())
    url = site.page("/a", body, headers={"Content-Encoding": "gzip"})
    source = await fetcher.fetch(url)
    assert source.snapshot is not None
    assert source.snapshot.sha256 == sha256_hex(ARTICLE.encode())

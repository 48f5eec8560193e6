"""The source tools of a checker, over a real site on loopback."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path

import pytest
from foureyes import ToolFailure
from foureyes.core.evidence import EvidenceLimits
from foureyes.core.source_tools import READ_CHARS, SourceReader, links
from foureyes.datatypes import EvidenceTools
from foureyes.verification.registry import Registry, load_registry
from support.evidence_run import evidence, open_reader, services
from support.http_site import HttpSite

TEXT = "The city built 42 kilometres of bicycle lanes in 2024. " * 400
PAGE = """<html><head><title>Lanes</title></head><body><article>
<h1>Bicycle lanes</h1><p>The city built 42 kilometres of bicycle lanes in 2024.</p>
<p><a href="/linked?a=1&amp;b=2">more</a> <a href='https://elsewhere.example/x'>other</a></p>
</article></body></html>"""


@pytest.fixture(scope="module")
def registry() -> Registry:
    return load_registry()


@dataclass
class Open:
    site: HttpSite
    reader: SourceReader
    source_tools: EvidenceTools
    claim: str
    sha256: str


@pytest.fixture
async def opened(tmp_path: Path, registry: Registry) -> AsyncGenerator[Open]:
    """The source tools of a draft that cites `/page` and `/long.txt`, with two fetches."""
    async with HttpSite() as site:
        site.page("/page", PAGE)
        site.page("/long.txt", TEXT, media_type="text/plain")
        for name in ("/linked?a=1&b=2", "/unlinked"):
            site.page(name, f"At {name} the city has 42 kilometres.", media_type="text/plain")
        text = (
            f"The city built 42 kilometres of lanes in 2024 ({site.url('/long.txt')}).\n\n"
            f"It has 42 kilometres ({site.url('/page')}).\n"
        )
        async with open_reader(tmp_path, site, allowed_hosts=["Named.example"]) as reader:
            stage = evidence(reader, registry, EvidenceLimits(max_webfetches=2))
            found = await stage.prepare(1, text, services(tmp_path))
            source = found.evidence.sources.source(site.url("/long.txt"))
            assert source.snapshot is not None
            assert found.source_tools is not None
            claim = found.evidence.claims[0].id
            yield Open(site, reader, found.source_tools, claim, source.snapshot.sha256)


async def test_passages_are_located_in_the_snapshot(opened: Open) -> None:
    passages = opened.source_tools.find_passages(opened.claim)
    assert 1 <= len(passages) <= 5
    text = opened.reader.store.text(opened.sha256)
    assert all(text[p.start : p.end] == p.text for p in passages)
    with pytest.raises(ToolFailure, match="no claim 'c-none'"):
        opened.source_tools.find_passages("c-none")


async def test_a_source_is_read_in_parts(opened: Open) -> None:
    text = opened.reader.store.text(opened.sha256)
    assert opened.source_tools.read_source(opened.sha256, 0) == text[:READ_CHARS]
    assert opened.source_tools.read_source(opened.sha256, 10_000) == text[10_000:18_000]
    assert opened.source_tools.read_source(opened.sha256, len(text) - 1) == text[-1]


@pytest.mark.parametrize("offset", [-1, 10**6])
async def test_an_offset_outside_the_text_is_refused(opened: Open, offset: int) -> None:
    with pytest.raises(ToolFailure, match="outside the text"):
        opened.source_tools.read_source(opened.sha256, offset)


@pytest.mark.parametrize("name", ["0" * 64, "../../etc/passwd", ""])
async def test_only_snapshots_of_the_run_are_read(opened: Open, name: str) -> None:
    with pytest.raises(ToolFailure, match="no such snapshot"):
        opened.source_tools.read_source(name, 0)


async def test_what_the_run_has_is_free(opened: Open) -> None:
    asked = len(opened.site.requests)
    for _ in range(5):
        answer = await opened.source_tools.fetch_source(opened.site.url("/page#part"))
        assert "state: ok" in answer
        assert "42 kilometres" in answer
    assert len(opened.site.requests) == asked


async def test_a_link_of_a_cited_page_may_be_fetched(opened: Open) -> None:
    answer = await opened.source_tools.fetch_source(opened.site.url("/linked?a=1&b=2"))
    assert "state: ok" in answer
    assert "/linked" in answer


@pytest.mark.parametrize(
    "url",
    [
        "{site}/unlinked",
        "{site}/linked?a=1&b=3",
        "{site}/linked?a=1&b=2&c=secret",
        "https://elsewhere.example/x",
        "https://example.com/",
        "file:///etc/passwd",
        "../secret.txt",
        "not an address",
        "",
    ],
)
async def test_other_addresses_are_refused_by_policy(opened: Open, url: str) -> None:
    asked = len(opened.site.requests)
    with pytest.raises(ToolFailure, match="refused_by_policy"):
        await opened.source_tools.fetch_source(url.format(site=opened.site.url("")))
    assert len(opened.site.requests) == asked


async def test_a_host_that_the_user_allows_may_be_asked(opened: Open) -> None:
    assert opened.reader.allowed("https://named.example/any?x=1", {})
    assert not opened.reader.allowed("https://sub.named.example/", {})


async def test_free_reads_leave_the_allowance_alone(opened: Open) -> None:
    opened.site.page("/linked?a=1&b=2", status=500)
    url = opened.site.url("/linked?a=1&b=2")
    await opened.source_tools.fetch_source(url)
    for page in ("/page", "/long.txt"):
        await opened.source_tools.fetch_source(opened.site.url(page))
    assert "state: ok" in await opened.source_tools.fetch_source(url)


async def test_a_failed_fetch_uses_the_allowance_and_says_why(
    tmp_path: Path, registry: Registry
) -> None:
    async with HttpSite() as site, open_reader(tmp_path, site) as reader:
        stage = evidence(reader, registry, EvidenceLimits(max_webfetches=1))
        text = f"The city built 42 kilometres ({site.url('/gone')}).\n"
        found = await stage.prepare(1, text, services(tmp_path))
        assert found.source_tools is not None
        assert "state: dead" in await found.source_tools.fetch_source(site.url("/gone"))
        with pytest.raises(ToolFailure, match="all 1 fetches"):
            await found.source_tools.fetch_source(site.url("/gone"))


BODIES: list[tuple[bytes, list[str]]] = [
    (b'<a href="/x">', ["https://a.example/x"]),
    (b"<a HREF = '/x?a&amp;b'>", ["https://a.example/x?a&b"]),
    (b"<a href=y>", ["https://a.example/dir/y"]),
    (b"[text](z.md) and [more](<w>)", ["https://a.example/dir/z.md", "https://a.example/dir/w"]),
    (b"see https://B.example:443/q#part.", ["https://b.example/q"]),
    (b'<a href="mailto:x@y"> <a href="javascript:x()"> <a href="http://[bad/">', []),
    (b"\xff\xfe no links", []),
    (b"href=" * 20_000, []),
]


@pytest.mark.parametrize(("body", "expected"), BODIES, ids=range(len(BODIES)))
def test_links_are_read_as_written(body: bytes, expected: list[str]) -> None:
    found = list(links("https://a.example/dir/page", body))
    assert [url for url in found if "href=" not in url] == expected

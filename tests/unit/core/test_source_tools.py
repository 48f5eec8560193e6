"""The source tools of a checker, over a real site on loopback."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from foureyes import SearchAnswer, SearchHit, SearchUnavailable, ToolFailure
from foureyes.base.registry import load_registry_file
from foureyes.core.source_tools import READ_CHARS, SourceReader, links
from foureyes.datatypes import EvidenceTools
from foureyes.sources.policy import SEARCH_FILE, SearchPolicy
from foureyes.sources.search.searching import RunAnswers, Searching
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
            stage = evidence(reader, registry, max_webfetches=2)
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
        stage = evidence(reader, registry, max_webfetches=1)
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


DRAFT = (
    "Port Ostrava was dredged to 14 metres in 2019 ({cited}).\n\n"
    "Our tests of Port Ostrava showed that 73% of the cranes failed.\n\n"
    "The quay of Port Ostrava has 9 cranes ([notes](notes.md)).\n"
)


@dataclass
class Library:
    """A provider with one hit; it remembers what it was asked."""

    hit: SearchHit | None = None
    name: str = "library"
    local: bool = False
    asked: list[str] = field(default_factory=list[str])

    async def search(self, query: str, limit: int) -> SearchAnswer:
        self.asked.append(query)
        if len(self.asked) > 1:
            raise SearchUnavailable(self.name, "it is closed")
        return SearchAnswer((self.hit,) if self.hit else ())


@dataclass
class Searched:
    site: HttpSite
    source_tools: EvidenceTools
    claims: tuple[str, ...]
    library: Library


async def searched(
    folder: Path, site: HttpSite, reader: SourceReader, registry: Registry, library: Library | None
) -> Searched:
    if library is not None:
        policy = load_registry_file(SearchPolicy, SEARCH_FILE)
        answers = RunAnswers(folder / "searches")
        reader.searching = Searching(library, policy, answers, limit=9)
    stage = evidence(reader, registry)
    found = await stage.prepare(1, DRAFT.format(cited=site.url("/cited")), services(folder))
    assert found.source_tools is not None
    ids = tuple(claim.id for claim in found.evidence.claims)
    return Searched(site, found.source_tools, ids, library or Library())


async def test_hits_are_numbered_and_may_be_fetched(tmp_path: Path, registry: Registry) -> None:
    async with HttpSite() as site, open_reader(tmp_path, site) as reader:
        url = site.page("/found", "Port Ostrava is 14 metres deep.", media_type="text/plain")
        other = site.page("/other", "Nothing.", media_type="text/plain")
        open_ = await searched(
            tmp_path, site, reader, registry, Library(SearchHit(url, "Port", "P"))
        )
        with pytest.raises(ToolFailure, match="refused_by_policy"):
            await open_.source_tools.fetch_source(url)
        text = await open_.source_tools.search_sources(open_.claims[0])
        assert text.splitlines()[0] == "query: Port Ostrava dredged 14 metres 2019"
        assert f"1. Port\naddress: {url}\nP" in text
        assert "state: ok" in await open_.source_tools.fetch_source(url)
        with pytest.raises(ToolFailure, match="refused_by_policy"):
            await open_.source_tools.fetch_source(other)


async def test_nothing_of_an_internal_claim_is_sent_out(tmp_path: Path, registry: Registry) -> None:
    async with HttpSite() as site, open_reader(tmp_path, site) as reader:
        open_ = await searched(tmp_path, site, reader, registry, Library())
        for claim in open_.claims[1:]:
            with pytest.raises(ToolFailure, match="the claim is internal"):
                await open_.source_tools.search_sources(claim)
        assert open_.library.asked == []


async def test_a_local_provider_may_be_asked_about_internal_claims(
    tmp_path: Path, registry: Registry
) -> None:
    async with HttpSite() as site, open_reader(tmp_path, site) as reader:
        open_ = await searched(tmp_path, site, reader, registry, Library(local=True))
        assert "no hits" in await open_.source_tools.search_sources(open_.claims[1])
        assert len(open_.library.asked) == 1


async def test_no_answer_is_said_to_say_nothing(tmp_path: Path, registry: Registry) -> None:
    async with HttpSite() as site, open_reader(tmp_path, site) as reader:
        open_ = await searched(tmp_path, site, reader, registry, Library(local=True))
        await open_.source_tools.search_sources(open_.claims[0])
        with pytest.raises(ToolFailure, match=r"says nothing about the claim.*it is closed"):
            await open_.source_tools.search_sources(open_.claims[1])


async def test_a_run_without_a_provider_searches_nothing(
    tmp_path: Path, registry: Registry
) -> None:
    async with HttpSite() as site, open_reader(tmp_path, site) as reader:
        open_ = await searched(tmp_path, site, reader, registry, None)
        with pytest.raises(ToolFailure, match="no search provider"):
            await open_.source_tools.search_sources(open_.claims[0])
        with pytest.raises(ToolFailure, match="no claim 'c-none'"):
            await open_.source_tools.search_sources("c-none")

"""A checker's search: queries that code builds, hits that may then be fetched."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest
from foureyes import SearchAnswer, SearchHit, SearchUnavailable, ToolFailure
from foureyes.base.registry import load_registry_file
from foureyes.core.source_tools import SourceReader
from foureyes.datatypes import EvidenceTools
from foureyes.sources.policy import SEARCH_FILE, SearchPolicy
from foureyes.sources.search.searching import RunAnswers, Searching
from foureyes.verification.registry import Registry, load_registry

from tests.support.evidence_run import evidence, open_reader, services
from tests.support.http_site import HttpSite

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


@pytest.fixture(scope="module")
def registry() -> Registry:
    return load_registry()


@dataclass
class Open:
    site: HttpSite
    source_tools: EvidenceTools
    claims: tuple[str, ...]
    library: Library


async def opened(
    folder: Path, site: HttpSite, reader: SourceReader, registry: Registry, library: Library | None
) -> Open:
    if library is not None:
        policy = load_registry_file(SearchPolicy, SEARCH_FILE)
        answers = RunAnswers(folder / "searches")
        reader.searching = Searching(library, policy, answers, limit=9)
    stage = evidence(reader, registry)
    found = await stage.prepare(1, DRAFT.format(cited=site.url("/cited")), services(folder))
    assert found.source_tools is not None
    ids = tuple(claim.id for claim in found.evidence.claims)
    return Open(site, found.source_tools, ids, library or Library())


async def test_hits_are_numbered_and_may_be_fetched(tmp_path: Path, registry: Registry) -> None:
    async with HttpSite() as site, open_reader(tmp_path, site) as reader:
        url = site.page("/found", "Port Ostrava is 14 metres deep.", media_type="text/plain")
        other = site.page("/other", "Nothing.", media_type="text/plain")
        open_ = await opened(tmp_path, site, reader, registry, Library(SearchHit(url, "Port", "P")))
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
        open_ = await opened(tmp_path, site, reader, registry, Library())
        for claim in open_.claims[1:]:
            with pytest.raises(ToolFailure, match="the claim is internal"):
                await open_.source_tools.search_sources(claim)
        assert open_.library.asked == []


async def test_a_local_provider_may_be_asked_about_internal_claims(
    tmp_path: Path, registry: Registry
) -> None:
    async with HttpSite() as site, open_reader(tmp_path, site) as reader:
        open_ = await opened(tmp_path, site, reader, registry, Library(local=True))
        assert "no hits" in await open_.source_tools.search_sources(open_.claims[1])
        assert len(open_.library.asked) == 1


async def test_no_answer_is_said_to_say_nothing(tmp_path: Path, registry: Registry) -> None:
    async with HttpSite() as site, open_reader(tmp_path, site) as reader:
        open_ = await opened(tmp_path, site, reader, registry, Library(local=True))
        await open_.source_tools.search_sources(open_.claims[0])
        with pytest.raises(ToolFailure, match=r"says nothing about the claim.*it is closed"):
            await open_.source_tools.search_sources(open_.claims[1])


async def test_a_run_without_a_provider_searches_nothing(
    tmp_path: Path, registry: Registry
) -> None:
    async with HttpSite() as site, open_reader(tmp_path, site) as reader:
        open_ = await opened(tmp_path, site, reader, registry, None)
        with pytest.raises(ToolFailure, match="no search provider"):
            await open_.source_tools.search_sources(open_.claims[0])
        with pytest.raises(ToolFailure, match="no claim 'c-none'"):
            await open_.source_tools.search_sources("c-none")

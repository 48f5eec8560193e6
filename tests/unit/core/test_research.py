"""The searches of the analyst."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from foureyes import SearchAnswer, SearchHit, SearchUnavailable, ToolFailure
from foureyes.base.registry import load_registry_file
from foureyes.core.source_tools import FETCHES, READ_CHARS, BriefResearch, SourceReader
from foureyes.sources.policy import SEARCH_FILE, SearchPolicy
from foureyes.sources.search.searching import RunAnswers, Searching
from support.evidence_run import open_reader
from support.http_site import HttpSite

BRIEF = "# The port of Ostrava\n\nHow deep is the harbour, and what did dredging cost in 2019?\n"
PAGE = "<html><body><p>Depth: 14 metres.</p><a href='/more'>more</a></body></html>"


@dataclass
class Library:
    """A provider with one hit; it remembers what it was asked."""

    hit: SearchHit
    name: str = "library"
    local: bool = False
    asked: list[str] = field(default_factory=list[str])

    async def search(self, query: str, limit: int) -> SearchAnswer:
        self.asked.append(query)
        if "cost" in query:
            raise SearchUnavailable(self.name, "it is closed")
        return SearchAnswer((self.hit,))


@dataclass
class Open:
    site: HttpSite
    research: BriefResearch
    library: Library
    found: str


@pytest.fixture
async def opened(tmp_path: Path) -> AsyncGenerator[Open]:
    async with HttpSite() as site, open_reader(tmp_path, site) as reader:
        found = site.page("/found", PAGE)
        site.page("/more", "Long. " * 2000, media_type="text/plain")
        site.page("/other", "Other.", media_type="text/plain")
        library = Library(SearchHit(found, "Silt in Zlin", "E"))
        policy = load_registry_file(SearchPolicy, SEARCH_FILE)
        reader.searching = Searching(library, policy, RunAnswers(tmp_path / "s"), limit=9)
        yield Open(site, BriefResearch(reader, BRIEF), library, found)


async def test_operators_are_taken_out_of_queries(opened: Open) -> None:
    text = await opened.research.search('"Harbour" of +Ostrava!')
    assert text.startswith("query: Harbour of Ostrava\n\n1. Silt in Zlin\naddress: ")
    assert opened.library.asked == ["Harbour of Ostrava"]


async def test_words_from_elsewhere_are_not_sent_out(opened: Open) -> None:
    with pytest.raises(ToolFailure, match=r"not among them: hunter2, password"):
        await opened.research.search("Ostrava password hunter2")
    assert opened.library.asked == []


async def test_words_of_titles_that_were_found_may_be_used(opened: Open) -> None:
    with pytest.raises(ToolFailure, match="silt"):
        await opened.research.search("silt Ostrava")
    await opened.research.search("harbour Ostrava")
    assert "address: " in await opened.research.search("silt Ostrava")


async def test_a_query_that_stays_here_may_hold_any_words(opened: Open) -> None:
    opened.library.local = True
    assert "address: " in await opened.research.search("password hunter2")


async def test_no_answer_tells_nothing(opened: Open) -> None:
    with pytest.raises(ToolFailure, match=r"says nothing about the claim: .*it is closed"):
        await opened.research.search("what did dredging cost")


async def test_only_what_was_found_may_be_opened_and_what_it_links_to(opened: Open) -> None:
    for path in ("/found", "/more", "/other"):
        with pytest.raises(ToolFailure, match="refused_by_policy"):
            await opened.research.fetch(opened.site.url(path), 0)
    await opened.research.search("harbour Ostrava")
    assert "Depth: 14 metres." in await opened.research.fetch(opened.found, 0)
    text = await opened.research.fetch(opened.site.url("/more"), 6)
    assert "\nfrom 6:\nLong. " in text
    assert len(text) < READ_CHARS + 400
    with pytest.raises(ToolFailure, match="refused_by_policy"):
        await opened.research.fetch(opened.site.url("/other"), 0)
    with pytest.raises(ToolFailure, match="outside the text"):
        await opened.research.fetch(opened.found, 10**6)


async def test_what_is_stored_is_free_and_other_fetches_of_a_turn_are_counted(
    opened: Open,
) -> None:
    gone = opened.site.page("/gone", status=404)
    opened.library.hit = SearchHit(gone, "Gone", "")
    await opened.research.search("harbour Ostrava")
    for _ in range(FETCHES):
        assert "state: dead" in await opened.research.fetch(gone, 0)
    with pytest.raises(ToolFailure, match="fetches of this turn are used up"):
        await opened.research.fetch(gone, 0)


async def test_without_a_provider_nothing_is_searched(tmp_path: Path) -> None:
    async with HttpSite() as site, open_reader(tmp_path, site) as reader:
        research = BriefResearch(SourceReader(reader.fetcher, reader.store), BRIEF)
        with pytest.raises(ToolFailure, match="no search provider"):
            await research.search("harbour")

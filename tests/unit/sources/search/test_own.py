"""A user's own search provider: what of its answers counts."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from foureyes import SearchAnswer, SearchHit, SearchUnavailable, SettingsError
from foureyes.base.registry import load_registry_file
from foureyes.sources.policy import SEARCH_FILE, SearchPolicy
from foureyes.sources.search.searching import OwnSearch

POLICY = load_registry_file(SearchPolicy, SEARCH_FILE)


class Listed:
    """A provider that gives what it was made with."""

    def __init__(self, answer: Any, name: str = "shelf", *, local: bool = False) -> None:
        self.answer, self.name, self.local = answer, name, local

    async def search(self, query: str, limit: int) -> SearchAnswer:
        """As listed."""
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


def hits(*urls: str) -> SearchAnswer:
    return SearchAnswer(tuple(SearchHit(url, "a title", "words") for url in urls))


async def found(answer: object, *, local: bool = False) -> list[str]:
    got = await OwnSearch(Listed(answer, local=local), POLICY).search("words", 3)
    return [hit.url for hit in got.hits]


async def test_only_usable_addresses_count_each_once_and_no_more_than_asked_for() -> None:
    given = hits("file:///etc/passwd", "notes/a.md", "https://a.example/", "https://a.example/")
    assert await found(given) == ["https://a.example/"]
    assert await found(given, local=True) == ["notes/a.md", "https://a.example/"]
    assert len(await found(hits(*(f"https://{n}.example/" for n in "abcde")))) == 3
    assert await found(hits()) == []


async def test_titles_and_excerpts_are_cleaned_and_cut() -> None:
    hit = SearchHit("https://a.example/", "a\x1b[2J\ntitle", "long words " * 1000)
    (got,) = (await OwnSearch(Listed(SearchAnswer((hit,))), POLICY).search("x", 3)).hits
    assert (got.title, len(got.excerpt)) == ("a title", POLICY.excerpt_characters)
    bare = SearchAnswer((SearchHit("https://a.example/", "", ""),))
    (got,) = (await OwnSearch(Listed(bare), POLICY).search("x", 3)).hits
    assert got.title == "https://a.example/"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (None, "it gave a NoneType, and no SearchAnswer"),
        ([], "it gave a list, and no SearchAnswer"),
        (SearchAnswer(("https://a.example/",)), "its answer is not whole: hits.0: "),  # pyright: ignore[reportArgumentType]
        (hits("javascript:alert(1)", "//"), "none of its results has a usable address"),
        (KeyError("https://api.example/?key=secret"), "it raised KeyError$"),
        (SystemExit(0), "it raised SystemExit$"),
        (SearchUnavailable("shelf", "it is closed"), "it is closed"),
    ],
)
async def test_no_answer_is_never_taken_for_no_hits(answer: object, said: str) -> None:
    with pytest.raises(SearchUnavailable, match=f"^search with shelf: {said}"):
        await found(answer)


async def test_a_provider_that_hangs_is_left() -> None:
    class Hanging(Listed):
        async def search(self, query: str, limit: int) -> SearchAnswer:
            await asyncio.sleep(60)
            raise AssertionError

    transfer = POLICY.transfer.model_copy(update={"attempt": 0.01})
    hanging = OwnSearch(Hanging(None), POLICY.model_copy(update={"transfer": transfer}))
    with pytest.raises(SearchUnavailable, match="it raised TimeoutError"):
        await hanging.search("words", 3)


@pytest.mark.parametrize("name", ["", "tavily", "none", "My Shelf", Path("x")])
def test_a_name_that_is_none_or_one_of_ours_is_refused(name: Any) -> None:
    with pytest.raises(SettingsError, match="cannot be the name of your own search provider"):
        OwnSearch(Listed(None, name), POLICY)

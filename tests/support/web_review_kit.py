"""Phase 4b over pages on disk: a folder of sources that answer for web addresses, and searches."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from pathlib import Path

from foureyes.base.registry import load_registry_file
from foureyes.base.vocabulary import FetchMode
from foureyes.core.source_tools import SourceReader
from foureyes.documents.parse import parse_document
from foureyes.review.extraction import claims_to_check, detect_document_claims, merge_extraction
from foureyes.review.types import ExtractedClaim, WebResult
from foureyes.review.web import WebChecks
from foureyes.review.web_sources import WEB_REVIEW_FILE, Outside, WebReviewPolicy, WebRules
from foureyes.sources.fetcher import Fetcher
from foureyes.sources.guard import Guard
from foureyes.sources.local_files import LocalSources
from foureyes.sources.model import SourceSet
from foureyes.sources.policy import FETCH_FILE, SEARCH_FILE, FetchPolicy, SearchPolicy
from foureyes.sources.scoring.appraisal import appraise
from foureyes.sources.scoring.model import Appraisal
from foureyes.sources.scoring.rules import ScoringRegistry, load_scoring
from foureyes.sources.search.model import SearchAnswer, SearchHit, SearchUnavailable
from foureyes.sources.search.searching import RunAnswers, Searching
from foureyes.sources.snapshot_store import SnapshotStore
from support.claim_kit import registry

AS_OF = date(2026, 11, 1)
GOV, NIST, NEWS, BLOG = (
    "https://www.census.gov/port",
    "https://www.nist.gov/port",
    "https://www.reuters.com/port",
    "https://harbourfan.blogspot.com/port",
)
"""A government, another one, a news agency and a blog."""


@dataclass(frozen=True, slots=True)
class Page:
    """The text at an address, and its day."""

    text: str
    published: str = ""


@cache
def scoring() -> ScoringRegistry:
    return load_scoring()


@cache
def web_policy() -> WebReviewPolicy:
    return load_registry_file(WebReviewPolicy, WEB_REVIEW_FILE)


@dataclass
class Engine:
    """A search engine that finds the same addresses for everything; it keeps what it is asked."""

    hits: Sequence[str] = ()
    local: bool = False
    down: bool = False
    name: str = "engine"
    asked: list[str] = field(default_factory=list[str])

    async def search(self, query: str, limit: int) -> SearchAnswer:
        self.asked.append(query)
        if self.down:
            raise SearchUnavailable(self.name, "it does not answer")
        hits = tuple(SearchHit(url, "A hit", "An excerpt.") for url in self.hits)
        return SearchAnswer(hits[:limit])


def shelf(folder: Path, pages: Mapping[str, Page | str]) -> Path:
    """A folder whose files answer for the addresses of `pages`."""
    root = folder / "shelf"
    root.mkdir()
    lines: list[str] = []
    for number, (url, given) in enumerate(pages.items()):
        page = given if isinstance(given, Page) else Page(given)
        name = f"page{number}.txt"
        (root / name).write_text(page.text, encoding="utf-8")
        day = f", published: {page.published}" if page.published else ""
        lines.append(f"- {{file: {name}, url: '{url}'{day}}}\n")
    (root / "sources.yaml").write_text("".join(lines), encoding="utf-8")
    return root


@asynccontextmanager
async def open_shelf(
    folder: Path, pages: Mapping[str, Page | str], engine: Engine | None = None
) -> AsyncGenerator[SourceReader]:
    """A reader of these pages and of nothing else; `engine` is who may be asked."""
    policy = load_registry_file(FetchPolicy, FETCH_FILE)
    store = SnapshotStore(folder / "sources")
    local = LocalSources([shelf(folder, pages)] if pages else [])
    async with Fetcher(store, policy, Guard(policy), local=local, mode=FetchMode.NONE) as fetcher:
        searching = None
        if engine is not None:
            rules = load_registry_file(SearchPolicy, SEARCH_FILE)
            answers = RunAnswers(folder / "searches")
            searching = Searching(engine, rules, answers, limit=100)
        yield SourceReader(fetcher, store, searching=searching)


def rules() -> WebRules:
    def rated(sources: SourceSet) -> Appraisal:
        return appraise(sources, scoring(), as_of=AS_OF)

    return WebRules(registry(), scoring(), web_policy(), rated)


def checks(
    text: str, reader: SourceReader, added: Sequence[ExtractedClaim] = ()
) -> tuple[WebChecks, tuple[ExtractedClaim, ...]]:
    """The checks of all claims that code finds in `text`, and of those `added`."""
    detected = detect_document_claims(parse_document(text), registry().lexicon, as_of=AS_OF)
    extracted = merge_extraction(detected, added).claims
    claims = claims_to_check(detected, extracted)
    return WebChecks(detected, extracted, claims, reader, rules()), extracted


@dataclass(frozen=True, slots=True)
class Looked:
    """What code alone comes to."""

    results: tuple[WebResult, ...]
    outside: Outside
    claims: tuple[ExtractedClaim, ...]


async def looked(
    folder: Path,
    text: str,
    pages: Mapping[str, Page | str],
    *,
    engine: Engine | None = None,
    added: Sequence[ExtractedClaim] = (),
) -> Looked:
    """Phase 4b of `text` by code alone; all of `pages` are given that no engine finds."""
    async with open_shelf(folder, pages, engine) as reader:
        web, claims = checks(text, reader, added)
        given = [url for url in pages if engine is None]
        outside = await web.search_outside(given=given, limit=100)
        return Looked(web.build_result(web.assess(outside), outside).results, outside, claims)

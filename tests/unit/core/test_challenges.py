"""Challenges in a run: what is asked outside, kept, asked only once, and concluded again."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import pytest
from foureyes import IssueType, ReviewChoice, SearchAnswer, SearchHit, Verdict
from foureyes.base.files import from_json
from foureyes.base.registry import load_registry_file
from foureyes.core.evidence import DocumentEvidence
from foureyes.core.evidence_parts import Answerer, AnswersUnavailable, EvidenceParts
from foureyes.core.iteration import CHALLENGE_RECORD, FetchedSources
from foureyes.core.record_folder import entry_name
from foureyes.core.review_queue import basis_of
from foureyes.core.source_tools import SourceReader
from foureyes.datatypes import (
    ChallengeStep,
    Conclusion,
    Document,
    ReviewDecision,
    RunServices,
)
from foureyes.sources.policy import SEARCH_FILE, SearchPolicy
from foureyes.sources.search.searching import RunAnswers, Searching
from foureyes.verification.challenge.model import Answer, Question, Reply
from foureyes.verification.passages.retrieval import SourceIndex
from foureyes.verification.registry import Registry, load_registry
from support.evidence_run import open_reader, services
from support.http_site import HttpSite
from support.loop_agents import AS_OF

T = TypeVar("T")

OPENED = "The Arlen Bridge opened in 1932"
PAGE = f"{OPENED}.\n"
HIT = "The Arlen Bridge opened in 1936.\n"


@dataclass
class Library:
    """A provider that gives the same hits to all."""

    hits: tuple[SearchHit, ...]
    name: str = "library"
    local: bool = False
    asked: list[str] = field(default_factory=list[str])

    async def search(self, query: str, limit: int) -> SearchAnswer:
        self.asked.append(query)
        return SearchAnswer(self.hits)


@dataclass
class Oracle:
    """An answerer that has no answers, or says that no source has."""

    broken: bool = False
    name: str = "oracle"
    asked: list[str] = field(default_factory=list[str])

    def __call__(self, _iteration: int, _services: RunServices) -> Answerer:
        return self

    async def answer(
        self, questions: Sequence[Question], sources: SourceIndex
    ) -> tuple[Answer, ...]:
        self.asked += [question.text for question in questions]
        if self.broken:
            raise AnswersUnavailable("it sleeps")
        return tuple(Answer(one.id, self.name, Reply.NOT_STATED) for one in questions)


class Record:
    """The journal of a run, as a pack has it."""

    def __init__(self, folder: Path, sources: FetchedSources) -> None:
        self._folder = folder
        self._sources = sources

    def sources(self, iteration: int, document: Document) -> FetchedSources:
        return self._sources

    def kept(self, step: tuple[str, str], kind: type[T]) -> T | None:
        path = self._folder / "journal" / entry_name(*step)
        return from_json(kind, path.read_bytes()) if path.exists() else None

    def unsearched(self, iteration: int) -> tuple[str, ...]:
        return ()


@pytest.fixture(scope="module")
def registry() -> Registry:
    """Every claim is challenged, and by what is asked outside alone."""
    loaded = load_registry().without([ChallengeStep.SOURCES, ChallengeStep.DISPUTES])
    policy = loaded.challenge.model_copy(update={"background": True, "decided": True})
    return replace(loaded, challenge=policy)


@dataclass
class Place:
    folder: Path
    site: HttpSite
    registry: Registry
    library: Library | None = None
    oracle: Oracle | None = None
    record: Record | None = None
    decided: tuple[ReviewDecision, ...] = ()

    @asynccontextmanager
    async def stage(self) -> AsyncGenerator[DocumentEvidence]:
        async with open_reader(self.folder, self.site) as reader:
            searching = None
            if self.library is not None:
                policy = load_registry_file(SearchPolicy, SEARCH_FILE)
                answers = RunAnswers(self.folder / "searches")
                searching = Searching(self.library, policy, answers, limit=20)
            parts = EvidenceParts(
                SourceReader(reader.fetcher, reader.store, (), searching),
                self.registry,
                as_of=AS_OF,
                answerer=self.oracle,
                recorded=self.record,
                decisions=self.decided,
            )
            yield DocumentEvidence(parts)

    async def iterate(self, stage: DocumentEvidence, number: int = 1, more: str = "") -> Conclusion:
        draft = f"# Bridges\n\n{OPENED} ({self.site.url('/page.txt')}).\n{more}"
        given = services(self.folder)
        found = await stage.prepare(number, draft, given)
        return await stage.conclude(found, found.evidence.assessments, given)

    async def run(self) -> Conclusion:
        async with self.stage() as stage:
            return await self.iterate(stage)


def verdict(end: Conclusion) -> Verdict:
    return end.ledger.entries[0].verdict


def record_of(end: Conclusion) -> str:
    (file,) = [file for file in end.artefacts if file.name == CHALLENGE_RECORD]
    return file.text


@pytest.fixture
async def place(tmp_path: Path, registry: Registry) -> AsyncGenerator[Place]:
    async with HttpSite() as site:
        site.page("/page.txt", PAGE, media_type="text/plain")
        site.page("/hit.txt", HIT, media_type="text/plain")
        hit = SearchHit(site.url("/hit.txt"), "A hit", "it opened")
        yield Place(tmp_path, site, registry, Library((hit,)))


async def test_a_hit_that_code_finds_to_contradict_a_claim_makes_it_disputed(place: Place) -> None:
    end = await place.run()
    assert verdict(end) is Verdict.DISPUTED
    (sought,) = [item for item in end.ledger.entries[0].evidence if item.sought]
    assert (sought.url, sought.quote) == (place.site.url("/hit.txt"), HIT.strip())
    assert place.library is not None
    assert all(len(query) <= 200 for query in place.library.asked)
    assert "1932" not in place.library.asked[0]
    record = json.loads(record_of(end))
    assert [one["after"] for one in record["claims"]] == ["disputed"]


async def test_a_claim_that_a_challenge_lowered_is_held_against_the_draft(place: Place) -> None:
    end = await place.run()
    (entry,) = end.ledger.entries
    (finding,) = [one for one in end.findings if one.origin == "challenge"]
    assert (finding.claim_id, finding.type) == (entry.claim_id, IssueType.MISSING_CONTEXT)
    assert finding.severity is place.registry.challenge.severity
    assert finding.id in entry.finding_ids
    assert place.site.url("/hit.txt") in finding.evidence
    place.library = None
    assert (await place.run()).findings == ()


async def test_what_a_person_lets_stand_is_not_held_against_the_draft(place: Place) -> None:
    async with place.stage() as stage:
        asked = (await place.iterate(stage)).ledger.entries[0]
    place.decided = (
        ReviewDecision(
            asked.claim_id,
            ReviewChoice.ACCEPT,
            by="Ann",
            at=datetime(2026, 3, 1, tzinfo=UTC),
            why="the hit is about another bridge",
            iteration=1,
            basis=basis_of(asked),
            sitting=0,
        ),
    )
    assert (await place.run()).findings == ()


async def test_a_resumed_run_asks_nobody_again_and_a_pack_concludes_the_same(place: Place) -> None:
    place.oracle = Oracle()
    first = await place.run()
    assert place.library is not None
    asked = len(place.library.asked), len(place.oracle.asked)
    again = await place.run()
    assert (len(place.library.asked), len(place.oracle.asked)) == asked
    name = next(f for f in (place.folder / "journal").iterdir() if f.name.startswith("1-sources"))
    kept = from_json(FetchedSources, name.read_bytes())
    packed = replace(place, library=None, oracle=None, record=Record(place.folder, kept))
    third = await packed.run()
    assert record_of(first) == record_of(again) == record_of(third)
    assert first.ledger == again.ledger == third.ledger


async def test_a_claim_of_the_users_own_is_not_searched_for_outside(place: Place) -> None:
    own = "\nOur own survey found that 73% of the drivers of Arlen were content.\n"
    async with place.stage() as stage:
        await place.iterate(stage, more=own)
    assert place.library is not None
    assert place.library.asked
    assert not any("73" in query or "drivers" in query for query in place.library.asked)


async def test_an_answerer_without_answers_lowers_nothing(place: Place) -> None:
    place.library, place.oracle = None, Oracle(broken=True)
    end = await place.run()
    assert verdict(end) is Verdict.SUPPORTED
    assert json.loads(record_of(end))["failures"] == ["oracle: it sleeps"]


async def test_the_same_question_is_put_once_in_a_run(place: Place) -> None:
    place.library, place.oracle = None, Oracle()
    async with place.stage() as stage:
        await place.iterate(stage)
        end = await place.iterate(stage, 2, "\nMuch is left to say of bridges.\n")
    assert place.oracle.asked == ["The Arlen Bridge opened in which year?"]
    # Code finds the answer in the page, so that the silence of one answerer lowers nothing.
    assert verdict(end) is Verdict.SUPPORTED
    (claim, *_) = json.loads(record_of(end))["claims"]
    said = [one["answer"]["by"] for one in claim["questions"][0]["answers"]]
    assert said == ["snapshots", "oracle"]


async def test_a_run_challenges_no_more_claims_than_it_may(place: Place) -> None:
    policy = place.registry.challenge.model_copy(update={"claims": 1})
    place.registry = replace(place.registry, challenge=policy)
    place.library, place.oracle = None, Oracle()
    more = f"\nThe Selle Bridge opened in 1950 ({place.site.url('/page.txt')}).\n"
    async with place.stage() as stage:
        await place.iterate(stage)
        await place.iterate(stage, 2, more)
    assert len(place.oracle.asked) == 1


async def test_a_run_without_challenges_leaves_no_record(place: Place) -> None:
    place.registry = place.registry.without(tuple(ChallengeStep))
    end = await place.run()
    assert verdict(end) is Verdict.SUPPORTED
    assert CHALLENGE_RECORD not in [file.name for file in end.artefacts]
    assert place.library is not None
    assert place.library.asked == []

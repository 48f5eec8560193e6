"""Recovery and deepening over a real site: what is looked for, read, offered and counted."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from foureyes import (
    Error,
    Examination,
    IterationWork,
    SearchAnswer,
    SearchHit,
    SearchUnavailable,
    TurnUsage,
)
from foureyes.base.registry import load_registry_file
from foureyes.core._gap_search import Deepening
from foureyes.core.evidence import DocumentEvidence
from foureyes.core.iteration import PreparedEvidence
from foureyes.core.source_tools import SourceReader
from foureyes.datatypes import Conclusion
from foureyes.sources.policy import SEARCH_FILE, SearchPolicy
from foureyes.sources.search.searching import RunAnswers, Searching
from foureyes.verification.registry import Registry, load_registry
from support.evidence_run import evidence, open_reader, services
from support.http_site import HttpSite
from support.loop_agents import BRIEF, REJECT, ListedDrafter, Loop

LANES = "The city of Ostrava built 42 kilometres of bicycle lanes in 2024.\n"
COST = "The bicycle lanes of Ostrava cost 8 million euros.\n"
DRAFT = (
    "# Bicycle lanes of Ostrava\n\n"
    f"{LANES[:-2]} ({{cited}}).\n\n{COST}\n"
    "The mayor of Ostrava opened 3 bridges in 2023.\n\n"
    "Our own survey of Ostrava found that 73% of cyclists were content.\n"
)


@dataclass
class Library:
    """A provider that gives the same hits to all; it remembers what it was asked."""

    hits: tuple[SearchHit, ...] = ()
    closed: bool = False
    name: str = "library"
    local: bool = False
    asked: list[str] = field(default_factory=list[str])

    async def search(self, query: str, limit: int) -> SearchAnswer:
        self.asked.append(query)
        if self.closed:
            raise SearchUnavailable(self.name, "it is closed")
        return SearchAnswer(self.hits)


@dataclass
class Place:
    """One run: its folder, its site and whom it asks."""

    folder: Path
    site: HttpSite
    registry: Registry
    library: Library | None

    @property
    def draft(self) -> str:
        return DRAFT.format(cited=self.site.url("/lanes.txt"))

    @asynccontextmanager
    async def sitting(self, max_fetches: int = 200) -> AsyncGenerator[Sitting]:
        async with open_reader(self.folder, self.site) as reader:
            searching = self._searching() if self.library else None
            known = SourceReader(reader.fetcher, reader.store, (), searching)
            yield Sitting(self, evidence(known, self.registry, max_fetches=max_fetches))

    def _searching(self) -> Searching:
        assert self.library is not None
        policy = load_registry_file(SearchPolicy, SEARCH_FILE)
        return Searching(self.library, policy, RunAnswers(self.folder / "searches"), limit=9)


@dataclass
class Sitting:
    place: Place
    stage: DocumentEvidence

    async def iterate(self, number: int) -> tuple[PreparedEvidence, Conclusion, Deepening]:
        """An iteration whose checker agrees with code everywhere, and what follows from it."""
        given = services(self.place.folder)
        found = await self.stage.prepare(number, self.place.draft, given)
        end = await self.stage.conclude(found, found.evidence.assessments, given)
        return found, end, await self.stage.deepen(found.evidence, end, given)


@pytest.fixture(scope="module")
def registry() -> Registry:
    return load_registry()


@pytest.fixture
async def place(tmp_path: Path, registry: Registry) -> AsyncGenerator[Place]:
    async with HttpSite() as site:
        for path, text in (("/lanes.txt", LANES), ("/cost.txt", COST)):
            site.page(path, text, media_type="text/plain")
        hits = (
            SearchHit(site.url("/cost.txt"), "Cost", COST),
            SearchHit(site.url("/gone.txt"), "Gone", "?"),
        )
        yield Place(tmp_path, site, registry, Library(hits))


async def test_a_failed_gate_has_its_gaps_searched_for_and_hits_read(place: Place) -> None:
    async with place.sitting() as sitting:
        _, end, deepening = await sitting.iterate(1)
    assert place.library is not None
    assert place.library.asked
    assert all(len(query) <= 200 for query in place.library.asked)
    assert not any("73" in query or "cyclists" in query for query in place.library.asked)
    assert sorted(place.site.paths()) == ["/cost.txt", "/gone.txt", "/lanes.txt"]
    assert [(one.url, one.text) for one in deepening.materials] == [
        (place.site.url("/cost.txt"), COST)
    ]
    assert deepening.guidance is not None
    assert end.gaps is not None
    assert deepening.guidance.critique == end.gaps.critique
    assert [file.name for file in deepening.artefacts] == ["deepening_iteration_1.json"]


async def test_a_finding_that_a_found_source_settles_asks_to_cite_it(place: Place) -> None:
    async with place.sitting() as sitting:
        found, _, deepening = await sitting.iterate(1)
    findings = [f for a in found.evidence.assessments.values() for f in a.findings]
    asked = {f.claim: (f.recommendation, f.correction) for f in deepening.over(findings)}
    recommendation, correction = asked[COST.strip()]
    assert recommendation.startswith(f"cite {place.site.url('/cost.txt')}, which states it")
    assert correction is not None
    before = {f.claim: (f.recommendation, f.correction) for f in findings}
    assert {claim for claim in asked if asked[claim] != before[claim]} == {COST.strip()}


async def test_what_was_found_is_at_hand_in_the_next_iteration(place: Place) -> None:
    async with place.sitting() as sitting:
        await sitting.iterate(1)
        found, _, _ = await sitting.iterate(2)
    (cost,) = (
        f for a in found.evidence.assessments.values() for f in a.findings if "cost" in f.claim
    )
    assert cost.recommendation.startswith(f"cite {place.site.url('/cost.txt')}")
    record = next(f for f in found.artefacts if f.name == "recovery_iteration_2.json")
    reads = json.loads(record.text)
    assert (reads["again"], [read["state"] for read in reads["found"]]) == ([], ["ok"])
    assert sorted(place.site.paths()) == ["/cost.txt", "/gone.txt", "/lanes.txt"]
    # A source that the document does not cite is none of its sources.
    assert list(found.evidence.sources.sources) == [place.site.url("/lanes.txt")]


async def test_two_iterations_at_most_carry_queries(place: Place) -> None:
    async with place.sitting() as sitting:
        carried: list[bool] = []
        for number in (1, 2, 3):
            _, end, _ = await sitting.iterate(number)
            assert end.gaps is not None
            names = {file.name for file in end.artefacts}
            assert ("deepening_queries.json" in names) is (end.gaps.plan is not None)
            carried.append(end.gaps.plan is not None)
    assert carried == [True, True, False]


async def test_a_resumed_run_asks_and_fetches_nothing_again(place: Place) -> None:
    ends: list[Deepening] = []
    for _ in range(2):
        async with place.sitting() as sitting:
            ends.append((await sitting.iterate(1))[2])
            await sitting.iterate(2)
    asked, paths = place.library.asked if place.library else [], place.site.paths()
    assert len(asked) == len(set(asked))
    assert paths.count("/lanes.txt") == paths.count("/cost.txt") == 1
    assert ends[0] == ends[1]


async def test_hits_are_read_within_the_allowance_of_fetches(place: Place) -> None:
    async with place.sitting(max_fetches=1) as sitting:
        _, _, deepening = await sitting.iterate(1)
        found, _, _ = await sitting.iterate(2)
    assert place.site.paths() == ["/lanes.txt"]
    assert deepening.materials == ()
    assert [file.name for file in found.artefacts] == ["claims_iteration_2.json"]


async def test_a_provider_without_an_answer_is_on_record_as_such(place: Place) -> None:
    place.library = Library(closed=True)
    async with place.sitting() as sitting:
        _, _, deepening = await sitting.iterate(1)
    assert deepening.guidance is not None
    problems = {answer.problem for answer in deepening.guidance.answers}
    assert problems == {"search with library: it is closed"}
    assert (deepening.materials, deepening.repairs) == ((), ())


async def test_without_a_provider_the_analyst_gets_the_critique_alone(place: Place) -> None:
    place.library = None
    async with place.sitting() as sitting:
        _, end, deepening = await sitting.iterate(1)
    assert deepening.guidance is not None
    assert deepening.guidance.answers == ()
    assert deepening.guidance.critique.suggested_queries
    assert (deepening.artefacts, place.site.paths()) == ((), ["/lanes.txt"])
    assert end.gaps is not None
    assert end.gaps.plan is not None


async def test_what_is_switched_off_leaves_no_trace(place: Place) -> None:
    off = {"recovered_sources": 0, "deepening_iterations": 0}
    policy = place.registry.deepening.model_copy(update=off)
    place.registry = replace(place.registry, deepening=policy)
    place.site.page("/lanes.txt", status=500)
    async with place.sitting() as sitting:
        found, end, deepening = await sitting.iterate(1)
    assert [file.name for file in found.artefacts] == ["claims_iteration_1.json"]
    assert "deepening_queries.json" not in {file.name for file in end.artefacts}
    assert deepening.artefacts == ()
    assert place.site.paths() == ["/lanes.txt"]


class Agreeing:
    """A checker of claims that agrees with code and never approves."""

    name = "fact_checker"

    async def examine(self, work: IterationWork) -> Examination | Error:
        assert work.evidence is not None
        answers = tuple(work.evidence.assessments.values())
        findings = tuple(finding for answer in answers for finding in answer.findings)
        return Examination(REJECT, None, findings, 1.0, TurnUsage(), assessments=answers)


async def test_the_analyst_gets_what_was_found_with_the_findings(place: Place) -> None:
    drafter = ListedDrafter()
    async with place.sitting() as sitting:
        loop = Loop(drafter, (Agreeing(),), evidence=sitting.stage, max_iterations=3)
        await loop.pipeline().run(BRIEF, (), draft=place.draft)
    second, third = drafter.asked
    url = place.site.url("/cost.txt")
    assert [material.url for material in second.materials] == [url]
    assert any(f.recommendation.startswith(f"cite {url}") for f in second.findings)
    assert second.guidance is not None
    assert second.guidance.answers
    # What was found stays, though the next draft has other gaps.
    assert [material.url for material in third.materials] == [url]
    assert "deepened" in [event.event for event in loop.events]

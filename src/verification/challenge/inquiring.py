"""Putting questions and queries to the outside world: a model, a search provider."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import anyio

from ...base.errors import FoureyesError
from ...claims.lexicon import Lexicon
from ...sources.model import Source
from ...sources.search.model import SearchUnavailable
from ..source_index import SourceIndex
from .model import (
    Answer,
    Answerer,
    AnswersUnavailable,
    Probe,
    Searched,
    SearchProvider,
    Told,
)
from .policy import ChallengePolicy
from .questions import shows

SITTING = 10
"""Most questions that are put at once."""


class _Inquiry:
    """Asks with a bound on how many are asked at once; keeps answers by the place of the question.

    A fault is kept until all others have ended, so that none of their answers is lost.
    """

    def __init__(self, sources: SourceIndex, parallel: int) -> None:
        self._sources = sources
        self._bound = anyio.Semaphore(parallel)
        self._answers: dict[int, tuple[Answer, ...]] = {}
        self._searches: dict[int, Searched] = {}
        self._found: dict[str, Source] = {}
        self._failures: set[str] = set()
        self.faults: list[FoureyesError] = []

    async def sit(self, number: int, probes: Sequence[Probe], answerer: Answerer) -> None:
        async with self._bound:
            try:
                questions = [probe.question for probe in probes]
                self._answers[number] = await answerer.answer(questions, self._sources)
            except AnswersUnavailable as error:
                self._failures.add(f"{answerer.name}: {error}")
            except FoureyesError as error:
                self.faults.append(error)

    async def search(
        self, number: int, claim_id: str, query: str, provider: SearchProvider
    ) -> None:
        async with self._bound:
            told = Searched(claim_id, provider.name, query)
            try:
                found = await provider.search(query)
            except SearchUnavailable as error:
                told = replace(told, failure=str(error))
            except FoureyesError as error:
                self.faults.append(error)
            else:
                self._found.update((source.url, source) for source in found)
                told = replace(told, urls=tuple(source.url for source in found))
            self._searches[number] = told

    def told(self) -> Told:
        return Told(
            answers=tuple(one for at in sorted(self._answers) for one in self._answers[at]),
            searches=tuple(self._searches[at] for at in sorted(self._searches)),
            sources=tuple(self._found[url] for url in sorted(self._found)),
            failures=tuple(sorted(self._failures)),
        )


async def inquire(
    probes: Sequence[Probe],
    queries: Mapping[str, Sequence[str]],
    sources: SourceIndex,
    policy: ChallengePolicy,
    *,
    answerer: Answerer | None = None,
    provider: SearchProvider | None = None,
) -> Told:
    """Ask `answerer` the questions of `probes` and `provider` the `queries`, by claim id.

    No sitting holds two questions of one claim, or one that shows the answer to another. At most
    `policy.parallel` are under way at once. Who gives no answer is on record; that changes nothing
    for a claim. Cancellation is raised.

    Raises:
        FoureyesError: The run cannot go on, for example because the disk refuses.
    """
    inquiry = _Inquiry(sources, policy.parallel)
    flat = [(id_, query) for id_ in sorted(queries) for query in queries[id_]]
    async with anyio.create_task_group() as group:
        if answerer is not None:
            for number, sitting in enumerate(sittings(probes, sources.lexicon)):
                group.start_soon(inquiry.sit, number, sitting, answerer)
        if provider is not None:
            for number, (claim_id, query) in enumerate(flat):
                group.start_soon(inquiry.search, number, claim_id, query, provider)
    if inquiry.faults:
        raise inquiry.faults[0]
    return inquiry.told()


def sittings(probes: Sequence[Probe], lexicon: Lexicon) -> list[list[Probe]]:
    """`probes` in groups of at most `SITTING`, in which no question helps with another."""
    groups: list[list[Probe]] = []
    for probe in probes:
        fitting = (
            group
            for group in groups
            if len(group) < SITTING and not any(_helps(probe, other, lexicon) for other in group)
        )
        group = next(fitting, None)
        if group is None:
            groups.append([probe])
        else:
            group.append(probe)
    return groups


def _helps(one: Probe, other: Probe, lexicon: Lexicon) -> bool:
    return (
        one.claim_id == other.claim_id
        or shows(one.question.text, other.words, lexicon)
        or shows(other.question.text, one.words, lexicon)
    )

"""Putting questions and queries to the outside world: a model, a search provider."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import anyio

from ...base.errors import SourceError
from ...claims.lexicon import Lexicon
from ...sources.model import Source
from ..reading.index import SourceIndex
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


@dataclass(slots=True)
class _Heard:
    """What has been answered so far, by the place of its question, so that order is no matter."""

    answers: dict[int, tuple[Answer, ...]] = field(default_factory=dict[int, "tuple[Answer, ...]"])
    searches: dict[int, Searched] = field(default_factory=dict[int, Searched])
    sources: dict[str, Source] = field(default_factory=dict[str, Source])
    failures: dict[str, None] = field(default_factory=dict[str, None])


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
    heard = _Heard()
    bound = anyio.Semaphore(policy.parallel)

    async def sit(number: int, group: Sequence[Probe], answerer: Answerer) -> None:
        async with bound:
            try:
                questions = [probe.question for probe in group]
                heard.answers[number] = await answerer.answer(questions, sources)
            except AnswersUnavailable as error:
                heard.failures[f"{answerer.name}: {error}"] = None

    async def search(number: int, claim_id: str, query: str, provider: SearchProvider) -> None:
        async with bound:
            try:
                found = await provider.search(query)
            except SourceError as error:
                searched = Searched(claim_id, provider.name, query, failure=str(error))
            else:
                heard.sources.update((source.url, source) for source in found)
                urls = tuple(source.url for source in found)
                searched = Searched(claim_id, provider.name, query, urls)
            heard.searches[number] = searched

    flat = [(id_, query) for id_ in sorted(queries) for query in queries[id_]]
    async with anyio.create_task_group() as group:
        if answerer is not None:
            for number, sitting in enumerate(sittings(probes, sources.lexicon)):
                group.start_soon(sit, number, sitting, answerer)
        if provider is not None:
            for number, (claim_id, query) in enumerate(flat):
                group.start_soon(search, number, claim_id, query, provider)
    return Told(
        answers=tuple(one for number in sorted(heard.answers) for one in heard.answers[number]),
        searches=tuple(heard.searches[number] for number in sorted(heard.searches)),
        sources=tuple(heard.sources[url] for url in sorted(heard.sources)),
        failures=tuple(sorted(heard.failures)),
    )


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

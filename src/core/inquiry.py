"""Putting questions and queries to the outside world: a model, a search provider."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Protocol

from ..base.errors import FoureyesError
from ..base.off_loop import run_in_parallel
from ..claims.lexicon import Lexicon
from ..sources.model import Source
from ..sources.search.model import SearchUnavailable
from ..verification.challenge.model import NOTHING_TOLD, Answer, Probe, Question, Searched, Told
from ..verification.challenge.questions import shows
from ..verification.passages.retrieval import SourceIndex
from ..verification.policy import ChallengePolicy

GROUP_SIZE = 10
"""Most questions that are put at once."""


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

    No call holds two questions of one claim, or one that shows the answer to another. At most
    `policy.parallel` are under way at once. Who gives no answer is on record; that changes nothing
    for a claim. Cancellation is raised.

    Raises:
        FoureyesError: The run cannot go on, for example because the disk refuses.
    """
    calls: list[Callable[[], Awaitable[Told]]] = []
    if answerer is not None:
        groups = independent_groups(probes, sources.lexicon)
        calls += [partial(_ask, group, sources, answerer) for group in groups]
    if provider is not None:
        calls += [
            partial(_search, claim_id, query, provider)
            for claim_id in sorted(queries)
            for query in queries[claim_id]
        ]
    told = sum(await run_in_parallel(calls, at_once=policy.parallel), NOTHING_TOLD)
    return replace(told, failures=tuple(sorted(set(told.failures))))


async def _ask(probes: Sequence[Probe], sources: SourceIndex, answerer: Answerer) -> Told:
    try:
        return Told(await answerer.answer([probe.question for probe in probes], sources))
    except AnswersUnavailable as error:
        return Told(failures=(f"{answerer.name}: {error}",))


async def _search(claim_id: str, query: str, provider: SearchProvider) -> Told:
    searched = Searched(claim_id, provider.name, query)
    try:
        found = await provider.search(query)
    except SearchUnavailable as error:
        return Told(searches=(replace(searched, failure=str(error)),))
    urls = tuple(source.url for source in found)
    return Told(searches=(replace(searched, urls=urls),), sources=found)


def independent_groups(probes: Sequence[Probe], lexicon: Lexicon) -> list[list[Probe]]:
    """`probes` in groups of at most `GROUP_SIZE`, in which no question helps with another."""
    groups: list[list[Probe]] = []
    for probe in probes:
        for group in groups:
            if len(group) < GROUP_SIZE and not any(_helps(probe, one, lexicon) for one in group):
                group.append(probe)
                break
        else:
            groups.append([probe])
    return groups


def _helps(one: Probe, other: Probe, lexicon: Lexicon) -> bool:
    return (
        one.claim_id == other.claim_id
        or shows(one.question.text, other.words, lexicon)
        or shows(other.question.text, one.words, lexicon)
    )


class AnswersUnavailable(FoureyesError):
    """An answerer has no answers to give, which tells nothing about any claim."""


class Answerer(Protocol):
    """Answers questions from the sources, without having seen the claims (decision 40)."""

    @property
    def name(self) -> str:
        """Who answers, as the record has it."""
        ...

    async def answer(
        self, questions: Sequence[Question], sources: SourceIndex
    ) -> tuple[Answer, ...]:
        """Answers, any number for a question; a question may stay without.

        Raises:
            AnswersUnavailable: There are none to be had.
        """
        ...


class SearchProvider(Protocol):
    """Finds sources that may speak against a claim, and stores what it finds (decision 40).

    It stands above `sources.search.model.SearchProvider`, which gives addresses and no texts.
    """

    @property
    def name(self) -> str:
        """Who is asked, as the record has it."""
        ...

    async def search(self, query: str) -> tuple[Source, ...]:
        """The readable sources found for `query`, best first.

        Raises:
            SearchUnavailable: There is no answer; that tells nothing about the claim.
        """
        ...

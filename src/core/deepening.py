"""Deepening: the queries of an iteration's gaps put to the search provider, and hits read."""

from __future__ import annotations

from collections.abc import Callable

from ..base.records import to_json
from ..base.vocabulary import SourceState
from ..sources.search.model import SearchAnswer, SearchUnavailable
from ..sources.search.searching import Searching, interleaved
from ..verification.deepening.model import (
    CRITIQUE_FILE,
    GAPS_FILE,
    QUERIES_FILE,
    DeepeningPlan,
    DeepeningQuery,
    EvidenceCritique,
    GapReport,
)
from ..verification.deepening.planning import GapAnalysis
from .asking import digest
from .desk import SourceReader
from .guidance import Deepened, QueryAnswer
from .types import ArtefactFile


def deepening_step(plan: DeepeningPlan) -> tuple[str, str]:
    """The name and the key under which the answers to a plan's queries are journalled."""
    return f"{plan.iteration}/deepening", digest([query.query for query in plan.queries])


async def deepened(
    plan: DeepeningPlan,
    reader: SourceReader,
    *,
    wanted: Callable[[str], bool],
    most: int,
    limit: int,
) -> Deepened:
    """The answers to the queries of `plan`, and at most `most` of their hits read.

    Hits that are `wanted`, by their address, are read in turns: the best of each query, then the
    second. `limit` bounds those that are asked for over the network. Without a search provider
    there are no answers.

    Raises:
        StorageError: An answer or a snapshot could not be kept.
        SnapshotError: A kept answer or snapshot is damaged.
    """
    if reader.searching is None:
        return Deepened(plan.iteration, (), (), 0)
    answers = [await _answer(query, reader.searching) for query in plan.queries]
    found = interleaved(SearchAnswer(answer.hits) for answer in answers)
    chosen = [url for url in found if wanted(url)][:most]
    before = reader.fetcher.fetches
    sources = await reader.fetcher.fetch_all(chosen, limit=limit)
    tried = tuple(one for one in sources if one.state is not SourceState.NOT_FETCHED)
    return Deepened(plan.iteration, tuple(answers), tried, reader.fetcher.fetches - before)


async def _answer(query: DeepeningQuery, searching: Searching) -> QueryAnswer:
    asked = _cut(query.query, searching.query_characters)
    try:
        answer = await searching.search(asked)
    except SearchUnavailable as error:
        return QueryAnswer(query, asked, problem=str(error))
    return QueryAnswer(query, asked, hits=answer.hits)


def _cut(query: str, most: int) -> str:
    """`query` without the last words that are too many."""
    return query if len(query) <= most else query[: most + 1].rpartition(" ")[0]


def gap_files(analysis: GapAnalysis) -> tuple[ArtefactFile, ...]:
    """The artefacts of an iteration's gap analysis; queries only where they are carried on."""
    files = [
        ArtefactFile(GAPS_FILE, to_json(GapReport, analysis.report) + "\n"),
        ArtefactFile(CRITIQUE_FILE, to_json(EvidenceCritique, analysis.critique) + "\n"),
    ]
    if analysis.plan is not None:
        files.append(ArtefactFile(QUERIES_FILE, to_json(DeepeningPlan, analysis.plan) + "\n"))
    return tuple(files)

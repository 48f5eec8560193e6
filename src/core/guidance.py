"""What the analyst is told beside the findings: how the evidence stands, and what was found."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

from ..sources.model import Source
from ..sources.search.model import SearchHit
from ..verification.deepening.model import DeepeningQuery, EvidenceCritique


@dataclass(frozen=True, slots=True)
class QueryAnswer:
    """A deepening query as it was `asked`, with its hits, or the `problem` why there is no answer.

    No hits and no problem: the provider says that there are none.
    """

    query: DeepeningQuery
    asked: str
    _: KW_ONLY
    hits: tuple[SearchHit, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Deepened:
    """What the search for an iteration's gaps gave; also `deepening_iteration_N.json`.

    `sources` are the hits that code read or tried to; `fetches` counts those over the network.
    """

    iteration: int
    answers: tuple[QueryAnswer, ...]
    sources: tuple[Source, ...]
    fetches: int


@dataclass(frozen=True, slots=True)
class Guidance:
    """How the evidence of the last draft stands, and the answers to its deepening queries."""

    critique: EvidenceCritique
    answers: tuple[QueryAnswer, ...] = ()

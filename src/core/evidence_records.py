"""Records of a draft's evidence: sources, claims, ledger and gate, and the files that hold them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from enum import StrEnum
from typing import Protocol

from ..base.records import to_json
from ..base.vocabulary import SourceState
from ..claims.accounting import AccountedSentence
from ..claims.model import Claim
from ..documents.model import Document
from ..sources.model import Source
from ..verification.challenge.model import Told
from ..verification.model import ClaimAssessment, Evidence
from .artefacts import ArtefactFile
from .gaps import DeepeningPlan
from .tasks import digest
from .work import GapSearchRecord, IterationEvidence

LEDGER_FILE = "claim_ledger.json"
UNREVIEWED_FILE = "claim_ledger_unreviewed.json"
"""The ledger as the checkers left it, where people's decisions changed it."""
GATE_FILE = "evidence_gate_result.json"
RELIABILITY_FILE = "source_reliability.json"
MAP_FILE = "claim_evidence_map.json"
CRITIQUE_FILE = "critique.json"
CHALLENGE_RECORD = "challenge.json"


def claims_name(iteration: int) -> str:
    """The name of an iteration's `ClaimsFile`."""
    return f"claims_iteration_{iteration}.json"


def recovery_name(iteration: int) -> str:
    """The name of the record of an iteration's `Recovery`."""
    return f"recovery_iteration_{iteration}.json"


def sources_step(iteration: int, document: Document) -> tuple[str, str]:
    """The name and the key under which the sources of an iteration are journalled."""
    return f"{iteration}/sources", digest([document.sha256, *document.cited_urls()])


def deepening_step(plan: DeepeningPlan) -> tuple[str, str]:
    """The name and the key under which the answers to a plan's queries are journalled."""
    return f"{plan.iteration}/deepening", digest([query.query for query in plan.queries])


@dataclass(frozen=True, slots=True)
class ClaimsFile:
    """`claims_iteration_N.json`: the list that every checker must answer.

    `sentences` are all of the draft's body, with what becomes of each.
    """

    iteration: int
    document_sha256: str
    language: str
    claims: tuple[Claim, ...]
    assessments: Mapping[str, ClaimAssessment]
    sources: Mapping[str, Source]
    sentences: tuple[AccountedSentence, ...] = ()


@dataclass(frozen=True, slots=True)
class Corroboration:
    """Evidence about claims from sources other than those that each claim cites.

    `shown` has their words by claim id; `sources` are those that the document does not cite.
    """

    shown: Mapping[str, tuple[Evidence, ...]] = field(
        default_factory=dict[str, tuple[Evidence, ...]]
    )
    sources: tuple[Source, ...] = ()


NO_CORROBORATION = Corroboration()


class ReadFor(StrEnum):
    """Why a source was read."""

    CITED = "cited"
    FOUND = "found"


@dataclass(frozen=True, slots=True)
class RecoveryRead:
    """One read: what became of it, and the state before of a source that is cited."""

    why: ReadFor
    source: Source
    _: KW_ONLY
    before: SourceState | None = None


@dataclass(frozen=True, slots=True)
class Recovery:
    """The reads of an iteration's recovery, at most `most`; also `recovery_iteration_N.json`."""

    most: int
    reads: tuple[RecoveryRead, ...] = ()

    @property
    def found(self) -> tuple[Source, ...]:
        """The sources that a search had found and that could be read."""
        return tuple(
            read.source
            for read in self.reads
            if read.why is ReadFor.FOUND and read.source.state.readable
        )

    def over(self, cited: Sequence[Source]) -> tuple[Source, ...]:
        """`cited` as it is after the recovery."""
        again = {read.source.url: read.source for read in self.reads if read.why is ReadFor.CITED}
        return tuple(again.get(source.url, source) for source in cited)


@dataclass(frozen=True, slots=True)
class FetchedSources:
    """The journal's record of an iteration's fetches; `fetches` went over the network.

    `sources` are those cited, as they are after the `recovery`; None in runs without one.
    """

    sources: tuple[Source, ...]
    fetches: int
    recovery: Recovery | None = None


def prepared_files(
    iteration: int,
    evidence: IterationEvidence,
    sentences: tuple[AccountedSentence, ...],
    recovery: Recovery | None,
) -> Iterator[ArtefactFile]:
    """The list of claims, and what was read beyond the first attempt."""
    file = ClaimsFile(
        iteration=iteration,
        document_sha256=evidence.document.sha256,
        language=evidence.document.language,
        claims=evidence.claims,
        assessments=evidence.assessments,
        sources=evidence.sources.sources,
        sentences=sentences,
    )
    yield ArtefactFile(claims_name(iteration), to_json(ClaimsFile, file) + "\n")
    if recovery is not None and recovery.reads:
        yield ArtefactFile(recovery_name(iteration), to_json(Recovery, recovery) + "\n")


class RecordedRun(Protocol):
    """A recorded run, which supplies its sources and replies again in a replay."""

    def sources(self, iteration: int, document: Document) -> FetchedSources:
        """Return the sources that an iteration's document cites, with its second reads."""
        ...

    def gap_search(self, plan: DeepeningPlan) -> GapSearchRecord | None:
        """Return the results of the searches of `plan`; None if none was made."""
        ...

    def replies(self, name: str, key: str) -> Told | None:
        """Return the outside replies to a challenge step; None if there are none."""
        ...

    def unsearched(self, iteration: int) -> tuple[str, ...]:
        """Return the failures of the search provider up to an iteration."""
        ...

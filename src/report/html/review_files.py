"""A review directory as its page reads it: findings and claims one by one, as they are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from ...review.contents import KnownIds, valid_decision
from ...review.cross_reference import CrossMetrics, CrossReference, CrossRow
from ...review.extraction import ExcludedClaim
from ...review.model import (
    CompiledFinding,
    DroppedClaim,
    DroppedFinding,
    KilledFinding,
    ReviewPhase,
)
from ...review.outside import WebQuery
from ...review.sealing import require_sealed
from ...review.store import FILES, ReviewStore
from ...review.types import ExtractedClaim, WebResult
from ...sources.model import Source
from ...sources.scoring.appraisal import SourceRating
from ...sources.snapshot_store import SnapshotStore
from ..review_report import (
    READING_ORDER,
    Appendix,
    CheckedClaim,
    Places,
    ReportedClaim,
    ReportedFinding,
    ReviewReport,
    empty_report,
    unread,
)
from .json_stream import elements, record_of, value_at
from .lazy_records import KeyedRecords, LazyRecords
from .source_cards import QuotedSources, Quotes

T = TypeVar("T")
_REVIEW = "review"


class ReviewFiles:
    """A review read from its directory, as far as it has come; nothing is written.

    `report` equals that of `review_report`, but its findings and claims are read lazily. `sources`
    and `ratings` are those of the external verification, `quoted` the sources that are evidence.

    Args:
        review_dir: The review.
        most_kept: Findings, and claims, up to which they are kept in memory.

    Raises:
        RunDirectoryError: It is no review directory, is damaged, or tells of a claim or a finding
            that it does not have, or a finding was changed after the findings were sealed.
    """

    def __init__(self, review_dir: Path, most_kept: int) -> None:
        store = ReviewStore.open(review_dir)
        self._path = store.path
        self._most_kept = most_kept
        self.manifest = store.manifest
        self._sealed = store.manifest.sealed or {}
        self.original = store.original()
        self.quotes = Quotes(SnapshotStore(store.sources))
        self._places = Places(self.original)
        tested = self._reached(ReviewPhase.SMOKE)
        require_sealed(self._numbered() if tested else None, self.manifest.sealed)
        self.quoted = QuotedSources()
        self._looked_up = self._require_named()
        self.sources = tuple(self._read(ReviewPhase.WEB, "sources", Source))
        rated = partial(self._read, ReviewPhase.WEB, "ratings", SourceRating, optional=True)
        self.ratings = {one.url: one for one in rated()}
        self.report: ReviewReport = replace(
            empty_report(self.manifest),
            decision=valid_decision(store),
            compiled=self._reached(ReviewPhase.COMPILED),
            smoke_tested=tested,
            findings=self._again(self._standing),
            killed=self._again(self._killed),
            dropped=self._again(self._dropped),
            appendix=self._appendix(),
        )

    # --- the findings -----------------------------------------------------------------------

    def _numbered(self) -> Iterator[CompiledFinding]:
        """The findings that have survived so far."""
        tested = self._reached(ReviewPhase.SMOKE)
        phase = ReviewPhase.SMOKE if tested else ReviewPhase.COMPILED
        return self._read(phase, "findings", CompiledFinding)

    def _standing(self) -> Iterator[ReportedFinding]:
        return (self._places.compiled(one, self._sealed) for one in self._numbered())

    def _dropped(self) -> Iterator[ReportedFinding]:
        return map(self._places.dropped, self._read(ReviewPhase.SMOKE, "dropped", DroppedFinding))

    def _killed(self) -> Iterator[ReportedFinding]:
        return map(self._places.killed, self._read(ReviewPhase.COMPILED, "killed", KilledFinding))

    # --- the claims -------------------------------------------------------------------------

    def _require_named(self) -> frozenset[str]:
        """Go through what was found outside once; the ids of the claims that were looked up."""
        tested = self._reached(ReviewPhase.SMOKE)
        named = KnownIds(
            (one.id for one in self._claims()),
            (one.number for one in (self._numbered() if tested else ())),
        )
        for result in self._results():
            named.require_claim(result)
            self.quoted.add(one.evidence for one in result.sources)
        for row in self._rows():
            named.require_row(row)
        return frozenset(named.looked_up)

    def _claims(self) -> Iterator[ExtractedClaim]:
        return self._read(ReviewPhase.CLAIM_SMOKE, "claims", ExtractedClaim)

    def _results(self) -> Iterator[WebResult]:
        return self._read(ReviewPhase.WEB, "results", WebResult)

    def _rows(self) -> Iterator[CrossRow]:
        return self._read(ReviewPhase.CROSS_REFERENCE, "rows", CrossRow)

    def _checked(self) -> Iterator[CheckedClaim]:
        """The results, each with its claim."""
        claims = KeyedRecords((one.id, one) for one in self._claims() if one.id in self._looked_up)
        for number, result in enumerate(self._results(), start=1):
            claim = claims.take(result.claim_id)
            if claim is not None:
                yield CheckedClaim(number, self._places.claim(claim), result)

    def _not_verified(self) -> Iterator[ReportedClaim]:
        left = (one for one in self._claims() if one.id not in self._looked_up)
        return map(self._places.claim, left)

    def _failed(self) -> Iterator[ReportedClaim]:
        dropped = self._read(ReviewPhase.CLAIM_SMOKE, "dropped", DroppedClaim)
        return map(self._places.failed, dropped)

    def _appendix(self) -> Appendix | None:
        needed = (ReviewPhase.CLAIM_SMOKE, ReviewPhase.WEB, ReviewPhase.CLAIMS)
        if not all(map(self._reached, needed)):
            return None
        queries = self._read(ReviewPhase.WEB, "queries", WebQuery)
        excluded = partial(self._read, ReviewPhase.CLAIMS, "excluded", ExcludedClaim)
        return Appendix(
            READING_ORDER,
            sum(bool(query.query) for query in queries),
            len(self.sources),
            unread(self.sources),
            self._again(self._checked),
            self._cross_reference(),
            self._again(self._not_verified),
            self._again(self._failed),
            self._again(excluded),
        )

    def _cross_reference(self) -> CrossReference | None:
        if not self._reached(ReviewPhase.CROSS_REFERENCE):
            return None
        path = self._path / FILES[ReviewPhase.CROSS_REFERENCE]
        metrics = record_of(CrossMetrics, value_at(path, "metrics", _REVIEW), path, _REVIEW)
        return CrossReference(self._again(self._rows), metrics)

    # --- reading ----------------------------------------------------------------------------

    def _reached(self, phase: ReviewPhase) -> bool:
        return (self._path / FILES[phase]).exists()

    def _read(
        self, phase: ReviewPhase, key: str, kind: type[T], *, optional: bool = False
    ) -> Iterator[T]:
        """Yield the records that `phase` stored at `key`; none if it was not reached."""
        path = self._path / FILES[phase]
        if path.exists():
            for value in elements(path, key, _REVIEW, optional=optional):
                yield record_of(kind, value, path, _REVIEW)

    def _again(self, read: Callable[[], Iterator[T]]) -> LazyRecords[T]:
        return LazyRecords(read, self._most_kept)

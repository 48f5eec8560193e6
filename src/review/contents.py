"""All that a review directory holds, read back: what every report of a review is made from."""

from __future__ import annotations

from dataclasses import dataclass

from ..base.errors import RunDirectoryError
from .cross_reference import CrossReference
from .extraction import Extraction
from .model import (
    ClaimsTested,
    CompiledFinding,
    CompiledReview,
    GateDecision,
    ReviewPhase,
    SmokeTested,
    WebChecked,
)
from .originals import Original
from .sealing import require_sealed
from .store import FILES, ReviewManifest, ReviewStore


@dataclass(frozen=True, slots=True)
class ReviewContents:
    """A review as far as it has come; what a phase leaves is None until it was reached.

    `decision` is the one about `compiled` as it stands.
    """

    manifest: ReviewManifest
    original: Original
    compiled: CompiledReview | None = None
    decision: GateDecision | None = None
    tested: SmokeTested | None = None
    extraction: Extraction | None = None
    claims: ClaimsTested | None = None
    web: WebChecked | None = None
    cross_reference: CrossReference | None = None

    @property
    def findings(self) -> tuple[CompiledFinding, ...]:
        """The findings that have survived so far."""
        if self.tested is not None:
            return self.tested.findings
        return self.compiled.findings if self.compiled is not None else ()


def read_contents(store: ReviewStore) -> ReviewContents:
    """What `store` holds.

    Raises:
        RunDirectoryError: A file is damaged, or tells of a claim or a finding that those before it
            do not have, or a finding was changed after the findings were sealed; the message names
            it.
    """
    manifest = store.manifest
    tested = store.phase(ReviewPhase.SMOKE, SmokeTested)
    require_sealed(tested.findings if tested is not None else None, manifest.sealed)
    claims = store.phase(ReviewPhase.CLAIM_SMOKE, ClaimsTested)
    web = store.phase(ReviewPhase.WEB, WebChecked)
    beside = store.phase(ReviewPhase.CROSS_REFERENCE, CrossReference)
    known = {one.id for one in claims.claims} if claims is not None else set[str]()
    for result in web.results if web is not None else ():
        if result.claim_id not in known:
            raise _at_odds(ReviewPhase.WEB, f"a claim {result.claim_id!r} that passed no test")
    looked_up = {one.claim_id for one in web.results} if web is not None else set[str]()
    numbers = {one.number for one in tested.findings} if tested is not None else set[str]()
    for row in beside.rows if beside is not None else ():
        if row.claim_id not in looked_up:
            what = f"a claim {row.claim_id!r} that was not looked up"
            raise _at_odds(ReviewPhase.CROSS_REFERENCE, what)
        for number in row.findings:
            if number not in numbers:
                what = f"a finding {number!r} that the review has not"
                raise _at_odds(ReviewPhase.CROSS_REFERENCE, what)
    decision = store.phase(ReviewPhase.GATE, GateDecision)
    if decision is not None and decision.compiled_sha256 != store.phase_sha256(
        ReviewPhase.COMPILED
    ):
        decision = None
    return ReviewContents(
        manifest,
        store.original(),
        compiled=store.phase(ReviewPhase.COMPILED, CompiledReview),
        decision=decision,
        tested=tested,
        extraction=store.phase(ReviewPhase.CLAIMS, Extraction),
        claims=claims,
        web=web,
        cross_reference=beside,
    )


def _at_odds(phase: ReviewPhase, what: str) -> RunDirectoryError:
    return RunDirectoryError(
        f"{FILES[phase]} has {what}", "restore the review directory, or review the document again"
    )

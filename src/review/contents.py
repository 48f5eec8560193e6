"""The contents of a review directory, from which every report of a review is made."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from ..base.errors import RunDirectoryError
from .originals import Original
from .store import FILES, ReviewManifest, ReviewStore, require_sealed
from .types import (
    ClaimsTested,
    CompiledFinding,
    CompiledReview,
    CrossReference,
    CrossRow,
    Extraction,
    GateDecision,
    ReviewPhase,
    SmokeTested,
    WebChecked,
)


@dataclass(frozen=True, slots=True)
class ReviewContents:
    """A review as far as it has come; the result of a phase is None until it was reached.

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
    """Read the contents of `store`.

    Raises:
        RunDirectoryError: A file is damaged, or refers to a claim or finding that earlier files do
            not have, or a finding was changed after the sealing; the message names the file.
    """
    manifest = store.manifest
    tested = store.phase(ReviewPhase.SMOKE, SmokeTested)
    require_sealed(tested.findings if tested is not None else None, manifest.sealed)
    claims = store.phase(ReviewPhase.CLAIM_SMOKE, ClaimsTested)
    web = store.phase(ReviewPhase.WEB, WebChecked)
    beside = store.phase(ReviewPhase.CROSS_REFERENCE, CrossReference)
    passed = {one.id for one in claims.claims} if claims is not None else set[str]()
    looked_up = _claims_with_result(web, passed)
    numbers = {one.number for one in tested.findings} if tested is not None else set[str]()
    for row in beside.rows if beside is not None else ():
        _require_known(row, looked_up, numbers)
    return ReviewContents(
        manifest,
        store.original(),
        compiled=store.phase(ReviewPhase.COMPILED, CompiledReview),
        decision=valid_decision(store),
        tested=tested,
        extraction=store.phase(ReviewPhase.CLAIMS, Extraction),
        claims=claims,
        web=web,
        cross_reference=beside,
    )


def valid_decision(store: ReviewStore) -> GateDecision | None:
    """The decision of a person on the compiled review as it stands; None if there is none.

    Raises:
        RunDirectoryError: The decision is damaged.
    """
    decision = store.phase(ReviewPhase.GATE, GateDecision)
    if decision is None or decision.compiled_sha256 != store.phase_sha256(ReviewPhase.COMPILED):
        return None
    return decision


def _claims_with_result(web: WebChecked | None, passed: Collection[str]) -> set[str]:
    """The claims that were looked up, which have to be among those that `passed` their test."""
    found: set[str] = set()
    for result in web.results if web is not None else ():
        if result.claim_id not in passed:
            raise _at_odds(ReviewPhase.WEB, f"a claim {result.claim_id!r} that passed no test")
        if result.claim_id in found:
            raise _at_odds(ReviewPhase.WEB, f"a claim {result.claim_id!r} twice")
        found.add(result.claim_id)
    return found


def _require_known(row: CrossRow, looked_up: Collection[str], numbers: Collection[str]) -> None:
    """Refuse a row about a claim without a result, or about a finding that is not there."""
    if row.claim_id not in looked_up:
        what = f"a claim {row.claim_id!r} that was not looked up"
        raise _at_odds(ReviewPhase.CROSS_REFERENCE, what)
    for number in row.findings:
        if number not in numbers:
            what = f"a finding {number!r} that the review has not"
            raise _at_odds(ReviewPhase.CROSS_REFERENCE, what)


def _at_odds(phase: ReviewPhase, what: str) -> RunDirectoryError:
    return RunDirectoryError(
        f"{FILES[phase]} has {what}", "restore the review directory, or review the document again"
    )

"""The provenance of a document review: which finding came of what, who tested it, who decided."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ...review.contents import ReviewContents
from ...review.store import FILES, ORIGINAL_FOLDER, READING_COPY, ReviewStore
from ...review.types import ReviewPhase
from .model import Json
from .provenance import Facts, RecordGraph, StepKind

_GOES_BY: Mapping[ReviewPhase, tuple[ReviewPhase, ...]] = MappingProxyType(
    {
        ReviewPhase.RED: (),
        ReviewPhase.DEFENCE: (ReviewPhase.RED,),
        ReviewPhase.COMPILED: (ReviewPhase.RED, ReviewPhase.DEFENCE),
        ReviewPhase.SMOKE: (ReviewPhase.COMPILED, ReviewPhase.GATE),
        ReviewPhase.CLAIMS: (),
        ReviewPhase.CLAIM_SMOKE: (ReviewPhase.CLAIMS,),
        ReviewPhase.WEB: (ReviewPhase.CLAIM_SMOKE,),
        ReviewPhase.CROSS_REFERENCE: (ReviewPhase.SMOKE, ReviewPhase.WEB),
    }
)
"""Inputs of each phase besides the document; the gate is a person's decision."""


def review_provenance(store: ReviewStore, contents: ReviewContents) -> Json:
    """Return the provenance of the review in `store` as PROV-JSON.

    Raises:
        RunDirectoryError: A file of it is damaged.
        StorageError: A file cannot be read.
    """
    return _ReviewGraph(store, contents).build()


class _ReviewGraph(RecordGraph):
    """The graph of one review, put together from its beginning to its end."""

    def __init__(self, store: ReviewStore, contents: ReviewContents) -> None:
        super().__init__(store.path, store.manifest, store.events())
        self._contents = contents

    def build(self) -> Json:
        """The whole graph."""
        review = self._begin()
        document = self._document(review)
        left: dict[ReviewPhase, str] = {}
        for phase in ReviewPhase:
            if phase is ReviewPhase.GATE:
                found = self._decision(left)
            else:
                found = self._phase(phase, document, left)
            if found is not None:
                left[phase] = found
        self._parts()
        return self.json()

    def _begin(self) -> str:
        manifest = self._contents.manifest
        facts: Facts = {
            "id": manifest.id,
            "status": manifest.status.value if manifest.status else "",
            "reason": manifest.reason,
            "asOf": manifest.as_of.isoformat(),
            "backend": manifest.backend,
            "independent": manifest.independent,
        }
        started, ended = manifest.started, manifest.ended
        return self.activity(
            "review", "Review", manifest.title, facts, started=started, ended=ended, by=self.program
        )

    def _document(self, review: str) -> str | None:
        """The reading copy, derived from the document as it was given."""
        original = self._contents.manifest.original
        facts: Facts = {"kind": original.kind.value}
        given = self.file(f"{ORIGINAL_FOLDER}/{original.name}", "Document", facts)
        copy = self.file(READING_COPY, "ReadingCopy", by=review)
        self.use(review, [given])
        if given is not None and copy is not None:
            self.relate("wasDerivedFrom", copy, given)
        return copy

    def _phase(
        self, phase: ReviewPhase, document: str | None, left: Mapping[ReviewPhase, str]
    ) -> str | None:
        if not (self.folder / FILES[phase]).exists():
            return None
        # Without times if no event records it.
        recorded = [name for step, name in self.steps(StepKind.PHASE) if step.name == phase]
        label = f"phase {phase}"
        activity = (
            recorded[-1]
            if recorded
            else self.activity(f"phase.{phase}", "Phase", label, by=self.program)
        )
        before = [left[one] for one in _GOES_BY[phase] if one in left]
        self.use(activity, [document, *before])
        web = self._contents.web
        if phase is ReviewPhase.WEB and web is not None:
            self.use(activity, self.sources(web.sources).values())
        made = self.file(FILES[phase], f"Phase-{phase}", by=activity)
        for thing in before:
            if made is not None:
                self.relate("wasDerivedFrom", made, thing)
        return made

    def _decision(self, left: Mapping[ReviewPhase, str]) -> str | None:
        decision = self._contents.decision
        if decision is None:
            return None
        facts: Facts = {"choice": decision.choice.value}
        made, thing = self.decision(1, "GateDecision", decision.by, decision.at, facts)
        self.use(made, [left.get(ReviewPhase.COMPILED)])
        return thing

    def _parts(self) -> None:
        """Phases had what their parts found."""
        phases = self.steps(StepKind.PHASE)
        for part, activity in self.steps(StepKind.PART):
            under_way = [known for phase, known in phases if phase.started <= part.started]
            if under_way:
                self.relate("wasInformedBy", under_way[-1], activity)

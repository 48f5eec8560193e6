"""The provenance of a document review: which finding came of what, who tested it, who decided."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from ...review.contents import ReviewContents
from ...review.model import GateDecision, ReviewPhase
from ...review.store import FILES, ORIGINAL_FOLDER, READING_COPY, ReviewStore
from ..document_review import ANNOTATED_APPENDIX, ANNOTATED_FILE, REPORT_FILE, REPORT_JSON
from .model import Json
from .provenance import Activity, Entity, Fact
from .record_graph import RecordGraph
from .recorded_activities import ActivityKind, recorded_activities

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
_REPORTS = (REPORT_FILE, REPORT_JSON, "report.html", ANNOTATED_FILE, ANNOTATED_APPENDIX)


def review_provenance(store: ReviewStore, contents: ReviewContents) -> Json:
    """Return the provenance of the review in `store` as PROV-JSON.

    Raises:
        RunDirectoryError: A file of it is damaged.
        StorageError: A file cannot be read.
    """
    return _Review(store, contents).build()


class _Review:
    """The graph of one review, put together from its beginning to its end."""

    def __init__(self, store: ReviewStore, contents: ReviewContents) -> None:
        self._contents = contents
        self._record = RecordGraph(store.path, store.manifest, recorded_activities(store.events()))
        self._graph = self._record.graph

    def build(self) -> Json:
        """The whole graph."""
        review = self._begin()
        document = self._document(review)
        left: dict[ReviewPhase, Entity] = {}
        for phase in ReviewPhase:
            if phase is ReviewPhase.GATE:
                found = self._decision(left)
            else:
                found = self._phase(phase, document, left)
            if found is not None:
                left[phase] = found
        self._turns()
        self._reports(review, left)
        return self._graph.json()

    def _begin(self) -> Activity:
        manifest = self._contents.manifest
        facts: dict[str, Fact] = {
            "id": manifest.id,
            "status": manifest.status.value if manifest.status else "",
            "reason": manifest.reason,
            "asOf": manifest.as_of.isoformat(),
            "backend": manifest.backend,
            "independent": manifest.independent,
        }
        review = self._graph.activity(
            "review",
            "Review",
            manifest.title,
            facts,
            started=manifest.started,
            ended=manifest.ended,
        )
        self._graph.associated(review, self._record.program)
        return review

    def _document(self, review: Activity) -> tuple[Entity, ...]:
        """The document as it was given, and its reading copy."""
        original = self._contents.manifest.original
        facts: dict[str, Fact] = {"kind": original.kind.value}
        given = self._record.file(f"{ORIGINAL_FOLDER}/{original.name}", "Document", facts)
        copy = self._record.generated_file(READING_COPY, "ReadingCopy", review)
        if given is not None:
            self._graph.used(review, given)
        if given is not None and copy is not None:
            self._graph.derived(copy, given)
        return (copy,) if copy is not None else ()

    def _phase(
        self, phase: ReviewPhase, document: Iterable[Entity], left: Mapping[ReviewPhase, Entity]
    ) -> Entity | None:
        if not (self._record.folder / FILES[phase]).exists():
            return None
        activity = self._doing(phase)
        before = [left[one] for one in _GOES_BY[phase] if one in left]
        for thing in (*document, *before):
            self._graph.used(activity, thing)
        web = self._contents.web
        if phase is ReviewPhase.WEB and web is not None:
            for snapshot in self._record.sources(web.sources).values():
                self._graph.used(activity, snapshot)
        made = self._record.generated_file(FILES[phase], f"Phase-{phase}", activity)
        if made is not None:
            for thing in before:
                self._graph.derived(made, thing)
        return made

    def _doing(self, phase: ReviewPhase) -> Activity:
        """Return the activity of a phase, without times if no event records it."""
        for recorded, activity in reversed(self._record.activities(ActivityKind.PHASE)):
            if recorded.name == phase:
                return activity
        activity = self._graph.activity(f"phase.{phase}", "Phase", f"phase {phase}", {})
        self._graph.associated(activity, self._record.program)
        return activity

    def _decision(self, left: Mapping[ReviewPhase, Entity]) -> Entity | None:
        decision: GateDecision | None = self._contents.decision
        if decision is None:
            return None
        facts: dict[str, Fact] = {"choice": decision.choice.value}
        made, thing = self._record.add_decision(1, "GateDecision", decision.by, decision.at, facts)
        if ReviewPhase.COMPILED in left:
            self._graph.used(made, left[ReviewPhase.COMPILED])
        return thing

    def _turns(self) -> None:
        """Phases had what their parts found, and parts what their agents' turns answered."""
        phases = self._record.activities(ActivityKind.PHASE)
        turns = self._record.activities(ActivityKind.TURN)
        for part, activity in self._record.activities(ActivityKind.PART):
            under_way = [known for phase, known in phases if phase.started <= part.started]
            if under_way:
                self._graph.informed(under_way[-1], activity)
            for turn, answered in turns:
                # Its task is named for the part.
                if part.holds(turn) and turn.name.endswith(f"/{part.name}"):
                    self._graph.informed(activity, answered)

    def _reports(self, review: Activity, left: Mapping[ReviewPhase, Entity]) -> None:
        reporting = self._graph.activity(
            "reporting", "Reporting", "reports", {}, started=self._contents.manifest.ended
        )
        self._graph.associated(reporting, self._record.program)
        self._graph.informed(reporting, review)
        for thing in left.values():
            self._graph.used(reporting, thing)
        for name in _REPORTS:
            self._record.generated_file(name, "Report", reporting)

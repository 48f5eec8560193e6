"""Run and review directories as the package writes them, with given texts in all their records."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from foureyes.base.files import to_json
from foureyes.base.vocabulary import Location
from foureyes.core.approval import SETTLEMENT_FILE, ApprovalBasis, RunStatus, Settlement
from foureyes.core.artefacts import Judgement
from foureyes.core.config import PipelineConfig, PipelineMode
from foureyes.core.critique import CRITIQUE_FILE, Critique
from foureyes.core.gaps import GAPS_FILE, GapReport
from foureyes.core.iteration import (
    GATE_FILE,
    LEDGER_FILE,
    RELIABILITY_FILE,
    ClaimsFile,
    IterationOutcome,
    claims_name,
    outcome_name,
)
from foureyes.core.record_folder import RunEvent
from foureyes.core.run_analytics import AnalyticsFile
from foureyes.core.run_store import IterationSummary, RunInputs, RunStore
from foureyes.review.originals import Original, OriginalKind
from foureyes.review.store import ReviewInputs, ReviewStatus, ReviewStore, seal
from foureyes.review.types import (
    ClaimsTested,
    CompiledReview,
    CrossReference,
    Extraction,
    GateDecision,
    NotDone,
    ReviewPhase,
    SmokeTested,
    WebChecked,
)
from foureyes.sources.model import Snapshot
from foureyes.sources.scoring.appraisal import SourceReliability
from foureyes.sources.scoring.model import Part, Tier
from foureyes.sources.snapshot_store import SnapshotStore, sha256_hex
from foureyes.verification.model import GateResult, Ledger
from integration.hostile.records import MOMENT, Filler

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
_PARTS = ("authority", "recency", "completeness", "relevance")


@dataclass(frozen=True, slots=True)
class Draft:
    """A text with a paragraph for each of its words, and where these stand."""

    text: str
    spans: tuple[tuple[int, int], ...]

    def location(self, n: int) -> Location:
        """The paragraph of words `n`."""
        start, end = self.spans[n]
        return Location(self.text.count("\n", 0, start) + 1, 1, start, end, "Section")


def draft_of(words: Sequence[str], iteration: int) -> Draft:
    """Each of `words` in a sentence of its own."""
    text, spans = "# Stations\n\n", list[tuple[int, int]]()
    for n, word in enumerate(words):
        sentence = f"Station {n} made {1000 + n} gigawatt hours in {2000 + iteration} {word}."
        spans.append((len(text), len(text) + len(sentence)))
        text += f"{sentence}\n\n"
    return Draft(text, tuple(spans))


def write_run(root: Path, words: Sequence[str], turn: int = 0) -> tuple[Path, set[str]]:
    """A run directory below `root` that has all a run can leave, and the texts that were filled."""
    store = RunStore.create(
        root,
        RunInputs(f"Brief {words[turn % len(words)]}\n", MOMENT.date()),
        PipelineConfig(),
        mode=PipelineMode.FULL_EVALUATION,
        now=NOW,
    )
    drafts = [draft_of(words, iteration) for iteration in (1, 2)]
    filler = _filler(SnapshotStore(store.sources), drafts[1], words, turn)
    _iterations(store, filler, drafts)
    verified: dict[str, type[Any]] = {
        LEDGER_FILE: Ledger,
        GATE_FILE: GateResult,
        RELIABILITY_FILE: SourceReliability,
        CRITIQUE_FILE: Critique,
        GAPS_FILE: GapReport,
        SETTLEMENT_FILE: Settlement,
    }
    for name, kind in verified.items():
        store.write(f"verify/{name}", to_json(kind, filler.make(kind)))
    store.write("analytics.json", to_json(AnalyticsFile, filler.make(AnalyticsFile)))
    store.write("judgement.json", filler.make(Judgement).model_dump_json())
    _write_events(store, filler)
    manifest = filler.make(type(store.manifest))
    store.update(
        title=manifest.title,
        status=RunStatus.APPROVED,
        reason=manifest.reason,
        ended=NOW,
        best_iteration=2,
        approval_basis=ApprovalBasis.DETERMINISTIC_CHECKS,
        iterations=filler.make(tuple[IterationSummary, ...])[:2],
    )
    return store.path, filler.filled


def _iterations(store: RunStore, filler: Filler, drafts: Sequence[Draft]) -> None:
    for number, draft in enumerate(drafts, start=1):
        filler.given = {
            **filler.given,
            "ClaimsFile.iteration": number,
            "Ledger.iteration": number,
            "IterationOutcome.iteration": number,
        }
        files = {
            f"analysis_iteration_{number}.md": draft.text,
            claims_name(number): to_json(ClaimsFile, filler.make(ClaimsFile)),
            outcome_name(number): to_json(IterationOutcome, filler.make(IterationOutcome)),
        }
        for name, text in files.items():
            store.write(f"iterations/{name}", text)
        if number < len(drafts):
            folder = f"verify/iteration_{number}"
            (store.path / folder).mkdir(exist_ok=True)
            store.write(f"{folder}/{LEDGER_FILE}", to_json(Ledger, filler.make(Ledger)))
            store.write(f"{folder}/{GATE_FILE}", to_json(GateResult, filler.make(GateResult)))


def _write_events(store: RunStore | ReviewStore, filler: Filler) -> None:
    events = filler.make(tuple[RunEvent, ...])
    lines = (to_json(RunEvent, event, indent=None) + "\n" for event in events)
    store.write("events.jsonl", "".join(lines))


def _filler(store: SnapshotStore, draft: Draft, words: Sequence[str], turn: int) -> Filler:
    """What fills records that speak of `draft` and quote one snapshot."""
    source = draft_of(words, 3)
    body = source.text.encode()
    digest = sha256_hex(body)
    url = "https://example.org/"
    store.put(
        body, source.text, Snapshot(digest, digest, (url,), NOW, 200, "text/plain", len(body))
    )
    places = _Places(digest, draft, source, words)
    return Filler(words, turn, places.given(), places.each())


@dataclass(frozen=True, slots=True)
class _Places:
    """What records say of places: in the draft, and in the snapshot that they quote."""

    digest: str
    draft: Draft
    source: Draft
    words: Sequence[str]

    def given(self) -> dict[object, object]:
        """What is the same for all elements."""
        names = ("Evidence", "WeighedEvidence", "Snapshot")
        hashes = {f"{name}.sha256": self.digest for name in names}
        return {**hashes, "Snapshot.text_sha256": self.digest}

    def each(self) -> dict[object, Callable[[int], object]]:
        """What depends on the number of an element."""
        found: dict[object, Callable[[int], object]] = {
            Location: self.draft.location,
            "RedFinding.line": self._line,
            "ExtractedClaim.line": self._line,
            "CompiledFinding.number": self._number,
            "CrossRow.findings": lambda n: (self._number(n),),
            "SourceRating.tier": lambda n: Tier(n % len(Tier) + 1).name,
            "SourceRating.parts": self._parts,
        }
        for name in ("Evidence", "WeighedEvidence"):
            found[f"{name}.quote"] = self._quote
            found[f"{name}.start"] = lambda n: self.source.spans[n][0]
            found[f"{name}.end"] = lambda n: self.source.spans[n][1]
        return found

    def _line(self, n: int) -> int:
        return self.draft.location(n).line

    def _number(self, n: int) -> str:
        return f"T-{n + 1}"

    def _quote(self, n: int) -> str:
        return self.source.text[slice(*self.source.spans[n])]

    def _parts(self, n: int) -> dict[str, Part]:
        return dict.fromkeys(_PARTS, Filler([self.words[n]]).make(Part))


def write_review(root: Path, words: Sequence[str], turn: int = 0) -> tuple[Path, set[str]]:
    """A review directory below `root` that has all phases, and the texts that were filled."""
    draft = draft_of(words, 1)
    data = draft.text.encode()
    original = Original("plan.md", OriginalKind.MARKDOWN, sha256_hex(data), draft.text)
    inputs = ReviewInputs(original, data, MOMENT.date(), words[turn % len(words)], True)
    store = ReviewStore.create(root, inputs, PipelineConfig(), now=NOW)
    filler = _filler(SnapshotStore(store.sources), draft, words, turn)
    kinds: dict[ReviewPhase, type[Any]] = {
        ReviewPhase.COMPILED: CompiledReview,
        ReviewPhase.SMOKE: SmokeTested,
        ReviewPhase.CLAIMS: Extraction,
        ReviewPhase.CLAIM_SMOKE: ClaimsTested,
        ReviewPhase.WEB: WebChecked,
        ReviewPhase.CROSS_REFERENCE: CrossReference,
    }
    for phase, kind in kinds.items():
        store.write_phase(phase, filler.make(kind))
        if phase is ReviewPhase.COMPILED:
            filler.given = {
                **filler.given,
                "GateDecision.compiled_sha256": store.phase_sha256(phase),
            }
            store.write_phase(ReviewPhase.GATE, filler.make(GateDecision))
    store.write("analytics.json", to_json(AnalyticsFile, filler.make(AnalyticsFile)))
    _write_events(store, filler)
    manifest = filler.make(type(store.manifest))
    tested = store.phase(ReviewPhase.SMOKE, SmokeTested)
    store.update(
        title=manifest.title,
        status=ReviewStatus.COMPLETED,
        reason=manifest.reason,
        ended=NOW,
        not_done=filler.make(tuple[NotDone, ...]),
        sealed=seal(tested.findings) if tested else None,
    )
    return store.path, filler.filled

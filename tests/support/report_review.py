"""Review directories of any size with any text in them, written as a review writes them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path

from foureyes.base.files import to_json
from foureyes.base.vocabulary import Drift, Severity, SourceState, Stance
from foureyes.claims.model import ClaimTopic, Materiality, Polarity, Temporality
from foureyes.core.config import BudgetConfig
from foureyes.core.run_analytics import AgentFigures, AnalyticsFile
from foureyes.core.tasks import TurnUsage
from foureyes.redteam.model import FlawKind, Lens
from foureyes.review.compiling import LETTERS, line_of
from foureyes.review.originals import Original, OriginalKind
from foureyes.review.store import ReviewInputs, ReviewStatus, ReviewStore, seal
from foureyes.review.types import (
    ClaimsTested,
    CompiledFinding,
    CompiledReview,
    CrossMetrics,
    CrossReference,
    CrossRow,
    Defence,
    DefenceOutcome,
    DroppedClaim,
    DroppedFinding,
    ExcludedClaim,
    ExtractedClaim,
    Extraction,
    GateChoice,
    GateDecision,
    KilledFinding,
    NotDone,
    RedFinding,
    ReviewPhase,
    SmokeTested,
    WebChecked,
    WebQuery,
    WebResult,
    WebSource,
    WebVerdict,
)
from foureyes.sources.model import Source
from foureyes.sources.snapshot_store import SnapshotStore
from foureyes.verification.model import Evidence
from support.report_run import NOW, Words, nothing, quote, rating_of, sources_of

_OUTCOMES = (DefenceOutcome.SURVIVED, DefenceOutcome.WEAKENED, None)


@dataclass(frozen=True, slots=True)
class ReportReview:
    """What a review directory is to hold: `findings` and `claims`, and `words` everywhere.

    Of the findings every tenth was killed and every eleventh dropped, of the claims every tenth is
    background and every eleventh failed its smoke test.
    """

    findings: int
    claims: int
    words: Words = nothing
    independent: bool = False

    def write(self, root: Path) -> Path:
        """The review directory, below `root`."""
        lines = max(self.findings, self.claims)
        text = f"# Stations {self.words(0)}\n\n" + "".join(map(self._line, range(lines)))
        data = text.encode("utf-8", "surrogatepass")
        original = Original(
            "plan.md", OriginalKind.MARKDOWN, hashlib.sha256(data).hexdigest(), text
        )
        inputs = ReviewInputs(
            original, data, date(2026, 1, 2), "offline", independent=self.independent
        )
        store = ReviewStore.create(root, inputs, BudgetConfig(), now=NOW)
        places = [*_lines(original, lines)]
        tested = self._found(store, original, places)
        self._looked_up(store, places, tested)
        self._end(store, tested)
        return store.path

    def _line(self, n: int) -> str:
        return f"{_said(n)} {self.words(n)}\n\n"

    def _found(self, store: ReviewStore, original: Original, lines: Sequence[int]) -> SmokeTested:
        """Phases 1 to 3."""
        standing, killed, dropped = (
            list[CompiledFinding](),
            list[KilledFinding](),
            list[DroppedFinding](),
        )
        for n in range(self.findings):
            finding, words = self._finding(n, lines[n]), self.words(n)
            if n % 10 == 9:
                defence = Defence(finding.id, DefenceOutcome.KILLED, f"No: {words}", f"see {words}")
                killed.append(KilledFinding(finding, defence))
                continue
            outcome = _OUTCOMES[n % len(_OUTCOMES)]
            defence = outcome and Defence(finding.id, outcome, f"Perhaps {words}", f"as {words}")
            doubt = f"doubt {words}" if n % 7 == 6 else ""
            number = f"{LETTERS[finding.lens]}-{n + 1}"
            one = CompiledFinding(number, finding, defence, (f"other {n}",), doubt)
            if n % 11 == 10:
                dropped.append(DroppedFinding(one, f"its quote is not there {words}"))
            else:
                standing.append(one)
        tested = SmokeTested(tuple(standing), tuple(dropped))
        everything = (*standing, *(one.finding for one in dropped))
        compiled = CompiledReview(original.document.sha256, everything, tuple(killed))
        store.write_phase(ReviewPhase.COMPILED, compiled)
        digest = store.phase_sha256(ReviewPhase.COMPILED)
        decision = GateDecision(GateChoice.GO_ON, f"a person {self.words(1)}", NOW, digest)
        store.write_phase(ReviewPhase.GATE, decision)
        store.write_phase(ReviewPhase.SMOKE, tested)
        return tested

    def _finding(self, n: int, line: int) -> RedFinding:
        words, lens = self.words(n), tuple(Lens)[n % len(Lens)]
        return RedFinding(
            f"{lens}-{n:02}",
            lens,
            _said(n),
            line,
            f"issue {words}" if words else tuple(FlawKind)[n % len(FlawKind)],
            f"This is not so. {words}",
            tuple(Severity)[n % len(Severity)],
            by_rules=n % 2 == 0,
        )

    def _looked_up(self, store: ReviewStore, lines: Sequence[int], tested: SmokeTested) -> None:
        """Phase 4."""
        claims = tuple(self._claim(n, lines[n]) for n in range(self.claims))
        passed = tuple(one for n, one in enumerate(claims) if n % 11 != 10)
        failed = tuple(
            DroppedClaim(one, f"it says more {self.words(n)}")
            for n, one in enumerate(claims)
            if n % 11 == 10
        )
        excluded = ExcludedClaim(f"Perhaps {self.words(2)}", "Perhaps", 1, f"rule {self.words(3)}")
        extraction = Extraction(claims, (excluded,))
        store.write_phase(ReviewPhase.CLAIMS, extraction)
        store.write_phase(ReviewPhase.CLAIM_SMOKE, ClaimsTested(passed, failed))
        sources = sources_of(self.words, self.claims, SnapshotStore(store.sources), more=1)
        weighty = [one for one in passed if one.materiality is Materiality.LOAD_BEARING]
        results = tuple(self._result(int(one.id[2:], 16), one, sources) for one in weighty)
        unread = Source(f"https://gone.test/{self.words(4)}", SourceState.DEAD, self.words(5))
        asked = WebQuery(claims[0].id, f"stations {self.words(6)}") if claims else None
        ratings = tuple(rating_of(n, one, self.words(n)) for n, one in enumerate(sources))
        checked = WebChecked(results, (asked,) if asked else (), (*sources, unread), ratings)
        store.write_phase(ReviewPhase.WEB, checked)
        numbers = {int(one.finding.id.split("-")[1]): one.number for one in tested.findings}
        rows = tuple(
            self._row(one, result, numbers.get(int(one.id[2:], 16)))
            for one, result in zip(weighty, results, strict=True)
        )
        metrics = CrossMetrics(len(rows), 4, 1, 0.25, 3, 2, 1)
        store.write_phase(ReviewPhase.CROSS_REFERENCE, CrossReference(rows, metrics))

    def _claim(self, n: int, line: int) -> ExtractedClaim:
        return ExtractedClaim(
            f"c-{n:08x}",
            f"Station {n} produced {1000 + n} gigawatt hours. {self.words(n)}",
            _said(n),
            line,
            tuple(ClaimTopic)[n % len(ClaimTopic)],
            Materiality.BACKGROUND if n % 10 == 8 else Materiality.LOAD_BEARING,
            tuple(Temporality)[n % 2],
            tuple(Polarity)[n % 3],
            by_rules=n % 2 == 0,
        )

    def _result(self, n: int, claim: ExtractedClaim, sources: Sequence[Source]) -> WebResult:
        words, number = self.words(n), n % len(sources)
        source = sources[number]
        assert source.snapshot is not None
        said = quote(number, self.words(number), more=1)
        start = len(f"Before {self.words(number)}. ")
        stance = Stance.SUPPORTS if n % 2 else Stance.CONTRADICTS
        evidence = Evidence(
            source.url, source.snapshot.sha256, said, start, start + len(said), stance
        )
        day = date(2025, 1, 1)
        found = WebSource("T2", evidence, n % 3 == 0, citation=f"[1] {words}", dated=day)
        return WebResult(
            claim.id,
            tuple(WebVerdict)[n % len(WebVerdict)],
            f"the source has it {words}",
            (found,) if n % 4 != 3 else (),
            drift=tuple(Drift)[n % len(Drift)],
            temporal_note=f"since then {words}",
            circular=n % 3 == 0,
            found=f"{1001 + n} {words}",
        )

    def _row(self, claim: ExtractedClaim, result: WebResult, finding: str | None) -> CrossRow:
        at_issue = result.verdict in (WebVerdict.CONTRADICTED, WebVerdict.DISPUTED)
        return CrossRow(
            claim.id,
            claim.statement,
            claim.quote,
            claim.line,
            result.found,
            result.verdict,
            (finding is not None) if at_issue else None,
            (finding,) if finding else (),
        )

    def _end(self, store: ReviewStore, tested: SmokeTested) -> None:
        everything = " ".join(self.words(n) for n in range(self.findings))
        usage = TurnUsage(cost_usd=Decimal("0.25"), wall_s=2.5, input_tokens=900)
        agents = tuple(
            AgentFigures(f"{name}{everything[:400]}", 1, 2, 1, usage)
            for name in ("red_reviewer", "blue_defender", "web_verifier")
        )
        analytics = AnalyticsFile(agents, usage, 6, 12.5)
        store.write("analytics.json", to_json(AnalyticsFile, analytics))
        store.update(
            title=f"Stations {everything}",
            status=ReviewStatus.COMPLETED,
            reason=f"every part was done {everything}",
            ended=NOW,
            not_done=(NotDone(ReviewPhase.WEB, f"part {everything}", f"why {everything}"),)
            if everything.strip()
            else (),
            sealed=seal(tested.findings),
        )


def _said(n: int) -> str:
    """What the document says of station `n`."""
    return f"Station {n} produced {1000 + n} gigawatt hours in 2001."


def _lines(original: Original, stations: int) -> Iterator[int]:
    """The line of what is said of each station."""
    at = 0
    for n in range(stations):
        at = original.text.index(_said(n), at)
        yield line_of(at, original)

"""Figures of each agent in each iteration, counted once, over all sessions of a run."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal

from ..base.files import to_json
from ..base.vocabulary import FailCode, GateDecision, Recommendation, Severity, SupportTier, Verdict
from ..verification.ledger.building import accuracy_score, coverage
from ..verification.model import ClaimAssessment, GateMetrics, Ledger
from ..verification.severity import severity_counts
from .budget import Spent
from .iteration import Conclusion
from .record_folder import RunEvent
from .tasks import Role, TurnUsage
from .work import Examination

NO_USAGE = TurnUsage()
ANSWER = "answer"
"""The detail of a turn's event that stands for a whole answer."""

_UNCHECKED = frozenset({Verdict.NOT_CHECKABLE, Verdict.SOURCE_UNAVAILABLE})


@dataclass(frozen=True, slots=True)
class ClaimFigures:
    """Claims of an iteration as one checker left them.

    `found` counts all of them. `checked`, `supported` and `contradicted` count those that the
    checker answered for: `checked` leaves out claims that cannot be checked or whose source could
    not be read.
    """

    found: int = 0
    checked: int = 0
    supported: int = 0
    contradicted: int = 0


@dataclass(frozen=True, slots=True)
class AgentFigures:
    """One agent in one iteration.

    `fetch_allowance` counts the fetches that it may make, None without any. `iteration` counts
    from 1. `turns` counts the agent's turns, `failed_turns` those of them that ended in a failure.
    `issues` counts its findings by severity.

    The fields from `claims` on are None for an agent that examines nothing.
    """

    agent: str
    iteration: int
    turns: int
    failed_turns: int
    usage: TurnUsage
    fetch_allowance: int | None = None
    claims: ClaimFigures | None = None
    issues: Mapping[Severity, int] | None = None
    recommendation: Recommendation | None = None
    stated_recommendation: Recommendation | None = None


@dataclass(frozen=True, slots=True)
class LedgerFigures:
    """The ledger of an iteration: how many claims have each verdict and each tier.

    `verdicts` and `tiers` count claims; a tier that no claim has is left out. `moved` counts the
    claims that came to another state than in the iteration before. `accuracy_score` (0–100) and
    `coverage` (0–1) are those of the fact check (decision 24).
    """

    verdicts: Mapping[Verdict, int]
    tiers: Mapping[SupportTier, int]
    moved: int
    accuracy_score: float | None
    coverage: float | None


@dataclass(frozen=True, slots=True)
class FactCheckFigures:
    """The result of an iteration's fact check (fact-checker spec, analytics).

    `accuracy` is 0–100, None where no claim with a source was checked. `issues` counts the fact
    checker's findings by severity.
    """

    accuracy: float | None
    issues: Mapping[Severity, int]
    recommendation: Recommendation


@dataclass(frozen=True, slots=True)
class IterationFigures:
    """Code's conclusion from an iteration: gate, claims and the critique's score.

    `cost_usd` is what all agents cost up to then, `cost_per_verified_claim` its share of each claim
    that is verified; None for an unknown price, and where no claim is or nothing was spent.
    `fact_check` is None without an answer of the fact checker. `iteration` counts from 1.
    `quality_score` (0–1) is the critique's, None where there is none.
    """

    iteration: int
    decision: GateDecision
    profile: str
    rule: str
    fail_code: FailCode | None
    metrics: GateMetrics
    cost_usd: Decimal | None
    cost_per_verified_claim: Decimal | None
    _: KW_ONLY
    claims: LedgerFigures | None = None
    quality_score: float | None = None
    fact_check: FactCheckFigures | None = None


@dataclass(slots=True)
class _Tally:
    """The reports about one agent in one iteration; figures are computed on demand.

    `reports` is true if the agent reported turns itself.
    """

    turns: int = 0
    reports: bool = False
    failed_turns: int = 0
    usage: TurnUsage = NO_USAGE
    examination: Examination | None = None
    claims_found: int = 0


@dataclass(frozen=True, slots=True)
class AnalyticsTable:
    """The table at the end of a run: headings and rows of text, the last row the totals."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class AnalyticsFile:
    """`analytics.json`. `active_s` is the wall time of all sessions so far."""

    agents: tuple[AgentFigures, ...]
    total: TurnUsage
    turns: int
    active_s: float
    iterations: tuple[IterationFigures, ...] = ()


class RunAnalytics:
    """Figures of a run, safe for parallel tasks and threads.

    Recorded turns are the only source of usage, and `log` keeps each as an event, from which
    `earlier` restores them on resume. Examinations set their figures and do not add, so a
    replayed one counts once.

    Args:
        earlier: The events of the run's earlier sessions.
        log: Where each turn is kept.
        fetch_allowances: The allowance of fetches an iteration, by agent.
    """

    def __init__(
        self,
        earlier: Iterable[RunEvent] = (),
        log: Callable[[RunEvent], None] | None = None,
        fetch_allowances: Mapping[str, int] | None = None,
    ) -> None:
        self._lock = threading.Lock()
        self._tallies: dict[tuple[str, int], _Tally] = {}
        self._conclusions: dict[int, Conclusion] = {}
        self._log = log
        self._tasks: set[str] = set()
        self._allowances = dict(fetch_allowances or {})
        self._earlier_s = self._restore(earlier)
        self._started = datetime.now(UTC)

    def _restore(self, events: Iterable[RunEvent]) -> float:
        """Take in earlier turns; returns the seconds that the earlier sessions lasted."""
        active = 0.0
        last: datetime | None = None
        for event in events:
            if event.usage is not None:
                self._add(event, event.usage)
            if last is not None and event.event not in SESSION_STARTS:
                active += max(0.0, (event.at - last).total_seconds())
            last = event.at
        return active

    def record_turn(
        self, agent: str, iteration: int, usage: TurnUsage, outcome: str, *, task: str = ""
    ) -> None:
        """Add one turn of `agent` for `task`.

        `outcome` is ``ok``, a failure kind or ``cancelled``.
        """
        now = datetime.now(UTC)
        event = RunEvent(now, "turn", agent, iteration, task, usage=usage, outcome=outcome)
        with self._lock:
            self._add(event, usage)
        if self._log is not None:
            self._log(event)

    def knows_turn(self, task: str) -> bool:
        """Whether a turn for `task` that ended well is on record."""
        with self._lock:
            return task in self._tasks

    def record_answer(self, agent: str, iteration: int, usage: TurnUsage, outcome: str) -> None:
        """Count an answer as a turn, unless `agent` reports its turns itself."""
        tally = self._tallies.get((agent, iteration))
        if tally is None or not tally.reports:
            self.record_turn(agent, iteration, usage, outcome, task=ANSWER)

    def _add(self, event: RunEvent, usage: TurnUsage) -> None:
        tally = self._of(event.agent, event.iteration)
        tally.usage = tally.usage + usage if tally.turns else usage
        tally.turns += 1
        tally.failed_turns += event.outcome != "ok"
        tally.reports |= event.detail != ANSWER
        if event.outcome == "ok" and event.detail not in ("", ANSWER):
            self._tasks.add(event.detail)

    def _of(self, agent: str, iteration: int) -> _Tally:
        return self._tallies.setdefault((agent, iteration), _Tally())

    def record_examination(
        self, critic: str, iteration: int, examination: Examination, claims: int
    ) -> None:
        """Set what `critic` found; `claims` is how many claims the iteration has."""
        with self._lock:
            tally = self._of(critic, iteration)
            tally.examination = examination
            tally.claims_found = claims

    def record_conclusion(self, iteration: int, conclusion: Conclusion) -> None:
        """Set what code concluded from an iteration."""
        with self._lock:
            self._conclusions[iteration] = conclusion

    def iterations(self) -> tuple[IterationFigures, ...]:
        """The figures of each iteration that has a conclusion."""
        agents = self.agents()
        with self._lock:
            concluded = sorted(self._conclusions.items())
        return tuple(
            _iteration_figures(number, conclusion, agents) for number, conclusion in concluded
        )

    @property
    def iteration_metrics(self) -> Mapping[int, IterationFigures]:
        """The same by iteration."""
        return {figures.iteration: figures for figures in self.iterations()}

    def agents(self) -> tuple[AgentFigures, ...]:
        """Every agent's figures, by iteration."""
        with self._lock:
            keys = sorted(self._tallies, key=lambda key: (key[1], key[0]))
            return tuple(self._figures(*key) for key in keys)

    def _figures(self, agent: str, iteration: int) -> AgentFigures:
        tally = self._tallies[agent, iteration]
        examination = tally.examination
        figures = AgentFigures(
            agent,
            iteration,
            tally.turns,
            tally.failed_turns,
            tally.usage,
            self._allowances.get(agent),
        )
        if examination is None:
            return figures
        assessments = examination.assessments
        return replace(
            figures,
            claims=None if assessments is None else claim_figures(assessments, tally.claims_found),
            issues=severity_counts(examination.findings),
            recommendation=examination.recommendation,
            stated_recommendation=examination.stated_recommendation,
        )

    def total(self) -> TurnUsage:
        """The sum over all turns of the run."""
        return sum((figures.usage for figures in self.agents()), NO_USAGE)

    def spent(self) -> Spent:
        """The usage of the run so far: the start of a resumed run's budget."""
        turns = sum(figures.turns for figures in self.agents())
        return Spent(turns, self.total(), self.active_s())

    def active_s(self) -> float:
        """Wall seconds of all sessions so far."""
        return self._earlier_s + (datetime.now(UTC) - self._started).total_seconds()

    def to_json(self) -> str:
        """The text of `analytics.json`."""
        spent = self.spent()
        file = AnalyticsFile(
            self.agents(), spent.usage, spent.turns, spent.active_s, self.iterations()
        )
        return to_json(AnalyticsFile, file) + "\n"

    def table(self) -> AnalyticsTable:
        """The figures as text, ready to be shown."""
        spent = self.spent()
        return figures_table(self.agents(), spent.usage, spent.turns)


SESSION_STARTS = frozenset({"run_started", "run_resumed"})

COLUMNS = (
    "iteration",
    "agent",
    "turns",
    "messages",
    "tools",
    "fetches",
    "tokens in",
    "tokens out",
    "cost",
    "wall",
    "cpu",
    "claims",
    "issues",
    "vote",
)


def figures_table(agents: Sequence[AgentFigures], total: TurnUsage, turns: int) -> AnalyticsTable:
    """A row for each of `agents`, and one for what the `turns` of all of them used."""
    failed = sum(figures.failed_turns for figures in agents)
    everything = AgentFigures("total", 0, turns, failed, total)
    return AnalyticsTable(COLUMNS, tuple(map(_row, [*agents, everything])))


def claim_figures(assessments: Iterable[ClaimAssessment], found: int) -> ClaimFigures:
    """The figures of a checker that gave `assessments` for `found` claims."""
    verdicts = [assessment.verdict for assessment in assessments]
    return ClaimFigures(
        found=found,
        checked=sum(verdict not in _UNCHECKED for verdict in verdicts),
        supported=verdicts.count(Verdict.SUPPORTED),
        contradicted=verdicts.count(Verdict.CONTRADICTED),
    )


def _iteration_figures(
    iteration: int, conclusion: Conclusion, agents: Sequence[AgentFigures]
) -> IterationFigures:
    gate, quality = conclusion.gate, conclusion.quality
    so_far = (figures.usage for figures in agents if figures.iteration <= iteration)
    cost, verified = sum(so_far, NO_USAGE).cost_usd, gate.metrics.verified_claim_count
    share = round(cost / verified, 6) if cost and verified else None
    claims = ledger_figures(conclusion.ledger)
    return IterationFigures(
        iteration,
        gate.decision,
        gate.profile,
        gate.rule,
        gate.fail_code,
        gate.metrics,
        cost,
        share,
        claims=claims,
        quality_score=quality.critique.score if quality else None,
        fact_check=_fact_check(iteration, claims.accuracy_score, agents),
    )


def _fact_check(
    iteration: int, accuracy: float | None, agents: Iterable[AgentFigures]
) -> FactCheckFigures | None:
    for one in agents:
        asked = one.agent == Role.FACT_CHECKER and one.iteration == iteration
        if asked and one.issues is not None and one.recommendation is not None:
            return FactCheckFigures(accuracy, one.issues, one.recommendation)
    return None


def ledger_figures(ledger: Ledger) -> LedgerFigures:
    """The figures of `ledger`; every verdict has a key, and every tier that a claim has."""
    entries = ledger.entries
    verdicts = Counter(entry.verdict for entry in entries)
    tiers = Counter(entry.tier for entry in entries if entry.tier is not None)
    steps = (entry.history[-1] for entry in entries if entry.history)
    moved = (s for s in steps if s.before is not None and s.iteration == ledger.iteration)
    return LedgerFigures(
        {verdict: verdicts[verdict] for verdict in Verdict},
        {tier: tiers[tier] for tier in SupportTier if tiers[tier]},
        sum(1 for _ in moved),
        accuracy_score(ledger),
        coverage(ledger),
    )


def _row(figures: AgentFigures) -> tuple[str, ...]:
    usage = figures.usage
    return (
        str(figures.iteration or ""),
        figures.agent,
        _of_which(figures.turns, figures.failed_turns, "failed"),
        str(usage.messages),
        _of_which(usage.tool_calls, usage.tool_failures, "failed"),
        _fetches(figures),
        f"{usage.tokens_in:,}",
        f"{usage.output_tokens:,}",
        _cost(usage.cost_usd),
        f"{usage.wall_s:.1f} s",
        f"{usage.cpu_s:.1f} s",
        _claims(figures.claims),
        "/".join(map(str, (figures.issues or {}).values())),
        _vote(figures),
    )


def _of_which(count: int, part: int, name: str) -> str:
    return f"{count} ({part} {name})" if part else str(count)


def _fetches(figures: AgentFigures) -> str:
    used = figures.usage.fetches
    return str(used) if figures.fetch_allowance is None else f"{used}/{figures.fetch_allowance}"


def _cost(cost: Decimal | None) -> str:
    return "unknown" if cost is None else f"${cost:.4f}"


def _claims(claims: ClaimFigures | None) -> str:
    if claims is None:
        return ""
    return f"{claims.checked}/{claims.found} (+{claims.supported} -{claims.contradicted})"


def _vote(figures: AgentFigures) -> str:
    if figures.recommendation is None:
        return ""
    stated = figures.stated_recommendation
    if stated is None or stated is figures.recommendation:
        return figures.recommendation.value
    return f"{figures.recommendation.value} (said {stated.value})"

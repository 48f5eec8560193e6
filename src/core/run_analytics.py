"""Figures of each agent in each iteration, counted once, over all sessions of a run."""

from __future__ import annotations

import itertools
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


@dataclass(frozen=True, slots=True)
class AnalyticsTable:
    """The table at the end of a run: headings and rows of text, the last row the totals."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def used(self) -> AnalyticsTable:
        """The table without the columns that no row fills."""
        nothing = {"", "0", "$0.0000"}
        filled = [not nothing.issuperset(cells) for cells in zip(*self.rows, strict=True)]
        rows = tuple(tuple(itertools.compress(row, filled)) for row in self.rows)
        return AnalyticsTable(tuple(itertools.compress(self.columns, filled)), rows)


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
        earlier = tuple(earlier)
        self._turns = [event for event in earlier if event.usage is not None]
        self._examined: dict[tuple[str, int], tuple[Examination, int]] = {}
        self._conclusions: dict[int, Conclusion] = {}
        self._log = log
        self._allowances = dict(fetch_allowances or {})
        pairs = itertools.pairwise(earlier)
        passed = (b.at - a.at for a, b in pairs if b.event not in SESSION_STARTS)
        self._earlier_s = sum(max(0.0, one.total_seconds()) for one in passed)
        self._started = datetime.now(UTC)

    def record_turn(
        self, agent: str, iteration: int, usage: TurnUsage, outcome: str, *, task: str = ""
    ) -> None:
        """Add one turn of `agent` for `task`.

        `outcome` is ``ok``, a failure kind or ``cancelled``.
        """
        now = datetime.now(UTC)
        event = RunEvent(now, "turn", agent, iteration, task, usage=usage, outcome=outcome)
        self._turns.append(event)
        if self._log is not None:
            self._log(event)

    def knows_turn(self, task: str) -> bool:
        """Whether a turn for `task` that ended well is on record."""
        return any(one.detail == task and one.outcome == "ok" for one in self._turns)

    def record_answer(self, agent: str, iteration: int, usage: TurnUsage, outcome: str) -> None:
        """Count an answer as a turn, unless `agent` reports its turns itself."""
        own = any(
            (one.agent, one.iteration) == (agent, iteration) and one.detail != ANSWER
            for one in self._turns
        )
        if not own:
            self.record_turn(agent, iteration, usage, outcome, task=ANSWER)

    def record_examination(
        self, critic: str, iteration: int, examination: Examination, claims: int
    ) -> None:
        """Set what `critic` found; `claims` is how many claims the iteration has."""
        self._examined[critic, iteration] = examination, claims

    def record_conclusion(self, iteration: int, conclusion: Conclusion) -> None:
        """Set what code concluded from an iteration."""
        self._conclusions[iteration] = conclusion

    def iterations(self) -> tuple[IterationFigures, ...]:
        """The figures of each iteration that has a conclusion."""
        agents, concluded = self.agents(), sorted(self._conclusions.copy().items())
        return tuple(_iteration_figures(*one, agents) for one in concluded)

    @property
    def iteration_metrics(self) -> Mapping[int, IterationFigures]:
        """The same by iteration."""
        return {figures.iteration: figures for figures in self.iterations()}

    def agents(self) -> tuple[AgentFigures, ...]:
        """Every agent's figures, by iteration."""
        # Copies: another thread may add to them meanwhile.
        turns: dict[tuple[str, int], list[RunEvent]] = {key: [] for key in self._examined.copy()}
        for event in self._turns.copy():
            turns.setdefault((event.agent, event.iteration), []).append(event)
        keys = sorted(turns, key=lambda key: (key[1], key[0]))
        return tuple(self._figures(key, turns[key]) for key in keys)

    def _figures(self, key: tuple[str, int], turns: Sequence[RunEvent]) -> AgentFigures:
        figures = AgentFigures(
            *key,
            len(turns),
            sum(event.outcome != "ok" for event in turns),
            sum((event.usage for event in turns if event.usage), NO_USAGE),
            self._allowances.get(key[0]),
        )
        if key not in self._examined:
            return figures
        examination, found = self._examined[key]
        assessments = examination.assessments
        return replace(
            figures,
            claims=None if assessments is None else claim_figures(assessments, found),
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


def figures_table(agents: Sequence[AgentFigures], total: TurnUsage, turns: int) -> AnalyticsTable:
    """A row for each of `agents`, and one for what the `turns` of all of them used."""
    failed = sum(figures.failed_turns for figures in agents)
    everything = AgentFigures("total", 0, turns, failed, total)
    rows = (tuple(cell(one) for cell in _CELLS.values()) for one in (*agents, everything))
    return AnalyticsTable(tuple(_CELLS), tuple(rows))


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
    gate = conclusion.gate
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
        quality_score=conclusion.quality.critique.score,
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
    tiers = Counter(entry.tier for entry in entries)
    steps = (entry.history[-1] for entry in entries if entry.history)
    return LedgerFigures(
        {verdict: verdicts[verdict] for verdict in Verdict},
        {tier: tiers[tier] for tier in SupportTier if tiers[tier]},
        sum(one.before is not None and one.iteration == ledger.iteration for one in steps),
        accuracy_score(ledger),
        coverage(ledger),
    )


def _of_which_failed(count: int, failed: int) -> str:
    return f"{count} ({failed} failed)" if failed else str(count)


def _fetches(figures: AgentFigures) -> str:
    used = figures.usage.fetches
    return str(used) if figures.fetch_allowance is None else f"{used}/{figures.fetch_allowance}"


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


_CELLS: Mapping[str, Callable[[AgentFigures], str]] = {
    "iteration": lambda one: str(one.iteration or ""),
    "agent": lambda one: one.agent,
    "turns": lambda one: _of_which_failed(one.turns, one.failed_turns),
    "messages": lambda one: str(one.usage.messages),
    "tools": lambda one: _of_which_failed(one.usage.tool_calls, one.usage.tool_failures),
    "fetches": _fetches,
    "tokens in": lambda one: f"{one.usage.tokens_in:,}",
    "tokens out": lambda one: f"{one.usage.output_tokens:,}",
    "cost": lambda one: "unknown" if one.usage.cost_usd is None else f"${one.usage.cost_usd:.4f}",
    "wall": lambda one: f"{one.usage.wall_s:.1f} s",
    "cpu": lambda one: f"{one.usage.cpu_s:.1f} s",
    "claims": lambda one: _claims(one.claims),
    "issues": lambda one: "/".join(map(str, (one.issues or {}).values())),
    "vote": _vote,
}
"""What each column of the table shows."""

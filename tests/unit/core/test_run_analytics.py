"""Figures of each agent, counted once."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from foureyes import (
    Error,
    Examination,
    GateDecision,
    Ledger,
    RunAnalytics,
    Severity,
    TurnUsage,
    Verdict,
)
from foureyes.core.agent_calls import ask
from foureyes.core.run_analytics import claim_figures, ledger_figures
from foureyes.datatypes import (
    Checker,
    CitationState,
    ClaimAssessment,
    ClaimFigures,
    ClaimState,
    RunEvent,
    StateChange,
    SupportTier,
)
from support.loop_agents import APPROVE, REJECT, conclusion, entry, finding, gate, vote

USAGE = TurnUsage(
    messages=3,
    tool_calls=4,
    tool_failures=1,
    fetches=2,
    input_tokens=1000,
    output_tokens=200,
    cache_read_tokens=5000,
    cost_usd=Decimal("0.125"),
    wall_s=2.0,
    cpu_s=0.5,
)


def assessment(name: str, verdict: Verdict) -> ClaimAssessment:
    return ClaimAssessment(name, verdict, CitationState.DIRECT, "a reason")


ASSESSMENTS = tuple(assessment(f"c{i}", verdict) for i, verdict in enumerate(Verdict))


def filled() -> RunAnalytics:
    analytics = RunAnalytics(fetch_allowances={"fact_checker": 20})
    analytics.record_turn("analyst", 1, USAGE, "ok")
    analytics.record_turn("fact_checker", 1, USAGE, "timeout")
    analytics.record_turn("fact_checker", 1, USAGE, "ok")
    answer = vote(REJECT, finding("f1", Severity.HIGH), finding("f2", Severity.LOW))
    answer = replace(answer, assessments=ASSESSMENTS, stated_recommendation=APPROVE)
    for _ in range(2):
        analytics.record_examination("fact_checker", 1, answer, 9)
    return analytics


def test_a_vote_that_was_stated_alike_is_shown_once() -> None:
    analytics = RunAnalytics()
    analytics.record_examination("reviewer", 1, vote(APPROVE), 0)
    assert analytics.table().rows[0][-1] == "approve"


def test_turns_add_up_and_examinations_are_set() -> None:
    analyst, checker = filled().agents()
    assert (analyst.turns, analyst.usage, analyst.claims) == (1, USAGE, None)
    assert (checker.turns, checker.failed_turns, checker.usage) == (2, 1, USAGE + USAGE)
    assert checker.claims == ClaimFigures(found=9, checked=5, supported=1, contradicted=1)
    assert checker.issues is not None
    assert list(checker.issues.values()) == [0, 1, 0, 1]
    assert (checker.recommendation, checker.stated_recommendation) == (REJECT, APPROVE)
    assert checker.fetch_allowance == 20


def test_a_source_that_cannot_be_read_leaves_its_claim_unchecked() -> None:
    verdicts = (Verdict.SOURCE_UNAVAILABLE, Verdict.NOT_CHECKABLE, Verdict.UNVERIFIABLE)
    figures = claim_figures([assessment("c", verdict) for verdict in verdicts], 4)
    assert figures == ClaimFigures(found=4, checked=1)


def test_the_table_shows_every_figure() -> None:
    table = filled().table()
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    assert [row["agent"] for row in rows] == ["analyst", "fact_checker", "total"]
    assert rows[1] == {
        "iteration": "1",
        "agent": "fact_checker",
        "turns": "2 (1 failed)",
        "messages": "6",
        "tools": "8 (2 failed)",
        "fetches": "4/20",
        "tokens in": "12,000",
        "tokens out": "400",
        "cost": "$0.2500",
        "wall": "4.0 s",
        "cpu": "1.0 s",
        "claims": "5/9 (+1 -1)",
        "issues": "0/1/0/1",
        "vote": "reject (said approve)",
    }
    assert (rows[0]["fetches"], rows[0]["vote"]) == ("2", "")
    assert (rows[2]["turns"], rows[2]["cost"]) == ("3 (1 failed)", "$0.3750")


def test_an_unknown_price_makes_the_total_unknown() -> None:
    analytics = RunAnalytics()
    analytics.record_turn("analyst", 1, USAGE, "ok")
    analytics.record_turn("analyst", 2, replace(USAGE, cost_usd=None), "ok")
    assert analytics.total().cost_usd is None
    assert [row[8] for row in analytics.table().rows] == ["$0.1250", "unknown", "unknown"]


def test_the_json_holds_the_same_figures() -> None:
    file = json.loads(filled().to_json())
    assert [agent["agent"] for agent in file["agents"]] == ["analyst", "fact_checker"]
    assert file["total"]["cost_usd"] == "0.375"
    assert file["turns"] == 3
    assert file["agents"][1]["issues"] == {"critical": 0, "high": 1, "medium": 0, "low": 1}


def test_each_iteration_has_its_gate_and_what_a_verified_claim_cost() -> None:
    analytics = filled()
    for number, verified in ((2, 4), (1, 0), (1, 3)):
        answer = gate(GateDecision.FAIL)
        metrics = replace(answer.metrics, verified_claim_count=verified)
        concluded = replace(conclusion(), gate=replace(answer, metrics=metrics))
        analytics.record_conclusion(number, concluded)
    analytics.record_turn("analyst", 2, USAGE, "ok")
    first, second = json.loads(analytics.to_json())["iterations"]
    assert (first["iteration"], first["rule"], first["decision"]) == (1, "a_rule", "fail")
    assert (first["cost_usd"], first["cost_per_verified_claim"]) == ("0.375", "0.125000")
    assert (second["cost_usd"], second["cost_per_verified_claim"]) == ("0.500", "0.125000")
    assert second["metrics"]["verified_claim_count"] == 4


def test_each_iteration_has_accuracy_issues_and_vote_of_its_fact_check() -> None:
    analytics = filled()
    analytics.record_examination("reviewer", 1, vote(APPROVE), 9)
    ledger = Ledger(1, (entry("c1", Verdict.SUPPORTED), entry("c2", Verdict.CONTRADICTED)))
    analytics.record_conclusion(1, replace(conclusion(), ledger=ledger))
    analytics.record_conclusion(2, conclusion())
    first, second = json.loads(analytics.to_json())["iterations"]
    assert first["fact_check"] == {
        "accuracy": 50.0,
        "issues": {"critical": 0, "high": 1, "medium": 0, "low": 1},
        "recommendation": "reject",
    }
    assert second["fact_check"] is None


@pytest.mark.parametrize(
    ("cost", "verified", "share"),
    [
        (Decimal("0.5"), 4, Decimal("0.125")),
        (Decimal("0.5"), 0, None),
        (Decimal(0), 4, None),
        (None, 4, None),
    ],
)
def test_a_verified_claim_has_a_cost_only_where_both_are_known(
    cost: Decimal | None, verified: int, share: Decimal | None
) -> None:
    analytics, answer = RunAnalytics(), gate(GateDecision.PASS)
    metrics = replace(answer.metrics, verified_claim_count=verified)
    concluded = replace(conclusion(), gate=replace(answer, metrics=metrics))
    analytics.record_conclusion(1, concluded)
    analytics.record_turn("analyst", 1, replace(USAGE, cost_usd=cost), "ok")
    assert [one.cost_per_verified_claim for one in analytics.iterations()] == [share]


def test_each_iteration_has_the_figures_of_its_claims() -> None:
    way = (
        StateChange(1, None, ClaimState.CONTRADICTED, Checker.ENGINE, "so"),
        StateChange(2, ClaimState.CONTRADICTED, ClaimState.SUPPORTED, Checker.ENGINE, "so"),
    )
    lines = (
        replace(entry("c1", Verdict.SUPPORTED), tier=SupportTier.VERIFIED, history=way),
        replace(entry("c2", Verdict.SUPPORTED), tier=SupportTier.UNVERIFIED, history=way[:1]),
        entry("c3", Verdict.UNVERIFIABLE, slot=True),
    )
    found = ledger_figures(Ledger(2, lines))
    assert {verdict: count for verdict, count in found.verdicts.items() if count} == {
        Verdict.SUPPORTED: 2,
        Verdict.UNVERIFIABLE: 1,
    }
    assert found.tiers == {SupportTier.VERIFIED: 1, SupportTier.UNVERIFIED: 1}
    assert (found.moved, found.accuracy_score, found.coverage) == (1, 100.0, 2 / 3)


def test_a_resumed_run_restores_the_turns_of_its_earlier_sittings() -> None:
    log: list[RunEvent] = []
    first = RunAnalytics(log=log.append)
    first.record_turn("analyst", 1, USAGE, "ok")
    first.record_turn("reviewer", 1, USAGE, "timeout")
    second = RunAnalytics(log, log.append)
    second.record_turn("reviewer", 1, USAGE, "ok")
    third = RunAnalytics(log)
    assert third.agents() == second.agents()
    assert third.total() == USAGE + USAGE + USAGE
    assert (third.spent().turns, third.spent().usage) == (3, third.total())


async def test_an_answer_made_of_turns_of_an_earlier_sitting_counts_once() -> None:
    log: list[RunEvent] = []
    RunAnalytics(log=log.append).record_turn("fact_checker", 1, USAGE, "ok")
    second = RunAnalytics(log, log.append)

    async def answer() -> Examination | Error:
        return replace(vote(APPROVE), usage=USAGE)

    for _ in range(2):
        await ask("fact_checker", 1, second, answer)
        await ask("lawyer", 1, second, answer)
    assert [(one.agent, one.turns) for one in second.agents()] == [
        ("fact_checker", 1),
        ("lawyer", 2),
    ]
    assert RunAnalytics(log).agents() == second.agents()


def test_time_between_sittings_is_not_counted() -> None:
    start = datetime(2025, 3, 1, tzinfo=UTC)
    moments = [(0, "run_started"), (10, "drafted"), (500, "run_resumed"), (507, "drafted")]
    events = [RunEvent(start + timedelta(seconds=s), name) for s, name in moments]
    assert 17 <= RunAnalytics(events).active_s() < 18


def test_turns_of_parallel_threads_are_all_counted() -> None:
    analytics = RunAnalytics()

    def record(number: int) -> None:
        analytics.record_turn(f"agent-{number % 3}", 1, TurnUsage(messages=1), "ok")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(record, range(999)))
    assert [figures.usage.messages for figures in analytics.agents()] == [333, 333, 333]
    assert analytics.total().messages == 999

"""Spans, evaluations and metrics, recorded by the SDK of a program that uses the package."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from pathlib import Path

import pytest
from foureyes import (
    Error,
    Examination,
    FailureKind,
    GateDecision,
    IterationWork,
    PipelineResult,
    Recommendation,
    TemplateError,
    Turn,
    TurnUsage,
    Verdict,
)
from foureyes.core import tracing
from foureyes.core.tracing import MAX_CHARS, Conversation, child_variables
from foureyes.datatypes import Source, SourceState
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry import baggage, context, trace
from support.collector import Collected, Span
from support.commands import foureyes_here
from support.loop_agents import (
    APPROVE,
    BRIEF,
    ListedCritic,
    ListedDrafter,
    ListedEvidence,
    ListedJudge,
    Loop,
    conclusion,
    entry,
    new_store,
    reject,
    vote,
)
from support.recorded import recorded
from support.runs import GOOD_DRAFT, write_case

YES = vote(APPROVE)
AUTH = Error(FailureKind.AUTH, "Harriet Vane may not use this model")
PASS = conclusion(
    GateDecision.PASS, entry("c1", Verdict.SUPPORTED), entry("c2", Verdict.CONTRADICTED)
)
USAGE = TurnUsage(
    requests=2,
    input_tokens=100,
    output_tokens=20,
    cache_read_tokens=30,
    cache_write_tokens=4,
    cost_usd=Decimal("0.5"),
)


async def run(loop: Loop) -> PipelineResult:
    return await loop.pipeline().run(BRIEF, ())


def error_of(span: Span) -> object:
    return span.attributes.get("error.type")


class Meeting:
    """A critic that waits for others, so that they are surely at work at once."""

    def __init__(self, name: str, barrier: asyncio.Barrier) -> None:
        self.name = name
        self._barrier = barrier

    async def examine(self, work: IterationWork) -> Examination | Error:
        await self._barrier.wait()
        with trace.get_tracer("the user's own").start_as_current_span(f"own {self.name}"):
            await self._barrier.wait()
        return YES


async def test_a_run_joins_the_trace_of_the_program_that_calls_it() -> None:
    tracer = trace.get_tracer("a program")
    with recorded() as recorder:
        with tracer.start_as_current_span("job"):
            await run(Loop(ListedDrafter(), [ListedCritic("reviewer", YES)]))
        got = recorder.collected()
    assert got.tree()[:4] == [
        "job",
        "  invoke_workflow foureyes.run",
        "    iteration",
        "      ask analyst",
    ]


async def test_critics_at_work_at_once_are_siblings_and_own_spans_are_theirs() -> None:
    barrier = asyncio.Barrier(3)
    names = ("first", "second", "third")
    with recorded() as recorder:
        await run(Loop(ListedDrafter(), [Meeting(name, barrier) for name in names]))
        got = recorder.collected()
    assert set(got.under(got.one("iteration"))) == {
        "ask analyst",
        *(f"ask {name}" for name in names),
    }
    for name in names:
        assert got.under(got.one(f"ask {name}")) == [f"own {name}"]


async def test_votes_and_conclusions_are_events_of_their_iteration() -> None:
    loop = Loop(
        ListedDrafter(),
        [ListedCritic("reviewer", reject("a", "b"), YES), ListedCritic("own", YES)],
        ListedJudge(APPROVE),
        ListedEvidence(PASS),
    )
    with recorded() as recorder:
        result = await run(loop)
        got = recorder.collected()
    assert result.status == "approved"
    told = [
        {str(e.attributes["gen_ai.evaluation.name"]): e.attributes for e in got.events_of(span)}
        for span in got.named("iteration")
    ]
    first, second = told
    assert first["reviewer"] == {
        "gen_ai.evaluation.name": "reviewer",
        "gen_ai.evaluation.score.label": "reject",
        "gen_ai.evaluation.score.value": 0.0,
        "gen_ai.evaluation.explanation": "findings: 2 high",
    }
    assert second["reviewer"]["gen_ai.evaluation.score.value"] == 1.0
    assert second["own"]["gen_ai.evaluation.explanation"] == "findings: none"
    # The gate of these figures has no rate, and so no score.
    assert second["evidence_gate"] == {
        "gen_ai.evaluation.name": "evidence_gate",
        "gen_ai.evaluation.score.label": "pass",
        "gen_ai.evaluation.explanation": "document: a_rule",
    }
    (judged,) = got.events_of(got.one("invoke_workflow foureyes.run"))
    assert judged.attributes["gen_ai.evaluation.name"] == "judge"


async def test_a_failure_is_its_kind_and_none_of_its_words() -> None:
    with recorded() as recorder:
        await run(Loop(ListedDrafter(), [ListedCritic("reviewer", AUTH)]))
        got = recorder.collected()
    asked = got.one("ask reviewer")
    assert (asked.failed, error_of(asked)) == (True, "auth")
    (event,) = got.events_of(got.one("iteration"))
    assert event.attributes == {"gen_ai.evaluation.name": "reviewer", "error.type": "auth"}
    assert "Harriet" not in repr(got)


async def test_a_run_that_cannot_go_on_is_failed_by_the_class_of_its_error() -> None:
    with recorded() as recorder:
        with pytest.raises(TemplateError):
            await run(Loop(ListedDrafter(TemplateError("Harriet Vane")), []))
        got = recorder.collected()
    root = got.one("invoke_workflow foureyes.run")
    assert (error_of(root), root.attributes["foureyes.status"]) == ("TemplateError", "failed")
    assert "Harriet" not in repr(got)
    (duration,) = got.values("gen_ai.workflow.duration")
    assert duration.attributes["error.type"] == "failed"


async def test_a_run_that_is_stopped_says_so_on_every_span_that_it_broke_off() -> None:
    barrier = asyncio.Barrier(2)
    critics = [Meeting("slow", barrier)]
    with recorded() as recorder:
        task = asyncio.create_task(run(Loop(ListedDrafter(), critics)))
        await barrier.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        got = recorder.collected()
    broken = {span.name: error_of(span) for span in got.spans if span.failed}
    assert broken == dict.fromkeys(
        ("invoke_workflow foureyes.run", "iteration", "ask slow"), "cancelled"
    )
    assert got.one("invoke_workflow foureyes.run").attributes["foureyes.status"] == "cancelled"


async def test_a_resumed_run_names_each_trace_and_asks_nobody_twice(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    loop = Loop(ListedDrafter(), [ListedCritic("reviewer", YES)], store=store)
    traces: list[str] = []
    for _ in range(2):
        with recorded() as recorder:
            await run(loop)
            got = recorder.collected()
        traces.append(got.spans[0].trace)
        asked = [span.name for span in got.spans if span.name.startswith("ask ")]
        assert len(asked) == (2 if len(traces) == 1 else 0)
    told = [event.detail for event in store.events() if event.event == "traced"]
    assert told == traces
    assert len(set(traces)) == 2


async def test_what_is_not_recorded_leaves_no_trace_in_the_run_directory(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    await run(Loop(ListedDrafter(), [ListedCritic("reviewer", YES)], store=store))
    assert "traced" not in [event.event for event in store.events()]


async def test_a_run_counts_what_it_came_to() -> None:
    loop = Loop(ListedDrafter(), [ListedCritic("reviewer", YES)], evidence=ListedEvidence(PASS))
    with recorded() as recorder:
        result = await run(loop)
        got = recorder.collected()
    claims = {p.attributes["foureyes.verdict"]: p.value for p in got.values("foureyes.claims")}
    assert claims == {"supported": 1, "contradicted": 1}
    (iterations,) = got.values("foureyes.run.iterations")
    assert (iterations.value, iterations.attributes["foureyes.status"]) == (1, result.status)


def invoked(backend: str, outcome: Turn | Error) -> Collected:
    with recorded() as recorder:
        with tracing.invoke_agent("fact_checker", 2, "2/fact_checker/batch-03", backend) as traced:
            traced.set_model("a-model")
            traced.end(outcome)
        return recorder.collected()


def test_an_agent_tells_its_model_tokens_and_cost() -> None:
    got = invoked("claude", Turn("text", USAGE, model="a-model-1"))
    (span,) = got.spans
    assert span.name == "invoke_agent fact_checker"
    assert span.attributes == {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "fact_checker",
        "gen_ai.provider.name": "anthropic",
        "gen_ai.request.model": "a-model",
        "gen_ai.response.model": "a-model-1",
        "gen_ai.usage.input_tokens": 134,
        "gen_ai.usage.output_tokens": 20,
        "gen_ai.usage.cache_read.input_tokens": 30,
        "gen_ai.usage.cache_creation.input_tokens": 4,
        "foureyes.backend": "claude",
        "foureyes.batch": "03",
        "foureyes.cost": 0.5,
        "foureyes.iteration": 2,
        "foureyes.requests": 2,
        "foureyes.task": "2/fact_checker/batch-03",
        "foureyes.tool_calls": 0,
    }
    tokens = {p.attributes["gen_ai.token.type"]: p for p in got.values("gen_ai.client.token.usage")}
    assert {kind: point.value for kind, point in tokens.items()} == {"input": 134, "output": 20}
    assert tokens["input"].attributes["gen_ai.request.model"] == "a-model"
    (cost,) = got.values("foureyes.cost")
    assert (cost.value, cost.unit) == (0.5, "{USD}")


def test_a_failed_agent_tells_what_it_used_all_the_same() -> None:
    got = invoked("claude", Error(FailureKind.TIMEOUT, "too late", USAGE))
    assert error_of(got.spans[0]) == "timeout"
    (duration,) = got.values("gen_ai.client.operation.duration")
    assert duration.attributes["error.type"] == "timeout"
    assert len(got.values("gen_ai.client.token.usage")) == 2


def test_a_price_that_nobody_knows_is_not_zero() -> None:
    got = invoked("claude", Turn("text", TurnUsage(requests=1, cost_usd=None)))
    assert "foureyes.cost" not in got.spans[0].attributes
    assert got.values("foureyes.cost") == []


def test_a_replay_spends_nothing_again() -> None:
    got = invoked("replay", Turn("text", USAGE, model="a-model-1"))
    assert got.spans[0].attributes["foureyes.backend"] == "replay"
    assert got.points == ()


def test_a_last_request_without_an_answer_has_failed() -> None:
    with recorded() as recorder:
        with tracing.invoke_agent("reviewer", 1, "1/reviewer", "claude"):
            conversation = Conversation("a-model")
            conversation.start_request()
            conversation.record_response("a1", "a-model-1", TurnUsage(input_tokens=7))
            conversation.start_tool_call("t1", "Read")
            conversation.end_tool_call("t1", failed=False)
            conversation.close(FailureKind.RATE_LIMITED)
        got = recorder.collected()
    first, second = got.named("chat a-model")
    assert first.attributes["gen_ai.usage.input_tokens"] == 7
    assert (error_of(first), error_of(second)) == (None, "rate_limited")
    failed = [
        point.attributes.get("error.type")
        for point in got.values("gen_ai.client.operation.duration")
    ]
    assert sorted(map(str, failed)) == ["None", "rate_limited"]


def test_an_answer_in_parts_is_one_request_even_between_tool_results() -> None:
    with recorded() as recorder:
        conversation = Conversation("a-model")
        conversation.start_request()
        conversation.record_response("a1", "a-model", TurnUsage())
        conversation.start_tool_call("t1", "Read")
        conversation.start_tool_call("t1", "Read")
        conversation.end_tool_call("t1", failed=False)
        conversation.record_response("a1", "a-model", TurnUsage())
        conversation.start_tool_call("t2", "Edit", refused=True)
        conversation.end_tool_call("t2", failed=True)
        conversation.record_response("a2", "a-model", TurnUsage())
        conversation.close(None)
        got = recorder.collected()
    assert sorted(span.name for span in got.spans) == [
        "chat a-model",
        "chat a-model",
        "execute_tool Edit",
        "execute_tool Read",
    ]
    assert error_of(got.one("execute_tool Edit")) == "refused"


async def test_what_a_tool_does_here_is_under_its_own_call() -> None:
    async def load(url: str) -> Source:
        await asyncio.sleep(0)
        return Source(url, SourceState.DEAD, "gone")

    async def handle(conversation: Conversation, url: str) -> None:
        with conversation.run_tool("fetch_source"):
            await tracing.trace_fetch(url, load)

    with recorded() as recorder:
        with tracing.invoke_agent("fact_checker", 1, "1/fact_checker", "claude"):
            conversation = Conversation("a-model")
            conversation.start_tool_call("t1", "fetch_source")
            conversation.start_tool_call("t2", "fetch_source")
            await asyncio.gather(
                handle(conversation, "https://a.example/secret?q=1"),
                handle(conversation, "https://b.example/"),
            )
            conversation.end_tool_call("t1", failed=False)
            conversation.close(None)
        got = recorder.collected()
    for call in got.named("execute_tool fetch_source"):
        assert got.under(call) == ["fetch"]
    hosts = [span.attributes["server.address"] for span in got.named("fetch")]
    assert hosts == ["a.example", "b.example"]
    assert "secret" not in repr(got)
    assert {error_of(span) for span in got.named("fetch")} == {"dead"}
    (count,) = got.values("foureyes.fetches")
    assert (count.value, count.attributes) == (2, {"foureyes.fetch.state": "dead"})
    assert [error_of(c) for c in got.named("execute_tool fetch_source")] == [None, "cancelled"]


async def test_what_is_fetched_before_a_run_begins_is_counted_and_no_trace() -> None:
    async def load(url: str) -> Source:
        return Source(url, SourceState.OK, "read")

    with recorded() as recorder:
        await tracing.trace_fetch("https://a.example/", load)
        got = recorder.collected()
    assert got.spans == ()
    assert len(got.values("foureyes.fetches")) == 1


@given(st.text(st.characters(exclude_categories=()), min_size=1))
def test_whatever_a_model_calls_can_be_sent_and_is_bounded(name: str) -> None:
    with recorded() as recorder:
        conversation = Conversation(name)
        conversation.start_request()
        conversation.record_response(name, name, TurnUsage())
        conversation.start_tool_call(name, name, refused=True)
        conversation.close(None)
        got = recorder.collected()
    assert len(got.spans) == 2
    texts = [v for span in got.spans for v in span.attributes.values() if isinstance(v, str)]
    assert max(map(len, texts)) <= MAX_CHARS


def test_a_child_process_gets_the_trace_and_nothing_else() -> None:
    with recorded():
        token = context.attach(baggage.set_baggage("customer", "Harriet Vane"))
        try:
            with trace.get_tracer("a program").start_as_current_span("job") as span:
                given = child_variables()
                ids = span.get_span_context()
        finally:
            context.detach(token)
    parent = f"00-{ids.trace_id:032x}-{ids.span_id:016x}-{ids.trace_flags:02x}"
    assert given == {"TRACEPARENT": parent, "TRACESTATE": "", "BAGGAGE": ""}
    assert set(child_variables().values()) == {""}


def test_a_check_is_a_trace_with_its_gate(tmp_path: Path) -> None:
    # Whole sentences of the source: half of a compound one may stay unconfirmed.
    production, _, _ = GOOD_DRAFT.partition("## Cost and ownership")
    _, _, references = GOOD_DRAFT.partition("## Sources")
    write_case(tmp_path, f"{production}## Sources{references}")
    with recorded() as recorder:
        command = foureyes_here("check", "draft.md", "--sources", "sources", cwd=tmp_path)
        got = recorder.collected()
    assert command.returncode == 0, command.stderr
    assert got.tree() == ["invoke_workflow foureyes.check", "  gather_evidence", "  conclude"]
    root = got.one("invoke_workflow foureyes.check")
    assert root.attributes["foureyes.status"] == "pass"
    (event,) = got.events_of(root)
    assert event.attributes["gen_ai.evaluation.score.value"] == 1.0
    claims = got.values("foureyes.claims")
    assert sum(point.value for point in claims) > 0


def test_a_review_is_a_trace_with_its_phases(tmp_path: Path) -> None:
    write_case(tmp_path, GOOD_DRAFT)
    words = ("review", "draft.md", "--no-web", "--yes", "--by", "a test", "--quiet")
    with recorded() as recorder:
        command = foureyes_here(*words, cwd=tmp_path)
        got = recorder.collected()
    root = got.one("invoke_workflow foureyes.review")
    assert root.attributes["foureyes.status"] == "completed", command.stderr
    phases = [span.attributes["foureyes.step"] for span in got.named("phase")]
    assert phases == ["red", "defence", "smoke"]
    assert "invoke_agent red_reviewer" in {span.name for span in got.spans}


def test_a_vote_scores_one_or_nothing() -> None:
    scores = {Recommendation.APPROVE: 1.0, Recommendation.REJECT: 0.0}
    for recommendation, score in scores.items():
        with recorded() as recorder:
            with tracing.step("iteration", iteration=1):
                tracing.record_examination("own", vote(recommendation))
            got = recorder.collected()
        (event,) = got.events_of(got.spans[0])
        assert event.attributes["gen_ai.evaluation.score.value"] == score

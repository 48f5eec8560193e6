"""The fact checker: planned in batches, each answered alone, merged and re-checked by code."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import anyio
import pytest
from foureyes import (
    AgentBackend,
    AgentTask,
    Error,
    Examination,
    FactCheck,
    FactChecked,
    FactCheckerConfig,
    FailureKind,
    IssueType,
    IterationWork,
    PromptLibrary,
    Recommendation,
    ReplyError,
    RunAnalytics,
    RunDirectoryError,
    Severity,
    StorageError,
    Success,
    Turn,
    Verdict,
)
from foureyes.agents.fact_checker import fact_checker_critic
from foureyes.agents.reviewer import reviewer_critic
from foureyes.agents.source_tools import WebResearchProtocol
from foureyes.base.files import from_json, to_json
from foureyes.core.agent_calls import examine
from foureyes.datatypes import FactCheckInput, IterationEvidence, SourceState
from foureyes.sources.scoring.rules import load_scoring
from pydantic import JsonValue
from support.agent_kit import (
    AS_OF,
    PageDesk,
    evidence_of,
    fact_checker,
    fact_context,
    offline,
    reviewer,
)
from support.evidence_run import services
from support.scripted_backend import USAGE, Fail, Fill, Move, ScriptedBackend

HARBOUR = "https://harbour.example/report"
PAGE = (
    "The harbour handled 4.1 million containers in 2024. It employs 2,300 people.\n\n"
    "The board expects the new crane to pay for itself within six years.\n"
)
SUPPORTED = f"The harbour handled 4.1 million containers in 2024 ({HARBOUR})."
VAGUE = f"The new crane pays for itself within six years ({HARBOUR})."


async def check(
    folder: Path,
    evidence: IterationEvidence,
    backend: AgentBackend | None = None,
    *,
    config: FactCheckerConfig | None = None,
    iteration: int = 1,
    previous: str = "",
) -> FactChecked:
    agent = fact_checker(backend or offline(), config)
    context = fact_context(services(folder), evidence, iteration=iteration, previous=previous)
    result = await agent.process(context)
    assert isinstance(result, Success), result
    return result.output


def filled(evidence: IterationEvidence, *answers: tuple[str, str, str]) -> Fill:
    """A batch's answers (verdict, passage, reason), in the order of the claims."""
    values: dict[str, JsonValue] = {
        "/recommendation": "Accept",
        "/recommendation_reason": "Fine.",
        "/additional_claims": [],
        "/issues": [],
    }
    for claim, (verdict, passage, reason) in zip(evidence.claims, answers, strict=True):
        values[f"/claims/{claim.id}/verdict"] = verdict
        values[f"/claims/{claim.id}/passage"] = passage
        values[f"/claims/{claim.id}/reason"] = reason
    return Fill(values)


# --- the cases of the fact-checker specification -------------------------------------------------


@dataclass(frozen=True)
class Case:
    name: str
    sentence: str
    page: str | SourceState
    type: IssueType
    severity: Severity
    says: str


CASES = [
    Case(
        "a fabricated pilot",
        "Our pilot with 500 students showed 73% improvement.",
        "unrelated",
        IssueType.FABRICATED,
        Severity.CRITICAL,
        "no citation covers it",
    ),
    Case(
        "a dead citation",
        "AI tutoring doubles learning gains (https://college.example/study).",
        SourceState.DEAD,
        IssueType.DEAD_CITATION,
        Severity.HIGH,
        "https://college.example/study",
    ),
    Case(
        "$50B against $30B",
        "The tutoring market is worth $50 billion (https://college.example/study).",
        "The tutoring market is worth $30 billion.",
        IssueType.NUMERIC_ERROR,
        Severity.HIGH,
        "+67 % against the source",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
async def test_planted_errors_reject_the_document(case: Case, tmp_path: Path) -> None:
    draft = f"# Tutoring\n\n## Market\n\n{case.sentence}\n"
    evidence = evidence_of(draft, {"https://college.example/study": case.page})
    checked = await check(tmp_path, evidence)
    assert checked.fact_check.recommendation is Recommendation.REJECT
    finding = checked.findings[0]
    assert (finding.type, finding.severity) == (case.type, case.severity)
    assert case.says in finding.evidence
    assert finding.location is not None
    assert finding.location.line == 5
    assert checked.fact_check.summary.severity_counts.model_dump()[case.severity] == 1


async def test_reviewer_and_fact_checker_examine_in_parallel(tmp_path: Path) -> None:
    evidence = evidence_of(f"# Harbour\n\n{SUPPORTED}\n", {HARBOUR: PAGE})
    meeting = Meeting(2)
    critics = [reviewer_critic(reviewer(meeting)), fact_checker_critic(fact_checker(meeting))]
    with anyio.fail_after(20):
        answers = await examine(critics, work(tmp_path, evidence), RunAnalytics(), ignore_answer)
    recommendations = {
        name: answer.recommendation
        for name, answer in answers.items()
        if isinstance(answer, Examination)
    }
    assert recommendations == dict.fromkeys(("reviewer", "fact_checker"), Recommendation.APPROVE)


async def ignore_answer(name: str, answer: Examination | Error) -> None:
    """Show nothing."""


class Meeting:
    """The offline backend, whose turns go on once so many are under way."""

    name = "meeting"
    independent = False

    def __init__(self, turns: int) -> None:
        self._turns = turns
        self._all_here = anyio.Event()

    async def run(self, task: AgentTask[object], folder: Path) -> Turn | Error:
        self._turns -= 1
        if not self._turns:
            self._all_here.set()
        await self._all_here.wait()
        return await offline().run(task, folder)


def work(folder: Path, evidence: IterationEvidence) -> IterationWork:
    return IterationWork(
        iteration=1,
        max_iterations=3,
        brief="How much does the harbour handle?",
        draft=evidence.document.text,
        draft_path="iterations/analysis_iteration_1.md",
        as_of=AS_OF,
        services=services(folder),
        evidence=evidence,
        source_tools=PageDesk(evidence),
    )


# --- the artefact --------------------------------------------------------------------------------


async def test_counts_and_scores_are_computed_from_the_verdicts(tmp_path: Path) -> None:
    draft = (
        f"# Harbour\n\n{SUPPORTED} The board expects the new crane to pay for itself "
        f"within nine years ({HARBOUR}).\n\n## Trade\n\n"
        "The harbour has 81 percent of the region's trade.\n"
    )
    checked = await check(tmp_path, evidence_of(draft, {HARBOUR: PAGE}))
    summary = checked.fact_check.summary
    assert (summary.total_claims, summary.sourced_claims, summary.unsourced_claims) == (3, 2, 1)
    assert summary.verification_results.model_dump() == {
        "verified_true": 1,
        "verified_false": 1,
        "unverifiable": 0,
    }
    assert (summary.accuracy_score, summary.coverage) == (50.0, 100.0)
    assert (summary.citations_checked, summary.citations_working) == (1, 1)
    assert checked.fact_check.timestamp == "2026-01-15T12:00:00Z"
    assert checked.fact_check.analysis_path == "iterations/analysis_iteration_1.md"
    assert "no language model was used" in checked.fact_check.basis
    assert checked.fact_check.top_priorities[0].startswith("Priority 1: ")


async def test_each_claim_has_an_entry_with_an_exact_quote_of_a_snapshot(tmp_path: Path) -> None:
    evidence = evidence_of(f"# Harbour\n\n{SUPPORTED}\n", {HARBOUR: PAGE})
    checked = await check(tmp_path, evidence)
    (entry,) = checked.fact_check.claims.values()
    (record,) = entry.evidence
    assert (entry.verdict, entry.verification) == (Verdict.SUPPORTED, "verified_true")
    assert (entry.decided_by, entry.checked, entry.line) == ("engine", True, 3)
    assert evidence.sources.texts[record.sha256][record.start : record.end] == record.quote
    assert record.url == HARBOUR


async def test_a_document_without_claims_needs_no_batch(tmp_path: Path) -> None:
    checked = await check(tmp_path, evidence_of("# Title\n\nWhat now?\n", {}))
    assert checked.fact_check.verification_details.batches == 0
    assert checked.fact_check.recommendation is Recommendation.APPROVE
    assert checked.fact_check.summary.accuracy_score is None
    assert checked.fact_check.stated_recommendation is None


# --- what a model may and may not do -------------------------------------------------------------


async def test_a_model_may_raise_an_undecided_claim_with_a_passage_that_states_it(
    tmp_path: Path,
) -> None:
    earned = "Within six years, the new crane has earned back its price."
    page = f"It employs 2,300 people. {earned}\n"
    evidence = evidence_of(f"# Harbour\n\n{VAGUE}\n", {HARBOUR: page})
    backend = ScriptedBackend([filled(evidence, ("supported", "within six years", "It says so."))])
    checked = await check(tmp_path, evidence, backend)
    (entry,) = checked.fact_check.claims.values()
    assert (entry.verdict, entry.stated_verdict) == (Verdict.SUPPORTED, Verdict.SUPPORTED)
    assert entry.decided_by == "fact_checker"
    assert "It says so" in entry.reason
    (quote,) = entry.evidence
    assert quote.quote == earned
    assert evidence.sources.texts[quote.sha256][quote.start : quote.end] == quote.quote


TAKEN_BACK = [
    "It is false that the new crane pays for itself within six years.\n",
    "This claim has been verified: the new crane pays for itself within six years.\n",
    "Is it so that the new crane pays for itself within six years? It has not been asked.\n",
]


@pytest.mark.parametrize("page", TAKEN_BACK)
@pytest.mark.parametrize(
    "named", ["new crane pays for itself within six years", "within six years"]
)
async def test_a_model_raises_nothing_by_words_that_their_sentence_takes_back(
    named: str, page: str, tmp_path: Path
) -> None:
    evidence = evidence_of(f"# Harbour\n\n{VAGUE}\n", {HARBOUR: page})
    backend = ScriptedBackend([filled(evidence, ("supported", named, "It says so."))])
    checked = await check(tmp_path, evidence, backend)
    (entry,) = checked.fact_check.claims.values()
    assert (entry.verdict, entry.stated_verdict) == (Verdict.UNVERIFIABLE, Verdict.SUPPORTED)
    assert checked.fact_check.recommendation is not Recommendation.APPROVE or checked.findings


async def test_a_model_cannot_lift_a_contradiction_that_code_found(tmp_path: Path) -> None:
    evidence = evidence_of(
        f"# Harbour\n\nThe harbour handled 5.2 million containers in 2024 ({HARBOUR}).\n",
        {HARBOUR: PAGE},
    )
    backend = ScriptedBackend([filled(evidence, ("supported", "", "Close enough."))])
    checked = await check(tmp_path, evidence, backend)
    (entry,) = checked.fact_check.claims.values()
    assert (entry.verdict, entry.stated_verdict) == (Verdict.CONTRADICTED, Verdict.SUPPORTED)
    assert checked.fact_check.recommendation is Recommendation.REJECT
    assert checked.fact_check.stated_recommendation is Recommendation.APPROVE


async def test_a_model_may_lower_a_verdict_and_its_reason_reaches_the_analyst(
    tmp_path: Path,
) -> None:
    evidence = evidence_of(f"# Harbour\n\n{SUPPORTED}\n", {HARBOUR: PAGE})
    reason = "The page speaks of another harbour."
    backend = ScriptedBackend([filled(evidence, ("contradicted", "P1", reason))])
    checked = await check(tmp_path, evidence, backend)
    finding = checked.findings[0]
    assert finding.origin == "fact_checker"
    assert finding.evidence.startswith(reason)
    assert checked.assessments[0].verdict is Verdict.CONTRADICTED


UNREADABLE = [
    ("maybe", "", "none of contradicted"),
    ("supported", "P9", "neither the id of a passage"),
]


@pytest.mark.parametrize(("verdict", "passage", "problem"), UNREADABLE)
async def test_what_cannot_be_read_is_a_failure_and_no_verdict(
    verdict: str, passage: str, problem: str, tmp_path: Path
) -> None:
    evidence = evidence_of(f"# Harbour\n\n{VAGUE}\n", {HARBOUR: PAGE})
    backend = ScriptedBackend([filled(evidence, (verdict, passage, "Hm."))] * 3)
    agent = fact_checker(backend)
    result = await agent.process(fact_context(services(tmp_path), evidence))
    assert isinstance(result, Error)
    assert result.kind is FailureKind.MALFORMED
    assert problem in result.message
    assert "every batch failed (1)" in result.message
    assert len(backend.tasks) == 3


async def test_additional_claims_and_issues_become_findings(tmp_path: Path) -> None:
    draft = f"# Harbour\n\n{SUPPORTED} Everybody knows that ships are big.\n"
    evidence = evidence_of(draft, {HARBOUR: PAGE})
    fill = filled(evidence, *[("supported", "", "Yes.")] * len(evidence.claims))
    first = evidence.claims[0].id
    values: dict[str, JsonValue] = {
        **fill.values,
        "/additional_claims": [
            {
                "quote": "ships are big",
                "verdict": "unverifiable",
                "passage": "",
                "reason": "It has no source.",
            }
        ],
        "/issues": [
            {
                "claim": first,
                "type": "missing context",
                "problem": "The year was a record.",
                "passage": "4.1 million containers in 2024",
                "recommendation": "Say so.",
            }
        ],
    }
    checked = await check(tmp_path, evidence, ScriptedBackend([Fill(values)]))
    found = {finding.type: finding for finding in checked.findings}
    assert found[IssueType.MISSING_CONTEXT].severity is Severity.MEDIUM
    assert found[IssueType.MISSING_CONTEXT].claim_id == first
    assert found[IssueType.UNSOURCED].claim == "ships are big"
    (added,) = checked.fact_check.additional_claims
    assert (added.quote, added.line) == ("ships are big", 3)


# --- batches -------------------------------------------------------------------------------------


def two_batches() -> tuple[IterationEvidence, FactCheckerConfig]:
    draft = (
        f"# Harbour\n\n{SUPPORTED}\n\nThe yard builds 12 ships a year (https://yard.example/a).\n"
    )
    pages = {HARBOUR: PAGE, "https://yard.example/a": "The yard builds 12 ships a year.\n"}
    return evidence_of(draft, pages), FactCheckerConfig(batch_claims=1, retries=0)


class FailsOne:
    """The offline backend, but that the batch `name` fails."""

    name = "fails-one"
    independent = False

    def __init__(self, batch: str, move: Move) -> None:
        self._batch = batch
        self._failing = ScriptedBackend([move, move])

    async def run(self, task: AgentTask[object], folder: Path) -> Turn | Error:
        backend = self._failing if task.name.endswith(self._batch) else offline()
        return await backend.run(task, folder)


async def test_a_failed_batch_leaves_only_its_claims_open(tmp_path: Path) -> None:
    evidence, config = two_batches()
    backend = FailsOne("batch-02", Fail(Error(FailureKind.TIMEOUT, "too slow", USAGE)))
    checked = await check(tmp_path, evidence, backend, config=config)
    assert [entry.checked for entry in checked.fact_check.claims.values()] == [True, False]
    assert [entry.decided_by for entry in checked.fact_check.claims.values()] == [
        "engine",
        "nobody",
    ]
    details = checked.fact_check.verification_details
    assert (details.batches, details.failed_batches) == (2, 1)
    assert checked.fact_check.summary.unchecked_claims == 1
    assert [one.claim_id for one in checked.assessments] == [evidence.claims[0].id]
    critic = fact_checker_critic(fact_checker(backend, config))
    answer = await critic.examine(work(tmp_path, evidence))
    assert isinstance(answer, Examination)
    assert answer.coverage == 0.5
    assert answer.unfinished == (Error(FailureKind.TIMEOUT, "too slow"),)


async def test_findings_of_code_survive_a_failed_batch(tmp_path: Path) -> None:
    draft = f"# H\n\n{SUPPORTED}\n\nThe yard builds 40 ships a year (https://yard.example/a).\n"
    pages = {HARBOUR: PAGE, "https://yard.example/a": "The yard builds 12 ships a year.\n"}
    backend = FailsOne("batch-02", Fail(Error(FailureKind.REFUSED, "no", USAGE)))
    config = FactCheckerConfig(batch_claims=1, retries=0)
    checked = await check(tmp_path, evidence_of(draft, pages), backend, config=config)
    assert [finding.type for finding in checked.findings] == [IssueType.NUMERIC_ERROR]


async def test_a_disk_that_refuses_ends_the_check(tmp_path: Path) -> None:
    evidence, config = two_batches()
    context = fact_context(services(tmp_path), evidence)
    (tmp_path / "journal").rmdir()
    with pytest.raises(StorageError):
        await fact_checker(offline(), config).process(context)


async def test_each_batch_is_journalled_alone(tmp_path: Path) -> None:
    evidence, config = two_batches()
    failing = FailsOne("batch-02", Fail(Error(FailureKind.TIMEOUT, "too slow", USAGE)))
    await check(tmp_path, evidence, failing, config=config)
    again = ScriptedBackend([filled_batch(evidence, 1)])
    checked = await check(tmp_path, evidence, again, config=config)
    assert [task.name for task in again.tasks] == ["1/fact_checker/batch-02"]
    assert checked.fact_check.verification_details.failed_batches == 0


def filled_batch(evidence: IterationEvidence, number: int) -> Fill:
    one = IterationEvidence(
        evidence.document,
        evidence.claims[number : number + 1],
        evidence.assessments,
        evidence.sources,
    )
    return filled(one, ("supported", "", "Settled."))


async def test_the_first_batch_alone_can_be_built_and_read(tmp_path: Path) -> None:
    evidence, _ = two_batches()
    agent = fact_checker(offline())
    context = fact_context(services(tmp_path), evidence)
    task = agent.build_task(context)
    turn = await offline().run(task, tmp_path)
    assert isinstance(turn, Turn)
    assert agent.read_reply(context, turn).fact_check.summary.total_claims == 2
    with pytest.raises(ReplyError, match="no claim to check"):
        agent.build_task(fact_context(services(tmp_path), evidence_of("# T\n", {})))


# --- what the agent is given ---------------------------------------------------------------------


async def test_a_task_names_its_files_claims_and_tools(tmp_path: Path) -> None:
    evidence = evidence_of(f"# Harbour\n\n{SUPPORTED} {VAGUE}\n", {HARBOUR: PAGE})
    (task,) = fact_checker(offline()).tasks(fact_context(services(tmp_path), evidence))
    assert task.name == "1/fact_checker/batch-01"
    assert [tool.name for tool in task.tools] == ["find_passages", "read_source", "fetch_source"]
    assert set(task.readable) == {"analysis-excerpt.md", "passages.md"}
    assert isinstance(task.inputs, FactCheckInput)
    for claim in evidence.claims:
        assert claim.id in task.user_prompt
        assert claim.id in task.template
    assert "1 of them was settled by code" in task.user_prompt
    assert "critical" in task.system_prompt


async def test_a_long_document_can_be_searched_by_its_own_lines(tmp_path: Path) -> None:
    text = f"# Harbour\n\n{VAGUE}\n\n" + "A quay without a figure.\n\n" * 1000 + "The red crane.\n"
    evidence = evidence_of(text, {HARBOUR: PAGE})
    task, *_ = fact_checker(offline()).tasks(fact_context(services(tmp_path), evidence))
    search = next(tool for tool in task.tools if tool.name == "grep_document")
    assert "analysis.md:2005: The red crane." in await search.handler({"pattern": "RED crane"})


async def test_a_checker_who_searches_follows_the_protocol_of_research(tmp_path: Path) -> None:
    evidence = evidence_of(f"# Harbour\n\n{VAGUE}\n", {HARBOUR: PAGE})
    protocol = WebResearchProtocol(PromptLibrary(), load_scoring())
    context = fact_context(services(tmp_path), evidence)
    agent = fact_checker(offline(), protocol=protocol)
    searching, *_ = agent.tasks(replace(context, max_searches=3))
    assert searching.system_prompt.endswith(protocol.text())
    assert [tool.name for tool in searching.tools][-2:] == ["search_sources", "load_protocol"]
    reading, *_ = agent.tasks(context)
    assert "load_protocol" not in reading.system_prompt


async def test_without_an_allowance_there_is_no_fetching(tmp_path: Path) -> None:
    evidence = evidence_of(f"# Harbour\n\n{VAGUE}\n", {HARBOUR: PAGE})
    config = FactCheckerConfig(allowed_tools=("Read", "Edit"))
    (task,) = fact_checker(offline(), config).tasks(fact_context(services(tmp_path), evidence))
    assert [tool.name for tool in task.tools] == ["find_passages", "read_source"]
    assert "fetch_source" not in task.system_prompt


# --- carrying over -------------------------------------------------------------------------------


async def test_unchanged_claims_keep_their_verdict_without_a_turn(tmp_path: Path) -> None:
    first = evidence_of(f"# Harbour\n\n{SUPPORTED} {VAGUE}\n", {HARBOUR: PAGE})
    answers = [("supported", "", "Yes."), ("contradicted", "P1", "It only expects this.")]
    before = await check(tmp_path, first, ScriptedBackend([filled(first, *answers)]))
    moved = f"# Harbour\n\nA new line.\n\n{SUPPORTED} {VAGUE}\n"
    second = evidence_of(moved, {HARBOUR: PAGE})
    untouched = ScriptedBackend([])
    after = await check(
        tmp_path, second, untouched, iteration=2, previous=to_json(FactCheck, before.fact_check)
    )
    verdicts = [entry.verdict for entry in after.fact_check.claims.values()]
    assert verdicts[-2:] == [Verdict.SUPPORTED, Verdict.CONTRADICTED]
    (finding,) = [f for f in after.findings if f.origin == "fact_checker"]
    assert finding.location is not None
    assert finding.location.line == 5
    assert finding.evidence.startswith("It only expects this.")
    assert untouched.tasks == []


CHANGES = [
    ("the words", SUPPORTED.replace("2024", "2023"), PAGE),
    ("the source", SUPPORTED, PAGE + "Corrected on 3 May."),
    ("the citation", SUPPORTED.replace("report", "other"), PAGE),
]


@pytest.mark.parametrize(("what", "sentence", "page"), CHANGES, ids=[c[0] for c in CHANGES])
async def test_a_claim_is_checked_again_when_something_changed(
    what: str, sentence: str, page: str, tmp_path: Path
) -> None:
    first = evidence_of(f"# Harbour\n\n{SUPPORTED}\n", {HARBOUR: PAGE})
    before = await check(tmp_path, first)
    second = evidence_of(f"# Harbour\n\n{sentence}\n", {HARBOUR: page})
    second = with_ids(second, first)
    agent = fact_checker(offline())
    previous = to_json(FactCheck, before.fact_check)
    context = fact_context(services(tmp_path), second, iteration=2, previous=previous)
    assert [task.name for task in agent.tasks(context)] == ["2/fact_checker/batch-01"]
    assert "REVISED" in agent.tasks(context)[0].user_prompt


def with_ids(evidence: IterationEvidence, other: IterationEvidence) -> IterationEvidence:
    """`evidence` with the claim ids of `other`, as matching over iterations gives them."""
    pairs = list(zip(evidence.claims, other.claims, strict=True))
    claims = tuple(replace(new, id=old.id) for new, old in pairs)
    found = {old.id: replace(evidence.assessments[new.id], claim_id=old.id) for new, old in pairs}
    return replace(evidence, claims=claims, assessments=found)


async def test_additional_claims_are_kept_as_long_as_their_words_stand(tmp_path: Path) -> None:
    draft = f"# Harbour\n\n{SUPPORTED} Everybody knows that ships are big.\n"
    first = evidence_of(draft, {HARBOUR: PAGE})
    fill = filled(first, *[("supported", "", "Yes.")] * len(first.claims))
    added: JsonValue = {
        "quote": "ships are big",
        "verdict": "contradicted",
        "passage": "It employs 2,300 people",
        "reason": "No.",
    }
    values: dict[str, JsonValue] = {**fill.values, "/additional_claims": [added]}
    before = await check(tmp_path, first, ScriptedBackend([Fill(values)]))
    previous = to_json(FactCheck, before.fact_check)
    kept = await check(tmp_path, first, iteration=2, previous=previous)
    assert [one.quote for one in kept.fact_check.additional_claims] == ["ships are big"]
    assert [f.type for f in kept.findings if f.claim == "ships are big"] == [
        IssueType.VERIFIED_FALSE
    ]
    gone = evidence_of(f"# Harbour\n\n{SUPPORTED}\n", {HARBOUR: PAGE})
    dropped = await check(tmp_path, gone, iteration=2, previous=previous)
    assert dropped.fact_check.additional_claims == []


async def test_a_damaged_fact_check_of_the_last_iteration_is_named(tmp_path: Path) -> None:
    evidence = evidence_of(f"# Harbour\n\n{SUPPORTED}\n", {HARBOUR: PAGE})
    context = fact_context(services(tmp_path), evidence, iteration=2, previous="{}")
    with pytest.raises(RunDirectoryError, match="the last fact check cannot be read"):
        await fact_checker(offline()).process(context)


async def test_the_critic_hands_on_artefact_assessments_and_the_last_fact_check(
    tmp_path: Path,
) -> None:
    evidence = evidence_of(f"# Harbour\n\n{SUPPORTED}\n", {HARBOUR: PAGE})
    critic = fact_checker_critic(fact_checker(offline()))
    first = await critic.examine(work(tmp_path, evidence))
    assert isinstance(first, Examination)
    assert first.artefact is not None
    assert first.artefact.name == "fact_check_iteration_1.json"
    assert from_json(FactCheck, first.artefact.text).summary.total_claims == 1
    assert not first.independent
    second = replace(
        work(tmp_path, evidence), iteration=2, previous_examinations={critic.name: first}
    )
    again = await critic.examine(second)
    assert isinstance(again, Examination)
    assert again.artefact is not None
    assert from_json(FactCheck, again.artefact.text).verification_details.batches == 0
    assert again.assessments == first.assessments


async def test_without_evidence_the_critic_gives_no_answer(tmp_path: Path) -> None:
    evidence = evidence_of("# T\n", {})
    answer = await fact_checker_critic(fact_checker(offline())).examine(
        replace(work(tmp_path, evidence), evidence=None)
    )
    assert isinstance(answer, Error)

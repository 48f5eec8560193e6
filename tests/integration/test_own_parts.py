"""A program's own critic, agent, gate policy and search in whole runs, packs and replays."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import foureyes
import pytest
from foureyes import (
    Agent,
    Critic,
    Error,
    Examination,
    Finding,
    GateCase,
    GateDecision,
    GateObjection,
    GatePolicy,
    Issue,
    IterationWork,
    PipelineResult,
    Reads,
    Recommendation,
    ReviewAnswer,
    ReviewChoice,
    ReviewCriterion,
    RunDirectoryError,
    RunStatus,
    SearchAnswer,
    SearchHit,
    Severity,
    TurnUsage,
    finding_id,
)
from integration.pack_tampering import members, sealed
from pydantic import BaseModel
from support.commands import foureyes_here
from support.runs import SOURCE, write_case

DRAFT = """# The tidal power station of Arnsund

The Arnsund tidal power station began regular service on 4 May 2019 [1]. The chief engineer said
that "the blades have to be cleaned of mussels twice a year" [1].

[1] [Arnsund tidal power station](arnsund.md)
"""
QUAY = "The quay of Alden was built in 1934. It is made of stone.\n"


def objection(words: str) -> Finding:
    return Finding(
        finding_id(ReviewCriterion.STRUCTURE, words),
        Severity.HIGH,
        ReviewCriterion.STRUCTURE,
        words,
        "The house style forbids it.",
        origin="somebody else",
        recommendation="Say it otherwise.",
    )


@dataclass
class HouseStyle:
    """Objects to what `answer` makes of a draft."""

    answer: Callable[[str], Examination | Error]
    name: str = "house_style"
    asked: int = 0

    async def examine(self, work: IterationWork) -> Examination | Error:
        """As told."""
        self.asked += 1
        return self.answer(work.draft)


def approval(_draft: str) -> Examination:
    return Examination(Recommendation.APPROVE, None, (), 1.0, TurnUsage())


def veto(draft: str) -> Examination:
    found = tuple(objection(words) for words in ("mussels",) if words in draft)
    vote = Recommendation.REJECT if found else Recommendation.APPROVE
    return Examination(vote, None, found, 1.0, TurnUsage())


def crash(_draft: str) -> Examination:
    raise RuntimeError("no connection\nto the style guide")


def leave_it_to_a_person(case: GateCase) -> GateObjection | None:
    thin = [entry for entry in case.ledger.entries if len(entry.evidence) < 2]
    if not thin:
        return None
    return GateObjection(GateDecision.PENDING_REVIEW, f"{len(thin)} claims rest on one quote")


def run(
    folder: Path, *, critics: tuple[Critic, ...] = (), gate_policy: GatePolicy | None = None
) -> PipelineResult:
    write_case(folder, DRAFT)
    return foureyes.run_analysis(
        draft=DRAFT,
        sources=[folder / "sources"],
        with_fact_checker=True,
        max_iterations=2,
        out=folder / "runs",
        critics=critics,
        gate_policy=gate_policy,
    )


def checked(result: PipelineResult) -> foureyes.PackReport:
    """The check of the run's pack, which replays the run without the program's own parts."""
    assert result.run_dir is not None
    return foureyes.verify_pack(result.run_dir / "evidence_pack.zip")


@pytest.fixture(scope="module")
def vetoed(tmp_path_factory: pytest.TempPathFactory) -> PipelineResult:
    """A run that its own critic alone rejects, to the end."""
    return run(tmp_path_factory.mktemp("vetoed"), critics=(HouseStyle(veto),))


def test_an_own_critic_alone_withholds_an_approval(vetoed: PipelineResult) -> None:
    assert vetoed.status in (RunStatus.STALLED, RunStatus.MAX_ITERATIONS)
    assert "rejected by house_style" in vetoed.reason
    (found,) = (one for one in vetoed.findings if one.severity is Severity.HIGH)
    assert (found.origin, found.claim) == ("house_style", "mussels")
    first = vetoed.iterations[0]
    assert list(first.examinations) == ["reviewer", "fact_checker", "house_style"]


def test_a_run_with_an_own_critic_is_replayed_and_packed_without_it(
    vetoed: PipelineResult, tmp_path: Path
) -> None:
    assert vetoed.run_dir is not None
    again = foureyes.replay_run(vetoed.run_dir, out=tmp_path)
    assert (again.status, again.reason) == (vetoed.status, vetoed.reason)
    report = checked(vetoed)
    assert report.differences == ()
    assert report.own_code == (f"critic house_style ({__name__}:HouseStyle)",)


@pytest.mark.parametrize(
    ("critics", "said"),
    [
        ((), "is examined by '.*:HouseStyle' .add --critics .*HouseStyle, or give critics="),
        ((HouseStyle(veto, "tone"),), "has votes of house_style, .* are named tone"),
        ((HouseStyle(veto), HouseStyle(veto, "tone")), "is examined by"),
    ],
)
def test_a_run_goes_on_only_with_the_critics_that_it_began_with(
    critics: tuple[Critic, ...], said: str, vetoed: PipelineResult
) -> None:
    assert vetoed.run_dir is not None
    with pytest.raises(RunDirectoryError, match=said):
        foureyes.resume_run(vetoed.run_dir, critics=critics)


def test_a_critic_that_crashes_makes_the_run_inconclusive_until_it_answers(tmp_path: Path) -> None:
    result = run(tmp_path, critics=(HouseStyle(crash),))
    assert result.run_dir is not None
    assert (result.status, result.reason) == (
        RunStatus.INCONCLUSIVE,
        "a critic gave no answer: house_style: RuntimeError: no connection to the style guide",
    )
    assert checked(result).differences == ()
    mended = HouseStyle(approval)
    end = foureyes.resume_run(result.run_dir, critics=[mended])
    assert (end.status, mended.asked) == (RunStatus.APPROVED, 1)
    assert end.approval_basis is foureyes.ApprovalBasis.DETERMINISTIC_CHECKS
    assert checked(end).differences == ()


class Mussels(BaseModel):
    """The form of the agent below."""

    found: list[Issue]


def look(work: IterationWork) -> Mussels:
    words = "of mussels "
    issue = Issue(quote=words, problem="The house style forbids it.", replacement="")
    return Mussels(found=[issue] if words in work.draft else [])


AGENT = Agent("house_style", "Object to mussels.", Mussels, offline=look)


@pytest.fixture(scope="module")
def declared(tmp_path_factory: pytest.TempPathFactory) -> PipelineResult:
    """A run that an agent of the user's own rejects once."""
    folder = tmp_path_factory.mktemp("declared")
    draft = DRAFT.replace('"', "").replace(" of mussels twice", " of mussels and twice")
    write_case(folder, draft)
    return foureyes.run_analysis(
        draft=draft,
        sources=[folder / "sources"],
        with_fact_checker=True,
        out=folder / "runs",
        agents=[AGENT],
    )


def test_a_declared_agent_has_a_veto_and_is_journalled_and_counted(
    declared: PipelineResult,
) -> None:
    votes = [one.examinations["house_style"].recommendation for one in declared.iterations]
    assert votes[:2] == [Recommendation.REJECT, Recommendation.APPROVE]
    assert "of mussels" not in declared.analysis
    assert declared.run_dir is not None
    journal = declared.run_dir / "journal"
    # The turn and the vote.
    assert len(list(journal.glob("1-house_style.*.json"))) == 2
    counted = [one.turns for one in declared.analytics.agents() if one.agent == "house_style"]
    assert counted[:2] == [1, 1]


def test_a_run_with_a_declared_agent_is_replayed_with_it_and_without(
    declared: PipelineResult, tmp_path: Path
) -> None:
    assert declared.run_dir is not None
    for agents in ([AGENT], []):
        again = foureyes.replay_run(declared.run_dir, out=tmp_path, agents=agents)
        assert (again.status, again.reason) == (declared.status, declared.reason)
    other = replace(AGENT, prompt="Object to everything.")
    with pytest.raises(foureyes.ReplayMismatch, match=r"turn 1/house_style .* system prompt"):
        foureyes.replay_run(declared.run_dir, out=tmp_path, agents=[other])
    with pytest.raises(foureyes.SettingsError, match="no agent 'tone' took part"):
        foureyes.replay_run(declared.run_dir, out=tmp_path, agents=[replace(AGENT, name="tone")])
    report = checked(declared)
    assert (report.differences, report.own_code) == ((), ("agent house_style (agent:house_style)",))


def test_a_declared_agent_whose_program_fails_is_asked_again_on_resume(tmp_path: Path) -> None:
    def fail(_work: IterationWork) -> Mussels:
        raise KeyError("tone")

    write_case(tmp_path, DRAFT)
    broken = replace(AGENT, offline=fail)
    result = foureyes.run_analysis(
        draft=DRAFT,
        sources=[tmp_path / "sources"],
        with_fact_checker=True,
        agents=[broken],
        out=tmp_path / "runs",
    )
    assert result.status is RunStatus.INCONCLUSIVE
    assert "house_style: KeyError: 'tone'" in result.reason
    assert result.run_dir is not None

    def forgive(_work: IterationWork) -> Mussels:
        return Mussels(found=[])

    kind = replace(AGENT, offline=forgive)
    end = foureyes.resume_run(result.run_dir, agents=[kind])
    assert end.status is RunStatus.APPROVED
    with pytest.raises(RunDirectoryError, match="is examined by 'agent:house_style'"):
        foureyes.resume_run(result.run_dir)


def test_an_adviser_that_fails_or_rejects_withholds_no_approval(tmp_path: Path) -> None:
    def fail(_work: IterationWork) -> Mussels:
        raise KeyError("tone")

    failing = replace(AGENT, name="failing", offline=fail, veto=False)
    rejecting = replace(AGENT, veto=False)
    write_case(tmp_path, DRAFT)
    result = foureyes.run_analysis(
        draft=DRAFT,
        sources=[tmp_path / "sources"],
        with_fact_checker=True,
        out=tmp_path / "runs",
        agents=[failing, rejecting],
    )
    assert (result.status, len(result.iterations)) == (RunStatus.APPROVED, 1)
    assert [one.origin for one in result.findings if one.severity is Severity.HIGH] == [
        "house_style"
    ]
    assert "2 critics approved" in result.reason
    assert checked(result).differences == ()


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        (replace(AGENT, offline=None), "'house_style' cannot work without a model"),
        (replace(AGENT, reads=[Reads.CLAIMS]), "'house_style' works with claims and sources"),
        ("no_such:AGENT", "there is no module 'no_such'"),
        ("foureyes:GateDecision.PASS", " is no agent"),
    ],
)
def test_an_agent_that_cannot_take_part_is_refused_before_the_run(
    agent: Agent[Mussels] | str, said: str, tmp_path: Path
) -> None:
    with pytest.raises(foureyes.SettingsError) as caught:
        foureyes.run_analysis(draft=DRAFT, agents=[agent], out=tmp_path / "runs")
    assert said in caught.value.message
    assert not (tmp_path / "runs").exists()


@pytest.fixture(scope="module")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> PipelineResult:
    """A run that its own gate policy leaves to a person."""
    return run(tmp_path_factory.mktemp("waiting"), gate_policy=leave_it_to_a_person)


def test_an_own_gate_policy_lowers_a_pass_and_is_recorded_as_the_rule(
    waiting: PipelineResult,
) -> None:
    assert waiting.run_dir is not None
    assert waiting.status is RunStatus.INCONCLUSIVE
    gate = json.loads((waiting.run_dir / "verify" / "evidence_gate_result.json").read_bytes())
    assert (gate["decision"], gate["rule"]) == ("pending_review", "gate_policy")
    assert gate["reason"].startswith("2 claims rest on one quote (by its limits the gate says pass")
    assert gate["policy"]["policy"] == f"{__name__}:leave_it_to_a_person"
    report = checked(waiting)
    assert report.differences == ()
    assert report.own_code == (f"gate policy {__name__}:leave_it_to_a_person",)


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ('"objection": "pending_review"', '"objection": "fail"', "decision"),
        (":leave_it_to_a_person", ":wave_it_through", "policy.policy"),
        ('"decision": "pending_review"', '"decision": "pass"', "decision"),
    ],
)
def test_a_pack_shows_a_word_of_the_policy_that_does_not_fit_the_rest(
    old: str, new: str, place: str, waiting: PipelineResult, tmp_path: Path
) -> None:
    assert waiting.run_dir is not None
    found = members((waiting.run_dir / "evidence_pack.zip").read_bytes(), tmp_path)
    name = "verify/evidence_gate_result.json"
    assert old.encode() in found[name]
    found[name] = found[name].replace(old.encode(), new.encode())
    changed = tmp_path / "changed.zip"
    changed.write_bytes(sealed(found, json.loads(found["run.json"])["id"], tmp_path))
    differences = foureyes.verify_pack(changed).differences
    assert (name, place) in {(one.member, one.place) for one in differences}


def test_what_the_policy_leaves_to_a_person_a_person_decides(
    waiting: PipelineResult, tmp_path: Path
) -> None:
    assert waiting.run_dir is not None
    run_dir = Path(shutil.copytree(waiting.run_dir, tmp_path / "run"))
    (item,) = foureyes.review_queue(run_dir).waiting
    assert item.subject == "gate"
    answer = ReviewAnswer("gate", ReviewChoice.ACCEPT, "one good source will do")
    assert foureyes.decide_claims(run_dir, [answer], by="Ada").gate.decision is GateDecision.PASS
    with pytest.raises(RunDirectoryError, match=r"has its gate under '.*:leave_it_to_a_person'"):
        foureyes.resume_run(run_dir)
    end = foureyes.resume_run(run_dir, gate_policy=leave_it_to_a_person)
    assert end.status is RunStatus.APPROVED
    assert checked(end).differences == ()


def test_a_run_keeps_the_critics_and_policies_that_it_goes_on_with(tmp_path: Path) -> None:
    plain = run(tmp_path)
    assert plain.run_dir is not None
    assert plain.status is RunStatus.APPROVED
    critic = HouseStyle(approval)
    assert foureyes.resume_run(plain.run_dir, critics=[critic]).status is RunStatus.APPROVED
    assert foureyes.resume_run(plain.run_dir, critics=[critic]).status is RunStatus.APPROVED
    assert critic.asked == 1
    with pytest.raises(RunDirectoryError, match="is examined by"):
        foureyes.resume_run(plain.run_dir)


@dataclass
class Shelf:
    """A provider that finds the same file, and answers nothing else."""

    url: str
    name: str = "shelf"
    local: bool = True
    asked: int = 0

    async def search(self, query: str, limit: int) -> SearchAnswer:
        """One hit."""
        self.asked += 1
        return SearchAnswer((SearchHit(self.url, "Arnsund tidal power\x1b[2J station", query),))


def test_an_own_search_provider_finds_what_no_source_was_cited_for(tmp_path: Path) -> None:
    uncited = DRAFT.partition(" [1]")[0] + ".\n"
    write_case(tmp_path, uncited)
    (tmp_path / "shelf").mkdir()
    (tmp_path / "shelf" / "about.md").write_text(SOURCE, encoding="utf-8")
    shelf = Shelf("about.md")
    result = foureyes.run_analysis(
        draft=uncited,
        sources=[tmp_path / "sources", tmp_path / "shelf"],
        with_fact_checker=True,
        max_iterations=2,
        out=tmp_path / "runs",
        search=shelf,
        fetch="none",
    )
    assert result.run_dir is not None
    assert shelf.asked > 0
    asked = json.loads((result.run_dir / "iterations/deepening_iteration_1.json").read_bytes())
    titles = {hit["title"] for answer in asked["answers"] for hit in answer["hits"]}
    assert titles == {"Arnsund tidal power station"}
    assert checked(result).differences == ()
    with pytest.raises(RunDirectoryError, match=r"searches with .*:Shelf"):
        foureyes.resume_run(result.run_dir)


def test_a_review_asks_an_own_search_provider_too(tmp_path: Path) -> None:
    (tmp_path / "shelf").mkdir()
    (tmp_path / "shelf" / "quay.md").write_text(QUAY.replace("1934", "1936"), encoding="utf-8")
    (tmp_path / "plan.md").write_text(f"# Plan of Alden\n\n{QUAY}", encoding="utf-8")
    shelf = Shelf("quay.md")
    review = foureyes.review_document_sync(
        tmp_path / "plan.md",
        sources=[tmp_path / "shelf"],
        yes=True,
        out=tmp_path / "reviews",
        search=shelf,
        fetch="none",
    )
    assert shelf.asked > 0
    web = json.loads((review.review_dir / "web.json").read_bytes())
    assert {hit for one in web["queries"] for hit in one["hits"]} == {"quay.md"}
    assert web["results"][0]["found"] == "1936"
    with pytest.raises(RunDirectoryError, match=r"searches with .*:Shelf"):
        foureyes.resume_review_sync(review.review_dir)


CODE = """
from foureyes import *

class Strict:
    name = "strict"
    async def examine(self, work):
        return Examination(Recommendation.APPROVE, None, (), 0.5, TurnUsage())

def half(case):
    return GateObjection("fail", "half is not enough", "the other half")
"""


def test_the_command_takes_a_critic_and_a_gate_policy_by_their_names(tmp_path: Path) -> None:
    write_case(tmp_path, DRAFT)
    (tmp_path / "mine.py").write_text(CODE, encoding="utf-8")
    code = ("--critics", "mine.py:Strict", "--gate-policy", "mine.py:half")
    flags = ("--draft", "draft.md", "--sources", "sources", "--quiet", "--max-iterations", "1")
    ended = foureyes_here("--with-fact-checker", *flags, *code, cwd=tmp_path)
    assert ended.returncode == 2, ended.stderr
    assert "strict approved without having seen the whole draft" in ended.stdout
    (run_dir,) = (tmp_path / "runs").iterdir()
    refused = foureyes_here("resume", run_dir, cwd=tmp_path)
    assert refused.returncode == 4
    assert "is examined by" in refused.stderr
    told = foureyes_here("pack", "verify", run_dir / "evidence_pack.zip", cwd=tmp_path)
    assert told.returncode == 0, told.stdout
    assert "not asked again, its answers are those on record: critic strict" in told.stdout

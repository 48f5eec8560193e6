"""Runs on record, run again: the same bytes, and where a change makes them depart."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import foureyes
import pytest
from foureyes import Progress, RunStatus, pack_run, verify_pack, verify_pack_async
from support.claude_turn import DUMMY_KEY
from support.commands import ROOT, execute, foureyes_here
from support.commands import foureyes as command
from support.http_site import HttpSite
from support.messages_server import Answer, Fault, MessagesServer, Reply, Request, Rule, Trouble
from support.model_rules import Plan, plays
from support.runs import BRIEF, GOOD_DRAFT, write_case

WRONG = GOOD_DRAFT.replace("$30 billion", "$50 billion").replace("96 mega", "69 mega")
PACK_FILE = "evidence_pack.zip"
DIFFERS = {"run.json", "replay.json", "events.jsonl", "analytics.json"}
"""What a replay's directory has of its own; all else is equal, journal and snapshots too."""


def manifest_of(run_dir: Path) -> dict[str, Any]:
    return json.loads((run_dir / "run.json").read_bytes())


def files(run_dir: Path) -> dict[str, bytes]:
    # The line with the seconds that scoring took may agree by chance; replays leave no pack; the
    # report tells of all that a replay has of its own.
    left_out = (run_dir / "source_validation.log", run_dir / PACK_FILE, run_dir / "report.html")
    found = (path for path in run_dir.rglob("*") if path.is_file() and path not in left_out)
    return {path.relative_to(run_dir).as_posix(): path.read_bytes() for path in found}


def differing(recorded: Path, replayed: Path) -> set[str]:
    before, now = files(recorded), files(replayed)
    return {name for name in before.keys() | now.keys() if before.get(name) != now.get(name)}


def without(text: bytes, *keys: str) -> dict[str, Any]:
    return {key: value for key, value in json.loads(text).items() if key not in keys}


def told(run_dir: Path) -> Counter[str]:
    """The events, without their times and whatever order parallel agents were in."""
    lines = (run_dir / "events.jsonl").read_bytes().splitlines()
    return Counter(json.dumps(without(line, "at")) for line in lines)


@dataclass(frozen=True, slots=True)
class Desk:
    """Replays of one run, through the command."""

    run_dir: Path
    folder: Path
    capsys: pytest.CaptureFixture[str]

    def replay(self, *flags: str | Path, run_dir: Path | None = None) -> tuple[int, str]:
        """Exit code and what was said on standard error."""
        self.capsys.readouterr()
        options = ["--out", self.folder / "replays", "--quiet", *flags]
        code = execute(list(map(str, ["--replay", run_dir or self.run_dir, *options])))
        return code, self.capsys.readouterr().err

    @property
    def replayed(self) -> Path:
        """The one directory that replays have made."""
        (found,) = (self.folder / "replays").iterdir()
        return found

    def changed(self, kind: str, name: str, old: str, new: str) -> Path:
        """A folder with one file of `config/<kind>`, changed."""
        text = (ROOT / "config" / kind / name).read_text(encoding="utf-8")
        assert old in text
        path = self.folder / kind / name
        path.parent.mkdir(parents=True)
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        return self.folder / kind


def record(folder: Path, draft: str, **settings: Any) -> Path:
    """The directory of an offline run whose given sources are gone afterwards."""
    write_case(folder, draft)
    settings = {"with_fact_checker": True, "out": folder / "runs", **settings}
    result = foureyes.run_analysis(BRIEF, draft=draft, sources=[folder / "sources"], **settings)
    shutil.rmtree(folder / "sources")
    assert result.run_dir is not None
    return result.run_dir


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of all agents with a revision."""
    return record(tmp_path_factory.mktemp("full"), WRONG, mode="full_evaluation")


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of one iteration, without a judge."""
    return record(tmp_path_factory.mktemp("short"), GOOD_DRAFT)


@pytest.fixture
def desk(full: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    return Desk(full, tmp_path, capsys)


def test_a_replay_gives_the_same_bytes_but_for_its_name_and_its_times(
    full: Path, tmp_path: Path
) -> None:
    run = command("run", "--replay", full, "--quiet", cwd=tmp_path)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.splitlines()[-1] == f"replay:   the same as {full}"
    (replayed,) = (tmp_path / "runs").iterdir()
    assert differing(full, replayed) == DIFFERS
    before, now = files(full), files(replayed)
    own = ("id", "started", "ended")
    assert without(before["run.json"], *own) == without(now["run.json"], *own)
    assert without(before["analytics.json"], "active_s") == without(
        now["analytics.json"], "active_s"
    )
    assert told(full) == told(replayed)
    assert json.loads(now["replay.json"]) == {"id": manifest_of(full)["id"], "path": str(full)}


def test_a_replay_can_be_replayed(desk: Desk) -> None:
    assert desk.replay() == (0, "")
    first = desk.replayed.rename(desk.folder / "first")
    assert desk.replay(run_dir=first) == (0, "")
    assert differing(first, desk.replayed) == DIFFERS


def test_the_library_replays(full: Path, tmp_path: Path) -> None:
    seen: list[str] = []
    result = foureyes.replay_run(
        full, out=tmp_path, notify=lambda progress: seen.append(progress.event)
    )
    assert result.status is RunStatus.APPROVED
    assert result.run_dir is not None
    assert differing(full, result.run_dir) == DIFFERS
    assert seen[-1] == "run_ended"


def test_json_tells_the_recorded_end_again(desk: Desk) -> None:
    code = execute(["--replay", str(desk.run_dir), "--out", str(desk.folder), "--quiet", "--json"])
    outcome = json.loads(desk.capsys.readouterr().out)
    assert (code, outcome["exit_code"], outcome["status"]) == (0, 0, "approved")


@pytest.mark.parametrize(
    ("kind", "name", "old", "new", "message", "shown"),
    [
        (
            "prompts",
            "agents/reviewer/system.md",
            "You are independent",
            "You are free",
            "turn 1/reviewer departs from the record; changed: system prompt",
            "You are free",
        ),
        (
            "prompts",
            "agents/judge/user/revision.md",
            "Judge the",
            "Please judge the",
            "turn 2/judge departs from the record; changed: user prompt",
            "Please judge the",
        ),
        (
            "templates",
            "agents/judge/judgement.json",
            "[TODO: ",
            "[TODO: now ",
            "turn 2/judge departs from the record; changed: template",
            ": now ",
        ),
        (
            "registry",
            "gate.yaml",
            "pass_rate: 0.8",
            "pass_rate: 0.9",
            "turn 2/judge departs from the record; changed: file evidence_gate_result.json",
            '"would_change": "1 fewer',
        ),
    ],
    ids=["system prompt", "user prompt", "template", "registry"],
)
def test_a_change_is_named_with_its_turn_and_shown(
    desk: Desk, kind: str, name: str, old: str, new: str, message: str, shown: str
) -> None:
    folder = desk.changed(kind, name, old, new)
    code, said = desk.replay(f"--{kind}-dir", folder)
    assert code == 4
    first, *diff = said.splitlines()
    assert first.startswith(f"foureyes: error: {message} (recorded in ")
    assert diff[:2] == ["  --- recorded", "  +++ now"]
    assert any(line.startswith("  +") and shown in line for line in diff[2:])
    assert len(diff) < 24
    assert manifest_of(desk.replayed)["status"] == RunStatus.FAILED


def test_a_change_behind_the_last_turn_is_named_by_the_file(
    short: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = Desk(short, tmp_path, capsys)
    folder = desk.changed("registry", "gate.yaml", "pass_rate: 0.8", "pass_rate: 0.9")
    code, said = desk.replay("--registry-dir", folder)
    assert code == 4
    assert "no turn departs from the record, but summary.md differs" in said
    assert "would change with 1 fewer supported claim" in said


def test_a_run_that_ends_elsewhere_departs(
    short: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "recorded"
    shutil.copytree(short, other)
    (form,) = (other / "turns").glob("1-reviewer.*")
    doubled = json.loads(form.read_bytes()) | {"call": 2}
    (other / "turns" / "1-reviewer.2.json").write_text(json.dumps(doubled), encoding="utf-8")
    code, said = Desk(other, tmp_path, capsys).replay()
    assert (code, "turn 1/reviewer was not asked for" in said) == (4, True)


def test_sources_that_were_not_fetched_stay_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    draft = GOOD_DRAFT.replace("(arnsund.md)", "(http://127.0.0.1:9/page)")
    recorded = record(tmp_path / "case", draft, fetch="none", max_iterations=2)
    desk = Desk(recorded, tmp_path, capsys)
    assert desk.replay() == (2, "")
    assert differing(recorded, desk.replayed) == DIFFERS


async def test_web_sources_come_from_the_snapshots(tmp_path: Path) -> None:
    async with HttpSite() as site:
        dead = f"It saves 80,000 tonnes of coal a year ([study]({site.url('/study')}))."
        draft = GOOD_DRAFT.replace("## Cost", f"{dead}\n\n## Cost")
        result = await foureyes.run_analysis_async(
            BRIEF,
            draft=draft,
            with_fact_checker=True,
            out=tmp_path,
            max_iterations=1,
            allowed_hosts=site.authority,
        )
    assert result.run_dir is not None
    assert (await verify_pack_async(result.run_dir / PACK_FILE)).differences == ()
    replayed = await foureyes.replay_run_async(result.run_dir, out=tmp_path / "replays")
    assert replayed.run_dir is not None
    assert replayed.findings == result.findings
    assert differing(result.run_dir, replayed.run_dir) == DIFFERS


def cancelled_at(detail: str, folder: Path) -> Path:
    """The directory of a run that was cancelled when the turn `detail` began."""

    async def run() -> None:
        task = asyncio.current_task()

        def notify(progress: Progress) -> None:
            if (progress.event, progress.detail) == ("turn_started", detail) and task:
                task.cancel()

        write_case(folder, WRONG)
        sources = [folder / "sources"]
        settings: dict[str, Any] = {"with_fact_checker": True, "out": folder / "runs"}
        await foureyes.run_analysis_async(
            BRIEF, draft=WRONG, sources=sources, notify=notify, **settings
        )

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(run())
    (found,) = (folder / "runs").iterdir()
    return found


@pytest.mark.parametrize("killed", [False, True], ids=["cancelled", "killed"])
def test_a_run_that_was_broken_off_is_replayed_as_far_as_it_came(
    killed: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded = cancelled_at("2/analyst", tmp_path / "case")
    if killed:
        under_way = json.loads((recorded / "run.json").read_bytes()) | {"status": None}
        (recorded / "run.json").write_text(json.dumps(under_way), encoding="utf-8")
    else:
        assert verify_pack(pack_run(recorded).path).differences == ()
    desk = Desk(recorded, tmp_path, capsys)
    ends = f"the record of '{recorded}' ends before turn 2/analyst"
    assert desk.replay() == (130, f"foureyes: cancelled; not approved: {ends}\n")
    assert differing(recorded, desk.replayed) == DIFFERS
    manifest = manifest_of(desk.replayed)
    assert (manifest["status"], manifest["reason"]) == (RunStatus.CANCELLED, ends)


def test_a_run_that_went_on_is_replayed_as_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded = cancelled_at("2/analyst", tmp_path / "case")
    assert foureyes.resume_run(recorded).status is RunStatus.APPROVED
    assert verify_pack(recorded / PACK_FILE).differences == ()
    desk = Desk(recorded, tmp_path, capsys)
    assert desk.replay() == (0, "")
    # Each call is under the sitting that made it, and a replay has one sitting.
    changed = {name for name in differing(recorded, desk.replayed) if "turns/" not in name}
    assert changed <= {*DIFFERS, "summary.md"}


def test_a_time_limit_is_reached_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recorded = record(tmp_path / "case", WRONG, max_minutes=1e-6)
    assert manifest_of(recorded)["status"] == RunStatus.BUDGET_EXCEEDED
    assert verify_pack(recorded / PACK_FILE).differences == ()
    desk = Desk(recorded, tmp_path, capsys)
    assert desk.replay() == (3, "")
    assert manifest_of(desk.replayed)["reason"] == manifest_of(recorded)["reason"]


def damage(name: str, text: str) -> Callable[[Path], None]:
    def do(run_dir: Path) -> None:
        (path,) = run_dir.glob(name)
        path.write_text(text, encoding="utf-8")

    return do


@pytest.mark.parametrize(
    ("harm", "message"),
    [
        (shutil.rmtree, "is not a run directory"),
        (damage("run.json", "{"), "run.json' is damaged"),
        (damage("run.json", '{"layout": 99}'), "was written by a newer version"),
        (damage("config.json", "{"), "config.json' is damaged"),
        (damage("turns/2-judge.*.json", "{"), "json' is damaged"),
        (damage("turns/2-judge.*.json", '{"layout": 99}'), "was written by a newer version"),
        (damage("journal/2-sources.*.json", "{"), "json' is damaged"),
        (damage("judgement.json", "{"), "judgement.json' is damaged"),
    ],
)
def test_a_record_that_cannot_be_used_is_named_in_one_line(
    desk: Desk, harm: Callable[[Path], None], message: str
) -> None:
    copy = desk.folder / "copy"
    shutil.copytree(desk.run_dir, copy)
    harm(copy)
    code, said = desk.replay(run_dir=copy)
    assert (code, said.count("\n")) == (4, 1)
    assert message in said


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--mode", "analyze"), "--mode cannot be combined with a replay"),
        (("--model", "other"), "--model cannot be combined with a replay"),
        (("brief.md",), "--replay takes no INPUT"),
        (("--sources", "x"), "--replay takes no INPUT"),
    ],
)
def test_what_would_make_it_another_run_is_refused(
    desk: Desk, flags: tuple[str, ...], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(desk.folder)
    Path("brief.md").write_text(BRIEF, encoding="utf-8")
    code, said = desk.replay(*flags)
    assert (code, message in said) == (4, True)
    assert not (desk.folder / "replays").exists()


def test_a_replay_is_not_resumed(desk: Desk) -> None:
    desk.replay()
    assert execute(["resume", str(desk.replayed)]) == 4
    assert "is a replay, which cannot go on" in desk.capsys.readouterr().err


def once(first: Answer, then: Rule) -> Rule:
    """`first` for the first request, then as `then` has it."""
    asked: list[Request] = []

    def rule(request: Request) -> Answer:
        asked.append(request)
        return first if len(asked) == 1 else then(request)

    return rule


def over_the_cli(server: MessagesServer, folder: Path, *flags: str) -> tuple[int, Path]:
    """Exit code and directory of a run with the Claude backend."""
    write_case(folder, GOOD_DRAFT)
    connection = ["--backend", "claude", "--base-url", server.url, "--api-key-env", "OWN_KEY"]
    run = foureyes_here(
        *connection,
        *("--with-fact-checker", "--sources", "sources", "--as-of", "2026-01-02", "--quiet"),
        *flags,
        "brief.md",
        cwd=folder,
        env={"OWN_KEY": DUMMY_KEY},
    )
    assert run.stderr == ""
    (found,) = (folder / "runs").iterdir()
    return run.returncode, found


@pytest.mark.cli
def test_a_run_over_the_cli_is_replayed_without_it_mended_and_failed_turns_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with MessagesServer() as server:
        model = server.default = plays(Plan())
        server.rules["1/reviewer"] = once(Reply("Done."), model)
        server.rules["1/fact_checker/batch-01"] = once(Trouble(Fault.GARBLED_STREAM), model)
        code, recorded = over_the_cli(server, tmp_path / "case", "--draft", "draft.md")
    assert code == 0
    calls = [json.loads(path.read_bytes()) for path in (recorded / "turns").glob("*.json")]
    calls.sort(key=lambda call: call["call"])
    mended, retried = (
        ["kind" in call["outcome"] for call in calls if call["name"] == name]
        for name in ("1/reviewer", "1/fact_checker/batch-01")
    )
    assert (mended, retried) == ([False, False], [True, False])
    assert verify_pack(recorded / PACK_FILE).differences == ()
    desk = Desk(recorded, tmp_path, capsys)
    assert desk.replay() == (0, "")
    assert differing(recorded, desk.replayed) == DIFFERS
    assert told(recorded) == told(desk.replayed)


@pytest.mark.cli
def test_a_critic_that_failed_fails_again_until_the_record_has_its_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with MessagesServer() as server:
        server.default = plays(Plan())
        server.rules["1/reviewer"] = lambda _request: Trouble(Fault.STATUS, 401)
        code, recorded = over_the_cli(server, tmp_path / "case", "--draft", "draft.md")
        desk = Desk(recorded, tmp_path, capsys)
        assert code == 2
        assert verify_pack(recorded / PACK_FILE).differences == ()
        assert desk.replay() == (2, "")
        assert differing(recorded, desk.replayed) == DIFFERS
        shutil.rmtree(desk.folder / "replays")
        server.rules.clear()
        connection = ["--backend", "claude", "--base-url", server.url, "--api-key-env", "OWN_KEY"]
        again = foureyes_here(
            "resume", recorded, *connection, cwd=tmp_path, env={"OWN_KEY": DUMMY_KEY}
        )
        assert again.returncode == 0
    assert desk.replay() == (0, "")
    assert manifest_of(desk.replayed)["status"] == RunStatus.APPROVED

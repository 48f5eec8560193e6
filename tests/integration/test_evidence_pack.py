"""A run's evidence pack: whole, the same for equal runs, checked again, and not to be changed."""

from __future__ import annotations

import contextlib
import fnmatch
import io
import json
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import foureyes
import pytest
from foureyes import InputError, RunDirectoryError, RunStatus, StorageError, pack_run, verify_pack
from foureyes.datatypes import Difference, PackCheck
from integration import pack_tampering as tampering
from support.commands import ROOT, execute
from support.kills import ends_before_write
from support.runs import BRIEF, GOOD_DRAFT, write_case

WRONG = GOOD_DRAFT.replace("$30 billion", "$50 billion").replace("96 mega", "69 mega")
PACK_FILE = "evidence_pack.zip"
FOLDERS = {"iterations", "journal", "rules", "sources", "turns", "verify"}
OF_INPUTS = ("turns", "brief.md", "draft.md", "materials.json", "sources/", "rules/", "journal/")
"""A change here comes to light by what no longer follows from it."""


def record(folder: Path, draft: str, **settings: Any) -> Path:
    write_case(folder, draft)
    settings = {"with_fact_checker": True, "out": folder / "runs", **settings}
    result = foureyes.run_analysis(BRIEF, draft=draft, sources=[folder / "sources"], **settings)
    assert result.run_dir is not None
    return result.run_dir


@pytest.fixture(scope="module")
def run_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of all agents with a revision."""
    return record(tmp_path_factory.mktemp("full"), WRONG, mode="full_evaluation")


@pytest.fixture
def pack(run_dir: Path) -> bytes:
    return (run_dir / PACK_FILE).read_bytes()


def differences(pack: bytes, folder: Path) -> tuple[Difference, ...]:
    path = folder / "checked.zip"
    path.write_bytes(pack)
    return verify_pack(path).differences


def test_everything_in_the_pack_of_a_run_holds(run_dir: Path) -> None:
    report = verify_pack(run_dir / PACK_FILE, digest=pack_run(run_dir).digest)
    assert report.differences == ()
    assert (report.status, report.own_rules, report.versions) == (RunStatus.APPROVED, (), {})
    assert report.checked[PackCheck.VERDICTS] == 12
    assert report.checked[PackCheck.QUOTES] >= 12
    assert set(report.checked) >= set(PackCheck) - {
        PackCheck.CONTAINER,
        PackCheck.DIGEST,
        "conclusions",
    }


def test_a_pack_holds_all_that_a_run_rests_on(run_dir: Path) -> None:
    with ZipFile(run_dir / PACK_FILE) as archive:
        names = set(archive.namelist())
    assert {name.split("/")[0] for name in names if "/" in name} == FOLDERS
    made = {path.relative_to(run_dir).as_posix() for path in run_dir.rglob("*") if path.is_file()}
    left = {"source_validation.log", PACK_FILE, ".lock"}
    assert made - left - names == {n for n in made if n.startswith(("given/", "sources/index/"))}
    assert {"rules/registry/gate.yaml", "versions.json", "judgement.json"} <= names


def test_packing_what_was_unpacked_gives_the_same_bytes(
    run_dir: Path, pack: bytes, tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()
    with ZipFile(run_dir / PACK_FILE) as archive:
        archive.extractall(tmp_path / "out")
    pack_run(tmp_path / "out", tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == pack
    shutil.copytree(run_dir, tmp_path / "copy")
    assert pack_run(tmp_path / "copy").path.read_bytes() == pack


@pytest.mark.parametrize(
    ("member", "before", "after"),
    [
        ("config.json", rb'"defenders": \d', b'"defenders": 5'),
        ("versions.json", rb'"trafilatura": "', b'"trafilatura": "9'),
        ("events.jsonl", rb"\.\d{6}Z", b".123456Z"),
    ],
)
def test_what_can_be_changed_unseen_without_the_digest_is_listed(
    member: str, before: bytes, after: bytes, pack: bytes, run_dir: Path, tmp_path: Path
) -> None:
    found = tampering.members(pack, tmp_path)
    changed = {**found, member: re.sub(before, after, found[member], count=1)}
    assert changed != found
    sealed = tmp_path / "again.zip"
    sealed.write_bytes(tampering.again(pack, changed, member, "", tmp_path).pack)
    report = verify_pack(sealed)
    assert report.holds
    assert member in report.not_recomputed
    kept = verify_pack(run_dir / PACK_FILE).digest
    assert not verify_pack(sealed, digest=kept).holds


def assert_found(pack: bytes, seed: int, folder: Path) -> None:
    changed = tampering.tampered(pack, seed, folder)
    assert changed.pack != pack
    try:
        found = differences(changed.pack, folder)
    except InputError:
        return
    if not changed.member.startswith("rules/"):
        # Somebody at work on the packaged rules must not hide a miss.
        found = tuple(one for one in found if one.check is not PackCheck.RULES)
    assert found, f"{changed.member}: {changed.how}"
    if changed.member and not changed.member.startswith(OF_INPUTS):
        assert changed.member in {one.member for one in found}, changed.how


@pytest.mark.parametrize("seed", range(12))
def test_a_change_of_each_sort_is_found_and_named(seed: int, pack: bytes, tmp_path: Path) -> None:
    assert_found(pack, seed, tmp_path)


@pytest.mark.soak
@pytest.mark.parametrize("first", range(1000, 1200, 20))
def test_two_hundred_changes_are_found_and_named(first: int, pack: bytes, tmp_path: Path) -> None:
    for seed in range(first, first + 20):
        assert_found(pack, seed, tmp_path)


def lifted(found: tampering.Members) -> None:
    """The contradicted figure of the first draft, made to pass: in the ledger and in the gate."""
    name = "verify/iteration_1/claim_ledger.json"
    ledger = json.loads(found[name])
    for entry in ledger["entries"]:
        if entry["verdict"] == "contradicted":
            entry |= {"verdict": "supported", "open_contradiction": False}
    found[name] = (json.dumps(ledger, indent=2, ensure_ascii=False) + "\n").encode()


def swapped(found: tampering.Members) -> None:
    """A source whose text says what the draft says, under a name and hashes that agree."""
    for name in [n for n in found if n.startswith("sources/") and n.endswith(".txt")]:
        tampering.retell(found, name, b"$30 billion", b"$50 billion")


def easier(found: tampering.Members) -> None:
    found["rules/registry/gate.yaml"] = found["rules/registry/gate.yaml"].replace(b"0.8", b"0.6")


@pytest.mark.parametrize(
    ("change", "check", "member"),
    [
        (lifted, PackCheck.CONCLUSIONS, "verify/iteration_1/claim_ledger.json"),
        (swapped, PackCheck.SNAPSHOTS, ".txt"),
        (easier, PackCheck.RULES, "rules/registry/gate.yaml"),
    ],
)
def test_a_forger_who_seals_the_pack_again_is_found_by_what_no_longer_follows(
    change: Callable[[tampering.Members], None],
    check: PackCheck,
    member: str,
    pack: bytes,
    tmp_path: Path,
) -> None:
    found = tampering.members(pack, tmp_path)
    change(found)
    changed = tampering.again(pack, found, member, "", tmp_path)
    named = [(one.check, one.member) for one in differences(changed.pack, tmp_path)]
    assert any(one is check and name.endswith(member) for one, name in named), named


def test_a_lifted_contradiction_is_named_with_its_claim(pack: bytes, tmp_path: Path) -> None:
    found = tampering.members(pack, tmp_path)
    lifted(found)
    changed = tampering.again(pack, found, "", "", tmp_path)
    verdicts = [one for one in differences(changed.pack, tmp_path) if one.place.endswith("verdict")]
    assert {(one.recorded, one.found) for one in verdicts} == {("supported", "contradicted")}
    assert all(one.claim_id.startswith("c-") for one in verdicts)


def test_evidence_that_does_not_follow_and_a_file_left_out_are_named(
    pack: bytes, tmp_path: Path
) -> None:
    found = tampering.members(pack, tmp_path)
    mapped, judged = "verify/claim_evidence_map.json", "verify/critique.json"
    found[mapped] = found[mapped].replace(b"60 percent of the shares", b"90 percent of the shares")
    del found[judged]
    changed = tampering.again(pack, found, "", "", tmp_path)
    named = {(one.check, one.member) for one in differences(changed.pack, tmp_path)}
    conclusions = PackCheck.CONCLUSIONS
    assert named >= {(PackCheck.QUOTES, mapped), (conclusions, mapped), (conclusions, judged)}


@pytest.mark.parametrize("member", ["versions.json", "rules/registry/judge.yaml"])
def test_what_a_pack_was_decided_with_cannot_be_left_out(
    member: str, pack: bytes, tmp_path: Path
) -> None:
    found = tampering.members(pack, tmp_path)
    del found[member]
    changed = tampering.again(pack, found, member, "", tmp_path)
    named = [(one.check, one.member) for one in differences(changed.pack, tmp_path)]
    assert (PackCheck.MEMBERS, member) in named


def edited(name: str, change: Callable[[Any], Any]) -> Callable[[tampering.Members], None]:
    """A change of one JSON member; `name` may be a pattern."""

    def edit(found: tampering.Members) -> None:
        member = next(one for one in sorted(found) if fnmatch.fnmatch(one, name))
        data = change(json.loads(found[member]))
        found[member] = (json.dumps(data, indent=2, ensure_ascii=False) + "\n").encode()

    return edit


def of_events(change: Callable[[list[dict[str, Any]]], object]) -> Callable[..., None]:
    def edit(found: tampering.Members) -> None:
        events = [json.loads(line) for line in found["events.jsonl"].splitlines()]
        change(events)
        lines = (json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in events)
        found["events.jsonl"] = "".join(f"{line}\n" for line in lines).encode()

    return edit


def ended_first(events: list[dict[str, Any]]) -> None:
    last = next(at for at, one in enumerate(events) if one["event"] == "iteration_ended")
    events.insert(1, events.pop(last))


def earlier(events: list[dict[str, Any]]) -> None:
    for one in events:
        one["at"] = one["at"].replace("20", "19", 1)


def added(name: str) -> Callable[[tampering.Members], None]:
    return lambda found: found.update({name: b"# Approved\n"})


HELD = "sources/" + "[0-9a-f]" * 64 + ".json"


def removed(name: str) -> Callable[[tampering.Members], object]:
    return lambda found: found.pop(name)


RETOLD: dict[str, tuple[Callable[[tampering.Members], object], str]] = {
    "a file of its own": (added("approved/README.md"), "approved/README.md"),
    "a second summary": (added("summary.html"), "summary.html"),
    "a file among the verdicts": (added("verify/notes.md"), "verify/notes.md"),
    "no report": (removed("report.html"), "report.html"),
    "no summary": (removed("summary.md"), "summary.md"),
    "other times": (of_events(earlier), "events.jsonl"),
    "another order": (of_events(ended_first), "events.jsonl"),
    "another title of a source": (
        edited(HELD, lambda one: one | {"title": "Law"}), "sources/*.json"),
    "another day of a fetch": (
        edited(HELD, lambda one: one | {"fetched_at": "2020-01-01T00:00:00Z"}), "sources/*.json"),
    "another backend": (
        edited("config.json",
               lambda one: one | {"settings": one["settings"] | {"backend": "claude"}}),
        "config.json"),
    "another day of a review": (
        edited("iterations/reviewer_feedback_iteration_1.json",
               lambda one: one | {"timestamp": "2020-01-01T00:00:00Z"}),
        "iterations/reviewer_feedback_iteration_1.json"),
    "another address of a source": (
        edited(HELD, lambda one: one | {"url_chain": ["https://law.example/"]}), "sources/*.json"),
    "a word beside a turn": (
        edited("turns/1-reviewer.*", lambda one: one | {"checked_by": "A"}), "turns/1-reviewer.*"),
    "a key that stands twice": (
        lambda found: found.update({"judgement.json": found["judgement.json"].replace(
            b"{", b'{"iteration": 7, ', 1)}), "judgement.json"),
    "an answer to no question": (
        lambda found: found.update({f"searches/{'0' * 64}.json": b"{}"}), "searches/*.json"),
    "an event of no run": (
        of_events(lambda events: events.insert(2, events[2] | {"event": "approved_by_court"})),
        "events.jsonl"),
    "words for a trace": (
        of_events(lambda events: events.insert(2, events[2] | {"event": "traced"})),
        "events.jsonl"),
    "more sessions": (edited("run.json", lambda one: one | {"resumed": 1}), "run.json"),
    "a component of nobody": (
        edited("versions.json", lambda one: one | {"checked_by": "Ana"}), "versions.json"),
    "a replay of nothing": (added("replay.json"), "replay.json"),
    "a longer run": (
        edited("analytics.json", lambda one: one | {"active_s": 9e4}), "analytics.json"),
}  # fmt: skip


AGAIN = (
    *("another order", "another day of a fetch", "a word beside a turn", "a key that stands twice"),
    "a component of nobody",
)
THIRD = ("another address of a source", "an event of no run")
"""Changes of a file in which there is another change, too."""


@pytest.mark.parametrize(
    "names",
    [
        pytest.param([one for one in RETOLD if one not in (*AGAIN, *THIRD)], id="each file"),
        pytest.param(AGAIN, id="in another way"),
        pytest.param(THIRD, id="in a third way"),
        *(pytest.param([name], id=name, marks=pytest.mark.soak) for name in RETOLD),
    ],
)
def test_what_a_reader_is_told_beside_the_verdicts_is_bound(
    names: Sequence[str], pack: bytes, tmp_path: Path
) -> None:
    found = tampering.members(pack, tmp_path)
    for name in names:
        RETOLD[name][0](found)
    changed = tampering.again(pack, found, "", "", tmp_path)
    told = [one.member for one in differences(changed.pack, tmp_path)]
    assert [name for name in names if not fnmatch.filter(told, RETOLD[name][1])] == []


@pytest.mark.parametrize(("event", "at"), [("run_started", 1), ("run_ended", -1)])
def test_a_run_begins_before_its_work_and_ends_after_it(
    event: str, at: int, pack: bytes, tmp_path: Path
) -> None:
    def move(events: list[dict[str, Any]]) -> None:
        (moved,) = (one for one in events if one["event"] == event)
        work = [one for one in events if one["event"] in ("gathering_evidence", "iteration_ended")]
        events.remove(moved)
        events.insert(events.index(work[min(at, 0)]) + max(at, 0), moved)

    found = tampering.members(pack, tmp_path)
    of_events(move)(found)
    changed = tampering.again(pack, found, "", "", tmp_path)
    assert "events.jsonl" in {one.member for one in differences(changed.pack, tmp_path)}


def test_the_summary_of_a_resumed_run_is_computed_again(run_dir: Path, tmp_path: Path) -> None:
    shutil.copytree(run_dir, tmp_path / "run")
    (tmp_path / "run" / PACK_FILE).unlink()
    assert foureyes.resume_run(tmp_path / "run").status is RunStatus.APPROVED
    pack = (tmp_path / "run" / PACK_FILE).read_bytes()
    assert differences(pack, tmp_path) == ()
    found = tampering.members(pack, tmp_path)
    found["summary.md"] = found["summary.md"].replace(b"rules only", b"three professors")
    changed = tampering.again(pack, found, "", "", tmp_path)
    assert "summary.md" in {one.member for one in differences(changed.pack, tmp_path)}


def resumed_run(folder: Path) -> Path:
    """A run that was killed as its second iteration began, and resumed."""
    write_case(folder, WRONG)

    def begin() -> None:
        with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()):
            flags = ["--mode", "full_evaluation", "--draft", "draft.md", "--quiet"]
            execute(["run", *flags, "--sources", "sources", "brief.md"])

    assert not ends_before_write(120, begin)
    (run_dir,) = (path.parent for path in (folder / "runs").glob("*/run.json"))
    assert foureyes.resume_run(run_dir).status is RunStatus.APPROVED
    return run_dir


def test_what_a_resumed_run_did_in_each_session_is_bound(tmp_path: Path) -> None:
    pack = (resumed_run(tmp_path / "case") / PACK_FILE).read_bytes()
    assert differences(pack, tmp_path) == ()

    def in_the_first(events: list[dict[str, Any]]) -> None:
        events.insert(2, events[2] | {"event": "approved_by_court"})

    def at_the_end(events: list[dict[str, Any]]) -> None:
        events[-1]["detail"] = "approved by all"

    usage = edited(
        "journal/1-reviewer.*", lambda one: one | {"usage": one["usage"] | {"messages": 9}}
    )
    for change in (of_events(in_the_first), of_events(at_the_end), usage):
        found = tampering.members(pack, tmp_path)
        change(found)
        assert differences(tampering.again(pack, found, "", "", tmp_path).pack, tmp_path)


def test_another_manifest_is_found_by_the_digest(run_dir: Path, tmp_path: Path) -> None:
    kept = pack_run(run_dir).digest
    other = record(tmp_path, GOOD_DRAFT)
    assert verify_pack(other / PACK_FILE).holds
    (found,) = verify_pack(other / PACK_FILE, digest=kept).differences
    assert (found.check, found.recorded) == (PackCheck.DIGEST, f"digest {kept}")


def test_what_another_version_computes_is_not_called_tampering(pack: bytes, tmp_path: Path) -> None:
    found = tampering.members(pack, tmp_path)
    for name in ("run.json", "versions.json"):
        data = json.loads(found[name]) | {"foureyes": "0.0.1"}
        found[name] = (json.dumps(data, indent=2, ensure_ascii=False) + "\n").encode()
    lifted(found)
    changed = tampering.again(pack, found, "", "", tmp_path)
    told = differences(changed.pack, tmp_path)
    assert told
    assert all(one.other_version for one in told)


def test_rules_of_another_version_that_cannot_be_read_are_replaced_and_told(
    pack: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = tampering.members(pack, tmp_path)
    for name in ("run.json", "versions.json"):
        data = json.loads(found[name]) | {"foureyes": "9.9.9"}
        found[name] = (json.dumps(data, indent=2, ensure_ascii=False) + "\n").encode()
    found["rules/registry/gate.yaml"] += b"later: 1\n"
    path = tmp_path / "later.zip"
    path.write_bytes(tampering.again(pack, found, "", "", tmp_path).pack)
    execute(["pack", "verify", str(path)])
    said = capsys.readouterr().out
    assert "another version of foureyes: 9.9.9 there, 0.1.0 here\n" in said
    assert "another version of rules: those in the pack cannot be read here" in said
    assert all(one.other_version for one in verify_pack(path).differences)


def test_a_runs_own_rules_are_packed_used_and_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "own"
    own.mkdir()
    text = (ROOT / "config" / "registry" / "gate.yaml").read_text(encoding="utf-8")
    (own / "gate.yaml").write_text(text.replace("0.8", "0.75"), encoding="utf-8")
    recorded = record(tmp_path / "case", GOOD_DRAFT, registry_dir=own)
    shutil.rmtree(own)
    assert execute(["pack", "verify", str(recorded / PACK_FILE)]) == 0
    assert "its own rules: rules/registry/gate.yaml\n" in capsys.readouterr().out
    assert foureyes.replay_run(recorded, out=tmp_path / "again").status is RunStatus.APPROVED


def test_a_run_under_way_is_not_packed(run_dir: Path, tmp_path: Path) -> None:
    shutil.copytree(run_dir, tmp_path / "run")
    manifest = json.loads((tmp_path / "run" / "run.json").read_bytes()) | {"status": None}
    (tmp_path / "run" / "run.json").write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(RunDirectoryError, match="has not ended"):
        pack_run(tmp_path / "run")


def test_links_and_hidden_files_stay_out(run_dir: Path, tmp_path: Path, pack: bytes) -> None:
    shutil.copytree(run_dir, tmp_path / "run")
    (tmp_path / "run" / "iterations" / "passwords.md").symlink_to("/etc/passwd")
    (tmp_path / "run" / "verify" / ".half").write_text("half", encoding="utf-8")
    assert pack_run(tmp_path / "run").path.read_bytes() == pack


def test_a_full_disk_leaves_no_half_pack_and_a_valid_run(run_dir: Path, tmp_path: Path) -> None:
    shutil.copytree(run_dir, tmp_path / "run", ignore=shutil.ignore_patterns(PACK_FILE))
    before = sorted((tmp_path / "run").rglob("*"))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    try:
        with pytest.raises(StorageError, match="cannot write"):
            pack_run(tmp_path / "run")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert sorted((tmp_path / "run").rglob("*")) == before
    assert verify_pack(pack_run(tmp_path / "run").path).holds


KILLED = """
import sys
from pathlib import Path
import foureyes
for _ in range(10_000):
    foureyes.pack_run(Path(sys.argv[1]))
"""


def test_a_killed_packer_leaves_the_last_whole_pack(
    run_dir: Path, pack: bytes, tmp_path: Path
) -> None:
    shutil.copytree(run_dir, tmp_path / "run")
    out = tmp_path / "run" / PACK_FILE
    child = subprocess.Popen([sys.executable, "-c", KILLED, tmp_path / "run"])
    try:
        until = time.monotonic() + 30
        while not list((tmp_path / "run").glob(f".{PACK_FILE}.*")) and time.monotonic() < until:
            time.sleep(0.001)
    finally:
        child.send_signal(signal.SIGKILL)
        child.wait(30)
    assert out.read_bytes() == pack
    manifest = json.loads((tmp_path / "run" / "run.json").read_bytes())
    assert manifest["status"] == RunStatus.APPROVED
    assert pack_run(tmp_path / "run").path.read_bytes() == pack


def test_the_commands_tell_digest_checks_and_differences(
    run_dir: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "mine.zip"
    assert execute(["pack", str(run_dir), "-o", str(out), "--json"]) == 0
    written = json.loads(capsys.readouterr().out)
    assert execute(["pack", "verify", str(out), "--digest", written["digest"]]) == 0
    assert capsys.readouterr().out.endswith("everything in the pack holds\n")
    assert execute(["pack", "verify", str(out), "--digest", "0" * 64]) == 1
    said = capsys.readouterr().out
    assert "1 difference:\n  manifest.json: recorded 'digest 0000" in said
    assert execute(["pack", "verify", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["differences"] == []
    assert execute(["pack", "verify", str(run_dir / "brief.md")]) == 4
    assert execute(["pack", str(run_dir)]) == 0
    assert f"digest: {written['digest']}\n" in capsys.readouterr().out

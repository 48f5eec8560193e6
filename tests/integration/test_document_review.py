"""`foureyes review` as a person runs it: bad input, the gate at a terminal, stops, kills, disks."""

from __future__ import annotations

import json
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest
from support.commands import foureyes, foureyes_here
from support.docx import docx, paragraph
from support.pdf import pdf
from support.programs import Program
from support.reviews import PLAN, write_plan
from support.terminal import at_a_terminal

SECTIONS = "".join(
    f"\n## {number}. Part\n\nThe QX{letter} met twice. Later the QX{letter} left. Boat {number} "
    f"was built in {1950 + number} and cost ${number} million.\n"
    for number, letter in enumerate("ABCDEFGHIJKLMNOPQ", start=3)
)
LONG = PLAN.replace("\n## References", f"{SECTIONS}\n## References")
"""Long enough that a review of it can be stopped under way."""
OPTIONS = ("--sources", "sources", "--fetch", "none", "--as-of", "2026-01-02")
JOB = ("review", "plan.md", *OPTIONS, "--verify-background", "--yes", "--json", "--quiet")


# --- bad input ---------------------------------------------------------------------------------


def huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(21 * 1024 * 1024)


@dataclass(frozen=True)
class Bad:
    """A command, the words that must name what is wrong, and the file that it is about."""

    id: str
    command: str
    expected: str
    data: bytes | Callable[[Path], None] = b"The quay is old.\n"


BAD = [
    Bad("missing", "none.md", "'none.md' does not exist"),
    Bad("a folder", ".", "'.' is a folder"),
    Bad("empty", "doc", "'doc' is empty", b" \n"),
    Bad("binary", "doc", "'doc' is a binary file", b"a\x00b"),
    Bad("not UTF-8", "doc", "'doc' is not UTF-8 (byte 3)", b"caf\xe9"),
    Bad("unreadable", "doc", "cannot read 'doc'", lambda path: path.symlink_to(path)),
    Bad("too large", "doc", "'doc' is larger than", huge),
    Bad("encrypted PDF", "doc", "password", pdf([["Plan"]], encrypted=True)),
    Bad("PDF without text", "doc", "'doc'", pdf([[]])),
    Bad("damaged Word file", "doc.docx", "'doc.docx' is damaged", docx(paragraph("x"))[:200]),
    Bad("another kind", "doc.xlsx", "of a kind that is not read", b"PK\x03\x04"),
    Bad("nothing", "", "say what to review"),
    Bad("two at once", "doc --resume x", "say what to review"),
    Bad("yes and stop", "--resume x --yes --stop", "--yes and --stop exclude each other"),
    Bad("stop without a review", "doc --stop", "--resume DIR"),
    Bad("unknown severity", "doc --fail-on bad", "'--fail-on': 'bad'"),
    Bad("unknown agent", "doc --model red=x", "unknown agent 'red'"),
    Bad("missing source", "doc --sources none", "'none' does not exist"),
    Bad("no review directory", "--resume .", "'.' is not a review directory"),
    Bad("a changed setting", "--resume . --no-web", "--no-web cannot change a review"),
    Bad("changed sources", "--resume . --sources doc", "--sources cannot change a review"),
    Bad("a model without a key", "doc --backend claude", "ANTHROPIC_API_KEY"),
    Bad("unwritable", "doc --out doc/reviews", "doc/reviews"),
]


@pytest.mark.parametrize("case", BAD, ids=lambda case: case.id)
def test_bad_input_is_one_clear_line_and_leaves_nothing(case: Bad, tmp_path: Path) -> None:
    path = tmp_path / ("doc" + Path(next(iter(case.command.split()), "")).suffix)
    if isinstance(case.data, bytes):
        path.write_bytes(case.data)
    else:
        case.data(path)
    run = foureyes_here("review", *case.command.split(), cwd=tmp_path)
    assert (run.returncode, run.stdout) == (4, ""), run.stderr
    assert case.expected in run.stderr
    assert run.stderr.count("\n") == 1
    assert run.stderr.startswith("foureyes: error: ")
    assert not list(tmp_path.glob("reviews/*"))


# --- what a person sees ------------------------------------------------------------------------


def plan(folder: Path, text: str = LONG) -> Path:
    write_plan(folder, text)
    return folder


def the_review(folder: Path) -> Path:
    (path,) = (path.parent for path in folder.glob("reviews/[!.]*/review.json"))
    return path


def status(folder: Path) -> str:
    return json.loads((the_review(folder) / "review.json").read_bytes())["status"]


@pytest.mark.parametrize(
    ("typed", "end"),
    [
        ("yes\n", "completed"),
        ("stop\n", "stopped"),
        # As without a terminal.
        pytest.param("\n", "awaiting_decision", marks=pytest.mark.soak),
    ],
)
def test_a_person_at_a_terminal_is_asked(tmp_path: Path, typed: str, end: str) -> None:
    command = ("review", "plan.md", *OPTIONS)
    code, seen = at_a_terminal(plan(tmp_path, PLAN), *command, answers=typed)
    assert code == (2 if end == "awaiting_decision" else 0), seen
    assert "go on? yes, stop" in seen
    assert seen.index("arithmetic error") < seen.index("go on?")
    assert status(tmp_path) == end


def test_without_a_terminal_the_review_waits_and_says_how_to_go_on(tmp_path: Path) -> None:
    waits = foureyes_here("review", "plan.md", *OPTIONS, cwd=plan(tmp_path, PLAN))
    assert waits.returncode == 2
    command = re.findall(r"go on with: foureyes (.*) --yes", waits.stdout)[0]
    again = foureyes_here(*shlex.split(command), "--yes", "--fail-on", "high", cwd=tmp_path)
    assert again.returncode == 1
    assert "status: completed" in again.stdout
    told = foureyes_here("report", "log", the_review(tmp_path), cwd=tmp_path)
    assert "document review" in told.stdout


def test_json_is_one_object_and_nothing_else(tmp_path: Path) -> None:
    run = foureyes_here(*JOB, cwd=plan(tmp_path, PLAN))
    told = json.loads(run.stdout)
    assert (told["status"], told["exit_code"], run.returncode) == ("completed", 0, 0)
    kept = json.loads((tmp_path / told["review_dir"] / "report.json").read_bytes())
    assert told["report"] == kept
    assert run.stderr == ""


HOSTILE = (
    "# Plan \x1b]0;owned\x07 <script>alert(1)</script>\n\nTraffic \x1b[2Jrose from 40 to 50 boats, "
    "a rise of 30 % <img src=x onerror=alert(1)>. The X\u202eKB met. [a](javascript:alert(1)) See "
    "Section 9|`x` for\x1b[31m more.\n"
)


def test_a_document_steers_neither_the_terminal_nor_its_report(tmp_path: Path) -> None:
    command = ("review", "plan.md", *OPTIONS, "--yes")
    code, seen = at_a_terminal(plan(tmp_path, HOSTILE), *command)
    assert code == 0, seen
    assert not {"\x07", "\u202e"} & set(seen)
    assert "\x1b]0;" not in seen
    assert "\x1b[2Jrose" not in seen
    # Every text that a person opens; the document itself stays as it was given.
    texts = {path.name: path.read_text("utf-8") for path in the_review(tmp_path).glob("*.md")}
    del texts["document.md"]
    assert {"report.md", "annotated.md"} <= texts.keys()
    for text in texts.values():
        assert not {"\x1b", "\x07", "\u202e"} & set(text)
        assert not re.search(r"(?<!\\)<(script|img)", text)
    assert "](javascript" not in texts["report.md"]


# --- stopped, killed, out of space -------------------------------------------------------------


@contextmanager
def started(folder: Path, *options: str) -> Generator[subprocess.Popen[str]]:
    """A review of the plan in `folder`, in a process group of its own."""
    command = [sys.executable, "-m", "pipeline", *JOB, *options]
    with Program[str](
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as program:
        yield program


def wait_for(program: subprocess.Popen[str], folder: Path, pattern: str) -> Path:
    """The first file below `folder` with this name, as soon as it is there."""
    while program.poll() is None:
        for path in folder.glob(pattern):
            return path
        time.sleep(0.001)
    raise AssertionError(f"the review ended without {pattern}")


def test_ctrl_c_ends_a_review_cleanly_and_it_goes_on_later(tmp_path: Path) -> None:
    with started(plan(tmp_path)) as program:
        wait_for(program, tmp_path, "reviews/*/journal/1-blue*")
        program.send_signal(signal.SIGINT)
        out, err = program.communicate(timeout=60)
    assert program.returncode == 130
    assert json.loads(out)["status"] == status(tmp_path) == "cancelled"
    command = re.findall(r"go on with: foureyes (.*)", err)[0]
    again = foureyes_here(*shlex.split(command), "--yes", "--json", "--quiet", cwd=tmp_path)
    assert (again.returncode, json.loads(again.stdout)["status"]) == (0, "completed")


def settled(report: dict[str, Any]) -> dict[str, Any]:
    """A report without what differs from run to run."""
    decision = report["decision"] and {**report["decision"], "at": None}
    return {**report, "started": None, "decision": decision}


def journal(review_dir: Path) -> dict[str, tuple[int, int]]:
    """Each entry's inode and time of change: a step that ran again has new ones."""
    entries = (review_dir / "journal").glob("*.json")
    return {p.name: (p.stat().st_ino, p.stat().st_mtime_ns) for p in entries}


@dataclass(frozen=True)
class Reference:
    """The report of the review that nobody stopped, and how long that took in a process."""

    report: dict[str, Any]
    seconds: float


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Reference:
    folder = plan(tmp_path_factory.mktemp("reference"))
    with started(folder) as program:
        wait_for(program, folder, "reviews/[!.]*/review.json")
        began = time.monotonic()
        out, _ = program.communicate(timeout=120)
    return Reference(settled(json.loads(out)["report"]), time.monotonic() - began)


def turns(review_dir: Path) -> tuple[list[str], list[str]]:
    """The turns that were begun before the review was gone on with, and after."""
    lines = (review_dir / "events.jsonl").read_text(encoding="utf-8").splitlines()
    events = [cast("dict[str, Any]", json.loads(line)) for line in lines]
    again = next((i for i, e in enumerate(events) if e["event"] == "run_resumed"), len(events))
    began = [(i, e["detail"]) for i, e in enumerate(events) if e["event"] == "turn_started"]
    return [name for i, name in began if i < again], [name for i, name in began if i > again]


def kill_and_compare(folder: Path, reference: Reference, chance: random.Random) -> None:
    """Kill a review at some moment, go on with it, and hold it against the one nobody killed."""
    for attempt in range(10):
        case = plan(folder / str(attempt))
        with started(case) as program:
            review_dir = wait_for(program, case, "reviews/[!.]*/review.json").parent
            time.sleep(chance.random() * reference.seconds)
            os.killpg(program.pid, signal.SIGKILL)
            if program.wait(30) != -signal.SIGKILL:
                continue
        assert_goes_on(review_dir, reference.report)
        return
    raise AssertionError("no review could be killed under way")


def assert_goes_on(review_dir: Path, report: dict[str, Any]) -> None:
    """The killed review comes to `report`, and repeats nothing that was finished."""
    kept = journal(review_dir)
    folder = review_dir.parents[1]
    run = foureyes_here("review", "--resume", review_dir, "--yes", "--json", cwd=folder)
    assert run.returncode == 0, run.stderr
    assert settled(json.loads(run.stdout)["report"]) == report
    assert kept.items() <= journal(review_dir).items()
    done = {name.split(".")[0] for name in kept}
    again = [re.sub(r"[^A-Za-z0-9_-]+", "-", name) for name in turns(review_dir)[1]]
    assert done.isdisjoint(again)


# At any moment it is killed by the soak.
def test_a_killed_review_goes_on_to_the_same_end(tmp_path: Path) -> None:
    case, other = plan(tmp_path / "killed"), plan(tmp_path / "whole")
    with started(case) as program:
        entry = wait_for(program, case, "reviews/*/journal/1-blue*")
        os.killpg(program.pid, signal.SIGKILL)
        assert program.wait(30) == -signal.SIGKILL
    whole = json.loads(foureyes_here(*JOB, cwd=other).stdout)
    assert_goes_on(entry.parents[1], settled(whole["report"]))


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 120))
def test_twenty_killed_reviews_go_on_to_the_same_end(
    seed: int, reference: Reference, tmp_path: Path
) -> None:
    kill_and_compare(tmp_path, reference, random.Random(seed))


FULL = """
mount -t tmpfs -o size=300k tmpfs reviews
{command}; echo "code $?" >&2
mount -o remount,size=32m reviews
{again}
"""


def test_a_full_disk_is_said_in_one_line_and_the_review_goes_on_when_there_is_room(
    tmp_path: Path,
) -> None:
    inside = ["unshare", "--map-root-user", "--mount"]
    if not shutil.which("unshare") or subprocess.run([*inside, "true"], check=False).returncode:
        pytest.skip("no disk can be mounted here")
    (plan(tmp_path) / "reviews").mkdir()
    program = f"{shlex.quote(sys.executable)} -m pipeline"
    script = FULL.format(
        command=f"{program} {shlex.join(JOB)}",
        again=f"{program} review --resume reviews/* --yes --json --quiet",
    )
    run = subprocess.run(
        [*inside, "sh", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    error, hint, code = run.stderr.splitlines()
    assert "No space left on device (the disk is full: free some space first)" in error
    assert "go on with: foureyes review --resume" in hint
    assert code == "code 4"
    assert json.loads(run.stdout)["status"] == "completed"


def test_the_process_ends_with_the_exit_code_and_is_reached_by_python_m_pipeline(
    tmp_path: Path,
) -> None:
    run = foureyes("review", "plan.md", "--no-web", "--yes", "--quiet", cwd=plan(tmp_path, PLAN))
    assert run.returncode == 0, run.stderr
    assert "status: completed" in run.stdout

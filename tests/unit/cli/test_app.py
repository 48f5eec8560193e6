from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from support.commands import command_names, execute

AGENTS = (
    *(
        "Run:",
        "All agents:",
        "Analyst:",
        "Reviewer:",
        "Fact checker:",
        "Judge:",
        "Your own agents:",
        "Review:",
    ),
    *("Red reviewers:", "Blue defenders:", "Smoke testers:", "Claim extractor:", "Web verifiers:"),
)

TREE: Mapping[str, tuple[str, ...]] = {name: command_names(name) for name in command_names()}
DEFAULTS = {"batch": "run", "claims": "list", "report": "html", "pack": "create"}
COMMANDS = tuple(f"{name} {one}".strip() for name, below in TREE.items() for one in below or ("",))
"""Every command by all its words."""
RENAMED = {
    "review-queue": "claims decide",
    "kb add": "sources index",
    "kb search": "sources search",
    "kb": "sources",
    "log": "report log",
    "export": "report export",
    "verify-pack": "pack verify",
    "mcp": "serve mcp",
    "view": "serve reports",
    "worker": "serve jobs",
    "limits": "serve limits",
}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["brief.md"], "'brief.md' does not exist"),
        (["--with-fact-checker", "brief.md"], "'brief.md' does not exist"),
        ([], "there is no INPUT (give a brief, or a draft with --draft FILE)"),
    ],
)
def test_a_command_line_without_a_command_is_a_run(
    given: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    told: list[str] = []
    for words in (given, ["run", *given]):
        assert execute(words) == 4
        told.append(capsys.readouterr().err)
    assert said in told[0]
    assert told[0] == told[1]


@pytest.mark.parametrize("group", [name for name, below in TREE.items() if below])
def test_a_group_without_a_command_is_its_default_and_says_so(
    group: str, capsys: pytest.CaptureFixture[str]
) -> None:
    default = DEFAULTS.get(group, "")
    assert execute([group, "--help"]) == 0
    assert (f"is `foureyes {group} {default}`" in capsys.readouterr().out) == bool(default)
    assert execute([group, "--no-such-option"]) == 4
    command = f"foureyes {group} {default}".strip()
    assert f"(see {command} --help)" in capsys.readouterr().err


@pytest.mark.parametrize("old", RENAMED)
def test_a_deprecated_command_works_and_names_the_new_one(
    old: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute([*old.split(), "--help"]) == 0
    told = capsys.readouterr()
    assert f"Usage: foureyes {RENAMED[old]} " in told.out
    said = f"foureyes: note: `foureyes {old}` is deprecated, use `foureyes {RENAMED[old]}`\n"
    assert told.err == said


def test_no_deprecated_name_hides_a_command() -> None:
    assert RENAMED.keys().isdisjoint(TREE)
    assert {new for new in RENAMED.values() if " " in new} <= {*COMMANDS}
    assert len(TREE) <= 14


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["chek", "doc.md"], "there is no command 'chek' (did you mean 'check'?)"),
        (["reveiw", "doc.md"], "there is no command 'reveiw' (did you mean 'review'?)"),
        (["batch", "resme", "x"], "there is no command 'resme' (did you mean 'resume'?)"),
        (["frobnicate"], "there is no command and no file 'frobnicate' (see foureyes --help)"),
        (["batch", "frobnicate"], "(see foureyes batch --help)"),
        (["sources", "scor", "x"], "Did you mean 'score'?"),
        (["check", "doc.md", "--sorces", "x"], "--sources) (see foureyes check --help)"),
    ],
)
def test_a_misspelt_command_or_option_names_the_nearest(
    given: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute(given) == 4
    assert words in capsys.readouterr().err


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["--version"]) == 0
    assert capsys.readouterr().out == "foureyes 0.1.0\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_help_names_what_people_give_and_says_a_default_once(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute([*command.split(), "--help"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert told.startswith(f"Usage: foureyes {command} ")
    assert not re.findall(r"<[^<>]*>", told)
    assert not re.findall(r"\[default: [^\]]*\]\s*\[default:[^\]]*\]", told)


def test_the_help_lists_the_commands_and_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["--help"]) == 0
    told = capsys.readouterr().out
    listed = re.findall(r"^  ([a-z-]+) ", told.partition("Commands:\n")[2], re.M)
    assert listed == [*TREE]
    assert "130 cancelled" in " ".join(told.split())


@pytest.mark.parametrize("group", [[], ["sources"]])
def test_the_help_imports_no_command(group: list[str]) -> None:
    code = (
        f"import sys; from foureyes.cli._app import execute; code = execute([*{group}, '--help'])\n"
        "print(code, [name for name in sys.modules if name.startswith('foureyes.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    ended = done.stdout.splitlines()[-1]
    assert ended.startswith("0 ")
    assert "foureyes.base.vocabulary" in ended
    assert "foureyes.assembly" not in ended


def test_every_setting_has_a_flag_that_says_whom_it_affects(
    capsys: pytest.CaptureFixture[str],
) -> None:
    execute(["run", "--help"])
    execute(["review", "--help"])
    told = " ".join(capsys.readouterr().out.split())
    execute(["schema", "settings"])
    settings = json.loads(capsys.readouterr().out)["properties"]
    for name, setting in settings.items():
        assert setting["description"].startswith(AGENTS), name
        assert f"--{name.replace('_', '-')} " in told
    for flag in ("--model [AGENT=]NAME", "--max-turns [AGENT=]N", "--max-cost-usd [AGENT=]USD"):
        assert f"{flag} All agents: " in told
    assert "--effort [AGENT=]low|medium|high|xhigh|max" in told


def test_a_bug_is_no_verdict(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(name: str) -> str:
        raise ZeroDivisionError(name)

    monkeypatch.setattr("importlib.metadata.version", broken)
    assert execute(["doctor"]) == 4
    told = capsys.readouterr().err
    assert "Traceback" in told
    assert told.endswith("foureyes: error: this is a bug in foureyes: ZeroDivisionError\n")

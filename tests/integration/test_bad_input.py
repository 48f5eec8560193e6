"""Each bad input is one clear line on standard error and exit code 4."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from support.commands import EXAMPLES, foureyes, foureyes_here


@dataclass(frozen=True)
class Case:
    """What is wrong, the command, and the words that must name it."""

    id: str
    command: str
    expected: str
    prepare: Callable[[Path], None] | None = None
    env: dict[str, str] = field(default_factory=dict[str, str])


def write(name: str, data: bytes | str) -> Callable[[Path], None]:
    def prepare(folder: Path) -> None:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())

    return prepare


def huge(folder: Path) -> None:
    with (folder / "huge.md").open("wb") as file:
        file.truncate(21 * 1024 * 1024)


def unwritable(folder: Path) -> None:
    # Root may write anywhere, so that a folder's rights would stop nobody: a file does.
    (folder / "taken").write_text("x", encoding="utf-8")


def newer_run(folder: Path) -> None:
    write("newer/run.json", json.dumps({"layout": 999}))(folder)


CASES = [
    Case("missing input", "none.md", "'none.md' does not exist"),
    Case("empty input", "empty.md", "'empty.md' is empty", write("empty.md", " \n")),
    Case("binary input", "a.bin", "'a.bin' is a binary file", write("a.bin", b"a\x00b")),
    Case("UTF-16", "u.md", "'u.md' is UTF-16", write("u.md", "A plain text.".encode("utf-16"))),
    Case(
        "UTF-16 unmarked",
        "u.md",
        "is a binary file",
        write("u.md", "A plain text.".encode("utf-16-be")),
    ),
    Case("a PDF of characters alone", "p.md", "'p.md' is a PDF", write("p.md", "%PDF-1.4\n(x) Tj")),
    Case("a PDF to check", "check p.pdf", "'p.pdf' is a PDF", write("p.pdf", b"%PDF-1.4\n\x00")),
    Case("a Word file to check", "check p.docx", "a Word or ZIP", write("p.docx", "PK\3\4 x")),
    Case("not utf-8", "l.md", "'l.md' is not UTF-8", write("l.md", "caf\u00e9".encode("latin-1"))),
    Case("huge input", "huge.md", "'huge.md' is larger than", huge),
    Case("a folder as input", ".", "'.' is a folder"),
    Case("no input", "", "nothing to do"),
    Case("missing draft", "--draft none.md", "'none.md' does not exist"),
    Case("unknown mode", "--mode fast b.md", "--mode: 'fast'"),
    Case("unknown flag", "--speed 3 b.md", "No such option: --speed"),
    Case("unknown strictness", "--with-fact-checker --fact-checker-strictness x b.md", "'x'"),
    Case("a second input", "b.md c.md", "unexpected extra argument"),
    Case("a flag without its value", "b.md --mode", "--mode"),
    Case("no sources and no draft", "b.md", "--sources"),
    Case("sources that are missing", "--sources none b.md", "'none'"),
    Case("unwritable output", "--sources s --out taken/runs b.md", "taken", unwritable),
    Case("broken config", "--config c.yaml b.md", ": not valid YAML: did", write("c.yaml", "a: [")),
    Case("broken folder file", "b.md", "foureyes.yaml, line", write("foureyes.yaml", "a: [")),
    Case(
        "unknown setting", "--config c.yaml b.md", "unknown setting", write("c.yaml", "modell: x")
    ),
    Case("wrong variable", "b.md", "FOUREYES_MAX_ITERATIONS", env={"FOUREYES_MAX_ITERATIONS": "x"}),
    Case("broken sources.yaml", "--sources s b.md", "sources.yaml", write("s/sources.yaml", "- [")),
    Case(
        "a template without a slot",
        "--sources s --templates-dir t b.md",
        "feedback.json",
        write("t/agents/reviewer/feedback.json", "{}"),
    ),
    Case(
        "an unknown prompt variable",
        "--sources s --prompts-dir p b.md",
        "'weather'",
        write("p/agents/reviewer/system.md", "Look at the {{ weather }}."),
    ),
    Case(
        "an unknown variable in the analyst's prompt",
        "--sources s --analyst-prompt p.md b.md",
        "'weather'",
        write("p.md", "Look at the {{ weather }}."),
    ),
    Case(
        "a prompt that replaces none",
        "--sources s --prompts-dir p b.md",
        "p/web-research/protokol.md' replaces no prompt (did you mean 'web-research/protocol.md'?)",
        write("p/web-research/protokol.md", "x"),
    ),
    Case(
        "a template that replaces none",
        "--sources s --templates-dir t b.md",
        "(did you mean 'agents/reviewer/feedback.json'?)",
        write("t/agents/reviewer/feedbak.json", "{}"),
    ),
    Case(
        "a registry file that replaces none",
        "check b.md --registry-dir r",
        "'r/gates.yaml' replaces no registry file (did you mean 'gate.yaml'?)",
        write("r/gates.yaml", "{}"),
    ),
    Case("a registry that is missing", "check b.md --registry-dir none", "'none' is not a folder"),
    Case("own critics before sources", "--critics none:X --sources gone b.md", "no module 'none'"),
    Case("a run from a newer version", "resume newer", "newer version", newer_run),
    Case("no run directory", "resume .", "'.' is not a run directory"),
    Case("no run directory to tell of", "report log .", "'.' is not a run directory"),
    Case("unknown backend", "--backend oracle b.md", "--backend: 'oracle'"),
    Case("fact checker flags alone", "--fact-checker-max-webfetches 3 b.md", "--with-fact-checker"),
    Case("analyze with a fact checker", "--mode analyze --with-fact-checker b.md", "analyze"),
    Case("claude without a key", "--backend claude --sources s b.md", "ANTHROPIC_API_KEY"),
    Case("a server without a key", "--backend claude --base-url http://localhost:1 b.md", "--api-"),
    Case(
        "dollars without a price",
        "--backend claude --base-url http://127.0.0.1:1 --api-key-env none --model local "
        "--budget-usd 1 --sources s b.md",
        "price",
    ),
    Case("check of a missing document", "check none.md", "'none.md' does not exist"),
    Case("check with an unknown severity", "check b.md --fail-on bad", "'--fail-on': 'bad'"),
    Case("unknown command option", "report log --fast .", "No such option: --fast"),
    Case(
        "help of a command in a group",
        "sources search --limit 0 x",
        "(see foureyes sources search --help)",
    ),
    Case("a day in words", "check b.md --as-of yesterday", "'yesterday': not a date; write one as"),
    Case(
        "an option that is longer than a name may be", f"check -{'b' * 300}", "No such option: -b"
    ),
    Case(
        "a file that begins like an option",
        "check -b.md",
        "put -- before '-b.md' if it is a file",
        write("-b.md", "The bridge opened in 1931."),
    ),
    Case(
        "results that are not there",
        "experiment import none.csv --primary caught",
        "'none.csv' does not exist",
    ),
    Case(
        "a copy of HTML",
        "check p.html --fix",
        "'p.html' is HTML, and --fix writes copies of text files alone",
        write("p.html", "<p>The bridge opened in 1931.</p>"),
    ),
]


def prepare(case: Case, folder: Path) -> None:
    write("b.md", (EXAMPLES / "brief.md").read_bytes())(folder)
    write("s/note.md", "# A note\n\nThe bridge opened in 1931.\n")(folder)
    if case.prepare is not None:
        case.prepare(folder)


def assert_one_clear_line(run: CompletedProcess[str], case: Case, folder: Path) -> None:
    assert (run.returncode, run.stdout) == (4, ""), run.stderr
    assert case.expected in run.stderr
    assert run.stderr.count("\n") == 1
    assert run.stderr.startswith("foureyes: error: ")
    assert "Traceback" not in run.stderr
    made = set(os.listdir(folder / "runs")) if (folder / "runs").exists() else set[str]()
    assert made == set()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_bad_input_is_one_clear_line(case: Case, tmp_path: Path) -> None:
    prepare(case, tmp_path)
    run = foureyes_here(*case.command.split(), cwd=tmp_path, env=case.env)
    assert_one_clear_line(run, case, tmp_path)


@pytest.mark.parametrize("case", CASES[:1], ids=lambda case: case.id)
def test_and_the_exit_code_of_the_process(case: Case, tmp_path: Path) -> None:
    prepare(case, tmp_path)
    run = foureyes(*case.command.split(), cwd=tmp_path, env=case.env)
    assert_one_clear_line(run, case, tmp_path)

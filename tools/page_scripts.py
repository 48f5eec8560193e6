"""The `sh` blocks of pages, run line by line; a line that no rule covers fails its page.

What is run: `foureyes …`, each in a folder with `examples/`, `brief.md`, sources and the files that
the page shows above, and with every option that the page shows; `export`; `python3 -m venv`; `cd`,
which lasts for its block, `cp` and `mkdir`; what `&&` joins one after the other. What stands for
what cannot be had here:

- `--base-url ADDRESS`: the address of a model server of the tests; `--backend claude` without one
  is given that, too, and loses its limits in dollars, for its prices are not known;
- `--api-key-env NAME`: that variable holds a key of no worth, unless the block sets it;
- an address in `OTEL_EXPORTER_OTLP_ENDPOINT`: a collector of the tests, which has to get something;
- `--engine ADDRESS`: an engine that is a folder (`test_engine` and `test_batch` have databases);
- `foureyes serve jobs`, which goes on until it is stopped: it gets Ctrl-C when it is at work;
- the items of the shipped experiment: its first two, which settle nothing (`test_experiment` runs
  them all);
- `pip install`: not run (`make dist-check` installs the wheel); the project and its extras exist,
  and another project is one of `PACKAGES`, by an exact version.

Commands of `PROGRAMS`, which are not ours and not here, are passed over.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from packaging.requirements import Requirement
from support.claude_turn import DUMMY_KEY, fills_probe
from support.collector import TRACES, Collector
from support.commands import EXAMPLES, ROOT, foureyes, foureyes_here
from support.messages_server import MessagesServer
from support.model_rules import Plan, plays
from support.programs import Program
from support.runs import BRIEF, SOURCE

PROGRAMS = frozenset({"docker", "litellm", "llama-server", "ollama", "sudo", "vllm"})
WORKER_SECONDS = 40
"""In which a worker has to be at work."""
PACKAGES = frozenset({"litellm"})
DOLLARS = ("--budget-usd", "--max-cost-usd")
ASSIGNED = re.compile(r"([A-Z_]+)=(.*)")
TEXTS = {
    "A title": "The tidal power station of Arnsund",
    "the answer first": "The station produced 212 gigawatt hours in 2022 [1].",
    "the sources that the text cites": "[1] [Arnsund tidal power station](arnsund.md)",
}
"""What the model of the tests writes, by the words of the slot."""
FOLDERS = ("FOLDER", "folder")
"""What pages call a folder of sources."""


@dataclass(slots=True)
class Script:
    """One `sh` block after another, in the folder that was prepared for them.

    `place` is where in it the block has gone.
    """

    folder: Path
    model: MessagesServer
    collector: Collector
    variables: dict[str, str] = field(default_factory=dict[str, str])
    place: Path = field(init=False)

    def prepare(self) -> None:
        """Put there what the commands of pages name."""
        shutil.copytree(EXAMPLES, self.folder / "examples")
        items = self.folder / "examples" / "experiment" / "items.jsonl"
        some = items.read_text(encoding="utf-8").splitlines(keepends=True)[:2]
        items.write_text("".join(some), encoding="utf-8")
        (self.folder / "brief.md").write_text(BRIEF, encoding="utf-8")
        for name in FOLDERS:
            (self.folder / name).mkdir()
            (self.folder / name / "arnsund.md").write_text(SOURCE, encoding="utf-8")

    def problems(self, body: str) -> Iterator[str]:
        """What went wrong with the block `body`, line by line."""
        self.variables.clear()
        self.place = self.folder
        for line in body.replace("\\\n", " ").splitlines():
            for words in commands(shlex.split(line, comments=True)):
                yield from (f"{line}: {problem}" for problem in self.command(words))

    def command(self, words: Sequence[str]) -> Iterator[str]:
        """What went wrong with a command."""
        while words and ASSIGNED.fullmatch(words[0]):
            words = words[1:]
        match words:
            case ["export", assigned]:
                self.export(assigned)
            case ["foureyes", *arguments]:
                yield from self.foureyes(arguments)
            case ["python3", "-m", "venv", name]:
                yield from self.process("python3", "-m", "venv", "--without-pip", name)
            case ["cd", name]:
                yield from self.go(name)
            case ["cp" | "mkdir", *_]:
                yield from self.process(*words)
            case [pip, "install", wanted] if Path(pip).name == "pip":
                yield from uninstallable(wanted)
            case [program, *_] if program in PROGRAMS:
                pass
            case _:
                yield "no rule of tools/page_scripts.py covers it"

    def go(self, name: str) -> Iterator[str]:
        """Have the commands that follow run in the folder `name`."""
        self.place /= name
        if not self.place.is_dir():
            yield "there is no such folder"

    def process(self, *words: str) -> Iterator[str]:
        """Run a program of the system's; it has to end well."""
        done = subprocess.run(words, cwd=self.place, capture_output=True, text=True, check=False)
        if done.returncode:
            yield f"exit code {done.returncode}\n{done.stderr}"

    def export(self, assigned: str) -> None:
        """Set a variable for the lines that follow."""
        name, value = assigned.split("=", 1)
        if name.endswith("_KEY"):
            value = DUMMY_KEY
        if name != "PATH":
            self.variables[name] = self.collector.url if name.endswith("_ENDPOINT") else value

    def foureyes(self, given: Sequence[str]) -> Iterator[str]:
        """Run the command; what is wrong is an exit code that tells of an error, in its words."""
        arguments = [*given]
        if "--engine" in arguments:
            arguments[arguments.index("--engine") + 1] = f"file://{self.folder}/engine"
        if list(arguments[:2]) == ["serve", "jobs"]:
            yield from self.worker(arguments)
            return
        traced = any(name.startswith("OTEL_") for name in self.variables)
        if "claude" in arguments:
            self.connect(arguments)
            self.model.default = fills_probe if arguments[0] == "doctor" else plays(Plan(TEXTS))
        call = foureyes if traced else foureyes_here
        done = call(*arguments, cwd=self.place, env=self.variables)
        if done.returncode not in ends(arguments):
            yield f"exit code {done.returncode}\n{done.stdout}\n{done.stderr}"
        if traced and TRACES not in {path for path, _ in self.collector.requests}:
            yield "nothing was traced"

    def worker(self, arguments: Sequence[str]) -> Iterator[str]:
        """Run a worker until it is at work; it has to live until then, and to end well."""
        deadline = time.monotonic() + WORKER_SECONDS
        known = self.known_workers()
        with Program[str](
            [sys.executable, "-m", "pipeline", *arguments],
            cwd=self.place,
            env={**os.environ, **self.variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as process:
            while process.poll() is None and self.known_workers() == known:
                if time.monotonic() > deadline:
                    break
                time.sleep(0.1)
            begun = self.known_workers() != known
            process.send_signal(signal.SIGINT)
            said, _ = process.communicate(timeout=30)
        if process.returncode or not begun:
            yield f"exit code {process.returncode}, {'' if begun else 'never '}at work\n{said}"

    def known_workers(self) -> set[Path]:
        """The locks of the workers that the folder's engine has had."""
        return {*(self.folder / "engine" / "workers").glob("*.lock")}

    def connect(self, arguments: list[str]) -> None:
        """Have the model server of the tests asked in place of another."""
        if "--base-url" not in arguments:
            arguments += ["--base-url", "", "--api-key-env", "OWN_KEY"]
            for option in {*DOLLARS} & {*arguments}:
                at = arguments.index(option)
                del arguments[at : at + 2]
        arguments[arguments.index("--base-url") + 1] = self.model.url
        if (name := arguments[arguments.index("--api-key-env") + 1]) != "none":
            self.variables.setdefault(name, DUMMY_KEY)


def ends(arguments: Sequence[str]) -> tuple[int, ...]:
    """The exit codes of a command that did its work."""
    if arguments[0] == "experiment":
        return (2,)
    if arguments[0] == "batch":
        # Of the documents that its page shows, one is wrong and one is empty.
        return (1, 2)
    # A model that is given no source cites none that can be read.
    return (1, 2) if "claude" in arguments and not {"doctor", "--sources"} & {*arguments} else (0,)


def commands(words: Sequence[str]) -> Iterator[list[str]]:
    """What `&&` joins in a line."""
    joined = [*words]
    while "&&" in joined:
        at = joined.index("&&")
        yield joined[:at]
        joined = joined[at + 1 :]
    if joined:
        yield joined


def uninstallable(wanted: str) -> Iterator[str]:
    """Why `pip install WANTED` would not do what its page says."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    if wanted == ".":
        return
    requirement = Requirement(wanted)
    if requirement.name != project["name"]:
        if requirement.name not in PACKAGES or not re.match(
            r"==[\d.]+$", str(requirement.specifier)
        ):
            yield "no rule of tools/page_scripts.py covers this package"
    elif missing := requirement.extras - project["optional-dependencies"].keys():
        yield f"there is no extra {', '.join(missing)}"

"""Pages with commands and programs in them: what they show is what happens when they are run.

Of the fenced blocks of a page, in order and in one folder that holds a copy of `examples/`,

- `console` is run: lines of `$ command` (a backslash continues one), each with its output below.
  No shell takes part: `*` in a word stands for files, `$ echo $?` shows the last exit code, and
  that is all. Of standard error `foureyes` shows only errors here: its progress is a display that
  goes away on a terminal. A line `…` in what is shown stands for any lines.
- `python` is a whole program, which ends without an error. A block `output` below it shows what
  it prints.
- `py` is an excerpt. If it includes a program of `examples/` and has a block `output` below it, the
  program is run in an empty folder, with the address of a model server on loopback;
- a block of any language with `title="NAME"` behind it is a file: it is written to that name;
- `json`, `yaml` and `toml` are parsed; of `sh` the options of `foureyes` exist, and it is run by
  `page_scripts`.

Usage: python pages.py [PAGE...] (or ``make docs``) fills the outputs in.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import typer.main
from foureyes.base.errors import InputError
from foureyes.base.registry import parse_yaml
from foureyes.cli._app import LazyGroup, app
from support.chat_server import ChatServer
from support.commands import EXAMPLES, ROOT, foureyes_here
from support.masks import masked

DOCS = ROOT / "docs"
FENCE = re.compile(r"^(?P<ind> *)```(?P<info>[^`\n]*)\n(?P<body>.*?)^(?P=ind)```$", re.M | re.S)
TITLE = re.compile(r'title="([^"]+)"')
INCLUDED = re.compile(r'--8<-- "examples/(\w+)\.py"\n')
COMMAND = re.compile(r"^\$ (?:.*\\\n)*.*\n", re.M)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its language, its text without the indentation, its line in the page.

    `file` is the name of the file that it is, or nothing.
    """

    language: str
    body: str
    line: int
    file: str


@dataclass(frozen=True, slots=True)
class Ran:
    """A page with the real outputs filled in, and what each of its programs printed."""

    text: str
    programs: tuple[str, ...]


@dataclass(slots=True)
class Session:
    """One run through a page: the folder, the last exit code, what the programs printed.

    `width` is the terminal's, in columns: as wide as the site shows without cutting. `included` is
    the program of `examples/` that the page shows last.
    """

    folder: Path
    width: int = 88
    code: int = 0
    programs: list[str] = field(default_factory=list[str])
    included: str = ""

    def replaced(self, found: re.Match[str]) -> str:
        """A fenced block with what it shows brought up to date; runs what it holds."""
        block = block_of(found)
        if block.file:
            write(self.folder, block)
            return found[0]
        match block.language:
            case "console":
                body = self.console(block.body)
            case "python":
                self.programs.append(self.program(block.body))
                self.included = ""
                return found[0]
            case "py" if shown := INCLUDED.fullmatch(block.body):
                self.included = shown[1]
                return found[0]
            case "output":
                printed = self.example() if self.included else self.programs[-1]
                body = brought_up_to_date(block.body, printed)
            case _:
                return found[0]
        if body == block.body:
            return found[0]
        shown = "".join(f"{found['ind']}{line}".rstrip() + "\n" for line in body.splitlines())
        return f"{found['ind']}```{found['info']}\n{shown}{found['ind']}```"

    def console(self, body: str) -> str:
        """The block with each command followed by what it shows now."""
        parts = [part.span() for part in COMMAND.finditer(body)]
        assert parts, f"no line of this block begins with $: {body}"
        ends = [*(start for start, _ in parts[1:]), len(body)]
        return "".join(
            body[start:end] + brought_up_to_date(body[end:after], self.printed(body[start:end]))
            for (start, end), after in zip(parts, ends, strict=True)
        )

    def printed(self, command: str) -> str:
        """What `$ command` leaves on a terminal."""
        _, name, *words = shlex.split(command)
        if [name, *words] == ["echo", "$?"]:
            return f"{self.code}\n"
        arguments = [given for word in words for given in self.expanded(word)]
        if name == "foureyes":
            run = foureyes_here(*arguments, cwd=self.folder, env={"COLUMNS": str(self.width)})
            told = run.stdout + "".join(re.findall(r"^foureyes: error: .*\n", run.stderr, re.M))
        else:
            run = self.process(sys.executable if name == "python" else name, *arguments)
            told = run.stdout + run.stderr
        self.code = run.returncode
        return tidy(told, self.folder)

    def example(self) -> str:
        """Output of the program of `examples/` that the page shows last."""
        folder = self.folder / self.included
        folder.mkdir()
        return tidy(example_output(self.included, folder), folder)

    def program(self, source: str) -> str:
        """What a Python program prints; it has to end well and to complain of nothing."""
        run = self.process(sys.executable, "-c", source)
        assert (run.returncode, run.stderr) == (0, ""), f"{source}\n{run.stdout}\n{run.stderr}"
        return tidy(run.stdout, self.folder)

    def process(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a program of this environment's, or of the system's."""
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        return subprocess.run(
            command,
            cwd=self.folder,
            env={**os.environ, "PATH": path, "COLUMNS": str(self.width)},
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
            stdin=subprocess.DEVNULL,
        )

    def expanded(self, word: str) -> list[str]:
        """The files that a word with `*` stands for, else the word."""
        found = sorted(self.folder.glob(word)) if "*" in word else []
        return [str(path.relative_to(self.folder)) for path in found] or [word]


def example_output(name: str, folder: Path) -> str:
    """Output of the program `name` of `examples/`, run in this process in `folder`.

    A process for each would import everything again, which takes as long as the program.
    """
    printed, arguments = io.StringIO(), sys.argv
    with ChatServer() as server, contextlib.chdir(folder), contextlib.redirect_stdout(printed):
        sys.argv = [name, server.url]
        try:
            runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
        finally:
            sys.argv = arguments
    return printed.getvalue()


def ran(text: str, session: Session) -> Ran:
    """`text` after all that it shows was run in the session's folder, beside `examples/`."""
    if not (session.folder / "examples").exists():
        shutil.copytree(EXAMPLES, session.folder / "examples")
    filled = FENCE.sub(session.replaced, text)
    return Ran(filled, tuple(session.programs))


def comparable(text: str) -> list[list[str]]:
    """The words of each line, without what differs from run to run."""
    return [line.split() for line in masked(text).splitlines() if line.strip(" ─")]


def brought_up_to_date(shown: str, real: str) -> str:
    """`shown` if `real` agrees with it, else `real`, cut where `shown` has a line of ….

    A line of … stands for any lines.
    """
    if agrees(shown, real):
        return shown
    cut = shortened(shown, real)
    saves = len(cut.splitlines()) < len(real.splitlines())
    return cut if saves and agrees(cut, real) else real


def agrees(shown: str, real: str) -> bool:
    """Whether `shown` is what `real` says, but for what differs from run to run."""
    pattern = "".join(
        r"(?:.*\n)*?" if words == ["…"] else re.escape(" ".join(words)) + r"\n"
        for words in comparable(shown)
    )
    lines = "".join(f"{' '.join(words)}\n" for words in comparable(real))
    return re.fullmatch(pattern, lines) is not None


def shortened(shown: str, real: str) -> str:
    """The lines of `real` most like those of `shown`, with … where `shown` has it."""
    lines = real.splitlines()
    kept: list[str] = []
    begin = 0
    for part in re.split(r"^…\n", shown, flags=re.M):
        wanted = part.splitlines()
        starts = range(begin, max(begin, len(lines) - len(wanted)) + 1)
        start = max(starts, key=lambda at: likeness(wanted, lines[at : at + len(wanted)]))
        begin = start + len(wanted)
        kept.append("".join(f"{line}\n" for line in lines[start:begin]))
    return "…\n".join(kept)


def likeness(wanted: list[str], found: list[str]) -> float:
    """How alike two equally long lists of lines are, 0 to the number of lines."""
    pairs = zip(wanted, found, strict=False)
    return sum(SequenceMatcher(None, one, other).ratio() for one, other in pairs)


def blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a page in order."""
    return map(block_of, FENCE.finditer(text))


def problems(block: Block) -> Iterator[str]:
    """What is wrong with a block that is shown without being run."""
    match block.language:
        case "":
            yield "a block without a language"
        case "mermaid":
            yield "a diagram for which the site would load a program from elsewhere"
        case "json":
            json.loads(block.body)
        case "yaml":
            parse_yaml(block.body, "block")
        case "toml":
            tomllib.loads(block.body)
        case "sh":
            yield from unknown_options(block.body)
        case _:
            pass


def unknown_options(script: str) -> Iterator[str]:
    """The lines of a shell script that `foureyes` would refuse before it did anything."""
    for line in script.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        if words[:1] == ["foureyes"] and (reason := refusal(words[1:])):
            yield f"{line}: {reason}"


def refusal(arguments: list[str]) -> str:
    """Why the command line does not take `arguments`, or nothing; runs no command."""
    command = typer.main.get_command(app)
    words = arguments
    try:
        while isinstance(command, LazyGroup):
            words = command.complete(words)
            name, words = words[0], words[1:]
            command = command.get_command(None, name)
            if command is None:
                return f"there is no command {name!r}"
        command.make_context("foureyes", words)
    except InputError as error:
        return str(error)
    except typer.TyperException as error:
        return error.format_message()
    return ""


def pages() -> list[Path]:
    """Every page of the documentation."""
    return sorted(DOCS.rglob("*.md"))


def write(folder: Path, block: Block) -> None:
    """Put the file that a block is into `folder`."""
    path = folder / block.file
    assert path.resolve().is_relative_to(folder.resolve())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block.body, encoding="utf-8")


def block_of(found: re.Match[str]) -> Block:
    """The block that `FENCE` found."""
    indent = len(found["ind"])
    lines = found["body"].splitlines(keepends=True)
    body = "".join(line[indent:] if line.strip() else line for line in lines)
    language = found["info"].split()[0] if found["info"].strip() else ""
    title = TITLE.search(found["info"])
    line = found.string.count("\n", 0, found.start()) + 1
    return Block(language, body, line, title[1] if title else "")


def tidy(text: str, folder: Path | None = None) -> str:
    """`text` without spaces at the ends of lines and without this machine's folder."""
    if folder is not None:
        text = text.replace(f"{folder}/", "").replace(str(folder), ".")
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


@contextlib.contextmanager
def nobody() -> Generator[Path]:
    """The process as a user without settings, cache and terminal; gives an empty folder."""
    with tempfile.TemporaryDirectory() as home, open(os.devnull, encoding="utf-8") as nothing:
        os.environ |= {"HOME": home, "FOUREYES_SOURCE_CACHE": "none", "NO_COLOR": "1"}
        for kind in ("CONFIG", "CACHE", "DATA"):
            os.environ[f"XDG_{kind}_HOME"] = f"{home}/{kind.lower()}"
        sys.stdin = nothing
        yield Path(home)


def main(names: list[str]) -> None:
    """Fill the outputs of the pages `names` in, or of all, as the tests would run them."""
    with nobody() as home:
        for number, page in enumerate(map(Path, names) if names else pages()):
            folder = home / f"page{number}"
            folder.mkdir()
            before = page.read_text(encoding="utf-8")
            after = ran(before, Session(folder)).text
            if after != before:
                page.write_text(after, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])

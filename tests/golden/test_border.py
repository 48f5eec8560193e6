"""What each way in shows of the examples, whole, as it was when somebody last looked at it.

The first command and the MCP server run as programs, the other commands in this process, which
saves the seconds in which a program starts. Nothing inside is asserted on: all behind the border
may move.
What changed on purpose is written anew with

    python tests/golden/test_border.py
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from support.commands import EXAMPLES, foureyes, foureyes_here
from support.masks import masked
from support.mcp_kit import StdioPipe, stdio_session

SECONDS = (
    (r'("\w+_s": )\d+\.\d+(e-\d+)?', r"\1SECONDS"),
    (r"(\$\d+\.\d\d +\d+ +)\d+\.\d+", r"\1SECONDS"),
)
EXPECTED = Path(__file__).parent / "expected"
HASH = re.compile(r"\b[0-9a-f]{12,}\b")
SOURCES = ("--sources", "examples/sources")
RUN = ("--with-fact-checker", "--draft", "examples/draft.md", *SOURCES, "--as-of", "2026-02-03")
DAY = "2026-11-28"
"""Of what shows how old its sources are."""
CHECK = ("check", "examples/draft.md", *SOURCES, "--as-of", DAY)
TOUR: dict[str, tuple[tuple[str, ...], ...]] = {
    "check": ((*CHECK, "--all"),),
    "check-json": ((*CHECK, "--json"),),
    "run-json": ((*RUN, "--json", "--quiet", "examples/brief.md"),),
    "pack": (
        ("pack", "create", "runs/*", "-o", "approval.zip"),
        ("pack", "verify", "approval.zip"),
    ),
    "claims": (("claims", "list", "examples/draft.md", "--json"),),
    "sarif": (("report", "export", "runs/*", "--format", "sarif", "-o", "findings.json"),),
    "review": (("review", "examples/draft.md", *SOURCES, "--yes", "--quiet"),),
    "batch": (("batch", "examples", *SOURCES, "--quiet"),),
    "experiment": (("experiment", "run", "examples/experiment/experiment.yaml", "--quiet"),),
}
"""The commands behind each file of `expected/`, in an order in which one may use another's."""
FIRST = TOUR["check"][0]


def tour(folder: Path) -> dict[str, str]:
    """What all commands of `TOUR` print in `folder`, by the name of its file."""
    shutil.copytree(EXAMPLES, folder / "examples")
    told = {name: "".join(shown(folder, line) for line in lines) for name, lines in TOUR.items()}
    told["sarif"] += masked((folder / "findings.json").read_text(encoding="utf-8"))
    told["files"] = "".join(f"{name}\n" for name in sorted(set(files(folder))))
    return told | {"mcp": of_mcp(folder)}


def shown(folder: Path, line: tuple[str, ...]) -> str:
    """A command as it was typed, its exit code, and what it printed."""
    words = [word for one in line for word in spelt_out(folder, one)]
    command = foureyes if line is FIRST else foureyes_here
    ran = command(*words, cwd=folder, env={"COLUMNS": "100"})
    out = ran.stdout
    if out.startswith("{"):
        out = json.dumps(json.loads(out), indent=1, ensure_ascii=False) + "\n"
    text = masked(f"$ foureyes {' '.join(line)}\n{out}{ran.stderr}exit code {ran.returncode}\n\n")
    for pattern, mask in SECONDS:
        text = re.sub(pattern, mask, text)
    return text.replace(str(folder), "FOLDER")


def spelt_out(folder: Path, word: str) -> list[str]:
    """The paths that a pattern stands for; another word as it is."""
    if "*" not in word:
        return [word]
    return [str(path.relative_to(folder)) for path in sorted(folder.glob(word))]


def files(folder: Path) -> list[str]:
    """The files of the run and of the review, without what differs in their names."""
    made = [folder / name for name in ("runs", "reviews")]
    paths = [path for top in made for path in top.rglob("*") if path.is_file()]
    return [HASH.sub("HASH", masked(str(path.relative_to(folder)))) for path in paths]


def of_mcp(folder: Path) -> str:
    """The tools of the MCP server with their schemas, and what its check says of the draft."""
    draft = (EXAMPLES / "draft.md").read_text(encoding="utf-8")
    with stdio_session(StdioPipe(("--root", "examples"), folder)) as session:
        listed = session.do(session.client.list_tools())
        checked = session.call("check_document", text=draft, sources=["sources"], as_of=DAY).data
    tools = {tool.name: sorted(tool.input_schema["properties"]) for tool in listed.tools}
    seen = {"tools": tools, "check_document": checked}
    return masked(json.dumps(seen, indent=1, ensure_ascii=False)) + "\n"


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The tour, taken once."""
    return tour(tmp_path_factory.mktemp("golden"))


@pytest.mark.parametrize("name", [*TOUR, "files", "mcp"])
def test_what_a_way_in_shows_is_as_it_was(name: str, told: dict[str, str]) -> None:
    assert told[name] == (EXPECTED / f"{name}.txt").read_text(encoding="utf-8")


def main(tour: Callable[[Path], dict[str, str]] = tour) -> None:
    """Write what is expected anew."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in tour(Path(folder)).items():
            (EXPECTED / f"{name}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

"""The programs in `examples/`: run as they stand, short, and shown with what they print."""

from __future__ import annotations

import ast
import re
import runpy
from pathlib import Path

import pytest
from support.commands import EXAMPLES, ROOT

FEEDBACK = (
    "0 of 1 claim is verified.\n"
    "1. Line 1, “The construction of the Arnsund station cost $50 billion.”: the number differs "
    "from the source's. Do this: replace “$50 billion” with “$30 billion” (report.md: "
)
SENTENCE = "The construction of the Arnsund station cost $30 billion ([report](report.md)).\n"
PRINTED = {
    "langgraph_node.py": ("", f"after 2 rounds: {SENTENCE}"),
    "pydantic_ai_guardrail.py": ("sent back: 0 of 1 claim is verified.\n", f"{SENTENCE}\n"),
    "pydantic_ai_tool.py": (f"The tool says:\n{FEEDBACK}", "cost $30 billion.”).\n"),
}
"""First and last lines of each program whose output no page shows."""

SHOWN = set(
    re.findall(
        r'--8<-- "examples/(\w+\.py)"\n```\n\n```output\n',
        (ROOT / "docs" / "how-to" / "library.md").read_text(encoding="utf-8"),
    )
)
"""Programs that a page shows with their output; the tests of the pages run them."""


@pytest.mark.parametrize("name", sorted(PRINTED))
def test_a_program_does_what_it_says(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(EXAMPLES / name), run_name="__main__")
    first, last = PRINTED[name]
    printed = capsys.readouterr().out
    assert (printed[: len(first)], printed[-len(last) :]) == (first, last)


def code_lines(text: str) -> int:
    """Lines without imports, docstrings, texts of several lines, and empty ones."""
    left_out: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant()):
                left_out |= lines_of(node)
            case ast.Constant(value=str()) if len(lines_of(node)) > 1:
                left_out |= lines_of(node)
            case _:
                pass
    lines = enumerate(text.splitlines(), start=1)
    return sum(n not in left_out and line.strip() != "" for n, line in lines)


def lines_of(node: ast.stmt | ast.expr) -> set[int]:
    """The numbers of the lines that a part of a program takes."""
    return set(range(node.lineno, (node.end_lineno or node.lineno) + 1))


def test_every_program_is_run_told_of_and_short() -> None:
    programs = {path.name: path.read_text(encoding="utf-8") for path in EXAMPLES.glob("*.py")}
    assert programs.keys() == PRINTED.keys() ^ SHOWN
    assert {name: n for name, text in programs.items() if (n := code_lines(text)) > 40} == {}
    told = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert [name for name in programs if f"[`{name}`]({name})" not in told] == []


def test_an_agent_of_ones_own_with_a_veto_takes_ten_lines() -> None:
    text = (EXAMPLES / "own_agent.py").read_text(encoding="utf-8")
    assert code_lines(text.partition("if __name__")[0]) <= 10


def test_the_program_of_every_part_that_can_be_replaced_is_shown_with_its_output() -> None:
    own = {path.name for path in EXAMPLES.glob("own_*.py")}
    assert own - SHOWN == set()
    assert len(own) >= 8

"""Every program in `examples/`, run as it stands in an empty folder, and what it prints."""

from __future__ import annotations

import ast
import runpy
import sys
from pathlib import Path

import pytest
from support.chat_server import chat_server
from support.commands import EXAMPLES

FEEDBACK = (
    "0 of 1 claim is verified.\n"
    "1. Line {}, “The construction of the Arnsund station cost $50 billion.”: the number differs "
    "from the source's. Do this: replace “$50 billion” with “$30 billion” (report.md: "
)
SENTENCE = "The construction of the Arnsund station cost $30 billion ([report](report.md)).\n"
SERVICE = "The Arnsund tidal power station began regular service on 4 May 2019"
PRINTED = {
    "agent_loop.py": (
        f"round 1: passed False, score 0.00\n{FEEDBACK.format(3)}“The construc",
        f"round 2: passed True, score 1.00\n# What the station cost\n\n{SENTENCE}\n",
    ),
    "events.py": ("", "Arnsund: approved\nAlden: approved\n"),
    "experiment.py": (
        "<ExperimentResult experiment: better\n6 of 6 items, 12 trials>\n",
        "Tarn one_draft: 1.0\nTarn three: 0.0\n",
    ),
    "langgraph_node.py": ("", f"after 2 rounds: {SENTENCE}"),
    "own_agent.py": (
        "iteration 1: reviewer approve, fact_checker approve, tone reject\n"
        "iteration 2: reviewer approve, fact_checker approve, tone approve\n",
        "# Arnsund\n\nThe Arnsund station opened on 4 May 2019 ([report](report.md)).\n\n",
    ),
    "own_analyst.py": (
        "approved\n10 words\n",
        "# Arnsund\n\nThe station opened on 4 May 2019 ([report](report.md)).\n\n",
    ),
    "own_backend.py": ("", "approved: 2 critics approved and the evidence gate passed\n"),
    "own_critic.py": (
        "iteration 1: reviewer approve, fact_checker approve, plain_words reject\n"
        "iteration 2: reviewer approve, fact_checker approve, plain_words approve\n",
        f"approved\n# The station of Arnsund\n\n{SERVICE} ([report](report.md)).\n\n",
    ),
    "own_gate_policy.py": (
        "inconclusive, exit code INCONCLUSIVE\n",
        "the evidence gate leaves it to a person: claims that rest on one source: 1 "
        "(by its limits the gate says pass: 1 of 1 claim is supported)\n",
    ),
    "own_prompts.py": ("", "approved, fact_checker, reviewer\n"),
    "own_settlement.py": (
        "inconclusive: settlement_blocked: 2 critics approved",
        "Arnsund is signed by nobody yet\napproved\n",
    ),
    "own_search.py": (
        "asked: Arnsund tidal power station began regular service 4 May 2019\n",
        f"approved\n# The station of Arnsund\n\n{SERVICE} ([about.md](about.md)).\n\n",
    ),
    "pydantic_ai_guardrail.py": ("sent back: 0 of 1 claim is verified.\n", f"{SENTENCE}\n"),
    "pydantic_ai_tool.py": (f"The tool says:\n{FEEDBACK.format(1)}", "cost $30 billion.”).\n"),
}
"""What each program prints first and last."""


@pytest.mark.parametrize("name", sorted(PRINTED))
def test_a_program_does_what_it_says(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with chat_server() as server:
        monkeypatch.setattr(sys, "argv", [name, server.url])
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
    assert programs.keys() == PRINTED.keys()
    assert {name: n for name, text in programs.items() if (n := code_lines(text)) > 40} == {}
    told = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert [name for name in programs if f"[`{name}`]({name})" not in told] == []

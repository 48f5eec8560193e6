"""What a person at a real terminal sees."""

from __future__ import annotations

import re
from pathlib import Path

from support.runs import GOOD_DRAFT, write_case
from support.terminal import at_a_terminal


def test_both_critics_are_shown_at_work_and_then_the_end(tmp_path: Path) -> None:
    write_case(tmp_path, GOOD_DRAFT)
    command = ["--with-fact-checker", "--draft", "draft.md", "--sources", "sources", "brief.md"]
    code, seen = at_a_terminal(tmp_path, *command)
    assert code == 0
    assert re.search(r"reviewer: examining[^\n]*\n\s*fact_checker: examining", seen), seen
    assert "status: approved by rules only; not reviewed for reasoning" in seen
    assert "run_started" not in seen


def test_a_document_cannot_steer_the_terminal(tmp_path: Path) -> None:
    claim = "Our pilot with 500 households\x1b]0;owned\x07 showed a 73% improvement.\n\n"
    write_case(tmp_path, GOOD_DRAFT.replace("## Cost", f"{claim}## Cost"))
    code, seen = at_a_terminal(tmp_path, "check", "draft.md", "--sources", "sources")
    assert code == 1
    assert "\x1b]0;" not in seen
    assert "\x07" not in seen

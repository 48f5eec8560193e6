"""The review queue at a terminal: asked, answered, and the run gone on with."""

from __future__ import annotations

from pathlib import Path

from support.runs import GOOD_DRAFT, examine, write_case
from support.terminal import at_a_terminal

DRAFT = GOOD_DRAFT.replace("96 megawatts [1]", "96 megawatts [1]. It employs 140 people [1]")


def test_a_person_is_asked_about_each_claim_and_the_run_goes_on(tmp_path: Path) -> None:
    write_case(tmp_path, DRAFT.replace("$30 billion", "$30 billion [1]. Its dam is 4 km long"))
    waiting = examine(tmp_path)
    assert waiting.json["status"] == "inconclusive"
    run = str(waiting.run_dir)
    code, seen = at_a_terminal(
        tmp_path,
        *("claims", "decide", run, "--by", "Ana", "--continue", "--quiet"),
        answers="perhaps\na\nI counted\n",
    )
    assert code == 0
    assert "  It employs 140 people.\r\n" in seen
    assert "error: 'perhaps' is none of accept, reject, exclude\r\n" in seen
    assert "iteration 1, gate pass: 7 of 8 checkable claims supported" in seen
    assert "status: approved by rules only; not reviewed for reasoning\r\n" in seen
    assert "claims that a person decided: accepted by Ana on" in seen

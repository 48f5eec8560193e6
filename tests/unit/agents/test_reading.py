"""Texts handed out as files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from foureyes import ReviewerContext
from foureyes.datatypes import ReviewerInput
from hypothesis import given
from hypothesis import strategies as st
from support.agent_kit import reviewer
from support.evidence_run import services
from support.scripted_backend import ScriptedBackend

MAX_CHARS = 60_000
"""15,000 tokens of four characters, the most that a part holds."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("reading")


def handed_out(folder: Path, brief: str, analysis: str) -> Mapping[str, str]:
    """The files that a reviewer of `analysis` reads."""
    context = ReviewerContext(
        iteration=1,
        max_iterations=1,
        services=services(folder),
        analysis_input_path=Path("a.md"),
        feedback_output_path=Path("b.json"),
        inputs=ReviewerInput(brief, analysis),
    )
    return reviewer(ScriptedBackend([])).build_task(context).readable


def test_a_short_text_is_one_file(folder: Path) -> None:
    assert handed_out(folder, "", "# A draft\n") == {"brief.md": "", "analysis.md": "# A draft\n"}


def test_a_long_text_is_cut_into_parts_at_headings(folder: Path) -> None:
    section = "## Section\n\n" + "A line of words that goes on for a while.\n" * 300
    found = handed_out(folder, "Why?", section * 12)
    parts = {name: part for name, part in found.items() if name != "brief.md"}
    assert list(parts)[:2] == ["analysis-part-1-of-3.md", "analysis-part-2-of-3.md"]
    assert all(part.startswith("## Section") for part in parts.values())
    assert all(len(part) <= MAX_CHARS for part in parts.values())
    assert "".join(parts.values()) == section * 12


def test_very_long_lines_are_wrapped_so_that_no_reader_cuts_them(folder: Path) -> None:
    text = handed_out(folder, "Why?", "word " * 2000 + "\n" + "x" * 5000)["analysis.md"]
    assert max(len(line) for line in text.splitlines()) <= 1800
    assert text.split()[:2000] == ["word"] * 2000


@given(st.text(alphabet=st.sampled_from("ab \n#"), max_size=3000), st.integers(1, 60))
def test_no_word_is_lost(folder: Path, text: str, times: int) -> None:
    whole = text * times
    found = handed_out(folder, "Why?", whole)
    parts = [part for name, part in found.items() if name != "brief.md"]
    assert "".join("".join(parts).split()) == "".join(whole.split())

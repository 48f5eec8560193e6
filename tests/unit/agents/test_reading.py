"""Texts handed out as files."""

from __future__ import annotations

from foureyes.agents.reading import CHARS_PER_TOKEN, SECTION_TOKENS, as_files
from hypothesis import given
from hypothesis import strategies as st


def test_a_short_text_is_one_file() -> None:
    assert as_files("brief", "# A brief\n") == {"brief.md": "# A brief\n"}
    assert as_files("ledger", "{}", ".json") == {"ledger.json": "{}"}
    assert as_files("empty", "") == {"empty.md": ""}


def test_a_long_text_is_cut_into_parts_at_headings() -> None:
    section = "## Section\n\n" + "A line of words that goes on for a while.\n" * 300
    parts = as_files("analysis", section * 12)
    assert list(parts)[:2] == ["analysis-part-1-of-3.md", "analysis-part-2-of-3.md"]
    assert all(part.startswith("## Section") for part in parts.values())
    assert all(len(part) <= SECTION_TOKENS * CHARS_PER_TOKEN for part in parts.values())
    assert "".join(parts.values()) == section * 12


def test_very_long_lines_are_wrapped_so_that_no_reader_cuts_them() -> None:
    (text,) = as_files("source", "word " * 2000 + "\n" + "x" * 5000).values()
    assert max(len(line) for line in text.splitlines()) <= 1800
    assert text.split()[:2000] == ["word"] * 2000


@given(st.text(alphabet=st.sampled_from("ab \n#"), max_size=3000), st.integers(1, 60))
def test_no_word_is_lost(text: str, times: int) -> None:
    whole = text * times
    parts = as_files("t", whole).values()
    assert "".join("".join(parts).split()) == "".join(whole.split())

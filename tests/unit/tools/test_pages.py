"""What holds the documentation to the truth can tell it from what is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from foureyes import RegistryError
from pages import Session, blocks, problems, ran

FENCE = "```"


def page(language: str, *lines: str) -> str:
    """A page with one block."""
    return "\n".join([f"{FENCE}{language}", *lines, FENCE, ""])


def test_a_shown_output_is_kept_if_it_is_what_happens_and_replaced_if_not(tmp_path: Path) -> None:
    true = page("console", "$ ls examples/sources", "decision-of-2022.md", "…", "$ echo $?", "0")
    assert ran(true, Session(tmp_path)).text == true
    for wrong in ("nothing.md", "…\nnothing.md\n…", "brief.md\n…\nbrief.md"):
        filled = ran(page("console", "$ ls examples/brief.md", wrong), Session(tmp_path)).text
        assert filled == page("console", "$ ls examples/brief.md", "examples/brief.md")


def test_times_and_names_of_runs_may_differ_and_words_may_not(tmp_path: Path) -> None:
    (tmp_path / "told").write_text("20260101T000000Z_title_0123abcd took 1.5 s\n", encoding="utf-8")
    same = page("console", "$ cat told", "20251231T235959Z_title_ffffffff took 0.1 s")
    other = page("console", "$ cat told", "20251231T235959Z_other_ffffffff took 0.1 s")
    assert ran(same, Session(tmp_path)).text == same
    assert ran(other, Session(tmp_path)).text != other


def test_files_errors_and_exit_codes_are_those_of_the_commands(tmp_path: Path) -> None:
    shown = ran(
        page('yaml title="foureyes.yaml"', "no_such_setting: 1")
        + page("console", "$ foureyes doctor", "$ echo $?", "$ ls *.yaml"),
        Session(tmp_path),
    ).text
    assert "$ foureyes doctor\nfoureyes: error: foureyes.yaml: no_such_setting: unknown" in shown
    assert shown.endswith("$ echo $?\n4\n$ ls *.yaml\nfoureyes.yaml\n```\n")


def test_an_indented_block_stays_in_its_list(tmp_path: Path) -> None:
    text = f"1. First\n\n    {FENCE}console\n    $ echo one\n    {FENCE}\n"
    assert ran(text, Session(tmp_path)).text == text.replace("one\n", "one\n    one\n")


def test_a_program_that_fails_or_complains_fails_the_page(tmp_path: Path) -> None:
    for program in ("raise SystemExit(3)", "import sys; print('oh', file=sys.stderr)"):
        with pytest.raises(AssertionError):
            ran(page("python", program), Session(tmp_path))


def test_a_program_of_the_examples_is_run_where_its_output_is_shown(tmp_path: Path) -> None:
    shown = page("py", '--8<-- "examples/own_backend.py"')
    assert ran(shown, Session(tmp_path)).text == shown
    assert not (tmp_path / "own_backend").exists()
    filled = ran(shown + page("output", "rejected"), Session(tmp_path)).text
    said = "approved: 2 critics approved and the evidence gate passed"
    assert filled == shown + page("output", said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (page(""), "without a language"),
        (page("mermaid", "graph"), "from elsewhere"),
        (page("sh", "foureyes check DOC --no-such-flag"), "No such option: --no-such-flag"),
        (page("sh", "foureyes sources score"), "Missing argument"),
        (page("sh", "foureyes sources forget x"), "no command 'forget'"),
    ],
)
def test_what_cannot_be_right_is_named(text: str, said: str) -> None:
    (block,) = blocks(text)
    assert any(said in problem for problem in problems(block))


def test_commands_that_exist_are_let_pass() -> None:
    script = ("foureyes --backend claude \\", "  --with-fact-checker brief.md", "export X=1")
    (block,) = blocks(page("sh", *script))
    assert list(problems(block)) == []


@pytest.mark.parametrize("text", [page("json", "{"), page("toml", "a ="), page("yaml", "a: [")])
def test_an_excerpt_that_does_not_parse_fails(text: str) -> None:
    (block,) = blocks(text)
    with pytest.raises((ValueError, RegistryError)):
        list(problems(block))

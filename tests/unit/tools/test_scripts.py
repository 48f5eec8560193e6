"""What runs the shell scripts of pages tells a line that works from one that does not."""

from __future__ import annotations

from pathlib import Path

import pytest
from page_scripts import Script
from support.collector import Collector
from support.messages_server import MessagesServer


def told(folder: Path, *lines: str) -> list[str]:
    with Collector() as collector:
        return [*Script(folder, MessagesServer(), collector).problems("\n".join(lines))]


@pytest.mark.parametrize(
    "line",
    [
        "curl http://example.org",
        "foureyes check none.md",
        "pip install 'foureyes[none]'",
        "pip install requests==2.0",
        "pip install litellm",
        "cd elsewhere && ollama serve",
        "docker compose up && curl http://example.org",
        "cp none.md other.md",
        "foureyes serve jobs --engine none --concurrency x",
    ],
)
def test_a_line_that_fails_or_has_no_rule_is_named(line: str, tmp_path: Path) -> None:
    (problem,) = told(tmp_path, line)
    assert problem.startswith(f"{line}: ")


def test_what_is_set_goes_into_the_commands_below(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A title\n\nIt rains.\n", encoding="utf-8")
    line = "foureyes check a.md --fetch none"
    (problem,) = told(tmp_path, "export FOUREYES_MAX_ITERATIONS=x  # no number", line)
    assert "FOUREYES_MAX_ITERATIONS" in problem


def test_a_block_goes_into_a_folder_and_the_next_begins_outside(tmp_path: Path) -> None:
    block = "mkdir -p a/b && cd a && cd b"
    assert told(tmp_path, block) == []
    assert told(tmp_path, block, "cd a") == ["cd a: there is no such folder"]


def test_programs_of_others_are_passed_over(tmp_path: Path) -> None:
    assert told(tmp_path, "OLLAMA_NUM_PARALLEL=2 ollama serve", "vllm serve a \\", "  --b c") == []

"""Tables on terminals of different widths, and where there is none."""

from __future__ import annotations

import pytest
from foureyes.cli.terminal import Column, show_table

NAMES = ("variant", "metric", "what it came to")
ROW = ("fact_checker", "all_false_claims_caught (primary)", "inconclusive, as was to be expected")


def printed(columns: list[Column], capsys: pytest.CaptureFixture[str]) -> list[str]:
    show_table(columns, [ROW, ROW])
    return [line.rstrip() for line in capsys.readouterr().out.splitlines()]


def test_no_line_ends_in_spaces(capsys: pytest.CaptureFixture[str]) -> None:
    show_table([Column(name) for name in NAMES], [ROW, ("a", "b", "c")])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    assert all(line == line.rstrip() for line in lines)


@pytest.mark.parametrize("width", [60, 100, 200])
def test_no_cell_is_broken_where_no_column_has_a_share(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    lines = printed([Column(name) for name in NAMES], capsys)
    for cell in ROW:
        assert sum(cell in line for line in lines) == 2


def test_a_terminal_that_is_too_narrow_gets_a_line_a_column(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "70")
    lines = printed([Column(name) for name in NAMES], capsys)
    assert lines[:3] == [
        "variant          fact_checker",
        "metric           all_false_claims_caught (primary)",
        "what it came to  inconclusive, as was to be expected",
    ]


def test_a_pipe_gets_a_row_on_one_line_however_long(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    lines = printed([Column(f"{name} {'x' * 60}") for name in NAMES], capsys)
    assert sum(all(cell in line for cell in ROW) for line in lines) == 2


def test_a_column_with_a_share_is_folded_into_what_the_terminal_has(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "70")
    lines = printed([Column("variant"), Column("metric", 1), Column("outcome", 1)], capsys)
    assert max(map(len, lines)) <= 70
    assert lines[0].split() == ["variant", "metric", "outcome"]

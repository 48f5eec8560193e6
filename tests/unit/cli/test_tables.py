"""Tables on terminals of different widths, and where there is none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.commands import execute
from support.experiment_results import write_results

ARMS = ("reviewer", "fact_checker-with-a-long-name", "strict")
CELLS = (*ARMS[1:], "accepted (primary), kind=a", "iterations")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An experiment whose report is two tables."""
    return write_results(tmp_path_factory.mktemp("tables"), items=6, arms=ARMS).path


@pytest.fixture
def report(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Report:
    return Report(folder, monkeypatch, capsys)


class Report:
    """What the command prints of the experiment."""

    def __init__(
        self, folder: Path, patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self.folder, self.patch, self.capsys = folder, patch, capsys

    def lines(self, width: int | None) -> list[str]:
        if width is None:
            self.patch.delenv("COLUMNS", raising=False)
        else:
            self.patch.setenv("COLUMNS", str(width))
        execute(["experiment", "report", str(self.folder)])
        return self.capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("width", [60, 100, 200, None])
def test_no_line_ends_in_spaces(width: int | None, report: Report) -> None:
    assert all(line == line.rstrip() for line in report.lines(width))


@pytest.mark.parametrize("width", [60, 100, 200])
def test_no_cell_is_broken_where_no_column_has_a_share(width: int, report: Report) -> None:
    unbroken, lines = report.lines(None), report.lines(width)
    for cell in CELLS:
        times = sum(cell in line for line in unbroken)
        assert sum(cell in line for line in lines) == times > 0


def test_a_terminal_that_is_too_narrow_gets_a_line_a_column(report: Report) -> None:
    lines = report.lines(70)
    at = next(n for n, line in enumerate(lines) if re.fullmatch(r"arm +reviewer", line))
    assert [line.split()[0] for line in lines[at : at + 3]] == ["arm", "finished", "inconclusive"]


def test_a_pipe_gets_a_row_on_one_line_however_long(report: Report) -> None:
    lines = report.lines(None)
    row = next(line for line in lines if line.startswith(f"{ARMS[1]} ") and "kind=a" in line)
    assert len(row) > 120
    assert row.endswith("inconclusive")


def test_a_column_with_a_share_is_folded_into_what_the_terminal_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    draft = tmp_path / "draft.md"
    claim = "The mean crossing of the ferry to Norrvik took 65 minutes in the summer of 2024"
    draft.write_text(f"{claim}, and 45 minutes in the winter after it.\n", encoding="utf-8")
    monkeypatch.setenv("COLUMNS", "70")
    assert execute(["claims", "list", str(draft)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["line", "kind", "category", "checked", "by", "claim"]
    assert max(map(len, lines[:8])) <= 70

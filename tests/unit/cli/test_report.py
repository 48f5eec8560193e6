from __future__ import annotations

import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from support.commands import execute
from support.experiment_results import write_results
from support.programs import Program
from support.report_review import ReportReview
from support.report_run import ReportRun


def test_report_writes_the_page_of_a_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_dir = ReportRun(claims=3).write(tmp_path)
    assert execute(["report", str(run_dir)]) == 0
    assert capsys.readouterr().out == f"report: {run_dir / 'report.html'}\n"
    other = tmp_path / "other.html"
    assert execute(["report", str(run_dir), "--output", str(other)]) == 0
    assert other.read_bytes() == (run_dir / "report.html").read_bytes()


def test_report_writes_the_page_of_a_review(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    review_dir = ReportReview(3, 3).write(tmp_path)
    assert execute(["report", str(review_dir)]) == 0
    assert capsys.readouterr().out == f"report: {review_dir / 'report.html'}\n"
    smoke = review_dir / "smoke.json"
    smoke.write_text(smoke.read_text(encoding="utf-8").replace("not so", "so"), encoding="utf-8")
    assert execute(["report", str(review_dir)]) == 4
    assert "changed after the findings were sealed" in capsys.readouterr().err


def test_report_writes_the_page_of_an_experiment(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_results(tmp_path).path
    assert execute(["report", str(folder)]) == 0
    assert capsys.readouterr().out == f"report: {folder / 'report.html'}\n"
    written = (folder / "report.html").read_bytes()
    assert execute(["experiment", "report", str(folder)]) == 0
    assert (folder / "report.html").read_bytes() == written
    other = tmp_path / "other.html"
    assert execute(["report", str(folder), "--output", str(other)]) == 0
    assert b"foureyes report of an experiment" in other.read_bytes()


def test_report_of_what_is_no_record_fails_with_what_to_give(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute(["report", str(tmp_path)]) == 4
    assert "is the directory of no run, review or batch" in capsys.readouterr().err


def test_report_open_hands_the_page_to_the_browser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_dir = ReportRun(claims=3).write(tmp_path)
    seen, browser = tmp_path / "seen", tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {seen}\n', encoding="utf-8")
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", str(browser))
    assert execute(["report", str(run_dir), "--open"]) == 0
    assert seen.read_text(encoding="utf-8") == (run_dir / "report.html").as_uri()


def test_view_says_that_nothing_is_there_and_serves_what_comes_until_ctrl_c(tmp_path: Path) -> None:
    command = [sys.executable, "-u", "-m", "pipeline", "serve", "reports", str(tmp_path)]
    pipe = subprocess.PIPE
    with Program[str](command, stdout=pipe, stderr=pipe, text=True) as view:
        assert view.stdout is not None
        assert view.stderr is not None
        told = f"there is no run, no review and no experiment in {str(tmp_path)!r} yet"
        assert view.stderr.readline() == f"foureyes: note: {told}\n"
        ReportRun(claims=3).write(tmp_path)
        line = view.stdout.readline()
        address = line.split()[1]
        assert address.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(address, timeout=20) as answer:
            assert "Stations" in answer.read().decode()
        view.send_signal(signal.SIGINT)
        assert view.wait(timeout=20) == 0

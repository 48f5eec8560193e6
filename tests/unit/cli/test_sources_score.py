"""`foureyes sources score` without a network: judged by the address alone."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from support.commands import execute

URLS = ("https://kubernetes.io/docs/", "https://nobody.example/docs")
BY_ADDRESS = ("--fetch=none", "--as-of=2026-02-03")
LOG_LINE = (
    r"\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\] WEB-RESEARCH-VALIDATION \| sources=2 \| avg_score=31\.5"
    r" \| gaps=\[missing_official_docs,insufficient_coverage,low_reliability\]"
    r" \| time=\d+\.\d\ds \| conflicts=0"
)


def scored(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit code and both outputs of the command."""
    code = execute(["sources", "score", *BY_ADDRESS, *arguments])
    told = capsys.readouterr()
    return code, told.out, told.err


def test_the_address_alone_is_judged_and_this_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = scored(capsys, *URLS)
    assert code == 0
    assert re.search(r"🟡 T3 ⚠ +49 +40 +9 +0 +0 +- +https://kubernetes.io/docs/", out)
    assert re.search(r"🔴 T5 ⚠ +14 +5 +9 +0 +0 +- +https://nobody.example/docs", out)
    assert "class official_docs" in out
    note, line = err.splitlines()
    assert note.startswith("foureyes: note: nothing was fetched: scored by the address alone")
    assert re.fullmatch(LOG_LINE, line)


def test_reasons_and_evidence_are_shown_for_each_part(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = scored(capsys, "-v", "--topic", "Kubernetes Pods", *URLS)
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert "🟡 T3 ⚠ 54/100 https://kubernetes.io/docs/" in lines
    told = "official documentation (official_docs): kubernetes.io is listed as"
    assert any(line.startswith(f"authority 40/40 {told}") for line in lines)
    assert "recency 9/30 no date is known" in lines
    assert "completeness 0/20 the page was not read" in lines
    assert "relevance 5/10 1 of 2 topic words, without pods: kubernetes" in lines
    assert any(line.startswith("! for review: unknown domain: no list names") for line in lines)


def test_machines_get_every_figure(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = scored(capsys, "--json", "--topic", "Pods", *URLS)
    data = json.loads(out)
    first, second = data["sources"]
    assert (code, data["exit_code"], err) == (0, 0, "")
    assert (data["as_of"], data["topic"], data["fetch"]) == ("2026-02-03", "pods", "none")
    assert (first["tier"], first["mark"], first["score"]) == ("T3", "⚠", 49)
    assert [part["out_of"] for part in first["parts"].values()] == [40, 30, 20, 10]
    assert (second["authority_class"], bool(second["review"])) == ("unknown", True)
    assert "WEB-RESEARCH-VALIDATION | sources=2 |" in data["log_line"]
    assert data["gaps"][0]["type"] == "missing_official_docs"


def test_the_same_question_gets_the_same_answer(capsys: pytest.CaptureFixture[str]) -> None:
    assert scored(capsys, *URLS)[1] == scored(capsys, *URLS)[1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Missing argument 'URL'"),
        (["--as-of", "soon", URLS[0]], "--as-of: 'soon'"),
        (["--fetch=none", "--registry-dir", "rules", URLS[0]], "scoring.yaml"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(
    arguments: list[str],
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "scoring.yaml").write_text("weights: 1\n", encoding="utf-8")
    code = execute(["sources", "score", *arguments])
    told = capsys.readouterr().err
    assert (code, said in told, told.count("\n")) == (4, True, 1)


@pytest.mark.parametrize("command", ["score", "fetch"])
def test_a_file_or_folder_is_no_address(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute(["sources", command, str(tmp_path)]) == 4
    assert "is a folder (give an address" in capsys.readouterr().err

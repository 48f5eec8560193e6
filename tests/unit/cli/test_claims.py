"""`foureyes claims` through the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.commands import execute

DRAFT = """# Towers

The tower of Olm is 50 m high.

In our view two towers are too many.
"""


@pytest.fixture
def draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    path = tmp_path / "draft.md"
    path.write_text(DRAFT, encoding="utf-8")
    return path


def test_claims_are_listed_with_line_kind_category_and_who_checks_them(
    draft: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute(["claims", str(draft)]) == 0
    told = capsys.readouterr().out
    first = next(line for line in told.splitlines() if "50 m high" in line)
    assert first.split()[:4] == ["3", "quantitative", "distance", "external"]
    assert "nobody: opinion" in told
    assert "load-bearing · static · asserted · cited: none" in told
    assert "Olm" in told
    assert told.splitlines()[-1] == "2 claims, 1 of them not checkable"


def test_machines_get_every_field_as_json(draft: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["claims", str(draft), "--json"]) == 0
    first, second = json.loads(capsys.readouterr().out)
    assert first["location"]["line"] == 3
    assert (first["topic"], first["route"], first["polarity"]) == (
        "distance",
        "external",
        "ASSERTED",
    )
    assert second["exclusion"] == "opinion"


def test_statements_without_a_number_are_listed_on_demand(
    draft: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    draft.write_text("Ilse Marn serves on the council of Olm.\n", encoding="utf-8")
    assert execute(["claims", str(draft)]) == 0
    assert "Ilse" not in capsys.readouterr().out
    assert execute(["claims", str(draft), "--all"]) == 0
    assert "Ilse Marn; Olm" in capsys.readouterr().out


def test_a_document_without_claims_says_so(draft: Path, capsys: pytest.CaptureFixture[str]) -> None:
    draft.write_text("The town is old.\n", encoding="utf-8")
    assert execute(["claims", str(draft)]) == 0
    assert capsys.readouterr().out == "0 claims, 0 of them not checkable\n"


def test_a_missing_document_is_bad_input(draft: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["claims", str(draft.with_name("none.md"))]) == 4
    assert "none.md" in capsys.readouterr().err

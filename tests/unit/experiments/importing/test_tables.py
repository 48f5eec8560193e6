"""CSV and JSONL: a trial a line, and one line that names the place where one is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from foureyes import InputError
from foureyes.datatypes import TrialOutcome
from foureyes.experiments.importing.tables import (
    ImportedTrial,
    ImportSelection,
    read_table,
)

SELECTION = ImportSelection(("pass-rate", "cost_usd"), ("kind",))
HEAD = "item,arm,trial,pass rate,outcome,error,cost_usd,tokens,seconds,cluster,kind,notes\n"
CSV = HEAD + 'one,gpt/4,2,true,,,0.5,12,1.5,doc,easy,"a, b"\n\none,b,,,error,went away,,,,,,\n'


def test_a_line_is_a_trial_with_all_that_is_known_of_it(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text(CSV)
    found = read_table(path, "", SELECTION)
    assert found.trials == (
        ImportedTrial(
            "one",
            "gpt-4",
            2,
            outcome=TrialOutcome.FINISHED,
            values={"pass-rate": 1.0, "cost_usd": 0.5},
            cost_usd=0.5,
            tokens_in=12,
            seconds=1.5,
            cluster="doc",
            slices={"kind": "easy"},
        ),
        ImportedTrial(
            "one",
            "b",
            1,
            outcome=TrialOutcome.ERROR,
            error="went away",
            values={},
            slices={"kind": ""},
        ),
    )
    assert "notes" in found.columns


def test_jsonl_says_the_same_and_may_leave_columns_out(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    rows = [{"item": 7, "pass rate": True}, {"item": "8", "pass rate": None, "kind": "hard"}]
    path.write_text("\n".join(map(json.dumps, rows)))
    first, second = read_table(path, "mine", SELECTION).trials
    assert (first.item, first.arm, first.values) == ("7", "mine", {"pass-rate": 1.0})
    assert (second.values, second.slices) == ({}, {"kind": "hard"})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("item,arm\n", "has no trial"),
        ("item,arm,item\na,b,c\n", "two columns have the same name"),
        ("item,pass rate\na,1\n", "line 2: there is no column 'arm'"),
        ("arm,pass rate\na,1\n", "line 2: there is no column 'item'"),
        ("item,arm\na,b,c\n", "line 2: there are 3 cells and 2 columns"),
        ("item,arm,pass rate\na,b,high\n", "line 2, pass-rate: 'high' is no number"),
        ("item,arm,pass rate\na,b,1e999\n", "line 2, pass-rate: '1e999' is no number"),
        ("item,arm,trial\na,b,1.5\n", "line 2: 1.5 is no number of a trial"),
        ("item,arm,trial\na,b,0\n", "line 2: 0 is no number of a trial"),
        ("item,arm,outcome\na,b,fine\n", "line 2: there is no outcome 'fine'"),
        ("item,arm\n,b\n", "line 2: an item's id has 0 characters"),
        ('item,arm\n"a,b\n', "line 2: unexpected end of data"),
    ],
)
def test_a_wrong_table_is_refused_by_its_line(text: str, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=expected) as refused:
        read_table(path, "", SELECTION)
    assert refused.value.hint


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("[1]", "line 1: no object"),
        ("{", "line 1: no JSON"),
        ("[" * 100_000, "line 1: no JSON"),
        ('{"item": "a", "arm": "b", "pass rate": [1]}', "is no number"),
        (f'{{"item": "a", "arm": "b", "pass rate": {"9" * 400}}}', "is no number"),
        ('{"item": null, "arm": "b"}', "an item's id has 0 characters"),
    ],
)
def test_wrong_json_is_refused_by_its_line(line: str, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text(line)
    with pytest.raises(InputError, match=expected):
        read_table(path, "", SELECTION)


def test_a_table_with_arms_is_no_arm(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text("item,arm\na,b\n")
    with pytest.raises(InputError, match="arms of its own"):
        read_table(path, "mine", SELECTION)

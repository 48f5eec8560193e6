"""CSV and JSONL: a trial a line, and one line that names the place where one is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from unit.experiments.importing.importing import import_results, refusal

HEAD = "item,arm,trial,pass rate,outcome,error,cost_usd,tokens,seconds,cluster,kind,notes\n"
CSV = (
    HEAD
    + 'one,gpt/4,1,true,,,0.5,12,1.5,doc,easy,"a, b"\n\none,b,,,error,went away,,,,doc,,\n'
    + "two,gpt/4,1,false,,,0.25,12,1.5,,hard,\ntwo,b,,true,,,1,,,,hard,\n"
)
DECLARED = {
    "slices": ["kind"],
    "metrics": {
        "primary": {"name": "pass-rate", "direction": "higher", "scale": "binary", "failure": 0},
        "secondary": ["cost_usd"],
    },
}
RATE = {"primary": "pass rate", "direction": "higher", "failure": 0}
PLAIN = "item,arm,pass rate\n" + "".join(f"{item},{arm},1\n" for item in "ab" for arm in "xy")


def test_a_line_is_a_trial_with_all_that_is_known_of_it(tmp_path: Path) -> None:
    (tmp_path / "results.csv").write_text(CSV)
    (tmp_path / "declared.yaml").write_text(json.dumps(DECLARED))
    found = import_results(tmp_path, "results.csv", declared="declared.yaml")
    first, failed = found.trial("one", "gpt-4"), found.trial("one", "b")
    assert (first["outcome"], first["trial"]["number"]) == ("finished", 1)
    assert first["values"] == {"pass-rate": 1.0, "cost_usd": 0.5}
    assert (first["cost_usd"], first["tokens_in"], first["seconds"]) == (0.5, 12, 1.5)
    assert (failed["outcome"], failed["error"], failed["values"]) == ("error", "went away", {})
    assert {one["slice"] for one in found.analysis["slices"]} == {"kind=easy", "kind=hard"}
    plan = json.loads((found.folder / "plan.json").read_bytes())
    clusters = {one["id"]: one["cluster"] for one in plan["items"]}
    assert (clusters["one"], clusters["two"] == clusters["one"]) == ("doc", False)


def test_jsonl_says_the_same_and_may_leave_columns_out(tmp_path: Path) -> None:
    rows = [{"item": 7, "pass rate": True}, {"item": "8", "pass rate": None, "kind": "hard"}]
    for name in ("mine", "other"):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    files = [f"{name}={name}.jsonl" for name in ("mine", "other")]
    found = import_results(tmp_path, *files, **RATE, slice="kind")
    assert found.trial("7", "mine")["values"] == {"pass-rate": 1.0}
    assert found.trial("8", "mine")["values"] == {}
    assert {one["slice"] for one in found.analysis["slices"]} >= {"kind=hard"}


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
    (tmp_path / "results.csv").write_text(text)
    assert expected in refusal(tmp_path, "results.csv", **RATE)


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
    (tmp_path / "results.jsonl").write_text(line)
    assert expected in refusal(tmp_path, "results.jsonl", **RATE)


def test_a_table_with_arms_is_no_arm(tmp_path: Path) -> None:
    (tmp_path / "results.csv").write_text(PLAIN)
    assert "arms of its own" in refusal(tmp_path, "mine=results.csv", **RATE)
    assert import_results(tmp_path, "results.csv", **RATE).analysis["items"] == 2

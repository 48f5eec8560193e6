"""Imported results are judged as ours are: nothing that failed or is missing is dropped."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from support.commands import foureyes_here
from support.yaml_text import read_yaml
from unit.experiments.importing.importing import Imported, import_results, refusal

LOGS = Path(__file__).parent / "logs"


PASSED = {"primary": "passed", "direction": "higher", "scale": "binary"}
MATCH = {**PASSED, "primary": "match"}
"""A binary metric that decides."""
MISSING = "missing: the files have no such trial"


def imported(folder: Path, text: str, **options: object) -> Imported:
    (folder / "results.csv").write_text(text)
    return import_results(folder, "results.csv", **(options or PASSED))


def rows(values: Callable[[int], str], count: int = 10) -> str:
    return "".join(f"i{at},old,0\ni{at},new,{values(at)}\n" for at in range(count))


def test_a_table_is_an_experiment_that_has_ended(tmp_path: Path) -> None:
    made = imported(tmp_path, "item,arm,passed\n" + rows(lambda _: "1"))
    assert json.loads((made.folder / "experiment.json").read_bytes())["state"] == "finished"
    file = read_yaml((made.folder / "experiment.yaml").read_text(encoding="utf-8"))
    assert file["imported"][0]["file"] == "results.csv"
    found = made.analysis
    assert (found["conclusion"], found["baseline"]) == ("better", "old")
    assert len(found["flips"]) == len(found["pairs"]) == 10


def test_what_is_missing_or_has_no_value_counts_as_a_failure(tmp_path: Path) -> None:
    text = "item,arm,passed,outcome\n"
    text += "".join(f"i{at},old,1,\n" for at in range(10))
    text += "i0,new,1,\ni1,new,,\ni2,new,1,error\ni3,new,1,inconclusive\n"
    made = imported(tmp_path, text)
    old, new = made.analysis["arms"]
    assert (old["finished"], new["finished"]) == (10, 1)
    assert (new["inconclusive"], new["errors"]) == (2, 7)
    assert made.analysis["conclusion"] == "worse"
    assert made.analysis["declared"][0]["counted"] == 9
    assert [one["error"] for one in made.trials].count(MISSING) == 6


def test_real_logs_are_compared_with_the_crash_as_a_failure(tmp_path: Path) -> None:
    names = [LOGS / f"{name}.json" for name in ("poor", "good")]
    found = import_results(tmp_path, *names, **MATCH, slice="kind").analysis
    comparison = found["declared"][0]["concluded"]["comparison"]
    # Inspect's own accuracy of the second is 1.0: it leaves out the sample that crashed.
    assert comparison["control"]["mean"] == pytest.approx(1 / 6)
    assert comparison["treatment"]["mean"] == pytest.approx(5 / 6)
    assert (found["arms"][1]["finished"], found["arms"][1]["errors"]) == (5, 1)
    assert {one["slice"] for one in found["slices"]} == {"kind=small", "kind=large"}


def test_a_packed_log_is_refused_with_the_way_to_unpack_it(tmp_path: Path) -> None:
    (tmp_path / "a.eval").write_bytes(b"PK")
    said = refusal(tmp_path, "a.eval", **MATCH)
    assert re.search(r"inspect log convert .* --to json", said)


def test_samples_that_a_log_names_and_lacks_are_missing(tmp_path: Path) -> None:
    text = (LOGS / "good.json").read_text()
    cut = tmp_path / "cut.json"
    start = text.index('"samples":[')
    ended = text[:start].replace('"status":"success"', '"status":"error"')
    cut.write_text(f'{ended}"samples":[]}}')
    found = import_results(tmp_path, LOGS / "poor.json", f"new={cut}", **MATCH).analysis
    assert (found["items"], found["arms"][1]["errors"]) == (6, 6)


def test_two_imports_are_compared_on_the_items_that_they_share(tmp_path: Path) -> None:
    text = "item,arm,passed\n"
    before = imported(tmp_path, text + rows(lambda _: "0", 9))
    after = imported(tmp_path, text + rows(lambda _: "1", 12))
    folders = (before.folder, after.folder)
    done = foureyes_here("experiment", "compare", *folders, "--arm", "new", "--json", cwd=tmp_path)
    found = json.loads(done.stdout)
    assert (found["items"], found["conclusion"]) == (9, "better")


def test_a_column_with_spaces_is_named_as_it_is(tmp_path: Path) -> None:
    text = "item,arm,pass rate\n" + rows(lambda _: "1")
    found = imported(tmp_path, text, **{**PASSED, "primary": "pass rate"})
    assert found.analysis["primary"]["name"] == "pass-rate"


def test_a_file_declares_what_options_do_and_more(tmp_path: Path) -> None:
    path = tmp_path / "declared.yaml"
    path.write_text(
        "name: passes\nbaseline: new\nslices: [kind]\nmetrics:\n"
        "  primary: {name: passed, direction: higher, scale: binary, failure: 0, margin: 0.2}\n"
        "  secondary: [seconds]\n"
    )
    text = "item,arm,passed,seconds,kind\n"
    text += "".join(f"i{at},{arm},1,{at}.5,k\n" for at in range(4) for arm in ("old", "new"))
    found = imported(tmp_path, text, declared="declared.yaml").analysis
    assert (found["name"], found["baseline"]) == ("passes", "new")
    assert (found["primary"]["name"], found["primary"]["margin"]) == ("passed", 0.2)
    assert [one["metric"] for one in found["declared"]] == ["passed", "seconds"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("item,arm,passed\na,x,1\nb,x,1\n", "there is 1 arm: x"),
        ("item,arm,passed\na,x,1\na,y,1\n", "there is 1 item"),
        ("item,arm,passed\na,x,1\na,x,0\n", "trial 1 of item 'a' in arm 'x' is there twice"),
        ("item,arm,other\na,x,1\nb,y,1\n", "no trial has a value of the metric 'passed'"),
        ("item,arm,notes\na,x,1\nb,y,1\n", "(there are item, arm, notes)"),
        ("item,arm,passed\na,///,1\nb,y,1\n", "an arm without a name"),
        (
            "item,arm,trial,passed\na,x,1,1\na,x,2,1\nb,y,1,1\n",
            "different numbers of trials of an item: 'x' 2, 'y' 1",
        ),
        (
            "item,arm,trial,passed\na,x,101,1\nb,y,101,1\n",
            "no experiment: trials: Input should be less than or equal to 100",
        ),
        (
            "item,arm,passed,cluster\na,x,1,d\na,y,1,e\nb,x,1,d\nb,y,1,d\n",
            "item 'a' has another cluster in one trial than in another: 'd', 'e'",
        ),
    ],
)
def test_what_is_no_comparison_is_refused(text: str, expected: str, tmp_path: Path) -> None:
    (tmp_path / "results.csv").write_text(text)
    assert expected in refusal(tmp_path, "results.csv", **PASSED)


def test_other_inputs_under_the_same_ids_are_not_the_same_items(tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text((LOGS / "good.json").read_text().replace("What is 3 + 3?", "What is 4 + 3?"))
    assert "item 'q3' has another input" in refusal(tmp_path, LOGS / "poor.json", other, **MATCH)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"baseline": "gone"}, "there is no arm 'gone'"),
        ({"slice": "gone"}, "no item has the slice 'gone'"),
    ],
)
def test_what_is_declared_must_be_there(
    change: dict[str, str], expected: str, tmp_path: Path
) -> None:
    (tmp_path / "results.csv").write_text("item,arm,passed\n" + rows(lambda _: "1"))
    assert expected in refusal(tmp_path, "results.csv", **PASSED, **change)


def test_names_of_files_may_name_their_arm(tmp_path: Path) -> None:
    odd = tmp_path / "a=b.json"
    for copy in (odd, tmp_path / "x.json"):
        shutil.copy(LOGS / "good.json", copy)
    cases = (
        ("new=x.json", "new"),
        ("x.json", "mockllm-good"),
        ("./a=b.json", "mockllm-good"),
        (str(odd), "mockllm-good"),
        ("c=a=b.json", "c"),
    )
    for given, arm in cases:
        found = import_results(tmp_path, given, f"poor={LOGS / 'poor.json'}", **MATCH)
        assert [one["arm"] for one in found.analysis["arms"]] == [arm, "poor"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"primary": "passed"}, "not said which values of 'passed' are good"),
        ({"primary": "passed", "direction": "higher"}, "has no worst value"),
        ({"primary": "–", "direction": "higher"}, "'–' cannot decide"),
        (
            {"primary": "accepted", "direction": "lower"},
            "scale and direction of 'accepted' are known",
        ),
    ],
)
def test_what_cannot_decide_is_refused(
    options: dict[str, str], expected: str, tmp_path: Path
) -> None:
    (tmp_path / "results.csv").write_text("item,arm,passed\n" + rows(lambda _: "1"))
    assert expected in refusal(tmp_path, "results.csv", **options)


def test_nothing_is_measured_again(tmp_path: Path) -> None:
    path = tmp_path / "declared.yaml"
    path.write_text("metrics: {primary: {name: x, code: 'a:b', direction: higher, failure: 0}}")
    (tmp_path / "results.csv").write_text("item,arm,x\n" + rows(lambda _: "1"))
    said = refusal(tmp_path, "results.csv", declared="declared.yaml")
    assert "nothing is measured again" in said

"""Imported results are judged as ours are: nothing that failed or is missing is dropped."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from foureyes import Direction, InputError, Scale
from foureyes.datatypes import ExperimentAnalysis as Analysis
from foureyes.datatypes import ExperimentConclusion as Conclusion
from foureyes.engine.work_folder import WorkState
from foureyes.experiments.analysis import analyse
from foureyes.experiments.folder import ExperimentFolder, compare_experiments
from foureyes.experiments.importing.building import (
    MISSING,
    ImportFile,
    declare,
    import_name,
    import_results,
    read_import_file,
)

LOGS = Path(__file__).parent / "logs"


def passing(primary: str = "passed", **more: str | tuple[str, ...]) -> ImportFile:
    """A binary metric that decides."""
    slices = more.get("slices", ())
    return declare(
        None,
        str(more["baseline"]) if "baseline" in more else None,
        slices if isinstance(slices, tuple) else (slices,),
        primary=primary,
        direction=Direction.HIGHER,
        scale=Scale.BINARY,
        margin=None,
        failure=None,
    )


def imported(folder: Path, text: str, declared: ImportFile | None = None) -> ExperimentFolder:
    path = folder / "results.csv"
    path.write_text(text)
    return import_results([import_name(str(path))], declared or passing(), folder)


def analyse_folder(folder: ExperimentFolder) -> Analysis:
    return analyse(folder.file, folder.plan().items, folder.results())


def rows(values: Callable[[int], str], count: int = 10) -> str:
    return "".join(f"i{at},old,0\ni{at},new,{values(at)}\n" for at in range(count))


def test_a_table_is_an_experiment_that_has_ended(tmp_path: Path) -> None:
    folder = imported(tmp_path, "item,arm,passed\n" + rows(lambda _: "1"))
    again = ExperimentFolder(folder.path)
    assert again.manifest.state is WorkState.FINISHED
    assert again.file.imported[0].file == "results.csv"
    found = analyse_folder(again)
    assert (found.conclusion, found.baseline) == (Conclusion.BETTER, "old")
    assert len(found.flips) == len(found.pairs) == 10


def test_what_is_missing_or_has_no_value_counts_as_a_failure(tmp_path: Path) -> None:
    text = "item,arm,passed,outcome\n"
    text += "".join(f"i{at},old,1,\n" for at in range(10))
    text += "i0,new,1,\ni1,new,,\ni2,new,1,error\ni3,new,1,inconclusive\n"
    folder = imported(tmp_path, text)
    found = analyse_folder(folder)
    old, new = found.arms
    assert (old.finished, new.finished, new.inconclusive, new.errors) == (10, 1, 2, 7)
    assert found.conclusion is Conclusion.WORSE
    assert found.declared[0].counted == 9
    assert [one.error for one in folder.results().values()].count(MISSING) == 6


def test_real_logs_are_compared_with_the_crash_as_a_failure(tmp_path: Path) -> None:
    names = [import_name(str(LOGS / f"{name}.json")) for name in ("poor", "good")]
    declared = passing("match", slices="kind")
    found = analyse_folder(import_results(names, declared, tmp_path))
    comparison = found.declared[0].concluded
    assert comparison is not None
    # Inspect's own accuracy of the second is 1.0: it leaves out the sample that crashed.
    assert comparison.comparison.control.mean == pytest.approx(1 / 6)
    assert comparison.comparison.treatment.mean == pytest.approx(5 / 6)
    assert (found.arms[1].finished, found.arms[1].errors) == (5, 1)
    assert {one.slice for one in found.slices} == {"kind=small", "kind=large"}


def test_a_packed_log_is_refused_with_the_way_to_unpack_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"inspect log convert .* --to json"):
        import_results([import_name("a.eval")], passing("match"), tmp_path)


def test_samples_that_a_log_names_and_lacks_are_missing(tmp_path: Path) -> None:
    text = (LOGS / "good.json").read_text()
    cut = tmp_path / "cut.json"
    start = text.index('"samples":[')
    ended = text[:start].replace('"status":"success"', '"status":"error"')
    cut.write_text(f'{ended}"samples":[]}}')
    names = [import_name(str(LOGS / "poor.json")), import_name(f"new={cut}")]
    found = analyse_folder(import_results(names, passing("match"), tmp_path))
    assert (found.items, found.arms[1].errors) == (6, 6)


def test_two_imports_are_compared_on_the_items_that_they_share(tmp_path: Path) -> None:
    text = "item,arm,passed\n"
    before = imported(tmp_path, text + rows(lambda _: "0", 9))
    after = imported(tmp_path, text + rows(lambda _: "1", 12))
    found = compare_experiments(before, after, "new")
    assert (found.items, found.conclusion) == (9, Conclusion.BETTER)


def test_a_column_with_spaces_is_named_as_it_is(tmp_path: Path) -> None:
    folder = imported(tmp_path, "item,arm,pass rate\n" + rows(lambda _: "1"), passing("pass rate"))
    assert analyse_folder(folder).primary.name == "pass-rate"


def test_a_file_declares_what_options_do_and_more(tmp_path: Path) -> None:
    path = tmp_path / "declared.yaml"
    path.write_text(
        "name: passes\nbaseline: new\nslices: [kind]\nmetrics:\n"
        "  primary: {name: passed, direction: higher, scale: binary, failure: 0, margin: 0.2}\n"
        "  secondary: [seconds]\n"
    )
    text = "item,arm,passed,seconds,kind\n"
    text += "".join(f"i{at},{arm},1,{at}.5,k\n" for at in range(4) for arm in ("old", "new"))
    found = analyse_folder(imported(tmp_path, text, read_import_file(path)))
    assert (found.name, found.baseline, found.primary.margin) == ("passes", "new", 0.2)
    assert [one.metric for one in found.declared] == ["passed", "seconds"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("item,arm,passed\na,x,1\nb,x,1\n", "there is 1 arm: x"),
        ("item,arm,passed\na,x,1\na,y,1\n", "there is 1 item"),
        ("item,arm,passed\na,x,1\na,x,0\n", "trial 1 of item 'a' in arm 'x' is there twice"),
        ("item,arm,other\na,x,1\nb,y,1\n", "no trial has a value of the metric 'passed'"),
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
    with pytest.raises(InputError, match=expected) as refused:
        imported(tmp_path, text)
    assert refused.value.hint


def test_other_inputs_under_the_same_ids_are_not_the_same_items(tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text((LOGS / "good.json").read_text().replace("What is 3 + 3?", "What is 4 + 3?"))
    names = [import_name(str(LOGS / "poor.json")), import_name(str(other))]
    with pytest.raises(InputError, match="item 'q3' has another input"):
        import_results(names, passing("match"), tmp_path)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"baseline": "gone"}, "there is no arm 'gone'"),
        ({"slices": "gone"}, "no item has the slice 'gone'"),
    ],
)
def test_what_is_declared_must_be_there(
    change: dict[str, str], expected: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=expected):
        imported(tmp_path, "item,arm,passed\n" + rows(lambda _: "1"), passing(**change))


def test_names_of_files_may_name_their_arm(tmp_path: Path) -> None:
    odd = tmp_path / "a=b.json"
    shutil.copy(LOGS / "good.json", odd)
    cases: Sequence[tuple[str, str, str]] = (
        ("new=x.json", "new", "x.json"),
        ("x.json", "", "x.json"),
        ("./a=b.json", "", "./a=b.json"),
        (str(odd), "", str(odd)),
        ("c=a=b.json", "c", "a=b.json"),
    )
    for given, arm, path in cases:
        assert import_name(given) == (arm, Path(path))


@pytest.mark.parametrize(
    ("primary", "direction", "scale", "expected"),
    [
        ("passed", None, None, "not said which values of 'passed' are good"),
        ("passed", Direction.HIGHER, None, "has no worst value"),
        ("–", Direction.HIGHER, None, "'–' cannot decide"),
        ("accepted", Direction.LOWER, None, "scale and direction of 'accepted' are known"),
    ],
)
def test_what_cannot_decide_is_refused(
    primary: str, direction: Direction | None, scale: Scale | None, expected: str
) -> None:
    with pytest.raises(InputError, match=expected):
        declare(
            None, None, (), primary=primary, direction=direction, scale=scale, margin=None,
            failure=None,
        )  # fmt: skip


def test_nothing_is_measured_again(tmp_path: Path) -> None:
    path = tmp_path / "declared.yaml"
    path.write_text("metrics: {primary: {name: x, code: 'a:b', direction: higher, failure: 0}}")
    with pytest.raises(InputError, match="nothing is measured again"):
        read_import_file(path)

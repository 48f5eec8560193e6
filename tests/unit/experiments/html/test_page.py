"""The page of an experiment says what its Markdown and its JSON say, and links to what is there."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from foureyes.datatypes import Compared, ItemPair
from foureyes.datatypes import ExperimentAnalysis as Analysis
from foureyes.experiments.analysis import analyse
from foureyes.experiments.file import ImportFile
from foureyes.experiments.folder import ExperimentFolder
from foureyes.experiments.imported import import_name, import_results
from foureyes.experiments.markdown import markdown, said
from foureyes.experiments.page import (
    EXPERIMENT_PAGES,
    axis_of,
    experiment_page,
    forests,
    write_experiment_page,
)
from foureyes.report.html.page import report_pieces
from hypothesis import given
from hypothesis import strategies as st
from support.experiment_results import write_results


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> ExperimentFolder:
    return write_results(tmp_path_factory.mktemp("experiment"))


@pytest.fixture(scope="module")
def analysis(folder: ExperimentFolder) -> Analysis:
    return analyse(folder.file, folder.plan().items, folder.results())


def page(folder: ExperimentFolder, analysis: Analysis, home: Path | None) -> str:
    page = experiment_page(folder, analysis, home)
    return "".join(report_pieces(page, EXPERIMENT_PAGES.templates))


@pytest.mark.parametrize(
    ("number", "left_out", "counted"),
    [
        (
            1,
            "1 item is left out, as the metric does not apply to it",
            "1 trial failed and counts as",
        ),
        (
            2,
            "2 items are left out, as the metric does not apply to them",
            "2 trials failed and count",
        ),
    ],
)
def test_what_was_left_out_is_told_in_its_number(number: int, left_out: str, counted: str) -> None:
    one = Compared("recall", "new", primary=True, left_out=number, counted=number)
    text = said("exceptions", [one])
    assert text[0] == f"recall of new: {left_out}"
    assert text[1].startswith(f"recall of new: {counted}")


def test_page_and_markdown_say_the_same_sentences(
    folder: ExperimentFolder, analysis: Analysis
) -> None:
    sentences = [
        *said("basis", analysis),
        *said("exceptions", analysis.declared),
        *said("powers", analysis),
    ]
    html, text = unescape(page(folder, analysis, None)), markdown(analysis)
    assert len(sentences) == 2 + 6 + 6
    assert [one for one in sentences if one not in html] == []
    assert [one for one in sentences if one not in text] == []


def test_the_basis_names_test_interval_and_margin(analysis: Analysis) -> None:
    first, second = said("basis", analysis)
    assert first == (
        "fact_checker is better: accepted (higher is better) went from 0.325 to 0.700, a "
        "difference of +0.375 with the 95 % interval +0.155 to +0.548 (Newcombe's). Exact McNemar "
        "test: p = 0.0026, and 0.0052 adjusted by Holm for the 2 treatments. Wilcoxon's "
        "signed-rank test, which decides nothing: p = 0.0026. The 95 % interval, +0.155 to "
        "+0.548, is not inside the margin of 0.1. The level is 0.05. Of 40 items 19 rose, 4 fell "
        "and 17 stayed the same"
    )
    assert second.startswith("strict is inconclusive: ")


def test_power_is_always_told_and_how_many_items_a_margin_needs(analysis: Analysis) -> None:
    text = said("powers", analysis)
    assert len(text) == len(analysis.declared)
    assert all("detect" in one for one in text)
    assert re.search(r"accepted of strict: .*; the margin of 0\.1 needs about \d{3}$", text[3])
    assert text[2].endswith("no margin was declared")


def test_drawings_hold_every_interval(analysis: Analysis) -> None:
    for forest in forests(analysis):
        assert len(forest.rows) == 2
        for _, row in forest.rows:
            found, at = row.comparison, forest.axis.at
            places = at(found.interval.low), at(found.difference), at(found.interval.high)
            assert 0 <= places[0] <= places[1] <= places[2] <= 100


def test_runs_below_the_page_are_linked_to_if_they_have_a_page(
    folder: ExperimentFolder, analysis: Analysis, tmp_path: Path
) -> None:
    written = write_experiment_page(folder, analysis).read_text(encoding="utf-8")
    links = re.findall(r'<a href="(\./[^"]+)"', written)
    assert len(links) > len(analysis.flips)
    assert all((folder.path / link).is_file() for link in links)
    assert re.findall(r'<a href="\./', page(folder, analysis, tmp_path)) == []


@pytest.mark.parametrize("run_dir", ["/etc", "{}/../..", "{}/nowhere", "javascript:x", ""])
def test_no_link_leads_out_of_the_directory_or_nowhere(
    folder: ExperimentFolder, analysis: Analysis, run_dir: str
) -> None:
    (folder.path.parent.parent / "report.html").write_text("not below")
    run = run_dir.format(folder.path)
    found = replace(analysis, flips=(ItemPair("one", "strict", 0, 1, run, run),))
    assert 'href="./' not in page(folder, found, folder.path)


def test_reasons_of_failures_are_told_once_with_how_many_they_ended(
    folder: ExperimentFolder, analysis: Analysis
) -> None:
    arms = {arm.arm: arm.errors + arm.inconclusive for arm in analysis.arms}
    for arm, count in arms.items():
        assert sum(one.trials for one in analysis.failures if one.arm == arm) == count
    errors = [one.reason for one in analysis.failures if "went away" in one.reason]
    for text in (page(folder, analysis, None), markdown(analysis)):
        assert text.count("the backend went away") == len(errors) > 3


def test_a_note_stands_at_the_top(folder: ExperimentFolder, analysis: Analysis) -> None:
    assert "only 3 of 4" in page(folder, replace(analysis, note="only 3 of 4"), None)


def test_an_imported_experiment_names_its_files(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text("item,arm,accepted\n" + "".join(f"{at},a,1\n{at},b,1\n" for at in range(3)))
    declared = ImportFile.model_validate({"metrics": {"primary": "accepted"}})
    made = import_results([import_name(str(path))], declared, tmp_path)
    found = analyse(made.file, made.plan().items, made.results())
    assert re.search(r"results\.csv \(csv, sha256 [0-9a-f]{12}…\)", page(made, found, None))


def test_an_experiment_without_results_has_a_page_that_says_so(folder: ExperimentFolder) -> None:
    nothing = analyse(folder.file, folder.plan().items, {})
    html = page(folder, nothing, None)
    assert "Nothing could be compared on the primary metric" in html
    assert "only 0 of 40 items are complete" in html


VALUES = st.floats(-1e100, 1e100).map(lambda value: 0.0 if abs(value) < 1e-100 else value)


@given(st.lists(VALUES, min_size=1, max_size=9))
def test_every_value_lies_on_the_axis_and_ticks_are_few(values: list[float]) -> None:
    axis = axis_of(values)
    assert all(0 <= axis.at(value) <= 100 for value in values)
    ticks = axis.ticks
    assert 1 <= len(ticks) <= 6
    assert all(-1e-6 <= tick.at <= 100 + 1e-6 for tick in ticks)
    assert [tick.at for tick in ticks] == sorted(tick.at for tick in ticks)


def test_ticks_are_round_and_those_at_the_ends_are_written_inwards() -> None:
    ticks = axis_of([0, 1], room=0).ticks
    assert [(round(tick.at, 9), tick.text, tick.anchor) for tick in ticks] == [
        (0, "0", "start"),
        (20, "0.2", "middle"),
        (40, "0.4", "middle"),
        (60, "0.6", "middle"),
        (80, "0.8", "middle"),
        (100, "1", "end-of"),
    ]

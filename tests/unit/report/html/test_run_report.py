from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from foureyes import ApprovalBasis, RunDirectoryError, RunStatus
from foureyes.base.files import from_json
from foureyes.core.run_analytics import AnalyticsFile
from foureyes.core.run_store import RunStore
from foureyes.report.exports.documents import examined_run
from foureyes.report.html._run_report import MAX_LINES, RunReport, iteration_table, text_changes
from foureyes.report.html.page import report_pieces, write_report
from foureyes.report.html.run_files import RunFiles
from hypothesis import given
from hypothesis import strategies as st
from lxml import html
from support.report_run import ReportRun

CLAIMS = 30


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ReportRun(claims=CLAIMS, iterations=3).write(tmp_path_factory.mktemp("runs"))


@pytest.fixture
def run_dir(written: Path, tmp_path: Path) -> Path:
    """A copy of the run that a test may change."""
    return Path(shutil.copytree(written, tmp_path / "run"))


def page(run_dir: Path) -> str:
    return "".join(report_pieces(RunReport(run_dir)))


def test_a_report_follows_from_the_run_directory_alone(written: Path, run_dir: Path) -> None:
    before = {path: path.read_bytes() for path in run_dir.rglob("*") if path.is_file()}
    assert page(run_dir) == page(written)
    assert {path: path.read_bytes() for path in run_dir.rglob("*") if path.is_file()} == before


def test_each_claim_is_counted_in_each_filter_once(run_dir: Path) -> None:
    claims = RunReport(run_dir).claims
    assert len(claims.rows) == CLAIMS
    for index, (facet, counts) in enumerate(claims.filters):
        assert sum(counts[code] for code in range(len(facet.labels))) == CLAIMS
        for code in range(len(facet.labels)):
            assert sum(claims.codes(row)[index] == code for row in claims.rows) == counts[code]
    assert [facet.title for facet, _ in claims.filters] == [
        *("Verdict", "Worst finding", "Support tier", "Best source tier", "Kind"),
    ]


def test_evidence_is_shown_in_the_snapshot_around_it(run_dir: Path) -> None:
    shown: Any = html.document_fromstring(page(run_dir))
    (quoted,) = shown.xpath("//li[@data-n='5']/template//blockquote")
    assert quoted.text == "Before . "
    assert quoted[0].tail.startswith(" After .\nFiller")
    assert quoted[0].tail.endswith("…")
    assert "Not shown in its context" not in quoted.getparent().text_content()


def rewrite(path: Path, change: Callable[[str], str]) -> None:
    text = path.read_text(encoding="utf-8")
    assert change(text) != text
    path.write_text(change(text), encoding="utf-8")


def test_a_quote_that_is_not_in_its_snapshot_is_said_to_be_none(run_dir: Path) -> None:
    ledger = run_dir / "verify/claim_ledger.json"
    rewrite(ledger, lambda text: text.replace('"quote": "Station 1 ', '"quote": "Station X '))
    assert page(run_dir).count("the quote does not stand at this place of the snapshot") > 0


def test_a_snapshot_that_was_changed_is_no_evidence(run_dir: Path) -> None:
    for text in (run_dir / "sources").glob("*.txt"):
        rewrite(text, lambda text: text.replace("produced", "made"))
    shown = page(run_dir)
    assert shown.count("does not match its hash") == CLAIMS


def test_the_delivered_iteration_is_shown_even_if_it_is_not_the_last(run_dir: Path) -> None:
    RunStore.open(run_dir).update(best_iteration=2)
    report = RunReport(run_dir)
    assert report.delivered == 2
    assert "in 2002" in "".join(report.text())
    assert len(report.claims.rows) == CLAIMS
    assert report.gate is not None


def test_the_iterations_tell_how_many_claims_are_verified_and_what_one_cost(run_dir: Path) -> None:
    store = RunStore.open(run_dir)
    file = from_json(AnalyticsFile, store.read("analytics.json"))
    figures = tuple(
        replace(
            one,
            metrics=replace(one.metrics, verified_claim_count=verified),
            cost_per_verified_claim=cost,
        )
        for one, verified, cost in zip(
            file.iterations, (0, 2, 4), (None, Decimal("0.5"), Decimal("0.375")), strict=True
        )
    )
    table = iteration_table(store.manifest, replace(file, iterations=figures))
    assert table is not None
    rows = {name: values for name, *values in table.rows}
    assert rows["claims verified beyond their citation"] == ["0", "2", "4"]
    assert rows["cost per verified claim"] == ["–", "$0.5000", "$0.3750"]
    unpriced = iteration_table(store.manifest, file)
    assert unpriced is not None
    assert "cost per verified claim" not in {name for name, *_ in unpriced.rows}


def test_iterations_tell_findings_that_are_new_recurring_and_resolved(run_dir: Path) -> None:
    # The first and the third hold the same against the text, the second something else.
    shown: Any = html.document_fromstring(page(run_dir))
    (iterations,) = shown.xpath("//section[@id='iterations']")
    told = [" ".join(one.text_content().split()) for one in iterations.xpath(".//summary")]
    new, resolved = "8 + new findings", "8 ✓ resolved findings"
    assert [one for one in told if "finding" in one] == [new, new, resolved, new, resolved]


@pytest.mark.parametrize("status", [*RunStatus, None])
@pytest.mark.parametrize("basis", [*ApprovalBasis, None])
def test_only_a_review_by_readers_is_green(
    run_dir: Path, status: RunStatus | None, basis: ApprovalBasis | None
) -> None:
    RunStore.open(run_dir).update(status=status, approval_basis=basis)
    end = RunReport(run_dir).end
    independent = basis is ApprovalBasis.INDEPENDENT_REVIEW
    assert (end.tone == "good") is (status is RunStatus.APPROVED and independent)
    if status is not RunStatus.APPROVED:
        assert "not approved" in end.text or "neither approved" in end.text


MISSING = [
    (["analytics.json"], "Nothing is on record."),
    (["iterations"], "there is no draft"),
    (["sources"], "cannot be read"),
    ([f"iterations/outcome_iteration_{n}.json" for n in (1, 2, 3)], "was broken off"),
]


@pytest.mark.parametrize(("names", "told"), MISSING)
def test_a_run_that_left_less_behind_has_a_report_that_says_so(
    run_dir: Path, names: list[str], told: str
) -> None:
    for name in names:
        path = run_dir / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert told in page(run_dir)


@pytest.mark.parametrize("told", ["There is no evidence gate", "No claims are on"])
def test_a_run_without_a_fact_check_says_so(run_dir: Path, told: str) -> None:
    for path in run_dir.glob("iterations/outcome_iteration_*.json"):
        outcome = json.loads(path.read_bytes())
        path.write_text(json.dumps({**outcome, "fact_checked": False}), encoding="utf-8")
    shutil.rmtree(run_dir / "verify")
    assert told in page(run_dir)


@pytest.mark.parametrize(
    "name", ["verify", "verify/claim_ledger.json", "verify/evidence_gate_result.json"]
)
def test_what_a_fact_check_found_is_not_passed_over_where_it_is_gone(
    run_dir: Path, name: str
) -> None:
    path = run_dir / name
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    with pytest.raises(RunDirectoryError, match="lacks the ledger or the gate's answer"):
        page(run_dir)
    with pytest.raises(RunDirectoryError, match="lacks the ledger or the gate's answer"):
        examined_run(RunFiles(run_dir))


@pytest.mark.parametrize("name", ["claim_ledger.json", "evidence_gate_result.json"])
def test_what_an_earlier_fact_check_found_is_missed_too(run_dir: Path, name: str) -> None:
    told = "iteration 1: what its fact check found is gone from verify/iteration_1"
    assert told not in page(run_dir)
    (run_dir / "verify" / "iteration_1" / name).unlink()
    assert told in page(run_dir)


@pytest.mark.parametrize(
    "name",
    [
        *("run.json", "analytics.json", "judgement.json", "verify/claim_ledger.json"),
        *("verify/evidence_gate_result.json", "iterations/claims_iteration_3.json"),
        "iterations/outcome_iteration_2.json",
    ],
)
def test_a_damaged_file_is_named_and_leaves_the_last_report(run_dir: Path, name: str) -> None:
    write_report(run_dir)
    before = (run_dir / "report.html").read_bytes()
    (run_dir / name).write_bytes((run_dir / name).read_bytes()[:-40])
    with pytest.raises(RunDirectoryError, match=Path(name).name):
        write_report(run_dir)
    assert (run_dir / "report.html").read_bytes() == before
    assert not list(run_dir.glob(".report*"))


def test_a_source_that_only_evidence_names_has_its_snapshot_too(run_dir: Path) -> None:
    cited = RunReport(run_dir).sources
    path = run_dir / "iterations/claims_iteration_3.json"
    claims = json.loads(path.read_bytes())
    path.write_text(json.dumps({**claims, "sources": {}}), encoding="utf-8")
    (run_dir / "verify/source_reliability.json").unlink()
    found = RunReport(run_dir).sources
    assert {(card.url, card.source and card.source.snapshot) for card in found} == {
        (card.url, card.source and card.source.snapshot) for card in cited
    }
    assert all(card.source and card.source.snapshot for card in found)


def test_the_same_text_has_no_changes() -> None:
    assert text_changes("a\nb\n", "a\nb\n") == ()


def test_only_the_words_that_differ_are_marked() -> None:
    (pieces,) = text_changes("costs $3 billion", "costs $30 billion")
    assert pieces == (("", "costs $"), ("−", "3"), ("+", "30"), ("", " billion"))


def test_lines_far_from_a_change_are_left_out() -> None:
    lines = [f"line {n}\n" for n in range(20)]
    (pieces,) = text_changes("".join(lines), "".join([*lines[:10], "new\n", *lines[10:]]))
    assert pieces == (("", "line 8\nline 9\n"), ("+", "new\n"), ("", "line 10\nline 11\n"))


def test_texts_too_long_to_compare_are_not_compared() -> None:
    long = "x\n" * (MAX_LINES + 1)
    (((_, said),),) = text_changes(long, "y")
    assert "not compared" in said
    assert text_changes("word " * 5000, "other") == ((("−", "word " * 5000), ("+", "other")),)


@given(st.text(alphabet="ab c\n", max_size=30), st.text(alphabet="ab c\n", max_size=30))
def test_each_side_gives_its_text_again(before: str, after: str) -> None:
    for place in text_changes(f"x\n{before}", f"y\n{after}")[:1]:
        old, new = ("".join(text for own, text in place if own != sign) for sign in "+−")
        assert f"x\n{before}".startswith(old)
        assert f"y\n{after}".startswith(new)

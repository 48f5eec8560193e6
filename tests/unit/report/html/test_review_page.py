from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from foureyes import ReviewStatus, RunDirectoryError
from foureyes.datatypes import NotDone, ReviewPhase
from foureyes.report.document_review import write_reports
from foureyes.report.html._review_page import ReviewPage
from foureyes.report.html.model import NOT_APPLICABLE, Listing
from foureyes.report.html.page import report_pieces, write_report
from foureyes.review.store import FILES, ReviewStore, read_contents
from lxml import html
from support.report_review import ReportReview
from support.reviews import reviewed

FINDINGS, CLAIMS = 66, 44


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ReportReview(FINDINGS, CLAIMS).write(tmp_path_factory.mktemp("reviews"))


@pytest.fixture
def review_dir(written: Path, tmp_path: Path) -> Path:
    """A copy of the review that a test may change."""
    return Path(shutil.copytree(written, tmp_path / "review"))


def page(review_dir: Path) -> str:
    return "".join(report_pieces(ReviewPage(review_dir)))


def test_a_report_follows_from_the_review_directory_alone(written: Path, review_dir: Path) -> None:
    before = {path: path.read_bytes() for path in review_dir.rglob("*") if path.is_file()}
    assert page(review_dir) == page(written)
    after = {path: path.read_bytes() for path in review_dir.rglob("*") if path.is_file()}
    assert after == before


@pytest.mark.parametrize(("findings", "long"), [(300, False), (301, True)])
def test_only_a_long_page_is_laid_out_as_it_is_looked_at(
    findings: int, long: bool, tmp_path: Path
) -> None:
    shown = page(ReportReview(findings, 0).write(tmp_path))
    assert ('<body class="long">' in shown) is long


def on_record(review_dir: Path, things: str) -> dict[str, Any]:
    """What is on record for each of `things`, by its number on the page."""
    shown: Any = html.document_fromstring(page(review_dir))
    items = shown.xpath(f"//ol[@data-things='{things}']/li")
    return {item.get("data-n"): item.find("template") for item in items}


def counted(listing: Listing) -> None:
    for index, (facet, counts) in enumerate(listing.filters):
        concerned = [
            code for row in listing.rows if (code := listing.codes(row)[index]) != NOT_APPLICABLE
        ]
        assert sum(counts[code] for code in range(len(facet.labels))) == len(concerned)
        for code in range(len(facet.labels)):
            assert concerned.count(code) == counts[code]


def test_each_finding_and_claim_is_counted_once_in_each_filter_that_concerns_it(
    written: Path,
) -> None:
    report = ReviewPage(written)
    assert report.claims is not None
    findings, claims = report.findings.rows, report.claims.rows
    assert (len(findings), len(claims)) == (FINDINGS, CLAIMS)
    assert [row.number for row in findings + claims] == [*range(1, FINDINGS + CLAIMS + 1)]
    counted(report.findings)
    counted(report.claims)
    titles = [facet.title for facet, _ in report.findings.filters]
    assert titles == ["Severity", "Lens", "Kind of flaw", "State", "Found by"]
    titles = [facet.title for facet, _ in report.claims.filters]
    assert titles == ["Verdict", "Flagged by the review", "Best source tier"]


def test_a_finding_is_filtered_by_its_own_kind_of_flaw(written: Path) -> None:
    findings = ReviewPage(written).findings
    facet, counts = findings.filters[2]
    assert sum(counts[code] > 0 for code in range(len(facet.labels))) > 3
    for row in findings.rows:
        assert row.text.startswith(f"{facet.labels[findings.codes(row)[2]].text}: ")


def test_a_finding_says_how_it_stands_and_why(written: Path) -> None:
    listed = ReviewPage(written).findings.rows
    states = {row.mark: [label.text for label in row.labels] for row in listed}
    assert states["T-1"] == ["critical"]
    assert states["A-2"] == ["high", "weakened by the defence"]
    assert states["S-3"] == ["medium", "without a defence"]
    assert states["T-7"] == ["medium", "doubted by a smoke tester"]
    assert states["A-11"] == ["medium", "dropped by the smoke test"]
    assert states["K-1"] == ["high", "refuted by the defence"]
    (number,) = (row.number for row in listed if row.mark == "A-2")
    one = on_record(written, "findings")[str(number)]
    assert one.xpath("h3[.='Defence']/following-sibling::ul[1]/li/text()") == [
        *("weakened: Perhaps ", "the document's words: “as ”"),
    ]
    smoke = one.xpath("h3[.='Smoke test']/following-sibling::p[1]")[0].text_content()
    assert smoke.strip() == "passed: its words stand in the document where it says"
    sealed = (ReviewStore.open(written).manifest.sealed or {})["A-2"]
    assert one.xpath(".//dt[.='sealed as']/following-sibling::dd/text()") == [sealed]


def test_findings_and_claims_about_the_same_lead_to_each_other(written: Path) -> None:
    shown = on_record(written, "findings") | on_record(written, "claims")
    links = {int(here): [int(n) for n in one.xpath(".//@data-item")] for here, one in shown.items()}
    led = [(here, there) for here, many in links.items() for there in many]
    assert led
    assert all(here in links[there] for here, there in led)
    assert all((here <= FINDINGS) != (there <= FINDINGS) for here, there in led)


def test_nothing_that_was_found_outside_stands_beside_a_finding(written: Path) -> None:
    report = ReviewPage(written)
    assert report.claims is not None
    outside = {label.text for label in report.claims.filters[0][0].labels} | {"the source has it"}
    for one in on_record(written, "findings").values():
        assert not [word for word in outside if word in one.text_content()]


def test_evidence_is_shown_in_the_snapshot_around_it_with_the_score_of_its_source(
    written: Path,
) -> None:
    report = ReviewPage(written)
    first = next(iter(on_record(written, "claims").values()))
    assert first.xpath(".//blockquote/text()")[1] == "Before . "
    assert "Not shown in its context" not in first.text_content()
    card = report.sources[int(first.xpath(".//@data-source")[0]) - 1]
    assert card.rating is not None
    assert [*card.rating.parts] == ["authority", "recency", "completeness", "relevance"]
    assert card.source is not None
    assert card.source.snapshot is not None
    assert first.xpath(".//code/text()") == [card.source.snapshot.sha256]


@pytest.mark.parametrize("status", [*ReviewStatus, None])
@pytest.mark.parametrize("independent", [True, False])
def test_only_a_whole_review_by_readers_is_green(
    review_dir: Path, status: ReviewStatus | None, *, independent: bool
) -> None:
    ReviewStore.open(review_dir).update(status=status, independent=independent)
    end = ReviewPage(review_dir).end
    assert (end.tone == "good") is (status is ReviewStatus.COMPLETED and independent)
    assert ("no language model" in end.text) is not independent


AFTER = tuple(ReviewPhase)


@pytest.mark.parametrize(
    ("last", "told"),
    [
        (None, "the red review and its defence have not ended"),
        (ReviewPhase.COMPILED, "nobody has decided yet"),
        (ReviewPhase.GATE, "the quotations of the findings"),
        (ReviewPhase.SMOKE, "the review has not come to the web verification"),
        (ReviewPhase.CLAIM_SMOKE, "the review has not come to the web verification"),
        (ReviewPhase.WEB, "External verification appendix"),
    ],
)
def test_a_review_that_stopped_in_the_middle_has_a_report_that_says_what_is_missing(
    review_dir: Path, last: ReviewPhase | None, told: str
) -> None:
    for phase in AFTER[AFTER.index(last) + 1 if last else 0 :]:
        (review_dir / FILES[phase]).unlink(missing_ok=True)
    store = ReviewStore.open(review_dir)
    if last is None or AFTER.index(last) < AFTER.index(ReviewPhase.SMOKE):
        store.update(sealed=None)
    part = NotDone(ReviewPhase.SMOKE, "testers", "the model was not there")
    store.update(status=None, not_done=(part,))
    (review_dir / "analytics.json").unlink()
    shown = page(review_dir)
    assert told in shown
    assert "the model was not there" in shown
    assert ("not sealed yet" in shown) is (store.manifest.sealed is None)


@pytest.mark.parametrize(
    "name",
    [
        *("review.json", "analytics.json", "compiled.json", "smoke.json", "claims.json"),
        *("claim_smoke.json", "web.json", "cross_reference.json", "gate_decision.json"),
    ],
)
def test_a_damaged_file_is_named_and_leaves_the_last_report(review_dir: Path, name: str) -> None:
    write_report(review_dir)
    before = (review_dir / "report.html").read_bytes()
    (review_dir / name).write_bytes((review_dir / name).read_bytes()[:-40])
    with pytest.raises(RunDirectoryError, match=name):
        write_report(review_dir)
    assert (review_dir / "report.html").read_bytes() == before
    assert not list(review_dir.glob(".report*"))


def rewrite(path: Path, change: Callable[[str], str]) -> None:
    text = path.read_text(encoding="utf-8")
    assert change(text) != text
    path.write_text(change(text), encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "before", "after", "told"),
    [
        ("smoke.json", "This is not so", "This is so", "after the findings were sealed"),
        ("document.md", "Station 1 ", "Station X ", "was changed"),
        ("cross_reference.json", '"T-1"', '"T-999"', "a finding 'T-999' that earlier files"),
        ("cross_reference.json", "c-00000001", "c-0000ffff", "that earlier files do not have"),
        ("web.json", "c-00000001", "c-0000ffff", "that earlier files do not have"),
        ("web.json", "c-00000001", "c-00000000", "a claim twice"),
    ],
)
def test_what_is_at_odds_with_the_rest_is_refused_in_a_line(
    review_dir: Path, name: str, before: str, after: str, told: str
) -> None:
    rewrite(review_dir / name, lambda text: text.replace(before, after))
    with pytest.raises(RunDirectoryError, match=told):
        write_report(review_dir)


def test_every_review_leaves_its_page(tmp_path: Path) -> None:
    review_dir = reviewed(tmp_path).review_dir
    left = (review_dir / "report.html").read_bytes()
    write_report(review_dir)
    assert (review_dir / "report.html").read_bytes() == left


def test_a_page_that_cannot_be_written_changes_nothing_of_the_review(
    review_dir: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (review_dir / "report.html").mkdir()
    store = ReviewStore.open(review_dir)
    write_reports(read_contents(store), store)
    assert (review_dir / "report.md").is_file()
    assert ReviewStore.open(review_dir).manifest == store.manifest
    told = "".join(capfd.readouterr())
    assert "HTML report" in told

"""Reports in a real browser: what they show, what they do, and what they must never do."""

from __future__ import annotations

import json
import re
import statistics
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import foureyes
import pytest
from playwright.sync_api import Browser, Page, sync_playwright
from support.browser import CHROMIUM, QUIET, filtering, obstacles, opening
from support.commands import execute
from support.report_review import ReportReview
from support.report_run import ReportRun
from support.reviews import reviewed
from support.runs import BRIEF, GOOD_DRAFT, write_case

WRONG_DRAFT = GOOD_DRAFT.replace("96 megawatts", "69 megawatts").replace("212 gi", "300 gi")


@dataclass
class Seen:
    """What a browser did while a page was open."""

    requests: list[str] = field(default_factory=list[str])
    messages: list[str] = field(default_factory=list[str])


@pytest.fixture(scope="module")
def browser() -> Generator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield browser
        browser.close()


@contextmanager
def opened(
    browser: Browser, report: Path, *, scheme: str = "light", width: int = 1280
) -> Generator[Page]:
    """The report in a page of its own; it must ask for nothing and complain of nothing."""
    context = browser.new_context(
        color_scheme="dark" if scheme == "dark" else "light",
        viewport={"width": width, "height": 900},
    )
    page, seen = context.new_page(), Seen()
    page.on("request", lambda request: seen.requests.append(request.url))
    page.on("console", lambda message: seen.messages.append(message.text))
    page.on("pageerror", lambda error: seen.messages.append(str(error)))
    page.on("dialog", lambda dialog: seen.messages.append(dialog.message))
    page.goto(report.as_uri())
    yield page
    context.close()
    assert seen == Seen([report.as_uri()])


@pytest.fixture(scope="module")
def real_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report that a run of the package wrote by itself: two iterations, with findings."""
    folder = tmp_path_factory.mktemp("real")
    write_case(folder, WRONG_DRAFT)
    run = partial(
        foureyes.run_analysis,
        BRIEF,
        draft=WRONG_DRAFT,
        sources=[folder / "sources"],
        out=folder / "runs",
        mode="analyze_review_with_fact_check",
        as_of="2026-01-02",
    )
    with ThreadPoolExecutor() as threads:
        # The browser's own event loop runs in this thread.
        result = threads.submit(run).result()
    assert result.run_dir is not None
    return result.run_dir / "report.html"


@pytest.fixture(scope="module")
def real_review(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report that a review of the package wrote by itself, with findings and an appendix."""
    with ThreadPoolExecutor() as threads:
        review = partial(reviewed, tmp_path_factory.mktemp("review"), verify_background=True)
        result = threads.submit(review).result()
    return result.review_dir / "report.html"


@pytest.fixture(params=["run", "review"])
def either_report(request: pytest.FixtureRequest, real_report: Path, real_review: Path) -> Path:
    """The page of a run, then that of a review: what holds for both."""
    return real_report if request.param == "run" else real_review


def test_a_click_on_a_claim_shows_its_quote_in_context_and_its_source(
    browser: Browser, real_report: Path
) -> None:
    with opened(browser, real_report) as page:
        page.locator("#document mark", has_text="96 megawatts").first.click()
        panel = page.locator("#panel")
        assert panel.get_by_role("heading", level=2).inner_text() == "Claim 2"
        quoted = panel.locator(".evidence blockquote").first
        assert "installed capacity of 96 megawatts" in quoted.locator("strong").inner_text()
        assert "# Arnsund tidal power station" in quoted.inner_text()
        card = panel.locator(".source")
        assert re.fullmatch(r"T\d .*of 100", card.locator(".label").first.inner_text())
        assert {"authority", "recency", "completeness", "relevance"} <= {
            *card.locator(".scores dt").all_inner_texts()
        }
        sha256 = card.locator(".hash").inner_text()
        assert (real_report.parent / "sources" / sha256).is_file()


def test_an_approval_by_rules_alone_never_looks_like_one_by_readers(
    browser: Browser, real_report: Path
) -> None:
    with opened(browser, real_report) as page:
        assert "approved by rules only; not reviewed for reasoning" in page.inner_text("header")
        assert "Basis: deterministic checks" in page.inner_text("#decision")
        assert "reasoning" in page.inner_text("#unchecked")


def test_iterations_stand_side_by_side_with_what_changed(
    browser: Browser, real_report: Path
) -> None:
    with opened(browser, real_report) as page:
        changes = page.locator("#iterations .diff")
        assert changes.locator("del").all_inner_texts() == ["69", "300"]
        assert changes.locator("ins").all_inner_texts() == ["96", "212"]
        groups = page.locator("#iterations summary").all_inner_texts()
        assert any("resolved" in group for group in groups)
        assert "fail" in page.inner_text("#iterations table >> nth=0")


def test_everything_can_be_reached_and_left_by_keyboard(
    browser: Browser, real_report: Path
) -> None:
    with opened(browser, real_report) as page:
        page.keyboard.press("Tab")
        assert focused(page) == "Skip to the text"
        page.keyboard.press("Enter")
        shown: list[str] = []
        for _ in range(60):
            page.keyboard.press("Tab")
            shown.append(focused(page))
            if page.evaluate("document.activeElement.matches('#document .tag')"):
                break
        page.keyboard.press("Enter")
        assert focused(page) == "Claim 1"
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert focused(page) == "Claim 2"
        page.keyboard.press("Escape")
        assert page.locator("#panel").is_hidden()
        assert page.evaluate("document.activeElement.dataset.n") == "2"


def written(record: Path) -> Path:
    """The page that the command writes of a record."""
    assert execute(["report", str(record)]) == 0
    return record / "report.html"


def focused(page: Page) -> str:
    return page.evaluate("document.activeElement.textContent.trim()")


def test_every_button_and_choice_is_in_the_tab_order(browser: Browser, either_report: Path) -> None:
    with opened(browser, either_report) as page:
        out_of_reach = "[...document.querySelectorAll('button,input,summary,a')].filter(one => "
        out_of_reach += "one.checkVisibility() && one.tabIndex < 0).length"
        assert page.evaluate(out_of_reach) == 0


def test_filters_narrow_the_list_and_the_text(browser: Browser, tmp_path: Path) -> None:
    report = written(ReportRun(claims=140).write(tmp_path))
    with opened(browser, report) as page:
        status = page.locator(".filters [role=status]")
        assert status.inner_text() == "140 of 140 claims shown"
        left = 140
        for facet, value in enumerate(("supported", "critical", "none", "T1", "temporal")):
            choices = page.locator(".filters fieldset").nth(facet)
            choices.get_by_text(value).first.click()
            before, left = left, page.locator(".items li:not([hidden])").count()
            assert 0 < left < before
            assert status.inner_text() == f"{left} of 140 claims shown"
            assert page.locator("#document .tag:not([hidden])").count() == left
            assert page.locator("#document mark.m:not(.off)").count() == left
        page.get_by_role("button", name="Show all").click()
        page.get_by_label("Words").fill("station 123 ")
        assert status.inner_text() == "1 of 140 claims shown"


# The page of a review has both.
@pytest.mark.soak
def test_a_report_of_2000_claims_is_small_and_quick(browser: Browser, tmp_path: Path) -> None:
    is_small_and_quick(browser, written(ReportRun(claims=2_000).write(tmp_path)), choices=8)


def test_a_report_of_2000_findings_and_2000_claims_is_small_and_quick(
    browser: Browser, tmp_path: Path
) -> None:
    review_dir = ReportReview(findings=2_000, claims=2_000).write(tmp_path)
    is_small_and_quick(browser, written(review_dir), choices=10)


def is_small_and_quick(browser: Browser, report: Path, *, choices: int) -> None:
    assert report.stat().st_size <= 8_000_000
    # What the page itself takes: the clock goes on while other tests keep the machine busy.
    assert opening(browser, report)[1] < 2000
    filtered = [worked for _, worked in filtering(browser, report)]
    assert len(filtered) == choices
    # The first still has a part of the opening in it, and any may meet a busy machine.
    assert statistics.median(filtered) < 100


@pytest.mark.parametrize(
    ("kind", "scheme"),
    [
        ("run", "light"),
        ("review", "dark"),
        # They share their colours.
        pytest.param("run", "dark", marks=pytest.mark.soak),
        pytest.param("review", "light", marks=pytest.mark.soak),
    ],
)
def test_a_reader_with_other_senses_finds_no_serious_obstacle(
    browser: Browser, real_report: Path, real_review: Path, kind: str, scheme: str
) -> None:
    report = real_report if kind == "run" else real_review
    with opened(browser, report, scheme=scheme) as page:
        page.locator(".items button").last.click()
        page.evaluate("document.querySelectorAll('#outside-marks').forEach((one) => one.click())")
        page.evaluate("document.querySelectorAll('details').forEach((one) => one.open = true)")
        assert obstacles(page) == []


def test_the_theme_follows_the_system_until_somebody_chooses(
    browser: Browser, real_report: Path
) -> None:
    back = "getComputedStyle(document.body).backgroundColor"
    with opened(browser, real_report, scheme="dark") as page:
        assert page.evaluate(back) == "rgb(13, 17, 23)"
        page.locator("#theme").click()
        assert page.evaluate(back) == "rgb(255, 255, 255)"


def test_a_print_has_the_evidence_of_every_claim_and_no_controls(
    browser: Browser, real_report: Path
) -> None:
    with opened(browser, real_report, scheme="dark") as page:
        page.emulate_media(media="print")
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert page.locator(".filters").is_hidden()
        assert page.evaluate("getComputedStyle(document.body).color") == "rgb(27, 31, 36)"
        claims = page.locator(".items li").count()
        assert page.locator(".printed h3", has_text="Claim ").count() == claims > 0
        assert page.locator(".printed .evidence").count() > 0
        assert page.locator("details:not([open])").count() == 0


def test_a_narrow_page_does_not_scroll_sideways(browser: Browser, either_report: Path) -> None:
    with opened(browser, either_report, width=360) as page:
        page.locator(".items button").last.click()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


# --- document reviews ---------------------------------------------------------------------------


def test_a_click_on_a_finding_shows_what_was_said_for_and_against_it(
    browser: Browser, real_review: Path
) -> None:
    with opened(browser, real_review) as page:
        page.locator("#document mark", has_text="a rise of 30 %").first.click()
        panel = page.locator("#panel")
        name = panel.get_by_role("heading", level=2).inner_text()
        assert re.fullmatch(r"Finding A-\d", name)
        told = panel.inner_text()
        assert "a rise of 30 %" in panel.locator("blockquote").first.inner_text()
        assert "arithmetic error" in told
        assert "survived: " in told
        assert "passed: its words stand in the document where it says" in told
        sealed = json.loads((real_review.parent / "review.json").read_bytes())["sealed"]
        assert sealed[name.removeprefix("Finding ")] in told
        assert "Seal: the findings were sealed before" in page.inner_text("#decision")
        assert "let the review go on" in page.inner_text("#decision")


def test_what_was_found_outside_is_marked_in_the_text_on_request_alone(
    browser: Browser, real_review: Path
) -> None:
    back = "one => getComputedStyle(one).backgroundColor"
    with opened(browser, real_review) as page:
        claim = page.locator("#document mark.outside", has_text="lift 40 tonnes").first
        assert claim.evaluate(back) == "rgba(0, 0, 0, 0)"
        claim.click()
        assert page.locator("#panel").is_hidden()
        assert page.locator("#document .tag.outside:visible").count() == 0
        assert "It rests on nothing" not in page.inner_text("#findings")
        page.get_by_label("Mark the claims of the appendix, too").check()
        assert claim.evaluate(back) != "rgba(0, 0, 0, 0)"
        claim.click()
        panel = page.locator("#panel")
        assert re.fullmatch(r"Claim \d+", panel.get_by_role("heading", level=2).inner_text())
        assert "contradicted" in panel.inner_text()
        quoted = panel.locator(".evidence blockquote")
        assert "can lift 60 tonnes" in quoted.locator("strong").inner_text()
        assert "The quay" in quoted.inner_text()
        card = panel.locator(".source")
        assert re.fullmatch(r"T\d .*of 100", card.locator(".label").first.inner_text())
        sha256 = card.locator(".hash").inner_text()
        assert (real_review.parent / "sources" / sha256).is_file()


def test_a_claim_leads_to_the_findings_about_it_and_back(browser: Browser, tmp_path: Path) -> None:
    report = written(ReportReview(6, 6).write(tmp_path))
    with opened(browser, report) as page:
        panel = page.locator("#panel")
        page.locator("#outside .items button").nth(1).click()
        panel.get_by_role("button", name="Finding A-2").click()
        assert panel.get_by_role("heading", level=2).inner_text() == "Finding A-2"
        panel.get_by_role("button", name="Claim 2").click()
        assert panel.get_by_role("heading", level=2).inner_text() == "Claim 2"
        # The last of a list is followed by nothing: findings are not paged into the appendix.
        page.locator("#findings .items button").last.click()
        last = panel.get_by_role("heading", level=2).inner_text()
        panel.get_by_role("button", name="Next").click()
        assert panel.get_by_role("heading", level=2).inner_text() == last


def test_findings_and_claims_have_filters_of_their_own(browser: Browser, tmp_path: Path) -> None:
    report = written(ReportReview(140, 140).write(tmp_path))
    with opened(browser, report) as page:
        assert page.locator(".filters [role=status]").all_inner_texts() == [
            *("140 of 140 findings shown", "140 of 140 claims shown"),
        ]
        page.locator("#outside-marks").check()
        for things, tags in (("findings", ".tag:not(.outside)"), ("claims", ".tag.outside")):
            form = page.locator(f".filters[data-things={things}]")
            rows = page.locator(f".items[data-things={things}] li:not([hidden])")
            for fieldset in form.locator("fieldset").all():
                choice = fieldset.locator(".choice").first
                left = 140 - int(choice.locator(".count").inner_text())
                choice.locator("input").uncheck()
                assert form.get_by_role("status").inner_text() == f"{left} of 140 {things} shown"
                assert (rows.count(), page.locator(f"#document {tags}:visible").count()) == (
                    *(left, left),
                )
                form.get_by_role("button", name="Show all").click()
            form.get_by_label("Words").fill("station 123 ")
            assert form.get_by_role("status").inner_text() == f"1 of 140 {things} shown"


def test_the_appendix_can_be_reached_and_left_by_keyboard(
    browser: Browser, real_review: Path
) -> None:
    with opened(browser, real_review) as page:
        for _ in range(3):
            page.keyboard.press("Tab")
        assert focused(page) == "Skip to the appendix"
        page.keyboard.press("Enter")
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.matches('#outside .items button')"):
                break
        page.keyboard.press("Enter")
        assert focused(page) == "Claim 1"
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert focused(page) == "Claim 2"
        page.keyboard.press("Escape")
        assert page.evaluate("document.activeElement.closest('li').dataset.id").startswith("c-")


def test_a_print_of_a_review_has_its_findings_and_then_its_appendix(
    browser: Browser, real_review: Path
) -> None:
    with opened(browser, real_review, scheme="dark") as page:
        page.emulate_media(media="print")
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        printed = page.evaluate("document.body.innerText")
        order = [printed.index(text) for text in ("Finding A-1", "Reading order", "Claim 1\n")]
        assert order == sorted(order)
        assert (
            page.locator(".filters, .items").evaluate_all(
                "all => all.some(x => x.checkVisibility())"
            )
            is False
        )

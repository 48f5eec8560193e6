"""The page of an experiment in a real browser: what it shows, and what it must never do."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright
from support.browser import CHROMIUM, QUIET, obstacles
from support.commands import execute
from support.experiment_results import write_results


@pytest.fixture(scope="module")
def browser() -> Generator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page that the command writes."""
    folder = write_results(tmp_path_factory.mktemp("experiment")).path
    assert execute(["experiment", "report", str(folder)]) == 0
    return folder / "report.html"


@contextmanager
def opened(
    browser: Browser, path: Path, scheme: str = "light", width: int = 1280
) -> Generator[Page]:
    """The page; it must ask for nothing and complain of nothing."""
    context = browser.new_context(
        color_scheme="dark" if scheme == "dark" else "light",
        viewport={"width": width, "height": 900},
    )
    page = context.new_page()
    seen: list[str] = []
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: seen.append(message.text))
    page.on("pageerror", lambda error: seen.append(str(error)))
    page.on("dialog", lambda dialog: seen.append(dialog.message))
    page.goto(path.as_uri())
    yield page
    context.close()
    assert (asked, seen) == ([path.as_uri()], [])


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.soak)])
def test_a_reader_with_other_senses_finds_no_serious_obstacle(
    browser: Browser, written: Path, scheme: str
) -> None:
    with opened(browser, written, scheme) as page:
        assert obstacles(page) == []


def test_every_drawing_says_in_words_what_it_shows(browser: Browser, written: Path) -> None:
    with opened(browser, written) as page:
        drawings = page.get_by_role("img")
        assert drawings.count() == 6
        names = [one.get_attribute("aria-labelledby") or "" for one in drawings.all()]
        told = [page.locator(f"#{name}").inner_text() for name in names]
        assert told[0].startswith("✓ better fact_checker: +0.375 (+0.155 to +0.548)")


def test_what_flipped_leads_to_both_runs_by_keyboard(browser: Browser, written: Path) -> None:
    with opened(browser, written) as page:
        links = page.locator("#items a")
        assert links.count() > 60
        places = links.evaluate_all("all => all.map(one => [one.href, one.tabIndex])")
        assert all(tab == 0 for _, tab in places)
        below = written.parent.as_uri() + "/engine/jobs/"
        assert all(href.startswith(below) for href, _ in places)


@pytest.mark.parametrize("width", [360, 700])
def test_a_narrow_page_does_not_scroll_sideways(
    browser: Browser, written: Path, width: int
) -> None:
    with opened(browser, written, width=width) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        outside = """all => all.filter((one) => one.getBoundingClientRect().right > innerWidth)
            .map((one) => one.textContent)"""
        assert page.locator(".plot text").evaluate_all(outside) == []


def test_the_theme_can_be_chosen(browser: Browser, written: Path) -> None:
    with opened(browser, written, "dark") as page:
        page.locator("#theme").click()
        back = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert back == "rgb(255, 255, 255)"

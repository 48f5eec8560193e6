"""A real browser that keeps to itself, and how long a report keeps it busy."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

CHROMIUM = "/usr/bin/chromium"
"""Debian's package `chromium`."""
QUIET = (
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--no-first-run"),
    # What a browser wants for itself finds nobody either.
    *("--no-proxy-server", "--host-resolver-rules=MAP * ~NOTFOUND"),
)
_OPENED = "performance.getEntriesByType('navigation')[0].loadEventEnd"
_FILTER = """async (number) => {
    const start = performance.now();
    document.querySelectorAll("input[data-facet='0']")[number].click();
    document.body.offsetHeight;
    const taken = performance.now() - start;
    await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
    return taken;
}"""


_OBSTACLES = """async () => (await axe.run()).violations
    .filter((one) => ["serious", "critical"].includes(one.impact))
    .flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.html}`))"""


def obstacles(page: Page) -> list[str]:
    """What keeps readers with other senses from the page, as far as a program can tell."""
    axe = files("axe_playwright_python").joinpath("axe.min.js")
    page.evaluate(axe.read_text(encoding="utf-8"))
    return page.evaluate(_OBSTACLES)


class MainThread:
    """The thread that runs, lays out and draws a page."""

    def __init__(self, page: Page) -> None:
        # Its messages are not typed.
        self._session: Any = page.context.new_cdp_session(page)
        self._session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def worked_ms(self) -> float:
        """How long it has worked so far; other work of the machine does not count."""
        metrics = self._session.send("Performance.getMetrics")["metrics"]
        return next(1000 * one["value"] for one in metrics if one["name"] == "TaskDuration")


def opening(browser: Browser, report: Path) -> tuple[float, float]:
    """Milliseconds until a report's last script is done, and those that its thread worked."""
    page = browser.new_page()
    thread = MainThread(page)
    page.goto(report.as_uri())
    taken = page.evaluate(_OPENED), thread.worked_ms()
    page.close()
    return taken


def filtering(browser: Browser, report: Path) -> Iterator[tuple[float, float]]:
    """The same for taking each verdict out of the filter, with the layout that follows.

    The thread's time has the drawing in it, too.
    """
    page = browser.new_page()
    thread = MainThread(page)
    page.goto(report.as_uri())
    for number in range(page.locator("input[data-facet='0']").count()):
        before = thread.worked_ms()
        taken: float = page.evaluate(_FILTER, number)
        yield taken, thread.worked_ms() - before
    page.close()

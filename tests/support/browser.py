"""A real browser that keeps to itself, and how long a report keeps it busy."""

from __future__ import annotations

CHROMIUM = "/usr/bin/chromium"
"""Debian's package `chromium`."""
QUIET = (
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--no-first-run"),
    # What a browser wants for itself finds nobody either.
    *("--no-proxy-server", "--host-resolver-rules=MAP * ~NOTFOUND"),
)
OPENING_MS = "performance.getEntriesByType('navigation')[0].loadEventEnd"
"""From asking for the page to its last script done."""
FILTERING_MS = """async () => {
    const drawn = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const taken = [];
    for (const box of document.querySelectorAll("input[data-facet='0']")) {
        await drawn();
        const start = performance.now();
        box.click();
        document.body.offsetHeight;
        taken.push(performance.now() - start);
    }
    return taken;
}"""
"""Taking one verdict after the other out of the filter, each with the layout that follows."""

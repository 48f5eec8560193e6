"""The documentation tells the truth: what it shows runs, and its site builds without a warning."""

from __future__ import annotations

import functools
import http.server
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import foureyes
import pytest
from page_scripts import Script
from pages import DOCS, Session, blocks, comparable, pages, problems, ran, write
from playwright.sync_api import sync_playwright
from readme import README
from support.browser import CHROMIUM, QUIET
from support.collector import Collector
from support.commands import ROOT, command_names, flags
from support.messages_server import MessagesServer
from support.variants import variants


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Serves files and prints nothing."""

    def log_message(self, format: str, *args: object) -> None:
        """Keep quiet."""


LOADED = re.compile(
    r"""<(?:script|img|iframe|source|link rel="stylesheet")[^>]*(?:src|href)=(\S+)"""
)

LOOPBACK = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
OF_OTHER_PROGRAMS = {DOCS / "model-servers.md"}
"""Pages that name flags of other programs."""


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(DOCS)))
def test_a_page_shows_what_happens_or_make_docs_was_forgotten(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = page.read_text(encoding="utf-8")
    assert comparable(ran(text, Session(tmp_path)).text) == comparable(text)
    monkeypatch.chdir(tmp_path)
    assert [f"line {b.line}: {said}" for b in blocks(text) for said in problems(b)] == []


SCRIPTS = [
    page
    for page in (README, *pages())
    if any(block.language == "sh" for block in blocks(page.read_text(encoding="utf-8")))
]


SOAK = {DOCS / "model-servers.md", DOCS / "how-to" / "models.md", DOCS / "how-to" / "tracing.md"}
"""Pages whose scripts start many sessions; that the options in them exist is tested for all."""


@pytest.mark.cli
@pytest.mark.parametrize(
    "page",
    variants(
        {str(page.relative_to(ROOT)): page for page in SCRIPTS},
        {str(page.relative_to(ROOT)) for page in SOAK},
    ),
)
def test_the_shell_scripts_of_a_page_run(page: Path, tmp_path: Path) -> None:
    with MessagesServer() as model, Collector() as collector:
        script = Script(tmp_path, model, collector)
        script.prepare()
        for block in blocks(page.read_text(encoding="utf-8")):
            if block.file:
                write(tmp_path, block)
            elif block.language == "sh":
                said = [f"line {block.line}: {problem}" for problem in script.problems(block.body)]
                assert said == []


def test_every_flag_that_a_page_names_exists() -> None:
    real = flags()
    for page in {*pages()} - OF_OTHER_PROGRAMS:
        named = set(re.findall(r"`(--[a-z][a-z-]+)", page.read_text(encoding="utf-8")))
        assert (page.name, named - real) == (page.name, set())


def test_every_file_of_the_project_that_a_page_names_exists() -> None:
    path = re.compile(r"`((?:src|tests|config|plugin)/[^`*]*)`")
    for page in pages():
        named = path.findall(page.read_text(encoding="utf-8"))
        assert [f"{page.name}: {name}" for name in named if not (ROOT / name).exists()] == []


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site; building it gave no warning."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder]
    built = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    return folder


def test_every_link_of_a_page_leads_to_a_file() -> None:
    link = re.compile(r"\]\(([^)#\s:]+)(?:#[^)\s]*)?\)")
    for page in pages():
        prose = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.S)
        missing = [to for to in link.findall(prose) if not (page.parent / to).exists()]
        assert (page.name, missing) == (page.name, [])
    listed = re.findall(r": (\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.M)
    assert {str(page.relative_to(DOCS)) for page in pages()} <= set(listed)
    assert [name for name in listed if not (DOCS / name).exists()] == []


# Its build knows the headings, too, and takes long.
@pytest.mark.soak
def test_the_site_loads_nothing_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        loaded = LOADED.findall(page.read_text(encoding="utf-8"))
        assert [address for address in loaded if "//" in address] == []


@pytest.mark.soak
def test_the_reference_holds_every_public_name_and_every_option(site: Path) -> None:
    api = (site / "reference" / "api.html").read_text(encoding="utf-8")
    names = set(foureyes.__all__) - {"__version__"}
    assert {name for name in names if f'id="foureyes.{name}"' not in api} == set()
    cli = (site / "reference" / "cli.html").read_text(encoding="utf-8")
    assert {flag for flag in flags() if not re.search(rf"<code>[^<]*{flag}\b", cli)} == set()
    assert {name for name in command_names() if f">foureyes {name}" not in cli} == set()


@pytest.mark.soak
def test_a_browser_asks_nobody_else_and_finds_what_it_searches(site: Path) -> None:
    handler = functools.partial(QuietHandler, directory=str(site))
    asked: list[str] = []
    said: list[str] = []
    with (
        http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server,
        sync_playwright() as playwright,
    ):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        home = f"http://127.0.0.1:{server.server_port}/"
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*QUIET, LOOPBACK])
        page = browser.new_page(color_scheme="dark")
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(f"{home}index.html")
        box = page.get_by_placeholder("Search")
        box.click()
        # Its search listens to keys.
        box.press_sequentially("settlement", delay=20)
        page.locator(".md-search-result__link").first.wait_for()
        page.goto(f"{home}reference/api.html", wait_until="networkidle")
        browser.close()
        server.shutdown()
    assert [url for url in asked if not url.startswith((home, "blob:", "data:"))] == []
    assert said == []
